// `incore run` with PowerPC programs: they run under QEMU, but as if they ran here.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "run/power_run.h"

namespace incore::test {
namespace {

class run_power : public PowerTest {};

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
  const std::string said = incore_run({}, {program("power9")}).err;
  EXPECT_NE(said.find("incore run: it ended with SIGILL, as by an instruction that power8 does not "
                      "have; later ones: --cpu power8e, power9, power10\n"),
            std::string::npos)
      << said;
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
                 {"x86", "power8", "script", "c5xl", "nano", "host"});
  expect_refused(incore_run({"--cpu", "power8,stepping=1"}, {own, "0"}), {"power8", "fields"});
  expect_refused(incore_run({"--cpu", "power6"}, {own, "0"}), {"power6", "nano", "power10"});
}

TEST_P(run_power, options_for_padlock_are_refused) {
  expect_refused(incore_run({"--check"}, {program("exit_code"), "0"}), {"checks", "power8"});
  expect_refused(incore_run({"--rng-seed", "1"}, {program("exit_code"), "0"}), {"noise", "power8"});
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

TEST_P(run_power, what_is_no_program_is_refused) {
  const TemporaryDirectory directory;
  std::string content = read_file(program("exit_code_static"));
  ASSERT_GT(content.size(), 64u);
  expect_refused(incore_run({}, {executable(directory, "cut", content.substr(0, 100))}),
                 {"cut", "truncated"});
  content[content[5] == 2 ? 17 : 16] = 4;  // e_type ET_CORE
  const ProcessResult core = incore_run({}, {executable(directory, "core", content)});
  expect_refused(core, {"core", "a core dump\n"});
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
