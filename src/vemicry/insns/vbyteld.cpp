// VBYTELD vd,(r),n: each byte of the first n words replaced by the byte of a table at r that it
// indexes; n = 0 means all words (VeMICry paper, appendix A). With Config::banked the lane of word
// i, i mod r, reads the bank of its own.
#include "vemicry/vector.h"

namespace incore::vemicry {
namespace {

// The bytes of memory that |word| indexes.
Trap look_up(const Memory& memory, uint32_t table, uint32_t word, uint32_t* out_word) {
  *out_word = 0;
  for (int shift = 24; shift >= 0; shift -= 8) {
    uint8_t byte = 0;
    if (const Trap trap = memory.load<uint8_t>(table + (word >> shift & 0xFF), &byte)) return trap;
    *out_word = *out_word << 8 | byte;
  }
  return {};
}
// The same from a table that lies within a page.
uint32_t look_up(const uint8_t* table, uint32_t word) {
  return uint32_t{table[word >> 24]} << 24 | uint32_t{table[word >> 16 & 0xFF]} << 16 |
         uint32_t{table[word >> 8 & 0xFF]} << 8 | table[word & 0xFF];
}

// The slot of a table in the banks, brought there by its first use; a bus error if it is not in
// memory, or four others are in the banks.
Trap find_slot(Memory& memory, Banks& banks, uint32_t table, uint32_t* out_slot) {
  *out_slot = banks.slot(table);
  if (*out_slot != Banks::kNumSlots) return {};
  std::array<uint8_t, Banks::kTableLen> bytes;
  if (!memory.read(table, bytes.data(), bytes.size()) || !banks.place(table, bytes))
    return {Exception::bus_error_data, table};
  *out_slot = banks.slot(table);
  return {};
}

Trap execute(State& state, Memory& memory, Word word) {
  if (!has_registers(state, word.vd()) || word.n() > state.config.p) return kReserved;
  const uint32_t table = state.gpr[word.r()];
  const uint32_t num_words = counted_words(state, word.n());
  uint32_t* const v = state.v[word.vd()];
  if (Banks* const banks = memory.banks()) {
    uint32_t slot = 0;
    if (const Trap trap = find_slot(memory, *banks, table, &slot)) return trap;
    for (uint32_t i = 0; i < num_words; ++i)
      v[i] = banks->look_up(i % banks->num_lanes(), slot, v[i]);
    return {};
  }
  const uint8_t* const bytes = memory.at(table);
  if (bytes != nullptr && table % Memory::kPageLen <= Memory::kPageLen - Banks::kTableLen) {
    for (uint32_t i = 0; i < num_words; ++i) v[i] = look_up(bytes, v[i]);
    return {};
  }
  uint32_t out[kMaxWords];
  for (uint32_t i = 0; i < num_words; ++i)
    if (const Trap trap = look_up(memory, table, v[i], &out[i])) return trap;
  std::copy_n(out, num_words, v);
  return {};
}

}  // namespace

const Insn vbyteld = {.mnemonic = "vbyteld",
                      .word = vector_word(0x22),
                      .operands = "vd,(r),n",
                      .insn_class = Class::mavi,
                      .reads = kVd | kR | kMemory | kLength,
                      .writes = kVd,
                      .traits = kCounted,
                      .meaning = "each byte of n words replaced by the byte at r + itself",
                      .execute = execute};

}  // namespace incore::vemicry
