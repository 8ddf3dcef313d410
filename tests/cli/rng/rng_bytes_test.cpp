// `incore rng bytes` as a user calls it: sizes, outputs, and every way to stop midway.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/own_folder.h"
#include "incore/sha.h"
#include "support/hex.h"

namespace incore {
namespace {

using test::ProcessResult;
using test::read_file;

const std::string kIncore = INCORE_PROGRAM;

ProcessResult rng_bytes(std::vector<std::string> arguments) {
  // What should be refused must not go on for ever.
  arguments.insert(arguments.begin(), {"timeout", "20", kIncore, "rng", "bytes"});
  return test::run(arguments);
}

// |command| by bash, where $INCORE is the program.
ProcessResult shell(const std::string& command) {
  return test::run({"bash", "-c", command}, "", {"INCORE=" + kIncore});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Of an emulated chip, so that they are the same each time.
std::string chip_bytes(const std::string& len, const std::vector<std::string>& more = {},
                       const std::string& cpu = "nano", const std::string& seed = "7") {
  std::vector<std::string> arguments = {"xstore", "--cpu", cpu, "--seed", seed, "-q", "-n", len};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProcessResult result = rng_bytes(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

class cli_rng_bytes : public test::OwnFolderTest {};

TEST_F(cli_rng_bytes, writes_exactly_the_size_and_says_so) {
  for (const size_t size : {0, 1, 31, 32, 33, 511, 513, 70'000}) {
    const ProcessResult result = rng_bytes({"getrandom", "--size", std::to_string(size)});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out.size(), size);
    EXPECT_EQ(
        result.err.rfind("incore rng: wrote " + std::to_string(size) + " bytes of getrandom", 0),
        0u)
        << result.err;
    EXPECT_TRUE(contains(result.err, "health tests passed on " + std::to_string(size + 1024) +
                                         " bytes: longest run "))
        << result.err;
  }
  EXPECT_EQ(rng_bytes({"getrandom", "-n", "3k"}).out.size(), 3072u);
  EXPECT_EQ(rng_bytes({"getrandom", "-n", "2MiB"}).out.size(), 2u << 20);
}

TEST_F(cli_rng_bytes, hexadecimal_has_32_bytes_a_line) {
  const std::string binary = chip_bytes("70"), hex = chip_bytes("70", {"--hex"});
  EXPECT_EQ(hex.size(), 2 * 70 + 3u);
  EXPECT_EQ(hex[64], '\n');
  EXPECT_EQ(hex[129], '\n');
  std::string digits;
  for (const char c : hex)
    if (c != '\n') digits += c;
  EXPECT_EQ(test::from_hex(digits), std::vector<uint8_t>(binary.begin(), binary.end()));
  EXPECT_EQ(chip_bytes("64", {"--hex"}).size(), 130u) << "no empty line behind a full one";
  EXPECT_EQ(chip_bytes("0", {"--hex"}), "");
}

TEST_F(cli_rng_bytes, emulated_chip_depends_on_seed_model_and_settings) {
  const std::string bytes = chip_bytes("64");
  EXPECT_EQ(chip_bytes("64"), bytes);
  EXPECT_NE(chip_bytes("64", {}, "nano", "8"), bytes);
  EXPECT_NE(chip_bytes("64", {"--noise-source", "1"}, "esther"), bytes);
  // Unwhitened bits are ones in less than a fifth of cases.
  const std::string raw = chip_bytes("4096", {"--raw"}, "esther");
  int ones = 0;
  for (const char c : raw) ones += __builtin_popcount(static_cast<uint8_t>(c));
  EXPECT_LT(ones, 4096 * 8 / 4);
  EXPECT_GT(ones, 4096 * 8 / 8);
}

TEST_F(cli_rng_bytes, conditioned_bytes_are_sha256_of_the_raw_ones) {
  const std::string raw = chip_bytes("200"), conditioned = chip_bytes("64", {"--condition=100"});
  std::string expected(64, '\0');
  for (size_t i = 0; i < 2; ++i)
    ASSERT_EQ(incore_sha_digest(INCORE_SHA256, &raw[100 * i], 100,
                                reinterpret_cast<uint8_t*>(&expected[32 * i]), 32),
              INCORE_OK);
  EXPECT_EQ(conditioned, expected);
  // 320 bits by the claim: 80 bytes of 4 bits.
  const ProcessResult full =
      rng_bytes({"getrandom", "-n", "1", "--condition", "--min-entropy", "4"});
  EXPECT_TRUE(contains(full.err, "SHA-256 of 80 bytes made each 32")) << full.err;
}

TEST_F(cli_rng_bytes, file_is_complete_and_alone) {
  EXPECT_EQ(rng_bytes({"getrandom", "--size", "5000", "--out", "f"}).exit_code, 0);
  EXPECT_EQ(read_file("f").size(), 5000u);
  EXPECT_EQ(rng_bytes({"getrandom", "--size", "10", "--out", "f"}).exit_code, 0);
  EXPECT_EQ(read_file("f").size(), 10u);
  EXPECT_EQ(files(), std::set<std::string>{"f"});
}

TEST_F(cli_rng_bytes, file_is_its_owners_only_and_stands_where_a_link_leads) {
  const ProcessResult result = shell(
      "umask 022; mkdir d; ln -s d/key link; touch old; chmod 640 old; "
      "$INCORE rng bytes getrandom -n 32 -q --out link && "
      "$INCORE rng bytes getrandom -n 32 -q --out old && "
      "stat -c %a d/key old && readlink link");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "600\n640\nd/key\n");
}

TEST_F(cli_rng_bytes, bad_usage_gets_a_line_and_writes_nothing) {
  const struct {
    std::vector<std::string> arguments;
    std::string says;
  } kWrong[] = {
      {{"--size", ""}, "is no number of bytes"},
      {{"--size", "-1"}, "is no number of bytes"},
      {{"--size", "1.5k"}, "is no number of bytes"},
      {{"--size", "12x"}, "is no number of bytes"},
      {{"--size", "0x10"}, "is no number of bytes"},
      {{"--size", "18446744073709551616"}, "is no number of bytes below 2^64"},
      {{"--size", "16777216T"}, "is no number of bytes below 2^64"},
      {{"--size", "1", "--condition=31"}, "32 to 65536"},
      {{"--size", "1", "--condition=65537"}, "32 to 65536"},
      {{"--size", "1", "--condition=x"}, "32 to 65536"},
      {{"--size", "1", "--min-entropy", "0"}, "--min-entropy"},
      {{"--size", "1", "--min-entropy", "8.1"}, "--min-entropy"},
      {{"--size", "1", "--min-entropy", "nan"}, "'nan' is no number from 0.01 to 8"},
      {{"--size", "1", "--quality", "4"}, "--quality"},
      {{"--size", "1", "--quality", "1"}, "--quality and --cpu are for xstore"},
      {{"--size", "1", "--cpu", "nano"}, "--quality and --cpu are for xstore"},
      {{"--size", "1", "--seed", "7"}, "need --cpu MODEL"},
      {{"--size", "1", "--seed", "-1"}, "'-1' is no whole number from 0 to 2^64 - 1"},
      {{"--size", "1", "--seed", "18446744073709551616"}, "is no whole number from 0 to 2^64 - 1"},
      {{"--out", "f"}, "needs --size"},
      {{"--size", "1", "--out", "missing/f"}, "cannot write 'missing/f'"},
      {{"--size", "1", "--out", "."}, "cannot write '.'"},
      {{"two"}, "unexpected argument 'two'"},
  };
  for (const auto& wrong : kWrong) {
    std::vector<std::string> arguments = wrong.arguments;
    arguments.insert(arguments.begin(), "getrandom");
    const ProcessResult result = rng_bytes(arguments);
    EXPECT_EQ(result.exit_code, 2) << wrong.says;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, wrong.says)) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  }
  EXPECT_TRUE(contains(rng_bytes({"dice"}).err, "SOURCE: 'dice' is unknown; accepted: rdseed "));
  const ProcessResult model = rng_bytes({"xstore", "--cpu", "c4", "-n", "1"});
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_TRUE(contains(model.err, "c4")) << model.err;
  const ProcessResult msr = rng_bytes({"xstore", "--cpu", "nano", "--raw", "-n", "1"});
  EXPECT_EQ(msr.exit_code, 2);
  EXPECT_TRUE(contains(msr.err, "nano has no MSR 0x110B")) << msr.err;
  const ProcessResult none = rng_bytes({"xstore", "--cpu", "nano,rng=off", "-n", "1"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.err, "nano has no generator")) << none.err;
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(cli_rng_bytes, unhealthy_source_writes_nothing) {
  const ProcessResult result = rng_bytes({"xstore", "--cpu", "esther", "--raw", "--seed", "1",
                                          "--min-entropy", "4", "-n", "100", "--out", "f"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(
      result.err, "xstore failed the adaptive proportion test: 71 equal bytes of 512, at byte "))
      << result.err;
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(cli_rng_bytes, full_device_is_an_error_with_the_count) {
  for (const char* command : {"$INCORE rng bytes getrandom -n 1M > /dev/full",
                              "$INCORE rng bytes getrandom -n 1M --out /dev/full",
                              "$INCORE rng bytes getrandom > /dev/full"}) {
    const ProcessResult result = shell(command);
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_TRUE(contains(result.err, "wrote 0 bytes")) << result.err;
    EXPECT_TRUE(contains(result.err, "No space left on device")) << result.err;
  }
}

TEST_F(cli_rng_bytes, file_that_may_not_grow_is_kept_as_partial) {
  const ProcessResult result = shell("ulimit -f 8; exec $INCORE rng bytes getrandom -n 1M --out f");
  EXPECT_EQ(result.exit_code, 2) << "and not SIGXFSZ";
  EXPECT_TRUE(contains(result.err, "wrote 8192 bytes of 1048576 of getrandom")) << result.err;
  EXPECT_TRUE(contains(result.err, "they are in 'f.partial'") ||
              contains(result.err, "/f.partial'"))
      << result.err;
  EXPECT_EQ(files(), std::set<std::string>{"f.partial"});
  EXPECT_EQ(read_file("f.partial").size(), 8192u);
}

TEST_F(cli_rng_bytes, reader_that_leaves_is_the_end_of_an_endless_stream_only) {
  const ProcessResult endless =
      shell("$INCORE rng bytes getrandom | head -c 1000 | wc -c; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(endless.exit_code, 0) << endless.err;
  EXPECT_EQ(std::atoi(endless.out.c_str()), 1000);
  EXPECT_TRUE(contains(endless.err, "the reader closed the pipe")) << endless.err;
  const ProcessResult sized = shell(
      "$INCORE rng bytes getrandom -n 16777215T | head -c 1000 | wc -c; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(sized.exit_code, 1) << sized.err;
  EXPECT_TRUE(contains(sized.err, " bytes of 18446742974197923840 of getrandom")) << sized.err;
}

// The number behind "wrote ".
size_t written(const std::string& err) {
  const size_t at = err.find("wrote ");
  return at == std::string::npos ? ~size_t{0} : std::strtoull(&err[at + 6], nullptr, 10);
}

TEST_F(cli_rng_bytes, interrupted_pipe_got_what_is_said) {
  const struct {
    std::string signal;
    int exit_code;
  } kSignals[] = {{"INT", 130}, {"TERM", 143}};
  for (const auto& each : kSignals) {
    // A job of its own, as what a script puts into the background ignores SIGINT.
    const std::string stop = "kill -" + each.signal + " $!; wait $!";
    const ProcessResult result = shell(
        "rm -f out; set -m; $INCORE rng bytes getrandom > out & until [ -s out ]; do sleep 0.02; "
        "done; " +
        stop);
    EXPECT_EQ(result.exit_code, each.exit_code) << result.err;
    EXPECT_TRUE(contains(result.err, "; interrupted")) << result.err;
    EXPECT_EQ(read_file("out").size(), written(result.err));
    // A reader that takes no more does not keep it from ending.
    const ProcessResult blocked = shell(
        "set -m; mkfifo pipe; exec 3<>pipe; $INCORE rng bytes getrandom >&3 & "
        "head -c 1 <&3 > first; sleep 0.1; rm pipe; " +
        stop);
    EXPECT_EQ(blocked.exit_code, each.exit_code) << blocked.err;
    EXPECT_GE(written(blocked.err), 4096u);
  }
}

TEST_F(cli_rng_bytes, interrupted_file_is_marked_as_partial) {
  const ProcessResult result = shell(
      "set -m; echo old > f; $INCORE rng bytes xstore --cpu esther --quality 3 --hex -n 1G --out f "
      "& "
      "until [ -n \"$(find . -name 'f.*' -size +0)\" ]; do sleep 0.02; done; "
      "kill -INT $!; wait $!");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_TRUE(contains(result.err, " bytes of 1073741824 of xstore")) << result.err;
  EXPECT_TRUE(contains(result.err, "f.partial'; interrupted")) << result.err;
  EXPECT_EQ(read_file("f"), "old\n") << "what was there stays";
  EXPECT_EQ(files(), (std::set<std::string>{"f", "f.partial"}));
  const size_t bytes = written(result.err), chars = read_file("f.partial").size();
  EXPECT_EQ(chars, 2 * bytes + bytes / 32);
}

TEST_F(cli_rng_bytes, terminal_gets_hexadecimal_only) {
  const std::string spawn =
      "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  const std::vector<std::string> start = {"python3", "-c",        spawn,    kIncore, "rng",
                                          "bytes",   "getrandom", "--size", "4"};
  const ProcessResult refused = test::run(start);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.out, "standard output is a terminal")) << refused.out;
  std::vector<std::string> with_hex = start;
  with_hex.insert(with_hex.end(), {"--hex", "-q"});
  const ProcessResult shown = test::run(with_hex);
  EXPECT_EQ(shown.exit_code, 0) << shown.out;
  EXPECT_EQ(shown.out.size(), 10u) << shown.out;  // eight digits, CR, LF
}

TEST_F(cli_rng_bytes, help_shows_examples_and_exit_codes) {
  const ProcessResult result = rng_bytes({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "Examples:\n  incore rng bytes")) << result.out;
  EXPECT_TRUE(contains(result.out, "Exit codes:\n  0 ")) << result.out;
}

}  // namespace
}  // namespace incore
