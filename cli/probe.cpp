// `incore probe`: what a PadLock processor does, recorded clause by clause and compared with a
// model.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "tools/base/input_file.h"
#include "tools/base/output_file.h"
#include "tools/base/quote.h"
#include "tools/probe/probe_document.h"
#include "tools/probe/probe_msrs.h"
#include "tools/probe/probe_program.h"
#include "tools/probe/probe_report.h"
#include "tools/run/run_names.h"

namespace incore::cli {
namespace {

struct Options {
  std::string out, cpu, compared, model, program;
  std::string clause;
  std::vector<std::string> skipped;
  bool writes_msrs = false, verbose = false, json = false;
};

int give_program(const Options& options) {
  const std::span<const char> image = probe_image();
  OutputFile file;
  std::string error = file.open(options.program, OutputFile::Kind::program);
  if (error.empty()) error = file.commit(std::string(image.data(), image.size()));
  return error.empty() ? kDone : fail(kBadInput, error);
}

int compare(const Options& options) {
  std::string text;
  Json silicon, model;
  if (std::string wrong = read_input_file(options.compared, &text); !wrong.empty())
    return fail(kBadInput, quoted_if_needed(options.compared) + ": " + wrong);
  if (std::string wrong = read_probe_document(text, &silicon); !wrong.empty())
    return fail(kBadInput, quoted_if_needed(options.compared) + ": " + wrong);
  ProbeComparison comparison = {.file = options.compared, .model = options.model};
  if (std::string wrong =
          probe_model_like(silicon, options.model, &model, &comparison.reloads_keys);
      !wrong.empty())
    return fail(kBadInput, wrong);

  comparison.behaviour = compare_behaviour(silicon, model, options.model);
  if (comparison.behaviour.num_experiments == 0)
    return fail(kBadInput, quoted_if_needed(options.compared) +
                               ": it has no experiment that this program does too");
  comparison.was_emulated = probe_was_emulated(silicon);
  if (!comparison.was_emulated) comparison.timings = compare_timings(silicon, options.model);
  comparison.silicon_noise = noise_figures(silicon);
  comparison.model_noise = noise_figures(model);
  fmt::print("{}", options.json ? json_text(probe_comparison_json(comparison))
                                : probe_comparison_text(comparison));
  return comparison.behaviour.differences.empty() ? kDone : kDiffers;
}

// |*document| as text, with what only the emulated processor itself can tell.
std::string with_msr_outcomes(const std::string& model, bool writes, std::string* document) {
  Json json;
  std::string wrong = read_probe_document(*document, &json);
  if (!wrong.empty()) return wrong;
  add_msr_outcomes(model, writes, &json);
  *document = json.line() + "\n";
  return "";
}

int record(const Options& options) {
  OutputFile file;
  if (std::string error = options.out.empty() ? file.open_stdout() : file.open(options.out);
      !error.empty())
    return fail(kBadInput, error);
  std::vector<std::string> arguments;
  if (!options.clause.empty()) arguments.insert(arguments.end(), {"--clause", options.clause});
  for (const std::string& clause : options.skipped)
    arguments.insert(arguments.end(), {"--skip", clause});
  if (options.writes_msrs) arguments.push_back("--write-msrs");
  if (options.verbose) arguments.push_back("-v");
  std::string document, error;
  if (!run_probe(options.cpu, true, arguments, &document, &error))
    return error.empty() ? kBadInput : fail(kBadInput, error);
  if (!options.cpu.empty()) error = with_msr_outcomes(options.cpu, options.writes_msrs, &document);
  if (error.empty()) error = file.commit(document);
  return error.empty() ? kDone : fail(kBadInput, error);
}

int probe(const Options& options) {
  if (!options.program.empty()) return give_program(options);
  if (!options.compared.empty()) return compare(options);
  if (!options.model.empty())
    return fail(kBadInput, "MODEL is for --compare FILE; to record a model give --cpu MODEL");
  return record(options);
}

}  // namespace

Command probe_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "probe",
      .summary = "record what a PadLock processor does, and compare it with a model",
      .options =
          {
              text("MODEL", "", &o->model, "for --compare: a model, as --cpu of incore run has it"),
              text("--out", "FILE", &o->out, "the document, which appears when all is done")
                  .usually("standard output"),
              text("--cpu", "MODEL", &o->cpu, "probe this model instead of this processor")
                  .such_as(padlock_models()),
              text("--compare", "FILE", &o->compared,
                   "list where the processor recorded in FILE and MODEL differ")
                  .needs("MODEL")
                  .excludes({"--out", "--cpu", "--clause", "--skip", "--write-msrs", "--verbose"}),
              flag("--json", &o->json, "print the comparison as JSON").needs("--compare"),
              text("--clause", "ID", &o->clause,
                   "do only the experiments of this clause, such as PLK-ACE-057, and no timings"),
              text("--skip", "ID", &o->skipped,
                   "leave out those of this clause, should one end the machine; repeatable"),
              flag("--write-msrs", &o->writes_msrs,
                   "do also what writes model specific registers, and set them back"),
              flag("-v,--verbose", &o->verbose, "name each experiment before it is done"),
              text("--program", "FILE", &o->program,
                   "write the 32-bit program that does it, for processors that cannot run incore")
                  .excludes({"--compare", "--out", "--cpu", "--clause", "--skip", "--write-msrs",
                             "--verbose"}),
          },
      .about =
          "The document is JSON: CPUID, model specific registers if they can be read, what each "
          "experiment on a clause has done, clocks by size and key, and 64 KiB of random bytes. "
          "A comparison runs the same experiments on MODEL. Clocks and random bytes are figures: "
          "they are reported and do not count as differences.",
      .examples = {"incore probe --out this-cpu.json", "incore probe --compare this-cpu.json nano",
                   "incore probe --program incore-probe",
                   "incore run --cpu esther -- ./incore-probe --out esther.json"},
      .exit_codes = {{"0", "done; no difference"},
                     {"1", "FILE and MODEL differ"},
                     {"2", "bad usage, FILE is no such document, or the probe cannot run"}},
      .run = [o] { return probe(*o); },
  };
}

}  // namespace incore::cli
