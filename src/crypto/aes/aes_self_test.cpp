// What an AES kernel has to answer before it serves (crypto/self_test.h).
#include <initializer_list>

#include "crypto/aes/aes_kernel.h"
#include "crypto/self_test.h"

namespace incore {
namespace {

constexpr uint64_t kAnswers = 0x66D4DD8A26D0C3BC;

// 63 blocks are one batch of each size that kernels have, 32 to 1 blocks; then a single block.
constexpr size_t kBlocks = 63;
// Chained modes have one loop over blocks.
constexpr size_t kChainedBlocks = 3;
// Messages side by side, in groups with one key: as many long ones as there are lanes, with more
// blocks than are gathered at a time; and short ones of each number that makes a row.
constexpr struct {
  size_t key, num, blocks;
} kGroups[] = {{0, 16, 17}, {1, 8, 2}, {0, 4, 2}, {2, 3, 2}, {1, 2, 2}};
constexpr size_t kChains = 16 + 8 + 4 + 3 + 2;
constexpr size_t kChainBlocks = 16 * 17 + (8 + 4 + 3 + 2) * 2;

struct Keys {
  AesKey forward, inverse;
};

class AesTest {
 public:
  explicit AesTest(const AesKernel& kernel) : kernel_(kernel) {
    uint8_t key[32];
    self_test_fill(key, sizeof key, 1);
    for (size_t i = 0; i < 3; ++i)
      aes_set_key(kernel, key, 16 + 8 * i, &keys_[i].forward, &keys_[i].inverse);
    self_test_fill(in_, sizeof in_, 2);
  }

  uint64_t run() {
    for (const Keys& keys : keys_) {
      add([&](size_t at, size_t n) { kernel_.ecb_encrypt(keys.forward, in(at), out(at), n); });
      add([&](size_t at, size_t n) { kernel_.ecb_decrypt(keys.inverse, in(at), out(at), n); });
    }
    const Keys& keys = keys_[0];
    for (const auto mode : {kernel_.cbc_encrypt, kernel_.cfb_encrypt, kernel_.ofb})
      add_with_iv(keys.forward, mode, kChainedBlocks);
    add_with_iv(keys.inverse, kernel_.cbc_decrypt, kBlocks);
    add_with_iv(keys.forward, kernel_.cfb_decrypt, kBlocks);
    add_with_iv(keys.forward, kernel_.xts_encrypt, kBlocks);
    add_with_iv(keys.inverse, kernel_.xts_decrypt, kBlocks);
    for (const unsigned bits : {16u, 32u, 64u, 128u}) add_counter(bits);
    add_many(kernel_.cbc_encrypt_many);
    add_many(kernel_.cfb_encrypt_many);
    return sum_.sum();
  }

 private:
  using WithIv = decltype(AesKernel::cbc_encrypt);

  const uint8_t* in(size_t block) const { return in_ + kAesBlockLen * block; }
  uint8_t* out(size_t block) { return out_ + kAesBlockLen * block; }

  // |crypt| gets the first block and their number.
  template <class Crypt>
  void add(Crypt crypt, size_t blocks = kBlocks) {
    crypt(0, blocks);
    crypt(blocks, 1);
    sum_.add_bytes(out_, kAesBlockLen * (blocks + 1));
  }
  void add_with_iv(const AesKey& key, WithIv mode, size_t blocks) {
    uint8_t iv[kAesBlockLen];
    self_test_fill(iv, sizeof iv, 3);
    add([&](size_t at, size_t n) { mode(key, iv, in(at), out(at), n); }, blocks);
    sum_.add_bytes(iv, sizeof iv);
  }
  // A counter that wraps in the midst.
  void add_counter(unsigned bits) {
    uint8_t iv[kAesBlockLen];
    std::memset(iv, 0xFF, sizeof iv);
    iv[15] = 0xD0;
    add([&](size_t at, size_t n) { kernel_.ctr(keys_[0].forward, iv, in(at), out(at), n, bits); });
    sum_.add_bytes(iv, sizeof iv);
  }
  void add_many(void (*encrypt)(const AesChain*, size_t)) {
    uint8_t ivs[kChains * kAesBlockLen];
    self_test_fill(ivs, sizeof ivs, 4);
    AesChain chains[kChains];
    size_t i = 0, at = 0;
    for (const auto& group : kGroups)
      for (size_t left = group.num; left != 0; --left, ++i, at += group.blocks)
        chains[i] = {&keys_[group.key].forward, ivs + kAesBlockLen * i, in(i), out(at),
                     group.blocks};
    encrypt(chains, kChains);
    sum_.add_bytes(out_, kAesBlockLen * at);
    sum_.add_bytes(ivs, sizeof ivs);
  }

  const AesKernel& kernel_;
  SelfTestSum sum_;
  Keys keys_[3];
  uint8_t in_[kAesBlockLen * (kBlocks + 1)], out_[kAesBlockLen * kChainBlocks];
};

}  // namespace

bool aes_self_test(const KernelInfo& kernel) {
  return AesTest(reinterpret_cast<const AesKernel&>(kernel)).run() == kAnswers;
}

}  // namespace incore
