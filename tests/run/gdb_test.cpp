// `incore run --gdb`: a program under a debugger, with PadLock, from its first instruction on.
#include <gtest/gtest.h>

#include "run/incore_run.h"

namespace incore::test {
namespace {

bool has_gdb() {
  return run({"/bin/sh", "-c", "command -v gdb"}).exit_code == 0;
}
constexpr char kNoGdb[] = "gdb is not installed";

class run_gdb : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_gdb()) GTEST_SKIP() << kNoGdb;
  }
  // What gdb prints for |commands| on |program|, whose exit code is the run's.
  ProcessResult debug(const std::string& program, const std::string& commands) {
    return incore_run({"--gdb"}, {program}, commands, {"DEBUGINFOD_URLS="});
  }
};

// The guest checks all results itself.
TEST_F(run_gdb, stops_where_it_is_told_and_padlock_works) {
  for (const char* form : {"xcrypt_modes", "xcrypt_modes_static"}) {
    const ProcessResult result = debug(guest(form), "break main\ncontinue\nbt\ncontinue\nquit\n");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const size_t stop = result.out.find("Breakpoint 1, ");
    ASSERT_NE(stop, std::string::npos) << form << result.out << result.err;
    const size_t backtrace = result.out.find("#0  ", stop);
    ASSERT_NE(backtrace, std::string::npos) << form << result.out;
    EXPECT_NE(result.out.find("main ()", backtrace), std::string::npos) << form << result.out;
    EXPECT_NE(result.out.find("exited normally]", stop), std::string::npos) << form << result.out;
    EXPECT_EQ(result.out.find("signal SIG"), std::string::npos) << result.out;
  }
}

TEST_F(run_gdb, does_so_in_32_bit_code) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  const ProcessResult result = debug(guest32("xcrypt_modes"), "break main\ncontinue\ncontinue\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("exited normally]"), std::string::npos) << result.out;
}

// The program goes on, and its exit code is its own.
TEST_F(run_gdb, may_leave_the_program) {
  for (const char* commands : {"quit\n", "detach\nquit\n", "shell kill -KILL $PPID\n"}) {
    const ProcessResult result =
        incore_run({"--gdb"}, {guest("exit_code"), "7"}, commands, {"DEBUGINFOD_URLS="});
    EXPECT_EQ(result.exit_code, 7) << commands << result.out << result.err;
  }
}

TEST(run_without_gdb, the_program_runs_and_a_line_says_so) {
  const ProcessResult result =
      incore_run({"--gdb"}, {guest("exit_code"), "7"}, "", {"PATH=/nonexistent"});
  EXPECT_EQ(result.exit_code, 7) << result.err;
  EXPECT_NE(result.err.find("gdb cannot be started or has failed"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace incore::test
