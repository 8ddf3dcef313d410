#include "tools/boot/cpu_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "incore/processor.h"
#include "tools/boot/qemu.h"

namespace incore::tools {
namespace {

enum class Output : uint8_t { eax, ebx, ecx, edx };

// A feature that QEMU's TCG has, by QEMU's name. |needed|: 64-bit kernels or their programs ask for
// it. XSAVE and what needs it are left out: with it Linux does not get through its start here.
struct Feature {
  uint32_t leaf;
  Output output;
  unsigned bit;
  const char* name;
  bool needed = false;
};

constexpr Feature kFeatures[] = {
    {1, Output::edx, 0, "fpu", true},
    {1, Output::edx, 2, "de"},
    {1, Output::edx, 3, "pse"},
    {1, Output::edx, 4, "tsc", true},
    {1, Output::edx, 5, "msr", true},
    {1, Output::edx, 6, "pae", true},
    {1, Output::edx, 7, "mce"},
    {1, Output::edx, 8, "cx8", true},
    {1, Output::edx, 9, "apic", true},
    {1, Output::edx, 11, "sep"},
    {1, Output::edx, 12, "mtrr"},
    {1, Output::edx, 13, "pge", true},
    {1, Output::edx, 14, "mca"},
    {1, Output::edx, 15, "cmov", true},
    {1, Output::edx, 16, "pat"},
    {1, Output::edx, 17, "pse36"},
    {1, Output::edx, 19, "clflush"},
    {1, Output::edx, 22, "acpi"},
    {1, Output::edx, 23, "mmx", true},
    {1, Output::edx, 24, "fxsr", true},
    {1, Output::edx, 25, "sse", true},
    {1, Output::edx, 26, "sse2", true},
    {1, Output::edx, 27, "ss"},
    {1, Output::ecx, 0, "pni"},
    {1, Output::ecx, 1, "pclmulqdq"},
    {1, Output::ecx, 3, "monitor"},
    {1, Output::ecx, 9, "ssse3"},
    {1, Output::ecx, 13, "cx16"},
    {1, Output::ecx, 19, "sse4.1"},
    {1, Output::ecx, 20, "sse4.2"},
    {1, Output::ecx, 22, "movbe"},
    {1, Output::ecx, 23, "popcnt"},
    {1, Output::ecx, 25, "aes"},
    {1, Output::ecx, 30, "rdrand"},
    {7, Output::ebx, 0, "fsgsbase"},
    {7, Output::ebx, 3, "bmi1"},
    {7, Output::ebx, 7, "smep"},
    {7, Output::ebx, 8, "bmi2"},
    {7, Output::ebx, 9, "erms"},
    {7, Output::ebx, 19, "adx"},
    {7, Output::ebx, 20, "smap"},
    {0x80000001, Output::edx, 11, "syscall", true},
    {0x80000001, Output::edx, 20, "nx", true},
    {0x80000001, Output::edx, 26, "pdpe1gb"},
    {0x80000001, Output::edx, 27, "rdtscp"},
    {0x80000001, Output::edx, 29, "lm", true},
    {0x80000001, Output::ecx, 0, "lahf-lm", true},
    {0x80000001, Output::ecx, 5, "abm"},
    // QEMU announces these; the instructions come from outside.
    {0xC0000001, Output::edx, 2, "xstore"},
    {0xC0000001, Output::edx, 3, "xstore-en"},
    {0xC0000001, Output::edx, 6, "xcrypt"},
    {0xC0000001, Output::edx, 7, "xcrypt-en"},
    {0xC0000001, Output::edx, 8, "ace2"},
    {0xC0000001, Output::edx, 9, "ace2-en"},
    {0xC0000001, Output::edx, 10, "phe"},
    {0xC0000001, Output::edx, 11, "phe-en"},
    {0xC0000001, Output::edx, 12, "pmm"},
    {0xC0000001, Output::edx, 13, "pmm-en"},
};

using Registers = std::array<uint32_t, 4>;

class Identity {
 public:
  explicit Identity(const std::string& model) {
    char reason[512];
    if (incore_processor_init(processor_.get(), model.c_str(), 0, reason, sizeof reason) !=
        INCORE_OK)
      throw std::invalid_argument(reason);
  }
  Registers leaf(uint32_t number) const {
    Registers r = {};
    if (incore_processor_cpuid(processor_.get(), number, 0, r.data()) != INCORE_OK) return {};
    return r;
  }
  // The registers of leaves as text, in the order of |outputs|.
  std::string text(uint32_t first, uint32_t last, std::initializer_list<Output> outputs) const {
    std::string text;
    for (uint32_t number = first; number <= last; ++number) {
      const Registers r = leaf(number);
      for (const Output output : outputs) {
        char bytes[4];
        std::memcpy(bytes, &r[static_cast<size_t>(output)], sizeof bytes);
        for (const char c : bytes)
          if (c != '\0') text += c;
      }
    }
    return text;
  }

 private:
  std::unique_ptr<incore_processor> processor_ = std::make_unique<incore_processor>();
};

bool has(const Identity& identity, const Feature& feature) {
  const uint32_t output = identity.leaf(feature.leaf)[static_cast<size_t>(feature.output)];
  return (output >> feature.bit & 1) != 0;
}

}  // namespace

// QEMU answers leaves above the highest with that one, and glibc then never comes to an end in
// leaf 4.
constexpr uint32_t kLeastLevel = 4;

std::string cpu_line(const std::string& model, bool long_mode) {
  const Identity identity(model);
  const uint32_t version = identity.leaf(1)[0];
  const uint32_t family = version >> 8 & 15, extended_family = version >> 20 & 0xFF;
  const uint32_t number = version >> 4 & 15, extended_model = version >> 16 & 15;
  std::string line = fmt::format(
      "base,vendor={},family={},model={},stepping={},level={},xlevel={},xlevel2={},"
      "x-force-features=on,check=off",
      option_value(identity.text(0, 0, {Output::ebx, Output::edx, Output::ecx})),
      family == 15 ? family + extended_family : family,
      family == 6 || family == 15 || family == 7 ? extended_model << 4 | number : number,
      version & 15, std::max(identity.leaf(0)[0], kLeastLevel),
      std::max(identity.leaf(0x80000000)[0], long_mode ? 0x80000008 : 0x80000004),
      identity.leaf(0xC0000000)[0]);
  const std::string name =
      identity.text(0x80000002, 0x80000004, {Output::eax, Output::ebx, Output::ecx, Output::edx});
  if (!name.empty()) line += ",model-id=" + option_value(name);
  for (const Feature& feature : kFeatures)
    if (has(identity, feature) || (long_mode && feature.needed))
      line += fmt::format(",{}=on", feature.name);
  return line;
}

}  // namespace incore::tools
