// The record that a CRC kernel exports. CRC-32 is IEEE 802.3's (zlib, gzip, PNG), CRC-32C
// Castagnoli's (iSCSI, RFC 3720).
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/kernel_choice.h"

namespace incore {

struct CrcKernel {
  KernelInfo info;
  // Carries the register |state| over |len| bytes, of any alignment. Bit 31 is the coefficient of
  // x^0; the inversions before and after are not done here.
  uint32_t (*update)(uint32_t state, const uint8_t* data, size_t len);
};

#define X(kernel) extern const CrcKernel crc32_##kernel;
#include "crypto/crc/crc32_kernels.def"
#undef X
#define X(kernel) extern const CrcKernel crc32c_##kernel;
#include "crypto/crc/crc32c_kernels.def"
#undef X

// KernelList::self_test of each.
bool crc32_self_test(const KernelInfo& kernel);
bool crc32c_self_test(const KernelInfo& kernel);

extern const KernelList crc32_kernel_list;
extern const KernelList crc32c_kernel_list;

// The kernels that serve this process.
extern ChosenKernel<CrcKernel> chosen_crc32_kernel;
extern ChosenKernel<CrcKernel> chosen_crc32c_kernel;

}  // namespace incore
