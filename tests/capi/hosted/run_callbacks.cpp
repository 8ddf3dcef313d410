// What incore_run() calls during a run, and what makes runs repeatable. A program of its own, since
// incore_run() changes how signals and children are treated.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "incore/run.h"

namespace {

constexpr char kGuest[] = INCORE_BINARY_DIR "/tests/guest/guest_two_paths";
using Block = std::array<unsigned char, 16>;

struct Call {
  std::string mnemonic, function;
  int done, has_control_word, decrypts;
  unsigned key_bits, place;
  uint64_t bytes;
  Block result;
};

// Everything that one run was told.
struct Told {
  std::vector<Call> calls;
  std::vector<Block> wanted;  // what is looked for in memory
  std::vector<bool> found;
  bool found_too_early = false;  // a result in memory before its call was told
  size_t num_pieces = 0, num_bytes = 0;
  int memory_answer = 1;
  incore_run_report report = {};
};

void take_call(void* context, const incore_run_call* call) {
  Call taken = {call->mnemonic,
                call->function != nullptr ? call->function : "",
                call->done,
                call->has_control_word,
                call->decrypts,
                call->key_bits,
                call->place,
                call->bytes,
                {}};
  ASSERT_NE(call->result, nullptr);
  std::copy_n(call->result, taken.result.size(), taken.result.begin());
  static_cast<Told*>(context)->calls.push_back(taken);
}

int take_memory(void* context, const unsigned char* bytes, size_t len) {
  Told& told = *static_cast<Told*>(context);
  ++told.num_pieces;
  told.num_bytes += len;
  for (size_t i = 0; i < told.wanted.size(); ++i) {
    const Block& wanted = told.wanted[i];
    if (std::search(bytes, bytes + len, wanted.begin(), wanted.end()) == bytes + len) continue;
    told.found[i] = true;
    if (told.calls.size() <= i) told.found_too_early = true;
  }
  return told.memory_answer;
}

void run(const char* what, incore_run_options options, Told* inout_told) {
  inout_told->found.assign(inout_told->wanted.size(), false);
  options.call_context = options.memory_context = inout_told;
  const char* const argv[] = {"/bin/sh", "-c", "\"$0\" \"$1\" > /dev/null", kGuest, what, nullptr};
  EXPECT_EQ(incore_run(&options, argv, &inout_told->report), INCORE_OK)
      << inout_told->report.message;
  EXPECT_EQ(inout_told->report.exit_code, 0);
}

// FIPS 197's AES of what the guest encrypts: with 128, 256 and 256 bits of key.
const std::vector<Block> kResults = {{0x97, 0x9d, 0xb2, 0x66, 0xc7, 0xab, 0xa7, 0x7f, 0x2a, 0x4d,
                                      0x31, 0x2b, 0x0d, 0xe5, 0x4a, 0x3d},
                                     {0xad, 0xa8, 0x17, 0x35, 0x91, 0x1d, 0xc1, 0x30, 0xa2, 0x62,
                                      0xe4, 0xcc, 0xdc, 0xa6, 0x81, 0xf5},
                                     {0x5a, 0xf0, 0xac, 0x02, 0xb9, 0x9b, 0xff, 0xa4, 0x2d, 0x80,
                                      0x15, 0x88, 0xb7, 0x40, 0x4a, 0x99}};

TEST(run_callbacks, on_call_gets_each_call_in_order) {
  incore_run_options options = {};
  options.on_call = take_call;
  Told told;
  run("right", options, &told);
  ASSERT_EQ(told.calls.size(), 3u);
  EXPECT_EQ(told.report.lost_calls, 0u);
  for (size_t i = 0; i < 3; ++i) {
    const Call& call = told.calls[i];
    EXPECT_EQ(call.mnemonic, "xcrypt-ecb");
    EXPECT_EQ(call.function, "encrypt");
    EXPECT_EQ(call.place, told.calls[0].place);
    EXPECT_TRUE(call.done == 1 && call.has_control_word == 1 && call.decrypts == 0) << i;
    EXPECT_EQ(call.key_bits, i == 0 ? 128u : 256u);
    EXPECT_EQ(call.bytes, 16u);
    EXPECT_EQ(call.result, kResults[i]) << i;
  }
}

TEST(run_callbacks, on_memory_gets_what_a_program_has_when_data_leave_it) {
  incore_run_options options = {};
  options.on_memory = take_memory;
  Told told;
  told.wanted = kResults;
  told.wanted.push_back({"not in memory !"});
  run("right", options, &told);
  EXPECT_EQ(told.found, (std::vector<bool>{true, true, true, false}));
  run("hidden", options, &told);  // which wipes its results before that
  EXPECT_EQ(told.found, (std::vector<bool>{false, false, false, false}));
}

TEST(run_callbacks, on_memory_is_spared_the_rest_of_a_look_that_it_does_not_want) {
  incore_run_options options = {};
  options.on_memory = take_memory;
  Told all, first;
  first.memory_answer = 0;
  run("right", options, &all);
  run("right", options, &first);
  EXPECT_GE(first.num_pieces, 3u);  // a look for each line that the guest writes
  EXPECT_LT(first.num_pieces, all.num_pieces);
  EXPECT_LT(first.num_bytes, all.num_bytes);
}

TEST(run_callbacks, on_call_gets_a_call_before_on_memory_gets_its_result) {
  incore_run_options options = {};
  options.on_call = take_call;
  options.on_memory = take_memory;
  Told told;
  told.wanted = kResults;
  run("right", options, &told);
  EXPECT_EQ(told.found, (std::vector<bool>{true, true, true}));
  EXPECT_FALSE(told.found_too_early);
}

TEST(run_repeatable, makes_random_data_those_of_the_seed) {
  const auto first_result = [](int repeatable, const uint64_t* seed) {
    incore_run_options options = {};
    options.on_call = take_call;
    options.repeatable = repeatable;
    options.rng_seed = seed;
    Told told;
    run("random", options, &told);
    return told.calls.at(0).result;
  };
  const uint64_t zero = 0, one = 1;
  const Block usual = first_result(1, nullptr);
  EXPECT_EQ(first_result(1, nullptr), usual);
  EXPECT_EQ(first_result(1, &zero), usual);
  EXPECT_EQ(first_result(1, &one), first_result(1, &one));
  EXPECT_NE(first_result(1, &one), usual);
  EXPECT_NE(first_result(0, &zero), usual);
}

}  // namespace
