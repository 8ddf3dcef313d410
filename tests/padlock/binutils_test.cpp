// What binutils know of PadLock, against the decoder: the assembler's names give our opcodes, and
// objdump and gdb print them alike. The Linux Journal article of May 2005.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "padlock/insn.h"
#include "support/hex.h"
#include "support/process.h"

namespace incore::padlock::test {
namespace {

using incore::test::Bytes;
using incore::test::from_hex;
using incore::test::ProcessResult;
using incore::test::TemporaryDirectory;

// As a program writes it, our record, and what objdump and gdb print.
const struct {
  const char* source;
  const Insn* insn;
  const char* printed;
} kNames[] = {
    {"xstore", &xstore, "xstore-rng"},
    {"rep xstore", &rep_xstore, "repz xstore-rng"},
    {"xcryptecb", &xcrypt_ecb, "repz xcrypt-ecb"},
    {"xcryptcbc", &xcrypt_cbc, "repz xcrypt-cbc"},
    {"xcryptctr", &xcrypt_ctr, "repz xcrypt-ctr"},
    {"xcryptcfb", &xcrypt_cfb, "repz xcrypt-cfb"},
    {"xcryptofb", &xcrypt_ofb, "repz xcrypt-ofb"},
    {"rep xcryptcbc", &xcrypt_cbc, "repz xcrypt-cbc"},
    {"xsha1", &xsha1, "repz xsha1"},
    {"xsha256", &xsha256, "repz xsha256"},
    {"montmul", &montmul, "repz montmul"},
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// |text| without what stands up to the last tab, and without blanks at the end.
std::string behind_last_tab(const std::string& text) {
  const size_t tab = text.rfind('\t');
  const std::string last = tab == std::string::npos ? text : text.substr(tab + 1);
  return last.substr(0, last.find_last_not_of(' ') + 1);
}

bool runs(const char* program) {
  try {
    return incore::test::run({program, "--version"}).exit_code == 0;
  } catch (const std::exception&) {
    return false;
  }
}

class padlock_binutils : public testing::Test {
 protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the assembler is not one for x86";
#endif
    if (!runs("as") || !runs("objdump")) GTEST_SKIP() << "binutils are not installed";
    std::string source;
    for (const auto& name : kNames) source += name.source + std::string("\n");
    const std::string file = directory_.write("padlock.s", source);
    const ProcessResult assembled = incore::test::run({"as", "--32", "-o", object_, file});
    ASSERT_EQ(assembled.exit_code, 0) << assembled.err;
  }

  // The lines of the disassembly: address, bytes, text.
  std::vector<std::string> objdump() const {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(incore::test::run({"objdump", "-d", object_}).out))
      if (line.find(":\t") != std::string::npos) found.push_back(line);
    return found;
  }

  TemporaryDirectory directory_;
  const std::string object_ = directory_.path() + "/padlock.o";
};

TEST_F(padlock_binutils, names_assemble_to_the_opcodes_that_we_decode) {
  const std::vector<std::string> lines = objdump();
  ASSERT_EQ(lines.size(), std::size(kNames));
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t begin = lines[i].find('\t') + 1;
    std::string digits;
    for (char c : lines[i].substr(begin, lines[i].find('\t', begin) - begin))
      if (c != ' ') digits += c;
    const Bytes code = from_hex(digits);
    const Decoded decoded = decode(code.data(), code.size(), CodeSize::bits32);
    // clause: LJ-032
    EXPECT_EQ(decoded.insn, kNames[i].insn) << lines[i];
    EXPECT_EQ(decoded.length, code.size()) << lines[i];
    // clause: LJ-034
    EXPECT_EQ(decoded.rep, kNames[i].insn != &xstore) << lines[i];
    // clause: LJ-033
    EXPECT_EQ(behind_last_tab(lines[i]), kNames[i].printed);
  }
}

TEST_F(padlock_binutils, gdb_prints_what_objdump_prints) {
  if (!runs("gdb")) GTEST_SKIP() << "gdb is not installed";
  const ProcessResult result = incore::test::run(
      {"gdb", "-nx", "-batch", "-ex", "x/" + std::to_string(std::size(kNames)) + "i 0", object_});
  const std::vector<std::string> lines = lines_of(result.out), expected = objdump();
  ASSERT_EQ(lines.size(), std::size(kNames)) << result.out << result.err;
  for (size_t i = 0; i < lines.size(); ++i) {
    // clause: LJ-032
    // clause: LJ-052
    EXPECT_EQ(behind_last_tab(lines[i]), behind_last_tab(expected[i]));
  }
}

}  // namespace
}  // namespace incore::padlock::test
