// The record that a GHASH kernel exports, and the key it works on. SP 800-38D section 6.4.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/kernel_choice.h"

namespace incore {

inline constexpr size_t kGhashBlockLen = 16;

struct GhashKernel;

// The hash subkey H in the form of one kernel. It remembers its kernel, so that a key can never
// meet the code of another.
struct GhashKey {
  static constexpr size_t kStorageLen = 1216;
  alignas(16) uint8_t storage[kStorageLen];
  const GhashKernel* kernel;
};

// Neither function branches or indexes on secret data, unless its kernel says so.
struct GhashKernel {
  KernelInfo info;

  // Makes |out_key| from the 16 bytes of H.
  void (*set_key)(const uint8_t* h, GhashKey* out_key);
  // Y = (Y xor X) H for each of the |num_blocks| x 16 bytes X at |blocks|. |state| is Y, 16 bytes;
  // a message begins with zeros.
  void (*update)(const GhashKey& key, uint8_t* state, const uint8_t* blocks, size_t num_blocks);
};

// One declaration per kernel that this build has; defined in ghash_<kernel>.cpp.
#define X(kernel) extern const GhashKernel ghash_##kernel;
#include "crypto/ghash/ghash_kernels.def"
#undef X

// KernelList::self_test.
bool ghash_self_test(const KernelInfo& kernel);

extern const KernelList ghash_kernel_list;

// The kernel that serves this process, chosen at the first call; null if INCORE_KERNEL is wrong.
const GhashKernel* ghash_kernel();

}  // namespace incore
