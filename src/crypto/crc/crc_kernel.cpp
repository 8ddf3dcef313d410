// The lists of the CRC kernels, best first, and which of them serve this process.
#include "crypto/crc/crc_kernel.h"

namespace incore {
namespace {

constexpr const KernelInfo* kCrc32Kernels[] = {
#define X(kernel) &crc32_##kernel.info,
#include "crypto/crc/crc32_kernels.def"
#undef X
};
constexpr const KernelInfo* kCrc32cKernels[] = {
#define X(kernel) &crc32c_##kernel.info,
#include "crypto/crc/crc32c_kernels.def"
#undef X
};

constinit TestedKernels tested_crc32, tested_crc32c;

}  // namespace

constinit const KernelList crc32_kernel_list =
    kernel_list_of("crc32", kCrc32Kernels, crc32_self_test, &tested_crc32);
constinit const KernelList crc32c_kernel_list =
    kernel_list_of("crc32c", kCrc32cKernels, crc32c_self_test, &tested_crc32c);

constinit ChosenKernel<CrcKernel> chosen_crc32_kernel(crc32_kernel_list);
constinit ChosenKernel<CrcKernel> chosen_crc32c_kernel(crc32c_kernel_list);

}  // namespace incore
