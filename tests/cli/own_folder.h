// Tests of commands that read and write files: each has an empty folder to itself.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "support/file.h"
#include "support/process.h"

namespace incore::test {

// The folder is the working directory while a test runs.
class OwnFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(directory_.path());
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  static std::set<std::string> files() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("."))
      names.insert(entry.path().filename());
    return names;
  }

  TemporaryDirectory directory_;

 private:
  std::filesystem::path before_;
};

}  // namespace incore::test
