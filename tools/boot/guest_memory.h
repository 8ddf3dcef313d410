// The memory of the guest as an instruction of it sees it: this process shares the guest's RAM, and
// walks its page tables (Intel SDM volume 3, chapter 4).
#pragma once

#include <cstddef>
#include <cstdint>

#include "incore/processor.h"

namespace incore::tools {

// The guest's RAM, in a file that QEMU maps too.
class GuestRam {
 public:
  // |len| bytes, a multiple of a megabyte. Throws std::system_error.
  explicit GuestRam(uint64_t len);
  ~GuestRam();
  GuestRam(const GuestRam&) = delete;

  int fd() const { return fd_; }
  uint64_t len() const { return len_; }

  // The |len| bytes at a physical address, within a page; null where there is no RAM.
  uint8_t* at(uint64_t physical, size_t len) const;

 private:
  int fd_;
  uint64_t len_;
  uint8_t* bytes_;
};

// How a CPU sees memory at this moment.
struct Paging {
  uint64_t cr0 = 0, cr3 = 0, cr4 = 0, efer = 0;
  bool user = false;              // CPL 3
  bool alignment_checks = false;  // EFLAGS.AC, which lets the kernel reach pages of users (SMAP)
};

class GuestMemory {
 public:
  GuestMemory(const GuestRam& ram, const Paging& paging) : ram_(ram), paging_(paging) {}

  // For incore_processor_execute.
  incore_processor_machine machine();

  // As a debugger does, without regard to what the pages allow. All or nothing, or as many bytes as
  // there are; false: a page is missing.
  bool read(uint64_t address, void* out, size_t len);
  size_t read_some(uint64_t address, void* out, size_t len);
  bool write(uint64_t address, const void* in, size_t len);

 private:
  enum class Access : uint8_t { read, write, force };  // force: a debugger's
  // Where |address| lies; null: |*out_error| is the error code of the page fault.
  uint8_t* translate(uint64_t address, size_t len, Access access, uint32_t* out_error);
  bool translate_to(uint64_t address, Access access, uint64_t* out_physical, uint32_t* out_error);
  bool allowed(uint64_t entries, Access access) const;
  template <class Entry>
  bool walk(uint64_t address, Access access, uint64_t* out_physical, uint32_t* out_error);
  template <class Piece>
  int each_page(uint64_t address, size_t len, Access access, incore_processor_trap* out_trap,
                Piece piece);

  const GuestRam& ram_;
  Paging paging_;
};

}  // namespace incore::tools
