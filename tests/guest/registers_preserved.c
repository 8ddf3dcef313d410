// What REP XCRYPTCBC must leave alone, 1000 times at one site: the registers that it does not name,
// the arithmetic flags and DF (set, which has no influence: guide, 3.1), MXCSR, the vector
// registers at full width, and the 128 bytes below RSP that the ABI gives to leaf functions (System
// V AMD64 ABI, 3.2.2).
#include <stddef.h>

#include "padlock.h"

enum { kVectorSse = 16, kVectorAvx = 32, kVectorAvx512 = 64 };  // bytes of each vector register

// In the order of |kNames|; what the code below loads before and stores behind the instruction.
struct machine {
  uint64_t registers[15];  // all but RSP
  uint64_t flags;
  uint64_t red_zone[16];
  uint8_t vectors[32 * 64];
  uint64_t masks[8];
  uint32_t mxcsr;
};
static const char* const kNames[15] = {"RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "R8",
                                       "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};

__attribute__((visibility("hidden"))) struct machine machine_in ALIGNED16, machine_out ALIGNED16;
__attribute__((visibility("hidden"))) uint64_t machine_rsp;

// Offsets in struct machine: registers 0, flags 120, red zone 128, vectors 256, masks 2304, mxcsr
// 2368.
_Static_assert(offsetof(struct machine, flags) == 120 &&
                   offsetof(struct machine, red_zone) == 128 &&
                   offsetof(struct machine, vectors) == 256 &&
                   offsetof(struct machine, masks) == 2304 &&
                   offsetof(struct machine, mxcsr) == 2368,
               "the assembly below names these offsets");

#define SIXTEEN "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
#define SECOND_SIXTEEN "16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
#define LOAD_SSE ".irp i," SIXTEEN "\nmovdqu machine_in+256+16*\\i(%rip), %xmm\\i\n.endr\n"
#define STORE_SSE ".irp i," SIXTEEN "\nmovdqu %xmm\\i, machine_out+256+16*\\i(%rip)\n.endr\n"
#define LOAD_AVX ".irp i," SIXTEEN "\nvmovdqu machine_in+256+32*\\i(%rip), %ymm\\i\n.endr\n"
#define STORE_AVX ".irp i," SIXTEEN "\nvmovdqu %ymm\\i, machine_out+256+32*\\i(%rip)\n.endr\n"
#define LOAD_AVX512                                           \
  ".irp i," SIXTEEN "," SECOND_SIXTEEN                        \
  "\nvmovdqu64 machine_in+256+64*\\i(%rip), %zmm\\i\n.endr\n" \
  ".irp i,0,1,2,3,4,5,6,7\nkmovq machine_in+2304+8*\\i(%rip), %k\\i\n.endr\n"
#define STORE_AVX512                                           \
  ".irp i," SIXTEEN "," SECOND_SIXTEEN                         \
  "\nvmovdqu64 %zmm\\i, machine_out+256+64*\\i(%rip)\n.endr\n" \
  ".irp i,0,1,2,3,4,5,6,7\nkmovq %k\\i, machine_out+2304+8*\\i(%rip)\n.endr\n"

// The red zone is filled and read with MOV, which leaves the flags alone. RSP is saved because
// every register is in use.
#define RUN_MACHINE(name, load_vectors, store_vectors)                                             \
  void name(void) __attribute__((visibility("hidden")));                                           \
  __asm__(".text\n.type " #name ", @function\n" #name                                              \
          ":\n"                                                                                    \
          "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"                     \
          "mov %rsp, machine_rsp(%rip)\nldmxcsr machine_in+2368(%rip)\n" load_vectors              \
          "push machine_in+120(%rip)\npopf\n"                                                      \
          ".irp i," SIXTEEN                                                                        \
          "\nmov machine_in+128+8*\\i(%rip), %rax\nmov %rax, -128+8*\\i(%rsp)\n.endr\n"            \
          "mov machine_in+0(%rip), %rax\nmov machine_in+8(%rip), %rbx\nmov machine_in+16(%rip), "  \
          "%rcx\n"                                                                                 \
          "mov machine_in+24(%rip), %rdx\nmov machine_in+32(%rip), %rsi\nmov "                     \
          "machine_in+40(%rip), %rdi\n"                                                            \
          "mov machine_in+48(%rip), %rbp\nmov machine_in+56(%rip), %r8\nmov machine_in+64(%rip), " \
          "%r9\n"                                                                                  \
          "mov machine_in+72(%rip), %r10\nmov machine_in+80(%rip), %r11\nmov "                     \
          "machine_in+88(%rip), %r12\n"                                                            \
          "mov machine_in+96(%rip), %r13\nmov machine_in+104(%rip), %r14\nmov "                    \
          "machine_in+112(%rip), %r15\n"                                                           \
          ".byte 0xf3, 0x0f, 0xa7, 0xd0\n"                                                         \
          "mov %rax, machine_out+0(%rip)\nmov %rbx, machine_out+8(%rip)\nmov %rcx, "               \
          "machine_out+16(%rip)\n"                                                                 \
          "mov %rdx, machine_out+24(%rip)\nmov %rsi, machine_out+32(%rip)\nmov %rdi, "             \
          "machine_out+40(%rip)\n"                                                                 \
          "mov %rbp, machine_out+48(%rip)\nmov %r8, machine_out+56(%rip)\nmov %r9, "               \
          "machine_out+64(%rip)\n"                                                                 \
          "mov %r10, machine_out+72(%rip)\nmov %r11, machine_out+80(%rip)\nmov %r12, "             \
          "machine_out+88(%rip)\n"                                                                 \
          "mov %r13, machine_out+96(%rip)\nmov %r14, machine_out+104(%rip)\nmov %r15, "            \
          "machine_out+112(%rip)\n"                                                                \
          ".irp i," SIXTEEN                                                                        \
          "\nmov -128+8*\\i(%rsp), %rax\nmov %rax, machine_out+128+8*\\i(%rip)\n.endr\n"           \
          "lea -128(%rsp), %rsp\npushf\npop machine_out+120(%rip)\ncld\n" store_vectors            \
          "stmxcsr machine_out+2368(%rip)\nldmxcsr machine_usual_mxcsr(%rip)\nmov "                \
          "machine_rsp(%rip), %rsp\n"                                                              \
          "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n.size " #name          \
          ", . - " #name "\n")

__attribute__((visibility("hidden"))) const uint32_t machine_usual_mxcsr = 0x1f80;
RUN_MACHINE(run_sse, LOAD_SSE, STORE_SSE);
RUN_MACHINE(run_avx, LOAD_AVX, STORE_AVX "vzeroupper\n");
RUN_MACHINE(run_avx512, LOAD_AVX512, STORE_AVX512 "vzeroupper\n");

// What the real CPU has: CPUID shows the emulated one. The kernel's list is that of the real one.
static int vector_bytes(void) {
  char line[8192];
  int bytes = kVectorSse;
  FILE* file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "flags", 5) != 0) continue;
    if (strstr(line, " avx ")) bytes = kVectorAvx;
    if (strstr(line, " avx512f ") && strstr(line, " avx512bw ")) bytes = kVectorAvx512;
    break;
  }
  if (file) fclose(file);
  return bytes;
}

