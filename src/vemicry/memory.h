// The machine's memory: 4 GiB of addresses, of which those that were mapped exist, in pages.
// Words are in the machine's byte order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "vemicry/bank.h"
#include "vemicry/decoded.h"

namespace incore::vemicry {

class Memory {
 public:
  static constexpr uint32_t kPageLen = 4096;
  static constexpr uint64_t kMaxLen = 256 << 20;  // of all that is mapped

  explicit Memory(bool little_endian) : little_endian_(little_endian) {}

  bool little_endian() const { return little_endian_; }

  // Makes [address, address + len) exist, as zeros where it did not. False, and nothing done: it
  // reaches into the last page, which stays free, or there would be more than kMaxLen.
  bool map(uint32_t address, uint64_t len);
  // Copies to and from mapped memory, whatever it holds. False, and nothing done: not all of it is
  // mapped.
  bool write(uint32_t address, const void* bytes, size_t len);
  bool read(uint32_t address, void* out_bytes, size_t len) const;
  bool is_mapped(uint32_t address, size_t len) const;

  // What instructions do. |T| is uint8_t, uint16_t or uint32_t; an address that is no multiple of
  // its size, or not mapped, is a trap, and nothing is changed then.
  template <class T>
  Trap load(uint32_t address, T* out_value) const {
    if (address % sizeof(T) != 0) return {Exception::address_error_load, address};
    const Page* const p = page(address);
    if (p == nullptr) return {Exception::bus_error_data, address};
    *out_value = get<T>(p->bytes + address % kPageLen);
    return {};
  }
  template <class T>
  Trap store(uint32_t address, T value) {
    if (address % sizeof(T) != 0) return {Exception::address_error_store, address};
    Page* const p = page(address);
    if (p == nullptr) return {Exception::bus_error_data, address};
    put<T>(p->bytes + address % kPageLen, value);
    if (p->decoded != nullptr) p->decoded[address % kPageLen / 4].execute = nullptr;
    return {};
  }
  // |num_words| consecutive words: all or none.
  Trap load_words(uint32_t address, uint32_t num_words, uint32_t* out_words) const;
  Trap store_words(uint32_t address, uint32_t num_words, const uint32_t* words);
  // An instruction word.
  Trap fetch(uint32_t address, uint32_t* out_word) const;

  // The decoded instructions of the page that |address| lies in, kPageLen / 4 of them; those that
  // were never asked for, or stored to since, have execute = null. Null: not mapped.
  Decoded* decoded(uint32_t address);

  // The bytes from |address| to the end of its page; null where it is not mapped.
  const uint8_t* at(uint32_t address) const {
    const Page* const p = page(address);
    return p == nullptr ? nullptr : p->bytes + address % kPageLen;
  }

  // The banks of the lanes, which VBYTELD then reads; null: it reads memory.
  Banks* banks() { return banks_.get(); }
  void make_banks(uint32_t num_lanes) { banks_ = std::make_unique<Banks>(num_lanes); }

 private:
  struct Page {
    uint8_t bytes[kPageLen];
    std::unique_ptr<Decoded[]> decoded;  // null: nothing was executed here

    // |len| bytes at |offset| changed. The storage stays, as it may be the running code's.
    void forget(uint32_t offset, size_t len) {
      if (decoded == nullptr) return;
      for (size_t i = offset / 4; i <= (offset + len - 1) / 4; ++i) decoded[i].execute = nullptr;
    }
  };
  using Directory = std::array<std::unique_ptr<Page>, 1024>;

  Page* page(uint32_t address) const {
    const std::unique_ptr<Directory>& directory = directories_[address >> 22];
    return directory == nullptr ? nullptr : (*directory)[address >> 12 & 1023].get();
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
  std::unique_ptr<Banks> banks_;
  uint64_t mapped_len_ = 0;
  bool little_endian_;
};

}  // namespace incore::vemicry
