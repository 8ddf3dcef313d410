// Every function of every kernel that this CPU runs keeps the calling convention. Compilers see to
// that; assembly written by hand, and wide registers, need it to be looked at.
#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <algorithm>
#include <numeric>
#include <vector>

#include "crypto/aes/aes_kernel.h"
#include "crypto/crc/crc_kernel.h"
#include "crypto/gcm/gcm.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/ghash/ghash_kernel.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"
#include "support/abi_call.h"

extern "C" {
void incore_test_changes_rbx();
void incore_test_changes_r15();
void incore_test_sets_direction();
void incore_test_changes_mxcsr();
void incore_test_uses_mmx();
void incore_test_leaves_ymm7();
void incore_test_leaves_zmm9();
uint64_t incore_test_adds_eight(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                uint64_t, uint64_t);
}

asm(R"(
.pushsection .text
incore_test_changes_rbx:
  inc %rbx
  ret
incore_test_changes_r15:
  xor %r15d, %r15d
  ret
incore_test_sets_direction:
  std
  ret
incore_test_changes_mxcsr:
  movl $0x9fc0, -4(%rsp)
  ldmxcsr -4(%rsp)
  ret
incore_test_uses_mmx:
  pcmpeqd %mm0, %mm0
  ret
incore_test_leaves_ymm7:
  vpcmpeqd %ymm7, %ymm7, %ymm7
  ret
incore_test_leaves_zmm9:
  vpternlogd $0xff, %zmm9, %zmm9, %zmm9
  ret
incore_test_adds_eight:
  lea (%rdi, %rsi), %rax
  add %rdx, %rax
  add %rcx, %rax
  add %r8, %rax
  add %r9, %rax
  add 8(%rsp), %rax
  add 16(%rsp), %rax
  ret
.popsection
)");

