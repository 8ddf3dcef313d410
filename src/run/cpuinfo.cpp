// After Linux: proc.c and centaur.c of arch/x86/kernel/cpu, asm/cpufeatures.h.
#include "run/cpuinfo.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "padlock/program_cpuid.h"
#include "run/text.h"

namespace incore::run {
namespace {

using padlock::CpuidAnswer;

// Linux's names of one register's bits, from bit 0; "-" is one that it does not show.
struct FlagWord {
  uint32_t leaf, subleaf;
  uint32_t CpuidAnswer::*bits;
  const char* names;
};

constexpr FlagWord kPadlockFlags = {
    padlock::kPadlockLeaf, 0, &CpuidAnswer::edx,
    "- - rng rng_en - - ace ace_en ace2 ace2_en phe phe_en pmm pmm_en"};

// In Linux's order, before and after the flags that it finds otherwise. Of the higher leaves, what
// some model has.
constexpr FlagWord kFirstFlags[] = {
    {1, 0, &CpuidAnswer::edx,
     "fpu vme de pse tsc msr pae mce cx8 apic - sep mtrr pge mca cmov pat pse36 pn clflush - dts "
     "acpi mmx fxsr sse sse2 ss ht tm ia64 pbe"},
    {0x80000001, 0, &CpuidAnswer::edx,
     "- - - - - - - - - - - syscall - - - - - - - mp nx - mmxext - - fxsr_opt pdpe1gb rdtscp - lm "
     "3dnowext 3dnow"},
};
constexpr FlagWord kLaterFlags[] = {
    {1, 0, &CpuidAnswer::ecx,
     "pni pclmulqdq dtes64 monitor ds_cpl vmx smx est tm2 ssse3 cid sdbg fma cx16 xtpr pdcm - pcid "
     "dca sse4_1 sse4_2 x2apic movbe popcnt tsc_deadline_timer aes xsave - avx f16c rdrand "
     "hypervisor"},
    kPadlockFlags,
    {0x80000001, 0, &CpuidAnswer::ecx, "lahf_lm - - - - abm - - 3dnowprefetch"},
    {7, 0, &CpuidAnswer::ebx,
     "fsgsbase tsc_adjust - bmi1 hle avx2 - smep bmi2 erms invpcid rtm - - - - - - rdseed adx smap "
     "- - clflushopt clwb - - - - sha_ni"},
    {0xD, 1, &CpuidAnswer::eax, "xsaveopt xsavec xgetbv1 xsaves"},
    {6, 0, &CpuidAnswer::eax, "dtherm ida arat - pln - pts"},
    {7, 0, &CpuidAnswer::ecx, "- - umip"},
};

// What CPUID says to a program.
class Cpuid {
 public:
  Cpuid(const padlock::Model& model, padlock::CodeSize code_size)
      : model_(model), code_size_(code_size) {}

  CpuidAnswer leaf(uint32_t leaf, uint32_t subleaf = 0) const {
    return padlock::program_cpuid(model_, code_size_, leaf, subleaf);
  }
  bool has_leaf(uint32_t number) const { return leaf(number & 0xF0000000).eax >= number; }

  std::string vendor() const {
    const CpuidAnswer a = leaf(0);
    return text_of({a.ebx, a.edx, a.ecx});
  }
  std::string brand() const {
    std::string text;
    for (uint32_t number = 0x80000002; number <= 0x80000004; ++number) {
      const CpuidAnswer a = leaf(number);
      text += text_of({a.eax, a.ebx, a.ecx, a.edx});
    }
    text.resize(std::min(text.find('\0'), text.size()));
    text.resize(text.find_last_not_of(' ') + 1);
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
  }
  unsigned stepping() const { return leaf(1).eax & 15; }
  unsigned family() const {
    const uint32_t signature = leaf(1).eax, family = signature >> 8 & 15;
    return family == 15 ? family + (signature >> 20 & 0xFF) : family;
  }
  unsigned model() const {
    const uint32_t signature = leaf(1).eax;
    return (signature >> 4 & 15) | (family() >= 6 ? signature >> 16 & 15 : 0) << 4;
  }
  bool has_steady_tsc() const { return (leaf(0x80000007).edx & 1u << 8) != 0; }
  // From Nano on.
  bool is_late_core() const { return family() > 6 || model() >= 15; }
  unsigned clflush_size() const {
    constexpr uint32_t kClflush = 1u << 19;
    constexpr unsigned kOf32BitKernels = 32;
    return (leaf(1).edx & kClflush) != 0 ? (leaf(1).ebx >> 8 & 0xFF) * 8 : kOf32BitKernels;
  }
  unsigned cache_alignment() const {
    return clflush_size() * (family() == 6 && is_late_core() ? 2 : 1);
  }
  unsigned cache_kib() const { return leaf(0x80000006).ecx >> 16; }
  std::string address_sizes() const {
    constexpr uint32_t kPae = 1u << 6;
    unsigned physical = (leaf(1).edx & kPae) != 0 ? 36 : 32, virtual_bits = 32;
    if (has_leaf(0x80000008)) {
      const uint32_t sizes = leaf(0x80000008).eax;
      physical = sizes & 0xFF, virtual_bits = sizes >> 8 & 0xFF;
    }
    return std::to_string(physical) + " bits physical, " + std::to_string(virtual_bits) +
           " bits virtual";
  }

