#include "scan/power_site_finder.h"

#include "scan/power_code_walk.h"
#include "scan/power_insns.h"
#include "scan/unwind_table.h"

namespace incore::scan {
namespace {

bool find_candidates(const ElfImage& image, size_t max_sites, std::vector<Site>& out_sites) {
  for (const Segment& segment : image.segments()) {
    if (!segment.executable) continue;
    for (size_t i = (4 - segment.address % 4) % 4; i + 4 <= segment.bytes.size(); i += 4) {
      const auto word =
          static_cast<uint32_t>(load_sized(&segment.bytes[i], 4, image.format().big_endian));
      const int insn = incore_power_insn(word);
      if (insn < 0) continue;
      if (out_sites.size() == max_sites) return false;
      Site site = {};
      site.kind = SiteKind::power8;
      site.proof = Proof::none;
      site.address = segment.address + i;
      site.file_offset = segment.file_offset + i;
      site.length = 4;
      site.mnemonic = kPowerMnemonics[insn];
      out_sites.push_back(std::move(site));
    }
  }
  return true;
}

void walk_all(const ElfImage& image, const std::vector<Symbol>& symbols, PowerCodeWalk& walk) {
  for (const Range& function : unwind_ranges(image))
    walk.add_function(function, Proof::unwind_table);
  for (const Symbol& symbol : symbols)
    if (symbol.size != 0 && symbol.size <= UINT64_MAX - symbol.address)
      walk.add_function({symbol.address, symbol.address + symbol.size}, Proof::symbol);
  for (const Symbol& symbol : symbols) walk.follow(symbol.address);
  for (const uint64_t entry : image.entries()) walk.follow(entry);
  walk.follow_exits();
}

}  // namespace

bool find_power_sites(const ElfImage& image, size_t max_sites, std::vector<Site>& out_sites) {
  if (!find_candidates(image, max_sites, out_sites)) return false;
  if (out_sites.empty()) return true;
  const std::vector<Symbol> symbols = image.functions();
  PowerCodeWalk walk(image);
  walk_all(image, symbols, walk);
  for (Site& site : out_sites) {
    site.proof = walk.proof_at(site.address);
    site.is_likely = site.proof == Proof::none && !image.is_in_data_section(site.address) &&
                     walk.looks_like_code(site.address);
    name_place(symbols, site);
  }
  return true;
}

}  // namespace incore::scan
