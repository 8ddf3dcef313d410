// `incore run` with PowerPC programs whose libraries lie in a folder as `dpkg -x` leaves it: with
// absolute links that mean the folder, and without the links from /lib to /usr/lib.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "run/power_run.h"

namespace incore::test {
namespace {

namespace fs = std::filesystem;

class run_power_sysroot : public PowerTest {
 protected:
  void SetUp() override {
    PowerTest::SetUp();
    for (const auto& entry : fs::directory_iterator(std::string(GetParam().sysroot) + "/lib"))
      if (entry.path().filename().string().rfind("ld64.so.", 0) == 0)
        loader_ = entry.path().filename().string();
    fs::create_directory(tree());
    fs::create_directory(directory_.path() + "/tmp");
  }

  std::string tree() const { return directory_.path() + "/tree"; }
  // Puts the C library into |folder| of the tree.
  void add_library(const std::string& folder, const std::string& name = "libc.so.6") const {
    add_file(folder, loader_, loader_);
    add_file(folder, "libc.so.6", name);
  }
  void add_file(const std::string& folder, const std::string& name, const std::string& as) const {
    fs::create_directories(tree() + "/" + folder);
    fs::copy_file(std::string(GetParam().sysroot) + "/lib/" + name,
                  tree() + "/" + folder + "/" + as);
  }
  void add_link(const std::string& path, const std::string& target) const {
    fs::create_directories(fs::path(tree() + "/" + path).parent_path());
    fs::create_symlink(target, tree() + "/" + path);
  }
  ProcessResult run_in_tree(const Arguments& command) const {
    return incore_run({"--cpu", "power8"}, command, "",
                      {"QEMU_LD_PREFIX=" + tree(), "TMPDIR=" + directory_.path() + "/tmp"});
  }
  bool leaves_nothing() const { return fs::is_empty(directory_.path() + "/tmp"); }

  // A program runs with the tree, and so do programs that a script starts.
  void expect_that_it_works() const {
    const std::string script =
        executable(directory_, "script", "#!/bin/sh\ncd /\n" + program("exit_code") + " 5\n");
    const ProcessResult result = run_in_tree({program("exit_code"), "6"});
    EXPECT_EQ(result.exit_code, 6) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(run_in_tree({script}).exit_code, 5);
    EXPECT_TRUE(leaves_nothing());
  }

  TemporaryDirectory directory_;
  std::string loader_;
};

INSTANTIATE_TEST_SUITE_P(all, run_power_sysroot, testing::ValuesIn(kPowerPorts),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(run_power_sysroot, an_absolute_link_leads_into_the_tree) {
  add_library("lib");
  add_link("lib64/" + loader_, "/lib/" + loader_);
  expect_that_it_works();
}

TEST_P(run_power_sysroot, a_tree_without_lib_has_that_of_usr) {
  add_library("usr/lib");
  add_link("usr/lib64/" + loader_, "../lib/" + loader_);
  expect_that_it_works();
}

TEST_P(run_power_sysroot, links_may_lead_through_links) {
  add_library("usr/lib");
  add_link("lib", "usr/lib");
  add_link("lib64", "/usr/lib64");
  add_link("usr/lib64/" + loader_, "/lib/" + loader_);
  expect_that_it_works();
}

TEST_P(run_power_sysroot, a_library_may_be_an_alternative) {
  add_library("usr/lib/c", "libc-2.so");
  add_link("lib/libc.so.6", "/etc/alternatives/libc");
  add_link("etc/alternatives/libc", "/usr/lib/c/libc-2.so");
  add_link("lib64/" + loader_, "/usr/lib/c/" + loader_);
  expect_that_it_works();
}

// The loader alone needs no help here.
TEST_P(run_power_sysroot, a_library_may_be_an_alternative_beside_the_loader) {
  add_library("usr/lib/c", "libc-2.so");
  add_link("lib/libc.so.6", "/etc/alternatives/libc");
  add_link("etc/alternatives/libc", "/usr/lib/c/libc-2.so");
  add_link("lib64/" + loader_, "../usr/lib/c/" + loader_);
  expect_that_it_works();
}

TEST_P(run_power_sysroot, a_missing_folder_for_temporary_files_is_no_crash) {
  add_library("lib");
  add_link("lib64/" + loader_, "/lib/" + loader_);
  fs::remove(directory_.path() + "/tmp");
  expect_refused(run_in_tree({program("exit_code"), "6"}), {tree() + "/lib64/" + loader_});
}

TEST_P(run_power_sysroot, circles_and_links_to_nothing_do_no_harm) {
  add_library("lib");
  add_link("lib64/" + loader_, "/lib/" + loader_);
  add_link("lib64/all", "/");
  add_link("usr/here", ".");
  add_link("usr/up", "../../../..");
  add_link("usr/itself", "itself");
  add_link("usr/none", "/no/such/file");
  add_link("usr/long", std::string(200, 'x'));
  expect_that_it_works();
}

TEST_P(run_power_sysroot, a_loader_that_is_a_link_to_nothing_is_named) {
  add_link("lib64/" + loader_, "/lib/none");
  expect_refused(run_in_tree({program("exit_code"), "6"}),
                 {tree() + "/lib64/" + loader_, "a link to '/lib/none', which is not there"});
  EXPECT_TRUE(leaves_nothing());
}

TEST_P(run_power_sysroot, a_missing_library_is_named) {
  add_file("lib64", loader_, loader_);
  const ProcessResult result = run_in_tree({program("exit_code"), "6"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_NE(result.err.find("incore run: it lacks libc.so.6; libraries are looked for below '" +
                            tree() + "', or below the folder that QEMU_LD_PREFIX names"),
            std::string::npos)
      << result.err;
}

TEST_P(run_power_sysroot, the_exit_code_127_alone_tells_nothing) {
  for (const char* form : {"exit_code", "exit_code_static"}) {
    const ProcessResult result = incore_run({}, {program(form), "127"});
    EXPECT_EQ(result.exit_code, 127);
    EXPECT_EQ(result.err, "") << form;
  }
}

// What outlives the program still finds its libraries; nothing is left when it has ended, too.
TEST_P(run_power_sysroot, the_tree_serves_those_that_outlive_the_program) {
  add_library("lib");
  add_link("lib64/" + loader_, "/lib/" + loader_);
  const std::string script = executable(
      directory_, "script",
      "#!/bin/sh\n" + program("exit_code") + " 0\n(sleep 1; " + program("exit_code") +
          " 5; echo $? >$0.code.new; mv $0.code.new $0.code) >/dev/null 2>&1 </dev/null &\n");
  EXPECT_EQ(run_in_tree({script}).exit_code, 0);
  using namespace std::chrono_literals;
  const auto wait_for = [](const auto& condition) {
    for (int i = 0; i < 600 && !condition(); ++i) std::this_thread::sleep_for(50ms);
    return condition();
  };
  EXPECT_FALSE(leaves_nothing());
  EXPECT_TRUE(wait_for([&] { return fs::exists(script + ".code"); }));
  EXPECT_EQ(read_file(script + ".code"), "5\n");
  EXPECT_TRUE(wait_for([&] { return leaves_nothing(); }));
}

}  // namespace
}  // namespace incore::test
