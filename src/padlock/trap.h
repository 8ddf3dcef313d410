// What stops an instruction: an exception of the emulated processor, as a value. Never a fault of
// the emulator.
#pragma once

#include <cstdint>

#include "padlock/state.h"

namespace incore::padlock {

// x86 exception vectors, by their numbers (Intel SDM volume 3, table 6-1).
enum class Vector : uint16_t {
  none = 0xFF,
  invalid_opcode = 6,        // #UD
  device_not_available = 7,  // #NM
  general_protection = 13,   // #GP(0)
  page_fault = 14,           // #PF
  alignment_check = 17,      // #AC
};

// Small, so that functions return it in registers.
class Trap {
 public:
  Vector vector = Vector::none;
  uint16_t error_code = 0;  // page fault: bit 0 present, bit 1 write, bit 2 user

  constexpr Trap() : address_(0) {}
  static Trap ud(const char* reason) { return Trap(Vector::invalid_opcode, reason); }
  static Trap nm(const char* reason) { return Trap(Vector::device_not_available, reason); }
  static Trap gp(const char* reason) { return Trap(Vector::general_protection, reason); }
  static Trap ac(const char* reason) { return Trap(Vector::alignment_check, reason); }
  static Trap pf(uint64_t address, uint16_t error_code) { return Trap(address, error_code); }

  explicit operator bool() const { return vector != Vector::none; }

  // Of a page fault: the linear address, as CR2.
  uint64_t address() const { return vector == Vector::page_fault ? address_ : 0; }
  // A sentence for people, without a full stop; static storage. Null if there is no trap.
  const char* reason() const {
    if (vector == Vector::none) return nullptr;
    return vector == Vector::page_fault ? "the page cannot be accessed" : reason_;
  }

 private:
  Trap(Vector of, const char* reason) : vector(of), reason_(reason) {}
  Trap(uint64_t address, uint16_t code)
      : vector(Vector::page_fault), error_code(code), address_(static_cast<Offset>(address)) {}

  union {
    Offset address_;
    const char* reason_;
  };
};
static_assert(sizeof(Trap) <= 2 * sizeof(Offset));

}  // namespace incore::padlock
