#include "cli/rng/analyze_options.h"

#include <fmt/format.h>

#include "cli/options/source_options.h"
#include "tools/assess_report/assess_suites.h"

namespace incore::cli {
namespace {

using namespace tools;

std::vector<Option> input_options(AnalyzeOptions* o) {
  return {
      text("FILE", "", &o->file, "what to judge; - or none is standard input"),
      text("--source", "NAME", &o->generator, "judge a generator")
          .one_of(source_names())
          .excludes({"FILE"}),
      text("--size", "BYTES", &o->size, "judge so many bytes, such as 4096, 10M, 2G")
          .usually(fmt::format("all, of a generator {}", AnalyzeOptions::kUsualLiveSize)),
      text("--skip", "BYTES", &o->skip, "bytes to pass over at the beginning"),
  };
}

// Some mean more than they do for other commands.
std::vector<Option> options_of_source(AnalyzeOptions* o) {
  std::vector<Option> all = source_options(&o->source);
  Option& min_entropy = named(all, "--min-entropy");
  min_entropy.help =
      "demand so much of SP 800-90B's estimate, in bits a symbol, instead of comparing it with "
      "good sources; for a generator's health tests too";
  min_entropy.usual.clear();
  named(all, "--seed").help =
      "of the permutations of SP 800-90B; with --cpu: noise that is the same each time";
  return all;
}

std::vector<Option> test_options(AnalyzeOptions* o) {
  Texts suites = assess_suite_names();
  suites.insert(suites.begin(), "all");
  return {
      text("--suites", "LIST", &o->suites, "names separated by commas, or all")
          .such_as(std::move(suites)),
      flag("--list-suites", &o->list_suites, "say which suites there are, and stop"),
      number("--symbol-bits", "N", &o->assess.symbol_bits, 1, 8,
             "each byte holds a symbol of so many low bits")
          .usually("8, or 1 if all bytes are 0 or 1 and not all 0"),
      number("--sequence-bits", "N", &o->assess.sequence_bits, 100, 100'000'000,
             "SP 800-22: bits in a sequence")
          .usually("1000000"),
      number("--sequences", "N", &o->assess.sequences, 1, 1000, "SP 800-22: sequences at most")
          .usually("100"),
      number("--samples", "N", &o->assess.samples, 1, uint64_t{1} << 40,
             "SP 800-90B: symbols in the sample")
          .usually("1000000"),
      number("--threads", "N", &o->assess.threads, 1, 1024, "threads that judge")
          .usually("one for each CPU"),
  };
}

std::vector<Option> output_options(AssessOutputOptions* o) {
  return {
      flag("--json", &o->json, "everything, as JSON"),
      flag("--csv", &o->csv, "one row for each result").excludes({"--json"}),
      text("--html", "FILE", &o->html, "a page with plots too"),
      text("-o,--out", "FILE", &o->out, "text, JSON or CSV go there"),
      flag("-v,--verbose", &o->verbosity, "of the text: every test; twice: every result")
          .excludes({"--json", "--csv"}),
  };
}

Option crap_flag() {
  static bool unused;  // `incore rng crap` is parsed in place of this command
  Option option =
      flag("--crap", &unused,
           "in the form of VIA's program CRAP, with its options: incore rng crap --help");
  option.instead = "crap";
  return option;
}

}  // namespace

std::string AnalyzeOptions::idle_option() const {
  const struct {
    bool given;
    const char *option, *suite;
  } all[] = {{assess.sequence_bits != 0, "--sequence-bits", "sp800-22"},
             {assess.sequences != 0, "--sequences", "sp800-22"},
             {assess.samples != 0, "--samples", "sp800-90b"},
             {source.chip.seed && source.chip.model.empty(), "--seed", "sp800-90b-iid"}};
  for (const auto& each : all)
    if (each.given && !takes_suite(suites, each.suite))
      return fmt::format("{} is for suite {}, which is not chosen", each.option, each.suite);
  return "";
}

std::vector<Option> analyze_options(AnalyzeOptions* options) {
  std::vector<Option> all = joined({input_options(options),
                                    options_of_source(options),
                                    in_group("Tests", test_options(options)),
                                    in_group("Output", output_options(&options->output)),
                                    {crap_flag()}});
  for (Option& option : all)
    if (option.names != "--list-suites") option.excluded.push_back("--list-suites");
  return all;
}

}  // namespace incore::cli
