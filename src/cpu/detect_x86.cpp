// Feature detection on x86 and x86-64: Intel SDM volume 2, CPUID; PadLock guide 1.66, chapter 2.
// A vector feature counts only if the operating system saves its registers (XCR0). AVX-512 counts
// only as the bundle F, DQ, BW, VL: single members appear on early chips that no kernel here was
// written for.
#if defined(__x86_64__) || defined(__i386__)

#include "cpu/cpu.h"
#include "cpu/cpuid_x86.h"

namespace incore {
namespace {

uint64_t read_xcr0() {
  uint32_t lo, hi;
  __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
  return uint64_t{hi} << 32 | lo;
}

constexpr bool bit(uint32_t word, unsigned index) {
  return (word >> index & 1) != 0;
}

bool is_padlock_vendor(const CpuidResult& leaf0) {
  const bool centaur_hauls =
      leaf0.ebx == 0x746E6543 && leaf0.edx == 0x48727561 && leaf0.ecx == 0x736C7561;
  const bool shanghai =
      leaf0.ebx == 0x68532020 && leaf0.edx == 0x68676E61 && leaf0.ecx == 0x20206961;
  return centaur_hauls || shanghai;
}

struct Signature {
  uint32_t family, model, stepping;
};

// CPUID leaf 1 EAX.
Signature signature(uint32_t eax) {
  const uint32_t family = eax >> 8 & 0xF, model = eax >> 4 & 0xF;
  return {family == 0xF ? family + (eax >> 20 & 0xFF) : family,
          family < 6 ? model : model | (eax >> 12 & 0xF0), eax & 0xF};
}

}  // namespace

FeatureSet padlock_features(uint32_t leaf1_eax, uint32_t flags) {
  FeatureSet found;
  const auto add_if = [&found](bool present, Feature f) {
    if (present) found.add(f);
  };
  const auto present_and_enabled = [flags](unsigned index) { return (flags >> index & 3) == 3; };
  const Signature part = signature(leaf1_eax);
  const bool ace = present_and_enabled(6), phe = present_and_enabled(10);
  const bool ace2 = ace && bit(flags, 8);  // its own enabled bit is 0 on all parts from Nano on
  const bool has_ctr_erratum = part.family == 6 && part.model == 0xA && part.stepping == 8;
  add_if(present_and_enabled(2), Feature::padlock_rng);
  add_if(ace, Feature::padlock_ace);
  add_if(ace2, Feature::padlock_ace2);
  add_if(ace2 && !has_ctr_erratum, Feature::padlock_ctr);
  add_if(phe, Feature::padlock_phe);
  // Hashing without padding came with Nano; no flag announces it.
  add_if(phe && (part.family > 6 || part.model >= 0xF), Feature::padlock_xsha);
  add_if(present_and_enabled(25), Feature::padlock_phe2);
  add_if(present_and_enabled(12), Feature::padlock_pmm);
  return found;
}

FeatureSet detect_features() {
  FeatureSet found;
  const auto add_if = [&found](bool present, Feature f) {
    if (present) found.add(f);
  };

  const CpuidResult leaf0 = native_cpuid(0);
  if (leaf0.eax < 1) return found;
  const CpuidResult leaf1 = native_cpuid(1);
  add_if(bit(leaf1.edx, 26), Feature::sse2);
  add_if(bit(leaf1.ecx, 9), Feature::ssse3);
  add_if(bit(leaf1.ecx, 19), Feature::sse4_1);
  add_if(bit(leaf1.ecx, 20), Feature::sse4_2);
  add_if(bit(leaf1.ecx, 25), Feature::aes);
  add_if(bit(leaf1.ecx, 1), Feature::pclmulqdq);
  add_if(bit(leaf1.ecx, 30), Feature::rdrand);

  const bool os_saves_extended_state = bit(leaf1.ecx, 27);
  const uint64_t xcr0 = os_saves_extended_state ? read_xcr0() : 0;
  const bool ymm_saved = (xcr0 & 0x06) == 0x06;
  const bool zmm_saved = (xcr0 & 0xE6) == 0xE6;

  if (leaf0.eax >= 7) {
    const CpuidResult leaf7 = native_cpuid(7);
    const bool avx2 = ymm_saved && bit(leaf7.ebx, 5);
    const bool avx512 = avx2 && zmm_saved && bit(leaf7.ebx, 16) && bit(leaf7.ebx, 17) &&
                        bit(leaf7.ebx, 30) && bit(leaf7.ebx, 31);
    add_if(avx2, Feature::avx2);
    add_if(bit(leaf7.ebx, 3), Feature::bmi1);
    add_if(bit(leaf7.ebx, 8), Feature::bmi2);
    add_if(bit(leaf7.ebx, 19), Feature::adx);
    add_if(bit(leaf7.ebx, 18), Feature::rdseed);
    add_if(bit(leaf7.ebx, 29), Feature::sha_ni);
    add_if(avx2 && bit(leaf7.ecx, 9), Feature::vaes);
    add_if(avx2 && bit(leaf7.ecx, 10), Feature::vpclmulqdq);
    add_if(avx512, Feature::avx512);
    add_if(avx512 && bit(leaf7.ebx, 21), Feature::avx512ifma);
    add_if(bit(leaf7.ecx, 8), Feature::gfni);
  }

  // Leaves beyond the maximum answer with other leaves' data on some CPUs, so the vendor is asked
  // first.
  if (is_padlock_vendor(leaf0) && native_cpuid(0xC0000000).eax >= 0xC0000001) {
    found.add(padlock_features(leaf1.eax, native_cpuid(0xC0000001).edx));
  }
  return found;
}

}  // namespace incore

#endif
