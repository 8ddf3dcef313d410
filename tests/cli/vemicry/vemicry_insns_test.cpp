// incore/vemicry_insns.h: what GCC makes of the vector instructions in a program in C.
#include <gtest/gtest.h>

#include "support/process.h"

namespace incore {
namespace {

constexpr char kProgram[] = R"(
#include <incore/vemicry_insns.h>
unsigned __start(unsigned* words, unsigned value) {
  vemicry_vload(1, words, 0);
  vemicry_vxor(2, 1, 7);
  vemicry_vbcrotr(6, 5, 24);
  vemicry_vmpmul(5, 3);
  vemicry_vaddu(3, 4, 1);
  vemicry_vtransp(4, 3, 4);
  vemicry_vwshl(5, 6, 2);
  vemicry_vwshr(6, 5, 1);
  vemicry_vsaddu(6, 7, value);
  vemicry_vspmult(3, 1, value);
  vemicry_vsamult(6, 6, value);
  vemicry_vbyteld(7, words, 3);
  vemicry_vsmove(7, value, 8);
  vemicry_vstore(words, 3, 5);
  vemicry_mtvcr(0x11B);
  vemicry_set_length(4);
  return vemicry_vextract(3, 1) ^ vemicry_car() ^ vemicry_length() ^ vemicry_mfvcr();
}
)";

class vemicry_insns : public testing::Test {
 protected:
  void SetUp() override {
    if (test::run({"/bin/sh", "-c", "command -v mips-linux-gnu-gcc"}).exit_code != 0)
      GTEST_SKIP() << "mips-linux-gnu-gcc is not installed";
  }
  test::ProcessResult compile(const std::string& program, const char* optimised) {
    return test::run({"mips-linux-gnu-gcc",
                      optimised,
                      "-std=c11",
                      "-Wall",
                      "-Wextra",
                      "-Werror",
                      "-march=mips1",
                      "-mabi=32",
                      "-mno-abicalls",
                      "-fno-pic",
                      "-no-pie",
                      "-msoft-float",
                      "-G0",
                      "-ffreestanding",
                      "-nostdlib",
                      "-static",
                      "-I" INCORE_SOURCE_DIR "/include",
                      "-o",
                      elf_,
                      folder_.write("f.c", program)});
  }
  test::TemporaryDirectory folder_;
  const std::string elf_ = folder_.path() + "/f.elf";
};

TEST_F(vemicry_insns, each_becomes_its_instruction) {
  for (const char* optimised : {"-O0", "-O2"}) {
    const test::ProcessResult compiled = compile(kProgram, optimised);
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
    const std::string text = test::run({INCORE_PROGRAM, "vemicry", "disasm", elf_}).out;
    size_t place = 0;
    for (const char* insn :
         {"vload   v1, ($8), 0", "vxor    v2, v1, v7",  "vbcrotr v6, v5, 24", "vmpmul  v5, v3",
          "vaddu   v3, v4, v1",  "vtransp v4, v3, 4",   "vwshl   v5, v6, 2",  "vwshr   v6, v5, 1",
          "vsaddu  v6, v7, $8",  "vspmult v3, v1, $8",  "vsamult v6, v6, $8", "vbyteld v7, ($8), 3",
          "vsmove  v7, $8, 8",   "vstore  ($8), v3, 5", "mtvcr   $",          "ctc2    $",
          "vextract $8, v3, 1",  "cfc2    $",           "cfc2    $",          "mfvcr   $"}) {
      place = text.find(insn, place);
      ASSERT_NE(place, std::string::npos) << insn << "\n" << text;
    }
  }
}

TEST_F(vemicry_insns, numbers_that_do_not_fit_are_errors) {
  for (const char* insn : {"vemicry_vxor(16, 0, 0)", "vemicry_vxor(0, -1, 0)",
                           "vemicry_vwshl(0, 0, 64)", "(void)vemicry_vextract(0, 64)"})
    EXPECT_EQ(compile(std::string("#include <incore/vemicry_insns.h>\nvoid __start(void) { ") +
                          insn + "; }\n",
                      "-O2")
                  .exit_code,
              1)
        << insn;
}

TEST_F(vemicry_insns, a_program_in_c_computes_with_vectors) {
  ASSERT_EQ(compile(R"(
#include <incore/vemicry_insns.h>
static const unsigned words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
unsigned __start(void) {
  vemicry_vload(0, words, 0);
  vemicry_vaddu(1, 0, 0);
  return vemicry_vextract(1, 8);
}
)",
                    "-O2")
                .exit_code,
            0);
  EXPECT_EQ(test::run({INCORE_PROGRAM, "vemicry", "run", elf_}).exit_code, 16);
}

}  // namespace
}  // namespace incore
