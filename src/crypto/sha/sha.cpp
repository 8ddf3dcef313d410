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

template <size_t kNum>
constexpr KernelList list_of(const char* algorithm, const KernelInfo* const (&kernels)[kNum]) {
  return {algorithm, kernels, kNum};
}

constinit ChosenKernel<Sha1Kernel> chosen_sha1(sha1_kernel_list);
constinit ChosenKernel<Sha256Kernel> chosen_sha256(sha256_kernel_list);
constinit ChosenKernel<Sha512Kernel> chosen_sha512(sha512_kernel_list);

}  // namespace

constinit const KernelList sha1_kernel_list = list_of("sha1", kSha1Kernels);
constinit const KernelList sha256_kernel_list = list_of("sha256", kSha256Kernels);
constinit const KernelList sha512_kernel_list = list_of("sha512", kSha512Kernels);

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
