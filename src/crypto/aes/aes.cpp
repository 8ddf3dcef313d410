// Which AES kernel serves: aes_kernels.def lists them, crypto/kernel_choice.h chooses.
#include "crypto/aes/aes_kernel.h"

namespace incore {
namespace {

constexpr const KernelInfo* kKernels[] = {
#define X(kernel) &aes_##kernel.info,
#include "crypto/aes/aes_kernels.def"
#undef X
};

}  // namespace

constinit const KernelList aes_kernel_list = {"aes", kKernels,
                                              sizeof kKernels / sizeof kKernels[0]};

namespace {
constinit ChosenKernel<AesKernel> chosen(aes_kernel_list);
}

const AesKernel* aes_kernel() {
  return chosen.kernel();
}

}  // namespace incore
