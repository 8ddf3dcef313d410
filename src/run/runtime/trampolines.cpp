#include "run/runtime/trampolines.h"

namespace incore::run {
namespace {

constexpr uint64_t kAddressBegin = 0x10000;  // below, Linux maps nothing

}  // namespace

uint64_t Trampolines::take_from(Page& page, uint64_t begin, uint64_t end) {
  for (unsigned i = 0; i < kCodePageLen / kTrampolineLen; ++i) {
    const uint64_t address = page.address + i * kTrampolineLen;
    if (address < begin || address >= end || (page.used >> i & 1) != 0) continue;
    page.used |= uint64_t{1} << i;
    return address;
  }
  return 0;
}

uint64_t Trampolines::take(ProgramCode& code, uint64_t begin, uint64_t end) {
  if (begin < kAddressBegin) begin = kAddressBegin;
  if (end > kAddressEnd) end = kAddressEnd;
  for (size_t i = 0; i < num_pages_; ++i)
    if (const uint64_t found = take_from(pages_[i], begin, end)) return found;
  // Try pages all over the window; parts of it may be taken.
  const uint64_t first_page = begin & ~(kCodePageLen - 1);
  const uint64_t stride = ((end - first_page) / 64 + kCodePageLen) & ~(kCodePageLen - 1);
  for (uint64_t address = first_page; address < end; address += stride) {
    if (num_pages_ == sizeof pages_ / sizeof pages_[0]) return 0;
    if (address < kAddressBegin || !code.map_page(address)) continue;
    Page& page = pages_[num_pages_++];
    page = {address, 0};
    if (const uint64_t found = take_from(page, begin, end)) return found;
  }
  return 0;
}

void Trampolines::give_back(uint64_t address) {
  for (size_t i = 0; i < num_pages_; ++i)
    if (pages_[i].address == (address & ~(kCodePageLen - 1)))
      pages_[i].used &= ~(uint64_t{1} << address % kCodePageLen / kTrampolineLen);
}

}  // namespace incore::run
