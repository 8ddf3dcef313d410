// GCM (SP 800-38D) over any AES kernel and any GHASH kernel. Pairs of kernels that know each other
// have loops of their own (gcm_loops.def), which encrypt and hash in one pass.
#pragma once

#include "crypto/aes/aes_kernel.h"
#include "crypto/ghash/ghash_kernel.h"

namespace incore {

inline constexpr size_t kGcmTagLen = 16;
inline constexpr size_t kGcmIvLen = 12;                            // the length that needs no GHASH
inline constexpr uint64_t kGcmMaxText = (uint64_t{1} << 36) - 32;  // section 5.2.1.1, in bytes
inline constexpr uint64_t kGcmMaxAad = (uint64_t{1} << 61) - 1;

struct GcmLoop;

struct GcmKey {
  AesKey aes;  // forward
  GhashKey hash;
  const GcmLoop* loop;  // of this pair of kernels; null: there is none
};

// A message as a whole. |out| is |in|, or does not overlap it.
struct GcmMessage {
  const uint8_t* iv;
  size_t iv_len;  // not 0
  const uint8_t* aad;
  size_t aad_len;
  const uint8_t* in;
  size_t len;
  uint8_t* out;
};

// What both kernels of a pair do in one pass.
struct GcmLoop {
  const AesKernel* aes;
  const GhashKernel* ghash;

  // Whole blocks of text, |blocks| x 16 bytes: counts up the last 32 bits of |counter|, the next
  // counter block, and carries |state| of GHASH over the ciphertext. |public_counter|: the time
  // taken may depend on the counter. One that GHASH made of an iv must not show: it depends on H.
  void (*encrypt)(const GcmKey& key, uint8_t* counter, bool public_counter, uint8_t* state,
                  const uint8_t* in, uint8_t* out, size_t blocks);
  void (*decrypt)(const GcmKey& key, uint8_t* counter, bool public_counter, uint8_t* state,
                  const uint8_t* in, uint8_t* out, size_t blocks);

  // Whole messages whose iv is of kGcmIvLen; null: not better than the parts. |out_tag| takes
  // kGcmTagLen bytes; decryption compares no tags.
  void (*encrypt_message)(const GcmKey& key, const GcmMessage& message, uint8_t* out_tag);
  void (*decrypt_message)(const GcmKey& key, const GcmMessage& message, uint8_t* out_tag);
};

#define X(loop) extern const GcmLoop gcm_##loop;
#include "crypto/gcm/gcm_loops.def"
#undef X

// True if |loop| gives the same answers as its two kernels.
bool gcm_self_test(const GcmLoop& loop);

// Makes |out_key| from a cipher key of 16, 24 or 32 bytes, for these kernels and a loop of theirs
// or null.
void gcm_set_key(const AesKernel& aes, const GhashKernel& ghash, const GcmLoop* loop,
                 const uint8_t* key, size_t key_len, GcmKey* out_key);
// With the loop of these kernels, if there is one that passes its self-test.
void gcm_set_key(const AesKernel& aes, const GhashKernel& ghash, const uint8_t* key, size_t key_len,
                 GcmKey* out_key);

// A message in pieces: all the aad, then all the text, then the tag. The caller keeps the order and
// the limits. Holds secrets: wipe it.
class GcmStream {
 public:
  GcmStream(const GcmKey& key, const uint8_t* iv, size_t iv_len);

  void add_aad(const GcmKey& key, const uint8_t* aad, size_t len);
  void encrypt(const GcmKey& key, const uint8_t* in, size_t len, uint8_t* out);
  void decrypt(const GcmKey& key, const uint8_t* in, size_t len, uint8_t* out);
  // The whole tag. The stream is used up.
  void tag(const GcmKey& key, uint8_t* out_tag);

  uint64_t aad_len() const { return aad_len_; }
  uint64_t text_len() const { return text_len_; }

 private:
  void pad_hash(const GcmKey& key, uint64_t len);
  template <bool decrypting>
  void crypt(const GcmKey& key, const uint8_t* in, size_t len, uint8_t* out);
  template <bool decrypting>
  void crypt_in_block(const uint8_t* in, size_t len, uint8_t* out);
  template <bool decrypting>
  void crypt_blocks(const GcmKey& key, const uint8_t* in, uint8_t* out, size_t blocks);

  uint64_t aad_len_ = 0;
  uint64_t text_len_ = 0;
  bool public_counter_;
  uint8_t first_counter_[kAesBlockLen];  // J0
  uint8_t counter_[kAesBlockLen];        // of the next block
  uint8_t state_[kGhashBlockLen] =
      {};                            // of GHASH, with the bytes of a block that is begun xored in
  uint8_t keystream_[kAesBlockLen];  // of the text's block that is begun
};

// |out_tag| takes kGcmTagLen bytes.
void gcm_encrypt(const GcmKey& key, const GcmMessage& message, uint8_t* out_tag);

// False if the first |tag_len| bytes of the message's tag are others than |tag|. Then what was
// decrypted is taken back: |out| has the ciphertext again if it is |in|, and zeros otherwise.
bool gcm_decrypt(const GcmKey& key, const GcmMessage& message, const uint8_t* tag, size_t tag_len);

}  // namespace incore
