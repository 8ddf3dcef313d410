#include "vemicry/memory.h"

#include <algorithm>

namespace incore::vemicry {
namespace {

// How many bytes, up to |len|, lie in the page of |address|.
size_t len_in_page(uint64_t address, size_t len) {
  return std::min<size_t>(len, Memory::kPageLen - address % Memory::kPageLen);
}

uint32_t words_in_page(uint32_t address, uint32_t num_words) {
  return static_cast<uint32_t>(len_in_page(address, size_t{4} * num_words) / 4);
}

}  // namespace

bool Memory::map(uint32_t address, uint64_t len) {
  const uint64_t end = address + len, first = address / kPageLen * kPageLen;
  if (len > kMaxLen || end > (uint64_t{1} << 32) - kPageLen) return false;
  uint64_t new_len = 0;
  for (uint64_t a = first; a < end; a += kPageLen)
    if (page(static_cast<uint32_t>(a)) == nullptr) new_len += kPageLen;
  if (mapped_len_ + new_len > kMaxLen) return false;
  mapped_len_ += new_len;
  for (uint64_t a = first; a < end; a += kPageLen) {
    std::unique_ptr<Directory>& directory = directories_[a >> 22];
    if (directory == nullptr) directory = std::make_unique<Directory>();
    std::unique_ptr<Page>& page = (*directory)[a >> 12 & 1023];
    if (page == nullptr) page = std::make_unique<Page>();
  }
  return true;
}

bool Memory::is_mapped(uint32_t address, size_t len) const {
  for (uint64_t a = address; len != 0;) {
    if (a >> 32 != 0 || page(static_cast<uint32_t>(a)) == nullptr) return false;
    const size_t part = len_in_page(a, len);
    a += part;
    len -= part;
  }
  return true;
}

bool Memory::write(uint32_t address, const void* bytes, size_t len) {
  if (!is_mapped(address, len)) return false;
  const uint8_t* from = static_cast<const uint8_t*>(bytes);
  while (len != 0) {
    const size_t part = len_in_page(address, len);
    Page* const p = page(address);
    std::copy_n(from, part, p->bytes + address % kPageLen);
    p->forget(address % kPageLen, part);
    address += static_cast<uint32_t>(part);
    from += part;
    len -= part;
  }
  return true;
}

bool Memory::read(uint32_t address, void* out_bytes, size_t len) const {
  if (!is_mapped(address, len)) return false;
  uint8_t* to = static_cast<uint8_t*>(out_bytes);
  while (len != 0) {
    const size_t part = len_in_page(address, len);
    std::copy_n(at(address), part, to);
    address += static_cast<uint32_t>(part);
    to += part;
    len -= part;
  }
  return true;
}

Trap Memory::load_words(uint32_t address, uint32_t num_words, uint32_t* out_words) const {
  if (address % 4 != 0) return {Exception::address_error_load, address};
  while (num_words != 0) {
    const Page* const p = page(address);
    if (p == nullptr) return {Exception::bus_error_data, address};
    const uint8_t* const bytes = p->bytes + address % kPageLen;
    const uint32_t part = words_in_page(address, num_words);
    for (uint32_t i = 0; i < part; ++i) out_words[i] = get<uint32_t>(bytes + 4 * i);
    address += 4 * part;
    out_words += part;
    num_words -= part;
  }
  return {};
}

Trap Memory::store_words(uint32_t address, uint32_t num_words, const uint32_t* words) {
  if (address % 4 != 0) return {Exception::address_error_store, address};
  for (uint32_t a = address, left = num_words; left != 0;) {
    if (page(a) == nullptr) return {Exception::bus_error_data, a};
    const uint32_t part = words_in_page(a, left);
    a += 4 * part;
    left -= part;
  }
  while (num_words != 0) {
    Page* const p = page(address);
    uint8_t* const bytes = p->bytes + address % kPageLen;
    const uint32_t part = words_in_page(address, num_words);
    for (uint32_t i = 0; i < part; ++i) put<uint32_t>(bytes + 4 * i, words[i]);
    p->forget(address % kPageLen, 4 * part);
    address += 4 * part;
    words += part;
    num_words -= part;
  }
  return {};
}

Trap Memory::fetch(uint32_t address, uint32_t* out_word) const {
  Trap trap = load<uint32_t>(address, out_word);
  if (trap.exception == Exception::bus_error_data) trap.exception = Exception::bus_error_fetch;
  return trap;
}

Decoded* Memory::decoded(uint32_t address) {
  Page* const p = page(address);
  if (p == nullptr) return nullptr;
  if (p->decoded == nullptr) p->decoded = std::make_unique<Decoded[]>(kPageLen / 4);
  return p->decoded.get();
}

}  // namespace incore::vemicry
