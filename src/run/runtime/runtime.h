// Inside the run-time: what its files know of each other. See protocol.h for the picture.
//
// All of this runs inside somebody else's program, most of it in signal handlers: no libc, no
// allocation, no thread-local storage, no static initialisers.
#pragma once

#include <atomic>
#include <cstdint>

#include "padlock/checks/checker.h"
#include "padlock/decode.h"
#include "run/protocol.h"
#include "run/runtime/linux.h"

namespace incore::run {

// The signals that the run-time handles first, whatever the program asks for. It keeps the
// program's own wishes and forwards what is not its own.
inline constexpr int kOwnedSignals[] = {kSigIll, kSigTrap, kSigBus, kSigSegv, kSigSys};
inline constexpr uint64_t kOwnedMask = signal_bit(kSigIll) | signal_bit(kSigTrap) |
                                       signal_bit(kSigBus) | signal_bit(kSigSegv) |
                                       signal_bit(kSigSys);

// Addresses are 64 bits wide in both machines, as the emulated processor's are.
inline uint64_t address_of(const volatile void* p) {
  return reinterpret_cast<Word>(p);
}
template <class T>
inline T* at_address(uint64_t address) {
  return reinterpret_cast<T*>(static_cast<Word>(address));
}

inline const Config& config() {
  return *at_address<const Config>(kRuntimeBase);
}
inline Stats& stats() {
  return *at_address<Stats>(kStatsAddress);
}
inline const KnownFiles& known_files() {
  return *at_address<const KnownFiles>(kStatsAddress + kStatsLen);
}

// For large variables: they lie behind all others, so that what each program needs is in few pages.
#define INCORE_LARGE [[gnu::section(".bss.large")]]

// Random bytes of the kernel, from which a processor's XSTORE takes the last.
struct RandomStock {
  uint64_t len;
  uint8_t bytes[248];
};

inline constexpr size_t kNumThreadSlots = 128;

// Memory that is all zero in the child of a fork, so that locks held by other threads at that
// moment are free there, and no random byte is given twice.
struct Wiped {
  std::atomic<uint32_t> lock;
  std::atomic<int32_t> owner_pid;     // 0: a new address space that nobody has claimed yet
  std::atomic<uint64_t> used_stacks;  // a bit for each
  std::atomic<uint8_t> processors[128];
  std::atomic<uint64_t> rng_stream;                   // of seeded noise, plus 1; 0: none yet
  std::atomic<uint64_t> rng_buffers;                  // taken of it
  std::atomic<int32_t> step_owners[kNumThreadSlots];  // the threads of single_step.cpp; 0: free
  std::atomic<int32_t> key_owners[kNumThreadSlots];   // those of loaded_key.cpp
  RandomStock random_stocks[128];                     // of the processors
};
static_assert(sizeof(Wiped) <= kWipedLen);
inline Wiped& wiped() {
  return *at_address<Wiped>(kWipedAddress);
}

// Held while the table of sites or the program's code is changed. Only taken with all signals
// blocked.
class Lock {
 public:
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

// ---- sites.cpp: what we know of addresses in the program's code ----
enum class SiteState : uint32_t {
  unknown,
  cpuid,       // an int3 of ours stands in place of CPUID; data = 0 or kInNewImage
  flags,       // or of PUSHF, POPF or IRET; data = its bytes
  patching,    // an int3 of ours stands there for a moment; data = its bytes
  jump,        // a jump to a trampoline stands in place of a PadLock instruction
  slow_exit,   // the int3 of a trampoline; data = its trampoline
  breakpoint,  // an int3 of ours stands in place of a PadLock instruction; data = its bytes
  unpatched,   // a PadLock instruction that stays as it is
};
inline constexpr uint64_t kInNewImage = 1;  // the supervisor has put it there
struct SiteInfo {
  SiteState state;
  uint64_t data;
};
// The bytes of an instruction, up to seven, in SiteInfo::data.
struct SiteBytes {
  uint8_t bytes[7];
  uint8_t length;
};
static_assert(sizeof(SiteBytes) == sizeof(SiteInfo::data));
SiteInfo find_site(uint64_t address);
bool set_site(uint64_t address, SiteState state,
              uint64_t data = 0);                 // false: the table is full. Lock held
void forget_sites(uint64_t begin, uint64_t end);  // Lock held

// A byte that a jump before it uses as part of its displacement must not change; whatever else is
// known of it.
bool borrow_byte(uint64_t address);  // false: the table is full. Lock held
void give_byte_back(uint64_t address);
bool is_borrowed(uint64_t address);

struct Trampoline;

// ---- patch.cpp ----
// Replaces the proved CPUID instructions in the program's code in [begin, end), and PUSHF, POPF and
// IRET near PadLock instructions if follows_keys().
void patch_proved(uint64_t begin, uint64_t end);
// What is known of the code in [begin, end), which is gone. Lock held.
void forget_code(uint64_t begin, uint64_t end);
// Makes the program's |call|, mmap of a file's code, so that its CPUIDs are replaced from the
// beginning. False: this needs the supervisor.
bool map_known_file(const uint64_t (&call)[6], long* out_result);
// As patch_proved() everywhere, in a new program image, where the supervisor has begun with it.
void patch_first(const StartInfo& info);
// Replaces the instruction at |address|, which is about to run, if it is of these three. False: it
// cannot be replaced there.
bool patch_flags_insn(uint64_t address);
// Takes that back.
void restore_flags_insn(uint64_t address, const SiteBytes& original);
// Has the PadLock instruction in |bytes| at |address|, which has been executed, served by a tactic.
void patch_padlock(uint64_t address, const uint8_t* bytes, padlock::Encoding encoding);

// A load of a number into EAX, before a system call: "mov $number, %eax". It is served as PadLock
// instructions are, where its system call has often come here.
inline constexpr unsigned kLoadLen = 5;
inline constexpr uint8_t kLoadOpcode = 0xB8;
// Has the proved one at |address| served by a trampoline.
using CodeOfTrampoline = void (*)(uint64_t trampoline, Trampoline* out);
void patch_call_site(uint64_t address, const uint8_t (&load)[kLoadLen],
                     CodeOfTrampoline code_of_trampoline);

// Waits until the site at |address| is not `patching` any more. In the child of a fork, the thread
// that was at it may be missing: then it remains an int3.
void end_patching(uint64_t address);

// A trampoline as seen from C++; its code is drawn in trampoline.h.
struct Trampoline {
  uint8_t code[40 - sizeof(padlock::Encoding)];
  padlock::Encoding encoding;  // of the instruction
  uint64_t entry;
  uint64_t site;
  uint8_t original[8];  // the bytes that the jump replaced
};
static_assert(sizeof(Trampoline) == 64);

// ---- memory.cpp ----
// The program's memory, as the emulated processor sees it.
class LiveMemory final : public padlock::Memory {
 public:
  padlock::Trap read(uint64_t address, void* out, size_t len) override;
  padlock::Trap write(uint64_t address, const void* in, size_t len) override;
  padlock::Trap probe_write(uint64_t address, size_t len) override;
  const uint8_t* readable(uint64_t address, size_t len) override;
  uint8_t* writable(uint64_t address, size_t len) override;

