// What the tests of `incore run` with PowerPC programs share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "run/power_guests.h"

namespace incore::test {

inline void expect_success(const ProcessResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.signal, 0) << result.err;
}

inline void expect_refused(const ProcessResult& result, const Arguments& words) {
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("incore run: ", 0), 0u) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& word : words)
    EXPECT_NE(result.err.find(word), std::string::npos) << word << " in: " << result.err;
}

inline std::string executable(const TemporaryDirectory& directory, const std::string& name,
                              const std::string& content) {
  const std::string path = directory.write(name, content);
  std::filesystem::permissions(path, std::filesystem::perms(0755));
  return path;
}

inline nlohmann::json statistics_file(const Arguments& options, const Arguments& command,
                                      ProcessResult* out_result) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/stats.json";
  Arguments all = {"--stats=" + path};
  all.insert(all.end(), options.begin(), options.end());
  *out_result = incore_run(all, command);
  EXPECT_EQ(out_result->err, "");
  return nlohmann::json::parse(read_file(path), nullptr, false);
}

// Runs the programs of one byte order, or skips the test.
class PowerTest : public testing::TestWithParam<PowerPort> {
 protected:
  void SetUp() override { SKIP_WITHOUT_POWER_GUESTS(GetParam()); }

  std::string program(const std::string& name) const { return GetParam().guest(name); }
  // The other byte order, if there are programs for it.
  const PowerPort& other() const {
    const PowerPort& candidate = kPowerPorts[std::string(GetParam().name) == "ppc64" ? 0 : 1];
    return candidate.is_built ? candidate : GetParam();
  }
};

}  // namespace incore::test
