// The records that the kernels for many messages export: compression functions over lanes, each of
// which holds one message.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/kernel_choice.h"

namespace incore {

// The messages in work, as many as words fit in a register of 512 bits. Word i of the hash value of
// lane j is state[i][j], in the host's byte order.
template <class Word>
struct ShaLanes {
  static constexpr size_t kNum = 64 / sizeof(Word);
  static constexpr size_t kBlockLen = 16 * sizeof(Word);
  alignas(64) Word state[8][kNum];
  const uint8_t* data[kNum];  // the blocks that come next, of any alignment
};

template <class Word>
struct ShaManyKernel {
  KernelInfo info;
  // How many lanes a call takes at most.
  size_t max_lanes;
  // About what a call costs for each block of a lane, however many lanes it takes: the kernel that
  // is cheapest for the lanes at hand is taken. In core cycles, measured on Zen 4.
  unsigned cycles;
  // Compresses |num_blocks| blocks into each of |num_lanes| lanes from |first| on, which is a
  // multiple of max_lanes. The data pointers stay. What lanes behind those hold is lost.
  void (*compress)(ShaLanes<Word>* lanes, size_t first, size_t num_lanes, size_t num_blocks);
};

// SHA-1 uses five of the eight words of state.
using Sha1ManyKernel = ShaManyKernel<uint32_t>;
using Sha256ManyKernel = ShaManyKernel<uint32_t>;
using Sha512ManyKernel = ShaManyKernel<uint64_t>;

#define X(kernel) extern const Sha1ManyKernel sha1_many_##kernel;
#include "crypto/sha/sha1_many_kernels.def"
#undef X
#define X(kernel) extern const Sha256ManyKernel sha256_many_##kernel;
#include "crypto/sha/sha256_many_kernels.def"
#undef X
#define X(kernel) extern const Sha512ManyKernel sha512_many_##kernel;
#include "crypto/sha/sha512_many_kernels.def"
#undef X

// KernelList::self_test of each.
bool sha1_many_self_test(const KernelInfo& kernel);
bool sha256_many_self_test(const KernelInfo& kernel);
bool sha512_many_self_test(const KernelInfo& kernel);

extern const KernelList sha1_many_kernel_list;
extern const KernelList sha256_many_kernel_list;
extern const KernelList sha512_many_kernel_list;

}  // namespace incore
