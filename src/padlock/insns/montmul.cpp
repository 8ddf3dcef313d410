// REP MONTMUL: T = A * B * R^-1 mod M, up to one extra M, with R = 2^ECX. PadLock guide 1.66,
// section 5.1. Needs PMM.
//
//   ECX bits   ESI context: six 32-bit words, mZeroPrime and the pointers to A, B, T, M, scratch
//   EAX 0 at the start; at an interruption the outer passes done, T then holds the partial product
#include "crypto/mont/mont_steps.h"
#include "padlock/execution.h"

namespace incore::padlock {
namespace {

constexpr size_t kContextLen = 24;
constexpr size_t kScratchWords = 8;

struct Operands {
  uint32_t m_zero_prime;
  uint64_t a, b, t, m;  // linear addresses
  size_t num_words;     // in each number; T has one more for its overflow
};

// The order of words in memory is little-endian. Works both ways.
void swap_if_big_endian(uint32_t* words, size_t num_words) {
  for (size_t i = 0; i < num_words; ++i)
    words[i] = load_le32(reinterpret_cast<const uint8_t*>(words + i));
}

Trap read_words(Memory& memory, uint64_t address, uint32_t* out_words, size_t num_words) {
  if (Trap trap = memory.read(address, out_words, num_words * 4)) return trap;
  swap_if_big_endian(out_words, num_words);
  return {};
}

// #GP for what is wrong with the operands; reads nothing but the context.
Trap check(Execution& x, Operands* out) {
  const uint32_t bits = static_cast<uint32_t>(x.s.rcx);
  if (bits < kMontMinBits || bits > kMontMaxBits || bits % kMontBitsStep != 0)
    return Trap::gp("ECX is not a multiple of 128 from 256 to 32768");
  uint64_t context_at;
  uint8_t context[kContextLen];
  if (Trap trap = x.linear(x.get(x.s.rsi), kContextLen, Access::read, &context_at)) return trap;
  if (Trap trap = x.memory.read(context_at, context, kContextLen)) return trap;

  const uint64_t len = bits / 8;
  uint64_t scratch;
  out->num_words = bits / 32;
  out->m_zero_prime = load_le32(context);
  if (Trap trap = x.aligned(load_le32(context + 4), len, Access::read, &out->a)) return trap;
  if (Trap trap = x.aligned(load_le32(context + 8), len, Access::read, &out->b)) return trap;
  if (Trap trap = x.aligned(load_le32(context + 12), len + 4, Access::write, &out->t)) return trap;
  if (Trap trap = x.aligned(load_le32(context + 16), len, Access::read, &out->m)) return trap;
  if (Trap trap = x.aligned(load_le32(context + 20), kScratchWords * 4, Access::write, &scratch))
    return trap;
  return x.memory.probe_write(scratch, kScratchWords * 4);
}

// Not inlined: numbers of the largest size take 16 KiB of stack, which smaller ones should not pay
// for.
template <size_t kMaxWords>
[[gnu::noinline]] Trap multiply(Execution& x, const Operands& o) {
  uint32_t a[kMaxWords], b[kMaxWords], m[kMaxWords], t[kMaxWords + 1];
  // All pages are touched before anything changes.
  if (Trap trap = read_words(x.memory, o.a, a, o.num_words)) return trap;
  if (Trap trap = read_words(x.memory, o.b, b, o.num_words)) return trap;
  if (Trap trap = read_words(x.memory, o.m, m, o.num_words)) return trap;
  const size_t t_len = (o.num_words + 1) * 4;
  if (Trap trap = x.memory.probe_write(o.t, t_len)) return trap;
  if (Trap trap = read_words(x.memory, o.t, t, o.num_words + 1)) return trap;

  const size_t first = static_cast<uint32_t>(x.s.rax);
  size_t pass = first;
  while (pass < o.num_words) {
    montmul_step(t, a, b[pass], m, o.m_zero_prime, o.num_words);
    ++pass;
    if (pass < o.num_words && x.interrupt(pass - first)) break;
  }
  swap_if_big_endian(t, o.num_words + 1);
  if (Trap trap = x.memory.write(o.t, t, t_len)) return trap;
  if (x.interrupted) {
    x.s.rax = pass;
  } else {
    x.s.rax = x.s.rcx = x.s.rdx = 0;
  }
  return {};
}

Trap execute(Execution& x) {
  if (Trap trap = x.require_usable(true)) return trap;
  if (x.address_bits == 64)
    return Trap::ud("MONTMUL takes 32-bit pointers: 64-bit code needs the address-size prefix");
  if (static_cast<uint32_t>(x.s.rcx) == 0) return {};
  Operands operands;
  if (Trap trap = check(x, &operands)) return trap;
  constexpr size_t kFewWords = 4096 / 32;
  return operands.num_words <= kFewWords ? multiply<kFewWords>(x, operands)
                                         : multiply<kMontMaxBits / 32>(x, operands);
}

}  // namespace

const Insn montmul = {
    .mnemonic = "montmul",
    .opcode = {0x0F, 0xA6, 0xC0},
    .rep = true,
    .unit = Unit::pmm,
    .kind = Kind::montmul,
    .operands = "ECX bits, ESI context; EAX 0, EDX scratch",
    .execute = execute,
};

}  // namespace incore::padlock
