// What the guest program replay and the test that starts it (tests/run/replay.h) tell each other:
// states of the processor, and what became of them. On its input the guest finds
//
//   struct replay_batch, sites x struct replay_site, records x struct replay_record
//
// and answers each record with a struct replay_result and as many struct replay_change as that
// says. All of it looks the same in 32- and 64-bit code.
#ifndef INCORE_TESTS_GUEST_REPLAY_H
#define INCORE_TESTS_GUEST_REPLAY_H

#include <stdint.h>

enum {
  kReplayPageLen = 4096,
  kReplayPages = 16,
  kReplayArenaLen = kReplayPages * kReplayPageLen,
  kReplaySiteLen = 32,   // from one site to the next
  kReplayBytesLen = 25,  // of an instruction and what stands behind it
  kReplayPokes = 3,
  kReplayStackLen = 256,  // that a record's stack pointer may choose from
};

// In the order of their numbers in instructions.
enum replay_register { kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi, kNumReplayRegisters = 16 };

enum replay_page {
  kPageWritable,
  kPageReadOnly,
  kPageNoAccess,
  kPageAbsent,
  kPageBeyondFile,  // SIGBUS
  kNumReplayPageKinds,
};

enum replay_segment {
  kSegmentFlat,
  kSegmentLocal,   // of modify_ldt
  kSegmentThread,  // of set_thread_area
  kSegmentNull,
  kSegmentKernelCode,  // selector 23h
};

struct replay_batch {
  uint64_t arena_at, code_at;
  uint64_t seed;  // of the arena's content
  uint32_t num_sites, num_records;
  uint32_t code_is_file;  // 1: of a file, so that `incore run` patches it; 0: writable memory
  uint32_t unused;
};

// At code_at + its number x kReplaySiteLen. Behind the instruction may be what has no effect; then
// the guest puts a jump.
struct replay_site {
  uint8_t len;
  uint8_t bytes[kReplayBytesLen];
};

struct replay_es {
  uint32_t kind;         // of replay_segment
  uint32_t base, limit;  // of struct user_desc, with the next four
  uint8_t in_pages, is_32_bit, read_only, contents;
};

// Overwrites bytes of the arena.
struct replay_poke {
  uint16_t at;
  uint8_t len;
  uint8_t bytes[29];
};

struct replay_record {
  uint64_t registers[kNumReplayRegisters];  // rsp: from 0 to kReplayStackLen
  uint64_t flags;
  uint32_t site;
  uint16_t other_ds;  // 1: DS is a segment that is of no use
  uint16_t mends;     // 1: a handler makes all pages writable, and the instruction goes on
  struct replay_es es;
  uint8_t pages[kReplayPages];
  struct replay_poke pokes[kReplayPokes];
};

struct replay_result {
  uint64_t registers[kNumReplayRegisters];
  uint64_t flags;
  uint64_t rip;  // where the last signal came, of which the next six tell
  uint64_t signal_address, cr2;
  uint32_t signal, code, trapno, error_code;
  uint32_t num_signals;
  uint32_t red_zone_changed;  // bytes below the stack pointer that x86-64 code may keep there
  uint32_t vectors_changed;   // bytes of XMM registers
  uint32_t num_changes;
};

// A word of eight bytes in the arena that is no longer as it was before the pokes.
struct replay_change {
  uint64_t at, word;
};

// The content of the arena, as words.
static inline uint64_t replay_word(uint64_t seed, uint64_t index) {
  uint64_t x = (seed + index) * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

#endif
