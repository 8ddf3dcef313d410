// Self-tests of kernels: each notices a kernel whose answers are wrong, in whatever operation and
// lane; and what fails never serves.
#include "crypto/self_test.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "crypto/aes/aes_kernel.h"
#include "crypto/crc/crc_kernel.h"
#include "crypto/gcm/gcm.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/ghash/ghash_kernel.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"

namespace incore {
namespace {

TEST(self_test, every_kernel_that_this_cpu_runs_passes) {
  size_t num_lists = 0;
  const KernelList* const* lists = kernel_lists(&num_lists);
  for (size_t i = 0; i < num_lists; ++i)
    for (size_t k = 0; k < lists[i]->num_kernels; ++k) {
      const KernelInfo& kernel = *lists[i]->kernels[k];
      if (!detect_features().has_all(kernel.needs)) continue;
      EXPECT_TRUE(lists[i]->self_test(kernel)) << lists[i]->algorithm << ':' << kernel.name;
    }
}

// --- broken kernels. They compute as portable ones do, but for one bit of one answer.

// Which block of a call is wrong: the last of each group of this many, as the upper lane of a
// register is. 1: all; 64: only a call that has so many blocks, none.
size_t wrong_lane;

void spoil(uint8_t* out, size_t blocks) {
  for (size_t i = wrong_lane - 1; i < blocks; i += wrong_lane) out[16 * i + 7] ^= 0x10;
}

template <auto kFunction>
void ecb(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  (aes_portable.*kFunction)(key, in, out, blocks);
  spoil(out, blocks);
}
template <auto kFunction>
void with_iv(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  (aes_portable.*kFunction)(key, iv, in, out, blocks);
  spoil(out, blocks);
}
void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
         unsigned counter_bits) {
  aes_portable.ctr(key, iv, in, out, blocks, counter_bits);
  spoil(out, blocks);
}
template <unsigned kBits>
void ctr_of(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
            unsigned counter_bits) {
  aes_portable.ctr(key, iv, in, out, blocks, counter_bits);
  if (counter_bits == kBits) spoil(out, blocks);
}
template <auto kFunction>
void many(const AesChain* chains, size_t num_chains) {
  (aes_portable.*kFunction)(chains, num_chains);
  for (size_t i = wrong_lane - 1; i < num_chains; i += wrong_lane) chains[i].out[7] ^= 0x10;
}
template <auto kFunction>
void iv_left_wrong(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  (aes_portable.*kFunction)(key, iv, in, out, blocks);
  iv[15] ^= 1;
}
void expand_192(const uint8_t* key, size_t key_len, unsigned rounds, AesRoundKeys* out) {
  aes_portable.expand_key(key, key_len, rounds, out);
  if (key_len == 24) out->bytes[16 * rounds] ^= 1;
}
void expand_256(const uint8_t* key, size_t key_len, unsigned rounds, AesRoundKeys* out) {
  aes_portable.expand_key(key, key_len, rounds, out);
  if (key_len == 32) out->bytes[16 * rounds] ^= 1;
}
void invert(const AesRoundKeys& forward, AesRoundKeys* out) {
  aes_portable.invert_key(forward, out);
  out->bytes[16] ^= 1;
}

void expect_noticed(const char* what, void (*change)(AesKernel*)) {
  AesKernel broken = aes_portable;
  change(&broken);
  EXPECT_FALSE(aes_self_test(broken.info)) << what << ", lane " << wrong_lane;
}
#define EXPECT_NOTICED(member, ...) \
  expect_noticed(#member, [](AesKernel* k) { k->member = __VA_ARGS__; })

TEST(self_test, notices_a_wrong_lane_of_each_operation_of_aes) {
  using K = AesKernel;
  wrong_lane = 64;
  AesKernel right = aes_portable;
  right.ctr = ctr;
  EXPECT_TRUE(aes_self_test(right.info));  // so it is not for being another record
  for (const size_t lane : {1, 2, 4, 8, 16, 32}) {
    wrong_lane = lane;
    EXPECT_NOTICED(ecb_encrypt, ecb<&K::ecb_encrypt>);
    EXPECT_NOTICED(ecb_decrypt, ecb<&K::ecb_decrypt>);
    EXPECT_NOTICED(cbc_decrypt, with_iv<&K::cbc_decrypt>);
    EXPECT_NOTICED(cfb_decrypt, with_iv<&K::cfb_decrypt>);
    EXPECT_NOTICED(xts_encrypt, with_iv<&K::xts_encrypt>);
    EXPECT_NOTICED(xts_decrypt, with_iv<&K::xts_decrypt>);
    EXPECT_NOTICED(ctr, ctr_of<16>);
    EXPECT_NOTICED(ctr, ctr_of<32>);
    EXPECT_NOTICED(ctr, ctr_of<64>);
    EXPECT_NOTICED(ctr, ctr_of<128>);
  }
  for (const size_t lane : {1, 2, 4, 8, 16}) {
    wrong_lane = lane;
    EXPECT_NOTICED(cbc_encrypt_many, many<&K::cbc_encrypt_many>);
    EXPECT_NOTICED(cfb_encrypt_many, many<&K::cfb_encrypt_many>);
  }
  wrong_lane = 1;
  EXPECT_NOTICED(cbc_encrypt, with_iv<&K::cbc_encrypt>);
  EXPECT_NOTICED(cfb_encrypt, with_iv<&K::cfb_encrypt>);
  EXPECT_NOTICED(ofb, with_iv<&K::ofb>);
}

TEST(self_test, notices_wrong_keys_and_wrong_vectors_of_aes) {
  using K = AesKernel;
  EXPECT_NOTICED(expand_key, expand_192);
  EXPECT_NOTICED(expand_key, expand_256);
  EXPECT_NOTICED(invert_key, invert);
  EXPECT_NOTICED(cbc_encrypt, iv_left_wrong<&K::cbc_encrypt>);
  EXPECT_NOTICED(cbc_decrypt, iv_left_wrong<&K::cbc_decrypt>);
  EXPECT_NOTICED(cfb_encrypt, iv_left_wrong<&K::cfb_encrypt>);
  EXPECT_NOTICED(cfb_decrypt, iv_left_wrong<&K::cfb_decrypt>);
  EXPECT_NOTICED(ofb, iv_left_wrong<&K::ofb>);
  EXPECT_NOTICED(xts_encrypt, iv_left_wrong<&K::xts_encrypt>);
  EXPECT_NOTICED(xts_decrypt, iv_left_wrong<&K::xts_decrypt>);
}

// Kernels of SHA that are wrong if a call has |wrong_blocks| blocks.
size_t wrong_blocks;

template <class Kernel, const Kernel& kPortable, class Word>
void compress(Word* state, const uint8_t* blocks, size_t num_blocks) {
  kPortable.compress(state, blocks, num_blocks);
  if (num_blocks == wrong_blocks) state[4] ^= 1;
}

TEST(self_test, notices_a_wrong_block_of_each_sha) {
  Sha1Kernel one = {sha1_portable.info, compress<Sha1Kernel, sha1_portable, uint32_t>};
  Sha256Kernel two = {sha256_portable.info, compress<Sha256Kernel, sha256_portable, uint32_t>};
  Sha512Kernel four = {sha512_portable.info, compress<Sha512Kernel, sha512_portable, uint64_t>};
  for (wrong_blocks = 0; wrong_blocks <= 3; ++wrong_blocks) {
    const bool right = wrong_blocks == 0;
    EXPECT_EQ(sha1_self_test(one.info), right) << wrong_blocks;
    EXPECT_EQ(sha256_self_test(two.info), right) << wrong_blocks;
    EXPECT_EQ(sha512_self_test(four.info), right) << wrong_blocks;
  }
}

template <class Word, const ShaManyKernel<Word>& kPortable>
void compress_many(ShaLanes<Word>* lanes, size_t first, size_t num_lanes, size_t num_blocks) {
  for (size_t i = 0; i < num_lanes; i += kPortable.max_lanes)
    kPortable.compress(lanes, first + i, std::min(kPortable.max_lanes, num_lanes - i), num_blocks);
  if (wrong_lane < num_lanes) lanes->state[4][first + wrong_lane] ^= 1;
}

// In a kernel of all lanes.
template <class Word, const ShaManyKernel<Word>& kPortable>
void expect_wrong_lanes_noticed(bool (*self_test)(const KernelInfo&)) {
  constexpr size_t kNum = ShaLanes<Word>::kNum;
  const ShaManyKernel<Word> broken = {kPortable.info, kNum, 1, compress_many<Word, kPortable>};
  for (wrong_lane = 0; wrong_lane <= kNum; ++wrong_lane)
    EXPECT_EQ(self_test(broken.info), wrong_lane == kNum) << wrong_lane;
}

TEST(self_test, notices_a_wrong_lane_of_each_sha_for_many_messages) {
  expect_wrong_lanes_noticed<uint32_t, sha1_many_portable>(sha1_many_self_test);
  expect_wrong_lanes_noticed<uint32_t, sha256_many_portable>(sha256_many_self_test);
  expect_wrong_lanes_noticed<uint64_t, sha512_many_portable>(sha512_many_self_test);
}

size_t wrong_from;  // bytes

template <const CrcKernel& kPortable>
uint32_t crc(uint32_t state, const uint8_t* data, size_t len) {
  return kPortable.update(state, data, len) ^ (len >= wrong_from ? 0x80000000 : 0);
}

TEST(self_test, notices_a_crc_that_is_wrong_from_some_length_on) {
  const CrcKernel first = {crc32_portable.info, crc<crc32_portable>};
  const CrcKernel second = {crc32c_portable.info, crc<crc32c_portable>};
  for (const size_t from : {0, 16, 64, 256, 512, 1024, 4000, 5000}) {
    wrong_from = from;
    EXPECT_EQ(crc32_self_test(first.info), from == 5000) << from;
    EXPECT_EQ(crc32c_self_test(second.info), from == 5000) << from;
  }
}

TEST(self_test, notices_a_wrong_ghash) {
  GhashKernel broken = ghash_portable;
  EXPECT_TRUE(ghash_self_test(broken.info));
  broken.set_key = [](const uint8_t* h, GhashKey* out_key) {
    uint8_t wrong[kGhashBlockLen];
    std::memcpy(wrong, h, sizeof wrong);
    wrong[15] ^= 1;
    ghash_portable.set_key(wrong, out_key);
  };
  EXPECT_FALSE(ghash_self_test(broken.info));
  broken = ghash_portable;
  broken.update = [](const GhashKey& key, uint8_t* state, const uint8_t* blocks, size_t num) {
    ghash_portable.update(key, state, blocks, num);
    if (num >= wrong_blocks) state[0] ^= 0x80;
  };
  for (const size_t blocks : {1, 2, 4, 8, 16, 32}) {
    wrong_blocks = blocks;
    EXPECT_FALSE(ghash_self_test(broken.info)) << blocks;
  }
}

// Fields of Gf2Field that a kernel sets.
Gf2Kernel broken_gf2;
size_t wrong_words;
int wrong_function;

template <int kNumber, auto kMember>
void wrong_binary(const Gf2Field& field, const uint64_t* a, const uint64_t* b, uint64_t* out) {
  Gf2Field right = field;
  gf2_portable.choose(&right);
  (right.*kMember)(right, a, b, out);
  if (field.words == wrong_words) out[field.words - 1] ^= 1;
}
void wrong_square(const Gf2Field& field, const uint64_t* a, uint64_t* out) {
  Gf2Field right = field;
  gf2_portable.choose(&right);
  right.square(right, a, out);
  if (field.words == wrong_words) out[0] ^= 1;
}

TEST(self_test, notices_a_wrong_product_of_gf2_in_each_field_and_length) {
  broken_gf2 = gf2_portable;
  EXPECT_TRUE(gf2_self_test(broken_gf2.info));
  broken_gf2.multiply = [](const uint64_t* a, const uint64_t* b, size_t words, uint64_t* out) {
    gf2_portable.multiply(a, b, words, out);
    if (words == wrong_words) out[2 * words - 1] ^= 1;
  };
  for (wrong_words = 1; wrong_words <= kGf2MaxWords + 1; ++wrong_words)
    EXPECT_FALSE(gf2_self_test(broken_gf2.info)) << wrong_words;

  broken_gf2 = gf2_portable;
  broken_gf2.choose = [](Gf2Field* field) {
    gf2_portable.choose(field);
    if (wrong_function == 0) field->multiply = wrong_binary<0, &Gf2Field::multiply>;
    if (wrong_function == 1) field->montmul = wrong_binary<1, &Gf2Field::montmul>;
    if (wrong_function == 2) field->square = wrong_square;
  };
  for (wrong_function = 0; wrong_function < 3; ++wrong_function)
    for (const size_t words : {3, 4, 7, 8}) {
      wrong_words = words;
      EXPECT_FALSE(gf2_self_test(broken_gf2.info)) << wrong_function << ' ' << words;
    }
}

TEST(self_test, notices_a_wrong_product_and_a_wrong_power_of_mont) {
  MontKernel broken = mont_portable;
  EXPECT_TRUE(mont_self_test(broken.info));
  broken.mul = [](uint64_t* out, const uint64_t* a, const uint64_t* b, const MontModulus& modulus,
                  uint64_t* scratch) {
    mont_portable.mul(out, a, b, modulus, scratch);
    if (modulus.words == wrong_words) out[0] ^= 1;
  };
  for (const size_t words : {4, 5, 24}) {
    wrong_words = words;
    EXPECT_FALSE(mont_self_test(broken.info)) << words;
  }
  broken = mont_portable;
  broken.power = [](const MontPower* powers, size_t num_powers, uint64_t* scratch) {
    mont_power(mont_portable, powers, num_powers, scratch);
    const MontPower& last = powers[num_powers - 1];
    if (last.modulus->words == wrong_words) last.out[wrong_words - 1] ^= 1;
  };
  for (const size_t words : {4, 24}) {
    wrong_words = words;
    EXPECT_FALSE(mont_self_test(broken.info)) << words;
  }
}

// A loop that does what its kernels do one after the other, but for one bit.
enum GcmFault { kNone, kText, kTag, kCounter };
GcmFault gcm_fault;
bool wrong_direction;  // true: decryption is wrong
size_t wrong_len;      // from so many blocks on

template <bool decrypting>
void gcm_loop(const GcmKey& key, uint8_t* counter, bool, uint8_t* state, const uint8_t* in,
              uint8_t* out, size_t blocks) {
  if (decrypting) key.hash.kernel->update(key.hash, state, in, blocks);
  key.aes.kernel->ctr(key.aes, counter, in, out, blocks, 32);
  if (!decrypting) key.hash.kernel->update(key.hash, state, out, blocks);
  if (decrypting != wrong_direction || blocks < wrong_len) return;
  if (gcm_fault == kText) out[16 * blocks - 1] ^= 1;
  if (gcm_fault == kTag) state[3] ^= 1;
  if (gcm_fault == kCounter) counter[15] ^= 1;
}

TEST(self_test, notices_a_wrong_loop_of_gcm) {
  const GcmLoop loop = {.aes = &aes_portable,
                        .ghash = &ghash_portable,
                        .encrypt = gcm_loop<false>,
                        .decrypt = gcm_loop<true>,
                        .encrypt_message = nullptr,
                        .decrypt_message = nullptr};
  gcm_fault = kNone;
  EXPECT_TRUE(gcm_self_test(loop));
  for (const bool decrypting : {false, true})
    for (const GcmFault fault : {kText, kTag, kCounter})
      for (const size_t blocks : {2, 12, 31, 106}) {
        wrong_direction = decrypting, gcm_fault = fault, wrong_len = blocks;
        EXPECT_FALSE(gcm_self_test(loop)) << decrypting << fault << blocks;
      }
}

TEST(self_test, every_loop_of_gcm_that_this_cpu_runs_passes) {
  size_t num = 0;
#define X(loop) &gcm_##loop,
  for (const GcmLoop* loop : {
#include "crypto/gcm/gcm_loops.def"
           static_cast<const GcmLoop*>(nullptr)}) {
#undef X
    if (loop == nullptr) continue;
    const FeatureSet here = detect_features();
    if (!here.has_all(loop->aes->info.needs) || !here.has_all(loop->ghash->info.needs)) continue;
    EXPECT_TRUE(gcm_self_test(*loop)) << loop->aes->info.name;
    ++num;
  }
  if (num == 0) GTEST_SKIP() << "this CPU runs none";
}

// --- the choice

std::atomic<int> num_tests;
bool fails_if_first(const KernelInfo& kernel) {
  ++num_tests;
  return std::string(kernel.name) != "first";
}

struct Example {
  const KernelInfo first = {"first", FeatureSet(Feature::sse2)};
  const KernelInfo second = {"second", FeatureSet(Feature::sse2)};
  const KernelInfo unit = {"unit", FeatureSet(Feature::padlock_ace)};
  const KernelInfo last = {"last", FeatureSet()};
  const KernelInfo* const kernels[4] = {&first, &second, &unit, &last};
  TestedKernels tested;
  const KernelList list = {"example", kernels, 4, fails_if_first, &tested};

  Example() { num_tests = 0; }
};

TEST(self_test, a_kernel_that_fails_is_passed_over) {
  Example e;
  const Machine machine = {FeatureSet(Feature::sse2), passes_self_test};
  EXPECT_EQ(choose_kernel(e.list, machine, nullptr).kernel, &e.second);
  EXPECT_EQ(choose_kernel(e.list, {FeatureSet(), passes_self_test}, nullptr).kernel, &e.last);
}

TEST(self_test, runs_once_for_each_kernel_that_is_looked_at) {
  Example e;
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(passes_self_test(e.list, e.first));
    EXPECT_TRUE(passes_self_test(e.list, e.second));
  }
  EXPECT_EQ(num_tests, 2);
}

TEST(self_test, is_not_asked_of_kernels_without_features_and_of_padlock) {
  Example e;
  EXPECT_TRUE(passes_self_test(e.list, e.unit));
  EXPECT_TRUE(passes_self_test(e.list, e.last));
  EXPECT_EQ(num_tests, 0);
}

TEST(self_test, threads_that_meet_agree) {
  Example e;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      if (passes_self_test(e.list, e.first) || !passes_self_test(e.list, e.second)) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The environment can only name kernels of real lists: those of AES, none of which works here.
TEST(self_test, a_kernel_that_fails_cannot_be_forced) {
  FeatureSet all;
  for (unsigned f = 0; f < kNumFeatures; ++f) all.add(static_cast<Feature>(f));
  const Machine machine = {all, [](const KernelList& list, const KernelInfo& kernel) {
                             return &list != &aes_kernel_list || kernel.needs.empty();
                           }};
  EXPECT_EQ(choose_kernel(aes_kernel_list, machine, nullptr).kernel, &aes_portable.info);
  for (size_t i = 0; i + 1 < aes_kernel_list.num_kernels; ++i) {
    const std::string name = aes_kernel_list.kernels[i]->name, environment = "aes:" + name;
    const KernelMistake mistake = find_kernel_mistake(machine, environment.c_str());
    EXPECT_EQ(mistake.kind, KernelMistake::fails_self_test);
    EXPECT_EQ(std::string(mistake.part, mistake.part_len), name);
    EXPECT_EQ(mistake.kernel, aes_kernel_list.kernels[i]);
    EXPECT_EQ(choose_kernel(aes_kernel_list, machine, environment.c_str()).kernel, nullptr);
    EXPECT_EQ(choose_kernel(sha256_kernel_list, machine, environment.c_str()).kernel, nullptr);
  }
}

}  // namespace
}  // namespace incore
