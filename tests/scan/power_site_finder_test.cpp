// What `incore scan` finds in PowerPC files: a hand-made library whose symbols say what is what, a
// real one against objdump, and damaged files.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "run/power_guests.h"
#include "scan/power_insns.h"
#include "scan/site_finder.h"
#include "support/choices.h"
#include "support/file.h"
#include "support/property.h"

namespace incore::test {
namespace {

using scan::FoundSites;
using scan::Proof;
using scan::Site;

FoundSites find_in(const std::string& file) {
  return scan::find_sites(reinterpret_cast<const uint8_t*>(file.data()), file.size());
}

class scan_power_site_finder : public testing::TestWithParam<PowerPort> {
 protected:
  void SetUp() override { SKIP_WITHOUT_POWER_GUESTS(GetParam()); }
  std::string library() const { return GetParam().guest("library.so"); }
};

INSTANTIATE_TEST_SUITE_P(all, scan_power_site_finder, testing::ValuesIn(kPowerPorts),
                         [](const auto& tested) { return std::string(tested.param.name); });

// tests/guest/power/all_insns.S, in its order.
void expect_library(const FoundSites& found) {
  ASSERT_EQ(found.error, "");
  const char* const each_once[] = {"vcipher", "vcipherlast", "vncipher",   "vncipherlast",
                                   "vsbox",   "vpmsumb",     "vpmsumh",    "vpmsumw",
                                   "vpmsumd", "vpermxor",    "vshasigmaw", "vshasigmad"};
  ASSERT_EQ(found.sites.size(), std::size(each_once) + 3);
  for (size_t i = 0; i < std::size(each_once); ++i) {
    const Site& site = found.sites[i];
    EXPECT_EQ(site.mnemonic, each_once[i]);
    EXPECT_EQ(site.kind, scan::SiteKind::power8);
    EXPECT_EQ(site.proof, Proof::symbol) << site.mnemonic;
    EXPECT_EQ(site.symbol, "each_once");
    EXPECT_EQ(site.symbol_offset, 4 * i);
    EXPECT_EQ(site.length, 4);
  }
  const Site& table = found.sites[12];
  EXPECT_EQ(table.mnemonic, "vcipher");
  EXPECT_EQ(table.proof, Proof::none);
  EXPECT_FALSE(table.is_likely);
  EXPECT_EQ(table.symbol, "with_table");
  const Site& called = found.sites[13];
  EXPECT_EQ(called.mnemonic, "vpmsumd");
  EXPECT_EQ(called.proof, Proof::control_flow);
  EXPECT_EQ(called.symbol, "");
  const Site& uncalled = found.sites[14];
  EXPECT_EQ(uncalled.mnemonic, "vsbox");
  EXPECT_EQ(uncalled.proof, Proof::none);
  EXPECT_TRUE(uncalled.is_likely);
}

TEST_P(scan_power_site_finder, each_site_is_what_its_symbol_says) {
  const FoundSites found = find_in(read_file(library()));
  expect_library(found);
  EXPECT_STREQ(scan::machine_name(found.machine), GetParam().machine);
}

TEST_P(scan_power_site_finder, stripping_section_headers_changes_nothing) {
  std::string file = read_file(library());
  auto* const header = reinterpret_cast<Elf64_Ehdr*>(file.data());
  header->e_shoff = 0;
  header->e_shnum = 0;
  expect_library(find_in(file));
}

// The words at the sites are those that the assembler wrote.
TEST_P(scan_power_site_finder, command_shows_address_symbol_bytes_and_mnemonic) {
  const ProcessResult text = run({INCORE_BINARY_DIR "/incore", "scan", library()});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.err, "");
  const std::string machine = GetParam().machine;
  EXPECT_EQ(text.out.rfind(library() + " (" + machine + ")\n", 0), 0u) << text.out;
  const bool is_little = machine == "powerpc64le";
  for (const char* line : {is_little ? "each_once+0x0  08 1d 22 10 vcipher      symbol\n"
                                     : "each_once+0x0  10 22 1d 08 vcipher      symbol\n",
                           is_little ? "each_once+0x24 2d 19 22 10 vpermxor     symbol\n"
                                     : "each_once+0x24 10 22 19 2d vpermxor     symbol\n",
                           "vsbox        likely\n", "1 place that may be data"})
    EXPECT_NE(text.out.find(line), std::string::npos) << line << text.out;

