// clear_traces on x86. All is one block of assembly each: what compilers put between would be left.
#include "crypto/clean/clean_call.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cstdint>

#include "cpu/cpu.h"

#if defined(__x86_64__)
#define SP "%%rsp"
#define NUMBERS "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
#define GENERAL "ecx,edx,esi,edi,r8d,r9d,r10d,r11d"
#define GENERAL_CLOBBERED "rsi", "rdi", "r9", "r10", "r11"
#define TOP_REGISTER __asm__("r8")
#else
#define SP "%%esp"
#define NUMBERS "0,1,2,3,4,5,6,7"
#define GENERAL "ecx,edx"
#define GENERAL_CLOBBERED "cc"
#define TOP_REGISTER __asm__("esi")
#endif

// A function that clears with |zero_64|, which writes 64 zeros to (%[at]), from the caller's frame
// downwards, and then the vector registers with |zero_registers|. The stack pointer goes along, as
// what is below it belongs to signal handlers.
#define CLEAR(name, before, zero_64, zero_registers)                                       \
  INCORE_IN_REGISTERS int name(int status, size_t stack) {                                 \
    uintptr_t at;                                                                          \
    register uintptr_t top TOP_REGISTER;                                                   \
    __asm__ volatile("mov " SP ", %[top]\n\t" before "sub %[stack], " SP                   \
                     "\n\t"                                                                \
                     "and $-64, " SP                                                       \
                     "\n\t"                                                                \
                     "lea -64(%[top]), %[at]\n\t" zero_64                                  \
                     "lea -1(%[top]), %[at]\n\t"                                           \
                     "and $-64, %[at]\n"                                                   \
                     "1:\n\t"                                                              \
                     "sub $64, %[at]\n\t" zero_64 "cmp " SP                                \
                     ", %[at]\n\t"                                                         \
                     "ja 1b\n\t"                                                           \
                     "mov %[top], " SP "\n\t" zero_registers ".irp reg, " GENERAL          \
                     "\n\txor %%\\reg, %%\\reg\n\t.endr\n"                                 \
                     : "+a"(status), [stack] "+c"(stack), [at] "=&d"(at), [top] "=&r"(top) \
                     :                                                                     \
                     : "memory", "cc", GENERAL_CLOBBERED);                                 \
    return status;                                                                         \
  }
#define FOR_EACH(numbers, insn) ".irp n, " numbers "\n\t" insn "\n\t.endr\n\t"

namespace incore {
namespace {

#if defined(__i386__)
CLEAR(clear_i686, "",
      FOR_EACH("0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60", "movl $0, \\n(%[at])"), "")
#endif

CLEAR(clear_sse2, "xorps %%xmm0, %%xmm0\n\t", FOR_EACH("0,16,32,48", "movups %%xmm0, \\n(%[at])"),
      FOR_EACH(NUMBERS, "xorps %%xmm\\n, %%xmm\\n"))

CLEAR(clear_avx, "vxorps %%xmm0, %%xmm0, %%xmm0\n\t",
      FOR_EACH("0,32", "vmovups %%ymm0, \\n(%[at])"),
      FOR_EACH(NUMBERS, "vxorps %%xmm\\n, %%xmm\\n, %%xmm\\n") "vzeroupper\n\t")

#if defined(__x86_64__)
#define UPPER_REGISTERS                                       \
  FOR_EACH("16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31", \
           "vpxord %%xmm\\n, %%xmm\\n, "                      \
           "%%xmm\\n")
#else
#define UPPER_REGISTERS ""
#endif
CLEAR(clear_avx512, "vxorps %%xmm0, %%xmm0, %%xmm0\n\t", "vmovups %%zmm0, (%[at])\n\t",
      FOR_EACH(NUMBERS, "vxorps %%xmm\\n, %%xmm\\n, %%xmm\\n")
          UPPER_REGISTERS FOR_EACH("0,1,2,3,4,5,6,7",
                                   "kxorq %%k\\n, %%k\\n, %%k\\n") "vzeroupper\n\t")

Clear best_clear() {
  const FeatureSet features = detect_features();
  if (features.has(Feature::avx512)) return clear_avx512;
  if (features.has(Feature::avx2)) return clear_avx;
#if defined(__i386__)
  if (!features.has(Feature::sse2)) return clear_i686;
#endif
  return clear_sse2;
}

INCORE_IN_REGISTERS int find_clear(int status, size_t stack) {
  const Clear clear = best_clear();
  clear_traces.store(clear, std::memory_order_relaxed);
  return clear(status, stack);
}

}  // namespace

constinit std::atomic<Clear> clear_traces = find_clear;

}  // namespace incore
#endif
