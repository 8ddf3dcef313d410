#include "tools/probe/program/run.h"

#include "tools/probe/program/areas.h"
#include "tools/probe/program/sys.h"

// What start.S uses.
extern const uint8_t run_end[], run_stopped[];
void run_code(void);
void signal_return(void);
struct Registers run_registers;
uint32_t run_start, run_stack, run_eflags;

// Signal frames of i386 Linux.
struct Context {
  uint32_t flags, link, stack[3];
  uint32_t gs, fs, es, ds;
  uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
  uint32_t trapno, err, eip, cs, eflags, esp_at_signal, ss, fpstate, oldmask, cr2;
};
struct Info {
  int number, error, code;
  uint32_t address;
};
struct Action {
  void (*handler)(int, const struct Info*, struct Context*);
  unsigned long flags;
  void (*restorer)(void);
  uint32_t mask[2];
};
enum { kRtSigaction = 174, kSigaltstack = 186 };
enum { kSiginfo = 4, kRestorer = 0x04000000, kOnStack = 0x08000000, kNodefer = 0x40000000 };
enum {
  kTrapFlag = 1 << 8,
  kDirectionFlag = 1 << 10,
  kResumeFlag = 1 << 16,
  kAlignmentCheck = 1 << 18
};
enum { kSecondsOfCode = 3, kSlotLen = kMaxCode + 8, kNumSlots = kCodeLen / kSlotLen };

static volatile int is_running, is_guarded, guard_signal;
static struct Outcome outcome;
static void* guard_place[5];  // of __builtin_setjmp
static uint8_t signal_stack[16384] __attribute__((aligned(16)));

static void leave_guard(void) {
  __builtin_longjmp(guard_place, 1);
}

static void on_signal(int number, const struct Info* info, struct Context* context) {
  context->eflags &= ~(uint32_t)(kTrapFlag | kDirectionFlag | kAlignmentCheck);
  if (is_running) {
    is_running = 0;
    run_registers = (struct Registers){context->eax, context->ebx, context->ecx,
                                       context->edx, context->esi, context->edi};
    run_eflags = context->eflags & ~(uint32_t)kResumeFlag;  // which faults set in the image
    outcome.signal = number;
    outcome.signal_code = info->code;
    outcome.offset = context->eip - run_start;
    if (number != kSigalrm) {
      outcome.vector = context->trapno;
      outcome.error = context->err;
      outcome.address = context->trapno == kPageFault ? context->cr2 : 0;
    }
    context->eip = (uint32_t)(uintptr_t)run_stopped;
  } else if (is_guarded) {
    is_guarded = 0;
    guard_signal = number;
    context->eip = (uint32_t)(uintptr_t)leave_guard;
  } else if (number != kSigalrm) {
    sys_call(252, 128 + number, 0, 0, 0, 0, 0);  // our own mistake
  }
}

long run_prepare(void) {
  const uint32_t stack[3] = {(uint32_t)(uintptr_t)signal_stack, 0, sizeof signal_stack};
  sys_call(kSigaltstack, (long)stack, 0, 0, 0, 0, 0);
  const struct Action action = {.handler = on_signal,
                                .flags = kSiginfo | kRestorer | kOnStack | kNodefer,
                                .restorer = signal_return,
                                .mask = {0, 0}};
  static const int kCaught[] = {kSigill, kSigtrap, kSigbus, kSigfpe, kSigsegv, kSigalrm};
  for (size_t i = 0; i < sizeof kCaught / sizeof kCaught[0]; ++i)
    sys_call(kRtSigaction, kCaught[i], (long)&action, 0, sizeof action.mask, 0, 0);
  return sys_map_at(kCode, kCodeLen, 1 | 2 | 4);
}

struct Outcome run_bytes(uint32_t slot, const uint8_t* code, size_t len,
                         struct Registers registers) {
  run_start = kCode + slot % kNumSlots * kSlotLen;
  uint8_t* const place = (uint8_t*)run_start;
  memcpy(place, code, len);
  const uint32_t distance = (uint32_t)(uintptr_t)run_end - (run_start + (uint32_t)len + 5);
  place[len] = 0xE9;  // JMP
  memcpy(place + len + 1, &distance, sizeof distance);

  outcome = (struct Outcome){.signal = 0};
  run_registers = registers;
  sys_alarm(kSecondsOfCode);
  is_running = 1;
  run_code();
  is_running = 0;
  sys_alarm(0);
  outcome.after = run_registers;
  outcome.eflags = run_eflags;
  return outcome;
}

int run_guarded(void (*work)(void), uint32_t seconds) {
  guard_signal = 0;
  if (__builtin_setjmp(guard_place) == 0) {
    is_guarded = 1;
    sys_alarm(seconds);
    work();
  }
  is_guarded = 0;
  sys_alarm(0);
  return guard_signal;
}
