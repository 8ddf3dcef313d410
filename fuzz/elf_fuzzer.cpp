// Any bytes as an ELF file: the site finder must end, read nothing outside of them, and report
// sites inside of them only. Give it small real files to start from: fuzz_elf CORPUS_DIRECTORY
// /usr/lib/x86_64-linux-gnu/engines-3
#include <cstdlib>

#include "scan/site_finder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  const incore::scan::FoundSites found =
      incore::scan::find_sites(data, len, incore::scan::Wanted::crypto_and_flags);
  if (!found.error.empty() && !found.sites.empty()) std::abort();
  for (const incore::scan::Site& site : found.sites) {
    if (site.kind == incore::scan::SiteKind::power8 && site.length != 4) std::abort();
    const size_t shortest = site.kind == incore::scan::SiteKind::flags ? 1 : 2;  // PUSHF
    if (site.length < shortest || site.length > 15) std::abort();
    if (site.file_offset > len || site.length > len - site.file_offset) std::abort();
    if (site.mnemonic.empty()) std::abort();
  }
  return 0;
}