  const ProcessResult json = run({INCORE_BINARY_DIR "/incore", "scan", "--json", library()});
  const nlohmann::json found = nlohmann::json::parse(json.out, nullptr, false)["files"][0];
  EXPECT_EQ(found["machine"], machine);
  EXPECT_EQ(found["sites"].size(), 14u);
  EXPECT_EQ(found["counts"]["vpmsumd"], 2);
  EXPECT_EQ(found["counts"]["vcipher"], 1);
  EXPECT_EQ(found["may_be_data"], 1);
  EXPECT_EQ(found["sites"][1]["symbol"]["name"], "each_once");
  EXPECT_EQ(found["sites"][1]["symbol"]["offset"], 4);
}

// objdump of the cross binutils decodes each aligned word of the executable sections, data too. In
// a program with its C library, all that we call code must be there under the same name, and what
// lies in functions of our own must be proved.
TEST_P(scan_power_site_finder, agrees_with_objdump_on_a_whole_program) {
  for (const char* form : {"each_insn", "each_insn_static"}) {
    const std::string program = GetParam().guest(form);
    const ProcessResult listing = run({std::string(GetParam().machine) + "-linux-gnu-objdump", "-d",
                                       "--no-show-raw-insn", "-Mpower8", program});
    ASSERT_EQ(listing.exit_code, 0) << listing.err;
    std::map<uint64_t, std::string> listed;
    std::istringstream lines(listing.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string address, mnemonic;
      if (!(words >> address >> mnemonic) || address.back() != ':') continue;
      for (const char* known : scan::kPowerMnemonics)
        if (mnemonic == known) listed[std::stoull(address, nullptr, 16)] = mnemonic;
    }
    const FoundSites found = find_in(read_file(program));
    ASSERT_EQ(found.error, "");
    size_t num_of_each_once = 0;
    for (const Site& site : found.sites) {
      if (site.proof != Proof::none || site.is_likely) {
        EXPECT_EQ(listed[site.address], site.mnemonic) << std::hex << site.address;
      }
      num_of_each_once += site.symbol == "each_once" && site.proof != Proof::none;
    }
    EXPECT_EQ(num_of_each_once, 12u);
    for (const auto& insn : listed)
      EXPECT_TRUE(std::any_of(found.sites.begin(), found.sites.end(),
                              [&](const Site& site) {
                                return site.address == insn.first && site.mnemonic == insn.second;
                              }))
          << std::hex << insn.first << " " << insn.second;
  }
}

// Power ISA 2.07B, section 6.11: the encodings, as another assembler writes them.
TEST(scan_power_insns, words_decode_as_in_the_manual) {
  constexpr struct {
    uint32_t word;
    const char* mnemonic;
  } kWords[] = {
      {0x10221D08, "vcipher"},      {0x13FFFD09, "vcipherlast"}, {0x10000548, "vncipher"},
      {0x10221D49, "vncipherlast"}, {0x102205C8, "vsbox"},       {0x10221C08, "vpmsumb"},
      {0x10221C48, "vpmsumh"},      {0x10221C88, "vpmsumw"},     {0x10221CC8, "vpmsumd"},
      {0x1022192D, "vpermxor"},     {0x10227E82, "vshasigmaw"},  {0x102286C2, "vshasigmad"},
  };
  for (const auto& [word, mnemonic] : kWords) {
    const int insn = incore_power_insn(word);
    ASSERT_GE(insn, 0) << mnemonic;
    EXPECT_STREQ(scan::kPowerMnemonics[insn], mnemonic);
  }
  // Neighbours: vxor, vperm, vsbox with a register where it has none, another primary opcode.
  for (const uint32_t word : {0x102214C4u, 0x1022192Bu, 0x10220DC8u, 0x14221D08u, 0u})
    EXPECT_EQ(incore_power_insn(word), -1) << std::hex << word;
}

// Any damage: no site outside the file, and an end.
TEST_P(scan_power_site_finder, survives_damage) {
  const std::string small = read_file(library()), large = read_file(GetParam().guest("each_insn"));
  for_each_seed(400, [&](uint64_t seed) {
    SeededChoices choices(seed);
    std::string file = choices.chance(2) ? small : large;
    const size_t range = choices.chance(2) ? file.size() : 64 + 10 * 56;
    for (uint64_t flips = 1 + choices.below(20); flips > 0; --flips)
      file[choices.below(range)] = static_cast<char>(choices.below(256));
    if (choices.chance(4)) file.resize(choices.below(file.size()));
    const FoundSites found = find_in(file);
    if (!found.error.empty()) {
      EXPECT_TRUE(found.sites.empty());
    }
    for (const Site& site : found.sites) {
      EXPECT_LE(site.file_offset, file.size());
      EXPECT_LE(site.length, file.size() - site.file_offset);
    }
  });
}

}  // namespace
}  // namespace incore::test
