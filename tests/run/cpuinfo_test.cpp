// /proc/cpuinfo and what reads it show the model: guest cpuinfo compares it with CPUID, and scripts
// look for it as they do.
#include <gtest/gtest.h>

#include <sstream>

#include "run/incore_run.h"

namespace incore::test {
namespace {

struct Shown {
  const char* model;
  std::string vendor, name, flags;  // some of the flags, one behind the other
};
void PrintTo(const Shown& shown, std::ostream* out) {
  *out << shown.model;
}
const Shown kShown[] = {
    {"c5xl", "CentaurHauls", "VIA Nehemiah", " rng rng_en\n"},
    {"nehemiah", "CentaurHauls", "VIA Nehemiah", " rng rng_en ace ace_en\n"},
    {"esther", "CentaurHauls", "VIA Esther processor 1500MHz",
     " rng rng_en ace ace_en ace2 ace2_en phe phe_en pmm pmm_en\n"},
    {"nano", "CentaurHauls", "VIA Nano L3050@1800MHz",
     " rng rng_en ace ace_en ace2 phe phe_en pmm pmm_en lahf_lm\n"},
    {"zhaoxin", "CentaurHauls", "ZHAOXIN KaiXian KX-U6780A@2.7GHz",
     " rng rng_en ace ace_en ace2 phe phe_en pmm pmm_en lahf_lm "},
};

void expect_shown(const Shown& expected, const std::string& program) {
  const ProcessResult result = incore_run({"--cpu", expected.model}, {program});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const std::string& line : {"vendor_id\t: " + expected.vendor + "\n",
                                  "model name\t: " + expected.name + "\n", expected.flags})
    EXPECT_NE(result.out.find(line), std::string::npos) << line << "in\n" << result.out;
}

class run_cpuinfo : public testing::TestWithParam<Shown> {};

TEST_P(run_cpuinfo, is_the_models) {
  for (const char* form : {"cpuinfo", "cpuinfo_static"}) expect_shown(GetParam(), guest(form));
}

TEST_P(run_cpuinfo, is_the_models_for_32_bit_programs) {
  if (!kHaveI386Guests) GTEST_SKIP() << kNoI386Guests;
  for (const char* form : {"cpuinfo", "cpuinfo_static"}) expect_shown(GetParam(), guest32(form));
}

INSTANTIATE_TEST_SUITE_P(all, run_cpuinfo, testing::ValuesIn(kShown),
                         [](const auto& tested) { return std::string(tested.param.model); });

// A line of the shell under `incore run --cpu |model|`.
ProcessResult shell(const std::string& model, const std::string& line) {
  return incore_run({"--cpu", model}, {"sh", "-c", line});
}

size_t lines_of(const std::string& text, const std::string& key) {
  size_t count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) count += line.rfind(key, 0) == 0;
  return count;
}

TEST(run_cpuinfo_of, host_is_its_own_with_padlock_added) {
  for (const char* form : {"cpuinfo", "cpuinfo_static"}) {
    const ProcessResult result = incore_run({"--cpu", "host"}, {guest(form), "host"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string own = read_file("/proc/cpuinfo");
    for (const char* key : {"processor", "vendor_id", "model name", "flags", "microcode", "bugs"})
      EXPECT_EQ(lines_of(result.out, key), lines_of(own, key)) << key;
    const std::string vendor =
        own.substr(own.find("vendor_id"), own.find("cpu family") - own.find("vendor_id"));
    EXPECT_NE(result.out.find(vendor), std::string::npos) << result.out;
  }
}

TEST(run_cpuinfo_of, a_model_has_as_many_processors_as_this_machine) {
  const ProcessResult result = shell("nano", "cat /proc/cpuinfo");
  const std::string own = read_file("/proc/cpuinfo");
  EXPECT_EQ(lines_of(result.out, "processor"), lines_of(own, "processor")) << result.out;
  EXPECT_EQ(lines_of(result.out, "vendor_id"), lines_of(own, "processor")) << result.out;
  EXPECT_EQ(lines_of(result.out, "microcode"), 0u);  // which no model tells
}

TEST(run_cpuinfo_of, changed_fields_shows_them) {
  const ProcessResult result = shell(
      "nano,ace2-en=on,pmm=off,stepping=10,vendor=shanghai,clock-mhz=1234", "cat /proc/cpuinfo");
  for (const char* line : {"vendor_id\t:   Shanghai  \n", "stepping\t: 10\n",
                           "cpu MHz\t\t: 1234.000\n", " ace2 ace2_en phe phe_en lahf_lm\n"})
    EXPECT_NE(result.out.find(line), std::string::npos) << line << "in\n" << result.out;
}

TEST(run_cpuinfo_of, scripts_tells_what_is_there) {
  for (const char* probe :
       {"grep -q '\\bace\\b' /proc/cpuinfo", "grep -qw ace < /proc/cpuinfo",
        "cd /proc && awk '/^flags/ && / ace_en / { found = 1 } END { exit !found }' cpuinfo",
        "while read -r l; do case $l in *' ace '*) exit 0;; esac; done < /proc/cpuinfo; exit 1"}) {
    for (const char* model : {"nano", "esther", "host"})
      EXPECT_EQ(shell(model, probe).exit_code, 0) << model << ": " << probe;
    EXPECT_EQ(shell("c5xl", probe).exit_code, 1) << probe;
  }
}

// A nested run has its own model, and the one around it keeps its own.
TEST(run_cpuinfo_of, a_nested_run_is_its_models) {
  const std::string look = "grep -m1 'model name' /proc/cpuinfo";
  const ProcessResult result =
      shell("esther", look + "; " INCORE_PROGRAM " run --cpu nano -- " + look + "; " + look);
  EXPECT_EQ(result.out,
            "model name\t: VIA Esther processor 1500MHz\nmodel name\t: VIA Nano L3050@1800MHz\n"
            "model name\t: VIA Esther processor 1500MHz\n")
      << result.err;
}

TEST(run_cpuinfo_of, lscpu_is_the_models) {
  if (shell("nano", "command -v lscpu").exit_code != 0) GTEST_SKIP() << "lscpu is not installed";
  const ProcessResult result = shell("nano", "LC_ALL=C lscpu");
  for (const char* line : {"CentaurHauls\n", "VIA Nano L3050@1800MHz\n", " ace2 phe phe_en pmm "})
    EXPECT_NE(result.out.find(line), std::string::npos) << line << "in\n" << result.out;
}

TEST(run_cpuinfo_of, the_auxiliary_vector_is_shown) {
  const ProcessResult result = incore_run({"--cpu", "nano"}, {"/bin/true"}, "", {"LD_SHOW_AUXV=1"});
  EXPECT_NE(result.out.find("AT_HWCAP:             afc9fbff\n"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace incore::test
