// The registers of a CPU in QEMU, as its stub for gdb and its monitor tell them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tools/boot/gdb_remote.h"

namespace incore::tools {

// Numbers of registers in QEMU's target description for x86-64.
enum class Register : unsigned {
  rax,
  rbx,
  rcx,
  rdx,
  rsi,
  rdi,
  rbp,
  rsp,
  rip = 16,
  rflags = 17,
  cs = 18,
  ss = 19,
  es = 21,
  cr0 = 27,
  cr2 = 28,
  cr3 = 29,
  cr4 = 30,
  efer = 32,
};

class GuestCpu {
 public:
  static constexpr unsigned kNumRegisters = 33;

  // Reads the registers of CPU number |index|.
  GuestCpu(GdbRemote& remote, unsigned index);

  uint64_t get(Register which) const { return values_[static_cast<unsigned>(which)]; }
  // Goes out with what the remote sends next.
  void set(Register which, uint64_t value);

  bool is_long_mode() const { return (get(Register::efer) >> 10 & 1) != 0; }  // EFER.LMA
  bool is_protected() const { return (get(Register::cr0) & 1) != 0; }

 private:
  GdbRemote& remote_;
  std::array<uint64_t, kNumRegisters> values_ = {};
};

// What a segment register holds of its descriptor.
struct GuestSegment {
  uint64_t base = 0;
  uint32_t limit = 0;
  uint32_t flags = 0;  // the descriptor's upper word, with type at 8 and D, L, G at 22, 21, 23

  bool present() const { return (flags >> 15 & 1) != 0; }
  bool is_code() const { return (flags >> 11 & 1) != 0; }
  bool readable_or_writable() const { return (flags >> 9 & 1) != 0; }
  bool expands_down() const { return !is_code() && (flags >> 10 & 1) != 0; }
  bool is_long() const { return (flags >> 21 & 1) != 0; }
  bool is_big() const { return (flags >> 22 & 1) != 0; }
};

// Of the monitor's `info registers`.
struct GuestTables {
  GuestSegment cs, es;
  uint64_t gdt_base = 0, idt_base = 0;
  uint32_t idt_limit = 0;
};
GuestTables read_tables(GdbRemote& remote, unsigned index);
// The same from its text; what is not there stays 0.
GuestTables parse_tables(const std::string& text);

}  // namespace incore::tools