int main(void) {
  enum {
    kFlags = 0xcd5,
    kRax = 0,
    kRcx = 2,
    kRsi = 4,
    kRdi = 5,
    kBlocks = 4
  };  // OF DF SF ZF AF PF CF
  static const struct control_word kControl = {.bits = kRounds10};
  static uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
  const int bytes = vector_bytes();
  from_hex(key, kSpKey, 16);
  from_hex(iv, kSpIv, 16);
  from_hex(in, kSpPlain, 64);
  for (int round = 0; round < 1000; ++round) {
    memset(out, 0, sizeof out);
    uint8_t* const all = (uint8_t*)&machine_in;
    for (size_t i = 0; i < sizeof machine_in; ++i) all[i] = (uint8_t)(i * 37 + (size_t)round);
    const uint64_t named[6] = {(uintptr_t)iv,        (uintptr_t)key, kBlocks,
                               (uintptr_t)&kControl, (uintptr_t)in,  (uintptr_t)out};
    memcpy(machine_in.registers, named, sizeof named);
    machine_in.flags = 2 | (round & 1 ? kFlags : kFlags & 0x555);
    machine_in.mxcsr = 0x7f80;  // round towards zero
    reload_key();
    if (bytes == kVectorAvx512)
      run_avx512();
    else if (bytes == kVectorAvx)
      run_avx();
    else
      run_sse();

    check_hex("CBC", out, kSpCbc, 64);
    const struct machine *before = &machine_in, *after = &machine_out;
    for (int i = 0; i < 15; ++i) {
      if (i == kRax || i == kRcx || i == kRsi || i == kRdi) continue;
      CHECK(after->registers[i] == before->registers[i], "round %d: %s changed", round, kNames[i]);
    }
    CHECK(after->registers[kRcx] == 0 && after->registers[kRsi] == (uintptr_t)in + 64 &&
              after->registers[kRdi] == (uintptr_t)out + 64,
          "round %d: RCX, RSI or RDI", round);
    CHECK((after->flags & kFlags) == (before->flags & kFlags), "round %d: flags %llx became %llx",
          round, (unsigned long long)before->flags, (unsigned long long)after->flags);
    CHECK(memcmp(after->red_zone, before->red_zone, sizeof after->red_zone) == 0,
          "round %d: the red zone changed", round);
    const int num_vectors = bytes == kVectorAvx512 ? 32 : 16;
    for (int i = 0; i < num_vectors; ++i)
      CHECK(memcmp(after->vectors + bytes * i, before->vectors + bytes * i, (size_t)bytes) == 0,
            "round %d: vector register %d (of %d bytes) changed", round, i, bytes);
    CHECK(bytes < kVectorAvx512 || memcmp(after->masks, before->masks, sizeof after->masks) == 0,
          "round %d: a mask register changed", round);
    CHECK(after->mxcsr == before->mxcsr, "round %d: MXCSR is %x", round, after->mxcsr);
  }
  return 0;
}
