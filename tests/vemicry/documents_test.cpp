// The pages that list the instructions have all of them, as the records say.
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <string>

#include "vemicry/insn.h"

namespace incore::vemicry {
namespace {

std::string page(const std::string& name) {
  std::ifstream file(INCORE_SOURCE_DIR "/docs/vemicry/" + name);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(text.empty()) << name;
  return text;
}

// "vd, (r), n" of "vd,(r),n"
std::string spaced(const std::string& operands) {
  std::string text;
  for (const char c : operands) text += c == ',' ? std::string(", ") : std::string(1, c);
  return text;
}

TEST(vemicry_documents, assembler_page_has_every_encoding) {
  const std::string text = page("assembler.md");
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  for (size_t i = 0; i < kNumVectorInsns; ++i) {
    const Insn& insn = *all[i];
    char row[128];
    if ((insn.word & ~63u) == vector_word(0))
      std::snprintf(row, sizeof row, "| 0x%02x | `%s %s` |", Word{insn.word}.funct(), insn.mnemonic,
                    spaced(insn.operands).c_str());
    else  // an access to a control register
      std::snprintf(row, sizeof row, "`%s r` is `c%cc2 r,$0`", insn.mnemonic, insn.mnemonic[1]);
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
}

TEST(vemicry_documents, machine_page_explains_every_vector_instruction) {
  const std::string text = page("machine.md");
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  for (size_t i = 0; i < kNumVectorInsns; ++i) {
    const std::string row = std::string("| `") + all[i]->mnemonic + " ";
    const std::string second = std::string("`, `") + all[i]->mnemonic + " ";
    EXPECT_TRUE(text.find(row) != std::string::npos || text.find(second) != std::string::npos)
        << all[i]->mnemonic;
  }
}

// The pipeline's page names the class of each, in capitals.
TEST(vemicry_documents, pipeline_page_names_every_class) {
  std::string text = page("pipeline.md");
  const size_t begin = text.find("GIVI are instructions"), end = text.find("\n\n", begin);
  ASSERT_NE(begin, std::string::npos);
  text = text.substr(begin, end - begin);
  const size_t pivi = text.find("PIVI those"), mavi = text.find("MAVI those");
  ASSERT_NE(pivi, std::string::npos);
  ASSERT_NE(mavi, std::string::npos);
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  for (size_t i = 0; i < kNumVectorInsns; ++i) {
    std::string name = all[i]->mnemonic;
    for (char& c : name) c = static_cast<char>(std::toupper(c));
    const bool is_pivi = all[i]->insn_class == Class::pivi,
               is_mavi = all[i]->insn_class == Class::mavi;
    const std::string part = is_mavi   ? text.substr(mavi)
                             : is_pivi ? text.substr(pivi, mavi - pivi)
                                       : text.substr(0, pivi);
    EXPECT_NE(part.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace incore::vemicry
