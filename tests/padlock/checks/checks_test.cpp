// The list of the checks, and those of unit and prefixes, which all instructions share.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "padlock/checks/checked.h"
#include "padlock/machine_units.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

std::set<std::string> all_clauses() {
  std::ifstream file(INCORE_SOURCE_DIR "/docs/clauses/padlock.tsv");
  std::set<std::string> ids;
  for (std::string line; std::getline(file, line);) ids.insert(line.substr(0, line.find('\t')));
  return ids;
}

TEST(padlock_checks, each_has_a_name_a_remedy_and_rules_with_clauses) {
  const std::set<std::string> clauses = all_clauses();
  std::set<std::string> names;
  size_t num_checks;
  const Check* const* const all = checks(&num_checks);
  for (size_t i = 0; i < num_checks; ++i) {
    const Check& check = *all[i];
    EXPECT_TRUE(names.insert(check.name).second) << check.name << " is there twice";
    EXPECT_NE(check.remedy, nullptr) << check.name;
    EXPECT_TRUE((check.before_insn != nullptr) != (check.before_wrmsr != nullptr)) << check.name;
    ASSERT_NE(check.rules[0].clause, nullptr) << check.name;
    for (const Rule& rule : check.rules) {
      if (rule.clause == nullptr) break;
      EXPECT_TRUE(clauses.count(rule.clause)) << check.name << ": no clause " << rule.clause;
      EXPECT_NE(std::string(rule.what), "") << check.name;
    }
  }
}

// A row of docs/check.md: | `name` | what |
TEST(padlock_checks, each_stands_in_the_document) {
  std::ifstream file(INCORE_SOURCE_DIR "/docs/check.md");
  std::set<std::string> rows;
  for (std::string line; std::getline(file, line);)
    if (line.rfind("| `", 0) == 0) rows.insert(line.substr(3, line.find('`', 3) - 3));
  std::set<std::string> names;
  size_t num_checks;
  const Check* const* const all = checks(&num_checks);
  for (size_t i = 0; i < num_checks; ++i) names.insert(all[i]->name);
  EXPECT_EQ(rows, names);
}

TEST(padlock_checks, each_operand_has_a_name) {
  for (unsigned i = 1; i < static_cast<unsigned>(Operand::count_); ++i)
    EXPECT_NE(std::string(operand_name(static_cast<Operand>(i))), "") << i;
}

// Valid uses of every instruction, on every model that has it.
TEST(padlock_checks, say_nothing_of_valid_use) {
  for (const char* model : {"nehemiah", "esther", "esther9", "nano"}) {
    Machine m(model);
    for (const Mode mode : {Mode::ecb, Mode::cbc, Mode::cfb, Mode::ofb, Mode::ctr}) {
      if (mode == Mode::ctr && !m.processor.model().ctr) continue;
      for (const size_t key_len : {16, 24, 32})
        for (const bool decrypt : {false, true}) {
          XcryptJob::standard(mode, decrypt, random_bytes(key_len, 1), random_bytes(16 * 7, 2))
              .prepare(m);
          m.memory.map(0x100000, 4096);
          EXPECT_EQ(reports(m, opcode_of(mode)), Reports()) << model;
          XcryptJob in_place =
              XcryptJob::standard(mode, decrypt, random_bytes(key_len, 1), random_bytes(96, 2));
          in_place.dest_at = in_place.source_at;
          in_place.prepare(m);
          EXPECT_EQ(reports(m, opcode_of(mode)), Reports()) << model;
        }
    }
    if (!m.processor.model().phe) continue;
    for (const Hash* hash : both_hashes()) {
      set_up_hash(m, *hash, pattern(100));
      EXPECT_EQ(reports(m, hash->code), Reports()) << model;
    }
    set_up_montmul(m, number("5", 32), number("7", 32), number("ffffffffffffffff1d", 32));
    EXPECT_EQ(reports(m, kMontmul), Reports()) << model;
  }
}

TEST(padlock_checks, unusable_unit) {
  Machine c5xl("c5xl");
  XcryptJob().prepare(c5xl);
  EXPECT_EQ(reports(c5xl, kXcryptEcb), Reports({"unusable-unit PLK-START-001"}));
  Machine nehemiah("nehemiah");
  XcryptJob job = XcryptJob::standard(Mode::ctr, false, Bytes(16), Bytes(32));
  job.prepare(nehemiah);
  EXPECT_EQ(reports(nehemiah, kXcryptCtr), Reports({"unusable-unit PLK-ACE-032"}));
  EXPECT_EQ(reports(nehemiah, kXcryptEcb), Reports());
  set_msr(nehemiah, kMsrFcr, 0);
  EXPECT_EQ(reports(nehemiah, kXcryptEcb), Reports({"unusable-unit PLK-START-002"}));
  nehemiah.state().cr4 = 0;
  EXPECT_EQ(reports(nehemiah, kXcryptEcb), Reports({"unusable-unit PLK-START-003"}));
}

