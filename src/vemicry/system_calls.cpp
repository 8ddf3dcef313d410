// System calls: three of Linux (o32), which report errors in $a3, and those of SPIM and MARS, which
// teaching programs use, without files and floating point.
#include <algorithm>
#include <string>
#include <utility>

#include "vemicry/machine.h"

namespace incore::vemicry {
namespace {

enum : uint32_t {
  kPrintInt = 1,
  kPrintString = 4,
  kReadInt = 5,
  kReadString = 8,
  kSbrk = 9,
  kExit = 10,
  kPrintChar = 11,
  kReadChar = 12,
  kRead = 14,
  kWrite = 15,
  kExit2 = 17,
  kTime = 30,
  kPrintHex = 34,
  kPrintBinary = 35,
  kPrintUnsigned = 36,
  kSetSeed = 40,
  kRandom = 41,
  kRandomBelow = 42,
  kLinuxExit = 4001,
  kLinuxRead = 4003,
  kLinuxWrite = 4004,
};
constexpr uint32_t kFirstLinuxCall = 4000;
constexpr uint32_t kMaxTransfer = 1 << 20;  // bytes that one call moves: less than asked is allowed
constexpr int64_t kFaultError = -14, kNoSystemCallError = -89;  // EFAULT, ENOSYS
constexpr int kInput = 0, kOutput = 1;

// All digits of |number|, each of |num_bits|.
std::string digits(uint32_t number, uint32_t num_bits) {
  std::string text;
  for (uint32_t left = 32; left != 0; left -= num_bits)
    text += "0123456789abcdef"[number >> (left - num_bits) & ((1u << num_bits) - 1)];
  return text;
}

}  // namespace

int64_t Machine::read(uint32_t fd, uint32_t address, uint32_t len) {
  len = std::min(len, kMaxTransfer);
  if (!memory_.is_mapped(address, len)) return kFaultError;
  std::vector<uint8_t> bytes(len);
  const int64_t count = on_read ? on_read(static_cast<int>(fd), bytes.data(), len) : 0;
  if (count > 0) (void)memory_.write(address, bytes.data(), static_cast<size_t>(count));
  return count;
}

int64_t Machine::write(uint32_t fd, uint32_t address, uint32_t len) {
  std::vector<uint8_t> bytes(std::min(len, kMaxTransfer));
  if (!memory_.read(address, bytes.data(), bytes.size())) return kFaultError;
  return on_write ? on_write(static_cast<int>(fd), bytes.data(), bytes.size())
                  : static_cast<int64_t>(bytes.size());
}

void Machine::print(std::string_view text) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(text.data());
  for (size_t len = text.size(); len != 0 && on_write;) {
    const int64_t count = on_write(kOutput, bytes, len);
    if (count <= 0) break;
    bytes += count;
    len -= static_cast<size_t>(count);
  }
}

int Machine::read_char() {
  uint8_t byte = 0;
  return on_read && on_read(kInput, &byte, 1) == 1 ? byte : -1;
}

Trap Machine::print_string(uint32_t address) {
  std::string text;
  for (uint8_t byte;; text.push_back(static_cast<char>(byte))) {
    if (const Trap trap = memory_.load(address + static_cast<uint32_t>(text.size()), &byte))
      return trap;
    if (byte == 0) break;
  }
  print(text);
  return {};
}

// The number at the beginning of a line, which is read to its end; 0: there is none.
uint32_t Machine::read_int() {
  int c = read_char();
  while (c == ' ' || c == '\t') c = read_char();
  const bool is_negative = c == '-';
  if (c == '-' || c == '+') c = read_char();
  uint32_t number = 0;
  for (; c >= '0' && c <= '9'; c = read_char())
    number = 10 * number + static_cast<uint32_t>(c - '0');
  while (c >= 0 && c != '\n') c = read_char();
  return is_negative ? 0 - number : number;
}

