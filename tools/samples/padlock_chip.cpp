#include "tools/samples/padlock_chip.h"

#include <fmt/format.h>

#include <ctime>
#include <stdexcept>

#include "tools/samples/execute_padlock.h"

namespace incore::tools {
namespace {

constexpr uint32_t kFirstCentaurLeaf = 0xC0000000, kPadlockLeaf = 0xC0000001;
constexpr uint32_t kLastCentaurLeaf = 0xC000FFFF;  // what other processors answer is no such number

uint32_t cpuid_register(const incore_padlock& padlock, uint32_t leaf, unsigned index) {
  uint32_t registers[4];
  return incore_padlock_cpuid(&padlock, leaf, 0, registers) == INCORE_OK ? registers[index] : 0;
}

}  // namespace

std::string PadlockChip::title() const {
  return is_native()
             ? "this CPU"
             : fmt::format("{}, emulated at {} MHz", name(), incore_padlock_clock_mhz(chip_.get()));
}

uint32_t PadlockChip::signature() const {
  return cpuid_register(*chip_, 1, 0);
}

uint32_t PadlockChip::flags() const {
  const uint32_t last = cpuid_register(*chip_, kFirstCentaurLeaf, 0);
  const bool has_leaf = last >= kPadlockLeaf && last <= kLastCentaurLeaf;
  return has_leaf ? cpuid_register(*chip_, kPadlockLeaf, 3) : 0;
}

double PadlockChip::seconds() const {
  return is_native() ? static_cast<double>(std::clock()) / CLOCKS_PER_SEC
                     : incore_padlock_seconds(chip_.get());
}

std::string PadlockChip::execute(const char* mnemonic, incore_padlock_registers* registers) {
  const std::string wrong = execute_padlock(chip_.get(), mnemonic, registers);
  return wrong.empty() ? "" : fmt::format("{}: {}: {}", name(), mnemonic, wrong);
}

PadlockChip open_chip_or_native(const ChipOptions& options, bool native) {
  Chip chip = open_chip(options, native ? nullptr : "esther");
  if (chip == nullptr)
    throw std::invalid_argument(
        "--native: this CPU has no PadLock; 'incore run' lends one to a program");
  return PadlockChip(std::move(chip));
}

}  // namespace incore::tools
