// What REP XCRYPTCBC in 32-bit code must leave alone, 1000 times at one site: the registers that it
// does not name, the arithmetic flags and DF, MXCSR, the XMM registers, the x87 stack with its
// control word, and the segment registers with the thread's GS.
#include <stddef.h>

#include "padlock.h"

struct machine {
  uint32_t registers[7];  // in the order of kNames
  uint32_t flags;
  uint32_t segments[6];
  uint32_t mxcsr;
  uint32_t unused;
  uint8_t xmm[8 * 16];
  uint8_t x87[108];  // as FSAVE stores it
};
static const char* const kNames[7] = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP"};

_Static_assert(offsetof(struct machine, flags) == 28 && offsetof(struct machine, segments) == 32 &&
                   offsetof(struct machine, mxcsr) == 56 && offsetof(struct machine, xmm) == 64 &&
                   offsetof(struct machine, x87) == 192,
               "the assembly below names these offsets");

// void run(struct machine* in, struct machine* out). ESP stands 24 bytes below the arguments; EBP,
// the last to be loaded and the first to be stored, points to |in| or |out| otherwise.
void run(const struct machine* in, struct machine* out) __attribute__((visibility("hidden")));
__asm__(
    ".text\n.type run, @function\nrun:\npush %ebx\npush %ebp\npush %esi\npush %edi\n"
    "mov 20(%esp), %ebp\n"
    "ldmxcsr 56(%ebp)\nfrstor 192(%ebp)\n"
    ".irp i,0,1,2,3,4,5,6,7\nmovdqu 64+16*\\i(%ebp), %xmm\\i\n.endr\n"
    "push 28(%ebp)\npopf\n"
    "mov 0(%ebp), %eax\nmov 4(%ebp), %ebx\nmov 8(%ebp), %ecx\nmov 12(%ebp), %edx\n"
    "mov 16(%ebp), %esi\nmov 20(%ebp), %edi\nmov 24(%ebp), %ebp\n"
    ".byte 0xf3, 0x0f, 0xa7, 0xd0\n"
    "push %ebp\nmov 28(%esp), %ebp\npop 24(%ebp)\n"
    "mov %eax, 0(%ebp)\nmov %ebx, 4(%ebp)\nmov %ecx, 8(%ebp)\nmov %edx, 12(%ebp)\n"
    "mov %esi, 16(%ebp)\nmov %edi, 20(%ebp)\npushf\npop 28(%ebp)\ncld\n"
    "mov %cs, 32(%ebp)\nmov %ds, 36(%ebp)\nmov %es, 40(%ebp)\nmov %fs, 44(%ebp)\n"
    "mov %gs, 48(%ebp)\nmov %ss, 52(%ebp)\n"
    "stmxcsr 56(%ebp)\n"
    ".irp i,0,1,2,3,4,5,6,7\nmovdqu %xmm\\i, 64+16*\\i(%ebp)\n.endr\n"
    "fnsave 192(%ebp)\npush $0x1f80\nldmxcsr (%esp)\npop %eax\n"
    "pop %edi\npop %esi\npop %ebp\npop %ebx\nret\n.size run, . - run\n");

int main(void) {
  enum { kFlags = 0xcd5, kBlocks = 4 };  // OF DF SF ZF AF PF CF
  static const struct control_word kControl = {.bits = kRounds10};
  static uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  static struct machine before, after;
  from_hex(key, kSpKey, 16);
  from_hex(in, kSpPlain, 64);
  for (int round = 0; round < 1000; ++round) {
    memset(out, 0, sizeof out);
    memset(&after, 0, sizeof after);
    from_hex(iv, kSpIv, 16);
    for (size_t i = 0; i < sizeof before.xmm; ++i) before.xmm[i] = (uint8_t)(i * 37 + round);
    const uint32_t registers[7] = {(uint32_t)iv, (uint32_t)key, kBlocks,   (uint32_t)&kControl,
                                   (uint32_t)in, (uint32_t)out, 0x5a5a5a5a};
    memcpy(before.registers, registers, sizeof registers);
    before.flags = 2 | (round & 1 ? kFlags : kFlags & 0x555);
    before.mxcsr = 0x7f80;  // round towards zero
    // Eight numbers on the x87 stack, which is full; extended precision, all exceptions masked.
    __asm__ volatile("fninit\nfldpi\nfldl2e\nfldl2t\nfldlg2\nfldln2\nfld1\nfldz\nfldpi\nfnsave %0"
                     : "=m"(before.x87));
    __asm__ volatile(
        "mov %%cs, %0\nmov %%ds, %1\nmov %%es, %2\nmov %%fs, %3\nmov %%gs, %4\n"
        "mov %%ss, %5"
        : "=r"(before.segments[0]), "=r"(before.segments[1]), "=r"(before.segments[2]),
          "=m"(before.segments[3]), "=m"(before.segments[4]), "=m"(before.segments[5]));
    run(&before, &after);

    check_hex("CBC", out, kSpCbc, 64);
    CHECK(after.registers[2] == 0 && after.registers[4] == (uint32_t)in + 64 &&
              after.registers[5] == (uint32_t)out + 64,
          "round %d: ECX, ESI or EDI", round);
    for (int i = 1; i < 7; ++i)
      CHECK(i == 2 || i == 4 || i == 5 || after.registers[i] == before.registers[i],
            "round %d: %s changed", round, kNames[i]);
    CHECK((after.flags & kFlags) == (before.flags & kFlags), "round %d: flags %x became %x", round,
          before.flags, after.flags);
    CHECK(memcmp(after.xmm, before.xmm, sizeof after.xmm) == 0, "round %d: XMM registers", round);
    CHECK(after.mxcsr == before.mxcsr, "round %d: MXCSR is %x", round, after.mxcsr);
    for (int i = 0; i < 6; ++i)
      CHECK((uint16_t)after.segments[i] == (uint16_t)before.segments[i],
            "round %d: segment register %d is %x, was %x", round, i, after.segments[i],
            before.segments[i]);
    // Control, status and tag words, and the numbers; between them is where the last one was
    // loaded.
    CHECK(
        memcmp(after.x87, before.x87, 12) == 0 && memcmp(after.x87 + 28, before.x87 + 28, 80) == 0,
        "round %d: the x87 registers changed", round);
  }
  return 0;
}
