// Which of the host's kernels the emulated processor computes with.
#include "padlock/processor.h"

namespace incore::padlock {
namespace {

// At a patched site of a running program only XMM registers are saved. And never PadLock's own.
constexpr FeatureSet passed_over() {
  FeatureSet features(Feature::avx2, Feature::vaes, Feature::vpclmulqdq, Feature::avx512);
  features.add(kPadlockFeatures);
  return features;
}

template <class Kernel>
const Kernel* best(const KernelList& list, FeatureSet available) {
  const KernelInfo* const info = best_kernel(list, {available, passes_self_test}, passed_over());
  return reinterpret_cast<const Kernel*>(info);  // its first member
}

}  // namespace

HostKernels HostKernels::choose(FeatureSet available) {
  return {best<AesKernel>(aes_kernel_list, available),
          best<Sha1Kernel>(sha1_kernel_list, available),
          best<Sha256Kernel>(sha256_kernel_list, available),
          best<Sha512Kernel>(sha512_kernel_list, available)};
}

HostKernels HostKernels::portable() {
  return {&aes_portable, &sha1_portable, &sha256_portable, &sha512_portable};
}

}  // namespace incore::padlock
