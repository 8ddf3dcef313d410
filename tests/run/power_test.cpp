// `incore run` with PowerPC programs: they run under QEMU, but as if they ran here.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "run/power_guests.h"

namespace incore::test {
namespace {

constexpr const char* kInsns[] = {"vcipher", "vcipherlast", "vncipher",   "vncipherlast",
                                  "vsbox",   "vpmsumb",     "vpmsumh",    "vpmsumw",
                                  "vpmsumd", "vpermxor",    "vshasigmaw", "vshasigmad"};

void expect_success(const ProcessResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.signal, 0) << result.err;
}

void expect_refused(const ProcessResult& result, const Arguments& words) {
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("incore run: ", 0), 0u) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& word : words)
    EXPECT_NE(result.err.find(word), std::string::npos) << word << " in: " << result.err;
}

std::string executable(const TemporaryDirectory& directory, const std::string& name,
                       const std::string& content) {
  const std::string path = directory.write(name, content);
  std::filesystem::permissions(path, std::filesystem::perms(0755));
  return path;
}

class run_power : public testing::TestWithParam<PowerPort> {
 protected:
  void SetUp() override { SKIP_WITHOUT_POWER_GUESTS(GetParam()); }

  std::string program(const std::string& name) const { return GetParam().guest(name); }
  // The other byte order, if there are programs for it.
  const PowerPort& other() const {
    const PowerPort& candidate = kPowerPorts[std::string(GetParam().name) == "ppc64" ? 0 : 1];
    return candidate.is_built ? candidate : GetParam();
  }
};

INSTANTIATE_TEST_SUITE_P(all, run_power, testing::ValuesIn(kPowerPorts),
                         [](const auto& tested) { return std::string(tested.param.name); });

// --- how programs begin and end

TEST_P(run_power, code_of_the_program_is_returned) {
  for (const int code : {0, 1, 42, 255})
    for (const char* form : {"exit_code", "exit_code_static"})
      EXPECT_EQ(incore_run({}, {program(form), std::to_string(code)}).exit_code, code) << form;
}

TEST_P(run_power, death_by_signal_is_128_and_its_number) {
  for (const int number : {SIGTERM, SIGSEGV, SIGILL, SIGKILL})
    for (const char* form : {"die_by_signal", "die_by_signal_static"})
      EXPECT_EQ(incore_run({}, {program(form), std::to_string(number)}).exit_code, 128 + number)
          << form;
}

TEST_P(run_power, arguments_reach_the_program_as_they_are) {
  const Arguments arguments = {"", "a b", "--stats", "-cpu", "--", "\xC3\xA4", "*"};
  std::string expected;
  for (const std::string& argument : arguments) expected += argument + "\n";
  for (const char* form : {"print_arguments", "print_arguments_static"}) {
    Arguments command = {program(form)};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const ProcessResult result = incore_run({}, command);
    expect_success(result);
    EXPECT_EQ(result.out, expected);
    EXPECT_EQ(result.err, "");
  }
}

TEST_P(run_power, environment_is_kept_and_marked_and_the_name_is_as_given) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink(program("environment"), directory.path() + "/-program");
  const std::string path = "PATH=" + directory.path() + ":" + getenv("PATH");
  const ProcessResult result = run(
      {"sh", "-c", "cd " + directory.path() + " && " INCORE_BINARY_DIR "/incore run -- -program"},
      "", {"INCORE_TEST_VARIABLE=a b=c", path});
  expect_success(result);
  EXPECT_EQ(result.out, "1\na b=c\n-program\n");
}

TEST_P(run_power, signals_are_passed_on) {
  const TemporaryDirectory directory;
  const ProcessResult result = run(
      {"sh", "-c",
       "mkfifo \"$2\"; \"$0\" run -- \"$1\" >\"$2\" & read line <\"$2\"; kill -TERM $!; wait $!; "
       "echo $line $?",
       INCORE_BINARY_DIR "/incore", program("wait_for_term"), directory.path() + "/fifo"});
  EXPECT_EQ(result.out, "ready 5\n") << result.err;
}

// --- processors

