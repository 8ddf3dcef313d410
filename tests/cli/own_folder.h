// Tests of commands that read and write files: each has an empty folder to itself.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "support/process.h"

namespace incore::test {

// All bytes of the file |name|; empty if there is none.
inline std::string content(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

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
