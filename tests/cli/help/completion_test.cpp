// `incore completion`: what the shells offer with its scripts.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/every_command.h"
#include "cli/own_folder.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;
using Words = std::vector<std::string>;

bool is_installed(const std::string& shell) {
  return test::run({"/bin/sh", "-c", "command -v " + shell}).exit_code == 0;
}

// A command line, the last word of which is completed; some of what is offered, and what is not.
struct Case {
  Words line;
  Words offered, not_offered;
};

bool completes_an_option(const Case& of) {
  return std::any_of(of.line.begin(), of.line.end(),
                     [](const std::string& word) { return word.starts_with("-"); });
}

const Case kCases[] = {
    {{"ha"}, {"hash"}, {"aes"}},
    {{""}, {"hash", "aes", "rng", "completion"}, {"bytes"}},
    {{"rng", ""}, {"bytes", "health"}, {"hash", "crc32"}},
    {{"rng", "bytes", "--q"}, {"--quality", "--quiet"}, {"--json"}},
    {{"hash", "-a", "sha2"}, {"sha224", "sha256"}, {"sha1"}},
    {{"hash", "--algorithm", "crc"}, {"crc32", "crc32c"}, {}},
    {{"aes", "--mode", "gc"}, {"gcm"}, {"ccm"}},
    {{"aes", "--key-file", "se"}, {"secret.key"}, {"other"}},
    {{"hash", "oth"}, {"other"}, {"secret.key"}},
    {{"hash", "--che"}, {"--check"}, {"--json"}},
    {{"run", "--cpu", ""}, {"esther", "power8"}, {}},
    {{"hash", "--cpu", "es"}, {"esther", "esther9"}, {"nano"}},
    {{"bench", "--cpu", "es"}, {"esther", "esther9"}, {"nano"}},
    {{"modexp", "--cpu", "es"}, {"esther", "esther9"}, {"nano"}},
    {{"rng", "crap", "--cpu", "es"}, {"esther", "esther9"}, {"nano"}},
    {{"rng", "bytes", "--cpu", "es"}, {"esther", "esther9"}, {"nano"}},
};

class cli_completion : public test::OwnFolderTest {
 protected:
  void SetUp() override {
    OwnFolderTest::SetUp();
    directory_.write("secret.key", "");
    directory_.write("other", "");
  }

  // |script|, in which $0 is the program, prints one offer a line for the words behind it.
  void expect_offers(const std::string& shell, const std::string& script) {
    if (!is_installed(shell)) GTEST_SKIP() << shell << " is not installed";
    for (const Case& each : kCases) {
      if (completes_an_option(each) && !test::has_command_of(each.line)) continue;
      Words command = {shell, "-c", script};
      if (shell == "bash") command.insert(command.end() - 2, "--norc");
      if (shell != "fish") command.push_back("shell");
      command.push_back(INCORE_PROGRAM);
      command.insert(command.end(), each.line.begin(), each.line.end());
      const ProcessResult result = test::run(command, "", {"HOME=" + directory_.path()});
      Words offers;
      std::istringstream lines(result.out);
      for (std::string line; std::getline(lines, line);) {
        line = line.substr(0, line.find('\t'));
        line.erase(line.find_last_not_of(" \r") + 1);
        offers.push_back(line);
      }
      SCOPED_TRACE(each.line.back() + ": " + result.out + result.err);
      for (const std::string& name : each.offered)
        EXPECT_EQ(std::count(offers.begin(), offers.end(), name), 1) << name;
      for (const std::string& name : each.not_offered)
        EXPECT_EQ(std::count(offers.begin(), offers.end(), name), 0) << name;
    }
  }
};

// clang-format off
TEST_F(cli_completion, in_bash) {
  expect_offers("bash", R"sh(compopt() { :; }
    eval "$("$1" completion bash)"; shift
    COMP_WORDS=(incore "$@"); COMP_CWORD=$#; _incore; printf '%s\n' "${COMPREPLY[@]}")sh");
}
// clang-format on

TEST_F(cli_completion, in_fish) {
  expect_offers("fish", R"sh($argv[1] completion fish | source
    complete -C "incore "(string join ' ' -- $argv[2..-1]))sh");
}

// The completion system of zsh works at a prompt only: there the script is read and its functions
// are defined.
TEST_F(cli_completion, in_zsh) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  const ProcessResult result =
      test::run({"zsh", "-f", "-c",
                 R"sh(autoload -Uz compinit && compinit -D -u && eval "$($1 completion zsh)" &&
          print ${_comps[incore]} $+functions[_incore_hash] $+functions[_incore_rng_bytes])sh",
                 "shell", INCORE_PROGRAM});
  EXPECT_EQ(result.out, "_incore 1 1\n") << result.err;
  EXPECT_EQ(result.err, "");
}

TEST_F(cli_completion, of_another_shell_is_refused) {
  const ProcessResult result = test::run({INCORE_PROGRAM, "completion", "bahs"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("did you mean 'bash'?"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace incore
