// Contexts and numbers for the tests of REP MONTMUL.
#pragma once

#include <string>

#include "base/bytes.h"
#include "padlock/machine.h"

namespace incore::padlock::test {

// Where a multiplication lies in memory, each area in pages of its own.
struct MontmulLayout {
  uint64_t context = 0x30000;
  uint64_t a = 0x100000, b = 0x110000, t = 0x120000, m = 0x130000, scratch = 0x140000;
};

// Behind T: room for the overflow.
inline constexpr size_t kMontmulSpareLen = 16;

// The negative inverse of the odd |word| modulo 2^32, found bit by bit.
inline uint32_t negative_inverse(uint32_t word) {
  uint32_t inverse = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    if ((inverse * word + 1) >> bit & 1) inverse |= uint32_t{1} << bit;
  return inverse;
}

inline Bytes montmul_context(const MontmulLayout& at, uint32_t m_zero_prime) {
  Bytes context(24);
  store_le32(context.data(), m_zero_prime);
  const uint64_t pointers[] = {at.a, at.b, at.t, at.m, at.scratch};
  for (size_t i = 0; i < 5; ++i)
    store_le32(&context[4 + 4 * i], static_cast<uint32_t>(pointers[i]));
  return context;
}

// Puts numbers of |a|.size() bytes each and a zero T, and sets the registers. |base| is added to
// where they are put.
inline void set_up_montmul(Machine& machine, const Bytes& a, const Bytes& b, const Bytes& m,
                           const MontmulLayout& at = {}, uint64_t base = 0) {
  machine.put(base + at.a, a);
  machine.put(base + at.b, b);
  machine.put(base + at.m, m);
  machine.put(base + at.t, Bytes(a.size() + kMontmulSpareLen));
  machine.memory.map(base + at.scratch, 32);
  machine.put(base + at.context, montmul_context(at, negative_inverse(load_le32(m.data()))));
  machine.state().rax = 0;
  machine.state().rcx = 8 * a.size();
  machine.state().rdx = 0x5EED;
  machine.state().rsi = at.context;
  machine.state().rdi = 0xBAD0000;  // not used, not mapped
}

// |digits|, high digit first as numbers are written, as |len| bytes with the low byte first.
inline Bytes number(const std::string& digits, size_t len) {
  const Bytes big_endian = from_hex(digits.size() % 2 == 0 ? digits : "0" + digits);
  Bytes bytes(len);
  for (size_t i = 0; i < big_endian.size() && i < len; ++i)
    bytes[i] = big_endian[big_endian.size() - 1 - i];
  return bytes;
}

// The |len| bytes at |address| as a number is written.
inline std::string number_at(const Machine& machine, uint64_t address, size_t len) {
  const Bytes bytes = machine.get(address, len);
  return to_hex(Bytes(bytes.rbegin(), bytes.rend()));
}

}  // namespace incore::padlock::test
