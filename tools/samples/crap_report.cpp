#include "tools/samples/crap_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <climits>
#include <cstdio>

#include "tools/base/json.h"
#include "tools/base/output.h"

namespace incore::tools {
namespace {

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = "";
  return gethostname(name, sizeof name) == 0 ? name : "an unknown host";
}

}  // namespace

CrapReport::CrapReport(const CrapOptions& options, const CrapSource& source)
    : options_(options), source_(source) {
  header_.host = host_name();
  header_.sample_bytes = options.sample_bytes();
  header_.is_chip = source.is_chip();
  header_.divider = static_cast<unsigned>(*options.edx);
  header_.raw = options.raw;
  header_.sha = static_cast<unsigned>(options.sha);
  report_ = {{"source", source.chip()}, {"title", source.title()},
             {"host", header_.host},    {"sample_bytes", header_.sample_bytes},
             {"rep", options.rep},      {"sha", options.sha}};
  if (source.is_chip())
    report_.update({{"edx", header_.divider},
                    {"raw", options.raw},
                    {"test", *options.test},
                    {"limit", *options.limit}});
}

void CrapReport::print(const std::string& text) const {
  if (options_.json) return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  flush_output();
}

void CrapReport::begin() {
  print(fmt::format("Source: {}\n", source_.title()));
  if (*options_.test != 0)
    report_["mean_samples"] = Json::array();
  else
    report_["msr"] = nullptr;
}

void CrapReport::set_msr(uint32_t value) {
  report_["msr"] = fmt::format("{:#x}", value);
}

void CrapReport::sample(const CrapSample& sample) {
  const uint64_t rate = crap_data_rate(sample.bytes, sample.seconds);
  header_.date = sample.date;
  header_.bias = static_cast<unsigned>(sample.bias);
  header_.mode = static_cast<unsigned>(sample.mode);
  print(screen_.sample(header_, sample.number,
                       source_.has_rate() ? std::optional(rate) : std::nullopt));
  if (sample.result) print(screen_.statistics(*sample.result));
  add_json(sample, rate);
}

void CrapReport::add_json(const CrapSample& sample, uint64_t rate) {
  Json json = {{"sample", sample.number}, {"bytes", sample.bytes}};
  if (source_.is_chip())
    json.update({{"mode", sample.mode}, {"bias", sample.bias}, {"repeat", sample.round}});
  if (source_.has_rate()) json.update({{"seconds", sample.seconds}, {"kbits_per_second", rate}});
  if (sample.result)
    json.update({{"chi_square", sample.result->chi_square},
                 {"p_value", sample.result->p_value},
                 {"total_chi_square", sample.result->total_chi_square},
                 {"total_p_value", sample.result->total_p_value},
                 {"evenness", sample.result->evenness}});
  samples_.push_back(std::move(json));
}

void CrapReport::end_bias() {
  print(screen_.form_feed());
}

void CrapReport::mean_samples(int64_t mode, int64_t round,
                              std::span<const unsigned, kCrapBiases> means) {
  print(screen_.mean_samples(header_, means));
  report_["mean_samples"].push_back(
      {{"mode", mode}, {"repeat", round}, {"by_bias", std::vector(means.begin(), means.end())}});
}

void CrapReport::saved(const std::string& file, uint64_t bytes) {
  report_["saved_to"] = file;
  report_["saved_bytes"] = bytes;
}

void CrapReport::end(bool is_partial) {
  report_["partial"] = is_partial;
  report_["samples"] = samples_;
  if (options_.json) fmt::print("{}", json_text(report_));
}

}  // namespace incore::tools
