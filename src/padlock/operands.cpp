#include "padlock/operands.h"

#include <algorithm>

#include "crypto/mont/mont_steps.h"

namespace incore::padlock {
namespace {

constexpr uint64_t kMaxBlocks = uint64_t{1} << 40;  // more would wrap around the address space
constexpr uint64_t kContextLen = 24;
constexpr uint64_t kMontScratchLen = 32;

// What lies at the offset in |reg|; false where it cannot be read or ES does not reach.
bool read_operand(const Execution& x, uint64_t reg, uint64_t len, void* out) {
  uint64_t address;
  return !x.linear(x.get(reg), len, Access::read, &address) && read_range(x, {address, len}, out);
}

// PadLock guide 1.66, section 4.1 (PHE); clauses PLK-PHE-041 (PHE2) and PLK-ZX-027 (CCS_HASH).
uint64_t reserved_state_len(Unit unit) {
  return unit == Unit::phe ? 128 : unit == Unit::phe2 ? 64 : 32;
}

}  // namespace

uint64_t linear_address(const Execution& x, uint64_t reg) {
  const uint64_t offset = x.get(reg);
  return x.s.code_size == CodeSize::bits64 ? offset : (x.s.es.base + offset) & 0xFFFFFFFF;
}

XcryptOperands xcrypt_operands(const Execution& x) {
  XcryptOperands o = {};
  o.is_ecb = x.decoded.insn == &xcrypt_ecb;
  o.is_ctr = x.decoded.insn == &xcrypt_ctr;
  o.is_ofb = x.decoded.insn == &xcrypt_ofb;
  o.inverse_cipher = o.is_ecb || x.decoded.insn == &xcrypt_cbc;
  o.blocks = std::min<uint64_t>(x.get(x.s.rcx), kMaxBlocks);
  o.control = {linear_address(x, x.s.rdx), kControlWordLen};
  o.scratch = {linear_address(x, x.s.rdx + kControlWordLen), kScratchLen};
  o.key = {linear_address(x, x.s.rbx), kHardwareKeyLen};
  o.vector = {linear_address(x, x.s.rax), o.is_ecb ? 0 : kAesBlockLen};
  o.source = {linear_address(x, x.s.rsi), o.blocks * kAesBlockLen};
  o.destination = {linear_address(x, x.s.rdi), o.blocks * kAesBlockLen};
  o.control_word_known = read_operand(x, x.s.rdx, kControlWordLen, o.control_word_bytes);
  if (!o.control_word_known) return o;

  const bool has_ace2 = x.cpu.model().ace2;
  const bool chains = !o.is_ecb && !o.is_ctr && !o.is_ofb;
  o.control_word = ControlWord::from_bytes(o.control_word_bytes);
  o.key.len = o.control_word.key_bytes();
  o.aligns = o.control_word.align() && has_ace2 && !o.is_ecb;
  o.rewrites_vector = !o.is_ecb && (!chains || o.control_word.decrypt());
  if (chains && o.control_word.digest() && has_ace2 && o.blocks != 0)
    o.destination.len = kAesBlockLen;
  return o;
}

HashOperands hash_operands(const Execution& x) {
  HashOperands o = {};
  o.unit = x.decoded.insn->unit;
  o.all_ones = x.address_bits == 64 ? ~uint64_t{0} : 0xFFFFFFFF;
  o.done = x.s.rax & o.all_ones;
  o.total = x.s.rcx & o.all_ones;
  o.state = {linear_address(x, x.s.rdi), reserved_state_len(o.unit)};
  const uint64_t block_len = o.unit == Unit::phe2 ? 128 : 64;
  uint64_t len = o.done < o.total ? o.total - o.done : 0;
  if (o.unit == Unit::phe2 || o.done == o.all_ones)
    len = o.total < kMaxBlocks ? o.total * block_len : 0;
  o.message = {linear_address(x, x.s.rsi), len};
  return o;
}

bool montmul_operands(const Execution& x, MontmulOperands* out) {
  uint8_t context[kContextLen];
  if (x.address_bits == 64 || !read_operand(x, x.s.rsi, kContextLen, context)) return false;
  MontmulOperands& o = *out;
  o.bits = static_cast<uint32_t>(x.s.rcx);
  o.done = static_cast<uint32_t>(x.s.rax);
  o.zero_prime = load_le32(context);
  o.size_allowed = o.bits >= kMontMinBits && o.bits <= kMontMaxBits && o.bits % kMontBitsStep == 0;
  const uint64_t len = o.size_allowed ? o.bits / 8 : 0;
  const auto number = [&](size_t at) {
    return Range{linear_address(x, load_le32(context + at)), len};
  };
  o.a = number(4);
  o.b = number(8);
  o.t = number(12);
  o.m = number(16);
  o.scratch = number(20);
  o.scratch.len = kMontScratchLen;
  return true;
}

}  // namespace incore::padlock
