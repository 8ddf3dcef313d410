// Files that `incore vemicry` reads: what does not end is refused at 256 MiB, what is no file too.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "cli/own_folder.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;

class cli_vemicry_input : public test::OwnFolderTest {
 protected:
  // Each command that reads a file of the user's, with |file|.
  static std::vector<std::vector<std::string>> readers(const std::string& file) {
    return {
        {"asm", file}, {"asm", "--list", file}, {"disasm", file}, {"disasm", "--flat", "0", file},
        {"run", file}, {"trace", file},         {"sweep", file}};
  }
  static ProcessResult vemicry(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {INCORE_PROGRAM, "vemicry"});
    return test::run(arguments);
  }
  static void expect_refusal(const ProcessResult& result, const std::string& what) {
    EXPECT_EQ(result.exit_code, 2) << what << ": " << result.err;
    EXPECT_EQ(result.signal, 0) << what;
    EXPECT_EQ(result.out, "") << what;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << what << result.err;
  }
};

TEST_F(cli_vemicry_input, what_does_not_end_is_refused) {
  for (const std::vector<std::string>& reader : readers("/dev/zero")) {
    const ProcessResult result = vemicry(reader);
    expect_refusal(result, reader[0]);
    EXPECT_EQ(result.err, "incore vemicry: /dev/zero: is larger than 256 MiB\n") << reader[0];
  }
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(cli_vemicry_input, a_pipe_that_does_not_end_is_refused) {
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  for (const std::vector<std::string>& reader : readers("pipe")) {
    const pid_t writer = fork();
    if (writer == 0) {
      signal(SIGPIPE, SIG_DFL);
      std::ofstream pipe("pipe");
      const std::string block(1 << 20, '#');
      while (pipe << block) {
      }
      _exit(0);
    }
    const ProcessResult result = vemicry(reader);
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    expect_refusal(result, reader[0]);
    EXPECT_EQ(result.err, "incore vemicry: pipe: is larger than 256 MiB\n") << reader[0];
  }
}

TEST_F(cli_vemicry_input, a_pipe_that_ends_is_read) {
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    std::ofstream("pipe") << "f: jr $31\n nop\n";
    _exit(0);
  }
  const ProcessResult result = vemicry({"asm", "--list", "pipe"});
  waitpid(writer, nullptr, 0);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("03e00008"), std::string::npos) << result.out;
}

TEST_F(cli_vemicry_input, a_folder_and_nothing_are_refused) {
  mkdir("folder", 0700);
  for (const char* const file : {"folder", "nothing"})
    for (const std::vector<std::string>& reader : readers(file)) {
      const ProcessResult result = vemicry(reader);
      expect_refusal(result, reader[0] + " " + file);
      EXPECT_NE(result.err.find(file), std::string::npos) << result.err;
    }
}

// A sweep reads its programs for each machine anew, and its own file of results.
TEST_F(cli_vemicry_input, files_of_a_sweep_are_regular) {
  directory_.write("sweep.toml", "programs = [{ file = \"/dev/zero\", function = \"f\" }]\n");
  expect_refusal(vemicry({"sweep", "sweep.toml"}), "/dev/zero as a program");
  directory_.write("sweep.toml", "programs = [{ file = \"pipe\", function = \"f\" }]\n");
  ASSERT_EQ(mkfifo("pipe", 0600), 0);
  expect_refusal(vemicry({"sweep", "sweep.toml"}), "a pipe as a program");
  directory_.write("sweep.toml", "programs = [\"xor-words\"]\n");
  mkdir("out", 0700);
  ASSERT_EQ(symlink("/dev/zero", "out/measured.jsonl"), 0);
  expect_refusal(vemicry({"sweep", "sweep.toml", "--out", "out"}), "/dev/zero as results");
}

TEST_F(cli_vemicry_input, a_program_without_instructions_is_refused) {
  for (const char* const source : {"", "# nothing\n", " .data\nx: .word 1\n", " .text\nf:\n"}) {
    directory_.write("empty.s", source);
    for (const char* const command : {"run", "trace"}) {
      const ProcessResult result = vemicry({command, "empty.s"});
      expect_refusal(result, command);
      EXPECT_NE(result.err.find("the program has no instructions"), std::string::npos)
          << result.err;
    }
  }
  for (const char* const source : {"", "# nothing\n", "f:\n"}) {
    directory_.write("empty.s", source);
    const ProcessResult result = vemicry({"asm", "empty.s"});
    expect_refusal(result, "asm");
    EXPECT_EQ(result.err, "incore vemicry: empty.s: there is no instruction and no data in it\n");
  }
  EXPECT_EQ(files(), std::set<std::string>{"empty.s"});
}

}  // namespace
}  // namespace incore
