// 64-bit division in 32-bit code, which compilers leave to a library that the run-time has not.
// The names are those of the compilers' run-time libraries.
#include <stdint.h>

namespace {

// Divides |high|:|low|, whose high word is below |divisor|.
uint32_t divide_word(uint32_t high, uint32_t low, uint32_t divisor, uint32_t* out_remainder) {
  uint32_t quotient;
  __asm__("divl %4" : "=a"(quotient), "=d"(*out_remainder) : "a"(low), "d"(high), "rm"(divisor));
  return quotient;
}

uint64_t divide(uint64_t dividend, uint64_t divisor, uint64_t* out_remainder) {
  if (divisor >> 32 == 0) {
    const uint32_t low = static_cast<uint32_t>(divisor);
    uint32_t rest;
    const uint64_t high = divide_word(0, static_cast<uint32_t>(dividend >> 32), low, &rest);
    const uint32_t quotient = divide_word(rest, static_cast<uint32_t>(dividend), low, &rest);
    *out_remainder = rest;
    return high << 32 | quotient;
  }
  uint64_t quotient = 0;  // below 2^32
  for (int bit = __builtin_clz(static_cast<uint32_t>(divisor >> 32)); bit >= 0; --bit) {
    if (dividend < divisor << bit) continue;
    dividend -= divisor << bit;
    quotient |= uint64_t{1} << bit;
  }
  *out_remainder = dividend;
  return quotient;
}

}  // namespace

extern "C" uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
extern "C" uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);

extern "C" uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
  uint64_t remainder;
  return divide(dividend, divisor, &remainder);
}

extern "C" uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
  uint64_t remainder;
  divide(dividend, divisor, &remainder);
  return remainder;
}
