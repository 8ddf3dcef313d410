// `incore hash` against GNU sha256sum and its like: the same bytes on stdout, the same messages,
// the same exit codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "support/hex.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;
using test::run;
using Args = std::vector<std::string>;

const std::string kIncore = INCORE_PROGRAM;

Args joined(Args first, const Args& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

ProcessResult incore_hash(const Args& args, const std::string& input = "") {
  return run(joined({kIncore, "hash"}, args), input, {"INCORE_KERNEL="});
}

// sha256sum's messages begin with its name.
std::string with_our_name(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const size_t name_len = line.find("sum: ");
    if (line.compare(0, 3, "sha") == 0 && name_len != std::string::npos)
      line.replace(0, name_len + 3, "incore hash");
    result.append(line).append(1, '\n');
  }
  return result;
}

class cli_hash : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(directory_.path());
    directory_.write("a", "a");
    directory_.write("empty", "");
    directory_.write("large", std::string(600 << 10, 'x') + "tail");
    directory_.write("new\nline", "1");
    directory_.write("back\\slash", "2");
    directory_.write("two words", "3");
    directory_.write("par (en) = theses", "4");
    directory_.write("-dash", "5");
    std::filesystem::create_directory("folder");
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  // Both programs, with the same arguments, do the same.
  static void expect_same(const Args& args, const std::string& input = "",
                          const std::string& algorithm = "sha256") {
    SCOPED_TRACE(testing::PrintToString(args));
    const ProcessResult peer = run(joined({algorithm + "sum"}, args), input, {"LC_ALL=C"});
    const ProcessResult ours = incore_hash(joined({"-a", algorithm}, args), input);
    EXPECT_EQ(ours.out, peer.out);
    EXPECT_EQ(ours.err, with_our_name(peer.err));
    EXPECT_EQ(ours.exit_code, peer.exit_code);
    EXPECT_EQ(ours.signal, 0);
  }

  test::TemporaryDirectory directory_;
  const std::string all_[8] = {
      "a",      "empty", "large", "new\nline", "back\\slash", "two words", "par (en) = theses",
      "./-dash"};
  std::filesystem::path before_;
};

TEST_F(cli_hash, lines_of_every_algorithm_equal_coreutils) {
  for (const char* algorithm : {"sha1", "sha224", "sha256", "sha384", "sha512"}) {
    expect_same(Args(all_, all_ + 8), "", algorithm);
    expect_same(joined({"--tag"}, Args(all_, all_ + 8)), "", algorithm);
  }
}

TEST_F(cli_hash, forms_of_a_line_equal_coreutils) {
  const Args all(all_, all_ + 8);
  for (const Args& options : {Args{"-b"},
                              {"-t"},
                              {"-z"},
                              {"--tag", "-z"},
                              {"--tag", "-b"},
                              {"-b", "--zero"},
                              {"--binary", "--text"}}) {
    if (options == Args{"--binary", "--text"}) continue;  // there the last one counts for coreutils
    expect_same(joined(options, all));
  }
  expect_same({"--", "-dash"});
}

TEST_F(cli_hash, standard_input_equals_coreutils) {
  expect_same({}, "some input");
  expect_same({"-"}, "");
  expect_same({"a", "-", "empty"}, std::string(1 << 20, 'z'));
  expect_same({"-", "-"}, "once");
}

TEST_F(cli_hash, files_around_what_is_mapped_at_a_time_equal_coreutils) {
  constexpr size_t kMapLen = 8 << 20;
  std::string content;
  while (content.size() < 2 * kMapLen + 5) content += std::to_string(content.size()) + "\n";
  for (size_t len : {kMapLen - 1, kMapLen, kMapLen + 1, 2 * kMapLen, 2 * kMapLen + 5}) {
    directory_.write("file", content.substr(0, len));
    expect_same({"file", "a"}, "", "sha1");
  }
  // Standard input is a file, from its start or from within.
  for (const char* skip : {"", "dd bs=4096 count=1 of=/dev/null 2>/dev/null; "}) {
    const std::string script = std::string("exec < file; ") + skip;
    const ProcessResult ours = run({"sh", "-c", script + "exec \"$0\" hash -a sha1", kIncore});
    const ProcessResult peer = run({"sh", "-c", script + "exec sha1sum"});
    EXPECT_EQ(ours.out, peer.out);
    EXPECT_EQ(ours.exit_code, 0);
  }
}

