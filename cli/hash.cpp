// `incore hash`: digests of files, in the form and with the habits of GNU sha256sum.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "tools/base/json.h"
#include "tools/hash/hash_check.h"
#include "tools/hash/hash_file.h"
#include "tools/hash/hash_lines.h"
#include "tools/samples/open_chip.h"
#include "tools/samples/phe.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::optional<std::string> algorithm;
  HashLines lines;
  bool text = false, json = false, check = false;
  CheckOptions checking;
  bool phe = false;
  ChipOptions chip;
};

// The form of the sample PHE: SHA-1, one instruction for each file.
int run_as_phe(const Options& options) {
  if (options.files.empty()) return fail(kBadInput, "--phe needs a FILE");
  if (options.algorithm.value_or("sha1") != "sha1")
    return fail(kBadInput, "--phe is SHA-1, not " + *options.algorithm);
  const Chip chip = open_chip(options.chip, nullptr);
  int exit_code = kDone;
  for (const std::string& name : options.files)
    exit_code = std::max(exit_code, run_phe(chip.get(), name));
  return exit_code;
}

int run(Options& options) {
  if (options.phe) return run_as_phe(options);
  const HashAlgorithm* const algorithm = find_hash_by_name(options.algorithm.value_or("sha256"));
  if (options.files.empty()) options.files.push_back("-");

  Json report = {{"files", Json::array()}};
  Json* const listed = options.json ? &report : nullptr;
  if (options.algorithm) options.checking.algorithm = algorithm;
  const bool right = options.check ? check_lists(options.files, options.checking, listed)
                                   : print_hashes(options.files, *algorithm, options.lines, listed);
  if (options.json) fmt::print("{}", json_text(report));
  return right ? kDone : kDiffers;
}

}  // namespace

Command hash_command() {
  auto o = std::make_shared<Options>();
  std::vector<Option> usual = {
      text("FILE", "", &o->files, "files to hash, or lists to check; - or none is standard input"),
      text("-a,--algorithm", "ALG", &o->algorithm, "the hash")
          .one_of(hash_names())
          .usually("sha256"),
      flag("-b,--binary", &o->lines.binary, "mark the names with '*'; files are read as they are"),
      flag("-t,--text", &o->text, "no mark; this is the default"),
      flag("--tag", &o->lines.tag, "BSD form: ALGORITHM (NAME) = DIGEST").excludes({"--text"}),
      flag("-z,--zero", &o->lines.zero, "end lines with NUL, and do not escape names"),
      flag("--json", &o->json, "print JSON")
          .excludes({"--binary", "--text", "--tag", "--zero", "--quiet"})};
  std::vector<Option> check = {
      flag("-c,--check", &o->check, "read lists of digests and verify them")
          .excludes({"--binary", "--text", "--tag", "--zero"}),
      flag("--ignore-missing", &o->checking.ignore_missing, "pass over files that do not exist"),
      flag("--quiet", &o->checking.quiet, "no line for a file that is right"),
      flag("--status", &o->checking.silent, "no lines: the exit code tells"),
      flag("--strict", &o->checking.strict, "fail if a line of a list is no digest line"),
      flag("-w,--warn", &o->checking.warn, "warn of each line that is no digest line")};
  std::vector<Option> phe = {
      flag("--phe", &o->phe, "SHA-1 by one REP XSHA1, where there is PadLock")
          .excludes({"--binary", "--text", "--tag", "--zero", "--json", "--check"}),
      chip_option(&o->chip)};
  return {.name = "hash",
          .summary = "digests of files, like sha256sum; verifies lists of them",
          .options = joined({usual, in_group_of_first("When verifying", check),
                             in_group_of_first("In the form of the guide's sample PHE", phe)}),
          .about =
              "Without -a, --check takes the algorithm of each line from its tag or its "
              "length (8 digits are a CRC-32).",
          .examples = {"incore hash -a sha512 image.iso", "incore hash *.tar > SHA256SUMS",
                       "incore hash --check SHA256SUMS"},
          .exit_codes = {{"0", "all done or right"},
                         {"1", "a file differs or cannot be read"},
                         {"2", "bad usage"}},
          .run = [o] { return run(*o); }};
}

}  // namespace incore::cli
