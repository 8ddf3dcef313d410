// What is particular to SHA-2 on POWER8: the sigma instructions against the formulas of FIPS 180-4,
// the vector functions of the kernels one by one, with junk in the parts of registers that do not
// matter, and the kernels themselves by the standard's examples.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "crypto/sha/sha2_power8.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"
#include "crypto/sha/sha_steps.h"
#include "crypto/sha/sha_stream.h"
#include "support/hex.h"

namespace incore {
namespace {

using test::Bytes;
using test::from_hex;
using test::to_hex;

template <class Word>
struct VectorOf;
template <>
struct VectorOf<uint32_t> {
  using Type = uint32x4_p8;
};
template <>
struct VectorOf<uint64_t> {
  using Type = uint64x2_p8;
};
template <class Word>
using Vector = typename VectorOf<Word>::Type;
template <class Word>
constexpr size_t kLanes = 16 / sizeof(Word);

// The words of a vector, leftmost first, and back.
template <class Word>
std::vector<Word> words_of(Vector<Word> x) {
  std::vector<Word> words(kLanes<Word>);
  store_words(x, words.data());
  return words;
}
template <class Word>
Vector<Word> vector_of(const std::vector<Word>& words) {
  return load_words(words.data());
}
template <class Word>
std::vector<Word> random_words(size_t num, uint64_t seed) {
  const Bytes bytes = test::random_bytes(num * sizeof(Word), seed);
  std::vector<Word> words(num);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}
// |word| leftmost, and junk beside it.
template <class Word>
Vector<Word> with_junk(Word word, uint64_t seed) {
  std::vector<Word> words = random_words<Word>(kLanes<Word>, seed);
  words[0] = word;
  return vector_of(words);
}

template <class Word>
class power8_sha : public testing::Test {
 protected:
  void SetUp() override {
    if (!detect_features().has_all(FeatureSet(Feature::vcrypto)))
      GTEST_SKIP() << "this CPU has no crypto instructions";
  }
};
using Words = testing::Types<uint32_t, uint64_t>;
TYPED_TEST_SUITE(power8_sha, Words);

TYPED_TEST(power8_sha, sigma_instructions_are_the_standards_functions) {
  using Word = TypeParam;
  const std::vector<Word> input = random_words<Word>(1000, 1);
  for (size_t i = 0; i < input.size(); i += kLanes<Word>) {
    const Vector<Word> x = load_words(&input[i]);
    // clause: P8-SHA-011
    for (size_t lane = 0; lane < kLanes<Word>; ++lane) {
      const Word word = input[i + lane];
      // clause: P8-SHA-013
      // clause: P8-SHA-017
      ASSERT_EQ(words_of<Word>(sigma0(x))[lane], sha::sigma0(word));
      // clause: P8-SHA-014
      // clause: P8-SHA-018
      ASSERT_EQ(words_of<Word>(sigma1(x))[lane], sha::sigma1(word));
      // clause: P8-SHA-015
      // clause: P8-SHA-019
      ASSERT_EQ(words_of<Word>(Sigma0(x))[lane], sha::Sigma0(word));
      // clause: P8-SHA-016
      // clause: P8-SHA-020
      ASSERT_EQ(words_of<Word>(Sigma1(x))[lane], sha::Sigma1(word));
    }
  }
}

// The kernels never mix the functions, and their wrappers refuse it: no code of ours can break what
// this test shows of the processor that runs it (P8-SHA-021). In assembly, as GCC gets it wrong.
template <int six>
uint32x4_p8 mixed_sigma(uint32x4_p8 x) {
  uint32x4_p8 r;
  __asm__("vshasigmaw %0,%1,0,%2" : "=v"(r) : "v"(x), "n"(six));
  return r;
}
template <int six>
uint64x2_p8 mixed_sigma(uint64x2_p8 x) {
  uint64x2_p8 r;
  __asm__("vshasigmad %0,%1,0,%2" : "=v"(r) : "v"(x), "n"(six));
  return r;
}
template <class Word, int six>
void expect_sigma1_in(size_t chosen) {
  const std::vector<Word> input = random_words<Word>(kLanes<Word>, 2);
  const std::vector<Word> found = words_of<Word>(mixed_sigma<six>(vector_of(input)));
  for (size_t lane = 0; lane < kLanes<Word>; ++lane)
    EXPECT_EQ(found[lane], lane == chosen ? sha::sigma1(input[lane]) : sha::sigma0(input[lane]))
        << "mask " << six << ", element " << lane;
}
TEST(power8_sha_mask, its_left_bit_belongs_to_the_left_element) {
  expect_sigma1_in<uint32_t, 8>(0);
  expect_sigma1_in<uint32_t, 4>(1);
  expect_sigma1_in<uint32_t, 2>(2);
  expect_sigma1_in<uint32_t, 1>(3);
  expect_sigma1_in<uint64_t, 8>(0);
  expect_sigma1_in<uint64_t, 2>(1);
  // Of a doubleword's two bits only the left one counts.
  expect_sigma1_in<uint64_t, 4>(kLanes<uint64_t>);
  expect_sigma1_in<uint64_t, 1>(kLanes<uint64_t>);
}

TYPED_TEST(power8_sha, ch_and_maj_are_right_for_all_combinations_of_bits) {
  using Word = TypeParam;
  const Word x = static_cast<Word>(0xf0f0f0f00f0f0f0f), y = static_cast<Word>(0xcccccccc33333333),
             z = static_cast<Word>(0xaaaaaaaaaaaaaaaa);  // all eight in every byte
  const Vector<Word> X = with_junk(x, 1), Y = with_junk(y, 2), Z = with_junk(z, 3);
  // clause: P8-SHA-024
  EXPECT_EQ(words_of<Word>(VectorCh(X, Y, Z))[0], sha::Ch(x, y, z));
  // clause: P8-SHA-025
  // clause: P8-SHA-026
  EXPECT_EQ(words_of<Word>(VectorMaj(X, Y, Z))[0], sha::Maj(x, y, z));
}

TYPED_TEST(power8_sha, a_word_is_shifted_out_of_its_vector) {
  using Word = TypeParam;
  const std::vector<Word> words = random_words<Word>(kLanes<Word>, 3);
  const Vector<Word> x = vector_of(words);
  // clause: P8-SHA-004
  EXPECT_EQ(words_of<Word>(VectorWord<0>(x))[0], words[0]);
  EXPECT_EQ(words_of<Word>(VectorWord<1>(x))[0], words[1]);
  if constexpr (sizeof(Word) == 4) {
    EXPECT_EQ(words_of<Word>(VectorWord<2>(x))[0], words[2]);
    EXPECT_EQ(words_of<Word>(VectorWord<3>(x))[0], words[3]);
  }
}

constexpr uint32_t word_of(const sha::Words32<8>& H, size_t i) {
  return H[i];
}
constexpr uint64_t word_of(const uint64_t (&H)[8], size_t i) {
  return H[i];
}
constexpr const sha::Words32<8>& initial(uint32_t) {
  return sha::kSha256H;
}
constexpr const uint64_t (&initial(uint64_t))[8] {
  return sha::kSha512H;
}

// The words 0, 1, ... of the schedule of |block|, by the standard.
template <class Word>
std::vector<Word> schedule_of(const uint8_t* block) {
  std::vector<Word> W(sizeof(Word) == 4 ? 64 : 80);
  for (size_t t = 0; t < W.size(); ++t)
    W[t] = t < 16 ? sha::message_word<Word>(block, t)
                  : sha::sigma1(W[t - 2]) + W[t - 7] + sha::sigma0(W[t - 15]) + W[t - 16];
  return W;
}
template <class Word>
Bytes block_of_abc() {
  Bytes block(16 * sizeof(Word));
  block[0] = 'a', block[1] = 'b', block[2] = 'c', block[3] = 0x80;
  block.back() = 24;
  return block;
}

template <size_t t, class Word>
void round_with_junk(Vector<Word> (&v)[8], Word wk) {
  for (size_t i = 0; i < 8; ++i) v[i] = with_junk(words_of<Word>(v[i])[0], 8 * t + i);
  sha2_round<t % 16>(v, with_junk(wk, 1000 + t));
}
// The working variables a to h after the rounds 0 to |t|.
template <class Word, size_t... t>
std::vector<Word> variables_after(std::index_sequence<t...>) {
  const std::vector<Word> W = schedule_of<Word>(block_of_abc<Word>().data());
  Vector<Word> v[8];
  for (size_t i = 0; i < 8; ++i) v[i] = with_junk(word_of(initial(Word()), i), i);
  const auto K = [](size_t round) {
    if constexpr (sizeof(Word) == 4)
      return sha::kSha256K[round];
    else
      return sha::kSha512K[round];
  };
  (round_with_junk<t, Word>(v, W[t] + K(t)), ...);
  std::vector<Word> result;  // after n rounds a stands n places lower
  for (size_t i = 0; i < 8; ++i)
    result.push_back(words_of<Word>(v[(8 * sizeof...(t) + i - sizeof...(t)) % 8])[0]);
  return result;
}
template <class Word, size_t kRounds>
std::vector<Word> variables_after() {
  return variables_after<Word>(std::make_index_sequence<kRounds>());
}

// NIST's examples for "abc", which give the variables after every round.
TEST(power8_sha_round, variables_are_those_of_the_examples_whatever_stands_beside_them) {
  using Words32 = std::vector<uint32_t>;
  // clause: P8-SHA-003
  // clause: P8-SHA-008
  // clause: P8-SHA-009
  EXPECT_EQ((variables_after<uint32_t, 1>()),
            (Words32{0x5d6aebcd, 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xfa2a4622, 0x510e527f,
                     0x9b05688c, 0x1f83d9ab}));
  EXPECT_EQ((variables_after<uint32_t, 3>()),
            (Words32{0xc8c347a7, 0x5a6ad9ad, 0x5d6aebcd, 0x6a09e667, 0xf92939eb, 0x78ce7989,
                     0xfa2a4622, 0x510e527f}));
  EXPECT_EQ((variables_after<uint32_t, 64>()),
            (Words32{0x506e3058, 0xd39a2165, 0x04d24d6c, 0xb85e2ce9, 0x5ef50f24, 0xfb121210,
                     0x948d25b6, 0x961f4894}));
  EXPECT_EQ((variables_after<uint64_t, 1>()),
            (std::vector<uint64_t>{0xf6afceb8bcfcddf5, 0x6a09e667f3bcc908, 0xbb67ae8584caa73b,
                                   0x3c6ef372fe94f82b, 0x58cb02347ab51f91, 0x510e527fade682d1,
                                   0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b}));
  // The last variables and the first make the digest.
  const std::vector<uint64_t> last = variables_after<uint64_t, 80>();
  Bytes digest;
  for (size_t i = 0; i < 8; ++i)
    for (int shift = 56; shift >= 0; shift -= 8)
      digest.push_back(static_cast<uint8_t>((last[i] + sha::kSha512H[i]) >> shift));
  EXPECT_EQ(to_hex(digest).substr(0, 32), "ddaf35a193617abacc417349ae204131");
}

template <class Word, size_t kNum, size_t... i>
void expand_all(Vector<Word> (&W)[kNum], std::index_sequence<i...>) {
  (expand<i * kLanes<Word>>(W), ...);
}
TYPED_TEST(power8_sha, the_schedule_expands_in_place) {
  using Word = TypeParam;
  for (const Bytes& block : {block_of_abc<Word>(), test::random_bytes(16 * sizeof(Word), 4)}) {
    const std::vector<Word> expected = schedule_of<Word>(block.data());
    Vector<Word> W[sizeof(Word)];
    for (size_t i = 0; i < sizeof(Word); ++i)
      W[i] = reinterpret_cast<Vector<Word>>(power8::VectorLoadBE(block.data() + 16 * i));
    // clause: P8-SHA-006
    for (size_t t = 0; t < expected.size(); t += 16) {
      for (size_t i = 0; i < 16; ++i)
        ASSERT_EQ(words_of<Word>(W[i / kLanes<Word>])[i % kLanes<Word>], expected[t + i]) << t + i;
      expand_all<Word>(W, std::make_index_sequence<sizeof(Word)>());
    }
  }
}
TEST(power8_sha_schedule, words_are_those_of_the_example) {
  // The steps that the schedule is compared with: first and last expanded word of "abc".
  const std::vector<uint32_t> W = schedule_of<uint32_t>(block_of_abc<uint32_t>().data());
  EXPECT_EQ(W[16], 0x61626380u);
  EXPECT_EQ(W[17], 0x000f0000u);
  EXPECT_EQ(W[18], 0x7da86405u);
  EXPECT_EQ(W[63], 0x12b1edebu);
}

__extension__ typedef unsigned __int128 Wide;

// The sign of (n + fraction / 2^64)^power - prime, by integers: x^power against prime * 2^(64
// power).
int compare_power(uint64_t n, uint64_t fraction, int power, uint64_t prime) {
  std::vector<uint64_t> product = {1, 0, 0, 0, 0, 0};
  for (int factor = 0; factor < power; ++factor) {
    std::vector<uint64_t> next(6);
    for (size_t i = 0; i < 5; ++i)
      for (const auto& [place, limb] : {std::pair(i, fraction), std::pair(i + 1, n)}) {
        Wide carry = Wide{product[i]} * limb;
        for (size_t j = place; j < 6; ++j) {
          carry += next[j];
          next[j] = static_cast<uint64_t>(carry);
          carry >>= 64;
        }
      }
    product = next;
  }
  std::vector<uint64_t> expected(6);
  expected[static_cast<size_t>(power)] = prime;
  for (size_t i = 6; i-- != 0;)
    if (product[i] != expected[i]) return product[i] < expected[i] ? -1 : 1;
  return 0;
}
bool is_root_of(uint64_t fraction, int power, uint64_t prime) {
  uint64_t n = 1;
  while (compare_power(n + 1, 0, power, prime) <= 0) ++n;
  return compare_power(n, fraction, power, prime) <= 0 &&
         compare_power(n, fraction + 1, power, prime) > 0;
}
TEST(power8_sha_constants, are_the_roots_of_primes) {
  size_t t = 0;
  for (uint64_t prime = 2; t < 80; ++prime) {
    bool is_prime = true;
    for (uint64_t divisor = 2; divisor * divisor <= prime; ++divisor)
      is_prime = is_prime && prime % divisor != 0;
    if (!is_prime) continue;
    // clause: P8-SHA-035
    EXPECT_TRUE(is_root_of(sha::kSha512K[t], 3, prime)) << t;
    // clause: P8-SHA-031
    if (t < 64) {
      EXPECT_EQ(sha::kSha256K[t], sha::kSha512K[t] >> 32) << t;
    }
    if (t < 8) {
      // clause: P8-SHA-034
      EXPECT_TRUE(is_root_of(sha::kSha512H[t], 2, prime)) << t;
      // clause: P8-SHA-030
      EXPECT_EQ(sha::kSha256H[t], sha::kSha512H[t] >> 32) << t;
    }
    ++t;
  }
}

Bytes hash(ShaAlgorithm algorithm, const Bytes& message, size_t cut = 0) {
  ShaStream stream(algorithm,
                   algorithm == ShaAlgorithm::sha256 ? &sha256_power8.info : &sha512_power8.info);
  EXPECT_TRUE(stream.update(message.data(), cut));
  EXPECT_TRUE(stream.update(message.data() + cut, message.size() - cut));
  Bytes digest(sha_digest_len(algorithm));
  stream.final(digest.data());
  return digest;
}
const Bytes kAbc = {'a', 'b', 'c'};

// One block shows that the state begins as the standard says, many that each block adds to it.
TEST(power8_sha_digest, examples_of_the_standard) {
  // clause: P8-SHA-030
  // clause: P8-SHA-036
  EXPECT_EQ(to_hex(hash(ShaAlgorithm::sha256, kAbc)),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // clause: P8-SHA-037
  EXPECT_EQ(to_hex(hash(ShaAlgorithm::sha256, Bytes(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // clause: P8-SHA-027
  // clause: P8-SHA-034
  // clause: P8-SHA-038
  EXPECT_EQ(to_hex(hash(ShaAlgorithm::sha512, kAbc)),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
  EXPECT_EQ(to_hex(hash(ShaAlgorithm::sha512, Bytes(1000000, 'a'))),
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
            "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b");
  // clause: P8-SHA-039
  EXPECT_EQ(to_hex(hash(ShaAlgorithm::sha512, Bytes())),
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
            "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e");
}

TEST(power8_sha_digest, every_cut_gives_the_digest_of_the_whole) {
  const Bytes message = test::random_bytes(200, 5);
  for (const ShaAlgorithm algorithm : {ShaAlgorithm::sha256, ShaAlgorithm::sha512}) {
    const Bytes expected = hash(algorithm, message);
    // clause: P8-SHA-040
    for (size_t cut = 0; cut <= message.size(); ++cut)
      ASSERT_EQ(hash(algorithm, message, cut), expected) << cut;
  }
}

// Pads and hashes by the standard's steps, without the kernel's stream.
template <class Word, void (*block_steps)(Word*, const uint8_t*), class Initial>
Bytes digest_by_steps(const Bytes& message, const Initial& H) {
  constexpr size_t kBlockLen = 16 * sizeof(Word);
  Bytes padded = message;
  padded.push_back(0x80);
  while (padded.size() % kBlockLen != kBlockLen - kBlockLen / 8) padded.push_back(0);
  padded.resize(padded.size() + kBlockLen / 8 - 8);
  for (int shift = 56; shift >= 0; shift -= 8)
    padded.push_back(static_cast<uint8_t>(8 * message.size() >> shift));
  Word state[8];
  for (size_t i = 0; i < 8; ++i) state[i] = H[i];
  for (size_t i = 0; i < padded.size(); i += kBlockLen) block_steps(state, &padded[i]);
  Bytes digest;
  for (const Word word : state)
    for (size_t byte = sizeof word; byte-- != 0;)
      digest.push_back(static_cast<uint8_t>(word >> 8 * byte));
  return digest;
}
TEST(power8_sha_digest, every_length_is_padded_as_the_standard_says) {
  // clause: P8-SHA-029
  for (size_t len = 0; len <= 192; ++len) {
    const Bytes message = test::random_bytes(len, len);
    ASSERT_EQ(hash(ShaAlgorithm::sha256, message),
              (digest_by_steps<uint32_t, sha::sha256_block>(message, sha::kSha256H)))
        << len;
  }
  // clause: P8-SHA-033
  for (size_t len = 0; len <= 384; ++len) {
    const Bytes message = test::random_bytes(len, len);
    ASSERT_EQ(hash(ShaAlgorithm::sha512, message),
              (digest_by_steps<uint64_t, sha::sha512_block>(message, sha::kSha512H)))
        << len;
  }
}

template <class Word>
void expect_blocks_at_any_address(void (*compress)(Word*, const uint8_t*, size_t),
                                  void (*block_steps)(Word*, const uint8_t*)) {
  const Bytes data = test::random_bytes(3 * 16 * sizeof(Word) + 16, 6);
  for (size_t offset = 0; offset < 16; ++offset) {
    const std::vector<Word> before = random_words<Word>(8, offset);
    std::vector<Word> expected = before;
    for (size_t i = 0; i < 3; ++i)
      block_steps(expected.data(), &data[offset + 16 * i * sizeof(Word)]);
    alignas(16) uint8_t room[16 + 8 * sizeof(Word)];
    std::memcpy(room + offset, before.data(), 8 * sizeof(Word));
    compress(reinterpret_cast<Word*>(room + offset), data.data() + offset, 3);
    EXPECT_EQ(std::memcmp(room + offset, expected.data(), 8 * sizeof(Word)), 0) << offset;
  }
}
TEST(power8_sha_block, equals_the_steps_at_any_address) {
  // clause: P8-SHA-028
  // clause: P8-SHA-041
  // clause: P8-SHA-007
  expect_blocks_at_any_address<uint32_t>(sha256_power8.compress, sha::sha256_block);
  // clause: P8-SHA-032
  expect_blocks_at_any_address<uint64_t>(sha512_power8.compress, sha::sha512_block);
}

bool has_power8(const KernelList& list) {
  for (size_t i = 0; i < list.num_kernels; ++i)
    if (std::string(list.kernels[i]->name) == "power8") return true;
  return false;
}
TEST(power8_sha_lists, sha1_of_one_message_has_no_kernel) {
  // clause: P8-PERF-030
  EXPECT_FALSE(has_power8(sha1_kernel_list));
  EXPECT_TRUE(has_power8(sha256_kernel_list));
  EXPECT_TRUE(has_power8(sha512_kernel_list));
  EXPECT_TRUE(has_power8(sha1_many_kernel_list));
}

}  // namespace
}  // namespace incore
