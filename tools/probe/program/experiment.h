// An experiment: what is done, as data. experiments/*.c have tables of them, one row each; a row
// names the clause of docs/clauses/padlock.tsv that it observes.
#pragma once

#include <stdint.h>

#include "tools/probe/program/areas.h"
#include "tools/probe/program/run.h"

enum StepKind { kEnd, kPut, kRun, kTry, kCpuid, kReadMsr, kWriteMsr };

struct Step {
  enum StepKind kind;
  const char* hex;      // kPut: bytes for memory; kRun, kTry: code
  uint32_t at;          // kPut: their address; else a leaf of CPUID or an MSR
  struct Registers in;  // kRun, kTry; kCpuid, kReadMsr: which bits
  uint32_t clear, set;  // kWriteMsr: bits of what it holds
};

// How often an experiment is done, and what it needs.
enum {
  kRandom = 1 << 0,  // what is written is random: only where it is written is recorded
  kNeedsLow = 1 << 1,
  kNeedsMsrWrites = 1 << 2,
};

struct Experiment {
  const char* clause;
  const char* name;  // tells those of one clause apart
  int flags;
  const struct Step* steps;  // kEnd comes last
};

// PUT(address, "0a1b"): bytes into memory. Memory is as areas.h says before.
#define PUT(address, bytes) \
  { .kind = kPut, .hex = bytes, .at = (uint32_t)(address) }
// RUN("f30fa7c8", .eax = ...): code with these registers, the others 0.
#define RUN(code, ...)                               \
  {                                                  \
    .kind = kRun, .hex = code, .in = { __VA_ARGS__ } \
  }
// The same, where all that matters is whether there is such an instruction now.
#define TRY(code, ...)                               \
  {                                                  \
    .kind = kTry, .hex = code, .in = { __VA_ARGS__ } \
  }
// ASK_CPUID(leaf, .edx = 0x0C): of each register the bits that are named.
#define ASK_CPUID(leaf, ...)                          \
  {                                                   \
    .kind = kCpuid, .at = leaf, .in = { __VA_ARGS__ } \
  }
#define ALL_BITS 0xFFFFFFFF
// Bits of the lower half, and whether the MSR exists.
#define READ_MSR(msr, bits)                             \
  {                                                     \
    .kind = kReadMsr, .at = msr, .in = {.eax = (bits) } \
  }
// The MSR with bits |off| cleared and |on| set; it is set back when the experiment has ended.
#define WRITE_MSR(msr, off, on) \
  { .kind = kWriteMsr, .at = msr, .clear = off, .set = on }

// EXPERIMENT(clause, name, flags, steps...)
#define EXPERIMENT(id, what, how, ...)                                         \
  {                                                                            \
    .clause = id, .name = what, .flags = how, .steps = (const struct Step[]) { \
      __VA_ARGS__, LAST                                                        \
    }                                                                          \
  }
#define LAST \
  { .kind = kEnd }

// Registers of the instructions, as most rows use them.
#define XCRYPT_REGISTERS(blocks) \
  .eax = kVector, .ebx = kKey, .ecx = (blocks), .edx = kControl, .esi = kIn, .edi = kOut
#define XSHA_REGISTERS(count) .ecx = (count), .esi = kIn, .edi = kOut
#define MONTMUL_REGISTERS(bits) .ecx = (bits), .esi = kContext

#define XSTORE "0fa7c0"
#define REP_XSTORE "f30fa7c0"
#define XCRYPT_ECB "f30fa7c8"
#define XCRYPT_CBC "f30fa7d0"
#define XCRYPT_CTR "f30fa7d8"
#define XCRYPT_CFB "f30fa7e0"
#define XCRYPT_OFB "f30fa7e8"
#define XSHA1 "f30fa6c8"
#define XSHA256 "f30fa6d0"
#define XSHA384 "f30fa6d8"
#define XSHA512 "f30fa6e0"
#define MONTMUL "f30fa6c0"
#define CCS_HASH "f30fa6e8"
#define CCS_ENCRYPT "f30fa7f0"

// The tables, each ended by a row without a clause; the list by null.
extern const struct Experiment* const kExperimentTables[];

int has_experiments(const char* clause);

// Does those that |only| names by clause (null: all) but those of |num_skipped| clauses, and writes
// them to the document. |tells|: names each on standard error before.
struct ExperimentOptions {
  const char* only;
  const char* const* skipped;
  int num_skipped, writes_msrs, tells;
};
void write_experiments(const struct ExperimentOptions* options);
