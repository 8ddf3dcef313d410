#include "vemicry/memory.h"

#include <algorithm>

namespace incore::vemicry {

bool Memory::map(uint32_t address, uint64_t len) {
  const uint64_t end = address + len;
  if (end > uint64_t{1} << 32) return false;
  for (uint64_t a = address / kPageLen * kPageLen; a < end; a += kPageLen) {
    std::unique_ptr<Directory>& directory = directories_[a >> 22];
    if (directory == nullptr) directory = std::make_unique<Directory>();
    std::unique_ptr<Page>& page = (*directory)[a >> 12 & 1023];
    if (page == nullptr) page = std::make_unique<Page>();
  }
  return true;
}

bool Memory::write(uint32_t address, const void* bytes, size_t len) {
  const uint8_t* from = static_cast<const uint8_t*>(bytes);
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t done = 0; done < len;) {
      const uint64_t a = address + uint64_t{done};
      const size_t part = std::min<size_t>(len - done, kPageLen - a % kPageLen);
      uint8_t* const to = a >> 32 == 0 ? at(static_cast<uint32_t>(a)) : nullptr;
      if (to == nullptr) return false;
      if (pass == 1) {
        std::copy_n(from + done, part, to);
        note_store(static_cast<uint32_t>(a));
      }
      done += part;
    }
  }
  return true;
}

bool Memory::read(uint32_t address, void* out_bytes, size_t len) const {
  uint8_t* const to = static_cast<uint8_t*>(out_bytes);
  for (size_t done = 0; done < len;) {
    const uint64_t a = address + uint64_t{done};
    const size_t part = std::min<size_t>(len - done, kPageLen - a % kPageLen);
    const uint8_t* const from = a >> 32 == 0 ? at(static_cast<uint32_t>(a)) : nullptr;
    if (from == nullptr) return false;
    std::copy_n(from, part, to + done);
    done += part;
  }
  return true;
}

Trap Memory::fetch(uint32_t address, uint32_t* out_word) const {
  Trap trap = load<uint32_t>(address, out_word);
  if (trap.exception == Exception::bus_error_data) trap.exception = Exception::bus_error_fetch;
  return trap;
}

}  // namespace incore::vemicry
