// What the supervisor (outside) and the run-time (inside each program) of `incore run` agree on:
// addresses, the configuration page, the calls from inside to outside, and the shared counters.
//
//   supervisor  the process `incore run`: installs the seccomp filter, answers its notifications,
//               and with ptrace makes each new program image map the run-time
//   run-time    a small image mapped into every program at a fixed address: signal handlers,
//               patching, the processor
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "padlock/model.h"

namespace incore::run {

// The run-time lives at one address in every 64-bit process and at another in every 32-bit one,
// because the filter, which survives exec,
// tells the run-time's own system calls by their address. Nothing else is placed there by Linux,
// nor by AddressSanitizer, ThreadSanitizer or MemorySanitizer, whose layouts leave the range to the
// program.
inline constexpr uint64_t kRuntimeBase64 = 0x7E9000000000;
inline constexpr uint32_t kRuntimeHighWord =
    kRuntimeBase64 >> 32;  // the filter compares this word only
// In a 32-bit program it lies above the heap of executables and below the stack and the libraries.
inline constexpr uint64_t kRuntimeBase32 = 0x7C000000;
inline constexpr uint64_t kRuntimeLen = 0x04000000;
inline constexpr uint32_t kRuntimeMask32 = ~static_cast<uint32_t>(kRuntimeLen - 1);

// What a run-time of this word size uses.
inline constexpr uint64_t kRuntimeBase = sizeof(void*) == 8 ? kRuntimeBase64 : kRuntimeBase32;
// From the base on lies its image, which it may not write: the configuration, the first content of
// its data, and its code.
inline constexpr uint64_t kImageDataOffset = 0x2000;
inline constexpr uint64_t kImageCodeOffset = 0x10000;
inline constexpr size_t kImageLen = 0x100000;
constexpr uint64_t config_address(bool is_32bit) {
  return is_32bit ? kRuntimeBase32 : kRuntimeBase64;
}
inline constexpr uint64_t kStatsAddress = kRuntimeBase + 0x03000000;
inline constexpr uint64_t kWipedAddress =
    kRuntimeBase + 0x03100000;  // zeroed in the child of a fork

inline constexpr size_t kStatsLen = 0x46000;  // most of it the records of `--trace`, unless unused
inline constexpr size_t kSharedLen = kStatsLen + 0x17000;  // behind Stats lies KnownFiles
inline constexpr size_t kWipedLen = 0x9000;

// The memory behind the descriptor of a group of processes: its counters, the files that are known,
// and the images that 64-bit and 32-bit programs map.
constexpr uint64_t image_offset(bool is_32bit) {
  return kSharedLen + (is_32bit ? kImageLen : 0);
}
inline constexpr size_t kGroupMemoryLen = kSharedLen + 2 * kImageLen;

// What the run-time is told. Its layout does not depend on the word size.
struct alignas(8) Config {
  uint64_t runtime_entry;
  uint64_t data_address, data_len;  // of the run-time
  uint64_t data_file_len;           // its first content; zeros follow
  uint64_t rng_seed;
  uint32_t rng_seeded;  // not 0: XSTORE delivers seeded noise; 0: the kernel's random bytes
  uint32_t verbose;
  uint32_t count_model_time;   // InsnStats::model_ticks is wanted
  uint32_t check;              // 1: `--check`
  uint32_t config_len;         // sizeof(Config), the same in both parts
  uint32_t group;              // of which the process is; what it executes next will be, too
  uint64_t skipped_checks;     // bit i: number i of checks() reports nothing
  uint32_t trace;              // 1: `--trace`
  uint32_t trace_keys;         // 1: with the keys themselves
  uint32_t debugged;           // 1: a debugger may attach to the program
  uint32_t emulate_stale_key;  // 1: XCRYPT loads its key only if EFLAGS bit 30 is clear
  char model_name[64];
  padlock::Model model;  // of its pointers only cpuid is valid, in the image: those are rows there
  padlock::CpuidRow rows[padlock::ModelSpec::kMaxRows];
};
static_assert(sizeof(Config) <= kImageDataOffset);

// Calls from the run-time to the supervisor: a system call number that Linux does not use, which
// the filter turns into a notification. Argument 0 says which; the result is a count or a negative
// errno.
inline constexpr uint32_t kCallNumber = 0x1C0DE;
enum class Call : uint64_t {
  // (group) -> a file descriptor of its memory, installed in the caller; to be closed after
  // mapping.
  group_fd = 1,
  // (errno) -> does not return: a new program image could not map the run-time.
  cannot_start = 21,
  // (begin, end, out_addresses, capacity, with_flags) -> number of proved CPUID instructions in the
  // caller's executable file mappings that intersect [begin, end), and of PUSHF, POPF and IRET
  // near PadLock instructions if |with_flags|; their addresses are written to out_addresses
  // (uint64_t[capacity]).
  find_sites = 2,
  // (address, bytes, len <= 8) -> writes the low |len| bytes of |bytes| over the caller's code,
  // whatever its protection.
  write_code = 3,
  // (addresses, count <= kMaxSitesAtOnce, offset, byte) -> at how many of the addresses
  // (uint64_t[count]), from the first on, |byte| was written |offset| behind it, over the caller's
  // code.
  write_bytes = 17,
  // (text, len) -> prints one line of `-v`.
  log = 4,
  // (begin, end) -> 1 if the caller's code there is a private, unwritable mapping of a file, else
  // 0.
  is_stable_code = 5,
  // (address) -> 1 if it is stable code, and proved to be a load of a number into EAX and a system
  // call, else 0.
  is_call_site = 22,
  // (group, O_CLOEXEC or 0) -> a file descriptor of the model's /proc/cpuinfo, installed in the
  // caller.
  cpuinfo_fd = 20,
  // (address) -> 0. Many calls have come to the CPUID at that address, which the supervisor has
  // replaced in the caller's new image: it is to be told of as hot from then on.
  hot_cpuid = 23,
  // The next four are of an `incore run` inside another one: its programs are a group of processes
  // with a configuration, counters and findings of their own, and the outer one supervises them.
  // (config, len) -> the number of a new group.
  open_group = 6,
  // (group) -> 0. What the caller executes next is in it.
  enter_group = 7,
  // (group, out, capacity) -> the length of to_bytes() of its findings; written if there is room.
  findings = 8,
  // (group) -> 0. Its counters and findings are no longer wanted.
  close_group = 9,
  // (address, group) -> the number of that place among those of `--trace`.
  trace_site = 18,
  // (group) -> 0, when records of `--trace` have been taken, so that there is room again.
  take_trace = 19,
  // (report, group) -> index into Stats::finding_counts. The first time that a CheckReport is made
  // there.
  report = 16,
};

// In the upper half of execve's sixth argument, which Linux does not use: the caller, which has no
// run-time, is to execute the first program.
inline constexpr uint32_t kFirstExec = 0x1C0DEE1F;

inline constexpr size_t kMaxSitesAtOnce = 512;
inline constexpr uint8_t kInt3 = 0xCC;  // the instruction that stops who comes to a site

// What replaces CPUID, |offset| behind its beginning: an int3, or the end of UD2 where a debugger
// would take int3 for its own.
struct CpuidTrap {
  size_t offset;
  uint8_t byte;
};
constexpr CpuidTrap cpuid_trap(const Config& config) {
  constexpr uint8_t kUd2SecondByte = 0x0B;  // with CPUID's first
  return config.debugged != 0 ? CpuidTrap{1, kUd2SecondByte} : CpuidTrap{0, kInt3};
}

// Whether XCRYPT's keys are followed: those that silicon would not load anew.
constexpr bool follows_keys(const Config& config) {
  return config.check != 0 || config.emulate_stale_key != 0;
}
// Whether PUSHF, POPF and IRET are replaced too.
constexpr bool replaces_flags_insns(const Config& config) {
  return follows_keys(config) && config.debugged == 0;
}

// What the supervisor tells a new program image, on its stack. The word of 64 bits that ends at the
// initial stack pointer holds the address.
struct alignas(8) StartInfo {
  uint64_t program_entry;              // where the kernel would have started the program
  uint64_t more_from;                  // from where on further instructions may have to be replaced
  uint64_t num_sites;                  // CPUIDs that the supervisor has replaced
  uint64_t num_hot;                    // of those that are executed often
  uint64_t replaced_at, replaced_len;  // the program's code where that of start.S stands now
  uint8_t replaced[48];
  uint64_t hot[16];
  uint64_t sites[kMaxSitesAtOnce];
};
inline constexpr uint64_t kNoMore = ~uint64_t{0};

// A file with the content that it had.
struct alignas(8) FileIdentity {
  uint64_t device, inode, len;  // major number of the device << 32 | minor
  int64_t modified;             // in seconds
  uint32_t modified_nanoseconds;

  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

struct KnownFile {
  FileIdentity identity;
  uint32_t first, num_sites;  // of KnownFiles::sites
};

// The files in which the supervisor has looked for CPUID, so that a process which maps one again
// need not ask. They only ever become more.
struct KnownFiles {
  std::atomic<uint32_t> num_files;
  alignas(8) KnownFile files[512];
  uint64_t sites[8192];  // where the proved instructions are in their file, ascending
};
static_assert(kStatsLen + sizeof(KnownFiles) <= kSharedLen);

// What a check of `--check` has found: padlock/checks/check.h.
struct alignas(8) CheckReport {
  uint64_t rip, operand_address;
  uint64_t rax, rbx, rcx, rdx, rsi, rdi;
  uint8_t check, rule, operand, insn;  // indices into checks(), its rules, Operand and insns()
  uint8_t has_control_word;
  uint8_t control_word[16];  // that of REP XCRYPT
};

// Findings that are told apart; further ones are counted together in the last place.
inline constexpr unsigned kMaxFindings = 256;

// Counters of `--stats`, shared by all processes of a run: one set for each line of insns.def.
enum class StatKind : uint8_t {
#define X(name) name,
#include "padlock/insns.def"
#undef X
  count_,
};
inline constexpr size_t kNumStatKinds = static_cast<size_t>(StatKind::count_);

enum class Tactic : uint8_t {
#define X(name, text, is_jump) name,
#include "run/tactics.def"
#undef X
  count_,
};
inline constexpr size_t kNumTactics = static_cast<size_t>(Tactic::count_);

struct InsnStats {
  std::atomic<uint64_t> patched_calls;  // completed, called from a patched site without a signal
  std::atomic<uint64_t> trapped_calls;  // completed in a signal handler
  std::atomic<uint64_t> traps;          // times that a signal brought the instruction here
  std::atomic<uint64_t> faults;         // ended in a fault of the program: #UD, #GP, #PF
  std::atomic<uint64_t>
      bytes;  // of data: blocks x 16, message bytes, random bytes, operand size of MONTMUL
  std::atomic<uint64_t> model_ticks;  // sixteenths of a clock that the model would have spent
};

// More of them: completed calls of REP XCRYPT from patched sites, of one block each. They are so
// short that a second counter, or one that other processors change too, would take much of their
// time.
struct alignas(64) OneBlockStats {
  std::atomic<uint64_t> calls[kNumStatKinds];
};
inline constexpr size_t kNumOneBlockCounters = 16;

// What `--trace` tells of one call. Digests are the first eight bytes of SHA-256.
struct TraceRecord {
  std::atomic<uint64_t> number;  // from 1 on; another one: not written yet
  uint64_t time;                 // of the time stamp counter, after the call
  uint64_t bytes;                // of data
  uint64_t input, output, key;   // digests
  uint8_t vector[16];
  uint8_t result[16];     // the first block or words that XCRYPT or a hash has written
  uint8_t key_bytes[32];  // with Config::trace_keys
  uint32_t control_word;
  uint32_t site;
  int32_t pid, tid;
  uint8_t insn, key_len;  // an index into insns(); 0: no key
  uint8_t has;            // of TraceHas
  uint8_t done;           // 0: it ended in a fault
};
enum TraceHas : uint8_t {
  kHasInput = 1,
  kHasOutput = 2,
  kHasVector = 4,
  kHasControlWord = 8,
  kHasResult = 16
};

inline constexpr size_t kTraceRecords = 2048;
struct TraceRing {
  std::atomic<uint64_t> claimed;  // records begun
  std::atomic<uint64_t> taken;    // of these, those that the supervisor has taken
  std::atomic<uint64_t> lost;     // for which there was no room
  TraceRecord records[kTraceRecords];
};

struct Stats {
  InsnStats insns[kNumStatKinds];
  OneBlockStats one_block[kNumOneBlockCounters];
  std::atomic<uint64_t> cpuid_calls;
  std::atomic<uint64_t> cpuid_sites;
  std::atomic<uint64_t> sites[kNumTactics];            // PadLock sites that each tactic serves
  std::atomic<uint64_t> images;                        // program images prepared
  std::atomic<uint64_t> own_filters;                   // that programs have installed
  std::atomic<uint64_t> rng_streams;                   // streams of seeded noise given to processes
  std::atomic<uint64_t> finding_counts[kMaxFindings];  // how often each was seen, for `--check`
  TraceRing trace;
};
static_assert(sizeof(Stats) <= kStatsLen);
// Not is_always_lock_free: Clang denies it in i386 code, where a plain uint64_t is aligned to 4.
static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0) &&
              alignof(std::atomic<uint64_t>) == sizeof(uint64_t));

}  // namespace incore::run
