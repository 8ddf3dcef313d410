// Registers have the numbers that GDB gives those of MIPS; the vector unit's follow.
#include "tools/vemicry/gdb_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

// Registers that GDB knows, behind the 32 scalar ones.
enum : size_t { kStatus = 32, kLo, kHi, kBadAddress, kCause, kPc };
// GDB wants a floating point unit. There is none: 32 registers and two of control are zero.
constexpr size_t kFpu = 38, kNumFpu = 34, kVcr = kFpu + kNumFpu, kCar = kVcr + 1,
                 kLength = kVcr + 2, kVectors = kVcr + 3;

uint32_t number_or_usual(uint32_t number) {
  return number == 0 ? 8 : number;
}

std::string description_of(uint32_t q, uint32_t p) {
  const auto reg = [](const std::string& name, size_t number, const char* type = "int32") {
    return fmt::format("<reg name=\"{}\" bitsize=\"32\" regnum=\"{}\" type=\"{}\"/>\n", name,
                       number, type);
  };
  std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
      "<target version=\"1.0\">\n<architecture>mips</architecture>\n<osabi>none</osabi>\n"
      "<feature name=\"org.gnu.gdb.mips.cpu\">\n";
  for (size_t i = 0; i < 32; ++i) text += reg(fmt::format("r{}", i), i);
  text += reg("lo", kLo) + reg("hi", kHi) + reg("pc", kPc, "code_ptr");
  text += "</feature>\n<feature name=\"org.gnu.gdb.mips.cp0\">\n";
  text += reg("status", kStatus) + reg("badvaddr", kBadAddress) + reg("cause", kCause);
  text += "</feature>\n<feature name=\"org.gnu.gdb.mips.fpu\">\n";
  for (size_t i = 0; i < 32; ++i) text += reg(fmt::format("f{}", i), kFpu + i, "ieee_single");
  text += reg("fcsr", kFpu + 32) + reg("fir", kFpu + 33);
  text += "</feature>\n<feature name=\"incore.vemicry\">\n";
  text += reg("vcr", kVcr, "uint32") + reg("car", kCar, "uint32") + reg("l", kLength, "uint32");
  // Words of vectors one by one: GDB cuts what is longer than a MIPS register. It calls scalar
  // registers v0 and v1.
  for (uint32_t i = 0; i < q * p; ++i)
    text += fmt::format(
        "<reg name=\"vec{}_{}\" bitsize=\"32\" regnum=\"{}\" type=\"uint32\" group=\"vector\"/>\n",
        i / p, i % p, kVectors + i);
  return text + "</feature>\n</target>\n";
}

// The number of the machine's register of one word; none: it is another one.
uint32_t machine_register(size_t number) {
  if (number < 32) return static_cast<uint32_t>(number);
  switch (number) {
    case kLo:
      return INCORE_VEMICRY_LO;
    case kHi:
      return INCORE_VEMICRY_HI;
    case kPc:
      return INCORE_VEMICRY_PC;
    case kVcr:
      return INCORE_VEMICRY_VCR;
    case kCar:
      return INCORE_VEMICRY_CAR;
    case kLength:
      return INCORE_VEMICRY_LENGTH;
    default:
      return UINT32_MAX;
  }
}

// GDB's number of a signal of this host.
uint8_t gdb_signal(int number) {
  switch (number) {
    case SIGILL:
      return 4;
    case SIGFPE:
      return 8;
    case SIGBUS:
      return 10;
    case SIGSEGV:
      return 11;
    default:
      return 5;  // SIGTRAP
  }
}

}  // namespace

GdbMachine::GdbMachine(incore_vemicry_machine* machine, const incore_vemicry_config& config,
                       bool little_endian)
    : machine_(machine),
      q_(number_or_usual(config.q)),
      p_(number_or_usual(config.p)),
      little_endian_(little_endian),
      description_(description_of(q_, p_)) {}

size_t GdbMachine::num_registers() const {
  return kVectors + q_ * p_;
}

uint32_t GdbMachine::word_register(uint32_t number) const {
  uint32_t value = 0;
  require_ok(incore_vemicry_machine_get_register(machine_, number, &value));
  return value;
}

// Of the last trap, as MIPS-I has it: ExcCode and BD.
uint32_t GdbMachine::cause() const {
  if (outcome_.stop != INCORE_VEMICRY_TRAPPED) return 0;
  return outcome_.exception_code << 2 | (outcome_.in_delay_slot != 0 ? 1u << 31 : 0);
}

