#include "padlock_chip.h"

#include <fmt/format.h>

#include <ctime>

namespace incore::cli {
namespace {

constexpr uint32_t kFirstCentaurLeaf = 0xC0000000, kPadlockLeaf = 0xC0000001;
constexpr uint32_t kLastCentaurLeaf = 0xC000FFFF;  // what other processors answer is no such number

uint32_t cpuid_register(const incore_padlock& padlock, uint32_t leaf, unsigned index) {
  uint32_t registers[4];
  return incore_padlock_cpuid(&padlock, leaf, 0, registers) == INCORE_OK ? registers[index] : 0;
}

}  // namespace

void add_chip_options(CLI::App& app, ChipOptions* options) {
  auto* const cpu = app.add_option("--cpu", options->cpu,
                                   "emulate this model: esther, esther9, nano,stepping=10, ...; "
                                   "usually this CPU if it has PadLock, else esther")
                        ->type_name("MODEL");
  app.add_flag("--native", options->native, "this CPU's own units, or none")->excludes(cpu);
  app.add_option("--seed", options->seed, "of what is random in an emulated model")
      ->capture_default_str();
}

std::string PadlockChip::open(const ChipOptions& options) {
  if (options.cpu.empty()) {
    if (incore_padlock_init_native(&padlock_) == INCORE_OK) return "";
    if (options.native)
      return "--native: this CPU has no PadLock; 'incore run' lends it to a program";
  }
  char reason[512] = "";
  const char* const model = options.cpu.empty() ? "esther" : options.cpu.c_str();
  if (incore_padlock_init_emulated(&padlock_, model, options.seed, reason, sizeof reason) ==
      INCORE_OK)
    return "";
  return fmt::format("--cpu: {}", reason);
}

std::string PadlockChip::title() const {
  return is_native()
             ? "this CPU"
             : fmt::format("{}, emulated at {} MHz", name(), incore_padlock_clock_mhz(&padlock_));
}

uint32_t PadlockChip::signature() const {
  return cpuid_register(padlock_, 1, 0);
}

uint32_t PadlockChip::flags() const {
  const uint32_t last = cpuid_register(padlock_, kFirstCentaurLeaf, 0);
  const bool has_leaf = last >= kPadlockLeaf && last <= kLastCentaurLeaf;
  return has_leaf ? cpuid_register(padlock_, kPadlockLeaf, 3) : 0;
}

double PadlockChip::seconds() const {
  return is_native() ? static_cast<double>(std::clock()) / CLOCKS_PER_SEC
                     : incore_padlock_seconds(&padlock_);
}

std::string PadlockChip::execute(const char* mnemonic, incore_padlock_registers* registers) {
  incore_padlock_trap trap;
  const incore_status status = incore_padlock_execute(&padlock_, mnemonic, registers, &trap);
  if (status == INCORE_OK) return "";
  return fmt::format("{}: {}: {}", name(), mnemonic,
                     trap.reason != nullptr ? trap.reason : incore_status_message(status));
}

}  // namespace incore::cli
