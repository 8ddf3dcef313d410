// What stops an instruction: an exception of the machine, as a value. Never a fault of the
// simulator.
#pragma once

#include <cstdint>

namespace incore::vemicry {

// Exceptions of MIPS-I, by their codes in the Cause register.
enum class Exception : uint8_t {
  none = 0xFF,
  address_error_load = 4,     // AdEL: also an instruction fetch
  address_error_store = 5,    // AdES
  bus_error_fetch = 6,        // IBE
  bus_error_data = 7,         // DBE
  syscall = 8,                // Sys
  breakpoint = 9,             // Bp
  reserved_instruction = 10,  // RI
  coprocessor_unusable = 11,  // CpU
  overflow = 12,              // Ov
};

struct Trap {
  Exception exception = Exception::none;
  uint32_t address = 0;  // AdEL, AdES, IBE, DBE: the address, as BadVAddr; Sys: number of the call

  explicit operator bool() const { return exception != Exception::none; }
};

// "AdEL"; "none"
const char* exception_name(Exception exception);
// "address error (load or fetch)"
const char* exception_text(Exception exception);

}  // namespace incore::vemicry