std::vector<uint32_t> GdbMachine::vector_of(size_t number) const {
  std::vector<uint32_t> words(p_);
  require_ok(incore_vemicry_machine_get_vector(
      machine_, static_cast<uint32_t>(number - kVectors) / p_, words.data(), words.size()));
  return words;
}

uint32_t GdbMachine::value_of(size_t number) const {
  if (number >= kVectors) return vector_of(number)[(number - kVectors) % p_];
  if (number == kBadAddress)
    return outcome_.stop == INCORE_VEMICRY_TRAPPED ? outcome_.bad_address : 0;
  if (number == kCause) return cause();
  const uint32_t known = machine_register(number);
  return known == UINT32_MAX ? 0 : word_register(known);
}

std::vector<uint8_t> GdbMachine::read_register(size_t number) const {
  const uint32_t word = value_of(number);
  std::vector<uint8_t> bytes;
  for (unsigned i = 0; i < 4; ++i)
    bytes.push_back(static_cast<uint8_t>(word >> 8 * (little_endian_ ? i : 3 - i)));
  return bytes;
}

bool GdbMachine::write_register(size_t number, std::span<const uint8_t> bytes) {
  if (bytes.size() != 4) return false;
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i) word |= uint32_t{bytes[i]} << 8 * (little_endian_ ? i : 3 - i);
  if (number >= kVectors) {
    std::vector<uint32_t> words = vector_of(number);
    words[(number - kVectors) % p_] = word;
    return incore_vemicry_machine_set_vector(machine_,
                                             static_cast<uint32_t>(number - kVectors) / p_,
                                             words.data(), words.size()) == INCORE_OK;
  }
  const uint32_t known = machine_register(number);
  if (known == UINT32_MAX) return true;  // not writable: it keeps its value
  // Writing the pc leaves a delay slot behind.
  if (known == INCORE_VEMICRY_PC && word_register(known) == word) return true;
  return incore_vemicry_machine_set_register(machine_, known, word) == INCORE_OK;
}

std::vector<uint8_t> GdbMachine::read_memory(uint32_t address, size_t len) const {
  constexpr size_t kPageLen = 4096;
  std::vector<uint8_t> bytes;
  while (len != 0) {
    const size_t begin = bytes.size(), part = std::min(len, kPageLen - address % kPageLen);
    bytes.resize(begin + part);
    if (incore_vemicry_machine_read(machine_, address, &bytes[begin], part) != INCORE_OK) {
      bytes.resize(begin);
      break;
    }
    address += static_cast<uint32_t>(part);
    len -= part;
  }
  return bytes;
}

bool GdbMachine::write_memory(uint32_t address, std::span<const uint8_t> bytes) {
  return incore_vemicry_machine_write(machine_, address, bytes.data(), bytes.size()) == INCORE_OK;
}

bool GdbMachine::set_breakpoint(uint32_t address, bool is_set) {
  if (incore_vemicry_machine_set_breakpoint(machine_, address, is_set ? 1 : 0) != INCORE_OK)
    return false;
  if (is_set)
    breakpoints_.insert(address);
  else
    breakpoints_.erase(address);
  return true;
}

GdbStop GdbMachine::run(uint64_t limit, bool passes) {
  const GdbStop trapped = {GdbStop::Kind::signal, 5};
  if (!passes && breakpoints_.count(word_register(INCORE_VEMICRY_PC)) != 0) return trapped;
  const uint64_t before = outcome_.instructions;
  require_ok(incore_vemicry_machine_run(machine_, limit, &outcome_));
  outcome_.instructions += before;
  switch (outcome_.stop) {
    case INCORE_VEMICRY_LIMIT:
      return {};
    case INCORE_VEMICRY_EXITED:
      return {GdbStop::Kind::exited, static_cast<uint8_t>(outcome_.value)};
    case INCORE_VEMICRY_TRAPPED:
      return {GdbStop::Kind::signal, gdb_signal(outcome_.signal)};
    case INCORE_VEMICRY_BREAKPOINT:
      break;
  }
  return trapped;
}

void GdbMachine::run_alone() {
  while (!breakpoints_.empty()) set_breakpoint(*breakpoints_.begin(), false);
  (void)run(0, true);
}

}  // namespace incore::tools