TEST(padlock_checks, repne_prefix) {
  constexpr uint8_t kRepne = 0xF2;
  Machine m("nano");
  XcryptJob::standard(Mode::cbc, false, Bytes(16), Bytes(32)).prepare(m);
  // clause: PLK-ACE-061
  EXPECT_EQ(reports(m, with_prefix(kRepne, kXcryptCbc)), Reports({"repne-prefix PLK-ACE-061"}));
  m.memory.map(0x50000, 4096);
  m.state().rdi = 0x50000;
  m.state().rdx = 0;
  // clause: PLK-RNG-028
  EXPECT_EQ(reports(m, with_prefix(kRepne, kXstore)), Reports({"repne-prefix PLK-RNG-028"}));
  for (const Hash* hash : both_hashes()) {
    set_up_hash(m, *hash, pattern(3));
    // clause: PLK-PHE-033
    EXPECT_EQ(reports(m, with_prefix(kRepne, hash->code)), Reports({"repne-prefix PLK-PHE-033"}));
  }
  set_up_montmul(m, number("5", 32), number("7", 32), number("b", 32));
  // clause: PLK-PMM-042
  EXPECT_EQ(reports(m, with_prefix(kRepne, kMontmul)), Reports({"repne-prefix PLK-PMM-042"}));
}

TEST(padlock_checks, missing_rep) {
  Machine m("nano");
  XcryptJob::standard(Mode::cbc, false, Bytes(16), Bytes(32)).prepare(m);
  for (const uint8_t opcode : {0xC8, 0xD0, 0xD8, 0xE0, 0xE8})
    // clause: PLK-EXC-014
    EXPECT_EQ(reports(m, {0x0F, 0xA7, opcode}), Reports({"missing-rep PLK-EXC-014"}));
  EXPECT_EQ(reports(m, {0x0F, 0xA6, 0xC8}), Reports({"missing-rep PLK-EXC-015"}));
  m.memory.map(0x50000, 4096);
  m.state().rdi = 0x50000;
  m.state().rdx = 0;
  EXPECT_EQ(reports(m, kXstore), Reports());
}

TEST(padlock_checks, operand_size_prefix) {
  constexpr uint8_t kOperandSize = 0x66;
  Machine m("nano");
  XcryptJob::standard(Mode::cbc, false, Bytes(16), Bytes(32)).prepare(m);
  EXPECT_EQ(reports(m, with_prefix(kOperandSize, kXcryptCbc)),
            Reports({"operand-size-prefix PLK-ACE-060"}));
  m.memory.map(0x50000, 4096);
  m.state().rdi = 0x50000;
  m.state().rdx = 0;
  // clause: PLK-RNG-037
  EXPECT_EQ(reports(m, with_prefix(kOperandSize, kXstore)),
            Reports({"operand-size-prefix PLK-RNG-037"}));
  set_up_montmul(m, number("5", 32), number("7", 32), number("b", 32));
  EXPECT_EQ(reports(m, with_prefix(kOperandSize, kMontmul)), Reports());
}

// ---- EFLAGS bit 30 as a front-end follows it ----

TEST(padlock_checks, clears_key_loaded_is_what_stores_or_loads_eflags_as_a_whole) {
  const auto clears = [](const Bytes& code, CodeSize size = CodeSize::bits64) {
    return clears_key_loaded(code.data(), code.size(), size);
  };
  const Bytes clearing[] = {{0x9C}, {0x9D},       {0x66, 0x9C}, {0xCF}, {0x48, 0xCF}, {0xCD, 0x80},
                            {0xCC}, {0x0F, 0x05}, {0x0F, 0x34}, kXsha1, kXsha256};
  for (const Bytes& code : clearing) EXPECT_TRUE(clears(code)) << to_hex(code);
  const Bytes harmless[] = {{0x9F},              // LAHF
                            {0x9E},              // SAHF
                            {0x0F, 0x94, 0xC0},  // SETE AL
                            {0x0F, 0x44, 0xC1},  // CMOVE
                            {0x90},
                            {0xC3},
                            {0x0F, 0xA2},  // CPUID
                            {0x0F, 0x31},  // RDTSC
                            kXcryptEcb,
                            kXstore,
                            kMontmul,
                            {0x66},
                            {}};
  for (const Bytes& code : harmless)
    // clause: PLK-MULTI-027
    EXPECT_FALSE(clears(code)) << to_hex(code);
  // 0x48 is REX.W in 64-bit code and DEC EAX elsewhere.
  EXPECT_FALSE(clears({0x48, 0x9C}, CodeSize::bits32));
  EXPECT_TRUE(clears({0x48, 0x9C}));
}

}  // namespace
}  // namespace incore::padlock::test
