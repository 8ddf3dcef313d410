#include "support/residue.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "cpu/cpu.h"

#if defined(__x86_64__)

namespace incore::test {
namespace {

constexpr size_t kGap = 0;  // between the end of the stack and where the call begins

// Read and written by the trampoline, at fixed offsets.
struct ResidueCall {
  void (*function)(void*);
  void* argument;
  uint8_t* stack_end;
  uint64_t own_rsp;
  uint64_t has_avx, has_avx512;
  LeftRegisters left;
};
static_assert(offsetof(ResidueCall, stack_end) == 16 && offsetof(ResidueCall, own_rsp) == 24);
static_assert(offsetof(ResidueCall, has_avx) == 32 && offsetof(ResidueCall, has_avx512) == 40);
static_assert(offsetof(ResidueCall, left) == 64 && offsetof(LeftRegisters, fxsave) == 2048);
static_assert(offsetof(LeftRegisters, mask) == 2560 && offsetof(LeftRegisters, general) == 2624);

}  // namespace
}  // namespace incore::test

extern "C" {
void incore_test_residue_call(incore::test::ResidueCall*);
incore::test::ResidueCall* incore_test_residue_current;  // found by the trampoline behind the call
}

asm(R"(
.pushsection .text
.type incore_test_residue_call, @function
incore_test_residue_call:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rdi, incore_test_residue_current(%rip)
  mov %rsp, 24(%rdi)
  .irp reg, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  xorps %xmm\reg, %xmm\reg
  .endr
  cmpq $0, 32(%rdi)
  je 1f
  vzeroall
  cmpq $0, 40(%rdi)
  je 1f
  .irp reg, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  vpxord %zmm\reg, %zmm\reg, %zmm\reg
  .endr
  .irp reg, 0,1,2,3,4,5,6,7
  kxorq %k\reg, %k\reg, %k\reg
  .endr
1:
  mov 16(%rdi), %rsp
  mov (%rdi), %rax
  mov 8(%rdi), %rdi
  .irp reg, rcx,rdx,rbx,rbp,rsi,r8,r9,r10,r11,r12,r13,r14,r15
  xor %\reg, %\reg
  .endr
  call *%rax
  xchg %rax, incore_test_residue_current(%rip)
  fxsave64 64+2048(%rax)
  mov %rcx, 64+2624+8(%rax)
  mov %rdx, 64+2624+16(%rax)
  mov %rbx, 64+2624+24(%rax)
  mov %rsp, 64+2624+32(%rax)
  mov %rbp, 64+2624+40(%rax)
  mov %rsi, 64+2624+48(%rax)
  mov %rdi, 64+2624+56(%rax)
  mov %r8, 64+2624+64(%rax)
  mov %r9, 64+2624+72(%rax)
  mov %r10, 64+2624+80(%rax)
  mov %r11, 64+2624+88(%rax)
  mov %r12, 64+2624+96(%rax)
  mov %r13, 64+2624+104(%rax)
  mov %r14, 64+2624+112(%rax)
  mov %r15, 64+2624+120(%rax)
  mov incore_test_residue_current(%rip), %rcx
  mov %rcx, 64+2624(%rax)
  emms
  cmpq $0, 40(%rax)
  je 2f
  .irp reg, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  vmovdqu64 %zmm\reg, 64+64*\reg(%rax)
  .endr
  .irp reg, 0,1,2,3,4,5,6,7
  kmovq %k\reg, 64+2560+8*\reg(%rax)
  .endr
  vzeroupper
  jmp 4f
2:
  cmpq $0, 32(%rax)
  je 3f
  .irp reg, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  vmovdqu %ymm\reg, 64+64*\reg(%rax)
  .endr
  vzeroupper
  jmp 4f
3:
  .irp reg, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  movups %xmm\reg, 64+64*\reg(%rax)
  .endr
4:
  mov 24(%rax), %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
.size incore_test_residue_call, . - incore_test_residue_call
.popsection
)");

namespace incore::test {
namespace {

void run_on(uint8_t* stack_end, void (*function)(void*), void* argument, LeftRegisters* out_left) {
  alignas(64) static ResidueCall call;
  std::memset(static_cast<void*>(&call), 0, sizeof call);
  call.function = function;
  call.argument = argument;
  call.stack_end = stack_end;
  call.has_avx = detect_features().has(Feature::avx2);
  call.has_avx512 = detect_features().has(Feature::avx512);
  incore_test_residue_call(&call);
  *out_left = call.left;
}

}  // namespace
}  // namespace incore::test

#else
#include <ucontext.h>

