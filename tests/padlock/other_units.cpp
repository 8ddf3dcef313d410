// See other_units.h.
#include "padlock/other_units.h"

#include "base/bytes.h"

namespace incore::padlock::test {

const Bytes kMontmulOf3 =
    from_hex("6eeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbeeffbbe6f");

void XshaJob::prepare(Machine& m) const {
  static const uint32_t kSha1[] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  static const uint32_t kSha256[] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                     0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  Bytes buffer(128);
  for (size_t i = 0; i < (sha256 ? 8 : 5); ++i)
    store_le32(buffer.data() + 4 * i, sha256 ? kSha256[i] : kSha1[i]);
  m.put(state_at, buffer);
  m.put(message_at, message);
  State& s = m.state();
  s.rax = 0;
  s.rcx = message.size();
  s.rsi = message_at;
  s.rdi = state_at;
}

Bytes XshaJob::digest(const Machine& m) const {
  return m.get(state_at, sha256 ? 32 : 20);
}

void MontmulJob::prepare(Machine& m) const {
  Bytes context(24), a(32), b_bytes(32), modulus(32, 0xFF);
  const uint64_t pointers[] = {0xEA53FA95, a_at, b_at, t_at, m_at, scratch_at};
  for (size_t i = 0; i < 6; ++i)
    store_le32(context.data() + 4 * i, static_cast<uint32_t>(pointers[i]));
  a[0] = 0x01, a[31] = 0x80;
  b_bytes[0] = b;
  modulus[0] = 0x43;  // 256 - 189
  m.put(context_at, context);
  m.put(a_at, a);
  m.put(b_at, b_bytes);
  m.put(t_at, Bytes(48));  // 128 spare bits
  m.put(m_at, modulus);
  m.put(scratch_at, Bytes(32));
  State& s = m.state();
  s.rax = s.rdx = 0;
  s.rcx = 256;
  s.rsi = context_at;
}

size_t PseudoNoise::raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) {
  (void)which, (void)bias;
  for (size_t i = 0; i < max_bits; ++i) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    out_bits[i] = static_cast<uint8_t>(state_ >> 63);
  }
  return max_bits;
}

}  // namespace incore::padlock::test
