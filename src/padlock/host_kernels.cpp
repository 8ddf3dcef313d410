// Which of the host's kernels the emulated processor computes with.
#include "padlock/processor.h"

namespace incore::padlock {
namespace {

bool same_text(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

// At a patched site of a running program only XMM registers are saved.
constexpr FeatureSet kWiderRegisters(Feature::avx2, Feature::vaes, Feature::vpclmulqdq,
                                     Feature::avx512);

// The first kernel that the host can run within XMM registers, and that passes its self-test.
// Never `padlock`.
template <class Kernel>
const Kernel* first(const KernelList& list, FeatureSet available) {
  for (size_t i = 0; i < list.num_kernels; ++i) {
    const KernelInfo* const kernel = list.kernels[i];
    if (available.has_all(kernel->needs) && !kernel->needs.has_any(kWiderRegisters) &&
        !same_text(kernel->name, "padlock") && passes_self_test(list, *kernel))
      return reinterpret_cast<const Kernel*>(kernel);  // its first member
  }
  return nullptr;  // not reached: the last kernel of a list needs nothing
}

}  // namespace

HostKernels HostKernels::choose(FeatureSet available) {
  return {first<AesKernel>(aes_kernel_list, available),
          first<Sha1Kernel>(sha1_kernel_list, available),
          first<Sha256Kernel>(sha256_kernel_list, available),
          first<Sha512Kernel>(sha512_kernel_list, available)};
}

HostKernels HostKernels::portable() {
  return {&aes_portable, &sha1_portable, &sha256_portable, &sha512_portable};
}

}  // namespace incore::padlock
