#include "padlock/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "padlock/encodings.h"
#include "padlock/insn.h"
#include "support/hex.h"

namespace incore::padlock {
namespace {

Decoded decode_hex(const std::string& hex, CodeSize code_size = CodeSize::bits32) {
  const test::Bytes code = test::from_hex(hex);
  return decode(code.data(), code.size(), code_size);
}

TEST(padlock_decode, finds_each_instruction_by_its_bytes) {
  std::set<std::string> found;
  for (const auto& [bytes, mnemonic] : test::kEncodings) {
    const Decoded d = decode_hex(std::string(bytes) + "90");
    ASSERT_NE(d.insn, nullptr) << mnemonic;
    EXPECT_STREQ(d.insn->mnemonic, mnemonic) << bytes;
    EXPECT_EQ(d.length, std::string(bytes).size() / 2);
    found.insert(d.insn->mnemonic);
  }
  size_t num_insns;
  const Insn* const* const all = insns(&num_insns);
  for (size_t i = 0; i < num_insns; ++i)
    EXPECT_EQ(found.count(all[i]->mnemonic), 1u)
        << "tests/padlock/encodings.h lacks " << all[i]->mnemonic;
}

TEST(padlock_decode, notes_prefixes_in_any_order) {
  const Decoded d = decode_hex("66f3672ef0f20fa7c8");
  EXPECT_EQ(d.insn, &xcrypt_ecb);
  EXPECT_EQ(d.length, 9);
  EXPECT_TRUE(d.rep && d.repne && d.operand_size && d.address_size && d.lock);
  EXPECT_EQ(decode_hex("0fa7c8").insn, &xcrypt_ecb);  // #UD when it executes
  EXPECT_FALSE(decode_hex("0fa7c8").rep);
}

TEST(padlock_decode, takes_rex_as_a_prefix_in_64_bit_code_only) {
  EXPECT_EQ(decode_hex("f3480fa7c8", CodeSize::bits64).insn, &xcrypt_ecb);
  EXPECT_EQ(decode_hex("f3480fa7c8", CodeSize::bits32).insn, nullptr);
}

TEST(padlock_decode, ignores_the_low_three_bits_of_the_modrm_byte) {
  EXPECT_EQ(decode_hex("f30fa7cf").insn, &xcrypt_ecb);
  EXPECT_EQ(decode_hex("0fa7c7").insn, &xstore);
}

TEST(padlock_decode, rejects_what_is_not_padlock_or_cut_short) {
  for (const char* bytes :
       {"", "f3", "f30fa7", "f30fa7f8", "f30fa6f0", "f30fa6f8", "f30fa708", "0f05", "90"})
    EXPECT_EQ(decode_hex(bytes).insn, nullptr) << bytes;
}

TEST(padlock_decode, more_than_15_bytes_are_too_long) {
  for (size_t prefixes = 0; prefixes <= 20; ++prefixes) {
    SCOPED_TRACE(prefixes);
    const Decoded d = decode_hex(std::string(2 * prefixes, '6') + "0fa7c0");
    // clause: PLK-EXC-022
    EXPECT_EQ(d.too_long, prefixes > 12);
    EXPECT_EQ(d.insn, prefixes > 12 ? nullptr : &xstore);
    EXPECT_EQ(d.length, prefixes > 12 ? 0 : 3 + prefixes);
    EXPECT_FALSE(d.cut_short);
  }
  // Another opcode is not PadLock's to judge while it fits.
  EXPECT_FALSE(decode_hex(std::string(2 * 14, '6') + "90").too_long);
  EXPECT_FALSE(decode_hex(std::string(2 * 13, '6') + "0f05").too_long);
}

TEST(padlock_decode, tells_an_opcode_without_its_modrm_byte) {
  for (const char* bytes : {"0fa7", "f30fa6", "6666660fa7"}) {
    EXPECT_TRUE(decode_hex(bytes).cut_short) << bytes;
    EXPECT_FALSE(decode_hex(bytes).too_long) << bytes;
  }
  for (const char* bytes : {"", "f3", "f30f", "0f05", "f30fa7c8", "0fa700"})
    EXPECT_FALSE(decode_hex(bytes).cut_short) << bytes;
}

TEST(padlock_decode, encodings_do_not_overlap) {
  std::set<std::string> encodings, mnemonics;
  size_t num_insns;
  const Insn* const* all = insns(&num_insns);
  for (size_t i = 0; i < num_insns; ++i) {
    EXPECT_EQ(all[i]->opcode[2] & 7, 0) << all[i]->mnemonic;
    EXPECT_TRUE(
        encodings.insert(test::to_hex(all[i]->opcode, 3) + (all[i]->rep ? "rep" : "")).second);
    EXPECT_TRUE(mnemonics.insert(all[i]->mnemonic).second);
  }
}

TEST(padlock_decode, list_and_folder_agree) {
  std::set<std::string> files, listed;
  for (const auto& entry :
       std::filesystem::directory_iterator(INCORE_SOURCE_DIR "/src/padlock/insns"))
    files.insert(entry.path().stem());
#define X(name) listed.insert(#name);
#include "padlock/insns.def"
#undef X
  EXPECT_EQ(files, listed);
}

}  // namespace
}  // namespace incore::padlock
