// `incore run --trace`: a line for each PadLock instruction, with what it was given and made.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "incore/sha.h"
#include "run/incore_run.h"
#include "support/hex.h"

namespace incore::test {
namespace {

using nlohmann::json;

// SP 800-38A, appendix F.2.1, as tests/guest/xcrypt_modes.c does it.
constexpr char kKey[] = "2b7e151628aed2a6abf7158809cf4f3c";
constexpr char kVector[] = "000102030405060708090a0b0c0d0e0f";
constexpr char kPlain[] =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
constexpr char kCbc[] =
    "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7";

// The first eight bytes of SHA-256.
std::string digest_of(const std::string& hex) {
  const std::vector<uint8_t> bytes = from_hex(hex);
  uint8_t digest[32];
  EXPECT_EQ(incore_sha_digest(INCORE_SHA256, bytes.data(), bytes.size(), digest, sizeof digest),
            INCORE_OK);
  return to_hex(digest, 8);
}

struct Traced {
  ProcessResult result;
  std::string text;
  std::vector<json> calls;
};

Traced run_traced(const Arguments& program, Arguments options = {}) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/trace";
  options.push_back("--trace=" + path);
  Traced traced;
  traced.result = incore_run(options, program);
  traced.text = read_file(path);
  std::istringstream lines(traced.text);
  for (std::string line; std::getline(lines, line);) traced.calls.push_back(json::parse(line));
  return traced;
}

bool is_cbc_of_the_standard(const json& call) {
  return call.at("instruction") == "xcrypt-cbc" && call.at("direction") == "encrypt" &&
         call.at("key_bits") == 128 && call.at("schedule") == "hardware" && call.at("bytes") == 64;
}

void expect_the_standard_s_example(const std::string& program) {
  const Traced traced = run_traced({program}, {"--trace-secrets"});
  EXPECT_EQ(traced.result.exit_code, 0) << traced.result.err;
  EXPECT_EQ(traced.result.err, "");
  const auto call = std::find_if(traced.calls.begin(), traced.calls.end(), is_cbc_of_the_standard);
  ASSERT_NE(call, traced.calls.end());
  EXPECT_EQ(call->at("key"), kKey);
  EXPECT_EQ(call->at("key_digest"), digest_of(kKey));
  EXPECT_EQ(call->at("iv"), kVector);
  EXPECT_EQ(call->at("rounds"), 10);
  EXPECT_EQ(call->at("bytes"), 64);
  EXPECT_EQ(call->at("input_digest"), digest_of(kPlain));
  EXPECT_EQ(call->at("output_digest"), digest_of(kCbc));
  EXPECT_EQ(call->at("done"), true);
  EXPECT_EQ(call->at("module"), program);
  // The same from a schedule in memory, and back.
  for (const char* direction : {"encrypt", "decrypt"}) {
    const bool encrypts = direction == std::string("encrypt");
    EXPECT_TRUE(std::any_of(traced.calls.begin(), traced.calls.end(), [&](const json& other) {
      return other.at("instruction") == "xcrypt-cbc" && other.at("schedule") == "memory" &&
             other.at("direction") == direction && other.at("rounds") == 10 &&
             other.at("input_digest") == digest_of(encrypts ? kPlain : kCbc) &&
             other.at("output_digest") == digest_of(encrypts ? kCbc : kPlain);
    })) << direction;
  }
}

TEST(run_trace, tells_key_vector_and_data) {
  for (const char* form : {"xcrypt_modes", "xcrypt_modes_static"})
    expect_the_standard_s_example(guest(form));
}

TEST(run_trace, does_the_same_for_32_bit_code) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  expect_the_standard_s_example(guest32("xcrypt_modes"));
}

TEST(run_trace, keeps_keys_to_itself) {
  const Traced traced = run_traced({guest("xcrypt_modes")});
  EXPECT_EQ(traced.text.find(kKey), std::string::npos);
  for (const json& call : traced.calls) EXPECT_FALSE(call.contains("key"));
  EXPECT_NE(traced.text.find(digest_of(kKey)), std::string::npos);
}

TEST(run_trace, is_text_for_people_on_stderr) {
  const ProcessResult result = incore_run({"--trace"}, {guest("xcrypt_modes")});
  EXPECT_EQ(result.exit_code, 0);
  const std::string line = "xcrypt-cbc encrypt key 128-bit #" + digest_of(kKey) + " 10 rounds iv " +
                           kVector + " 64 bytes in #" + digest_of(kPlain) + " out #" +
                           digest_of(kCbc) + " at 0x";
  EXPECT_NE(result.err.find(line), std::string::npos) << result.err.substr(0, 2000);
}

// From children and threads, from patched sites and from those that trap, and many more than the
// run-time has room for.
TEST(run_trace, lacks_no_call) {
  const std::pair<const char*, const char*> kPrograms[] = {{"xcrypt_chained_calls", "nano"},
                                                           {"threads", "nano"},
                                                           {"fork_exec", "nano"},
                                                           {"generated_code", "nano"},
                                                           {"xsha", "nano"},
                                                           {"xsha512", "nano"},
                                                           {"xstore", "nano"},
                                                           {"montmul", "nano"},
                                                           {"ccs", "zhaoxin"}};
  for (const auto& [name, model] : kPrograms) {
    const TemporaryDirectory directory;
    const std::string stats = directory.path() + "/stats";
    const Traced traced = run_traced({guest(name)}, {"--cpu", model, "--stats=" + stats});
    EXPECT_EQ(traced.result.exit_code, 0) << name << traced.result.err;
    EXPECT_EQ(traced.result.err, "") << name;
    const json statistics = json::parse(read_file(stats));
    uint64_t num_calls = 0;
    for (const json& insn : statistics.at("instructions"))
      num_calls += insn.at("calls").get<uint64_t>();
    EXPECT_GT(num_calls, 0u) << name;
    EXPECT_EQ(traced.calls.size(), num_calls) << name;
  }
}

TEST(run_trace, tells_how_far_a_fault_let_it_come) {
  const Traced traced = run_traced({guest("fault_source")});
  EXPECT_EQ(traced.result.exit_code, 0) << traced.result.err;
  uint64_t num_faults = 0;
  for (const json& call : traced.calls) {
    if (call.at("done") == true) continue;
    ++num_faults;
    EXPECT_EQ(call.contains("output_digest"), call.at("bytes") != 0) << call;
  }
  EXPECT_GT(num_faults, 0u);
}

// What cannot be told changes nothing for the program.
TEST(run_trace, leaves_the_program_s_result_alone_if_it_cannot_be_written) {
  const std::string program = guest("xcrypt_modes");
  for (const char* script : {"$0; exit 3", "$0"}) {
    const ProcessResult result =
        incore_run({"--trace=/dev/full"}, {"/bin/sh", "-c", script, program});
    EXPECT_EQ(result.exit_code, script == std::string("$0") ? 0 : 3) << result.err;
    EXPECT_NE(result.err.find("incore run: --trace: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(" calls are not in it"), std::string::npos) << result.err;
  }
}

TEST(run_trace, is_refused_where_it_cannot_be) {
  EXPECT_EQ(incore_run({"--trace=/nonexistent/trace"}, {"true"}).exit_code, 2);
  const ProcessResult nested = incore_run({}, {INCORE_PROGRAM, "run", "--trace", "--", "true"});
  EXPECT_EQ(nested.exit_code, 2);
  EXPECT_NE(nested.err.find("the outer incore run traces"), std::string::npos) << nested.err;
}

}  // namespace
}  // namespace incore::test
