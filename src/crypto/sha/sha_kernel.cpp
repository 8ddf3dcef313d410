// The lists of the SHA kernels, best first, and which of them serve this process.
#include "crypto/sha/sha_kernel.h"

namespace incore {
namespace {

constexpr const KernelInfo* kSha1Kernels[] = {
#define X(kernel) &sha1_##kernel.info,
#include "crypto/sha/sha1_kernels.def"
#undef X
};
constexpr const KernelInfo* kSha256Kernels[] = {
#define X(kernel) &sha256_##kernel.info,
#include "crypto/sha/sha256_kernels.def"
#undef X
};
constexpr const KernelInfo* kSha512Kernels[] = {
#define X(kernel) &sha512_##kernel.info,
#include "crypto/sha/sha512_kernels.def"
#undef X
};

constinit ChosenKernel<Sha1Kernel> chosen_sha1(sha1_kernel_list);
constinit ChosenKernel<Sha256Kernel> chosen_sha256(sha256_kernel_list);
constinit ChosenKernel<Sha512Kernel> chosen_sha512(sha512_kernel_list);

constinit TestedKernels tested_sha1, tested_sha256, tested_sha512;

}  // namespace

constinit const KernelList sha1_kernel_list =
    kernel_list_of("sha1", kSha1Kernels, sha1_self_test, &tested_sha1);
constinit const KernelList sha256_kernel_list =
    kernel_list_of("sha256", kSha256Kernels, sha256_self_test, &tested_sha256);
constinit const KernelList sha512_kernel_list =
    kernel_list_of("sha512", kSha512Kernels, sha512_self_test, &tested_sha512);

const Sha1Kernel* sha1_kernel() {
  return chosen_sha1.kernel();
}
const Sha256Kernel* sha256_kernel() {
  return chosen_sha256.kernel();
}
const Sha512Kernel* sha512_kernel() {
  return chosen_sha512.kernel();
}

}  // namespace incore
