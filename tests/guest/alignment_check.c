// With EFLAGS.AC set a misaligned store of XSTORE is an alignment check as that of any instruction:
// SIGBUS where it happens, with registers that show the bytes delivered before (guide, 2.1). And a
// stack pointer that is misaligned does not matter, since no PadLock instruction uses the stack.
#include "site.h"

enum { kFlags = kEflagsAc | 2 };

#define CLEAR_FLAGS "push $2\npopf"
PADLOCK_CODE_AFTER(one, SET_FLAGS, "0x0f, 0xa7, 0xc0", CLEAR_FLAGS);
PADLOCK_CODE_AFTER(some, SET_FLAGS, "0xf3, 0x0f, 0xa7, 0xc0", CLEAR_FLAGS);
PADLOCK_CODE_AFTER(move, SET_FLAGS, "0x89, 0x07", CLEAR_FLAGS);  // MOV of EAX to where EDI points
#define SHIFT_STACK "\nlea 1(%" SP "), %" SP
#define SHIFT_BACK "lea -1(%" SP "), %" SP "\n"
PADLOCK_CODE_AFTER(on_odd_stack, SET_FLAGS SHIFT_STACK, XCRYPT_ECB, SHIFT_BACK CLEAR_FLAGS);

static struct {
  int num, code;
  void* address;
  unsigned long trap, error, flags;
  uint64_t rip;
  struct registers registers;
} fault;
static const void* next;

static void on_fault(int number, siginfo_t* info, void* context) {
  end_alignment_checks();
  (void)number;
  ucontext_t* uc = context;
  ++fault.num;
  fault.code = info->si_code;
  fault.address = info->si_addr;
  fault.trap = (unsigned long)uc->uc_mcontext.gregs[REG_TRAPNO];
  fault.error = (unsigned long)uc->uc_mcontext.gregs[REG_ERR];
  fault.flags = (unsigned long)uc->uc_mcontext.gregs[REG_EFL];
  fault.rip = rip_at(uc);
  fault.registers = registers_at(uc);
  resume_at(uc, next);
}

int main(void) {
  static uint8_t out[64] ALIGNED16;
  catch_signal(SIGBUS, on_fault, 0);

  struct registers store = {.rdi = (uintptr_t)out + 1, .r8 = kFlags};
  next = move_next;
  move(&store);
  CHECK(fault.num == 1, "%d faults of MOV", fault.num);
  const int code = fault.code;
  void* const address = fault.address;
  const unsigned long trap = fault.trap, error = fault.error;

  for (int round = 0; round < 20; ++round) {
    // clause: PLK-RNG-021
    struct registers r = {.rdi = (uintptr_t)out, .r8 = kFlags};
    fault.num = 0;
    one(&r);
    CHECK(fault.num == 0 && r.rdi == (uintptr_t)out + 8, "an aligned XSTORE");
    r = (struct registers){.rdi = (uintptr_t)out + 2, .r8 = 2};
    one(&r);
    CHECK(fault.num == 0 && r.rdi == (uintptr_t)out + 10, "a misaligned XSTORE without AC");

    r = (struct registers){.rdi = (uintptr_t)out + 2, .r8 = kFlags};
    next = one_next;
    one(&r);
    CHECK(fault.num == 1 && fault.rip == (uintptr_t)one_instruction, "a misaligned XSTORE");
    CHECK(fault.registers.rdi == (uintptr_t)out + 2, "EDI moved");
    CHECK(fault.code == code && fault.address == address && fault.trap == trap &&
              fault.error == error && (fault.flags & kEflagsAc) != 0,
          "code %d, address %p, trap %lu, error %lu, flags %#lx", fault.code, fault.address,
          fault.trap, fault.error, fault.flags);

    // One byte for each step: the second store is at an odd address.
    r = (struct registers){.rcx = 3, .rdx = 3, .rdi = (uintptr_t)out, .r8 = 2};
    some(&r);
    CHECK(fault.num == 1 && r.rcx == 0, "REP XSTORE without AC");
    r = (struct registers){.rcx = 3, .rdx = 3, .rdi = (uintptr_t)out, .r8 = kFlags};
    next = some_next;
    some(&r);
    CHECK(fault.num == 2 && fault.rip == (uintptr_t)some_instruction, "REP XSTORE");
    CHECK(fault.registers.rcx == 2 && fault.registers.rdi == (uintptr_t)out + 1,
          "ECX and EDI of REP XSTORE");

    static struct control_word control = {.bits = kRounds10};
    static uint8_t key[16] ALIGNED16, in[64] ALIGNED16;
    from_hex(key, kSpKey, 16);
    from_hex(in, kSpPlain, 64);
    memset(out, 0, sizeof out);
    r = (struct registers){
        0, (uintptr_t)key, 4, (uintptr_t)&control, (uintptr_t)in, (uintptr_t)out, kFlags};
    on_odd_stack(&r);
    check_hex("ECB", out, kSpEcb, 64);
    CHECK(fault.num == 2 && r.rcx == 0, "a misaligned stack pointer");
  }
  return 0;
}
