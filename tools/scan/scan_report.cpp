#include "tools/scan/scan_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

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

}  // namespace

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

void print_sites(const FileSites& sites) {
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

Json sites_json(const FileSites& sites) {
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
  Json counts = Json::object();
  for (const auto& [mnemonic, count] : sites.counts) counts[mnemonic] = count;
  return {{"file", sites.file},
          {"machine", sites.machine},
          {"sites", list},
          {"counts", counts},
          {"may_be_data", sites.num_doubtful}};
}

}  // namespace incore::tools