TEST_P(run_power, power8_is_the_default_and_lacks_what_came_later) {
  constexpr int kIllegal = 128 + SIGILL;
  for (const char* form : {"power9", "power9_static"}) {
    EXPECT_EQ(incore_run({}, {program(form)}).exit_code, kIllegal);
    EXPECT_EQ(incore_run({"--cpu", "power8"}, {program(form)}).exit_code, kIllegal);
    for (const char* cpu : {"power9", "power10"})
      expect_success(incore_run({"--cpu", cpu}, {program(form)}));
  }
  const ProcessResult said = incore_run({"-v"}, {program("power9")});
  EXPECT_NE(said.err.find("an instruction that power8 does not have"), std::string::npos)
      << said.err;
}

// glibc for little-endian machines does not even start on a POWER7.
TEST(run_power_cpu, power7_has_no_crypto_instructions) {
  const PowerPort& port = kPowerPorts[1];
  SKIP_WITHOUT_POWER_GUESTS(port);
  EXPECT_EQ(incore_run({"--cpu", "power7"}, {port.guest("exit_code"), "0"}).exit_code,
            128 + SIGILL);
  EXPECT_EQ(incore_run({"--cpu", "power7"}, {port.guest("print_arguments"), "x"}).out, "x\n");
}

TEST_P(run_power, models_of_the_other_kind_are_refused_with_what_is_accepted) {
  const std::string own = program("exit_code");
  expect_refused(incore_run({"--cpu", "nano"}, {own, "0"}),
                 {own, "nano", "power7", "power8", "power8e", "power9", "power10"});
  expect_refused(incore_run({"--cpu", "power8"}, {guest("exit_code"), "0"}),
                 {"x86", "power8", "c5xl", "nano", "host"});
  expect_refused(incore_run({"--cpu", "power8,stepping=1"}, {own, "0"}), {"power8", "fields"});
  expect_refused(incore_run({"--cpu", "power6"}, {own, "0"}), {"power6", "nano", "power10"});
}

TEST_P(run_power, options_for_padlock_are_refused) {
  expect_refused(incore_run({"--check"}, {program("exit_code"), "0"}), {"checks", "power8"});
  expect_refused(incore_run({"--rng-seed", "1"}, {program("exit_code"), "0"}), {"noise", "power8"});
}

// --- statistics and requirements

nlohmann::json statistics_file(const Arguments& options, const Arguments& command,
                               ProcessResult* out_result) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/stats.json";
  Arguments all = {"--stats=" + path};
  all.insert(all.end(), options.begin(), options.end());
  *out_result = incore_run(all, command);
  EXPECT_EQ(out_result->err, "");
  return nlohmann::json::parse(read_file(path), nullptr, false);
}

TEST_P(run_power, stats_count_each_instruction_once) {
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

TEST_P(run_power, stats_count_every_thread) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({}, {program("threads")}, &result);
  expect_success(result);
  EXPECT_EQ(counter(stats, "vsbox", "calls"), 100000u) << stats.dump(2);
}

TEST_P(run_power, stats_count_what_a_dying_program_has_executed) {
  ProcessResult result;
  const nlohmann::json stats = statistics_file({}, {program("exit_code"), "7"}, &result);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(stats["exit_code"], 7);
  EXPECT_EQ(counter(stats, "vsbox", "calls"), 1u);
}

TEST_P(run_power, stats_on_stderr_are_text_for_people) {
  const ProcessResult result = incore_run({"--stats"}, {program("exit_code"), "0"});
  expect_success(result);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "incore run: POWER8 crypto instructions executed, model power8\n"
            "  mnemonic            calls\n"
            "  vsbox                   1\n"
            "  programs 1\n");
}

