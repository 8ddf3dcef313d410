// What clears EFLAGS bit 30 and what leaves it alone, in programs of 64 and 32 bits:
// tests/guest/key_reload.c does each between two XCRYPT with different keys.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run/incore_run.h"

namespace incore::test {
namespace {

struct Between {
  const char* name;  // in key_reload.c
  bool clears;
};

const Between kAll[] = {
    // clause: PLK-MULTI-007
    {"nothing", false},
    {"long_loop", false},
    // clause: PLK-MULTI-027
    {"lahf_and_cpuid", false},
    // clause: PLK-MULTI-026
    {"xstore_between", false},
    // clause: PLK-EXC-012
    {"xcrypt_of_nothing", false},
    // clause: PLK-MULTI-015
    {"pushf_popf", true},
    {"loop_then_reload", true},
    {"in_generated_code", true},
    // clause: PLK-MULTI-008
    {"pushf_alone", true},
    // clause: PLK-MULTI-011
    {"pushfw", true},
    // clause: PLK-MULTI-017
    {"popf_alone", true},
    // clause: PLK-MULTI-012
    {"iret", true},
    // clause: PLK-MULTI-014
    {"system_call", true},
    {"int80", true},
    {"sigprocmask_between", true},
    // clause: PLK-MULTI-009
    {"exception", true},
    {"xsha1_between", true},
};

std::vector<std::string> programs() {
  std::vector<std::string> all = {guest("key_reload"), guest("key_reload_static")};
  if (kHaveI386Guests) {
    all.push_back(guest32("key_reload"));
    all.push_back(guest32("key_reload_static"));
  }
  return all;
}

// What the program prints of itself, three times in a row.
std::string line(const Between& between, bool is_old) {
  const std::string key = is_old ? " old" : " new";
  return between.name + key + key + key + "\n";
}

class run_key_reload : public testing::TestWithParam<std::string> {};

TEST_P(run_key_reload, is_done_at_each_xcrypt) {
  const ProcessResult result = incore_run({}, {GetParam()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find(" old"), std::string::npos) << result.out;
}

TEST_P(run_key_reload, is_silicons_if_stale_keys_are_emulated) {
  for (const Between& between : kAll)
    EXPECT_EQ(incore_run({"--stale-key=emulate"}, {GetParam(), between.name}).out,
              line(between, !between.clears));
}

// clause: PLK-MULTI-006
TEST_P(run_key_reload, is_missed_where_a_stale_key_is_found) {
  for (const Between& between : kAll) {
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/check.json";
    const ProcessResult result = incore_run({"--check=" + path}, {GetParam(), between.name});
    EXPECT_EQ(result.out, line(between, false));
    const nlohmann::json report = nlohmann::json::parse(read_file(path));
    int count = 0;
    for (const auto& finding : report.at("findings")) {
      EXPECT_EQ(finding.at("check"), "stale-key") << between.name;
      count += finding.at("count").get<int>();
    }
    EXPECT_EQ(count, between.clears ? 0 : 3) << between.name;
  }
}

TEST_P(run_key_reload, is_not_judged_by_code_that_stood_there_before) {
  EXPECT_EQ(incore_run({"--stale-key=emulate"}, {GetParam(), "mapped_again"}).out,
            "mapped_again old\n");
}

// clause: PLK-MULTI-016
TEST_P(run_key_reload, leaves_pushf_and_popf_as_they_are) {
  for (const char* option : {"--check", "--stale-key=emulate", "--stale-key=reload"}) {
    const ProcessResult result = incore_run({option}, {GetParam(), "flags"});
    EXPECT_EQ(result.exit_code, 0) << option << result.err;
  }
}

INSTANTIATE_TEST_SUITE_P(all, run_key_reload, testing::ValuesIn(programs()), [](const auto& form) {
  const std::string file = form.param.substr(form.param.rfind('/') + 1);
  return file.substr(sizeof "guest" - 1);
});

}  // namespace
}  // namespace incore::test
