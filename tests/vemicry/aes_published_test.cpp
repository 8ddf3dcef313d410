// The steps of AES as the VeMICry paper has them (section 3.1), one by one: what they leave,
// against FIPS 197, appendix B, and what they consist of.
#include <regex>

#include "crypto/aes/aes_steps.h"
#include "vemicry/workload_rig.h"

namespace incore::vemicry::test {
namespace {

// FIPS 197, appendix B.
const char* const kInput = "3243f6a8885a308d313198a2e0370734";
const char* const kKey = "2b7e151628aed2a6abf7158809cf4f3c";
const char* const kStartOfRound1 = "193de3bea0f4e22b9ac68d2ae9f84808";
const char* const kAfterSubBytes = "d42711aee0bf98f1b8b45de51e415230";
const char* const kAfterShiftRows = "d4bf5d30e0b452aeb84111f11e2798e5";
const char* const kAfterMixColumns = "046681e5e0cb199a48f8d37a2806264c";
const char* const kOutput = "3925841d02dc09fbdc118597196a0b32";

// One step as a function, on the state |before|; returns the state after it.
struct StepCall : Call {
  StepCall(const char* before, const std::string& function) : Call("aes128-encrypt-steps") {
    write(argument(0), from_hex(before));
    write(argument(1), from_hex(kKey));
    executed = execute(function) - 2;  // jr and its delay slot
    after = to_hex(read(argument(0), 16));
  }
  uint64_t executed;
  std::string after;
};

TEST(vemicry_aes_published, add_round_key_is_four_instructions) {
  StepCall step(kInput, "add_round_key");
  // clause: VM-ALG-005
  EXPECT_EQ(step.after, kStartOfRound1);
  EXPECT_EQ(step.executed, 4u);
  EXPECT_EQ(step.count("vload"), 2u);
  EXPECT_EQ(step.count("vxor"), 1u);
  EXPECT_EQ(step.count("vstore"), 1u);
  // clause: VM-ALG-004
  const uint32_t columns[] = {0x3243f6a8, 0x885a308d, 0x313198a2, 0xe0370734};
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(step.state().v[1][i], columns[i]) << i;
}

TEST(vemicry_aes_published, sub_bytes_is_one_vbyteld) {
  StepCall step(kStartOfRound1, "sub_bytes");
  // clause: VM-ALG-006
  EXPECT_EQ(step.after, kAfterSubBytes);
  EXPECT_EQ(step.count("vbyteld"), 1u);
  EXPECT_EQ(step.executed, 3u);
  Call keys("aes128-keys");
  keys.execute();
  EXPECT_EQ(keys.count("vbyteld"), 10u);
}

TEST(vemicry_aes_published, shift_rows_rotates_under_three_masks) {
  StepCall step(kAfterSubBytes, "shift_rows");
  // clause: VM-ALG-007
  EXPECT_EQ(step.after, kAfterShiftRows);
  EXPECT_EQ(step.count("vbcrotr"), 3u);
  EXPECT_EQ(step.count("vtransp"), 2u);
  EXPECT_EQ(step.count("mtvcr"), 3u);
}

TEST(vemicry_aes_published, mix_columns_multiplies_by_x_once) {
  StepCall step(kAfterShiftRows, "mix_columns");
  // clause: VM-ALG-013
  EXPECT_EQ(step.after, kAfterMixColumns);
  // clause: VM-ALG-014
  EXPECT_EQ(step.executed, 14u);
  EXPECT_EQ(step.count("vbcrotr"), 3u);
  EXPECT_EQ(step.count("vmpmul"), 1u);
  EXPECT_EQ(step.count("vxor"), 4u);
  EXPECT_EQ(step.count("mtvcr"), 2u);
}

TEST(vemicry_aes_published, encryption_calls_the_steps_11_10_10_and_9_times) {
  Call call("aes128-encrypt-steps");
  const std::pair<const char*, int> kCalls[] = {{"add_round_key_step_", 11},
                                                {"sub_bytes_step_", 10},
                                                {"shift_rows_step_", 10},
                                                {"mix_columns_step_", 9}};
  std::map<uint32_t, std::string> labels = call.labels("");
  std::map<std::string, int> calls;
  call.execute("aes128_encrypt_steps", [&](const Step& step) {
    for (const auto& [prefix, times] : kCalls)
      if (call.labels(prefix).count(step.address) != 0) ++calls[prefix];
  });
  // clause: VM-ALG-003
  for (const auto& [prefix, times] : kCalls) EXPECT_EQ(calls[prefix], times) << prefix;
  EXPECT_EQ(call.check(), "");
}

// The state after a function that works on v0.
std::string short_step(const Bytes& before, const char* function, Call* call) {
  const uint32_t constants[] = {0xA, 0xC, 0, 0xFFFFFFFF, 0x11B};
  std::copy(std::begin(constants), std::end(constants), call->state().gpr + 8);
  call->set_vector(0, before);
  call->execute(function);
  return to_hex(call->vector(0));
}

TEST(vemicry_aes_published, two_rotations_are_enough_for_shift_rows) {
  Call call("aes128-encrypt-short");
  // clause: VM-ALG-012
  EXPECT_EQ(short_step(from_hex(kAfterSubBytes), "short_shift_rows", &call), kAfterShiftRows);
  EXPECT_EQ(call.count("vbcrotr"), 2u);
}

TEST(vemicry_aes_published, two_rotations_are_enough_for_mix_columns) {
  Call call("aes128-encrypt-short");
  EXPECT_EQ(short_step(from_hex(kAfterShiftRows), "short_mix_columns", &call), kAfterMixColumns);
  // clause: VM-ALG-015
  EXPECT_EQ(call.count("vbcrotr"), 2u);
  EXPECT_EQ(call.count("vmpmul"), 1u);
  EXPECT_EQ(call.count("vxor"), 3u);
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const Bytes before = incore::test::random_bytes(16, seed);
    aes_steps::State state;
    std::copy(before.begin(), before.end(), state.bytes);
    aes_steps::mix_columns(state);
    ASSERT_EQ(short_step(before, "short_mix_columns", &call), to_hex(state.bytes, 16)) << seed;
  }
}

// FIPS 197, appendix B and (seed 1) C.1.
TEST(vemicry_aes_published, all_stages_encrypt) {
  const std::pair<const char*, uint64_t> kStages[] = {
      {"aes128-encrypt-steps", 352}, {"aes128-encrypt-kept", 230}, {"aes128-encrypt-short", 181}};
  for (const auto& [name, count] : kStages) {
    Call call(name);
    AesRoundKeys keys;
    aes_steps::key_expansion(from_hex(kKey).data(), 16, 10, &keys);
    call.write(call.argument(0), from_hex(kInput));
    call.write(call.argument(1), Bytes(keys.bytes, keys.bytes + 176));
    // clause: VM-ALG-001
    EXPECT_EQ(call.execute(), count) << name;
    EXPECT_EQ(to_hex(call.read(call.argument(0), 16)), kOutput) << name;
    EXPECT_EQ(measured(name, 1), "");
  }
}

// The paper's listings give the index of the last word where the instructions want how many there
// are.
TEST(vemicry_aes_published, loads_and_stores_of_three_words_are_wrong) {
  const ProgramFile* const file = find_program("aes128_published.s");
  const std::string text(reinterpret_cast<const char*>(file->bytes), file->len);
  const std::string three =
      std::regex_replace(text, std::regex("(vload|vstore)(.*), 4"), "$1$2, 3");
  ASSERT_NE(three, text);
  // clause: VM-ALG-010
  Call with_four("aes128-encrypt-steps", text), with_three("aes128-encrypt-steps", three);
  with_four.execute();
  EXPECT_EQ(with_four.check(), "");
  with_three.execute();
  EXPECT_NE(with_three.check(), "");
}

}  // namespace
}  // namespace incore::vemicry::test
