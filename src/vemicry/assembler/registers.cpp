// Names of registers: those of the MIPS o32 convention, numbers, and v0, v1 ... of the vector unit.
// v0 and v1 are both: the place where a register stands tells which is meant.
#include "vemicry/assembler/assembler.h"

namespace incore::vemicry {
namespace {

constexpr std::string_view kNames[32] = {
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2",
    "t3",   "t4", "t5", "t6", "t7", "s0", "s1", "s2", "s3", "s4", "s5",
    "s6",   "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
};

// One or two digits.
std::optional<uint32_t> number_of(std::string_view digits) {
  if (digits.empty() || digits.size() > 2) return std::nullopt;
  uint32_t number = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  if (digits.size() == 2 && digits[0] == '0') return std::nullopt;
  return number;
}

}  // namespace

std::optional<uint32_t> scalar_register(std::string_view text) {
  if (text.empty() || text.size() > 5) return std::nullopt;
  const bool has_dollar = text.front() == '$';
  if (has_dollar) text.remove_prefix(1);
  const std::string name = lower_case(text);
  if (name.empty()) return std::nullopt;
  std::optional<uint32_t> number;
  if (has_dollar) number = number_of(name);
  if (!number && name[0] == 'r') number = number_of(std::string_view(name).substr(1));
  if (number) return *number < 32 ? number : std::nullopt;
  if (name == "s8") return 30;
  for (uint32_t i = 0; i < 32; ++i)
    if (name == kNames[i]) return i;
  return std::nullopt;
}

std::optional<uint32_t> vector_register(std::string_view text) {
  if (!text.empty() && text.front() == '$') text.remove_prefix(1);
  if (text.empty() || (text.front() != 'v' && text.front() != 'V')) return std::nullopt;
  return number_of(text.substr(1));
}

}  // namespace incore::vemicry
