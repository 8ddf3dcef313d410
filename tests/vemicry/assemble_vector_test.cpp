// The vector instructions as the assembler takes them: spellings, operands, limits of the machine,
// and what the slips of the paper's listings do here.
#include "vemicry/assemble_testing.h"
#include "vemicry/elf.h"
#include "vemicry/machine.h"

namespace incore::vemicry::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(vemicry_assemble_vector, every_mnemonic_has_the_word_that_its_fields_make) {
  // clause: VM-ISA-059
  EXPECT_EQ(word_of("vxor v3, v5, v6"), 0x4A000000u | 6 << 20 | 3 << 16 | 5 << 12 | 0x00);
  EXPECT_EQ(word_of("vbcrotr v3, v5, 24"), 0x4A000000u | 3 << 16 | 5 << 12 | 24 << 6 | 0x01);
  EXPECT_EQ(word_of("vmpmul v3, v5"), 0x4A000000u | 3 << 16 | 5 << 12 | 0x02);
  EXPECT_EQ(word_of("vsaddu v3, v5, $25"), 0x4A000000u | 25 << 20 | 3 << 16 | 5 << 12 | 0x03);
  EXPECT_EQ(word_of("vaddu v3, v5, v6"), 0x4A000000u | 6 << 20 | 3 << 16 | 5 << 12 | 0x10);
  EXPECT_EQ(word_of("vspmult v3, v5, $25"), 0x4A000000u | 25 << 20 | 3 << 16 | 5 << 12 | 0x11);
  EXPECT_EQ(word_of("vsamult v3, v5, $25"), 0x4A000000u | 25 << 20 | 3 << 16 | 5 << 12 | 0x12);
  EXPECT_EQ(word_of("vtransp v3, v5, 4"), 0x4A000000u | 3 << 16 | 5 << 12 | 4 << 6 | 0x13);
  EXPECT_EQ(word_of("vwshl v3, v5, 1"), 0x4A000000u | 3 << 16 | 5 << 12 | 1 << 6 | 0x14);
  EXPECT_EQ(word_of("vwshr v3, v5, 1"), 0x4A000000u | 3 << 16 | 5 << 12 | 1 << 6 | 0x15);
  EXPECT_EQ(word_of("vload v3, ($25), 6"), 0x4A000000u | 25 << 20 | 3 << 16 | 6 << 6 | 0x20);
  EXPECT_EQ(word_of("vstore ($25), v5, 6"), 0x4A000000u | 25 << 20 | 5 << 12 | 6 << 6 | 0x21);
  EXPECT_EQ(word_of("vbyteld v3, ($25), 6"), 0x4A000000u | 25 << 20 | 3 << 16 | 6 << 6 | 0x22);
  EXPECT_EQ(word_of("vsmove v3, $25, 6"), 0x4A000000u | 25 << 20 | 3 << 16 | 6 << 6 | 0x30);
  EXPECT_EQ(word_of("vextract $25, v5, 6"), 0x4A000000u | 25 << 20 | 5 << 12 | 6 << 6 | 0x31);
}

TEST(vemicry_assemble_vector, vcr_moves_are_those_of_control_register_0_of_coprocessor_2) {
  // clause: VM-ISA-060
  EXPECT_EQ(word_of("mtvcr $11"), 0x48CB0000u);
  EXPECT_EQ(word_of("mfvcr $11"), 0x484B0000u);
  EXPECT_EQ(word_of("cfc2 $11, $1"), 0x484B0800u);
  EXPECT_EQ(word_of("ctc2 $11, $2"), 0x48CB1000u);
  EXPECT_TRUE(contains(error_of("ctc2 $11, $1"), "1:11: the vector unit has no control register"));
  EXPECT_TRUE(contains(error_of("cfc2 $11, $6"), "'$6'"));
}