namespace incore::test {
namespace {

struct {
  ucontext_t outside, inside;
  void (*function)(void*);
  void* argument;
} current;

// What the switches between stacks write, and the test's own registers that are saved there, must
// not be taken for what the call left: so the call begins deeper.
constexpr size_t kGap = 4096;

[[gnu::noinline]] void call_deeper() {
  uint8_t gap[kGap];
  asm volatile("" : : "r"(gap) : "memory");
#if defined(__i386__)
  asm volatile("xor %%esi, %%esi\n\txor %%edi, %%edi" : : : "esi", "edi", "cc");
#elif defined(__powerpc64__)
  asm volatile(
      ".irp reg, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n\tli \\reg, 0\n\t.endr\n\t"
      "mtcrf 0x38, 14"  // a compiler may keep truth values there
      :
      :
      : "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26",
        "r27", "r28", "r29", "r30", "cr2", "cr3", "cr4");
#endif
  current.function(current.argument);
  asm volatile("" : : "r"(gap) : "memory");
}

void enter() {
  call_deeper();
  swapcontext(&current.inside, &current.outside);
}

void run_on(uint8_t* stack_end, void (*function)(void*), void* argument, LeftRegisters* out_left) {
  constexpr size_t kReach = 1 << 16;
  std::memset(static_cast<void*>(out_left), 0, sizeof *out_left);
  getcontext(&current.inside);
  current.inside.uc_stack.ss_sp = stack_end - kReach;
  current.inside.uc_stack.ss_size = kReach;
  current.inside.uc_link = nullptr;
  current.function = function;
  current.argument = argument;
  makecontext(&current.inside, enter, 0);
  swapcontext(&current.outside, &current.inside);
}

}  // namespace
}  // namespace incore::test

#endif

namespace incore::test {
namespace {

constexpr size_t kStackLen = 1 << 16;
constexpr uint8_t kPaint = 0xA5;

std::string hex_of(const uint8_t* bytes, size_t len) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < len; ++i) text += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  return text;
}

// Describes the bytes from the first that differs to the last, if there are any.
void compare(const std::string& place, const void* a, const void* b, size_t len,
             std::string* inout_text) {
  const auto* const x = static_cast<const uint8_t*>(a);
  const auto* const y = static_cast<const uint8_t*>(b);
  size_t first = 0, last = len;
  while (first < len && x[first] == y[first]) ++first;
  if (first == len) return;
  while (x[last - 1] == y[last - 1]) --last;
  *inout_text += place + " " + hex_of(x + first, std::min<size_t>(last - first, 64)) + "; ";
}

}  // namespace

Residue residue_of(const std::function<void()>& call) {
  alignas(64) static uint8_t memory[kStackLen];
  std::memset(memory, kPaint, kStackLen);
  Residue residue;
  run_on(
      memory + kStackLen,
      [](void* argument) { (*static_cast<const std::function<void()>*>(argument))(); },
      const_cast<void*>(static_cast<const void*>(&call)), &residue.registers);
  residue.stack.assign(memory, memory + kStackLen - kGap);
  return residue;
}

std::string differences(const Residue& a, const Residue& b) {
  std::string text;
  constexpr size_t kLine = 64;
  size_t num_lines = 0;
  for (size_t i = 0; i < a.stack.size() && num_lines < 8; i += kLine) {
    const size_t before = text.size();
    compare("stack at -" + std::to_string(a.stack.size() - i) + ":", &a.stack[i], &b.stack[i],
            kLine, &text);
    num_lines += text.size() != before;
  }
  for (size_t i = 0; i < 32; ++i)
    compare("vector register " + std::to_string(i) + ":", a.registers.vector[i],
            b.registers.vector[i], 64, &text);
  for (size_t i = 0; i < 8; ++i)
    compare("mask register " + std::to_string(i) + ":", &a.registers.mask[i], &b.registers.mask[i],
            8, &text);
  for (size_t i = 0; i < 8; ++i)
    compare("MMX register " + std::to_string(i) + ":", a.registers.fxsave + 32 + 16 * i,
            b.registers.fxsave + 32 + 16 * i, 10, &text);
  constexpr const char* kNames[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                    "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
  for (size_t i = 0; i < 16; ++i)
    compare(std::string(kNames[i]) + ":", &a.registers.general[i], &b.registers.general[i], 8,
            &text);
  return text;
}

void Secrets::fill(void* out, size_t len) {
  auto* const bytes = static_cast<uint8_t*>(out);
  for (size_t i = 0; i < len; ++i) {  // splitmix64, a byte of each
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    bytes[i] = static_cast<uint8_t>(z >> 56);
  }
}

std::string left_behind(const std::function<void(Secrets&)>& prepare,
                        const std::function<void()>& call) {
  std::array<Residue, 2> residues;
  for (const uint64_t which : {1, 1, 2}) {
    Secrets secrets(which);
    prepare(secrets);
    residues[which - 1] = residue_of(call);
  }
  return differences(residues[0], residues[1]);
}

}  // namespace incore::test
