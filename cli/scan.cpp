// `incore scan FILE...`: CPUID, PadLock and POWER8 crypto instructions in programs and libraries.
#include "incore/scan.h"

#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"
#include "tools/scan/scan_report.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  bool all = false, json = false;
};

int scan(const Options& options) {
  int code = kDone;
  Json files = Json::array();
  bool is_first = true;
  for (const std::string& file : options.files) {
    char reason[256];
    incore_scan* raw = nullptr;
    if (incore_scan_file(file.c_str(), &raw, reason, sizeof reason) != INCORE_OK) {
      code = fail(kBadInput, quoted_if_needed(file) + ": " + reason);
      if (options.json) files.push_back({{"file", file}, {"error", reason}});
      continue;
    }
    const std::unique_ptr<incore_scan, decltype(&incore_scan_free)> owner(raw, incore_scan_free);
    const FileSites sites = sites_of(file, raw, options.all);
    if (options.json) {
      files.push_back(sites_json(sites));
    } else {
      if (!is_first) fmt::print("\n");
      print_sites(sites);
    }
    is_first = false;
  }
  if (options.json) fmt::print("{}", json_text(Json({{"files", files}})));
  return code;
}

}  // namespace

Command scan_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "scan",
      .summary =
          "CPUID, PadLock and POWER8 crypto instructions in a binary: address, symbol, bytes",
      .options = {text("FILE", "", &o->files,
                       "programs or shared objects (ELF for x86-64, i386 or 64-bit PowerPC)")
                      .required(),
                  flag("--all", &o->all, "show also places that may be data"),
                  flag("--json", &o->json, "print JSON")},
      .about =
          "Proof says how a site is known to be code: the function that the unwind table or a "
          "symbol describes reaches it, or the flow of control from the entry point does. "
          "\"likely\": it decodes like a function, but nothing is known to call it. "
          "\"data?\": probably a table, or part of another instruction.",
      .examples = {"incore scan /usr/lib/x86_64-linux-gnu/libcrypto.so.3",
                   "incore scan ./libcrypto-ppc64le.so.3",
                   "incore scan --json ./program | jq '.files[0].counts'"},
      .exit_codes = {{"0", "done"}, {"2", "a file could not be searched (the others are)"}},
      .run = [o] { return scan(*o); },
  };
}

}  // namespace incore::cli
