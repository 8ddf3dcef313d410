#include "padlock/model.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "padlock/processor.h"

namespace incore::padlock {
namespace {

std::vector<CpuidRow> load_dump(const std::string& model) {
  std::ifstream file(INCORE_TEST_DATA "/cpuid/" + model + ".txt");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line.rfind("# Source: ", 0), 0u) << model << ": the first line must name the source";
  std::vector<CpuidRow> rows;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    CpuidRow row = {0, kAnySubleaf, 0, 0, 0, 0};
    const size_t dot = line.find('.');
    if (dot != std::string::npos) line[dot] = ' ';
    std::istringstream words(line);
    words >> std::hex >> row.leaf;
    if (dot != std::string::npos) words >> row.subleaf;
    words >> row.eax >> row.ebx >> row.ecx >> row.edx;
    EXPECT_TRUE(words && words.peek() == EOF) << model << ": " << line;
    rows.push_back(row);
  }
  return rows;
}

uint32_t cpuid_of(const ModelSpec& spec, uint32_t leaf, uint32_t CpuidAnswer::*reg) {
  const Processor cpu(spec.model, HostKernels::portable());
  return cpu.cpuid(leaf, 0).*reg;
}

std::string parse(const std::string& text, ModelSpec* spec) {
  char message[400];
  const char* wrong = parse_model_spec(text.c_str(), spec, message, sizeof message);
  return wrong == nullptr ? "" : wrong;
}

TEST(padlock_model, list_and_folder_agree) {
  std::set<std::string> files, dumps, listed;
  for (const auto& entry :
       std::filesystem::directory_iterator(INCORE_SOURCE_DIR "/src/padlock/models"))
    files.insert(entry.path().stem());
#define X(name) listed.insert(#name);
#include "padlock/models.def"
#undef X
  EXPECT_EQ(files, listed);
  for (const std::string& name : listed) ASSERT_NE(find_model(name.c_str()), nullptr) << name;
  EXPECT_EQ(find_model("pentium"), nullptr);
}

TEST(padlock_model, is_found_by_the_names_it_was_sold_under) {
  const std::pair<const char*, const char*> kSold[] = {
      {"VIA C7", "esther"},   {"C7", "esther"},           {"c7-m 764", "esther"},
      {"C5J", "esther"},      {"VIA C3", "nehemiah"},     {"C5XL", "c5xl"},
      {"Nano U2250", "nano"}, {"VIA Nano L3050", "nano"}, {"NANO-X2 L4050E", "nano"},
      {"QuadCore", "nano"},   {"KX-6000", "zhaoxin"},     {"Zhaoxin KX-U6780A", "zhaoxin"},
      {"ZHAOXIN", "zhaoxin"}, {"Esther 9", "esther9"},
  };
  for (const auto& [name, model] : kSold) {
    ModelSpec spec;
    ASSERT_EQ(parse(name + std::string(",clock-mhz=1000"), &spec), "") << name;
    EXPECT_STREQ(spec.model.name, model) << name;
    EXPECT_EQ(spec.model.clock_mhz, 1000u);
  }
  // Other cores, and parts of names.
  for (const char* name :
       {"KX-6000G", "KX-7000", "KX-5000", "C", "C78", "Nanoo", "via", "VIA ", "-", "*"})
    EXPECT_EQ(find_model(name), nullptr) << name;
  EXPECT_EQ(find_model(std::string(1000, 'c').c_str()), nullptr);
}

// Each alias means its model, and none is in the way of another.
TEST(padlock_model, aliases_are_found) {
  size_t num_aliases;
  const ModelAlias* const aliases = model_aliases(&num_aliases);
  ASSERT_GT(num_aliases, 0u);
  for (size_t i = 0; i < num_aliases; ++i)
    EXPECT_EQ(find_model(aliases[i].name), aliases[i].model) << aliases[i].name;
}

