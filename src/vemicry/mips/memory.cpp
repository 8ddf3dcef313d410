// MIPS-I: loads and stores. LWL and LWR, SWL and SWR move the parts of a word at any address that
// lie in one aligned word and in the next.
#include "vemicry/mips/scalar.h"

namespace incore::vemicry {
namespace {

uint32_t address_of(const State& s, Word w) {
  return s.gpr[w.rs()] + w.signed_imm();
}

// T as in memory, U as the register sees it.
template <class T, class U>
Trap load(State& s, Memory& memory, Word w) {
  T value = 0;
  if (const Trap trap = memory.load<T>(address_of(s, w), &value)) return trap;
  s.load_gpr(w.rt(), static_cast<uint32_t>(static_cast<int32_t>(static_cast<U>(value))));
  return {};
}

template <class T>
Trap store(State& s, Memory& memory, Word w) {
  return memory.store<T>(address_of(s, w), static_cast<T>(s.gpr[w.rt()]));
}

// How many bits of the aligned word at |address| lie before the byte there, counted from the most
// significant one.
uint32_t bits_before(const Memory& memory, uint32_t address) {
  const uint32_t byte = address & 3;
  return 8 * (memory.little_endian() ? 3 - byte : byte);
}

// A partial load may follow its other half at once: it sees the value that is still on its way.
uint32_t old_value(const State& s, Word w) {
  return s.delayed_register == w.rt() && w.rt() != 0 ? s.delayed_value : s.gpr[w.rt()];
}

Trap load_left(State& s, Memory& memory, Word w) {
  const uint32_t address = address_of(s, w);
  uint32_t word = 0;
  if (const Trap trap = memory.load<uint32_t>(address & ~3u, &word)) return trap;
  const uint32_t shift = bits_before(memory, address);
  s.load_gpr(w.rt(), word << shift | (old_value(s, w) & ~(~0u << shift)));
  return {};
}

Trap load_right(State& s, Memory& memory, Word w) {
  const uint32_t address = address_of(s, w);
  uint32_t word = 0;
  if (const Trap trap = memory.load<uint32_t>(address & ~3u, &word)) return trap;
  const uint32_t shift = 24 - bits_before(memory, address);
  s.load_gpr(w.rt(), word >> shift | (old_value(s, w) & ~(~0u >> shift)));
  return {};
}

Trap as_store(Trap trap) {
  if (trap.exception == Exception::address_error_load)
    trap.exception = Exception::address_error_store;
  return trap;
}

Trap store_left(State& s, Memory& memory, Word w) {
  const uint32_t address = address_of(s, w);
  uint32_t word = 0;
  if (const Trap trap = memory.load<uint32_t>(address & ~3u, &word)) return as_store(trap);
  const uint32_t shift = bits_before(memory, address);
  word = s.gpr[w.rt()] >> shift | (word & ~(~0u >> shift));
  return memory.store<uint32_t>(address & ~3u, word);
}

Trap store_right(State& s, Memory& memory, Word w) {
  const uint32_t address = address_of(s, w);
  uint32_t word = 0;
  if (const Trap trap = memory.load<uint32_t>(address & ~3u, &word)) return as_store(trap);
  const uint32_t shift = 24 - bits_before(memory, address);
  word = s.gpr[w.rt()] << shift | (word & ~(~0u << shift));
  return memory.store<uint32_t>(address & ~3u, word);
}

constexpr Insn load_insn(const char* mnemonic, uint32_t number, const char* meaning,
                         Trap (*execute)(State&, Memory&, Word), uint32_t more_reads = 0) {
  return scalar(mnemonic, opcode(number), "rt,simm(rs)", kRs | kMemory | more_reads, kRt, meaning,
                execute, kLoad);
}
constexpr Insn store_insn(const char* mnemonic, uint32_t number, const char* meaning,
                          Trap (*execute)(State&, Memory&, Word)) {
  return scalar(mnemonic, opcode(number), "rt,simm(rs)", kRs | kRt, kMemory, meaning, execute,
                kStore);
}

}  // namespace

const Insn lb = load_insn("lb", 0x20, "rt = byte, signed", load<uint8_t, int8_t>);
const Insn lbu = load_insn("lbu", 0x24, "rt = byte, unsigned", load<uint8_t, uint8_t>);
const Insn lh = load_insn("lh", 0x21, "rt = half-word, signed", load<uint16_t, int16_t>);
const Insn lhu = load_insn("lhu", 0x25, "rt = half-word, unsigned", load<uint16_t, uint16_t>);
const Insn lw = load_insn("lw", 0x23, "rt = word", load<uint32_t, uint32_t>);
const Insn lwl =
    load_insn("lwl", 0x22, "left part of rt = that of a word at any address", load_left, kRt);
const Insn lwr =
    load_insn("lwr", 0x26, "right part of rt = that of a word at any address", load_right, kRt);
const Insn sb = store_insn("sb", 0x28, "byte = rt", store<uint8_t>);
const Insn sh = store_insn("sh", 0x29, "half-word = rt", store<uint16_t>);
const Insn sw = store_insn("sw", 0x2B, "word = rt", store<uint32_t>);
const Insn swl =
    store_insn("swl", 0x2A, "left part of a word at any address = that of rt", store_left);
const Insn swr =
    store_insn("swr", 0x2E, "right part of a word at any address = that of rt", store_right);

}  // namespace incore::vemicry