TEST(vemicry_assemble_vector, registers_are_told_by_their_place) {
  // clause: VM-ALG-030
  EXPECT_EQ(word_of("vload $v0, ($v0), 4"), word_of("vload v0, ($2), 4"));
  EXPECT_EQ(word_of("vspmult $v1, $v0, $v1"), word_of("vspmult v1, v0, $3"));
  EXPECT_EQ(word_of("vextract v1, v1, 1"), word_of("vextract $3, v1, 1"));
  for (const char* const name : {"$11", "R11", "r11", "$t3", "t3", "$T3", "$r11"})
    EXPECT_EQ(word_of(std::string("mtvcr ") + name), 0x48CB0000u) << name;
  EXPECT_EQ(word_of("VSMOVE V3, R4, 0X5"), word_of("vsmove v3, $4, 5"));
  EXPECT_EQ(error_of("vxor v1, $4, v2"), "1:10: '$4' is not a vector register: v0 to v7");
  EXPECT_EQ(error_of("vspmult v1, v2, v3"), "1:17: 'v3' is not a scalar register");
}

TEST(vemicry_assemble_vector, counts_have_six_bits_and_fit_the_machine) {
  AssembleOptions wide;
  wide.p = 256;
  // clause: VM-ISA-002
  for (uint32_t n : {0u, 1u, 8u, 63u})
    EXPECT_EQ(word_of("vload v1, ($4), " + std::to_string(n), wide), 0x4A410020u | n << 6) << n;
  // clause: VM-ISA-061
  EXPECT_EQ(error_of("vload v1, ($4), 64", wide), "1:17: 64 is out of range: 0 to 63");
  EXPECT_EQ(error_of("vbcrotr v1, v1, 64", wide), "1:17: 64 is out of range: 0 to 63");
  EXPECT_EQ(error_of("vwshl v1, v1, -1"), "1:15: -1 is out of range: 0 to 63");
  for (const char* const statement : {"vload v1, ($4), ", "vstore ($4), v1, ", "vbyteld v1, ($4), ",
                                      "vsmove v1, $4, ", "vextract $4, v1, "}) {
    EXPECT_TRUE(errors_of(statement + std::string("8")).empty()) << statement;
    EXPECT_TRUE(contains(error_of(statement + std::string("9")),
                         "the count is 9; this machine has registers of 8 words"));
  }
  EXPECT_TRUE(
      errors_of("vwshl v1, v1, 9\nvbcrotr v1, v1, 31").empty());  // these do not count words
  EXPECT_EQ(error_of("vtransp v1, v1, 3"), "1:17: vtransp takes the counts 0, 1, 2 and 4");
  EXPECT_EQ(error_of("vload v1, ($4), later\n later = 3"), "1:17: the value must be known here");
}

TEST(vemicry_assemble_vector, registers_beyond_those_of_the_machine_are_errors) {
  // clause: VM-TOOL-005
  EXPECT_EQ(error_of("vxor v7, v8, v0"), "1:10: 'v8' does not exist: this machine has v0 to v7");
  AssembleOptions small;
  small.q = 2;
  EXPECT_EQ(error_of("vxor v1, v2, v0", small),
            "1:10: 'v2' does not exist: this machine has v0 to v1");
  small.q = 16;
  EXPECT_EQ(word_of("vxor v15, v15, v15", small), 0x4AFFF000u);
}

TEST(vemicry_assemble_vector, vstore_has_one_order_of_operands) {
  EXPECT_EQ(word_of("vstore ($7), v3, 5"), 0x4A703161u);
  EXPECT_EQ(word_of("vstore $7, v3, 5"), 0x4A703161u);
  EXPECT_EQ(word_of("vload v3, $7, 5"), word_of("vload v3, ($7), 5"));
  // clause: VM-ISA-042
  EXPECT_EQ(error_of("vstore v3, ($7), 5"),
            "1:8: 'v3' is not a scalar register in brackets; the order is vstore (r), vj, n");
  EXPECT_EQ(error_of("vstore v0, ($7), 5"),
            "1:12: '($7)' is not a vector register: v0 to v7; the order is vstore (r), vj, n");
}