TEST(padlock_model, data_equals_the_dump) {
  size_t num_models;
  const Model* const* all = models(&num_models);
  for (size_t i = 0; i < num_models; ++i) {
    const Model& model = *all[i];
    const std::vector<CpuidRow> dump = load_dump(model.name);
    ASSERT_EQ(model.num_cpuid, dump.size()) << model.name;
    EXPECT_LE(model.num_cpuid + 2, ModelSpec::kMaxRows);
    for (size_t row = 0; row < dump.size(); ++row) {
      EXPECT_EQ(std::memcmp(&model.cpuid[row], &dump[row], sizeof dump[row]), 0)
          << model.name << " row " << row;
      if (row != 0) {
        EXPECT_TRUE(
            dump[row - 1].leaf < dump[row].leaf ||
            (dump[row - 1].leaf == dump[row].leaf && dump[row - 1].subleaf < dump[row].subleaf))
            << model.name << " row " << row;
      }
    }
  }
}

TEST(padlock_model, a_new_processor_answers_the_dumped_padlock_flags) {
  for (const char* name : {"c5xl", "nehemiah", "esther", "esther9"}) {
    const Processor cpu(*find_model(name), HostKernels::portable());
    for (const CpuidRow& row : load_dump(name))
      EXPECT_EQ(cpu.cpuid(row.leaf, 0).edx, row.edx) << name << std::hex << row.leaf;
  }
  // The flags of RNG2 and RSA are taken from the Nano: these units are not emulated.
  for (const char* name : {"nano", "host"}) {
    const Processor cpu(*find_model(name), HostKernels::portable());
    EXPECT_EQ(cpu.cpuid(0xC0000001, 0).edx, 0x1EC33DCCu & ~(3u << 22 | 3u << 27));
  }
}

// What GNU/Linux's C library needs of a Zhaoxin-like CPU: leaf 4 lists a second-level cache and
// then ends, or no HTT.
TEST(padlock_model, cache_leaves_end) {
  const Processor cpu(*find_model("nano"), HostKernels::portable());
  bool has_l2 = false;
  uint32_t subleaf = 0;
  for (; subleaf < 8; ++subleaf) {
    const uint32_t eax = cpu.cpuid(4, subleaf).eax;
    if ((eax & 0x1F) == 0) break;
    has_l2 = has_l2 || (eax >> 5 & 7) == 2;
  }
  EXPECT_EQ(subleaf, 3u);
  EXPECT_TRUE(has_l2);
}

TEST(padlock_model, a_64_bit_program_sees_the_baseline_on_every_model) {
  Processor cpu(*find_model("c5xl"), HostKernels::portable());
  EXPECT_EQ(cpu.cpuid(0x80000001, 0).edx, 0u);
  cpu.enter_user_mode(CodeSize::bits64);
  EXPECT_EQ(cpu.cpuid(1, 0).edx, 0x0380B13D | 0x07808131);
  EXPECT_EQ(cpu.cpuid(0x80000001, 0).edx, 0x20100800u);
}

TEST(padlock_model, fields_change_the_model) {
  ModelSpec spec;
  ASSERT_EQ(parse("nano,ace2-en=on,stepping=10", &spec), "");
  EXPECT_STREQ(spec.model.name, "nano");
  EXPECT_EQ(cpuid_of(spec, 1, &CpuidAnswer::eax), 0x6FAu);
  EXPECT_EQ(cpuid_of(spec, 0xC0000001, &CpuidAnswer::eax), 0x6FAu);
  EXPECT_EQ(cpuid_of(spec, 0xC0000001, &CpuidAnswer::edx) & 0x3FCC, 0x3FCCu);
  ASSERT_EQ(parse("esther,phe=off,pmm=off,ecb-fetch=8", &spec), "");
  EXPECT_EQ(cpuid_of(spec, 0xC0000001, &CpuidAnswer::edx) & 0x3FCC, 0x03CCu);
  EXPECT_EQ(spec.model.ecb_fetch_blocks, 8u);
  ASSERT_EQ(parse("nano,vendor=shanghai", &spec), "");
  EXPECT_EQ(cpuid_of(spec, 0, &CpuidAnswer::ebx), 0x68532020u);
  EXPECT_EQ(cpuid_of(spec, 0, &CpuidAnswer::edx), 0x68676E61u);
  EXPECT_EQ(cpuid_of(spec, 0, &CpuidAnswer::ecx), 0x20206961u);
  EXPECT_EQ(find_model("nano")->num_cpuid, spec.model.num_cpuid);
}