  // The signal and si_code that the kernel gave for the last fault.
  int fault_signal() const { return fault_signal_; }
  int fault_code() const { return fault_code_; }

 private:
  padlock::Trap probe(uint64_t address, size_t len, bool write);
  int fault_signal_ = 0;
  int fault_code_ = 0;
};

// Copies between the run-time and a pointer that the program gave; false: it cannot be accessed.
bool copy_from_program(void* out, uint64_t address, size_t len);
bool copy_to_program(uint64_t address, const void* in, size_t len);

// ---- <machine>/segments.cpp: segments of a program that a signal has stopped ----
padlock::Segment program_es(const KernelUcontext& uc);
// What is executed is code of this machine, and RIP its address: CS begins at 0.
bool runs_own_code(const KernelUcontext& uc);

// ---- execute.cpp ----
// Runs the PadLock instruction in |bytes|, whose address is uc->rip, on the registers in |uc|.
// False: |bytes| is not a PadLock instruction. A fault of the program is left in *out_signal and
// *info; *out_signal is 0 if there was none.
bool execute_in_handler(const uint8_t* bytes, size_t len, KernelUcontext* uc, int* out_signal,
                        KernelSiginfo* info);
// The fault to which a call from a patched site has just come, if that is why it was left to the
// signal handler; uc->rip is the site.
bool fault_of_call(KernelUcontext* uc, int* out_signal, KernelSiginfo* info);
// As execute_in_handler for |bytes| that begin a PadLock instruction and do not end it: there are
// too many prefixes, or its last byte cannot be read. This CPU may call that an invalid opcode.
bool fault_of_unended(const uint8_t* bytes, size_t len, KernelUcontext* uc, int* out_signal,
                      KernelSiginfo* info);
// What Linux reports for a |trap| of the instruction at uc->rip, which is a fault: RF is set in
// what it saves. Returns the signal.
int describe_fault(const padlock::Trap& trap, const LiveMemory& memory, KernelUcontext* uc,
                   KernelSiginfo* info);
padlock::CpuidAnswer guest_cpuid(uint32_t leaf, uint32_t subleaf);
// Does CPUID with the general registers of |frame|.
template <class Frame>
void do_cpuid(Frame* frame) {
  const padlock::CpuidAnswer answer =
      guest_cpuid(static_cast<uint32_t>(frame->rax), static_cast<uint32_t>(frame->rcx));
  frame->rax = answer.eax;
  frame->rbx = answer.ebx;
  frame->rcx = answer.ecx;
  frame->rdx = answer.edx;
  stats().cpuid_calls.fetch_add(1, std::memory_order_relaxed);
}

// ---- random.cpp: what XSTORE delivers ----
// With |stock| the kernel is asked rarely; null: each time.
void use_random_bytes(padlock::Rng& rng, RandomStock* stock);

// ---- model_time.cpp ----
// The time of the instruction that took the registers from |before| to processor.state on the
// model's silicon, in sixteenths of a clock. |done|: it ended without a fault.
uint64_t model_ticks(const padlock::Decoded& decoded, const padlock::Processor& processor,
                     const padlock::State& before, bool done);
// The same for the REP XCRYPT |insn| of one block that |frame| has called for.
uint64_t one_block_ticks(const padlock::Insn* insn, padlock::ControlWord control_word,
                         const FastFrame& frame);

// ---- trace.cpp ----
// A call for `--trace`: what it is given, until it has ended.
struct TracedCall {
  TraceRecord record;
  padlock::Range output;  // as far as it is known before
  padlock::Kind kind;
  const padlock::HostKernels* kernels;
};
// If config().trace, before and after an instruction. |bytes| of data were done.
[[gnu::noinline]] void trace_before(padlock::Processor& processor, const padlock::Decoded& decoded,
                                    LiveMemory& memory, TracedCall* out_call);
[[gnu::noinline]] void trace_after(TracedCall& call, uint64_t site, uint64_t bytes, bool done,
                                   LiveMemory& memory);

// Clears what the work above has left below the caller's frame, on the program's stack: a
// comparison looks there for results that the program has.
[[gnu::noinline]] void clear_stack_below();
inline constexpr size_t kUsedByCall = 3072;

// ---- check.cpp ----
// Shows the instruction that |processor| is about to execute to the checks, if there is `--check`.
// |held| is what silicon would not load anew; null: nothing, or nobody knows.
void check_before(padlock::Processor& processor, const padlock::Decoded& decoded,
                  LiveMemory& memory, const padlock::LoadedKey* held);

// ---- loaded_key.cpp: what silicon would not load anew, while EFLAGS bit 30 is set ----
inline bool follows_keys() {
  return follows_keys(config());
}

// An instruction, from before it executes to its end. If the run emulates stale keys, |processor|
// holds what silicon does.
class FollowedKey {
 public:
  FollowedKey(padlock::Processor& processor, const padlock::Decoded& decoded,
              padlock::Memory& memory, KernelUcontext* uc);
  ~FollowedKey();
  FollowedKey(const FollowedKey&) = delete;
  FollowedKey& operator=(const FollowedKey&) = delete;

