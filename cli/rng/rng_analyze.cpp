// `incore rng analyze`: judges random bits of a file, a pipe or a generator. However reading ends,
// what has come is judged, and marked as partial if it is not all.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/rng/analyze_options.h"
#include "tools/assess_report/assess_suites.h"
#include "tools/assess_report/assessment.h"
#include "tools/base/interrupt.h"
#include "tools/base/quote.h"
#include "tools/base/sizes.h"
#include "tools/random/source_part.h"

namespace incore::cli {
namespace {

// Begins the assessment that the user wants. What is wrong with it, or nothing.
std::string begin(AnalyzeOptions& options, Assessment* assessment) {
  incore_assess_options& assess = options.assess;
  assess.suites = options.suites.empty() ? nullptr : options.suites.c_str();
  assess.min_entropy = options.source.min_entropy;
  assess.seed = options.source.chip.seed.value_or(0);
  std::string error = assessment->begin(assess);
  if (error.empty()) error = options.idle_option();
  if (options.source.chip.model.empty()) options.source.chip.seed.reset();  // it was for the tests
  return error;
}

// Why not all came, and how much did; empty: all came.
std::string partial_text(const SourcePart& part) {
  if (part.trouble().empty()) return "";
  const std::string of = part.expected() ? " of " + with_commas(*part.expected()) : "";
  return fmt::format("{}: {}{} bytes were judged", part.trouble(), with_commas(part.bytes()), of);
}

int exit_code(const AssessReport& report) {
  const incore_verdict verdict = report.summary.verdict;
  if (verdict == INCORE_VERDICT_SKIPPED && report.input.partial.empty())
    return fail(kBadInput,
                quoted_if_needed(report.input.name) + ": too short for any of the tests");
  const bool passed = verdict == INCORE_VERDICT_PASS || verdict == INCORE_VERDICT_WEAK;
  return passed && report.input.partial.empty() ? kDone : kDiffers;
}

// Reads |source| into |assessment|, which has begun, and writes what was found.
int judge(ByteSource& source, Assessment& assessment, uint64_t skip, std::optional<uint64_t> size,
          const std::string& name, AssessOutput& output) {
  SourcePart part(source, skip, size);
  std::string error =
      part.read([&](std::span<const uint8_t> bytes) { return assessment.update(bytes); });
  if (!error.empty()) return fail(kBadInput, fmt::format("{}: {}", source.name(), error));
  const std::string partial = partial_text(part);
  if (part.bytes() == 0)
    return partial.empty() ? fail(kBadInput, source.name() + " is empty: there is nothing to judge")
                           : fail(kDiffers, fmt::format("{}: {}", source.name(), partial));
  error = assessment.finish(source.name());
  if (!error.empty()) return fail(kDiffers, error);
  const AssessReport report = assessment.report({.name = name == "-" ? "stdin" : name,
                                                 .sha256 = part.sha256(),
                                                 .partial = partial,
                                                 .bytes_skipped = skip});
  const int written = output.write(report);
  return written != kDone ? written : exit_code(report);
}

int run(AnalyzeOptions& options) {
  if (options.list_suites) return fmt::print("{}", assess_suites_text()), kDone;
  options.source.name = options.generator.empty() ? options.file : options.generator;
  size_t known;
  const bool is_live = incore_rng_find_source(options.source.name.c_str(), &known) == INCORE_OK;
  if (is_live && options.size.empty()) options.size = AnalyzeOptions::kUsualLiveSize;
  std::optional<uint64_t> size;
  if (!options.size.empty()) size = parse_byte_count("--size", options.size);
  const uint64_t skip = options.skip.empty() ? 0 : parse_byte_count("--skip", options.skip);

  Assessment assessment;
  AssessOutput output(options.output);
  std::string error = begin(options, &assessment);
  std::vector<NamedFile> inputs;
  if (!is_live) inputs.push_back({"FILE", options.file});
  if (error.empty()) error = output.open(inputs);
  if (!error.empty()) return fail(kBadInput, error);

  const InterruptGuard guard(InterruptGuard::Second::ends);
  ByteSource source;
  error = source.open(options.source);
  if (!error.empty()) return fail(source.health() ? kDiffers : kBadInput, error);
  return judge(source, assessment, skip, size, options.source.name, output);
}

}  // namespace

Command rng_analyze_command() {
  auto o = std::make_shared<AnalyzeOptions>();
  return {.name = "analyze",
          .summary = "judge random bits of a file, a pipe or a generator",
          .options = analyze_options(o.get()),
          .about =
              "Ctrl-C ends the reading, and what has come is judged; a second one ends the "
              "program.",
          .examples = {"incore rng analyze capture.bin --html report.html",
                       "incore rng analyze --source rdrand --size 100M --suites all",
                       "my-generator | incore rng analyze --size 1G --stall-timeout 10 --json"},
          .exit_codes = {{"0", "passed or weak"},
                         {"1", "failed, undecided, or only a part could be judged"},
                         {"2", "bad usage, or input that no test can judge"}},
          .run = [o] { return run(*o); }};
}

}  // namespace incore::cli