TEST(padlock_model, the_ctr_erratum_follows_the_stepping_unless_it_is_given) {
  ModelSpec spec;
  const auto erratum = [&spec](const char* text) {
    EXPECT_EQ(parse(text, &spec), "");
    return spec.model.ctr_erratum;
  };
  EXPECT_TRUE(erratum("esther"));
  EXPECT_FALSE(erratum("esther,stepping=10"));
  EXPECT_TRUE(erratum("esther,stepping=8"));
  EXPECT_TRUE(erratum("esther9,stepping=8"));
  EXPECT_TRUE(erratum("esther,ctr-erratum=on,stepping=10"));
  EXPECT_FALSE(erratum("esther,stepping=8,ctr-erratum=off"));
  EXPECT_FALSE(erratum("nano,stepping=8"));
}

TEST(padlock_model, wrong_specifications_are_explained) {
  ModelSpec spec;
  EXPECT_EQ(
      parse("pentium", &spec),
      "unknown model \"pentium\": the models are c5xl, nehemiah, esther, esther9, nano, zhaoxin, "
      "host");
  EXPECT_EQ(parse("", &spec).rfind("unknown model \"\"", 0), 0u);
  EXPECT_EQ(parse("nano,ace2-en=maybe", &spec), "ace2-en=maybe: accepted is on or off");
  EXPECT_EQ(parse("nano,ace", &spec), "ace=: accepted is on or off");
  EXPECT_EQ(parse("nehemiah,stepping=7", &spec), "stepping=7: accepted is a number from 8 to 15");
  EXPECT_EQ(parse("nano,stepping=99999999999", &spec),
            "stepping=99999999999: accepted is a number from 0 to 15");
  EXPECT_EQ(parse("host,stepping=3", &spec), "stepping: the model host has none of its own");
  EXPECT_EQ(parse("nano,vendor=VIA", &spec),
            "vendor=VIA: accepted is centaur, shanghai, or exactly 12 characters");
  std::string fields;
  for (const char* const* name = model_field_names(); *name != nullptr; ++name)
    fields += (fields.empty() ? "" : ", ") + std::string(*name);
  EXPECT_EQ(parse("nano,speed=3", &spec), "unknown field \"speed\": the fields are " + fields);
  char small[8];
  EXPECT_STREQ(parse_model_spec("pentium", &spec, small, sizeof small), "unknown");
}

#if defined(__x86_64__) || defined(__i386__)
TEST(padlock_model, host_keeps_its_identity_and_gains_the_padlock_leaves) {
  ModelSpec spec;
  ASSERT_EQ(parse("host", &spec), "");
  const Processor cpu(spec.model, HostKernels::portable());
  const Processor nano(*find_model("nano"), HostKernels::portable());
  EXPECT_NE(cpu.cpuid(0, 0).ebx, 0u);
  EXPECT_EQ(cpu.cpuid(0xC0000000, 0).eax, 0xC0000004u);
  EXPECT_EQ(cpu.cpuid(0xC0000001, 0).edx, nano.cpuid(0xC0000001, 0).edx);

  ModelSpec renamed;
  ASSERT_EQ(parse("host,vendor=centaur", &renamed), "");
  EXPECT_EQ(cpuid_of(renamed, 0, &CpuidAnswer::ebx), 0x746E6543u);
  EXPECT_EQ(cpuid_of(renamed, 0, &CpuidAnswer::eax), cpu.cpuid(0, 0).eax);
  EXPECT_EQ(cpuid_of(renamed, 1, &CpuidAnswer::eax), cpu.cpuid(1, 0).eax);
  EXPECT_EQ(cpuid_of(renamed, 1, &CpuidAnswer::edx) >> 28 & 1, 0u);
  EXPECT_EQ(cpuid_of(renamed, 0xC0000000, &CpuidAnswer::eax), 0xC0000004u);
}
#endif

}  // namespace
}  // namespace incore::padlock
