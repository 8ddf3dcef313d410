// Loads, stores, moves and permutations of the vector unit, clause by clause.
#include <cctype>
#include <fstream>
#include <regex>
#include <set>

#include "vemicry/rig.h"

namespace incore::vemicry::test {
namespace {

const Words kCount = {10, 11, 12, 13, 14, 15, 16, 17};

constexpr uint32_t kOldWord = 0xDEADBEEF;
const Words kOld(8, kOldWord);

// S-box of FIPS 197, figure 7, its first 16 bytes.
constexpr uint8_t kSboxRow[] = {0x63, 0x7C, 0x77, 0x7B, 0xF2, 0x6B, 0x6F, 0xC5,
                                0x30, 0x01, 0x67, 0x2B, 0xFE, 0xD7, 0xAB, 0x76};

TEST(vemicry_isa_vbyteld, bytes_become_those_of_the_table) {
  for (const uint32_t table : {kData, kData + 13, kData + 0xFF8}) {  // odd, and across a page
    Rig rig;
    ASSERT_TRUE(rig.machine.memory().write(table, kSboxRow, sizeof kSboxRow));
    rig.s.gpr[8] = table;
    rig.set_v(1, {0x00010203, 0x0C0D0E0F});
    // clause: VM-ISA-009
    // clause: VM-ISA-013
    rig.done({vbyteld(1, 8, 2)});
    EXPECT_EQ(rig.v(1)[0], 0x637C777Bu);
    EXPECT_EQ(rig.v(1)[1], 0xFED7AB76u);
  }
}

TEST(vemicry_isa_vbyteld, the_sum_of_base_and_byte_wraps) {
  Rig rig;
  ASSERT_TRUE(rig.machine.memory().map(0, 4096));
  const uint8_t low[] = {0xA0, 0xA1, 0xA2};
  ASSERT_TRUE(rig.machine.memory().write(0, low, sizeof low));
  rig.s.gpr[8] = 0xFFFFFFFE;
  rig.set_v(1, {0x02030402});
  // clause: VM-ISA-013
  rig.done({vbyteld(1, 8, 1)});
  EXPECT_EQ(rig.v(1)[0], 0xA0A1A2A0u);
}

TEST(vemicry_isa_vbyteld, words_beyond_n_stay) {
  Rig rig;
  ASSERT_TRUE(rig.machine.memory().write(kData, kSboxRow, sizeof kSboxRow));
  rig.s.gpr[8] = kData;
  Words words(8, 0);
  rig.set_v(1, words);
  // clause: VM-ISA-011
  rig.done({vbyteld(1, 8, 1)});
  words[0] = 0x63636363;
  EXPECT_EQ(rig.v(1), words);
  // clause: VM-ISA-012
  rig.set_v(1, Words(8, 0));
  rig.done({vbyteld(1, 8, 0)});
  EXPECT_EQ(rig.v(1), Words(8, 0x63636363));
  EXPECT_EQ(rig.exception({vbyteld(1, 8, 9)}), Exception::reserved_instruction);
}

TEST(vemicry_isa_vbyteld, an_unmapped_byte_changes_nothing) {
  Rig rig;
  rig.s.gpr[8] = kData + kDataLen - 4;
  rig.set_v(1, {0, 0x01020304});
  const Trap trap = rig.trap({vbyteld(1, 8, 2)});
  EXPECT_EQ(trap.exception, Exception::bus_error_data);
  EXPECT_EQ(trap.address, kData + kDataLen);
  EXPECT_EQ(rig.v(1)[1], 0x01020304u);
}

TEST(vemicry_isa_vload, consecutive_words_and_zeros_behind_them) {
  Rig rig;
  rig.write(kData, kCount);
  rig.s.gpr[8] = kData;
  // clause: VM-ISA-014
  // clause: VM-ISA-016
  // clause: VM-ARCH-021
  rig.done({vload(1, 8, 0)});
  EXPECT_EQ(rig.v(1), kCount);
  rig.done({vload(1, 8, 8), vextract(9, 1, 1)});
  EXPECT_EQ(rig.v(1), kCount);
  EXPECT_EQ(rig.s.gpr[9], kCount[0]);  // the word at the lowest address
  rig.set_v(1, kOld);
  // clause: VM-ISA-015
  rig.done({vload(1, 8, 6)});
  EXPECT_EQ(rig.v(1), (Words{10, 11, 12, 13, 14, 15, 0, 0}));
}

TEST(vemicry_isa_vload, reserved_counts_and_bad_addresses) {
  Rig rig;
  rig.s.gpr[8] = kData;
  rig.set_v(1, kOld);
  // clause: VM-ISA-016
  EXPECT_EQ(rig.exception({vload(1, 8, 9)}), Exception::reserved_instruction);
  rig.s.gpr[8] = kData + 2;
  const Trap unaligned = rig.trap({vload(1, 8, 1)});
  EXPECT_EQ(unaligned.exception, Exception::address_error_load);
  EXPECT_EQ(unaligned.address, kData + 2);
  rig.s.gpr[8] = kData + kDataLen - 12;
  const Trap unmapped = rig.trap({vload(1, 8, 8)});
  EXPECT_EQ(unmapped.exception, Exception::bus_error_data);
  EXPECT_EQ(unmapped.address, kData + kDataLen);
  EXPECT_EQ(rig.v(1), kOld);
}

TEST(vemicry_isa_vstore, n_words_and_no_more) {
  Rig rig;
  rig.write(kData, kOld);
  rig.s.gpr[8] = kData;
  rig.set_v(1, kCount);
  // clause: VM-ISA-040
  rig.done({vstore(8, 1, 6)});
  EXPECT_EQ(rig.read(kData, 8), (Words{10, 11, 12, 13, 14, 15, kOldWord, kOldWord}));
  // clause: VM-ISA-041
  rig.done({vstore(8, 1, 0)});
  EXPECT_EQ(rig.read(kData, 8), kCount);
  EXPECT_EQ(rig.read(kData + 32, 1)[0], 0u);
  EXPECT_EQ(rig.exception({vstore(8, 1, 9)}), Exception::reserved_instruction);
  rig.s.gpr[8] = kData + 1;
  EXPECT_EQ(rig.exception({vstore(8, 1, 1)}), Exception::address_error_store);
}

TEST(vemicry_isa_vstore, a_bus_error_stores_nothing) {
  Rig rig;
  const uint32_t address = kData + kDataLen - 8;
  rig.s.gpr[8] = address;
  rig.set_v(1, kCount);
  const Trap trap = rig.trap({vstore(8, 1, 0)});
  EXPECT_EQ(trap.exception, Exception::bus_error_data);
  EXPECT_EQ(trap.address, kData + kDataLen);
  EXPECT_EQ(rig.read(address, 2), (Words{0, 0}));
}

TEST(vemicry_isa_vextract, words_are_counted_from_1_and_0_is_car) {
  Rig rig;
  rig.set_v(1, kCount);
  rig.s.car = 99;
  // clause: VM-ISA-019
  rig.done({vextract(9, 1, 1), vextract(10, 1, 8)});
  EXPECT_EQ(rig.s.gpr[9], 10u);
  EXPECT_EQ(rig.s.gpr[10], 17u);
  // clause: VM-ISA-020
  // clause: VM-ISA-057
  rig.done({vextract(9, 1, 0), vextract(10, 7, 0)});
  EXPECT_EQ(rig.s.gpr[9], 99u);
  EXPECT_EQ(rig.s.gpr[10], 99u);
  // clause: VM-ISA-021
  EXPECT_EQ(rig.exception({vextract(9, 1, 9)}), Exception::reserved_instruction);
}

TEST(vemicry_isa_transfers, register_0_stays_0) {
  Rig rig;
  rig.set_v(1, kCount);
  rig.s.vcr = 5;
  // clause: VM-ISA-004
  rig.done({vextract(0, 1, 1), mfvcr(0), vsmove(2, 0, 0)});
  EXPECT_EQ(rig.s.gpr[0], 0u);
  EXPECT_EQ(rig.v(2), Words(8, 0));
}

// Of a register of 80 words, 63 can be counted.
TEST(vemicry_isa_transfers, counts_have_six_bits) {
  Config config;
  config.p = 80;
  for (const uint32_t n : {31u, 32u, 33u, 62u, 63u, 0u}) {
    const uint32_t counted = n == 0 ? 80 : n;
    SCOPED_TRACE(n);
    Rig rig(config);
    Words words(80), first(80), moved(80, kOldWord);
    for (uint32_t i = 0; i < 80; ++i) words[i] = 100 + i;
    std::copy_n(words.begin(), counted, first.begin());
    std::fill_n(moved.begin(), counted, 7);
    rig.write(kData, words);
    rig.s.gpr[8] = kData;
    rig.s.gpr[9] = 7;
    rig.s.gpr[10] = kData + 4 * 80;
    rig.s.car = 99;
    rig.set_v(2, Words(80, kOldWord));
    rig.set_v(3, words);
    // clause: VM-ISA-061
    rig.done({vload(1, 8, n), vsmove(2, 9, n), vstore(10, 3, n), vextract(11, 3, n)});
    EXPECT_EQ(rig.v(1), first);
    EXPECT_EQ(rig.v(2), moved);
    EXPECT_EQ(rig.read(kData + 4 * 80, 80), first);
    EXPECT_EQ(rig.s.gpr[11], n == 0 ? 99 : words[n - 1]);
  }
}

TEST(vemicry_isa_vsmove, the_first_n_words_or_all) {
  Rig rig;
  rig.s.gpr[9] = 7;
  rig.set_v(1, kCount);
  // clause: VM-ISA-037
  // clause: VM-ISA-038
  rig.done({vsmove(1, 9, 1)});
  EXPECT_EQ(rig.v(1), (Words{7, 11, 12, 13, 14, 15, 16, 17}));
  rig.done({vsmove(1, 9, 0)});
  EXPECT_EQ(rig.v(1), Words(8, 7));
  rig.set_v(1, kCount);
  rig.done({vsmove(1, 9, 8)});
  EXPECT_EQ(rig.v(1), Words(8, 7));
  // clause: VM-ISA-039
  EXPECT_EQ(rig.exception({vsmove(1, 9, 9)}), Exception::reserved_instruction);
}

TEST(vemicry_isa_vtransp, stride_0_copies) {
  Rig rig;
  rig.set_v(1, kCount);
  // clause: VM-ISA-022
  rig.done({vtransp(2, 1, 0)});
  EXPECT_EQ(rig.v(2), kCount);
}

TEST(vemicry_isa_vtransp, row_0_is_the_most_significant_byte) {
  Config config;
  config.p = config.r = 4;
  Rig rig(config);
  rig.set_v(1, {0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F});
  // clause: VM-ISA-025
  for (const uint32_t n : {1u, 2u, 4u}) {
    rig.done({vtransp(2, 1, n)});
    EXPECT_EQ(rig.v(2), (Words{0x0004080C, 0x0105090D, 0x02060A0E, 0x03070B0F})) << n;
  }
}

TEST(vemicry_isa_vtransp, the_stride_says_where_the_rows_go) {
  Rig rig;
  rig.set_v(1, {0x00102030, 0x01112131, 0x02122232, 0x03132333,  //
                0x04142434, 0x05152535, 0x06162636, 0x07172737});
  const uint32_t row[4][2] = {{0x00010203, 0x04050607},
                              {0x10111213, 0x14151617},
                              {0x20212223, 0x24252627},
                              {0x30313233, 0x34353637}};
  // clause: VM-ISA-023
  rig.done({vtransp(2, 1, 4)});
  EXPECT_EQ(rig.v(2), (Words{row[0][0], row[1][0], row[2][0], row[3][0],  //
                             row[0][1], row[1][1], row[2][1], row[3][1]}));
  // clause: VM-ISA-024
  rig.done({vtransp(2, 1, 1)});
  EXPECT_EQ(rig.v(2), (Words{row[0][0], row[0][1], row[1][0], row[1][1],  //
                             row[2][0], row[2][1], row[3][0], row[3][1]}));
  rig.done({vtransp(2, 1, 2)});
  EXPECT_EQ(rig.v(2), (Words{row[0][0], row[1][0], row[0][1], row[1][1],  //
                             row[2][0], row[3][0], row[2][1], row[3][1]}));
  for (uint32_t n = 3; n < 64; n += n == 3 ? 2 : 1)
    EXPECT_EQ(rig.exception({vtransp(2, 1, n)}), Exception::reserved_instruction) << n;
  Config config;
  config.p = config.r = 6;
  Rig six(config);
  EXPECT_EQ(six.exception({vtransp(2, 1, 4)}), Exception::reserved_instruction);
}

TEST(vemicry_isa_vtransp, stride_4_is_its_own_inverse) {
  Random random(3);
  for (const uint32_t p : {4u, 8u, 36u, 68u}) {
    Config config;
    config.p = p;
    config.r = 4;
    Rig rig(config);
    rig.set_v(1, random.words(p));
    // clause: VM-ISA-026
    rig.done({vtransp(2, 1, 4), vtransp(3, 2, 4)});
    EXPECT_NE(rig.v(2), rig.v(1));
    EXPECT_EQ(rig.v(3), rig.v(1));
  }
}

TEST(vemicry_isa_vwshl, towards_higher_words_and_car_gets_word_p) {
  Rig rig;
  rig.set_v(1, kCount);
  // clause: VM-ISA-048
  // clause: VM-ISA-049
  rig.done({vwshl(2, 1, 1)});
  EXPECT_EQ(rig.v(2), (Words{0, 10, 11, 12, 13, 14, 15, 16}));
  EXPECT_EQ(rig.s.car, 17u);
  // clause: VM-ISA-050
  rig.done({vwshl(2, 1, 4)});
  EXPECT_EQ(rig.v(2), (Words{0, 0, 0, 0, 10, 11, 12, 13}));
  EXPECT_EQ(rig.s.car, 14u);
  rig.done({vwshl(2, 1, 8)});
  EXPECT_EQ(rig.v(2), Words(8, 0));
  EXPECT_EQ(rig.s.car, 10u);
  rig.done({vwshl(2, 1, 9)});
  EXPECT_EQ(rig.s.car, 0u);
  rig.s.car = 5;
  rig.done({vwshl(2, 1, 0)});
  EXPECT_EQ(rig.v(2), kCount);
  EXPECT_EQ(rig.s.car, 5u);
}

TEST(vemicry_isa_vwshr, towards_lower_words_with_car_as_word_p) {
  Rig rig;
  rig.set_v(1, kCount);
  rig.s.car = 99;
  // clause: VM-ISA-051
  rig.done({vwshr(2, 1, 1)});
  EXPECT_EQ(rig.v(2), (Words{11, 12, 13, 14, 15, 16, 17, 99}));
  // clause: VM-ISA-052
  rig.done({vwshr(2, 1, 2)});
  EXPECT_EQ(rig.v(2), (Words{12, 13, 14, 15, 16, 17, 99, 0}));
  // clause: VM-ISA-053
  EXPECT_EQ(rig.s.car, 99u);
  rig.done({vwshr(2, 1, 8)});
  EXPECT_EQ(rig.v(2), (Words{99, 0, 0, 0, 0, 0, 0, 0}));
  rig.done({vwshr(2, 1, 9)});
  EXPECT_EQ(rig.v(2), Words(8, 0));
  rig.done({vwshr(2, 1, 0)});
  EXPECT_EQ(rig.v(2), kCount);
  EXPECT_EQ(rig.s.car, 99u);
}

TEST(vemicry_isa_vcr, moves_32_bits_both_ways) {
  Rig rig;
  for (const uint32_t value : {0x11Bu, 0xFFFFFFFFu, 0x80000001u}) {
    rig.s.gpr[9] = value;
    // clause: VM-ISA-054
    // clause: VM-ISA-055
    // clause: VM-ISA-056
    // clause: VM-ARCH-016
    rig.done({mtvcr(9), mfvcr(10)});
    EXPECT_EQ(rig.s.vcr, value);
    EXPECT_EQ(rig.s.gpr[10], value);
  }
}

TEST(vemicry_isa_car, is_saved_by_vextract_and_restored_by_vsmove_and_vwshl) {
  Rig rig;
  rig.s.car = 0x12345678;
  rig.set_v(1, Words(8, 0xFFFFFFFF));
  rig.s.gpr[9] = 2;
  // clause: VM-ISA-058
  rig.done({vextract(10, 0, 0), vspmult(2, 1, 9), vsmove(3, 10, 0), vwshl(3, 3, 1)});
  EXPECT_EQ(rig.s.car, 0x12345678u);
  EXPECT_EQ(rig.v(2)[0], 0xFFFFFFFEu);
}

// The statement of a clause of docs/clauses/vemicry.tsv.
std::string statement_of(const std::string& clause) {
  std::ifstream file(INCORE_SOURCE_DIR "/docs/clauses/vemicry.tsv");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(clause + "\t", 0) == 0) return line;
  ADD_FAILURE() << "there is no clause " << clause;
  return "";
}

// VM-ISA-001 has the paper's; a clause of area "set" each of ours.
TEST(vemicry_isa_set, is_mips_and_what_the_clauses_name) {
  std::set<std::string> expected, found;
  // clause: VM-ISA-001
  std::string text = statement_of("VM-ISA-001");
  EXPECT_NE(text.find("plus 17 vector instructions"), std::string::npos);
  std::ifstream clauses(INCORE_SOURCE_DIR "/docs/clauses/vemicry.tsv");
  for (std::string line; std::getline(clauses, line);)
    if (line.find("\tset\t") != std::string::npos) text += line;
  const std::regex mnemonic("\\b((?!VCR)V[A-Z]{2,}|M[TF]VCR)\\b");
  for (std::sregex_iterator i(text.begin(), text.end(), mnemonic), end; i != end; ++i)
    expected.insert(i->str());
  for (const Insn* insn : vector_insns()) {
    std::string name = insn->mnemonic;
    for (char& c : name) c = static_cast<char>(std::toupper(c));
    found.insert(name);
  }
  EXPECT_EQ(found, expected) << "docs/clauses/vemicry.tsv needs a clause of area \"set\" for each "
                                "more than VM-ISA-001 has";
}

// Every word of coprocessor 2 is one of them or reserved; fields that no operand fills must be 0.
TEST(vemicry_isa_set, all_other_words_of_the_coprocessor_are_reserved) {
  struct Fields {
    const Insn* insn = nullptr;
    uint32_t r = 0, vd = 0, vj = 0, n = 0;
  } of_function[64];
  for (const Insn* insn : insns_with_function()) {
    const auto all_if = [&](const char* name, uint32_t mask) {
      return has_operand(*insn, name) ? mask : 0;
    };
    Fields& fields = of_function[Word{insn->word}.funct()];
    ASSERT_EQ(fields.insn, nullptr) << insn->mnemonic << " and " << fields.insn->mnemonic;
    fields = {insn, all_if("vk", 15) | all_if("r", 31) | all_if("(r)", 31), all_if("vd", 15),
              all_if("vj", 15), all_if("n", 63)};
  }
  // clause: VM-ISA-001
  for (uint32_t i = 0; i < 1 << 21; ++i) {
    const uint32_t funct = i % 64, n = i / 64 % 8 * 9, rest = i / 512;  // n: 0, 9 ... 63
    const uint32_t r = rest % 32, vd = rest / 32 % 16, vj = rest / 512 % 8 * 2;
    const Fields& f = of_function[funct];
    const bool exists =
        (r & ~f.r) == 0 && (vd & ~f.vd) == 0 && (vj & ~f.vj) == 0 && (n & ~f.n) == 0;
    ASSERT_EQ(decode(Word{vector(funct, r, vd, vj, n)}), exists ? f.insn : nullptr)
        << funct << " " << r << " " << vd << " " << vj << " " << n;
  }
}

}  // namespace
}  // namespace incore::vemicry::test
