// `incore run` with PowerPC programs: what is counted, and programs that execute others.
#include <gtest/gtest.h>

#include "run/power_run.h"

namespace incore::test {
namespace {

constexpr const char* kInsns[] = {"vcipher", "vcipherlast", "vncipher",   "vncipherlast",
                                  "vsbox",   "vpmsumb",     "vpmsumh",    "vpmsumw",
                                  "vpmsumd", "vpermxor",    "vshasigmaw", "vshasigmad"};

class run_power_exec : public PowerTest {};

INSTANTIATE_TEST_SUITE_P(all, run_power_exec, testing::ValuesIn(kPowerPorts),
                         [](const auto& tested) { return std::string(tested.param.name); });

// --- statistics and requirements

TEST_P(run_power_exec, stats_count_each_instruction_once) {
  for (const char* form : {"each_insn", "each_insn_static"}) {
    ProcessResult result;
    const nlohmann::json stats = statistics_file({"--cpu", "power9"}, {program(form)}, &result);
    expect_success(result);
    EXPECT_EQ(stats["model"], "power9");
    EXPECT_EQ(stats["exit_code"], 0);
    EXPECT_EQ(stats["programs"], 1);
    EXPECT_EQ(stats["instructions"].size(), std::size(kInsns));
    for (const char* insn : kInsns) EXPECT_EQ(counter(stats, insn, "calls"), 1u) << insn;
  }
}

TEST_P(run_power_exec, stats_count_every_thread) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({}, {program("threads")}, &result);
  expect_success(result);
  EXPECT_EQ(counter(stats, "vsbox", "calls"), 100000u) << stats.dump(2);
}

TEST_P(run_power_exec, stats_count_what_a_dying_program_has_executed) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({}, {program("exit_code"), "7"}, &result);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(stats["exit_code"], 7);
  EXPECT_EQ(counter(stats, "vsbox", "calls"), 1u);
}

TEST_P(run_power_exec, stats_on_stderr_are_text_for_people) {
  const ProcessResult result = incore_run({"--stats"}, {program("exit_code"), "0"});
  expect_success(result);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "incore run: POWER8 crypto instructions executed, model power8\n"
            "  mnemonic            calls\n"
            "  vsbox                   1\n"
            "  programs 1\n");
}

TEST_P(run_power_exec, require_fails_if_the_instruction_never_ran) {
  const Arguments command = {program("exit_code"), "0"};
  expect_success(incore_run({"--require", "vsbox"}, command));
  EXPECT_EQ(incore_run({"--require", "vsbox"}, {program("exit_code"), "7"}).exit_code, 7);
  for (const char* insn : {"vcipher", "xcrypt-cbc"}) {
    const ProcessResult unmet = incore_run({"--require", "vsbox", "--require", insn}, command);
    EXPECT_EQ(unmet.exit_code, 1);
    EXPECT_EQ(unmet.err, "incore run: --require: " + std::string(insn) + " was never executed\n");
  }
  EXPECT_EQ(incore_run({"--require", "vcipher"}, {guest("exit_code"), "0"}).exit_code, 1);
  expect_refused(incore_run({"--require", "vxor"}, command), {"vxor", "xcrypt-cbc", "vpermxor"});
}

// --- programs that execute others

TEST_P(run_power_exec, children_are_followed_through_either_byte_order) {
  for (const std::string form : {"", "_static"}) {
    const std::string next = program("exec_next" + form), next_other = other().guest("exec_next");
    ProcessResult result;
    const nlohmann::json stats =
        statistics_file({}, {next, next_other, next, other().guest("exit_code"), "0"}, &result);
    expect_success(result);
    // Each of the first three runs the next twice, and executes VSBOX twice.
    EXPECT_EQ(counter(stats, "vsbox", "calls"), 2u + 2 * 2 + 4 * 2 + 8);
    EXPECT_EQ(stats["programs"], 1 + 2 + 4 + 8);
  }
}

TEST_P(run_power_exec, programs_may_start_those_of_this_machine) {
  const ProcessResult result = incore_run({}, {program("exec_next"), "/bin/echo", "here"});
  expect_success(result);
  EXPECT_EQ(result.out, "here\nhere\n");
}

