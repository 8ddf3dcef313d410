// Calls a function the way a caller who trusts the ABI does (System V, x86-64), and shows what it
// left behind: the registers that it must preserve, the flags and control words, and the upper
// halves of vector registers, which make SSE code behind it slow where they are not zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace incore::test {

// Read and written by the trampoline, at fixed offsets.
struct AbiCall {
  const void* function;
  uint64_t arguments[8];
  uint64_t result;
  uint64_t kept[6];  // rbx rbp r12 r13 r14 r15, before and after
  uint64_t rsp_before, rsp_after;
  uint64_t flags;
  uint64_t has_avx, has_avx512;
  uint32_t mxcsr_before, mxcsr_after;
  uint8_t x87_environment[32];
  // Of vector register i: bits 128 to 255, then 256 to 511.
  alignas(64) uint8_t upper[16][64];
};

inline uint64_t abi_word(std::nullptr_t) {
  return 0;
}
template <class T>
uint64_t abi_word(T* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}
template <class T>
requires std::is_integral_v<T> uint64_t abi_word(T number) {
  return static_cast<uint64_t>(number);
}

// Calls |function| with |num_arguments| words and returns what is wrong with it, in words; empty if
// nothing is. Defined on x86-64 only.
std::string abi_faults(const void* function, const uint64_t* arguments, size_t num_arguments);

// The same with pointers and integers as arguments; for a reference pass the address.
template <class Function, class... Arguments>
std::string abi_faults_of(Function* function, Arguments... arguments) {
  const uint64_t words[] = {abi_word(arguments)..., 0};
  return abi_faults(reinterpret_cast<const void*>(function), words, sizeof...(arguments));
}

}  // namespace incore::test
