// `incore rng analyze`: judges random bits of a file, a pipe or a generator. However reading ends,
// what has come is judged, and marked as partial if it is not all.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/options/number_option.h"
#include "cli/options/source_options.h"
#include "cli/rng/rng.h"
#include "incore/sha.h"
#include "tools/assess_report/assess_report.h"
#include "tools/base/interrupt.h"
#include "tools/base/output_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/base/same_file.h"
#include "tools/base/sizes.h"
#include "tools/random/rng_source.h"

namespace incore::cli {
namespace {

// What an assessment is fed with at a time: enough that its suites can share the work.
constexpr size_t kChunk = 4 << 20;
constexpr const char* kUsualLiveSize = "16M";

struct Options {
  SourceOptions source;
  std::string file = "-", generator, suites, size, skip, out, html;
  incore_assess_options assess = {};
  bool list_suites = false, json = false, csv = false;
  int verbosity = 0;
};

struct Free {
  void operator()(incore_assess* assess) const { incore_assess_free(assess); }
};
using Assess = std::unique_ptr<incore_assess, Free>;

// What finish() is doing, for the user to see and to stop.
struct Finishing {
  Progress progress;
  bool was_interrupted;  // before: then only a second signal counts, and it ends the program
};
int report_finishing(void* context, const char* what, double share) {
  auto* const finishing = *static_cast<Finishing**>(context);
  if (finishing == nullptr) return 0;  // still reading
  finishing->progress.update_share(what, share);
  return !finishing->was_interrupted && interrupted();
}

// The bytes of a source from |skip| on, at most |size| of them, into an assessment.
class Feeder {
 public:
  Feeder(ByteSource& source, uint64_t skip, std::optional<uint64_t> size)
      : source_(source), skip_(skip), size_(size), buffer_(kChunk) {}

  // The first error that is the input's, in words; empty: there is something to judge.
  std::string feed(incore_assess* assess) {
    // All that a regular file has now should come.
    if (const std::optional<uint64_t> present = source_.size()) {
      const uint64_t after_skip = *present - std::min(*present, skip_);
      expected_ = std::min(after_skip, size_.value_or(after_skip));
    }
    if (size_) expected_ = size_;
    incore_sha sha;
    if (incore_sha_init(&sha, INCORE_SHA256) != INCORE_OK) return "SHA-256 cannot be had";
    Progress progress(source_.name(), expected_.value_or(0));
    if (skip_ != 0 && read(skip_) != skip_ && partial_.empty())
      return fmt::format("nothing is left after --skip {}", skip_);
    while (partial_.empty() && !ended_ && bytes_ < size_.value_or(UINT64_MAX)) {
      const size_t len = fill(size_.value_or(UINT64_MAX) - bytes_);
      char reason[256] = "";
      if (incore_sha_update(&sha, buffer_.data(), len) != INCORE_OK ||
          incore_assess_update(assess, buffer_.data(), len, reason, sizeof reason) != INCORE_OK)
        return reason;
      bytes_ += len;
      progress.update(bytes_);
    }
    uint8_t digest[INCORE_SHA256_DIGEST_LEN];
    if (incore_sha_final(&sha, digest, sizeof digest) != INCORE_OK) return "SHA-256 failed";
    for (const uint8_t byte : digest) sha256_ += fmt::format("{:02x}", byte);
    if (ended_ && partial_.empty() && expected_ && bytes_ < *expected_)
      partial_ = size_ ? "ended early" : "became shorter while it was read";
    return "";
  }

  uint64_t bytes() const { return bytes_; }
  const std::string& sha256() const { return sha256_; }
  // Why not all came, and how much did; empty: all came.
  std::string partial() const {
    if (partial_.empty()) return "";
    const std::string of = expected_ ? fmt::format(" of {}", with_commas(*expected_)) : "";
    return fmt::format("{}: {}{} bytes were judged", partial_, with_commas(bytes_), of);
  }

