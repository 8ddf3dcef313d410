// `incore scan FILE...`: CPUID, PadLock and POWER8 crypto instructions in programs and libraries.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "incore/scan.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  bool all = false;
  bool json = false;
};

struct FileSites {
  std::string file;
  std::string machine;
  std::vector<incore_scan_site> shown;
  std::map<std::string, int> counts;  // by mnemonic, without the doubtful ones
  size_t num_doubtful = 0;            // places that may be data
};

// "0f a2"
std::string bytes_text(const incore_scan_site& site) {
  return fmt::format("{:02x}", fmt::join(site.bytes, site.bytes + site.bytes_len, " "));
}

std::string proof_text(const incore_scan_site& site) {
  switch (site.certainty) {
    case INCORE_SCAN_PROVED:
      return site.proof;
    case INCORE_SCAN_LIKELY:
      return "likely";
    case INCORE_SCAN_DATA:
      break;
  }
  return "data?";
}

std::string symbol_text(const incore_scan_site& site) {
  return *site.symbol == '\0' ? "-"
                              : fmt::format("{}+{:#x}", one_line(site.symbol), site.symbol_offset);
}

FileSites sites_of(const std::string& file, const incore_scan* scan, bool all) {
  FileSites result;
  result.file = file;
  result.machine = incore_scan_machine(scan);
  for (size_t i = 0; i < incore_scan_num_sites(scan); ++i) {
    incore_scan_site site;
    if (incore_scan_get_site(scan, i, &site) != INCORE_OK) break;
    if (site.certainty == INCORE_SCAN_DATA)
      ++result.num_doubtful;
    else
      ++result.counts[site.mnemonic];
    if (site.certainty == INCORE_SCAN_DATA && !all) continue;
    result.shown.push_back(site);
  }
  return result;
}

void print_text(const FileSites& sites) {
  fmt::print("{} ({})\n", quoted_if_needed(sites.file), sites.machine);
  size_t symbol_width = 6;
  size_t bytes_width = 11;
  for (const incore_scan_site& site : sites.shown) {
    symbol_width = std::max(symbol_width, symbol_text(site).size());
    bytes_width = std::max(bytes_width, bytes_text(site).size());
  }
  if (!sites.shown.empty())
    fmt::print("  {:<12} {:<{}} {:<{}} {:<12} {}\n", "address", "symbol", symbol_width, "bytes",
               bytes_width, "mnemonic", "proof");
  for (const incore_scan_site& site : sites.shown)
    fmt::print("  {:<#12x} {:<{}} {:<{}} {:<12} {}\n", site.address, symbol_text(site),
               symbol_width, bytes_text(site), bytes_width, site.mnemonic, proof_text(site));
  std::vector<std::string> counts;
  for (const auto& [mnemonic, count] : sites.counts)
    counts.push_back(fmt::format("{} {}", count, mnemonic));
  fmt::print("  {}", counts.empty() ? (sites.machine.rfind("powerpc", 0) == 0
                                           ? "no POWER8 crypto instructions"
                                           : "no CPUID or PadLock instructions")
                                    : fmt::format("{}", fmt::join(counts, ", ")));
  if (sites.num_doubtful != 0)
    fmt::print("; {} {} that may be data (--all shows them)", sites.num_doubtful,
               sites.num_doubtful == 1 ? "place" : "places");
  fmt::print("\n");
}

Json json_of(const FileSites& sites) {
  Json list = Json::array();
  for (const incore_scan_site& site : sites.shown) {
    Json symbol = nullptr;
    if (*site.symbol != '\0') symbol = {{"name", site.symbol}, {"offset", site.symbol_offset}};
    list.push_back({{"address", site.address},
                    {"file_offset", site.file_offset},
                    {"symbol", symbol},
                    {"bytes", bytes_text(site)},
                    {"mnemonic", site.mnemonic},
                    {"proof", proof_text(site)}});
  }
  return {{"file", sites.file},
          {"machine", sites.machine},
          {"sites", list},
          {"counts", sites.counts},
          {"may_be_data", sites.num_doubtful}};
}

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
      files.push_back(json_of(sites));
    } else {
      if (!is_first) fmt::print("\n");
      print_text(sites);
    }
    is_first = false;
  }
  // File names need not be UTF-8: what is not, is replaced.
  if (options.json)
    fmt::print("{}\n",
               Json({{"files", files}}).dump(2, ' ', false, Json::error_handler_t::replace));
  return code;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->files,
                 "programs or shared objects (ELF for x86-64, i386 or 64-bit PowerPC)")
      ->required();
  app.add_flag("--all", options->all, "show also places that may be data");
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return scan(*options); };
}

}  // namespace

extern const Command scan_command = {
    "scan", "CPUID, PadLock and POWER8 crypto instructions in a binary: address, symbol, bytes",
    "Proof says how a site is known to be code: the function that the unwind table or a symbol "
    "describes\n"
    "reaches it, or the flow of control from the entry point does. \"likely\": it decodes like a "
    "function,\n"
    "but nothing is known to call it. \"data?\": probably a table, or part of another "
    "instruction.\n"
    "\n"
    "Example:\n"
    "  incore scan /usr/lib/x86_64-linux-gnu/libcrypto.so.3\n"
    "  incore scan ./libcrypto-ppc64le.so.3\n"
    "  incore scan --json ./program | jq '.files[0].counts'\n"
    "Exit code: 0 done, 2 a file could not be searched (the others are).",
    configure};

}  // namespace incore::cli
