// The machine's memory: 4 GiB of addresses, of which those that were mapped exist, in pages.
// Words are in the machine's byte order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "vemicry/trap.h"

namespace incore::vemicry {

class Memory {
 public:
  static constexpr uint32_t kPageLen = 4096;

  explicit Memory(bool little_endian) : little_endian_(little_endian) {}

  bool little_endian() const { return little_endian_; }

  // Makes [address, address + len) exist, as zeros where it did not. False: it runs past 2^32.
  bool map(uint32_t address, uint64_t len);
  // Copies to and from mapped memory, whatever it holds. False, and nothing done: not all of it is
  // mapped.
  bool write(uint32_t address, const void* bytes, size_t len);
  bool read(uint32_t address, void* out_bytes, size_t len) const;

  // What instructions do. |T| is uint8_t, uint16_t or uint32_t; an address that is no multiple of
  // its size, or not mapped, is a trap, and nothing is changed then.
  template <class T>
  Trap load(uint32_t address, T* out_value) const {
    if (address % sizeof(T) != 0) return {Exception::address_error_load, address};
    const uint8_t* const bytes = at(address);
    if (bytes == nullptr) return {Exception::bus_error_data, address};
    *out_value = get<T>(bytes);
    return {};
  }
  template <class T>
  Trap store(uint32_t address, T value) {
    if (address % sizeof(T) != 0) return {Exception::address_error_store, address};
    uint8_t* const bytes = at(address);
    if (bytes == nullptr) return {Exception::bus_error_data, address};
    put<T>(bytes, value);
    note_store(address);
    return {};
  }
  // The trap that storing a word would be.
  Trap probe(uint32_t address) const {
    if (address % 4 != 0) return {Exception::address_error_store, address};
    if (at(address) == nullptr) return {Exception::bus_error_data, address};
    return {};
  }
  // An instruction word.
  Trap fetch(uint32_t address, uint32_t* out_word) const;

  // Pages that instructions were taken from; a store to one of them raises code_changed().
  void mark_code(uint32_t address) { page(address)->has_code = true; }
  bool code_changed() const { return code_changed_; }
  void code_noted() { code_changed_ = false; }

  // The |len| bytes at |address| within one page, or null where it is not mapped.
  uint8_t* at(uint32_t address) {
    Page* const p = page(address);
    return p == nullptr ? nullptr : p->bytes + address % kPageLen;
  }
  const uint8_t* at(uint32_t address) const { return const_cast<Memory*>(this)->at(address); }

 private:
  struct Page {
    uint8_t bytes[kPageLen];
    bool has_code;
  };
  using Directory = std::array<std::unique_ptr<Page>, 1024>;

  Page* page(uint32_t address) const {
    const std::unique_ptr<Directory>& directory = directories_[address >> 22];
    return directory == nullptr ? nullptr : (*directory)[address >> 12 & 1023].get();
  }
  void note_store(uint32_t address) {
    if (page(address)->has_code) code_changed_ = true;
  }

  template <class T>
  T get(const uint8_t* bytes) const {
    if constexpr (sizeof(T) == 1) return *bytes;
    if constexpr (sizeof(T) == 2)
      return little_endian_ ? load_le<uint16_t>(bytes) : load_be16(bytes);
    if constexpr (sizeof(T) == 4) return little_endian_ ? load_le32(bytes) : load_be32(bytes);
  }
  template <class T>
  void put(uint8_t* bytes, T value) {
    if constexpr (sizeof(T) == 1) *bytes = value;
    if constexpr (sizeof(T) == 2)
      little_endian_ ? store_le<uint16_t>(bytes, value) : store_be16(bytes, value);
    if constexpr (sizeof(T) == 4)
      little_endian_ ? store_le32(bytes, value) : store_be32(bytes, value);
  }

  std::array<std::unique_ptr<Directory>, 1024> directories_;
  bool little_endian_;
  bool code_changed_ = false;
};

}  // namespace incore::vemicry
