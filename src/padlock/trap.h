// What stops an instruction: an exception of the emulated processor, as a value. Never a fault of
// the emulator.
#pragma once

#include <cstdint>

namespace incore::padlock {

// x86 exception vectors, by their numbers (Intel SDM volume 3, table 6-1).
enum class Vector : uint8_t {
  none = 0xFF,
  invalid_opcode = 6,        // #UD
  device_not_available = 7,  // #NM
  general_protection = 13,   // #GP(0)
  page_fault = 14,           // #PF
  alignment_check = 17,      // #AC
};

struct Trap {
  Vector vector = Vector::none;
  uint32_t error_code = 0;       // page fault: bit 0 present, bit 1 write, bit 2 user
  uint64_t address = 0;          // page fault: the linear address, as CR2
  const char* reason = nullptr;  // a sentence for people, without a full stop; static storage

  explicit operator bool() const { return vector != Vector::none; }

  static Trap ud(const char* reason) { return {Vector::invalid_opcode, 0, 0, reason}; }
  static Trap gp(const char* reason) { return {Vector::general_protection, 0, 0, reason}; }
  static Trap pf(uint64_t address, uint32_t error_code) {
    return {Vector::page_fault, error_code, address, "the page cannot be accessed"};
  }
};

}  // namespace incore::padlock
