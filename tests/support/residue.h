// What a call leaves behind: bytes on its stack and in registers that depend on secrets.
//
// A call runs on a stack of its own that was painted before, twice: with secrets that differ, and
// all else the same. Whatever differs afterwards, on the stack or in a register, depends on a
// secret: a key, a round key, keystream, a sum of two of them, in any order of bytes. So nothing
// has to be known of how a kernel keeps its secrets, and no pattern is searched.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace incore::test {

// True where the registers are looked at too. Elsewhere only the stack is.
#if defined(__x86_64__)
inline constexpr bool kSeesRegisters = true;
#else
inline constexpr bool kSeesRegisters = false;
#endif

// False where sanitizers lay out stacks of their own, of which nothing can be said.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSeesStack = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSeesStack = false;
#else
inline constexpr bool kSeesStack = true;
#endif
#else
inline constexpr bool kSeesStack = true;
#endif

// The registers as a call left them, those that this CPU lacks being zero. All were zero before,
// but for those that a call must preserve.
struct LeftRegisters {
  alignas(64) uint8_t vector[32][64];  // zmm0 to zmm31
  alignas(16) uint8_t fxsave[512];     // x87 and MMX; its copy of xmm0 to xmm15 is not looked at
  uint64_t mask[8];                    // k0 to k7
  uint64_t general[16];                // rax rcx rdx rbx rsp rbp rsi rdi r8 to r15
};

struct Residue {
  std::vector<uint8_t> stack;  // from the lowest address to where the call began
  LeftRegisters registers;
};

// Runs |call| on a painted stack.
Residue residue_of(const std::function<void()>& call);

// Where the two differ, in words; empty if they do not.
std::string differences(const Residue& a, const Residue& b);

// Bytes that differ from one number |which| to the next, and are the same for one.
class Secrets {
 public:
  explicit Secrets(uint64_t which) : which_(which), state_(which << 32) {}
  uint64_t which() const { return which_; }
  void fill(void* out, size_t len);

 private:
  uint64_t which_, state_;
};

// What of the secrets |prepare| put in place is left after |call|, in words; empty if nothing is.
// A first run that does not count has what is made once made, such as the choice of a kernel.
std::string left_behind(const std::function<void(Secrets&)>& prepare,
                        const std::function<void()>& call);

}  // namespace incore::test
