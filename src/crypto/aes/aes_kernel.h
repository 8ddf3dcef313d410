// The record that an AES kernel exports, and the keys it works on. FIPS 197; SP 800-38A for the
// modes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/kernel_choice.h"

namespace incore {

inline constexpr size_t kAesBlockLen = 16;
inline constexpr unsigned kAesMaxRounds =
    16;  // PadLock runs 1 to 16 rounds; FIPS 197 uses 10, 12 and 14

// A key schedule in the standard's own form: rounds + 1 round keys of 16 bytes, in the order in
// which they are used. Encryption: w[0], w[1], ... of FIPS 197 section 5.2. Decryption: the
// equivalent inverse cipher of section 5.3.5, that is w of the last round first, InvMixColumns
// applied to the inner round keys, the cipher key last.
struct AesRoundKeys {
  alignas(16) uint8_t bytes[(kAesMaxRounds + 1) * kAesBlockLen];
  unsigned rounds;
};

struct AesKernel;
struct AesChain;

// A key schedule in the form of one kernel, for one direction. It remembers its kernel, so that a
// schedule can never meet the code of another.
struct AesKey {
  static constexpr size_t kStorageLen = 1152;
  alignas(16) uint8_t storage[kStorageLen];
  const AesKernel* kernel;
  unsigned rounds;
};

// The functions on data take |blocks| x 16 bytes at |in| and |out|, of any alignment. |out| may
// equal |in|, or lie below it and overlap it; other overlap is not allowed. |iv| is 16 bytes, read
// and then replaced by the vector with which the message goes on. None of them branches or indexes
// on secret data, unless its kernel says so.
struct AesKernel {
  KernelInfo info;

  // The first rounds + 1 round keys from a cipher key of 16, 24 or 32 bytes. Any 1 <= rounds <=
  // kAesMaxRounds: the expansion of FIPS 197 is cut short or continued.
  void (*expand_key)(const uint8_t* key, size_t key_len, unsigned rounds,
                     AesRoundKeys* out_forward);
  // The equivalent inverse cipher's schedule from the forward one. May not work in place.
  void (*invert_key)(const AesRoundKeys& forward, AesRoundKeys* out_inverse);
  // Brings a schedule (of either direction) into the kernel's form; sets storage and rounds.
  void (*load_key)(const AesRoundKeys& round_keys, AesKey* out_key);

  void (*ecb_encrypt)(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks);
  void (*ecb_decrypt)(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks);
  void (*cbc_encrypt)(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                      size_t blocks);
  void (*cbc_decrypt)(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                      size_t blocks);
  void (*cfb_encrypt)(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                      size_t blocks);
  void (*cfb_decrypt)(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out,
                      size_t blocks);
  void (*ofb)(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks);
  // The counter is the last |counter_bits| (16, 32, 64 or 128) bits of |iv|, big-endian, and wraps
  // within them.
  void (*ctr)(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
              unsigned counter_bits);
  // XTS (IEEE 1619, SP 800-38E) over whole blocks of one data unit. |tweak| is the encrypted tweak
  // of the first block, alpha^j included; replaced by that of the block behind the last.
  void (*xts_encrypt)(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                      size_t blocks);
  void (*xts_decrypt)(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                      size_t blocks);
  // cbc_encrypt and cfb_encrypt for |num_chains| messages that have nothing to do with each other,
  // side by side. All keys are of this kernel; their rounds and the lengths may differ.
  void (*cbc_encrypt_many)(const AesChain* chains, size_t num_chains);
  void (*cfb_encrypt_many)(const AesChain* chains, size_t num_chains);

  // Bytes of stack that ecb to ctr take at most: so much is cleared behind them (clean_call.h). As
  // many are enough for messages side by side that have fewer than kAesLanesBlocks blocks together.
  size_t stack;
};
constexpr size_t kAesLanesBlocks = 128, kAesLanesStack = 13824;

// One message of many.
struct AesChain {
  const AesKey* key;
  uint8_t* iv;
  const uint8_t* in;
  uint8_t* out;
  size_t blocks;
};

// One declaration per kernel that this build has; defined in aes_<kernel>.cpp.
#define X(kernel) extern const AesKernel aes_##kernel;
#include "crypto/aes/aes_kernels.def"
#undef X

// KernelList::self_test.
bool aes_self_test(const KernelInfo& kernel);

extern const KernelList aes_kernel_list;

// The kernel that serves this process, chosen at the first call; null if INCORE_KERNEL is wrong.
const AesKernel* aes_kernel();

// Both directions of a key of 16, 24 or 32 bytes, with the rounds that FIPS 197 gives it.
void aes_set_key(const AesKernel& kernel, const uint8_t* key, size_t key_len, AesKey* out_forward,
                 AesKey* out_inverse);

}  // namespace incore
