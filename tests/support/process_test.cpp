#include "support/process.h"

#include <gtest/gtest.h>

namespace incore::test {
namespace {

TEST(process, captures_output_errors_and_exit_code) {
  const ProcessResult result = run({"sh", "-c", "echo said; echo wrong >&2; exit 3"});
  EXPECT_EQ(result.out, "said\n");
  EXPECT_EQ(result.err, "wrong\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
}

TEST(process, passes_more_input_than_a_pipe_holds) {
  const std::string text(3 << 20, 'x');
  EXPECT_EQ(run({"cat"}, text).out, text);
  EXPECT_EQ(run({"true"}, text).exit_code, 0);
}

TEST(process, reports_the_signal) {
  const ProcessResult result = run({"sh", "-c", "kill -ILL $$"});
  EXPECT_EQ(result.signal, 4);
  EXPECT_EQ(result.exit_code, -1);
}

TEST(process, adds_to_and_replaces_the_environment) {
  EXPECT_EQ(run({"sh", "-c", "echo $A$HOME"}, "", {"A=1", "HOME=/h"}).out, "1/h\n");
  EXPECT_NE(run({"sh", "-c", "echo $PATH"}, "", {"A=1"}).out, "\n");
}

TEST(process, a_program_that_does_not_exist_throws) {
  if (kEmulated) GTEST_SKIP() << "the emulator's posix_spawn reports no failure of exec";
  EXPECT_THROW(run({"/nonexistent/program"}), std::runtime_error);
}

}  // namespace
}  // namespace incore::test
