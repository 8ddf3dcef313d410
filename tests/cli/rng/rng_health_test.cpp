// `incore rng health` as a user calls it: the table of generators, and files that are not random.
#include <gtest/gtest.h>

#include "cli/own_folder.h"

namespace incore {
namespace {

using test::ProcessResult;

const std::string kIncore = INCORE_PROGRAM;

ProcessResult rng_health(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), {kIncore, "rng", "health"});
  return test::run(arguments, input);
}

ProcessResult shell(const std::string& command) {
  return test::run({"bash", "-c", command}, "", {"INCORE=" + kIncore});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Passes for bytes of any value, and repeats after 251.
std::string counter(size_t len) {
  std::string bytes(len, '\0');
  for (size_t i = 0; i < len; ++i) bytes[i] = static_cast<char>(i % 251);
  return bytes;
}

class cli_rng_health : public test::OwnFolderTest {};

TEST_F(cli_rng_health, table_has_every_source_with_its_speed_or_what_is_missing) {
  const ProcessResult result = rng_health({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"\nrdseed ", "\nxstore ", "\ndarn ", "\nrdrand ", "\ngetrandom "})
    EXPECT_TRUE(contains(result.out, name)) << result.out;
  const ProcessResult json = rng_health({"--json"});
  EXPECT_EQ(test::run({"python3", "-c",
                       "import json, sys\n"
                       "rows = json.load(sys.stdin)['sources']\n"
                       "assert len(rows) == 5\n"
                       "for row in rows:\n"
                       "    if row['available']: assert 0.01 < row['mb_per_s'] < 1e5, row\n"
                       "    else: assert len(row['missing']) > 10, row\n"
                       "assert rows[-1]['source'] == 'getrandom' and rows[-1]['available']\n"},
                      json.out)
                .exit_code,
            0)
      << json.out;
}

TEST_F(cli_rng_health, source_passes) {
  const ProcessResult result = rng_health({"getrandom", "--size", "100000"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.rfind("getrandom: pass, 101024 bytes, ", 0), 0u) << result.out;
  EXPECT_TRUE(contains(result.out, "fails at   31")) << result.out;
  EXPECT_TRUE(contains(result.out, "fails at  325 of  512")) << result.out;
}

TEST_F(cli_rng_health, file_that_gets_stuck_fails_at_the_sample) {
  const std::string file = directory_.write("f", counter(100'000) + std::string(31, '\x7f'));
  const ProcessResult result = rng_health({file, "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.out, "\"verdict\": \"fail\"")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"partial\": false")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"first_failure\": 100031")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"bytes\": 100031")) << result.out;
  // The beginning alone is healthy.
  EXPECT_EQ(rng_health({file, "--size", "100030"}).exit_code, 0);
  EXPECT_EQ(rng_health({file, "--size", "100031"}).exit_code, 1);
  EXPECT_EQ(rng_health({"-"}, counter(100'000) + std::string(31, 'x')).exit_code, 1);
}

TEST_F(cli_rng_health, json_has_the_name_as_it_is_and_null_for_no_failure) {
  const std::string file = directory_.write("a b", counter(3000));
  const ProcessResult result = rng_health({file, "--json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "\"source\": \"" + file + "\"")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"first_failure\": null")) << result.out;
  const std::string odd = directory_.write("\xff", counter(3000));
  EXPECT_EQ(rng_health({odd, "--json"}).exit_code, 0);
}

TEST_F(cli_rng_health, claim_sets_the_cutoffs) {
  const std::string input = counter(2000) + std::string(5, 'x') + counter(2000);
  EXPECT_EQ(rng_health({"-"}, input).exit_code, 0);
  const ProcessResult result = rng_health({"-", "--min-entropy", "8"}, input);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.out, "first failure at byte 2005")) << result.out;
}

TEST_F(cli_rng_health, one_bit_a_byte_has_windows_of_1024) {
  std::string bits(5000, '\0');
  for (size_t i = 0; i < bits.size(); i += 2) bits[i] = '\1';
  const ProcessResult result = rng_health({"-", "--binary"}, bits);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "largest count  512, fails at  609 of 1024")) << result.out;
  EXPECT_EQ(rng_health({"-", "--binary", "--min-entropy", "1.5"}, bits).exit_code, 2);
}

TEST_F(cli_rng_health, bad_input_gets_a_line) {
  directory_.write("empty", "");
  const struct {
    std::vector<std::string> arguments;
    std::string says;
  } kWrong[] = {
      {{"empty"}, "'empty' is empty"},
      {{"-"}, "standard input is empty"},
      {{"/nonexistent"}, "cannot read '/nonexistent': No such file or directory"},
      {{"."}, "cannot read '.': Is a directory"},
      {{"getrandom", "--size", "ten"}, "--size: 'ten' is no number of bytes"},
      {{"getrandom", "--stall-timeout", "0"}, "--stall-timeout"},
      {{"--seed", "-1"}, "'-1' is no whole number from 0 to 2^64 - 1"},
      {{"--seed", "1"}, "--seed is an option of xstore: name that SOURCE"},
      {{"--cpu", "nonsense"}, "--cpu is an option of xstore: name that SOURCE"},
      {{"--cpu", "nano", "--json"}, "--cpu is an option of xstore: name that SOURCE"},
      {{"--raw"}, "--raw is an option of xstore"},
      {{"--bias", "0"}, "--bias is an option of xstore"},
      {{"--noise-source", "0"}, "--noise-source is an option of xstore"},
      {{"--quality", "1"}, "--quality is an option of xstore"},
      {{"xstore", "--cpu", "nonsense"}, "nonsense"},
  };
  for (const auto& wrong : kWrong) {
    const ProcessResult result = rng_health(wrong.arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong.says;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, wrong.says)) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  }
}

TEST_F(cli_rng_health, stalled_pipe_ends_with_a_partial_result) {
  const ProcessResult result = shell(
      "(head -c 5000 /dev/urandom; exec sleep 3) | $INCORE rng health - --stall-timeout 0.2; "
      "exit ${PIPESTATUS[1]}");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.out, "standard input: pass, 5000 bytes (partial)")) << result.out;
  EXPECT_TRUE(contains(result.err, "standard input gave nothing for 0.2 s")) << result.err;
}

TEST_F(cli_rng_health, interruption_ends_with_a_partial_result) {
  // A FIFO that nobody opens for writing does not keep it from ending.
  const std::string seconds = test::kEmulated ? "5" : "1";
  const ProcessResult result =
      shell("(head -c 5000 /dev/urandom; sleep 1; sleep " + seconds +
            ") | timeout --preserve-status -s INT " + seconds +
            " "
            "$INCORE rng health - --json; code=${PIPESTATUS[1]}; mkfifo pipe; "
            "timeout --preserve-status -s TERM " +
            seconds +
            " $INCORE rng health pipe; echo second $? >&2; "
            "exit $code");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_TRUE(contains(result.out, "\"bytes\": 5000")) << result.out;
  EXPECT_TRUE(contains(result.out, "\"partial\": true")) << result.out;
  EXPECT_TRUE(contains(result.err, "interrupted after 5000 bytes")) << result.err;
  EXPECT_TRUE(contains(result.err, "second 143")) << result.err;
}

}  // namespace
}  // namespace incore
