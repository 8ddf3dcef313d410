// `incore hash`: digests of files, in the form and with the habits of GNU sha256sum.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "tools/base/quote.h"
#include "tools/hash/hash_check.h"
#include "tools/hash/hash_file.h"
#include "tools/samples/open_chip.h"
#include "tools/samples/phe.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string algorithm;  // empty: not given
  bool binary = false, text = false, tag = false, zero = false, json = false;
  bool check = false, status = false;
  CheckOptions checking;
  bool phe = false;
  ChipOptions chip;
};

std::string algorithm_names() {
  std::string names;
  for (const HashAlgorithm& a : kHashAlgorithms)
    names += (names.empty() ? "" : " ") + std::string(a.name);
  return names;
}

// What is wrong with the options together; empty if nothing is.
std::string contradiction(const Options& options) {
  if (options.check) {
    if (options.tag) return "the --tag option is meaningless when verifying checksums";
    if (options.zero) return "the --zero option is not supported when verifying checksums";
    if (options.binary || options.text)
      return "the --binary and --text options are meaningless when verifying checksums";
    return "";
  }
  const struct {
    bool given;
    const char* name;
  } only_for_check[] = {{options.checking.ignore_missing, "ignore-missing"},
                        {options.status, "status"},
                        {options.checking.warn, "warn"},
                        {options.checking.quiet, "quiet"},
                        {options.checking.strict, "strict"}};
  for (const auto& option : only_for_check)
    if (option.given)
      return fmt::format("the --{} option is meaningful only when verifying checksums",
                         option.name);
  if (options.tag && options.text) return "--tag does not support --text mode";
  return "";
}

void print_line(const Options& options, const HashAlgorithm& algorithm, const std::string& name,
                const std::string& digest) {
  // With --zero a name needs no escape: nothing in it can end the line.
  const std::string shown = options.zero ? name : escaped_name(name);
  const char* mark = shown == name ? "" : "\\";
  const char end = options.zero ? '\0' : '\n';
  if (options.tag)
    fmt::print("{}{} ({}) = {}{}", mark, algorithm.tag, shown, digest, end);
  else
    fmt::print("{}{} {}{}{}", mark, digest, options.binary ? '*' : ' ', shown, end);
}

int print_hashes(const Options& options, const HashAlgorithm& algorithm,
                 nlohmann::ordered_json* report) {
  int exit_code = kDone;
  for (const std::string& name : options.files) {
    const FileHash hash = hash_file(name, algorithm);
    nlohmann::ordered_json entry = {{"name", name}, {"algorithm", algorithm.name}};
    if (hash.error != 0) {
      exit_code = fail(kDiffers, quoted_if_needed(name) + ": " + std::strerror(hash.error));
      entry["error"] = std::strerror(hash.error);
    } else if (options.json) {
      entry["digest"] = hash.digest;
    } else {
      print_line(options, algorithm, name, hash.digest);
    }
    (*report)["files"].push_back(entry);
  }
  return exit_code;
}

// The form of the sample PHE: SHA-1, one instruction for each file.
int run_as_phe(const Options& options) try {
  if (options.files.empty()) return fail(kBadInput, "--phe needs a FILE");
  if (!options.algorithm.empty() && options.algorithm != "sha1")
    return fail(kBadInput, "--phe is SHA-1, not " + options.algorithm);
  const Chip chip = open_chip(options.chip, nullptr);
  int exit_code = kDone;
  for (const std::string& name : options.files)
    exit_code = std::max(exit_code, run_phe(chip.get(), name));
  return exit_code;
} catch (const std::invalid_argument& wrong) {
  return fail(kBadInput, wrong.what());
}

int run(Options& options) {
  if (options.phe) return run_as_phe(options);
  const std::string wrong = contradiction(options);
  if (!wrong.empty()) return fail(kBadInput, wrong + " (see 'incore hash --help')");
  const HashAlgorithm* algorithm =
      find_hash_by_name(options.algorithm.empty() ? "sha256" : options.algorithm);
  if (algorithm == nullptr)
    return fail(kBadInput, fmt::format("unknown algorithm '{}'; one of: {}", options.algorithm,
                                       algorithm_names()));
  if (options.files.empty()) options.files.push_back("-");

  nlohmann::ordered_json report = {{"files", nlohmann::ordered_json::array()}};
  int exit_code;
  if (options.check) {
    options.checking.algorithm = options.algorithm.empty() ? nullptr : algorithm;
    options.checking.silent = options.status;
    const bool right =
        check_lists(options.files, options.checking, options.json ? &report : nullptr);
    exit_code = right ? kDone : kDiffers;
  } else {
    exit_code = print_hashes(options, *algorithm, &report);
  }
  // A file name need not be UTF-8, JSON must.
  if (options.json)
    fmt::print("{}\n",
               report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return exit_code;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("-a,--algorithm", options->algorithm,
                 "One of: " + algorithm_names() + " (default: sha256)");
  app.add_option("FILE", options->files,
                 "Files to hash, or lists to check; '-' or none is standard input");
  app.add_flag("-b,--binary", options->binary,
               "Mark the names with '*'; files are always read as they are");
  app.add_flag("-t,--text", options->text, "No mark (default)");
  app.add_flag("--tag", options->tag, "BSD form: ALGORITHM (NAME) = DIGEST");
  app.add_flag("-z,--zero", options->zero, "End lines with NUL, and do not escape names");
  app.add_flag("--json", options->json, "Print a JSON report");
  const std::string phe = "In the form of the guide's sample PHE";
  app.add_flag("--phe", options->phe, "SHA-1 by one REP XSHA1, where there is PadLock")->group(phe);
  add_chip_option(app, &options->chip, phe);
  app.get_option("--cpu")->needs("--phe");
  const std::string check = "When verifying";
  app.add_flag("-c,--check", options->check, "Read lists of digests and verify them")->group(check);
  app.add_flag("--ignore-missing", options->checking.ignore_missing,
               "Pass over files that do not exist")
      ->group(check);
  app.add_flag("--quiet", options->checking.quiet, "No line for a file that is right")
      ->group(check);
  app.add_flag("--status", options->status, "No lines: the exit code tells")->group(check);
  app.add_flag("--strict", options->checking.strict, "Fail if a line of a list is no digest line")
      ->group(check);
  app.add_flag("-w,--warn", options->checking.warn, "Warn of each line that is no digest line")
      ->group(check);
  for (const char* option : {"--binary", "--text", "--tag", "--zero", "--json", "--check",
                             "--ignore-missing", "--quiet", "--status", "--strict", "--warn"})
    app.get_option(option)->excludes("--phe");
  for (const char* option : {"--binary", "--text", "--tag", "--zero", "--quiet"})
    app.get_option(option)->excludes("--json");
  return [options] { return run(*options); };
}

}  // namespace

const Command hash_command = {
    "hash", "digests of files, like sha256sum; verifies lists of them",
    "Examples:\n"
    "  incore hash -a sha512 image.iso\n"
    "  incore hash *.tar > SHA256SUMS\n"
    "  incore hash --check SHA256SUMS\n"
    "Without -a, --check takes the algorithm of each line from its tag or its length (8 digits are "
    "a CRC-32).\n"
    "Exit code: 0 all done or right; 1 a file differs or cannot be read; 2 bad usage.",
    configure};

}  // namespace incore::cli