  std::string flags(const FlagWord& word) const {
    const uint32_t bits = leaf(word.leaf, word.subleaf).*word.bits;
    std::string text;
    unsigned bit = 0;
    for (const std::string_view name : split(word.names, ' ')) {
      if ((bits >> bit & 1) != 0 && name != "-") text += " " + std::string(name);
      ++bit;
    }
    return text;
  }
  std::string flags() const {
    std::string text;
    for (const FlagWord& word : kFirstFlags) text += flags(word);
    if (is_late_core()) text += " constant_tsc rep_good";
    if (model_.long_mode) text += " nopl";
    if (has_steady_tsc()) text += " nonstop_tsc";
    text += " cpuid";
    for (const FlagWord& word : kLaterFlags) text += flags(word);
    return text.substr(1);
  }

 private:
  static std::string text_of(std::initializer_list<uint32_t> words) {
    std::string text;
    for (const uint32_t word : words)
      for (unsigned shift = 0; shift < 32; shift += 8) text += static_cast<char>(word >> shift);
    return text;
  }

  const padlock::Model& model_;
  padlock::CodeSize code_size_;
};

// "key\t: value", in its parts.
struct Line {
  std::string_view key, up_to_colon, value;
  explicit Line(std::string_view line) {
    const size_t colon = std::min(line.find(':'), line.size());
    up_to_colon = line.substr(0, colon + 1);
    value = line.substr(std::min(colon + 2, line.size()));
    key = line.substr(0, line.substr(0, colon).find_last_not_of('\t') + 1);
  }
};

// What the lines with these keys say instead.
using Values = std::map<std::string_view, std::string>;

Values values_of(const Cpuid& cpuid, unsigned mhz) {
  return {{"vendor_id", cpuid.vendor()},
          {"cpu family", std::to_string(cpuid.family())},
          {"model", std::to_string(cpuid.model())},
          {"model name", cpuid.brand()},
          {"stepping", std::to_string(cpuid.stepping())},
          {"cpu MHz", std::to_string(mhz) + ".000"},
          {"cache size", std::to_string(cpuid.cache_kib()) + " KB"},
          {"cpuid level", std::to_string(cpuid.leaf(0).eax)},
          {"flags", cpuid.flags()},
          {"bogomips", std::to_string(2 * mhz) + ".00"},
          {"clflush size", std::to_string(cpuid.clflush_size())},
          {"cache_alignment", std::to_string(cpuid.cache_alignment())},
          {"address sizes", cpuid.address_sizes()},
          {"power management", ""}};
}

Values values_of_host(const Cpuid& cpuid, const std::vector<std::string_view>& host) {
  Values values = {{"vendor_id", cpuid.vendor()}};
  for (const std::string_view line : host)
    if (Line(line).key == "flags")
      values["flags"] = std::string(Line(line).value) + cpuid.flags(kPadlockFlags);
  return values;
}

bool stays(std::string_view key) {
  constexpr std::string_view kKept[] = {"",        "processor", "physical id",  "siblings",
                                        "core id", "cpu cores", "apicid",       "initial apicid",
                                        "fpu",     "wp",        "fpu_exception"};
  return std::find(std::begin(kKept), std::end(kKept), key) != std::end(kKept);
}

}  // namespace

std::string cpuinfo_text(const padlock::Model& model, padlock::CodeSize code_size,
                         std::string_view host) {
  if (host.ends_with('\n')) host.remove_suffix(1);
  const std::vector<std::string_view> lines = split(host, '\n');
  const Cpuid cpuid(model, code_size);
  const Values values =
      model.host_cpuid ? values_of_host(cpuid, lines) : values_of(cpuid, model.clock_mhz);
  std::string text;
  for (const std::string_view line : lines) {
    const Line parts(line);
    const auto value = values.find(parts.key);
    if (value != values.end())
      text += std::string(parts.up_to_colon) + (value->second.empty() ? "" : " ") + value->second +
              "\n";
    else if (model.host_cpuid || stays(parts.key))
      text += std::string(line) + "\n";
  }
  return text;
}

}  // namespace incore::run