TEST_F(cli_hash, a_file_that_is_cut_short_meanwhile_is_an_error) {
  if (test::kEmulated && kBigEndianHost)
    GTEST_SKIP() << "QEMU 7.2 exchanges the halves of si_addr in big-endian programs";
  directory_.write("file", "");
  std::filesystem::resize_file("file", uint64_t{64} << 30);  // a hole, which takes half a minute
  const ProcessResult result =
      run({"sh", "-c", "\"$0\" hash -a sha1 file & sleep 0.5; : > file; wait $!", kIncore});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "incore hash: file: Input/output error\n");
  EXPECT_EQ(result.exit_code, 1);
}

TEST_F(cli_hash, what_cannot_be_read_gets_one_line_and_the_rest_goes_on) {
  expect_same({"nowhere", "a", "folder", "empty", "no where", ""});
  const ProcessResult result = incore_hash({"nowhere", "a"});
  EXPECT_EQ(result.err, "incore hash: nowhere: No such file or directory\n");
  EXPECT_EQ(result.exit_code, 1);
}

TEST_F(cli_hash, checking_equals_coreutils) {
  const std::string zeros(64, '0');
  const std::string plain = run(joined({"sha256sum"}, Args(all_, all_ + 8))).out;
  const std::string tagged = run(joined({"sha256sum", "--tag"}, Args(all_, all_ + 8))).out;
  const std::string a = run({"sha256sum", "a"}).out.substr(0, 64);
  std::string upper = a + "  a\n";
  std::transform(upper.begin(), upper.begin() + 64, upper.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  const std::string lists[] = {
      plain,
      tagged,
      plain + "no such line\n",
      "no such line\n",
      "",
      "# comment\n\n" + plain,
      a + "  a\r\n",
      upper,
      zeros + "  a\n" + plain,
      zeros + "  a\n" + zeros + "  empty\n",
      zeros + "  nowhere\n",
      zeros + "  nowhere\n" + plain,
      a + "  folder\n" + a + "  no where\n" + a + "  a\n",
      a + " a\n",
      a + " a\n" + a + "  a\n",
      a + "  a\n" + a + " a\n",
      a + "\ta\n" + a + " *a\n" + a + "  ",
      "  " + a + " *a\n",
      "\\" + a + "  a\\q\n" + a + "  a",
      "SHA256(a)= " + a + "\nSHA256 (a)  =  " + a + "\nSHA256  (a) = " + a +
          "\nSHA1 (a) = " + zeros.substr(0, 40) + "\n",
      "SHA256 (a) = " + a + "0\nSHA256 (a) = " + a.substr(1) + "g\nSHA256 (a) " + a +
          "\nSHA256 (a = " + a + "\n",
      a + "0  a\n" + a.substr(1) + "  a\n" + a.substr(1) + "g  a\n" + a + "\n(\n)\n)(\n\\\n",
      a + "  -\n",
  };
  for (const std::string& list : lists) {
    SCOPED_TRACE(list);
    directory_.write("list", list);
    for (const Args& options : {Args{},
                                {"--quiet"},
                                {"--status"},
                                {"--strict"},
                                {"--warn"},
                                {"--ignore-missing"},
                                {"--strict", "--ignore-missing", "-w"}}) {
      expect_same(joined({"--check"}, joined(options, {"list"})));
      expect_same(joined({"-c"}, options), list);
    }
  }
  directory_.write("list", plain);
  directory_.write("other", zeros + "  a\n");
  expect_same({"-c", "list", "other", "nowhere"});
}

TEST_F(cli_hash, checking_finds_the_algorithm_of_each_line) {
  std::string list, expected;
  for (const char* algorithm :
       {"sha1", "sha224", "sha256", "sha384", "sha512", "crc32", "crc32c"}) {
    list += incore_hash({"--tag", "-a", algorithm, "large"}).out;
    expected += "large: OK\n";
    if (std::string(algorithm) == "crc32c")
      continue;  // without a tag its digest would pass for a CRC-32
    list += incore_hash({"-a", algorithm, "a"}).out;
    expected += "a: OK\n";
  }
  const ProcessResult result = incore_hash({"--check", "--strict"}, list);
  EXPECT_EQ(result.out, expected);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.exit_code, 0);
  // With -a, lines of others are not accepted.
  EXPECT_EQ(incore_hash({"--check", "--strict", "-a", "sha1"}, list).exit_code, 1);
}

