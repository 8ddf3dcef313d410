#include "support/abi_call.h"

#if defined(__x86_64__)
#include <algorithm>
#include <cstring>

#include "cpu/cpu.h"

extern "C" void incore_test_abi_call(incore::test::AbiCall*);
extern "C" {
incore::test::AbiCall* incore_test_abi_current;  // found by the trampoline behind the call
}

// The stack is aligned when |function| is entered, with arguments 7 and 8 on it.
asm(R"(
.pushsection .text
.type incore_test_abi_call, @function
incore_test_abi_call:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  sub $8, %rsp
  mov %rdi, %rax
  mov %rax, incore_test_abi_current(%rip)
  push 64(%rax)
  push 56(%rax)
  mov 80(%rax), %rbx
  mov 88(%rax), %rbp
  mov 96(%rax), %r12
  mov 104(%rax), %r13
  mov 112(%rax), %r14
  mov 120(%rax), %r15
  stmxcsr 168(%rax)
  cmpq $0, 152(%rax)
  je 1f
  vzeroupper
1:
  mov %rsp, 128(%rax)
  mov 8(%rax), %rdi
  mov 16(%rax), %rsi
  mov 24(%rax), %rdx
  mov 32(%rax), %rcx
  mov 40(%rax), %r8
  mov 48(%rax), %r9
  call *(%rax)
  mov incore_test_abi_current(%rip), %r11
  mov %rax, 72(%r11)
  mov %rbx, 80(%r11)
  mov %rbp, 88(%r11)
  mov %r12, 96(%r11)
  mov %r13, 104(%r11)
  mov %r14, 112(%r11)
  mov %r15, 120(%r11)
  mov %rsp, 136(%r11)
  mov 128(%r11), %rsp
  pushfq
  popq 144(%r11)
  cld
  stmxcsr 172(%r11)
  ldmxcsr 168(%r11)
  fnstenv 176(%r11)
  fninit
  cmpq $0, 152(%r11)
  je 3f
  .irp reg, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  vextractf128 $1, %ymm\reg, 256+64*\reg(%r11)
  .endr
  cmpq $0, 160(%r11)
  je 2f
  .irp reg, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
  vextractf64x4 $1, %zmm\reg, 256+64*\reg+16(%r11)
  .endr
2:
  vzeroupper
3:
  add $24, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
.size incore_test_abi_call, . - incore_test_abi_call
.popsection
)");

namespace incore::test {
namespace {

static_assert(offsetof(AbiCall, arguments) == 8 && offsetof(AbiCall, result) == 72);
static_assert(offsetof(AbiCall, kept) == 80 && offsetof(AbiCall, rsp_before) == 128);
static_assert(offsetof(AbiCall, flags) == 144 && offsetof(AbiCall, has_avx) == 152);
static_assert(offsetof(AbiCall, mxcsr_before) == 168 && offsetof(AbiCall, x87_environment) == 176);
static_assert(offsetof(AbiCall, upper) == 256);

constexpr const char* kKeptNames[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
constexpr uint64_t kDirectionFlag = 1 << 10;

}  // namespace

std::string abi_faults(const void* function, const uint64_t* arguments, size_t num_arguments) {
  static AbiCall call;
  std::memset(static_cast<void*>(&call), 0, sizeof call);
  call.function = function;
  std::copy_n(arguments, num_arguments, call.arguments);
  for (size_t i = 0; i < 6; ++i) call.kept[i] = 0x0123456789abcdef * (2 * i + 3);
  const FeatureSet features = detect_features();
  call.has_avx = features.has(Feature::avx2);
  call.has_avx512 = features.has(Feature::avx512);
  incore_test_abi_call(&call);

  std::string faults;
  for (size_t i = 0; i < 6; ++i)
    if (call.kept[i] != 0x0123456789abcdef * (2 * i + 3))
      faults += std::string(kKeptNames[i]) + " changed; ";
  if (call.rsp_before != call.rsp_after) faults += "rsp changed; ";
  if ((call.flags & kDirectionFlag) != 0) faults += "the direction flag is set; ";
  if (call.mxcsr_before != call.mxcsr_after) faults += "MXCSR changed; ";
  uint16_t control, tags;
  std::memcpy(&control, call.x87_environment, 2);
  std::memcpy(&tags, call.x87_environment + 8, 2);
  if (control != 0x037f) faults += "the x87 control word changed; ";
  if (tags != 0xffff) faults += "x87 or MMX registers are in use; ";
  for (size_t i = 0; i < 16; ++i)
    if (std::any_of(call.upper[i], call.upper[i] + 64, [](uint8_t byte) { return byte != 0; }))
      faults += "the upper half of vector register " + std::to_string(i) + " is not zero; ";
  return faults;
}

}  // namespace incore::test
#endif
