// `incore run --compare`: a program with PadLock and without it, side by side.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "run/incore_run.h"

namespace incore::test {
namespace {

// FIPS 197's AES of what tests/guest/two_paths.c encrypts.
constexpr char kRight[] =
    "979db266c7aba77f2a4d312b0de54a3d\n"
    "ada81735911dc130a262e4ccdca681f5\n"
    "5af0ac02b99bffa42d801588b7404a99\n";

class run_compare : public testing::TestWithParam<bool> {  // of 32-bit code?
 protected:
  void SetUp() override {
    if (GetParam() && !kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  }
  static ProcessResult compare(const Arguments& arguments, const std::string& input = "",
                               const std::string& option = "--compare") {
    Arguments program = {GetParam() ? guest32("two_paths") : guest("two_paths")};
    program.insert(program.end(), arguments.begin(), arguments.end());
    return incore_run({option}, program, input);
  }

  struct Written {
    ProcessResult result;
    nlohmann::json found;
  };
  static Written compare_to_file(const std::string& what) {
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/compare.json";
    Written written = {compare({what}, "", "--compare=" + path), {}};
    EXPECT_EQ(written.result.err, "");
    written.found = nlohmann::json::parse(read_file(path));
    return written;
  }
};

INSTANTIATE_TEST_SUITE_P(code, run_compare, testing::Bool(), [](const auto& tested) {
  return std::string(tested.param ? "of_32_bits" : "of_64_bits");
});

void expect_text(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

TEST_P(run_compare, finds_no_difference_where_results_are_right) {
  const ProcessResult result = compare({"right"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, kRight);
  EXPECT_EQ(result.err,
            "incore run --compare: outputs and exit code are the same without PadLock; 3 calls of "
            "it\n");
}

void expect_wrong_schedule(const ProcessResult& result) {
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out.substr(0, 33), std::string(kRight).substr(0, 33));
  EXPECT_NE(result.out, kRight);
  expect_text(result.err, "standard output differs at byte 34, in line 2\n");
  expect_text(result.err, "    without it      ada81735911dc130a262e4ccdca681f5\n");
  expect_text(result.err, "    call 2, xcrypt-ecb, encryption, 256-bit key, 16 bytes,\n    at 0x");
  expect_text(result.err, "of 3 calls 3 can be judged; 2 of these had a result");
}

TEST_P(run_compare, names_the_first_call_with_a_wrong_result) {
  expect_wrong_schedule(compare({"wrong"}));
}

TEST_P(run_compare, follows_children) {
  expect_wrong_schedule(compare({"child"}));
}

// What the program wipes before it says anything cannot be looked for.
TEST_P(run_compare, judges_no_call_whose_result_was_nowhere_to_be_seen) {
  const ProcessResult result = compare({"hidden"});
  EXPECT_EQ(result.exit_code, 1);
  expect_text(result.err, "standard output differs at byte 3, in line 2\n");
  expect_text(result.err, "of 3 calls 0 can be judged; 0 of these");
}

TEST_P(run_compare, tells_how_it_ended_where_outputs_are_the_same) {
  const ProcessResult exits = compare({"exit"});
  EXPECT_EQ(exits.exit_code, 3);
  expect_text(exits.err, "the exit code is 3 with PadLock, 0 without it\n");
  expect_text(exits.err, "of 3 calls 3 can be judged; 0 of these");
  EXPECT_EQ(exits.err.find("differs"), std::string::npos) << exits.err;
  const ProcessResult killed = compare({"signal"});
  EXPECT_EQ(killed.exit_code, 137);
  expect_text(killed.err, "the exit code is 137 (signal 9) with PadLock, 0 without it\n");
}

TEST_P(run_compare, judges_nothing_where_the_program_varies_by_itself) {
  const ProcessResult result = compare({"varies"});
  EXPECT_EQ(result.exit_code, 1);
  expect_text(result.err, "it also differs from itself in a second run with PadLock, so no call");
  EXPECT_EQ(result.err.find("xcrypt"), std::string::npos) << result.err;
}

TEST_P(run_compare, judges_calls_with_random_data) {
  const ProcessResult result = compare({"random"});
  EXPECT_EQ(result.exit_code, 1);
  expect_text(result.err, "standard output differs at byte 34, in line 2\n");
  expect_text(result.err, "    call 2, xcrypt-ecb, encryption, 256-bit key");
  expect_text(result.err, "of 3 calls 3 can be judged; 2 of these had a result");
}

// The lines of guest random_streams.
std::set<std::string> random_lines(const std::string& program, const std::string& order,
                                   const Arguments& options) {
  std::istringstream out(incore_run(options, {program, order}).out);
  std::set<std::string> lines;
  for (std::string line; std::getline(out, line);) lines.insert(line);
  EXPECT_EQ(lines.size(), 16u) << out.str();
  return lines;
}

TEST_P(run_compare, gives_each_run_the_same_random_bytes_and_addresses) {
  if (run({"setarch", "-R", "true"}).exit_code != 0)
    GTEST_SKIP() << "personality(2) is forbidden here, so addresses vary";
  if (!std::filesystem::exists("/proc/thread-self/children"))
    GTEST_SKIP() << "this Linux does not tell which children a process has";
  for (const char* form : {"random_streams", "random_streams_static"}) {
    const std::string program = GetParam() ? guest32(form) : guest(form);
    const auto lines = random_lines(program, "forward", {"--compare"});
    for (const char* order : {"forward", "reverse"})
      EXPECT_EQ(random_lines(program, order, {"--compare", "--rng-seed", "0"}), lines) << form;
    std::set<std::string> values;
    for (const std::string& line : lines) values.insert(line.substr(line.find(' ')));
    EXPECT_EQ(values.size(), lines.size()) << form;
    for (const Arguments& others : {Arguments{"--compare", "--rng-seed", "1"}, Arguments{}})
      for (const std::string& line : random_lines(program, "forward", others))
        EXPECT_TRUE(!lines.contains(line) || (!others.empty() && line.starts_with("addresses")))
            << form << ": " << line;
  }
}

TEST_P(run_compare, gives_each_run_the_same_input) {
  const ProcessResult result = compare({"input"}, "some text");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, kRight);
  expect_text(result.err, "are the same without PadLock; 3 calls of it\n");
}

TEST_P(run_compare, says_that_PadLock_was_not_used) {
  const ProcessResult result = compare({"none"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "incore run --compare: no PadLock call was made\n");
}

TEST_P(run_compare, writes_the_same_judgement_as_json) {
  const Written wrong = compare_to_file("wrong");
  EXPECT_EQ(wrong.result.exit_code, 1);
  EXPECT_EQ(wrong.found.at("model"), "nano");
  EXPECT_EQ(wrong.found.at("same"), false);
  EXPECT_EQ(wrong.found.at("calls"), 3);
  EXPECT_EQ(wrong.found.at("judged"), 3);
  EXPECT_EQ(wrong.found.at("never_had"), 2);
  ASSERT_EQ(wrong.found.at("differences").size(), 1u);
  const nlohmann::json& output = wrong.found.at("differences")[0];
  EXPECT_EQ(output.at("of"), "standard output");
  EXPECT_EQ(output.at("byte"), 34);
  EXPECT_EQ(output.at("line"), 2);
  EXPECT_EQ(output.at("without"), std::string(kRight).substr(33, 32));
  EXPECT_EQ(output.at("with"), wrong.result.out.substr(33, 32));
  const nlohmann::json& call = wrong.found.at("first_never_had");
  EXPECT_EQ(call.at("call"), 2);
  EXPECT_EQ(call.at("instruction"), "xcrypt-ecb");
  EXPECT_EQ(call.at("direction"), "encrypt");
  EXPECT_EQ(call.at("key_bits"), 256);
  EXPECT_EQ(call.at("bytes"), 16);
  EXPECT_GT(call.at("address"), 0);
  expect_text(call.at("module"), "two_paths");
  EXPECT_EQ(call.at("function"), "encrypt");
}

TEST_P(run_compare, leaves_out_of_the_json_what_there_is_not) {
  const Written right = compare_to_file("right");
  EXPECT_EQ(right.result.exit_code, 0);
  EXPECT_EQ(right.found,
            nlohmann::json::parse(
                R"({"model":"nano","exit_code":0,"same":true,"calls":3,"differences":[]})"));
  const Written exits = compare_to_file("exit");
  EXPECT_EQ(exits.found,
            nlohmann::json::parse(R"({"model":"nano","exit_code":3,"same":false,"calls":3,
      "differences":[{"of":"exit code","with":3,"without":0}],"judged":3,"never_had":0})"));
  const Written varies = compare_to_file("varies");
  EXPECT_EQ(varies.found.at("why_not_judged"),
            "it also differs from itself in a second run with PadLock");
  EXPECT_FALSE(varies.found.contains("judged"));
}

TEST(run_comparison, tells_of_a_file_that_cannot_be_written) {
  const ProcessResult nowhere =
      incore_run({"--compare=/nonexistent/compare.json"}, {guest("print_arguments"), "ran"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_EQ(nowhere.out, "");
  expect_text(nowhere.err, "--compare: ");
  const ProcessResult full = incore_run({"--compare=/dev/full"}, {guest("two_paths"), "exit"});
  EXPECT_EQ(full.exit_code, 2);
  expect_text(full.err, "--compare: ");
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/compare.json";
  EXPECT_EQ(incore_run({"--compare=" + path}, {"/nonexistent"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(incore_run({"--check=" + path, "--compare=" + path}, {"true"}).exit_code, 2);
}

TEST(run_comparison, is_refused_where_it_cannot_be) {
  EXPECT_EQ(incore_run({"--compare", "--trace"}, {"true"}).exit_code, 2);
  EXPECT_EQ(incore_run({"--compare"}, {"/nonexistent"}).exit_code, 2);
  const ProcessResult nested = incore_run({}, {INCORE_PROGRAM, "run", "--compare", "--", "true"});
  EXPECT_EQ(nested.exit_code, 2);
  expect_text(nested.err, "the outer incore run traces");
}

}  // namespace
}  // namespace incore::test
