// The masked AES: right, and without a value in the vector unit that the masks do not hide.
#include <set>

#include "vemicry/workload_rig.h"

namespace incore::vemicry::test {
namespace {

constexpr uint32_t kNumTraces = 24;

// The masks of call number |n|, as the program wants them.
Bytes masks(uint32_t n, bool equal_rows) {
  const Bytes random = incore::test::random_bytes(6, n);
  Bytes words(12);
  for (size_t i = 0; i < 12; ++i) words[i] = random[i < 8 || equal_rows ? i / 4 % 2 : i - 6];
  return words;
}

// What a call leaves in words 0 to 3 of the vector registers, instruction by instruction.
Bytes trace(const char* name, const Bytes& block, const Bytes& masks) {
  Call call(name);
  call.write(call.argument(0), block);
  if (!masks.empty()) call.write(call.argument(3), masks);
  Bytes bytes;
  call.execute(find_workload(name)->function, [&](const Step&) {
    for (uint32_t number = 0; number < 8; ++number) {
      const Bytes vector = call.vector(number);
      bytes.insert(bytes.end(), vector.begin(), vector.end());
    }
  });
  return bytes;
}

enum class Masks { none, equal_rows, all };

// How many bytes of the registers, of all times, depend on the block but not on the masks.
size_t bare_bytes(const char* name, Masks kind) {
  const Bytes blocks[] = {from_hex("00112233445566778899aabbccddeeff"),
                          from_hex("3243f6a8885a308d313198a2e0370734")};
  std::vector<Bytes> traces[2];
  for (int i = 0; i < 2; ++i)
    for (uint32_t n = 1; n <= kNumTraces; ++n)
      traces[i].push_back(trace(
          name, blocks[i], kind == Masks::none ? Bytes() : masks(n, kind == Masks::equal_rows)));
  size_t bare = 0;
  for (size_t at = 0; at < traces[0][0].size(); ++at) {
    std::set<uint8_t> values[2];
    for (int i = 0; i < 2; ++i)
      for (const Bytes& one : traces[i]) values[i].insert(one[at]);
    if (values[0].size() == 1 && values[1].size() == 1 && values[0] != values[1]) ++bare;
  }
  return bare;
}

TEST(vemicry_aes_masked, is_right_for_every_mask) {
  for (uint64_t seed = 1; seed <= 50; ++seed)
    for (const uint32_t p : {4u, 8u, 16u, 32u}) {
      Config config;
      config.p = p;
      config.r = 1;
      config.junk = true;
      // clause: VM-NEXT-005
      ASSERT_EQ(measured("aes128-encrypt-masked", seed, config), "") << seed << " p " << p;
    }
  EXPECT_LE(instructions("aes128-encrypt-masked"), 252u);
}

// The block is bare in v0 before one instruction, which adds its mask, and the result before the
// two that return and store it. Nothing else is; with the same mask for all rows it would be, in
// MixColumns.
TEST(vemicry_aes_masked, values_between_input_and_output_are_hidden) {
  // clause: VM-NEXT-005
  EXPECT_EQ(bare_bytes("aes128-encrypt-masked", Masks::all), 16u * 3u);
  EXPECT_GT(bare_bytes("aes128-encrypt-masked", Masks::equal_rows), 9u * 16u);
  EXPECT_GT(bare_bytes("aes128-encrypt-16", Masks::none), 160u * 32u);
}

// Masks hide bytes one by one. All bytes that go into the S-box have the same mask, so two of one
// register tell their difference whatever it is: SubBytes of ten rounds, and what is copied from
// it.
TEST(vemicry_aes_masked, two_bytes_of_a_register_are_not_hidden_together) {
  const Bytes block = from_hex("00112233445566778899aabbccddeeff");
  const auto inputs = [&](uint32_t n) {  // of the S-box, in all rounds
    Call call("aes128-encrypt-masked");
    call.write(call.argument(0), block);
    call.write(call.argument(3), masks(n, false));
    std::vector<Bytes> found;
    call.execute("aes128_encrypt_masked", [&](const Step& step) {
      if (step.insn == &vbyteld && step.word.n() == 4) found.push_back(call.vector(0));
    });
    return found;
  };
  const std::vector<Bytes> one = inputs(1), other = inputs(2);
  ASSERT_EQ(one.size(), 10u);
  ASSERT_EQ(other.size(), 10u);
  for (size_t round = 0; round < one.size(); ++round) {
    EXPECT_NE(one[round], other[round]);
    for (size_t i = 1; i < 16; ++i)
      EXPECT_EQ(one[round][i] ^ one[round][0], other[round][i] ^ other[round][0]) << round;
  }
}

}  // namespace
}  // namespace incore::vemicry::test
