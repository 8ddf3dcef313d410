// `incore hash --phe`, the job of the sample PHE.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/process.h"

namespace incore {
namespace {

test::ProcessResult phe(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "hash", "--phe"});
  return test::run(arguments);
}

TEST(samples_phe, prints_the_digest_as_the_sample_does) {
  const test::TemporaryDirectory folder;
  for (const size_t len : {0, 1, 3, 55, 56, 63, 64, 65, 4096, 100'000}) {
    std::string content;
    for (size_t i = 0; i < len; ++i) content += static_cast<char>('a' + i * i % 26);
    const std::string file = folder.write("data", len == 3 ? "abc" : content);
    const std::string digest = test::run({"sha1sum", file}).out.substr(0, 40);
    for (const auto& chip : std::vector<std::vector<std::string>>{{}, {"--cpu", "esther"}}) {
      std::vector<std::string> arguments = chip;
      arguments.push_back(file);
      // clause: PLK-TOOL-062
      // clause: PLK-TOOL-063
      EXPECT_EQ(phe(arguments).out, "SHA1(" + file + ")= " + digest + "\n") << len;
      // clause: PLK-TOOL-064
      if (len == 3) {
        EXPECT_EQ(digest, "a9993e364706816aba3e25717850c26c9cd0d89d");
      }
    }
  }
}

TEST(samples_phe, what_cannot_be_done_is_said) {
  // clause: PLK-TOOL-065
  const auto missing = phe({"/nonexistent/file"});
  EXPECT_EQ(missing.out, "FILE ERROR\n");
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(phe({"/"}).out, "FILE ERROR\n");
  const auto without = phe({"--cpu", "nehemiah", INCORE_PROGRAM});
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_EQ(without.err, "incore hash: XSHA1: this processor has no PHE\n");
  EXPECT_EQ(phe({}).exit_code, 2);
  EXPECT_EQ(phe({"-a", "sha256", INCORE_PROGRAM}).exit_code, 2);
}

}  // namespace
}  // namespace incore
