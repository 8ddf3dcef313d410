// Which GHASH kernel serves: ghash_kernels.def lists them, crypto/kernel_choice.h chooses.
#include "crypto/ghash/ghash_kernel.h"

namespace incore {
namespace {

constexpr const KernelInfo* kKernels[] = {
#define X(kernel) &ghash_##kernel.info,
#include "crypto/ghash/ghash_kernels.def"
#undef X
};

constinit ChosenKernel<GhashKernel> chosen(ghash_kernel_list);

constinit TestedKernels tested;

}  // namespace

constinit const KernelList ghash_kernel_list =
    kernel_list_of("ghash", kKernels, ghash_self_test, &tested);

const GhashKernel* ghash_kernel() {
  return chosen.kernel();
}

}  // namespace incore
