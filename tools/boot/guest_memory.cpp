#include "tools/boot/guest_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <system_error>

namespace incore::tools {
namespace {

constexpr uint64_t kPageLen = 4096;
constexpr uint64_t kCr0Pg = uint64_t{1} << 31, kCr0Wp = uint64_t{1} << 16;
constexpr uint64_t kCr4Pse = 1u << 4, kCr4Pae = 1u << 5, kCr4La57 = 1u << 12, kCr4Smap = 1u << 21;
constexpr uint64_t kEferLma = 1u << 10;

// Bits of entries.
constexpr uint64_t kPresent = 1, kWritable = 2, kUser = 4, kAccessed = 32, kDirty = 64,
                   kLarge = 128;
constexpr uint64_t kAddress = 0x000FFFFFFFFFF000;

// Bits of error codes.
constexpr uint32_t kWasPresent = 1, kWasWrite = 2, kWasUser = 4;

// How QEMU's machine "pc" lays out its RAM: what does not fit below 4 GiB lies behind that.
constexpr uint64_t kMostBelow4G = 0xE0000000, kBelow4GIfMore = 0xC0000000;
constexpr uint64_t k4G = uint64_t{1} << 32;
constexpr uint64_t kHoleBegin = 0xA0000, kHoleEnd = 0x100000;  // video memory and ROMs

[[noreturn]] void fail_with_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

GuestRam::GuestRam(uint64_t len) : fd_(memfd_create("incore-guest-ram", MFD_CLOEXEC)), len_(len) {
  if (fd_ < 0) fail_with_errno("the guest's memory");
  void* const mapped = ftruncate(fd_, static_cast<off_t>(len)) != 0
                           ? MAP_FAILED
                           : mmap(nullptr, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (mapped == MAP_FAILED) {
    close(fd_);
    fail_with_errno("the guest's memory");
  }
  bytes_ = static_cast<uint8_t*>(mapped);
}

GuestRam::~GuestRam() {
  munmap(bytes_, len_);
  close(fd_);
}

uint8_t* GuestRam::at(uint64_t physical, size_t len) const {
  const uint64_t below = len_ >= kMostBelow4G ? kBelow4GIfMore : len_;
  if (physical >= kHoleBegin && physical < kHoleEnd) return nullptr;
  if (physical >= k4G)
    physical = physical - k4G + below;
  else if (physical >= below)
    return nullptr;
  return physical < len_ && len <= len_ - physical ? bytes_ + physical : nullptr;
}

bool GuestMemory::allowed(uint64_t entries, Access access) const {
  if (access == Access::force) return true;
  const bool of_user = (entries & kUser) != 0, writable = (entries & kWritable) != 0;
  if (paging_.user) return of_user && (access == Access::read || writable);
  if (of_user && (paging_.cr4 & kCr4Smap) != 0 && !paging_.alignment_checks) return false;
  return access == Access::read || writable || (paging_.cr0 & kCr0Wp) == 0;
}

// By tables of 8-byte entries (long mode, PAE), or of 4-byte ones.
template <class Entry>
bool GuestMemory::walk(uint64_t address, Access access, uint64_t* out_physical,
                       uint32_t* out_error) {
  constexpr bool kWide = sizeof(Entry) == 8;
  constexpr unsigned kBits = kWide ? 9 : 10;  // of the address, for each level
  const bool is_long = (paging_.efer & kEferLma) != 0;
  const bool has_directory_pointers = kWide && !is_long;  // four entries without flags
  const unsigned num_levels = !kWide ? 2 : !is_long ? 3 : (paging_.cr4 & kCr4La57) != 0 ? 5 : 4;
  uint64_t table = paging_.cr3 & (has_directory_pointers ? 0xFFFFFFE0 : kAddress);
  uint64_t entries = kWritable | kUser;  // what all levels allow
  Entry* path[5];
  *out_error = (access == Access::write ? kWasWrite : 0) | (paging_.user ? kWasUser : 0);
  for (unsigned level = num_levels; level-- != 0;) {
    const unsigned shift = 12 + kBits * level;
    const uint64_t index = address >> shift & ((uint64_t{1} << kBits) - 1);
    uint8_t* const place = ram_.at(table + index * sizeof(Entry), sizeof(Entry));
    if (place == nullptr) return false;
    path[level] = reinterpret_cast<Entry*>(place);
    const uint64_t entry = __atomic_load_n(path[level], __ATOMIC_RELAXED);
    if ((entry & kPresent) == 0) return false;
    const bool has_flags = !has_directory_pointers || level != num_levels - 1;
    if (has_flags) entries &= entry;
    const bool may_be_large =
        kWide ? level == 1 || (level == 2 && is_long) : level == 1 && (paging_.cr4 & kCr4Pse) != 0;
    const bool is_page = level == 0 || (may_be_large && (entry & kLarge) != 0);
    if (!is_page) {
      table = entry & kAddress;
      continue;
    }
    if (!allowed(entries, access)) {
      *out_error |= kWasPresent;
      return false;
    }
    const uint64_t offset = address & ((uint64_t{1} << shift) - 1);
    const uint64_t above4g = !kWide && level == 1 ? (entry >> 13 & 0xFF) << 32 : 0;  // PSE-36
    const uint64_t mask = kAddress & ~((uint64_t{1} << shift) - 1);
    *out_physical = (entry & mask) | above4g | offset;
    for (unsigned i = level; access != Access::force && i < num_levels; ++i) {
      if (has_directory_pointers && i == num_levels - 1) break;
      const bool dirty = i == level && access == Access::write;
      __atomic_fetch_or(path[i], static_cast<Entry>(kAccessed | (dirty ? kDirty : 0)),
                        __ATOMIC_RELAXED);
    }
    return true;
  }
  return false;
}

bool GuestMemory::translate_to(uint64_t address, Access access, uint64_t* out_physical,
                               uint32_t* out_error) {
  if ((paging_.cr0 & kCr0Pg) == 0) {
    *out_physical = address & 0xFFFFFFFF;
    return true;
  }
  if ((paging_.efer & kEferLma) == 0) address &= 0xFFFFFFFF;
  return (paging_.cr4 & kCr4Pae) != 0 ? walk<uint64_t>(address, access, out_physical, out_error)
                                      : walk<uint32_t>(address, access, out_physical, out_error);
}

uint8_t* GuestMemory::translate(uint64_t address, size_t len, Access access, uint32_t* out_error) {
  uint64_t physical;
  if (!translate_to(address, access, &physical, out_error)) return nullptr;
  return ram_.at(physical, len);
}

template <class Piece>
int GuestMemory::each_page(uint64_t address, size_t len, Access access,
                           incore_processor_trap* out_trap, Piece piece) {
  for (size_t done = 0; done < len;) {
    const size_t left_in_page = static_cast<size_t>(kPageLen - (address + done) % kPageLen);
    const size_t n = std::min(left_in_page, len - done);
    uint32_t error = 0;
    uint8_t* const place = translate(address + done, n, access, &error);
    if (place == nullptr) {
      *out_trap = {14, error, address + done, "the guest has no such page"};
      return 1;
    }
    piece(place, done, n);
    done += n;
  }
  return 0;
}

bool GuestMemory::read(uint64_t address, void* out, size_t len) {
  return read_some(address, out, len) == len;
}

size_t GuestMemory::read_some(uint64_t address, void* out, size_t len) {
  incore_processor_trap trap;
  size_t read = 0;
  each_page(address, len, Access::force, &trap, [&](const uint8_t* place, size_t at, size_t n) {
    std::memcpy(static_cast<uint8_t*>(out) + at, place, n);
    read = at + n;
  });
  return read;
}

bool GuestMemory::write(uint64_t address, const void* in, size_t len) {
  incore_processor_trap trap;
  return each_page(address, len, Access::force, &trap, [&](uint8_t* place, size_t at, size_t n) {
           std::memcpy(place, static_cast<const uint8_t*>(in) + at, n);
         }) == 0;
}

incore_processor_machine GuestMemory::machine() {
  incore_processor_machine functions = {};
  functions.context = this;
  functions.read = [](void* context, uint64_t address, void* out, size_t len,
                      incore_processor_trap* out_trap) {
    auto& memory = *static_cast<GuestMemory*>(context);
    const auto nothing = [](uint8_t*, size_t, size_t) {};
    if (memory.each_page(address, len, Access::read, out_trap, nothing) != 0) return 1;
    return memory.each_page(address, len, Access::read, out_trap,
                            [out](const uint8_t* place, size_t at, size_t n) {
                              std::memcpy(static_cast<uint8_t*>(out) + at, place, n);
                            });
  };
  functions.write = [](void* context, uint64_t address, const void* in, size_t len,
                       incore_processor_trap* out_trap) {
    auto& memory = *static_cast<GuestMemory*>(context);
    const auto nothing = [](uint8_t*, size_t, size_t) {};
    if (memory.each_page(address, len, Access::write, out_trap, nothing) != 0) return 1;
    return memory.each_page(address, len, Access::write, out_trap,
                            [in](uint8_t* place, size_t at, size_t n) {
                              std::memcpy(place, static_cast<const uint8_t*>(in) + at, n);
                            });
  };
  functions.probe_write = [](void* context, uint64_t address, size_t len,
                             incore_processor_trap* out_trap) {
    return static_cast<GuestMemory*>(context)->each_page(address, len, Access::write, out_trap,
                                                         [](uint8_t*, size_t, size_t) {});
  };
  functions.readable = [](void* context, uint64_t address, size_t len) -> const uint8_t* {
    uint32_t error;
    if (address % kPageLen + len > kPageLen) return nullptr;
    return static_cast<GuestMemory*>(context)->translate(address, len, Access::read, &error);
  };
  functions.writable = [](void* context, uint64_t address, size_t len) -> uint8_t* {
    uint32_t error;
    if (address % kPageLen + len > kPageLen) return nullptr;
    return static_cast<GuestMemory*>(context)->translate(address, len, Access::write, &error);
  };
  return functions;
}

}  // namespace incore::tools