// As fgets: a line with its end, |len| - 1 characters at most, and a zero.
Trap Machine::read_string(uint32_t address, uint32_t len) {
  if (static_cast<int32_t>(len) < 1) return {};
  std::string text;
  while (text.size() + 1 < len && (text.empty() || text.back() != '\n')) {
    const int c = read_char();
    if (c < 0) break;
    text.push_back(static_cast<char>(c));
    if (!memory_.is_mapped(address, text.size() + 1)) break;
  }
  return memory_.write(address, text.c_str(), text.size() + 1)
             ? Trap{}
             : Trap{Exception::bus_error_data, address};
}

// More memory behind the program's data: where it begins, or -1.
uint32_t Machine::sbrk(uint32_t num_bytes) {
  const int64_t end =
      int64_t{break_} + ((int64_t{static_cast<int32_t>(num_bytes)} + 3) & ~int64_t{3});
  if (end < heap_ || end > kStackTop - kStackLen) return ~0u;
  if (end > break_ && !memory_.map(break_, static_cast<uint64_t>(end - break_))) return ~0u;
  return std::exchange(break_, static_cast<uint32_t>(end));
}

Trap Machine::do_system_call(Outcome* outcome, bool* out_ends) {
  State& s = *state_;
  const uint32_t number = s.gpr[2], a0 = s.gpr[4], a1 = s.gpr[5], a2 = s.gpr[6];
  const auto exit = [&](uint32_t code) {
    outcome->stop = Stop::exited;
    outcome->value = code & 0xFF;
    *out_ends = true;
  };
  // Only of Linux from here on.
  int64_t result = kNoSystemCallError;
  switch (number) {
    case kPrintInt:
      return print(std::to_string(static_cast<int32_t>(a0))), Trap{};
    case kPrintString:
      return print_string(a0);
    case kReadInt:
      return s.gpr[2] = read_int(), Trap{};
    case kReadString:
      return read_string(a0, a1);
    case kSbrk:
      return s.gpr[2] = sbrk(a0), Trap{};
    case kExit:
      return exit(0), Trap{};
    case kPrintChar:
      return print(std::string(1, static_cast<char>(a0))), Trap{};
    case kReadChar:
      return s.gpr[2] = static_cast<uint32_t>(read_char()), Trap{};
    case kRead:
      return s.gpr[2] = static_cast<uint32_t>(std::max<int64_t>(read(a0, a1, a2), -1)), Trap{};
    case kWrite:
      return s.gpr[2] = static_cast<uint32_t>(std::max<int64_t>(write(a0, a1, a2), -1)), Trap{};
    case kExit2:
    case kLinuxExit:
      return exit(a0), Trap{};
    case kTime: {
      const uint64_t time = on_time ? on_time() : 0;
      s.gpr[4] = static_cast<uint32_t>(time);
      s.gpr[5] = static_cast<uint32_t>(time >> 32);
      return {};
    }
    case kPrintHex:
      return print("0x" + digits(a0, 4)), Trap{};
    case kPrintBinary:
      return print(digits(a0, 1)), Trap{};
    case kPrintUnsigned:
      return print(std::to_string(a0)), Trap{};
    case kSetSeed:
      return random_.seed(a1), Trap{};
    case kRandom:
      return s.gpr[4] = random_.next(), Trap{};
    case kRandomBelow:
      return s.gpr[4] = static_cast<uint32_t>(uint64_t{random_.next()} * a1 >> 32), Trap{};
    case kLinuxRead:
      result = read(a0, a1, a2);
      break;
    case kLinuxWrite:
      result = write(a0, a1, a2);
      break;
    default:
      if (number < kFirstLinuxCall) return {Exception::syscall, number};
  }
  s.gpr[7] = result < 0 ? 1 : 0;
  s.gpr[2] = static_cast<uint32_t>(result < 0 ? -result : result);
  return {};
}

}  // namespace incore::vemicry