 private:
  // Fills the buffer with |most| bytes, or fewer if there are not so many.
  size_t fill(uint64_t most) {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(most, buffer_.size()));
    size_t len = 0;
    while (len < wanted && !ended_ && partial_.empty()) {
      const ByteSource::Read read = source_.read({buffer_.data() + len, wanted - len});
      len += read.len;
      ended_ = read.end == ByteSource::End::end;
      if (read.end == ByteSource::End::interrupted) partial_ = "interrupted";
      if (read.end == ByteSource::End::error) partial_ = read.error;
    }
    return len;
  }
  // Reads so many bytes and forgets them; how many came.
  uint64_t read(uint64_t num) {
    uint64_t done = 0;
    while (done < num && !ended_ && partial_.empty()) done += fill(num - done);
    return done;
  }

  ByteSource& source_;
  const uint64_t skip_;
  const std::optional<uint64_t> size_;
  std::vector<uint8_t> buffer_;
  std::optional<uint64_t> expected_;
  uint64_t bytes_ = 0;
  bool ended_ = false;
  std::string partial_, sha256_;
};

int list_suites() {
  for (size_t i = 0; i < incore_assess_num_suites(); ++i) {
    incore_assess_suite suite;
    if (incore_assess_get_suite(i, &suite) != INCORE_OK) continue;
    fmt::print("{:<15} {}{}\n{:16}{}\n", suite.name, suite.title,
               suite.by_default != 0 ? "" : " (only if asked for)", "", suite.source);
  }
  return kDone;
}

// The report where the user wants it. A result that cannot be written to its file is printed: it
// may have taken long.
int write_report(const Options& options, const AssessReport& report, OutputFile* out,
                 OutputFile* html) {
  const std::string content = options.json  ? assess_json(report)
                              : options.csv ? assess_csv(report)
                                            : assess_text(report, options.verbosity);
  int code = kDone;
  if (const std::string error = out->commit(content); !error.empty()) {
    code = fail(kBadInput, error);
    if (!options.out.empty()) fmt::print("{}", content);
  }
  if (html != nullptr)
    if (const std::string error = html->commit(assess_html(report)); !error.empty())
      code = fail(kBadInput, error);
  return code;
}

int exit_code(const AssessReport& report) {
  const incore_verdict verdict = report.summary.verdict;
  if (verdict == INCORE_VERDICT_SKIPPED && report.input.partial.empty())
    return fail(kBadInput,
                quoted_if_needed(report.input.name) + ": too short for any of the tests");
  const bool passed = verdict == INCORE_VERDICT_PASS || verdict == INCORE_VERDICT_WEAK;
  return passed && report.input.partial.empty() ? kDone : kDiffers;
}

// An output that is the input, or another output.
std::string file_mistake(const Options& options, bool is_generator) {
  std::vector<NamedFile> inputs, outputs;
  if (!is_generator) inputs.push_back({"FILE", options.file});
  outputs.push_back(options.out.empty() ? NamedFile{"standard output", "-"}
                                        : NamedFile{"--out", options.out});
  if (!options.html.empty()) outputs.push_back({"--html", options.html});
  return shared_file(inputs, outputs);
}

// Whether a suite whose name begins with |name| is in the user's |list|, or by default.
bool takes_suite(const std::string& list, const std::string& name) {
  incore_assess_suite suite;
  for (size_t i = 0; incore_assess_get_suite(i, &suite) == INCORE_OK; ++i) {
    const std::string known = suite.name;
    const bool taken =
        list == "all" || (list.empty() ? suite.by_default != 0
                                       : ("," + list + ",").find("," + known + ",") != list.npos);
    if (taken && known.starts_with(name)) return true;
  }
  return false;
}

// An option of suites that are not among the user's; empty: none.
std::string idle_option(const Options& options) {
  const incore_assess_options& given = options.assess;
  const SourceOptions& source = options.source;
  const struct {
    bool given;
    const char *option, *suite;
  } all[] = {
      {given.sequence_bits != 0, "--sequence-bits", "sp800-22"},
      {given.sequences != 0, "--sequences", "sp800-22"},
      {given.samples != 0, "--samples", "sp800-90b"},
      {source.chip.seed.has_value() && source.chip.model.empty(), "--seed", "sp800-90b-iid"}};
  for (const auto& each : all)
    if (each.given && !takes_suite(options.suites, each.suite))
      return fmt::format("{} is for suite {}, which is not chosen", each.option, each.suite);
  return "";
}

int run(Options& options) {
  if (options.list_suites) return list_suites();
  const bool live = !options.generator.empty();
  options.source.name = live ? options.generator : options.file;
  size_t known;
  const bool is_generator =
      incore_rng_find_source(options.source.name.c_str(), &known) == INCORE_OK;
  if (live && !is_generator)
    return fail(kBadInput,
                fmt::format("no source '{}'; there are: {}", options.generator, known_sources()));
  if (is_generator && options.size.empty()) options.size = kUsualLiveSize;
  std::optional<uint64_t> size;
  if (!options.size.empty()) size = parse_byte_count("--size", options.size);
  const uint64_t skip = options.skip.empty() ? 0 : parse_byte_count("--skip", options.skip);

  Finishing* finishing = nullptr;
  options.assess.suites = options.suites.empty() ? nullptr : options.suites.c_str();
  options.assess.min_entropy = options.source.min_entropy;
  options.assess.seed = options.source.chip.seed.value_or(0);
  options.assess.progress = report_finishing;
  options.assess.context = &finishing;
  char reason[512] = "";
  incore_assess* made = nullptr;
  if (incore_assess_new(&options.assess, &made, reason, sizeof reason) != INCORE_OK)
    return fail(kBadInput, reason);
  const Assess assess(made);
  std::string error = idle_option(options);
  if (options.source.chip.model.empty()) options.source.chip.seed.reset();  // it was for the tests

  if (error.empty()) error = file_mistake(options, is_generator);
  if (!error.empty()) return fail(kBadInput, error);
  OutputFile out, html;
  error = options.out.empty() ? out.open_stdout() : out.open(options.out);
  if (error.empty() && !options.html.empty()) error = html.open(options.html);
  if (!error.empty()) return fail(kBadInput, error);

  const InterruptGuard guard(InterruptGuard::Second::ends);
  ByteSource source;
  error = source.open(options.source);
  if (!error.empty()) return fail(source.health() ? kDiffers : kBadInput, error);
  Feeder feeder(source, skip, size);
  error = feeder.feed(assess.get());
  if (!error.empty()) return fail(kBadInput, fmt::format("{}: {}", source.name(), error));
  std::string partial = feeder.partial();
  if (feeder.bytes() == 0)
    return partial.empty() ? fail(kBadInput, source.name() + " is empty: there is nothing to judge")
                           : fail(kDiffers, fmt::format("{}: {}", source.name(), partial));

  {
    Finishing now{Progress(source.name(), 0), interrupted()};
    finishing = &now;
    if (incore_assess_finish(assess.get()) != INCORE_OK)
      return fail(kDiffers, "not enough memory for the results");
    finishing = nullptr;
  }
  if (incore_assess_get_options(assess.get(), &options.assess) != INCORE_OK)
    return fail(kDiffers, "no options");
  AssessReport report = read_assessment(
      assess.get(), {.name = options.source.name == "-" ? "stdin" : options.source.name,
                     .sha256 = feeder.sha256(),
                     .partial = partial,
                     .bytes_skipped = skip,
                     .options = options.assess});
  if (report.summary.stopped != 0)
    report.input.partial += std::string(partial.empty() ? "" : "; ") +
                            "interrupted: tests that take long are not finished";
  const int written = write_report(options, report, &out, options.html.empty() ? nullptr : &html);
  return written != kDone ? written : exit_code(report);
}

void add_test_options(CLI::App& app, Options* options) {
  const std::string tests = "Tests";
  app.add_option("--suites", options->suites, "names separated by commas, or all")
      ->type_name("LIST")
      ->group(tests);
  app.add_flag("--list-suites", options->list_suites, "say which suites there are, and stop")
      ->group(tests);
  app.add_option("--symbol-bits", options->assess.symbol_bits,
                 "each byte holds a symbol of so many low bits; usually 8, or 1 if all bytes are 0 "
                 "or 1 and not all 0")
      ->transform(whole_number(1, 8))
      ->group(tests);
  app.add_option("--sequence-bits", options->assess.sequence_bits,
                 "SP 800-22: bits in a sequence, 100 to 100000000 (1000000)")
      ->transform(whole_number(100, 100'000'000))
      ->group(tests);
  app.add_option("--sequences", options->assess.sequences,
                 "SP 800-22: sequences at most, 1 to 1000 (100)")
      ->transform(whole_number(1, 1000))
      ->group(tests);
  app.add_option("--samples", options->assess.samples,
                 "SP 800-90B: symbols in the sample (1000000)")
      ->transform(whole_number(1, uint64_t{1} << 40))
      ->group(tests);
  app.add_option("--threads", options->assess.threads, "1 to 1024; usually one for each CPU")
      ->transform(whole_number(1, 1024))
      ->group(tests);
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::Option* const file =
      app.add_option("FILE", options->file, "what to judge; - or none is standard input");
  app.add_option("--source", options->generator,
                 fmt::format("judge a generator: {}", known_sources()))
      ->type_name("NAME")
      ->excludes(file);
  app.add_option("--size", options->size,
                 fmt::format("judge so many bytes, such as 4096, 10M, 2G; usually all, of a "
                             "generator {}",
                             kUsualLiveSize))
      ->type_name("BYTES");
  app.add_option("--skip", options->skip, "bytes to pass over at the beginning")
      ->type_name("BYTES");
  add_source_options(app, &options->source);
  app.get_option("--min-entropy")
      ->description(
          "demand so much of SP 800-90B's estimate, in bits a symbol, 0.01 to 8, instead of "
          "comparing it with good sources; for a generator's health tests too");
  app.get_option("--seed")->description(
      "of the permutations of SP 800-90B (0); with --cpu: noise that is the same each time");
  add_test_options(app, options.get());
  const std::string output = "Output";
  CLI::Option* const json =
      app.add_flag("--json", options->json, "everything, as JSON")->group(output);
  app.add_flag("--csv", options->csv, "one row for each result")->group(output)->excludes(json);
  app.add_option("--html", options->html, "a page with plots too")
      ->type_name("FILE")
      ->group(output);
  app.add_option("-o,--out", options->out, "text, JSON or CSV go there")
      ->type_name("FILE")
      ->group(output);
  app.add_flag("-v,--verbose", options->verbosity, "of the text: every test; twice: every result")
      ->group(output)
      ->excludes("--json")
      ->excludes("--csv");
  // For --help: `incore rng` takes it away and has `incore rng crap` do the work.
  app.add_flag("--crap")->description(
      "in the form of VIA's program CRAP, with its options: incore rng crap --help");
  for (CLI::Option* const option : app.get_options())
    if (!option->check_name("--list-suites") && !option->check_name("--help"))
      option->excludes("--list-suites");
  return [options] { return run(*options); };
}

}  // namespace

extern const Subcommand rng_analyze_command = {
    "analyze", "judge random bits of a file, a pipe or a generator",
    "Examples:\n"
    "  incore rng analyze capture.bin --html report.html\n"
    "  incore rng analyze --source rdrand --size 100M --suites all\n"
    "  my-generator | incore rng analyze --size 1G --stall-timeout 10 --json\n"
    "Ctrl-C ends the reading, and what has come is judged; a second one ends the program.\n"
    "Exit code: 0 passed or weak; 1 failed, undecided, or only a part could be judged; 2 bad "
    "usage, "
    "or input that no test can judge.",
    configure};

}  // namespace incore::cli