TEST_F(cli_hash, crc_lines) {
  directory_.write("digits", "123456789");
  EXPECT_EQ(incore_hash({"-a", "crc32", "digits"}).out, "cbf43926  digits\n");
  EXPECT_EQ(incore_hash({"-a", "crc32c", "digits"}).out, "e3069283  digits\n");
  EXPECT_EQ(incore_hash({"-a", "crc32", "--tag", "empty"}).out, "CRC32 (empty) = 00000000\n");
}

TEST_F(cli_hash, bad_usage_is_one_line_and_exit_code_2) {
  const struct {
    Args args;
    const char* message;
  } cases[] = {
      {{"-a", "md5", "a"},
       "--algorithm: 'md5' is unknown; accepted: sha1 sha224 sha256 sha384 sha512 crc32 crc32c"},
      {{"--tag", "-c", "a"}, "--tag excludes --check"},
      {{"-z", "-c", "a"}, "--zero excludes --check"},
      {{"-b", "-c", "a"}, "--binary excludes --check"},
      {{"-t", "-c", "a"}, "--text excludes --check"},
      {{"--strict", "a"}, "--strict needs --check"},
      {{"--status", "a"}, "--status needs --check"},
      {{"--warn", "a"}, "--warn needs --check"},
      {{"--quiet", "a"}, "--quiet needs --check"},
      {{"--ignore-missing", "a"}, "--ignore-missing needs --check"},
      {{"--tag", "-t", "a"}, "--text excludes --tag"},
      {{"--nonsense", "a"}, "--nonsense"},
  };
  for (const auto& c : cases) {
    const ProcessResult result = incore_hash(c.args);
    EXPECT_EQ(result.exit_code, 2) << c.message;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(c.message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST_F(cli_hash, json_reports) {
  const ProcessResult hashes = incore_hash({"--json", "-a", "sha1", "a", "nowhere"});
  EXPECT_EQ(hashes.exit_code, 1);
  EXPECT_EQ(hashes.out,
            "{\n  \"files\": [\n    {\n      \"name\": \"a\",\n      \"algorithm\": \"sha1\",\n"
            "      \"digest\": \"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8\"\n    },\n    {\n"
            "      \"name\": \"nowhere\",\n      \"algorithm\": \"sha1\",\n"
            "      \"error\": \"No such file or directory\"\n    }\n  ]\n}\n");
  const ProcessResult check = incore_hash(
      {"--json", "-c"}, std::string(40, '0') + "  a\nCRC32 (empty) = 00000000\nwrong\n");
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_EQ(check.out,
            "{\n  \"files\": [\n    {\n      \"name\": \"a\",\n      \"algorithm\": \"sha1\",\n"
            "      \"result\": \"failed\"\n    },\n    {\n      \"name\": \"empty\",\n"
            "      \"algorithm\": \"crc32\",\n      \"result\": \"ok\"\n    }\n  ],\n  \"lists\": "
            "[\n    {\n"
            "      \"name\": \"-\",\n      \"matches\": 1,\n      \"mismatches\": 1,\n      "
            "\"unreadable\": 0,\n"
            "      \"improperly_formatted\": 1\n    }\n  ]\n}\n");
}

TEST_F(cli_hash, a_full_disk_is_an_error) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const ProcessResult result = run({"sh", "-c", "exec \"$0\" hash a > /dev/full", kIncore});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "incore hash: cannot write standard output: No space left on device\n");
}

}  // namespace
}  // namespace incore
