// The records that the SHA kernels export: the compression functions of FIPS 180-4.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/kernel_choice.h"

namespace incore {

// Each compresses |num_blocks| message blocks (64 bytes; 128 for SHA-512) of any alignment into
// |state|, whose words are H0, H1, ... in the host's byte order.
struct Sha1Kernel {
  KernelInfo info;
  void (*compress)(uint32_t state[5], const uint8_t* blocks, size_t num_blocks);
};

struct Sha256Kernel {
  KernelInfo info;
  void (*compress)(uint32_t state[8], const uint8_t* blocks, size_t num_blocks);
};

struct Sha512Kernel {
  KernelInfo info;
  void (*compress)(uint64_t state[8], const uint8_t* blocks, size_t num_blocks);
};

// One declaration per kernel that this build has; defined in <algorithm>_<kernel>.cpp.
#define X(kernel) extern const Sha1Kernel sha1_##kernel;
#include "crypto/sha/sha1_kernels.def"
#undef X
#define X(kernel) extern const Sha256Kernel sha256_##kernel;
#include "crypto/sha/sha256_kernels.def"
#undef X
#define X(kernel) extern const Sha512Kernel sha512_##kernel;
#include "crypto/sha/sha512_kernels.def"
#undef X

// KernelList::self_test of each.
bool sha1_self_test(const KernelInfo& kernel);
bool sha256_self_test(const KernelInfo& kernel);
bool sha512_self_test(const KernelInfo& kernel);

extern const KernelList sha1_kernel_list;
extern const KernelList sha256_kernel_list;
extern const KernelList sha512_kernel_list;

// The kernels that serve this process, chosen at the first call; null if INCORE_KERNEL is wrong.
const Sha1Kernel* sha1_kernel();
const Sha256Kernel* sha256_kernel();
const Sha512Kernel* sha512_kernel();

}  // namespace incore
