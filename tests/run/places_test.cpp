// Programs where the supervisor cannot easily follow: in another root, without a file, with a name
// that breaks lines, closed to others, with little memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "run/incore_run.h"

namespace incore::test {
namespace {

const Arguments kMachines = {"", "32"};

std::string guest_of(const std::string& machine, const std::string& name) {
  return machine.empty() ? guest(name) : guest32(name);
}

void expect_via(const ProcessResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("CentaurHauls"), std::string::npos) << result.out << result.err;
}

class run_place : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "32" && !kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  }
  static std::string place_guest(const std::string& name) { return guest_of(GetParam(), name); }
};
INSTANTIATE_TEST_SUITE_P(bits, run_place, testing::ValuesIn(kMachines), [](const auto& tested) {
  return tested.param.empty() ? std::string("64") : tested.param;
});

TEST_P(run_place, of_another_root) {
  if (geteuid() != 0) GTEST_SKIP() << "chroot needs root";
  const TemporaryDirectory directory;
  const std::filesystem::path jail = directory.path();
  std::filesystem::copy(place_guest("cpuid_vendor_static"), jail / "vendor");
  expect_via(incore_run({}, {"chroot", jail.string(), "/vendor"}));
  // A file of the same name outside is not the one that runs.
  std::filesystem::copy(guest("exit_code_static"), jail / "incore_same_name");
  const std::string outside = "/tmp/incore_same_name_" + std::to_string(getpid());
  std::filesystem::create_directories(jail / "tmp");
  std::filesystem::copy(place_guest("cpuid_vendor_static"), jail / outside.substr(1));
  std::filesystem::copy(guest("exit_code_static"), outside);
  expect_via(incore_run({}, {"chroot", jail.string(), outside}));
  std::filesystem::remove(outside);
}

TEST_P(run_place, of_a_program_without_a_path) {
  for (const char* const from : {"memfd", "deleted"})
    for (const char* const form : {"", "_static"}) {
      SCOPED_TRACE(std::string(from) + form);
      expect_via(incore_run({}, {guest("exec_copy"), from, place_guest("cpuid_vendor") + form}));
    }
}

TEST_P(run_place, of_a_program_with_a_newline_in_its_path) {
  const TemporaryDirectory directory;
  const std::filesystem::path folder = directory.path();
  for (const char* const name : {"new\nline", "back\\012slash", " spaces ", "x (deleted)"}) {
    SCOPED_TRACE(name);
    std::filesystem::copy(place_guest("cpuid_vendor"), folder / name);
    expect_via(incore_run({}, {folder / name}));
  }
}

// Runs |program| under `incore run` as a user without rights.
ProcessResult run_as_nobody(const Arguments& program) {
  Arguments argv = {"setpriv",
                    "--reuid=65534",
                    "--regid=65534",
                    "--clear-groups",
                    "timeout",
                    "60",
                    INCORE_BINARY_DIR "/incore",
                    "run",
                    "--"};
  argv.insert(argv.end(), program.begin(), program.end());
  return run(argv);
}

TEST_P(run_place, of_a_user_without_rights) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user; this one runs all tests";
  if (run({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "test", "-x",
           INCORE_BINARY_DIR "/incore"})
          .exit_code != 0)
    GTEST_SKIP() << "the folder " INCORE_BINARY_DIR " is closed to other users";
  expect_via(run_as_nobody({place_guest("cpuid_vendor")}));
  for (const char* const from : {"memfd", "deleted"}) {
    SCOPED_TRACE(from);
    expect_via(run_as_nobody({guest("exec_copy"), from, place_guest("cpuid_vendor")}));
  }
  expect_via(run_as_nobody({place_guest("not_dumpable"), place_guest("cpuid_vendor")}));
}

TEST_P(run_place, of_little_memory_for_data) {
  // As little as the program itself can live with.
  const std::string program = place_guest("cpuid_vendor");
  const Arguments limit = {"prlimit", "--data=400000"};
  Arguments bare = limit;
  bare.push_back(program);
  ASSERT_EQ(run(bare).exit_code, 0);
  Arguments under = limit;
  under.push_back(program);
  expect_via(incore_run({}, under));
}

