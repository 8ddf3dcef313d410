// Every GHASH kernel, and the steps of SP 800-38D, against published values; every kernel against
// the steps.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "crypto/ghash/ghash_kernel.h"
#include "crypto/ghash/ghash_steps.h"
#include "support/hex.h"
#include "support/known_answers.h"

namespace incore {

void PrintTo(const GhashKernel* kernel, std::ostream* os) {
  *os << kernel->info.name;
}

namespace test {
namespace {

void set_key_by_steps(const uint8_t* h, GhashKey* out_key) {
  std::memcpy(out_key->storage, h, kGhashBlockLen);
}
void update_by_steps(const GhashKey& key, uint8_t* state, const uint8_t* blocks,
                     size_t num_blocks) {
  ghash_steps::ghash(key.storage, state, blocks, num_blocks);
}
const GhashKernel kSteps = {{"steps", {}}, set_key_by_steps, update_by_steps};

class ghash_kernels : public testing::TestWithParam<const GhashKernel*> {
 protected:
  void SetUp() override {
    if (!detect_features().has_all(GetParam()->info.needs))
      GTEST_SKIP() << "this CPU cannot run the kernel " << GetParam()->info.name;
  }

  static Bytes hash(const GhashKernel& kernel, const Bytes& h, Bytes state, const uint8_t* blocks,
                    size_t num_blocks) {
    GhashKey key;
    kernel.set_key(h.data(), &key);
    kernel.update(key, state.data(), blocks, num_blocks);
    return state;
  }
  static void compare(const Bytes& h, const Bytes& state, const uint8_t* blocks,
                      size_t num_blocks) {
    ASSERT_EQ(to_hex(hash(*GetParam(), h, state, blocks, num_blocks)),
              to_hex(hash(kSteps, h, state, blocks, num_blocks)))
        << "H " << to_hex(h) << ", " << num_blocks << " blocks";
  }
};

TEST_P(ghash_kernels, published_values) {
  const struct {
    const char *h, *blocks, *hash;
  } cases[] = {
      // McGrew and Viega, test case 2: ciphertext and lengths.
      {"66e94bd4ef8a2c3b884cfa59ca342b2e",
       "0388dace60b6a392f328c2b971b2fe7800000000000000000000000000000080",
       "f38cbb1ad69223dcc3457ae5b6b0f885"},
      // RFC 8452 appendix A.
      {"25629347589242761d31f826ba4b757b",
       "4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362",
       "bd9b3997046731fb96251b91f9c99d7a"},
  };
  for (const auto& c : cases) {
    const Bytes blocks = from_hex(c.blocks);
    EXPECT_EQ(
        to_hex(hash(*GetParam(), from_hex(c.h), Bytes(16), blocks.data(), blocks.size() / 16)),
        c.hash);
  }
  gave_answers("ghash", GetParam()->info.name, "McGrew and Viega, RFC 8452: GHASH",
               std::size(cases));
}

TEST_P(ghash_kernels, agree_with_the_steps_on_every_length_from_0_to_300_blocks) {
  const Bytes h = random_bytes(16, 1), first = random_bytes(16, 2), in = random_bytes(16 * 300, 3);
  GhashKey key;
  GetParam()->set_key(h.data(), &key);
  Bytes expected = first;
  for (size_t n = 0; n <= 300; ++n) {
    Bytes state = first;
    GetParam()->update(key, state.data(), in.data(), n);
    ASSERT_EQ(to_hex(state), to_hex(expected)) << n;
    if (n < 300) ghash_steps::ghash(h.data(), expected.data(), in.data() + 16 * n, 1);
  }
}

// clause: P8-POLY-019
TEST_P(ghash_kernels, agree_with_the_steps_on_random_and_on_extreme_keys) {
  std::vector<Bytes> keys = {Bytes(16), Bytes(16, 0xFF)};
  for (unsigned bit = 0; bit < 128; ++bit) {
    Bytes h(16);
    h[bit / 8] = static_cast<uint8_t>(0x80 >> bit % 8);
    keys.push_back(h);
  }
  for (uint64_t seed = 10; seed < 60; ++seed) keys.push_back(random_bytes(16, seed));
  const Bytes in = random_bytes(16 * 40, 4), ones(16 * 40, 0xFF);
  for (const Bytes& h : keys) {
    for (size_t n : {1, 2, 40}) {
      compare(h, Bytes(16), in.data(), n);
      compare(h, Bytes(16, 0xFF), ones.data(), n);
    }
  }
}

TEST_P(ghash_kernels, agree_with_the_steps_at_every_alignment) {
  constexpr size_t kBlocks = 45;
  const Bytes h = random_bytes(16, 5), in = random_bytes(16 * kBlocks, 6);
  const Bytes expected = hash(kSteps, h, Bytes(16), in.data(), kBlocks);
  GhashKey key;
  GetParam()->set_key(h.data(), &key);
  alignas(64) uint8_t source[16 * kBlocks + 32], state[16 + 32];
  for (size_t offset = 0; offset < 32; ++offset) {
    std::memcpy(source + offset, in.data(), in.size());
    std::memset(state, 0, sizeof state);
    GetParam()->update(key, state + (31 - offset), source + offset, kBlocks);
    ASSERT_EQ(to_hex(state + (31 - offset), 16), to_hex(expected)) << offset;
  }
}

TEST_P(ghash_kernels, agree_with_the_steps_however_blocks_are_split_into_calls) {
  constexpr size_t kBlocks = 200;
  const Bytes h = random_bytes(16, 7), in = random_bytes(16 * kBlocks, 8);
  const Bytes splits = random_bytes(2000, 9);
  const Bytes expected = hash(kSteps, h, Bytes(16), in.data(), kBlocks);
  GhashKey key;
  GetParam()->set_key(h.data(), &key);
  size_t next_split = 0;
  for (int trial = 0; trial < 50; ++trial) {
    Bytes state(16);
    for (size_t done = 0; done < kBlocks;) {
      const size_t n = std::min<size_t>(splits[next_split++ % splits.size()] % 80, kBlocks - done);
      GetParam()->update(key, state.data(), in.data() + 16 * done, n);
      done += n;
    }
    ASSERT_EQ(to_hex(state), to_hex(expected));
  }
}

std::vector<const GhashKernel*> kernels_and_steps() {
  return {
      &kSteps,
#define X(kernel) &ghash_##kernel,
#include "crypto/ghash/ghash_kernels.def"
#undef X
  };
}

INSTANTIATE_TEST_SUITE_P(all, ghash_kernels, testing::ValuesIn(kernels_and_steps()),
                         [](const auto& test) { return std::string(test.param->info.name); });

}  // namespace
}  // namespace test
}  // namespace incore