TEST(vemicry_assemble_vector, slips_of_the_listings_are_understood_or_refused) {
  // clause: VM-ISA-030
  EXPECT_EQ(error_of("vmpmul v1, v2, $0"), "1:1: vmpmul takes 2 operands: vmpmul vd, vj");
  // clause: VM-ISA-046
  EXPECT_EQ(word_of("vsmult v1, v2, $4"), word_of("vspmult v1, v2, $4"));
  // clause: VM-ALG-009
  EXPECT_EQ(error_of("addiu $4, 14"), "1:1: addiu takes 3 operands: addiu rt, rs, simm");
  // clause: VM-ALG-031
  EXPECT_EQ(word_of("j $31"), word_of("jr $31"));
  EXPECT_EQ(word_of("J R31"), 0x03E00008u);
  EXPECT_EQ(error_of("vmove v0, v2, 4"), "1:1: there is no instruction 'vmove'");
  EXPECT_EQ(error_of("f: g:  vmove v0, v2, 4"), "1:8: there is no instruction 'vmove'");
  EXPECT_EQ(error_of("f: nop; 1: vmove"), "1:12: there is no instruction 'vmove'");
}

// Runs |body| on words at $4 and returns what it leaves there.
std::vector<uint32_t> run_on(const std::string& body, std::vector<uint32_t> words) {
  const Assembly assembly = assemble(body + "\n jr $31\n nop\n .data\n .space 32", {});
  EXPECT_TRUE(assembly.errors.empty()) << testing::PrintToString(errors_of(assembly));
  Image image;
  EXPECT_EQ(read_elf(write_elf(assembly.image), &image), "");
  Config config;
  config.junk = true;
  Machine machine(config);
  EXPECT_TRUE(machine.load(image));
  for (size_t i = 0; i < words.size(); ++i)
    EXPECT_FALSE(
        machine.memory().store<uint32_t>(kDataAddress + 4 * static_cast<uint32_t>(i), words[i]));
  const uint32_t arguments[] = {kDataAddress};
  machine.begin_call(kTextAddress, arguments);
  EXPECT_EQ(machine.run(1000).stop, Stop::exited);
  for (size_t i = 0; i < words.size(); ++i)
    EXPECT_FALSE(
        machine.memory().load<uint32_t>(kDataAddress + 4 * static_cast<uint32_t>(i), &words[i]));
  return words;
}

// ShiftRows of FIPS 197 on the four columns at $4; |n| words are loaded, and |last| ends it.
std::string shift_rows(const std::string& n, const std::string& last) {
  return " vload v0, ($4), " + n +
         "\n vtransp v0, v0, 4\n li $8, 0xA\n mtvcr $8\n vbcrotr v0, v0, 24\n li $8, 0xC\n"
         " mtvcr $8\n vbcrotr v0, v0, 16\n " +
         last + "\n vstore ($4), v0, " + n;
}

TEST(vemicry_assemble_vector, what_is_assembled_runs) {
  const std::vector<uint32_t> state = {0x00010203, 0x10111213, 0x20212223, 0x30313233};
  const std::vector<uint32_t> shifted = {0x00112233, 0x10213203, 0x20310213, 0x30011223};
  // clause: VM-TOOL-003
  EXPECT_EQ(run_on(shift_rows("4", "vtransp v0, v0, 4"), state), shifted);
  // clause: VM-ALG-008
  EXPECT_NE(run_on(shift_rows("4", "vtransp v0, v0, 0"), state), shifted);
  // clause: VM-ALG-010
  EXPECT_NE(run_on(shift_rows("3", "vtransp v0, v0, 4"), state), shifted);
  const std::vector<uint32_t> six = {1, 2, 3, 4, 5, 6}, doubled = {2, 4, 6, 8, 10, 12};
  const auto twice = [](const std::string& n) {
    return "vload v0, ($4), " + n + "\n vaddu v0, v0, v0\n vstore ($4), v0, " + n;
  };
  EXPECT_EQ(run_on(twice("6"), six), doubled);
  EXPECT_NE(run_on(twice("5"), six), doubled);
}

}  // namespace
}  // namespace incore::vemicry::test