TEST_P(run_place, of_too_little_memory_is_named) {
  const ProcessResult result =
      incore_run({}, {"prlimit", "--as=4000000", place_guest("cpuid_vendor_static")});
  EXPECT_EQ(result.exit_code, 137);
  EXPECT_NE(result.err.find("no memory for the run-time: the process may have too little "
                            "(RLIMIT_AS, RLIMIT_DATA)"),
            std::string::npos)
      << result.err;
}

// --- one run inside another

const char kProgram[] = INCORE_BINARY_DIR "/incore";

TEST_P(run_place, of_another_run_has_the_model_of_that_one) {
  const std::string vendor = place_guest("cpuid_vendor");
  const ProcessResult bare = incore_run({"--cpu", "zhaoxin"}, {vendor});
  const ProcessResult nested = incore_run({}, {kProgram, "run", "--cpu", "zhaoxin", "--", vendor});
  EXPECT_EQ(nested.exit_code, 0) << nested.err;
  EXPECT_EQ(nested.out, bare.out);
  EXPECT_NE(nested.out, incore_run({}, {vendor}).out);
  // So have the programs that it starts, and those behind it the outer one's.
  const std::string script =
      std::string(kProgram) + " run --cpu zhaoxin -- sh -c " + vendor + " > /dev/null && " + vendor;
  EXPECT_EQ(incore_run({}, {"sh", "-c", script}).out, incore_run({}, {vendor}).out);
  const ProcessResult thrice = incore_run(
      {}, {kProgram, "run", "--", kProgram, "run", "--cpu", "zhaoxin", "--", "sh", "-c", vendor});
  EXPECT_EQ(thrice.out, bare.out) << thrice.err;
}

TEST_P(run_place, of_another_run_counts_for_itself) {
  const Arguments inner = {kProgram, "run", "--stats", "--require", "xsha1", "--"};
  Arguments used = inner, unused = inner;
  used.push_back(place_guest("xsha"));
  unused.push_back(place_guest("xcrypt_modes"));
  ProcessResult result = incore_run({}, used);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("xsha1 "), std::string::npos) << result.err;
  result = incore_run({}, unused);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("xsha1 was never executed"), std::string::npos) << result.err;
  // And has its program's exit code.
  EXPECT_EQ(incore_run({}, {kProgram, "run", "--", "sh", "-c", "exit 7"}).exit_code, 7);
}

TEST_P(run_place, of_another_run_has_findings_of_its_own) {
  const Arguments checked = {place_guest("check"), "stale_key"};
  const ProcessResult alone = incore_run({"--check"}, checked);
  ASSERT_EQ(alone.exit_code, 1) << alone.err;
  ASSERT_NE(alone.err.find("stale_key+0x"), std::string::npos) << alone.err;
  Arguments nested = {kProgram, "run", "--check", "--"};
  nested.insert(nested.end(), checked.begin(), checked.end());
  const ProcessResult result = incore_run({"--check"}, nested);
  EXPECT_EQ(result.exit_code, 1);
  const auto count = [](const std::string& text, const std::string& what) {
    size_t n = 0;
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(count(result.err, "stale_key+0x"), count(alone.err, "stale_key+0x")) << result.err;
}

TEST(run_nested, says_where_powerpc_programs_stand_in_the_way) {
  const TemporaryDirectory directory;
  const std::string script = directory.write("script", "#!/bin/sh\n\"$@\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto expect_refusal = [](const ProcessResult& result, const std::string& reason) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
  };
  expect_refusal(incore_run({}, {kProgram, "run", "--cpu", "power8", "--", script}),
                 "PowerPC programs cannot be run inside another incore run");
  expect_refusal(incore_run({"--cpu", "power8"}, {script, kProgram, "run", "--", guest("xsha")}),
                 "an outer incore run?");
}

}  // namespace
}  // namespace incore::test
