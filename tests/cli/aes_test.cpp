// `incore aes` against `openssl enc`: the same bytes in every mode, both ways; and each mistake is
// one line that leaves nothing behind.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/own_folder.h"
#include "support/hex.h"
#include "support/process.h"

namespace incore {
namespace {

namespace fs = std::filesystem;
using test::ProcessResult;
using test::read_file;
using test::run;
using Args = std::vector<std::string>;

const std::string kIncore = INCORE_PROGRAM;
const std::string kKey = "00112233445566778899aAbBcCdDeEfF";
const std::string kIv = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
// The counter of the first block is about to overflow, all 128 bits of it.
const std::string kLastIv(32, 'f');

Args joined(Args first, const Args& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

ProcessResult incore_aes(const Args& args, const std::string& input = "") {
  return run(joined({kIncore, "aes"}, args), input, {"INCORE_KERNEL="});
}

std::string bytes(size_t len, uint64_t seed) {
  const test::Bytes random = test::random_bytes(len, seed);
  return std::string(random.begin(), random.end());
}

class cli_aes : public test::OwnFolderTest {};

TEST_F(cli_aes, equals_openssl_in_every_mode_both_ways) {
  for (const std::string mode : {"ecb", "cbc", "cfb", "ofb", "ctr"}) {
    for (const size_t key_len : {16, 24, 32}) {
      for (const size_t len : {0, 1, 15, 16, 17, 1000003}) {
        SCOPED_TRACE(mode + " key " + std::to_string(key_len) + " length " + std::to_string(len));
        const std::string key = test::to_hex(test::random_bytes(key_len, len));
        const std::string iv = mode == "ctr" ? kLastIv : kIv;
        directory_.write("plain", bytes(len, key_len));
        Args peer_args = {"openssl", "enc",  "-aes-" + std::to_string(8 * key_len) + "-" + mode,
                          "-K",      key,    "-in",
                          "plain",   "-out", "expected"};
        Args args = {"--mode", mode, "--key", key};
        if (mode != "ecb") {
          peer_args = joined(peer_args, {"-iv", iv});
          args = joined(args, {"--iv", iv});
        }
        ASSERT_EQ(run(peer_args).exit_code, 0);

        const ProcessResult to_file =
            incore_aes(joined({"encrypt", "--in", "plain", "--out", "secret"}, args));
        EXPECT_EQ(to_file.exit_code, 0) << to_file.err;
        EXPECT_EQ(to_file.out + to_file.err, "");
        EXPECT_TRUE(read_file("secret") == read_file("expected"));
        const ProcessResult from_pipe = incore_aes(joined({"encrypt"}, args), read_file("plain"));
        EXPECT_EQ(from_pipe.exit_code, 0) << from_pipe.err;
        EXPECT_TRUE(from_pipe.out == read_file("expected"));

        const ProcessResult back = incore_aes(joined({"decrypt", "--in", "expected"}, args));
        EXPECT_EQ(back.exit_code, 0) << back.err;
        EXPECT_TRUE(back.out == read_file("plain"));
      }
    }
  }
  EXPECT_EQ(files(), (std::set<std::string>{"plain", "expected", "secret"}));
}

TEST_F(cli_aes, without_padding_equals_openssl_for_whole_blocks_and_refuses_others) {
  directory_.write("whole", bytes(4096, 1));
  directory_.write("part", bytes(4097, 1));
  for (const std::string direction : {"encrypt", "decrypt"}) {
    const Args args = {direction, "-m", "cbc", "--key", kKey, "--iv", kIv, "--no-padding"};
    const ProcessResult peer =
        run({"openssl", "enc", direction == "encrypt" ? "-e" : "-d", "-aes-128-cbc", "-nopad", "-K",
             kKey, "-iv", kIv, "-in", "whole"});
    ASSERT_EQ(peer.out.size(), 4096U);
    EXPECT_TRUE(incore_aes(joined(args, {"--in", "whole"})).out == peer.out);
    const ProcessResult refused = incore_aes(joined(args, {"--in", "part", "--out", "new"}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.err,
              "incore aes: the input has 4097 bytes, no multiple of 16; --no-padding needs one\n");
  }
  EXPECT_EQ(files(), (std::set<std::string>{"whole", "part"}));
}

TEST_F(cli_aes, a_key_file_holds_the_raw_bytes) {
  for (const size_t len : {16, 24, 32}) {
    const std::string key = bytes(len, 7);
    directory_.write("key", key);
    const Args common = {"encrypt", "--mode", "ctr", "--iv", kIv};
    const ProcessResult by_file = incore_aes(joined(common, {"--key-file", "key"}), "message");
    EXPECT_EQ(by_file.exit_code, 0) << by_file.err;
    EXPECT_EQ(by_file.out,
              incore_aes(joined(common, {"--key", test::to_hex(key.data(), len)}), "message").out);
    EXPECT_EQ(by_file.out.size(), 7U);
  }
}

TEST_F(cli_aes, wrong_padding_is_exit_code_1_and_no_file) {
  // Made without padding, so that the last block decrypts to exactly this.
  const std::string fifteen(15, 'x');
  const std::string bad_ends[] = {fifteen + '\0',
                                  fifteen + '\x11',
                                  fifteen + '\xff',
                                  fifteen + '\x02',
                                  std::string(13, 'x') + "\x03\x02\x03",
                                  "x" + std::string(15, '\x10')};
  const Args common = {"--mode", "ecb", "--key", kKey};
  directory_.write("old", "old");
  for (const std::string& end : bad_ends) {
    const std::string secret =
        incore_aes(joined({"encrypt", "--no-padding"}, common), bytes(32, 3) + end).out;
    ASSERT_EQ(secret.size(), 48U);
    for (const std::string name : {"new", "old"}) {
      const ProcessResult result = incore_aes(joined({"decrypt", "--out", name}, common), secret);
      EXPECT_EQ(result.exit_code, 1) << test::to_hex(end.data(), end.size());
      EXPECT_EQ(result.err,
                "incore aes: wrong padding: not the right key, IV or mode, or damaged\n");
    }
  }
  const ProcessResult empty = incore_aes(joined({"decrypt", "--out", "new"}, common), "");
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_EQ(empty.err, "incore aes: the input is empty: there is no padding in it\n");
  const ProcessResult cut =
      incore_aes(joined({"decrypt", "--out", "new"}, common), std::string(47, 'x'));
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_EQ(cut.err, "incore aes: the input has 47 bytes, no multiple of 16\n");
  EXPECT_EQ(files(), (std::set<std::string>{"old"}));
  EXPECT_EQ(read_file("old"), "old");
}

TEST_F(cli_aes, output_may_replace_the_input_and_keeps_mode_and_link) {
  const std::string plain = bytes(700001, 5);
  directory_.write("file", plain);
  ASSERT_EQ(chmod("file", 0600), 0);
  fs::create_symlink("file", "link");
  const Args common = {"--mode", "cbc",  "--key", kKey,    "--iv",
                       kIv,      "--in", "file",  "--out", "link"};
  EXPECT_EQ(incore_aes(joined({"encrypt"}, common)).exit_code, 0);
  EXPECT_EQ(read_file("file").size(), 700016U);
  EXPECT_EQ(incore_aes(joined({"decrypt"}, common)).exit_code, 0);
  EXPECT_TRUE(read_file("file") == plain);
  EXPECT_TRUE(fs::is_symlink("link"));
  EXPECT_EQ(fs::status("file").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files(), (std::set<std::string>{"file", "link"}));
}

TEST_F(cli_aes, each_mistake_is_one_line_and_exit_code_2) {
  directory_.write("in", "text");
  directory_.write("short", std::string(15, 'k'));
  directory_.write("long", std::string(33, 'k'));
  fs::create_directory("folder");
  const std::set<std::string> before = files();
  const Args good = {"--mode", "ctr", "--key", kKey, "--iv", kIv};
  const std::string modes = "one of: ecb cbc cfb ofb ctr";
  const struct {
    Args args;
    std::string message;
  } cases[] = {
      {{"--in", "in"}, "say encrypt or decrypt"},
      {joined({"sign"}, good), "DIRECTION: 'sign' is unknown; accepted: encrypt decrypt"},
      {{"encrypt", "--key", kKey}, "no --mode given; " + modes},
      {{"encrypt", "--mode", "eax", "--key", kKey},
       "--mode: 'eax' is unknown; accepted: " + modes.substr(modes.find("ecb"))},
      {{"encrypt", "--mode", "ecb"}, "no key given"},
      {{"encrypt", "--mode", "ecb", "--key", kKey, "--key-file", "in"},
       "--key and --key-file exclude each other"},
      {{"encrypt", "--mode", "cbc", "--key", kKey}, "mode cbc needs --iv, 32 hex digits"},
      {{"encrypt", "--mode", "ecb", "--key", kKey, "--iv", kIv}, "mode ecb takes no --iv"},
      {joined({"encrypt", "--no-padding"}, good), "mode ctr never pads"},
      {{"encrypt", "--mode", "ecb", "--key", "0123x5"}, "--key: character 5 is not a hex digit"},
      {{"encrypt", "--mode", "ecb", "--key", kKey + "0"},
       "--key takes 32, 48 or 64 hex digits, not 33"},
      {{"encrypt", "--mode", "ecb", "--key", std::string(66, '0')},
       "--key takes 32, 48 or 64 hex digits, not 66"},
      {{"encrypt", "--mode", "ofb", "--key", kKey, "--iv", " " + kIv},
       "--iv: character 1 is not a hex digit"},
      {{"encrypt", "--mode", "ofb", "--key", kKey, "--iv", kIv + "00"},
       "--iv takes 32 hex digits, not 34"},
      {{"encrypt", "--mode", "ecb", "--key-file", "nowhere"},
       "--key-file: cannot read 'nowhere': No such file or directory"},
      {{"encrypt", "--mode", "ecb", "--key-file", "folder"},
       "--key-file: cannot read 'folder': Is a directory"},
      {{"encrypt", "--mode", "ecb", "--key-file", "short"}, "--key-file: 'short' has 15 bytes"},
      {{"encrypt", "--mode", "ecb", "--key-file", "long"},
       "--key-file: 'long' has more than 32 bytes"},
      {joined({"encrypt", "--in", "nowhere", "--out", "new"}, good),
       "cannot read 'nowhere': No such file or directory"},
      {joined({"encrypt", "--in", "folder", "--out", "new"}, good),
       "cannot read 'folder': Is a directory"},
      {joined({"encrypt", "--in", "in", "--out", "folder"}, good),
       "cannot write 'folder': Is a directory"},
      {joined({"encrypt", "--in", "in", "--out", "nowhere/new"}, good),
       "cannot write 'nowhere/new': No such file or directory"},
      {joined({"encrypt", "--nonsense"}, good), "--nonsense"},
  };
  for (const auto& c : cases) {
    const ProcessResult result = incore_aes(c.args);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.rfind("incore aes: ", 0), 0U) << result.err;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(files(), before) << c.message;
  }
}

TEST_F(cli_aes, a_full_disk_is_an_error_and_a_device_stays_one) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const Args args = {"encrypt", "--mode", "ecb", "--key", kKey};
  const ProcessResult to_file = incore_aes(joined(args, {"--out", "/dev/full"}), "text");
  EXPECT_EQ(to_file.exit_code, 2);
  EXPECT_EQ(to_file.err, "incore aes: cannot write '/dev/full': No space left on device\n");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  const ProcessResult to_stdout =
      run(joined({"sh", "-c", "exec \"$0\" aes \"$@\" > /dev/full", kIncore}, args), "text");
  EXPECT_EQ(to_stdout.exit_code, 2);
  EXPECT_EQ(to_stdout.err, "incore aes: cannot write standard output: No space left on device\n");
}

TEST_F(cli_aes, an_interrupt_leaves_nothing_behind) {
  // A pipe that says nothing; timeout sends SIGINT, and reports by 124 that it had to.
  ASSERT_EQ(mkfifo("fifo", 0600), 0);
  const ProcessResult interrupted =
      run({"sh", "-c",
           "sleep 5 > fifo & timeout --signal=INT 0.5 \"$0\" aes encrypt --mode ctr --key " + kKey +
               " --iv " + kIv + " --in fifo --out new; code=$?; kill $!; exit $code",
           kIncore});
  EXPECT_EQ(interrupted.exit_code, 124) << interrupted.err;
  EXPECT_EQ(files(), (std::set<std::string>{"fifo"}));
}

TEST_F(cli_aes, help_shows_an_example) {
  const ProcessResult result = incore_aes({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("incore aes encrypt --mode gcm --key-file key"), std::string::npos);
}

}  // namespace
}  // namespace incore