namespace incore {
namespace {

using test::abi_faults_of;

TEST(abi, trampoline_finds_each_fault) {
  EXPECT_EQ(abi_faults_of(incore_test_changes_rbx), "rbx changed; ");
  EXPECT_EQ(abi_faults_of(incore_test_changes_r15), "r15 changed; ");
  EXPECT_EQ(abi_faults_of(incore_test_sets_direction), "the direction flag is set; ");
  EXPECT_EQ(abi_faults_of(incore_test_changes_mxcsr), "MXCSR changed; ");
  EXPECT_EQ(abi_faults_of(incore_test_uses_mmx), "x87 or MMX registers are in use; ");
  if (detect_features().has(Feature::avx2)) {
    EXPECT_EQ(abi_faults_of(incore_test_leaves_ymm7),
              "the upper half of vector register 7 is not zero; ");
  }
  if (detect_features().has(Feature::avx512)) {
    EXPECT_EQ(abi_faults_of(incore_test_leaves_zmm9),
              "the upper half of vector register 9 is not zero; ");
  }
}

TEST(abi, trampoline_passes_eight_arguments) {
  EXPECT_EQ(abi_faults_of(incore_test_adds_eight, 1, 2, 4, 8, 16, 32, 64, 128), "");
}

// Calls |check| with every kernel of |list| that this CPU runs.
template <class Kernel, class Check>
void for_each_kernel(const KernelList& list, Check check) {
  for (size_t i = 0; i < list.num_kernels; ++i) {
    if (!detect_features().has_all(list.kernels[i]->needs)) continue;
    SCOPED_TRACE(std::string(list.algorithm) + ":" + list.kernels[i]->name);
    check(*reinterpret_cast<const Kernel*>(list.kernels[i]));
  }
}

// Lengths in blocks that take a kernel through its widest loop and through what is left over.
constexpr size_t kBlocks[] = {0, 1, 3, 35, 70};
constexpr size_t kMaxBlocks = 70;

void expect_none(const std::string& faults, const char* call) {
  EXPECT_EQ(faults, "") << call;
}
#define EXPECT_KEEPS_ABI(...) expect_none(abi_faults_of(__VA_ARGS__), #__VA_ARGS__)

void check_aes(const AesKernel& k, size_t key_len) {
  uint8_t key_bytes[32], iv[16] = {1}, data[16 * kMaxBlocks];
  std::iota(key_bytes, key_bytes + 32, uint8_t{7});
  std::iota(data, data + sizeof data, uint8_t{0});
  AesRoundKeys forward, inverse;
  AesKey encrypt, decrypt;
  EXPECT_KEEPS_ABI(k.expand_key, key_bytes, key_len, key_len / 4 + 6, &forward);
  EXPECT_KEEPS_ABI(k.invert_key, &forward, &inverse);
  EXPECT_KEEPS_ABI(k.load_key, &forward, &encrypt);
  EXPECT_KEEPS_ABI(k.load_key, &inverse, &decrypt);
  for (const size_t blocks : kBlocks) {
    EXPECT_KEEPS_ABI(k.ecb_encrypt, &encrypt, data, data, blocks);
    EXPECT_KEEPS_ABI(k.ecb_decrypt, &decrypt, data, data, blocks);
    EXPECT_KEEPS_ABI(k.cbc_encrypt, &encrypt, iv, data, data, blocks);
    EXPECT_KEEPS_ABI(k.cbc_decrypt, &decrypt, iv, data, data, blocks);
    EXPECT_KEEPS_ABI(k.cfb_encrypt, &encrypt, iv, data, data, blocks);
    EXPECT_KEEPS_ABI(k.cfb_decrypt, &encrypt, iv, data, data, blocks);
    EXPECT_KEEPS_ABI(k.ofb, &encrypt, iv, data, data, blocks);
    for (const unsigned bits : {16u, 32u, 64u, 128u})
      EXPECT_KEEPS_ABI(k.ctr, &encrypt, iv, data, data, blocks, bits);
    EXPECT_KEEPS_ABI(k.xts_encrypt, &encrypt, iv, data, data, blocks);
    EXPECT_KEEPS_ABI(k.xts_decrypt, &decrypt, iv, data, data, blocks);
  }
  constexpr size_t kChains = 19;
  uint8_t ivs[kChains][16] = {};
  AesChain chains[kChains];
  for (size_t i = 0; i < kChains; ++i)
    chains[i] = {&encrypt, ivs[i], data + 16 * i, data + 16 * i, 1 + i % 3};
  for (const size_t num_chains : {size_t{1}, size_t{5}, kChains}) {
    EXPECT_KEEPS_ABI(k.cbc_encrypt_many, chains, num_chains);
    EXPECT_KEEPS_ABI(k.cfb_encrypt_many, chains, num_chains);
  }
}

TEST(abi, aes_kernels_keep_it) {
  for_each_kernel<AesKernel>(aes_kernel_list, [](const AesKernel& k) {
    for (const size_t key_len : {16, 24, 32}) check_aes(k, key_len);
  });
}

TEST(abi, sha_kernels_keep_it) {
  uint8_t data[128 * 20] = {1, 2, 3};
  uint32_t words[8] = {1, 2, 3};
  uint64_t long_words[8] = {1, 2, 3};
  for (const size_t blocks : {0, 1, 2, 20}) {
    for_each_kernel<Sha1Kernel>(sha1_kernel_list, [&](const Sha1Kernel& k) {
      EXPECT_KEEPS_ABI(k.compress, words, data, blocks);
    });
    for_each_kernel<Sha256Kernel>(sha256_kernel_list, [&](const Sha256Kernel& k) {
      EXPECT_KEEPS_ABI(k.compress, words, data, blocks);
    });
    for_each_kernel<Sha512Kernel>(sha512_kernel_list, [&](const Sha512Kernel& k) {
      EXPECT_KEEPS_ABI(k.compress, long_words, data, blocks);
    });
  }
}

template <class Word>
void check_sha_many(const KernelList& list) {
  uint8_t data[128 * 20] = {1, 2, 3};
  ShaLanes<Word> lanes = {};
  std::fill(std::begin(lanes.data), std::end(lanes.data), data);
  for_each_kernel<ShaManyKernel<Word>>(list, [&](const ShaManyKernel<Word>& k) {
    for (size_t num_lanes = 1; num_lanes <= k.max_lanes; ++num_lanes)
      for (const size_t blocks : {1, 2, 20})
        EXPECT_KEEPS_ABI(k.compress, &lanes, 0, num_lanes, blocks);
  });
}

TEST(abi, sha_kernels_for_many_messages_keep_it) {
  check_sha_many<uint32_t>(sha1_many_kernel_list);
  check_sha_many<uint32_t>(sha256_many_kernel_list);
  check_sha_many<uint64_t>(sha512_many_kernel_list);
}

TEST(abi, crc_kernels_keep_it) {
  uint8_t data[3000];
  std::iota(data, data + sizeof data, uint8_t{1});
  for (const KernelList* list : {&crc32_kernel_list, &crc32c_kernel_list})
    for_each_kernel<CrcKernel>(*list, [&](const CrcKernel& k) {
      for (const size_t len : {0, 1, 15, 16, 64, 100, 256, 1000, 3000})
        EXPECT_KEEPS_ABI(k.update, 0x12345678, data, len);
    });
}

TEST(abi, ghash_kernels_and_gcm_loops_keep_it) {
  uint8_t h[16] = {0x80, 1}, state[16] = {}, tag[16], data[16 * kMaxBlocks];
  std::iota(data, data + sizeof data, uint8_t{1});
  for_each_kernel<GhashKernel>(ghash_kernel_list, [&](const GhashKernel& k) {
    GhashKey key;
    EXPECT_KEEPS_ABI(k.set_key, h, &key);
    for (const size_t blocks : kBlocks) EXPECT_KEEPS_ABI(k.update, &key, state, data, blocks);
  });
#define X(loop) &gcm_##loop,
  for (const GcmLoop* loop : {
#include "crypto/gcm/gcm_loops.def"
       }) {
#undef X
    const FeatureSet here = detect_features();
    if (!here.has_all(loop->aes->info.needs) || !here.has_all(loop->ghash->info.needs)) continue;
    SCOPED_TRACE(loop->aes->info.name);
    GcmKey key;
    gcm_set_key(*loop->aes, *loop->ghash, h, sizeof h, &key);
    for (const size_t blocks : kBlocks) {
      EXPECT_KEEPS_ABI(loop->encrypt, &key, h, state, data, data, blocks);
      EXPECT_KEEPS_ABI(loop->decrypt, &key, h, state, data, data, blocks);
      const uint8_t iv[12] = {};
      const GcmMessage message = {iv, sizeof iv, h, sizeof h, data, 16 * blocks, data};
      if (loop->encrypt_message != nullptr)
        EXPECT_KEEPS_ABI(loop->encrypt_message, &key, &message, tag);
      if (loop->decrypt_message != nullptr)
        EXPECT_KEEPS_ABI(loop->decrypt_message, &key, &message, tag);
    }
  }
}

TEST(abi, gf2_kernels_keep_it) {
  for_each_kernel<Gf2Kernel>(gf2_kernel_list, [](const Gf2Kernel& k) {
    uint64_t a[9], product[18];
    for (uint64_t& word : a) word = 0x0123456789abcdef * static_cast<uint64_t>(&word - a + 1);
    for (size_t words = 0; words <= 9; ++words) EXPECT_KEEPS_ABI(k.multiply, a, a, words, product);
    for (const unsigned m : {64u, 163u, 191u, 233u, 283u, 409u, 571u}) {
      uint64_t f[kGf2MaxWords + 1] = {1};
      f[m / 64] |= uint64_t{1} << m % 64;
      f[0] |= 1 << 7;
      Gf2Field field;
      gf2_set_field(&k, f, m + 1, &field);
      a[field.words - 1] &= field.last_mask;
      EXPECT_KEEPS_ABI(field.multiply, &field, a, a, product);
      EXPECT_KEEPS_ABI(field.square, &field, a, product);
      EXPECT_KEEPS_ABI(field.montmul, &field, a, a, product);
    }
  });
}

TEST(abi, mont_kernels_keep_it) {
  for_each_kernel<MontKernel>(mont_kernel_list, [](const MontKernel& k) {
    for (const size_t words : {4, 5, 8, 16, 17, 32, 64}) {
      std::vector<uint64_t> m(words, ~uint64_t{0}), rr(words), out(words, 0x1234567);
      // Scratch for two powers begins at a multiple of 64 bytes.
      std::vector<uint64_t> memory(2 * mont_power_scratch_words(words) + 8);
      uint64_t* const scratch =
          memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64 / 8;
      m[0] -= 2;
      MontModulus modulus = {m.data(), rr.data(), mont_m_prime(m[0]), words};
      mont_compute_rr(k, modulus, 64 * words, rr.data(), scratch);
      EXPECT_KEEPS_ABI(k.mul, out.data(), out.data(), rr.data(), &modulus, scratch);
      if (k.power == nullptr) continue;
      const uint8_t exponent[3] = {0xa5, 0x5a, 0xff};
      std::vector<uint64_t> second(out);
      const MontPower powers[] = {
          {&modulus, out.data(), exponent, sizeof exponent, out.data(), false},
          {&modulus, second.data(), exponent, sizeof exponent, second.data(), false}};
      EXPECT_KEEPS_ABI(k.power, powers, 1, scratch);
      EXPECT_KEEPS_ABI(k.power, powers, 2, scratch);
    }
  });
}

}  // namespace
}  // namespace incore
#endif