  const padlock::LoadedKey* held() const { return held_; }
  // |uc| is where the program goes on, if |completed|, else at the instruction.
  void end(bool completed);

 private:
  padlock::Processor& processor_;
  const padlock::Decoded& decoded_;
  KernelUcontext* uc_;
  const uint64_t site_;
  const padlock::LoadedKey* held_ = nullptr;
  bool loads_ = false;
  padlock::LoadedKey key_;  // that memory has for it, if it |loads_|
};

// Something clears the bit: an exception that goes to the program, or an instruction.
void forget_key(KernelUcontext* uc);
// A SIGSYS of Linux's Syscall User Dispatch; false: it is not ours.
bool on_watched_system_call(KernelUcontext* uc);

// ---- flags_insns.cpp ----
struct FlagsInsn {
  enum Kind : uint8_t { none, pushf, popf, iret } kind;
  uint8_t length, width;  // of the instruction, and of its operands
};
FlagsInsn decode_flags_insn(const uint8_t* bytes, size_t len);
// Does what stands at uc->rip. False, and nothing is changed: it is an IRET to another segment,
// which only the processor can do.
bool execute_flags_insn(const FlagsInsn& insn, padlock::Memory& memory, KernelUcontext* uc,
                        padlock::Trap* out_trap);

// ---- single_step.cpp: what clears the bit and does not come to us by itself ----
// The thread is stepped from the XCRYPT at |site| on.
void begin_window(KernelUcontext* uc, uint64_t site);
enum class Stepping : uint8_t {
  no,           // or not to the end
  all_along,    // and nothing has cleared the bit
  interrupted,  // by a handler of the program
};
Stepping stepping_since_key(const KernelUcontext* uc);
// What clears the bit after |site| does not come to us: only steps show it.
bool is_cleared_unseen(uint64_t site);
void forget_site_histories(uint64_t begin, uint64_t end);
// Looks at what comes next, after the run-time has moved uc->rip: stepping ends before an
// instruction that clears the bit.
void look_ahead(KernelUcontext* uc);
void end_window(KernelUcontext* uc);
// The program has set EFLAGS.TF, not we.
bool steps_itself(const KernelUcontext* uc);
// A SIGTRAP after one instruction; false: it is not ours.
bool on_single_step(KernelUcontext* uc);

// ---- signals.cpp ----
void install_signal_handlers();

// ---- runtime.cpp ----
// A line of `-v`: |text|, then |address| in hexadecimal, then |more| (may be null).
void log_line(const char* text, uint64_t address, const char* more = nullptr);

}  // namespace incore::run

extern "C" const char signal_entry[], signal_restorer[], fast_entry[], cpuid_entry[];
