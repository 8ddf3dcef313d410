// `incore vemicry measure`: programs that come with Incore, or a function of yours, on a machine of
// your choice.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"
#include "tools/vemicry/measured_call.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> workloads;
  UserCall call;
  std::vector<std::string> arguments, inputs, outputs;
  uint64_t seed = 1, limit = 0;
  bool json = false;
  incore_vemicry_config config = {};
};

Json figures_json(const char* kind, const std::string& name,
                  const incore_vemicry_figures& figures) {
  return {{kind, name},
          {"instructions", figures.instructions},
          {"call_instructions", figures.call_instructions},
          {"cycles", figures.cycles},
          {"bytes", figures.num_bytes}};
}

void print_figures(const std::string& name, const incore_vemicry_figures& figures) {
  fmt::print("{:<32} {:>10} instructions {:>10} cycles\n", name, figures.instructions,
             figures.cycles);
}

// Reads "LABEL=FILE" texts. Returns what is wrong, or empty.
std::string read_bytes(const char* option, const std::vector<std::string>& texts,
                       std::vector<UserBytes>* out_list) {
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return fmt::format("{}: {} is not LABEL=FILE", option, in_quotes(text));
    out_list->push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return "";
}

int measure_call(const Options& options) {
  UserCall call = options.call;
  for (const std::string& text : options.arguments) {
    const std::optional<uint32_t> number = word_number(text);
    call.arguments.push_back({number ? "" : text, number.value_or(0)});
  }
  std::string mistake = read_bytes("--input", options.inputs, &call.inputs);
  if (mistake.empty()) mistake = read_bytes("--expect", options.outputs, &call.outputs);
  if (mistake.empty()) mistake = read_call_files(&call);
  if (!mistake.empty()) return fail(kBadInput, mistake);
  incore_vemicry_figures figures;
  const incore_status status =
      measure_user_call(call, options.config, options.limit, &figures, &mistake);
  if (status == INCORE_ERROR_FORMAT) return fail_with_lines(kBadInput, mistake);
  const std::string name = call.name();
  if (status != INCORE_OK)
    return fail(status == INCORE_ERROR_FAULT ? kDiffers : kBadInput,
                fmt::format("{}: {}", quoted_if_needed(name), mistake));
  if (options.json)
    fmt::print("{}", json_text(Json::array({figures_json("function", name, figures)})));
  else
    print_figures(quoted_if_needed(name), figures);
  return kDone;
}

int measure(const Options& options) {
  if (!options.call.file.empty()) return measure_call(options);
  Json list = Json::array();
  const std::vector<std::string> names =
      options.workloads.empty() ? workload_names() : options.workloads;
  for (const std::string& name : names) {
    incore_vemicry_figures figures;
    char reason[512];
    const incore_status status = incore_vemicry_measure(name.c_str(), &options.config, options.seed,
                                                        &figures, reason, sizeof reason);
    if (status == INCORE_ERROR_RANGE && options.workloads.empty()) {  // not for such a machine
      if (!options.json) fmt::print("{:<32} {}\n", name, reason);
      continue;
    }
    if (status != INCORE_OK)
      return fail(status == INCORE_ERROR_FAULT ? kDiffers : kBadInput,
                  fmt::format("{}: {}", quoted_if_needed(name), reason));
    if (options.json)
      list.push_back(figures_json("workload", name, figures));
    else
      print_figures(name, figures);
  }
  if (options.json) fmt::print("{}", json_text(list));
  return kDone;
}

}  // namespace

Command vemicry_measure_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "measure",
      .summary = "run programs that come with Incore or a function of yours, check, count",
      .options = joined(
          {{text("WORKLOAD", "", &o->workloads, "what to run, all if none is given")
                .one_of(workload_names()),
            number("--seed", "N", &o->seed, "input is made from this number")
                .excludes({"--program"}),
            text("--program", "FILE", &o->call.file,
                 "a program of yours instead: assembly, or an ELF executable")
                .excludes({"WORKLOAD"})
                .needs("--call"),
            text("--call", "LABEL", &o->call.function, "its function that is called")
                .needs("--program"),
            text("--arg", "VALUE", &o->arguments, "an argument for it, number or label; repeatable")
                .needs("--call"),
            text("--input", "LABEL=FILE", &o->inputs,
                 "put a file into memory at a label; repeatable")
                .needs("--call"),
            text("--expect", "LABEL=FILE", &o->outputs, "what must be there in the end; repeatable")
                .needs("--call"),
            number("--limit", "N", &o->limit, 1, UINT64_MAX, "give up after so many instructions")
                .usually("never")
                .needs("--call"),
            flag("--json", &o->json, "print JSON")},
           machine_options(&o->config),
           memory_options(&o->config)}),
      .examples = {"incore vemicry measure", "incore vemicry measure aes128-encrypt-16 --r 4",
                   "incore vemicry measure --program my.s --call f --arg data --input data=in.bin "
                   "--expect data=out.bin"},
      .exit_codes = {{"0", "done"}, {"1", "a result was wrong"}, {"2", "bad usage"}},
      .run = [o] { return measure(*o); },
  };
}

}  // namespace incore::cli
