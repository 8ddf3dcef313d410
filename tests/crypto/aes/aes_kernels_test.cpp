// Every kernel against the steps: rounds, schedules, lengths, alignments, overlap, splits,
// counters.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "crypto/aes/aes_steps.h"
#include "crypto/aes/aes_testing.h"

namespace incore::test {
namespace {

class aes_kernels_agree : public AesKernelTest {
 protected:
  const AesKernel& kernel() const { return *GetParam(); }
};

TEST(aes_kernel_list, holds_the_kernels_of_the_def_file_under_their_names) {
  const char* const names[] = {
#define X(kernel) #kernel,
#include "crypto/aes/aes_kernels.def"
#undef X
  };
  ASSERT_EQ(aes_kernel_list.num_kernels, std::size(names));
  for (size_t i = 0; i < std::size(names); ++i) {
    EXPECT_STREQ(aes_kernel_list.kernels[i]->name, names[i]);
    EXPECT_EQ(aes_kernel_list.kernels[i], &aes_kernels()[i]->info);
  }
  EXPECT_TRUE(aes_kernel_list.kernels[aes_kernel_list.num_kernels - 1]->needs.empty());
}

// clause: P8-AES-021
// clause: P8-AES-022
TEST_P(aes_kernels_agree, on_every_schedule_of_1_to_16_rounds) {
  for (size_t key_len : {16, 24, 32}) {
    for (unsigned rounds = 1; rounds <= kAesMaxRounds; ++rounds) {
      SCOPED_TRACE(std::to_string(key_len) + "-byte key, rounds " + std::to_string(rounds));
      const Bytes key = random_bytes(key_len, 100 * key_len + rounds);
      AesRoundKeys expected, expected_inverse, forward, inverse;
      aes_steps::key_expansion(key.data(), key_len, rounds, &expected);
      aes_steps::inverse_schedule(expected, &expected_inverse);
      kernel().expand_key(key.data(), key_len, rounds, &forward);
      ASSERT_EQ(forward.rounds, rounds);
      ASSERT_EQ(to_hex(forward.bytes, 16 * (rounds + 1)),
                to_hex(expected.bytes, 16 * (rounds + 1)));
      kernel().invert_key(forward, &inverse);
      ASSERT_EQ(inverse.rounds, rounds);
      ASSERT_EQ(to_hex(inverse.bytes, 16 * (rounds + 1)),
                to_hex(expected_inverse.bytes, 16 * (rounds + 1)));
    }
  }
}

TEST_P(aes_kernels_agree, with_any_round_keys_supplied) {
  const Bytes iv = random_bytes(16, 1), in = random_bytes(16 * 11, 2);
  for (unsigned rounds = 1; rounds <= kAesMaxRounds; ++rounds) {
    // The two directions get schedules that have nothing to do with each other.
    AesRoundKeys forward, inverse;
    forward.rounds = inverse.rounds = rounds;
    std::memcpy(forward.bytes, random_bytes(sizeof forward.bytes, 3 * rounds).data(),
                sizeof forward.bytes);
    std::memcpy(inverse.bytes, random_bytes(sizeof inverse.bytes, 3 * rounds + 1).data(),
                sizeof inverse.bytes);
    AesKeys keys, oracle_keys;
    kernel().load_key(forward, &keys.forward);
    kernel().load_key(inverse, &keys.inverse);
    EXPECT_EQ(keys.forward.rounds, rounds);
    EXPECT_EQ(keys.forward.kernel, &kernel());
    aes_steps_oracle.load_key(forward, &oracle_keys.forward);
    aes_steps_oracle.load_key(inverse, &oracle_keys.inverse);
    for (const AesMode& mode : aes_modes())
      EXPECT_EQ(to_hex(run_mode(mode, kernel(), keys, iv, in)),
                to_hex(run_mode(mode, aes_steps_oracle, oracle_keys, iv, in)))
          << mode.name << ", rounds " << rounds;
  }
}

// clause: P8-AES-032
TEST_P(aes_kernels_agree, on_every_length_from_0_to_300_blocks) {
  constexpr size_t kMaxBlocks = 300;
  for (size_t key_len : {16, 24, 32}) {
    const Bytes key = random_bytes(key_len, key_len);
    const AesKeys keys = make_keys(kernel(), key, standard_rounds(key));
    const AesKeys oracle_keys = make_keys(aes_steps_oracle, key, standard_rounds(key));
    const Bytes first_iv = random_bytes(16, 5), in = random_bytes(16 * kMaxBlocks, 6);
    for (const AesMode& mode : aes_modes()) {
      Bytes expected(in.size()), expected_iv = first_iv;
      for (size_t n = 0; n <= kMaxBlocks; ++n) {
        Bytes iv = first_iv, out(16 * n + 16, 0xA5);
        mode.run(kernel(), keys, iv.data(), in.data(), out.data(), n);
        ASSERT_EQ(std::memcmp(out.data(), expected.data(), 16 * n), 0) << mode.name << ' ' << n;
        ASSERT_EQ(to_hex(iv), to_hex(expected_iv)) << mode.name << ' ' << n;
        ASSERT_EQ(to_hex(out.data() + 16 * n, 16), to_hex(Bytes(16, 0xA5)))
            << mode.name << ' ' << n;
        if (n < kMaxBlocks)
          mode.run(aes_steps_oracle, oracle_keys, expected_iv.data(), in.data() + 16 * n,
                   expected.data() + 16 * n, 1);
      }
    }
  }
}

// clause: P8-AES-016
TEST_P(aes_kernels_agree, at_every_alignment) {
  constexpr size_t kBlocks = 19, kLen = 16 * kBlocks;
  const Bytes key = random_bytes(16, 7), first_iv = random_bytes(16, 8), in = random_bytes(kLen, 9);
  const AesKeys keys = make_keys(kernel(), key, 10);
  for (const AesMode& mode : aes_modes()) {
    const Bytes expected =
        run_mode(mode, aes_steps_oracle, make_keys(aes_steps_oracle, key, 10), first_iv, in);
    alignas(64) uint8_t source[kLen + 32], target[kLen + 64], vector[16 + 32];
    for (size_t in_offset = 0; in_offset < 32; ++in_offset) {
      for (size_t out_offset = 0; out_offset < 32; ++out_offset) {
        uint8_t* const iv = vector + (in_offset + out_offset) % 32;
        std::memcpy(source + in_offset, in.data(), kLen);
        std::memset(target, 0xA5, sizeof target);
        std::memcpy(iv, first_iv.data(), 16);
        mode.run(kernel(), keys, iv, source + in_offset, target + out_offset, kBlocks);
        ASSERT_EQ(std::memcmp(target + out_offset, expected.data(), kLen), 0)
            << mode.name << ' ' << in_offset << ' ' << out_offset;
        for (size_t i = 0; i < sizeof target; ++i)
          ASSERT_TRUE((i >= out_offset && i < out_offset + kLen) || target[i] == 0xA5)
              << mode.name << ' ' << in_offset << ' ' << out_offset << ' ' << i;
        ASSERT_EQ(std::memcmp(source + in_offset, in.data(), kLen), 0) << mode.name;
      }
    }
  }
}

TEST_P(aes_kernels_agree, in_place_and_with_the_output_below_the_input) {
  constexpr size_t kBlocks = 29, kLen = 16 * kBlocks;
  const Bytes key = random_bytes(32, 10), iv = random_bytes(16, 11), in = random_bytes(kLen, 12);
  const AesKeys keys = make_keys(kernel(), key, 14);
  for (const AesMode& mode : aes_modes()) {
    const Bytes expected =
        run_mode(mode, aes_steps_oracle, make_keys(aes_steps_oracle, key, 14), iv, in);
    for (size_t distance = 0; distance <= 300; ++distance) {
      Bytes buffer(distance + kLen), chain = iv;
      std::memcpy(buffer.data() + distance, in.data(), kLen);
      mode.run(kernel(), keys, chain.data(), buffer.data() + distance, buffer.data(), kBlocks);
      ASSERT_EQ(std::memcmp(buffer.data(), expected.data(), kLen), 0)
          << mode.name << ' ' << distance;
    }
  }
}

TEST_P(aes_kernels_agree, however_a_message_is_split_into_calls) {
  constexpr size_t kBlocks = 120;
  const Bytes key = random_bytes(24, 13), first_iv = random_bytes(16, 14);
  const Bytes in = random_bytes(16 * kBlocks, 15), splits = random_bytes(4000, 16);
  const AesKeys keys = make_keys(kernel(), key, 12);
  size_t next_split = 0;
  for (const AesMode& mode : aes_modes()) {
    const Bytes expected =
        run_mode(mode, aes_steps_oracle, make_keys(aes_steps_oracle, key, 12), first_iv, in);
    for (int trial = 0; trial < 20; ++trial) {
      Bytes out(in.size()), iv = first_iv;
      for (size_t done = 0; done < kBlocks;) {
        const size_t n =
            std::min<size_t>(splits[next_split++ % splits.size()] % 24, kBlocks - done);
        mode.run(kernel(), keys, iv.data(), in.data() + 16 * done, out.data() + 16 * done, n);
        done += n;
      }
      ASSERT_EQ(to_hex(out), to_hex(expected)) << mode.name;
    }
  }
}

// clause: P8-AES-033
TEST_P(aes_kernels_agree, counters_wrap_within_their_width) {
  constexpr size_t kBlocks = 40;
  const Bytes key = random_bytes(16, 17), in(16 * kBlocks);
  const AesKeys keys = make_keys(kernel(), key, 10);
  const AesKeys oracle_keys = make_keys(aes_steps_oracle, key, 10);
  for (unsigned bits : {16u, 32u, 64u, 128u}) {
    // Counters that reach the end of |ones| bytes after |before| blocks, whether or not the mode
    // carries further.
    for (size_t ones : {1, 2, 4, 8, 16}) {
      for (unsigned before = 0; before < 24; ++before) {
        Bytes iv = random_bytes(16, bits + before);
        for (size_t i = 0; i < ones; ++i) iv[15 - i] = 0xFF;
        iv[15] = static_cast<uint8_t>(0xFF - before);
        Bytes expected(in.size()), out(in.size()), expected_iv = iv, original = iv;
        aes_steps_oracle.ctr(oracle_keys.forward, expected_iv.data(), in.data(), expected.data(),
                             kBlocks, bits);
        kernel().ctr(keys.forward, iv.data(), in.data(), out.data(), kBlocks, bits);
        ASSERT_EQ(to_hex(out), to_hex(expected)) << bits << ' ' << ones << ' ' << before;
        ASSERT_EQ(to_hex(iv), to_hex(expected_iv)) << bits << ' ' << ones << ' ' << before;
        ASSERT_EQ(to_hex(iv.data(), 16 - bits / 8), to_hex(original.data(), 16 - bits / 8));
        if (ones >= bits / 8) {
          Bytes wrapped(bits / 8);
          wrapped.back() = static_cast<uint8_t>(kBlocks - before - 1);
          ASSERT_EQ(to_hex(iv.data() + 16 - bits / 8, bits / 8), to_hex(wrapped));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, aes_kernels_agree, testing::ValuesIn(aes_kernels()), kernel_name);

}  // namespace
}  // namespace incore::test
