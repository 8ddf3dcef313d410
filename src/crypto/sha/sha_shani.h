// How the kernels `shani` of SHA-1 and SHA-256 serve one message and up to four: the instructions
// of several messages fill each other's waiting time. A kernel's file defines the words below in
// its anonymous namespace and then includes this.
//
//   INCORE_SHANI               the attribute of every function
//   kWords                     of a hash value
//   Message                    a message at work: |block|, its data; load(H) and store(H)
//   compress_blocks(messages, num_blocks)
#pragma once

namespace incore {
namespace {

INCORE_SHANI void compress(uint32_t state[kWords], const uint8_t* blocks, size_t num_blocks) {
  Message message[1];
  message[0].block = blocks;
  message[0].load(state);
  compress_blocks(message, num_blocks);
  message[0].store(state);
}

template <size_t kNum>
INCORE_SHANI void compress_lanes(ShaLanes<uint32_t>* lanes, size_t first, size_t num_blocks) {
  uint32_t H[kWords];
  Message messages[kNum];
  for (size_t i = 0; i < kNum; ++i) {
    for (size_t word = 0; word < kWords; ++word) H[word] = lanes->state[word][first + i];
    messages[i].block = lanes->data[first + i];
    messages[i].load(H);
  }
  compress_blocks(messages, num_blocks);
  for (size_t i = 0; i < kNum; ++i) {
    messages[i].store(H);
    for (size_t word = 0; word < kWords; ++word) lanes->state[word][first + i] = H[word];
  }
  wipe(messages);
  wipe(H);
}

void compress_many(ShaLanes<uint32_t>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  switch (num_lanes) {
    case 1:
      return compress_lanes<1>(lanes, first, num_blocks);
    case 2:
      return compress_lanes<2>(lanes, first, num_blocks);
    case 3:
      return compress_lanes<3>(lanes, first, num_blocks);
    default:
      return compress_lanes<4>(lanes, first, num_blocks);
  }
}

constexpr FeatureSet kNeeds(Feature::sha_ni, Feature::ssse3, Feature::sse4_1);

}  // namespace
}  // namespace incore