TEST_P(run_power_exec, scripts_may_start_programs) {
  const TemporaryDirectory directory;
  const std::string script = executable(
      directory, "script",
      "#!/bin/sh\ncd \"$(dirname \"$1\")\" || exit 3\n\"./$(basename \"$1\")\" 'a b' \"\"\n"
      "exec " +
          program("exit_code") + " 6\n");
  const ProcessResult result =
      incore_run({"--cpu", "power8", "--require", "vsbox"}, {script, program("print_arguments")});
  EXPECT_EQ(result.exit_code, 6) << result.err;
  EXPECT_EQ(result.out, "a b\n\n");
}

// posix_spawn, exec of a descriptor, and exec in a thread that is not the first.
TEST_P(run_power_exec, programs_may_be_started_in_any_way) {
  const TemporaryDirectory directory;
  const std::string script = executable(directory, "script", R"(#!/usr/bin/env python3
import os, sys, threading
program, = sys.argv[1:]
def start(how):
    child = os.fork()
    if child == 0:
        try:
            how()
        except OSError as error:
            print(error)
        os._exit(9)
    print(how.__name__, os.waitpid(child, 0)[1], flush=True)
def descriptor():
    os.execve(os.open(program, os.O_RDONLY), ["descriptor"], os.environ)
def link():
    fd = os.open(program, os.O_RDONLY)
    os.execv(f"/proc/self/fd/{fd}", ["link"])
def thread():
    run = threading.Thread(target=lambda: os.execv(program, ["thread"]))
    run.start()
    run.join()
def spawn():
    os.chdir(os.path.dirname(program))
    child = os.posix_spawn(os.path.basename(program), ["spawn"], os.environ)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for how in descriptor, link, thread, spawn:
    start(how)
)");
  const ProcessResult result = incore_run({"--cpu", "power8"}, {script, program("environment")}, "",
                                          {"INCORE_TEST_VARIABLE=mine"});
  expect_success(result);
  std::string expected;
  for (const std::string how : {"descriptor", "link", "thread", "spawn"})
    expected += "1\nmine\n" + how + "\n" + how + " 0\n";
  EXPECT_EQ(result.out, expected);
  EXPECT_EQ(result.err, "");
}

// The way into the emulator blocks all signals for a moment.
TEST_P(run_power_exec, the_signal_mask_is_kept) {
  const TemporaryDirectory directory;
  const std::string script = executable(
      directory, "script",
      "#!/bin/sh\nexec " + program("exec_next") + " /bin/grep SigBlk /proc/self/status\n");
  const ProcessResult result = incore_run({"--cpu", "power8"}, {script});
  expect_success(result);
  EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\nSigBlk:\t0000000000000000\n");
}

TEST_P(run_power_exec, scripts_need_to_be_told_the_processor) {
  const TemporaryDirectory directory;
  const std::string script =
      executable(directory, "script", "#!/bin/sh\n" + program("exit_code") + " 6\n");
  const ProcessResult result = incore_run({}, {script});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_EQ(
      result.err.rfind("incore run: '" + program("exit_code") +
                           "' is a PowerPC program, which model nano does not run; give --cpu "
                           "power8\n",
                       0),
      0u)
      << result.err;
}

// Several at a time, so that one is stopped while others arrive; and a call with many arguments.
TEST_P(run_power_exec, many_may_be_started_at_once) {
  const TemporaryDirectory directory;
  const std::string script =
      executable(directory, "script",
                 "#!/bin/sh\nfor i in 1 2 3 4 5 6; do (" + program("exit_code_static") + " 0; " +
                     program("exit_code_static") + " 0) & done; wait\n" +
                     program("print_arguments_static") + " $(seq 2000) | wc -l\n");
  ProcessResult result;
  const nlohmann::json stats = statistics_file({"--cpu", "power8"}, {script}, &result);
  expect_success(result);
  EXPECT_EQ(counter(stats, "vsbox", "calls"), 12u);
  EXPECT_EQ(std::stoi(result.out), 2000);
}

TEST_P(run_power_exec, verbose_shows_the_commands) {
  const ProcessResult result =
      incore_run({"-v"}, {program("exec_next"), program("exit_code_static"), "0"});
  expect_success(result);
  const std::string emulator = "/qemu-" + std::string(GetParam().name) + " -cpu power8 ";
  EXPECT_NE(result.err.find(emulator + "-L " + GetParam().sysroot + " -0 "), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find(emulator + "-0 " + program("exit_code_static") + " " +
                            program("exit_code_static") + "\n"),
            std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace incore::test
