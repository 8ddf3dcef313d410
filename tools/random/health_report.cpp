#include "tools/random/health_report.h"

#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "tools/base/colour.h"
#include "tools/base/exit.h"
#include "tools/base/interrupt.h"
#include "tools/base/json.h"

namespace incore::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSpeedTime = std::chrono::milliseconds(100);

// MB/s, tests included; 0 if it failed, and why.
double measure(const SourceOptions& options, std::string* out_error) {
  ByteSource source;
  *out_error = source.open(options);
  if (!out_error->empty()) return 0;
  std::vector<uint8_t> buffer(4096);
  uint64_t bytes = 0;
  const Clock::time_point start = Clock::now();
  do {
    const ByteSource::Read read = source.read(buffer);
    *out_error = read.error;
    if (read.end != ByteSource::End::none) return 0;
    bytes += read.len;
  } while (Clock::now() - start < kSpeedTime);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return static_cast<double>(bytes) / seconds / 1e6;
}

// The row of one generator; with "error" if it failed.
Json table_entry(const incore_rng_source& about, SourceOptions options) {
  Json entry = {
      {"source", about.name}, {"summary", about.summary}, {"available", about.available != 0}};
  if (about.available == 0) {
    entry["missing"] = about.missing;
    return entry;
  }
  options.name = about.name;
  std::string error;
  const double speed = measure(options, &error);
  if (error.empty())
    entry["mb_per_s"] = speed;
  else
    entry["error"] = error;
  return entry;
}

std::string line_of(const Json& entry) {
  std::string rate = "-", note = entry["summary"].text();
  if (entry.contains("mb_per_s")) rate = fmt::format("{:.2f}", entry["mb_per_s"].real());
  for (const char* const trouble : {"missing", "error"})
    if (entry.contains(trouble)) note = entry[trouble].text();
  return fmt::format("{:<10} {:>10}  {}\n", entry["source"].text(), rate, note);
}

const char* verdict(const HealthCheck& check) {
  return check.has_failed() ? "fail" : check.health.bytes == 0 ? "skipped" : "pass";
}

std::string coloured_verdict(const HealthCheck& check) {
  return coloured(check.has_failed() ? Verdict::wrong : Verdict::right, verdict(check));
}

double megabytes_per_second(const HealthCheck& check) {
  return check.seconds > 0 ? static_cast<double>(check.bytes) / check.seconds / 1e6 : 0;
}

}  // namespace

int print_source_table(const SourceOptions& options, bool json) {
  Json list = Json::array();
  int code = kDone;
  if (!json) fmt::print("{:<10} {:>10}  {}\n", "source", "MB/s", "");
  for (size_t i = 0; i < incore_rng_num_sources() && !interrupted(); ++i) {
    incore_rng_source about;
    if (incore_rng_get_source(i, &about) != INCORE_OK) continue;
    const Json entry = table_entry(about, options);
    if (entry.contains("error")) code = kDiffers;
    list.push_back(entry);
    if (!json) fmt::print("{}", line_of(entry));
  }
  if (json) fmt::print("{}", json_text(Json{{"sources", list}}));
  return interrupted() ? interrupt_exit_code() : code;
}

std::string health_text(const HealthCheck& check) {
  const incore_rng_health& health = check.health;
  if (health.bytes == 0) return "";
  std::string text = fmt::format(
      "{}: {}, {} bytes{}, {:.4g} MB/s\n", check.title, coloured_verdict(check), health.bytes,
      check.is_partial() ? " (partial)" : "", megabytes_per_second(check));
  text += fmt::format(
      "  repetition count     longest run   {:>4}, fails at {:>4}           {} failures\n"
      "  adaptive proportion  largest count {:>4}, fails at {:>4} of {:>4}   {} failures\n",
      health.longest_repetition, health.repetition_cutoff, health.repetition_failures,
      health.largest_count, health.proportion_cutoff, health.window, health.proportion_failures);
  if (check.has_failed()) text += fmt::format("  first failure at byte {}\n", health.first_failure);
  return text;
}

std::string health_json(const HealthCheck& check) {
  const incore_rng_health& health = check.health;
  const Json json = {
      {"source", check.source},
      {"verdict", verdict(check)},
      {"partial", check.is_partial()},
      {"bytes", health.bytes},
      {"repetition_count",
       {{"cutoff", health.repetition_cutoff},
        {"longest_run", health.longest_repetition},
        {"failures", health.repetition_failures}}},
      {"adaptive_proportion",
       {{"window", health.window},
        {"cutoff", health.proportion_cutoff},
        {"largest_count", health.largest_count},
        {"failures", health.proportion_failures}}},
      {"first_failure", check.has_failed() ? Json(health.first_failure) : Json(nullptr)},
      {"mb_per_s", megabytes_per_second(check)}};
  // A file name need not be UTF-8, JSON must.
  return json_text(json);
}

}  // namespace incore::tools