TEST_P(run_power, require_fails_if_the_instruction_never_ran) {
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

TEST_P(run_power, children_are_followed_through_either_byte_order) {
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

TEST_P(run_power, programs_may_start_those_of_this_machine) {
  const ProcessResult result = incore_run({}, {program("exec_next"), "/bin/echo", "here"});
  expect_success(result);
  EXPECT_EQ(result.out, "here\nhere\n");
}

TEST_P(run_power, scripts_may_start_programs) {
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
TEST_P(run_power, programs_may_be_started_in_any_way) {
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
TEST_P(run_power, the_signal_mask_is_kept) {
  const TemporaryDirectory directory;
  const std::string script = executable(
      directory, "script",
      "#!/bin/sh\nexec " + program("exec_next") + " /bin/grep SigBlk /proc/self/status\n");
  const ProcessResult result = incore_run({"--cpu", "power8"}, {script});
  expect_success(result);
  EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\nSigBlk:\t0000000000000000\n");
}

TEST_P(run_power, scripts_need_to_be_told_the_processor) {
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
TEST_P(run_power, many_may_be_started_at_once) {
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

TEST_P(run_power, verbose_shows_the_commands) {
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

// --- what is missing

TEST_P(run_power, a_missing_loader_is_named_with_its_package) {
  const ProcessResult result =
      incore_run({}, {program("exit_code"), "0"}, "", {"QEMU_LD_PREFIX=/no/such/folder"});
  expect_refused(result, {program("exit_code"), "/no/such/folder/lib64/ld64.so.",
                          GetParam().package, "QEMU_LD_PREFIX"});
  EXPECT_EQ(
      incore_run({}, {program("exit_code_static"), "6"}, "", {"QEMU_LD_PREFIX=/no/such/folder"})
          .exit_code,
      6);
}

TEST_P(run_power, sysroot_may_be_given) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink(GetParam().sysroot, directory.path() + "/root");
  const std::string root = directory.path() + "/root";
  const ProcessResult result =
      incore_run({"-v"}, {program("exit_code"), "6"}, "", {"QEMU_LD_PREFIX=" + root});
  EXPECT_EQ(result.exit_code, 6) << result.err;
  EXPECT_NE(result.err.find("-L " + root + " "), std::string::npos) << result.err;
}

TEST_P(run_power, a_missing_emulator_is_named_with_its_package) {
  const std::string name = "qemu-" + std::string(GetParam().name);
  const ProcessResult result = run({"/usr/bin/env", "PATH=/no/such/folder",
                                    INCORE_BINARY_DIR "/incore", "run", program("exit_code"), "0"});
  expect_refused(result, {name, name + "-static", "PATH", "qemu-user"});
}

// In a child it is not found either, and the child's exec fails.
TEST_P(run_power, a_missing_emulator_fails_the_exec_of_a_child) {
  const TemporaryDirectory directory;
  const std::string script =
      executable(directory, "script", "#!/bin/sh\n" + program("exit_code") + " 6\n");
  const ProcessResult result = run({"/usr/bin/env", "PATH=/no/such/folder",
                                    INCORE_BINARY_DIR "/incore", "run", "--cpu", "power8", script});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_EQ(result.err.rfind("incore run: neither qemu-", 0), 0u) << result.err;
}

TEST_P(run_power, an_emulator_without_plugins_cannot_count) {
  const TemporaryDirectory directory;
  const std::string name = "qemu-" + std::string(GetParam().name);
  executable(directory, name, "#!/bin/sh\necho emulated\nexit 9\n");
  const auto run_with = [&](const Arguments& options) {
    Arguments argv = {"/usr/bin/env", "PATH=" + directory.path(), INCORE_BINARY_DIR "/incore",
                      "run"};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.insert(argv.end(), {program("exit_code_static"), "0"});
    return run(argv);
  };
  const ProcessResult plain = run_with({});
  EXPECT_EQ(plain.exit_code, 9) << plain.err;
  EXPECT_EQ(plain.out, "emulated\n");
  expect_refused(run_with({"--stats"}), {directory.path() + "/" + name, "plugin", "qemu-user"});
  expect_refused(run_with({"--require", "vsbox"}), {"plugin"});
}

TEST_P(run_power, programs_for_other_machines_are_still_refused) {
  const TemporaryDirectory directory;
  std::string content = read_file(program("exit_code_static"));
  ASSERT_GT(content.size(), 64u);
  content[content[5] == 2 ? 19 : 18] = 22;  // e_machine EM_S390
  expect_refused(incore_run({}, {executable(directory, "other", content)}),
                 {"S/390", "x86-64", "i386", "PowerPC"});
}

}  // namespace
}  // namespace incore::test
