// Programs in C, compiled by GCC for MIPS-I: what they print and return here is what they print and
// return under QEMU, in both byte orders.
#include <gtest/gtest.h>

#include <fstream>

#include "support/file.h"
#include "support/process.h"
#include "vemicry/elf.h"
#include "vemicry/machine.h"

namespace incore::vemicry {
namespace {

using incore::test::ProcessResult;

struct Ran {
  Outcome outcome;
  std::string out;
};

Ran run_here(const std::string& path, Config config, std::string input) {
  Image image;
  EXPECT_EQ(read_elf(test::read_bytes(path), &image), "");
  config.little_endian = image.little_endian;
  Machine machine(config);
  EXPECT_TRUE(machine.load(image));
  Ran ran;
  machine.on_read = [&](int, uint8_t* out_bytes, size_t len) {
    const size_t part = std::min<size_t>({len, input.size(), 7});  // short reads are allowed
    std::copy_n(input.begin(), part, out_bytes);
    input.erase(0, part);
    return static_cast<int64_t>(part);
  };
  machine.on_write = [&](int fd, const uint8_t* bytes, size_t len) {
    EXPECT_EQ(fd, 1);
    ran.out.append(bytes, bytes + len);
    return static_cast<int64_t>(len);
  };
  ran.outcome = machine.run(20'000'000);
  return ran;
}

class vemicry_mips_programs : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  std::string path() const {
    return std::string(INCORE_VEMICRY_PROGRAMS) + "/" + std::get<0>(GetParam()) + "_" +
           std::get<1>(GetParam());
  }
  bool exists() const { return std::ifstream(path()).is_open(); }
  std::string qemu() const {
    return std::get<1>(GetParam()) == std::string("big") ? "qemu-mips" : "qemu-mipsel";
  }
};

INSTANTIATE_TEST_SUITE_P(all, vemicry_mips_programs,
                         testing::Combine(testing::Values("sha256", "sort", "arithmetic",
                                                          "structures", "recursion"),
                                          testing::Values("big", "little")),
                         [](const auto& combined) {
                           return std::string(std::get<0>(combined.param)) + "_" +
                                  std::get<1>(combined.param);
                         });

constexpr char kText[] =
    "The quick brown fox jumps over the lazy dog, again and again, and again.\n";

TEST_P(vemicry_mips_programs, do_what_they_do_under_qemu) {
  if (!exists()) GTEST_SKIP() << "there is no compiler for MIPS";
  const Ran here = run_here(path(), {}, kText);
  ASSERT_EQ(here.outcome.stop, Stop::exited) << exception_text(here.outcome.trap.exception);
  EXPECT_GT(here.out.size(), 10u);
  ProcessResult there;
  try {
    there = incore::test::run({qemu(), path()}, kText);
  } catch (const std::exception&) {
    GTEST_SKIP() << qemu() << " is not installed";
  }
  // clause: VM-TOOL-004
  EXPECT_EQ(here.out, there.out);
  EXPECT_EQ(here.outcome.value, static_cast<uint32_t>(there.exit_code));
}

// Compiled code runs the same whatever the vector unit is like, with junk at the start, and, since
// compilers for MIPS-I mind it, with the load delay.
TEST_P(vemicry_mips_programs, need_nothing_of_the_vector_unit) {
  if (!exists()) GTEST_SKIP() << "there is no compiler for MIPS";
  const Ran usual = run_here(path(), {}, kText);
  Config config;
  config.q = config.p = config.r = 1;
  config.junk = true;
  config.load_delay = true;
  config.banked = true;
  const Ran other = run_here(path(), config, kText);
  // clause: VM-ARCH-001
  EXPECT_EQ(usual.outcome.stop, Stop::exited);
  EXPECT_EQ(other.out, usual.out);
  EXPECT_EQ(other.outcome.value, usual.outcome.value);
  // clause: VM-TOOL-008
  EXPECT_EQ(other.outcome.executed, usual.outcome.executed);
}

TEST(vemicry_mips_sha256, is_the_standards) {
  const std::string path = std::string(INCORE_VEMICRY_PROGRAMS) + "/sha256_big";
  if (!std::ifstream(path).is_open()) GTEST_SKIP() << "there is no compiler for MIPS";
  // FIPS 180-4, examples: one block and two.
  EXPECT_EQ(run_here(path, {}, "abc").out,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n");
  EXPECT_EQ(run_here(path, {}, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").out,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1\n");
}

}  // namespace
}  // namespace incore::vemicry
