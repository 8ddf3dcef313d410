// The checks of the control word of REP XCRYPT.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

TEST(padlock_checks_control_word, undefined_fields) {
  Prepared p(job_of(Mode::cbc));
  p.set_control(standard_control());
  EXPECT_EQ(p.look(), Reports());
  p.set_control(standard_control() | kCwCiphr);
  // clause: PLK-ACE-095
  EXPECT_EQ(p.look(), Reports({"cipher-bit PLK-ACE-095"}));
  EXPECT_EQ(p.checked.operands, std::vector<Operand>{Operand::control_word});
  for (const uint32_t key_size : {1u, 2u}) {
    p.set_control(12 | key_size << kCwKsizeShift);
    // clause: PLK-ACE-097
    EXPECT_EQ(p.look(), Reports({"key-size PLK-ACE-097"})) << key_size;
    // clause: LJ-038
    p.set_control((10 + 2 * key_size) | key_size << kCwKsizeShift | kCwKeygn);
    p.put_schedule(16 + 8 * key_size);
    EXPECT_EQ(p.look(), Reports()) << key_size;
  }
  // clause: PLK-TOOL-114
  for (const uint32_t undefined : {0x40Cu, 0x80Eu}) {
    p.set_control(undefined);
    EXPECT_EQ(p.look(), Reports({"key-size PLK-ACE-097"}));
    p.set_control(undefined | kCwKeygn);
    p.put_schedule(undefined == 0x40C ? 24 : 32);
    EXPECT_EQ(p.look(), Reports());
  }
  for (const uint32_t keygn : {0u, kCwKeygn}) {
    p.set_control(10 | 3 << kCwKsizeShift | keygn);
    // clause: PLK-ACE-102
    EXPECT_EQ(p.look(), Reports({"key-size PLK-ACE-102"}));
  }
}

TEST(padlock_checks_control_word, reserved_bits) {
  for (unsigned bit = 12; bit < 128; ++bit) {
    Prepared p(job_of(Mode::ecb));
    Bytes word = p.job.control.bytes();
    word[bit / 8] = static_cast<uint8_t>(word[bit / 8] | 1 << bit % 8);
    p.m.put(p.job.control_at, word);
    // clause: PLK-ACE-103
    EXPECT_EQ(p.look(), Reports({"reserved-bits PLK-ACE-103"})) << bit;
  }
}

// A program that sets the fields of a control word on the stack, and nothing else in it.
TEST(padlock_checks_control_word, fields_set_in_memory_that_was_not_cleared) {
  for (const bool cleared : {false, true}) {
    Prepared p(job_of(Mode::cbc));
    Bytes word = cleared ? Bytes(16) : Bytes(16, 0xA5);
    constexpr uint32_t kFields = 0xFFF;
    store_le32(word.data(), (load_le32(word.data()) & ~kFields) | standard_control());
    p.m.put(p.job.control_at, word);
    // clause: LJ-042
    EXPECT_EQ(p.look(), cleared ? Reports() : Reports({"reserved-bits PLK-ACE-103"}));
  }
}

TEST(padlock_checks_control_word, bits_that_need_ace2) {
  Prepared c5p(job_of(Mode::cbc), "nehemiah"), c5j(job_of(Mode::cbc), "esther9");
  c5p.set_control(standard_control() | kCwDgest);
  // clause: PLK-ACE-090
  EXPECT_EQ(c5p.look(), Reports({"nehemiah-bits PLK-ACE-090"}));
  c5p.set_control(standard_control() | kCwAlign);
  // clause: PLK-ACE-093
  EXPECT_EQ(c5p.look(), Reports({"nehemiah-bits PLK-ACE-093"}));
  c5j.set_control(standard_control() | kCwAlign | kCwDgest);
  EXPECT_EQ(c5j.look(), Reports());
}

TEST(padlock_checks_control_word, intermediate_results_of_decryption_need_keys_in_memory) {
  Prepared p(job_of(Mode::ecb));
  p.m.memory.map(p.job.key_at, 256);
  p.set_control(standard_control() | kCwInter | kCwCrypt);
  // clause: PLK-ACE-077
  EXPECT_EQ(p.look(), Reports({"intermediate-keys PLK-ACE-077"}));
  p.set_control(standard_control() | kCwInter | kCwCrypt | kCwKeygn);
  EXPECT_EQ(p.look(), Reports());
  p.set_control(standard_control() | kCwInter);
  EXPECT_EQ(p.look(), Reports());
}

TEST(padlock_checks_control_word, sixteen_rounds_of_keys_in_memory) {
  Prepared p(job_of(Mode::ecb));
  p.m.memory.map(p.job.key_at, 256);
  p.set_control(kCwKeygn);
  // clause: PLK-ACE-086
  EXPECT_EQ(p.look(), Reports({"sixteen-rounds PLK-ACE-086"}));
  p.set_control(0);
  EXPECT_EQ(p.look(), Reports());
}

TEST(padlock_checks_control_word, digest_in_place) {
  for (const Mode mode : {Mode::cbc, Mode::cfb}) {
    XcryptJob job = job_of(mode);
    job.control.digest = true;
    EXPECT_EQ(Prepared(job).look(), Reports());
    job.dest_at = job.source_at;
    // clause: PLK-ACE-040
    EXPECT_EQ(Prepared(job).look(), Reports({"digest-in-place PLK-ACE-040"}));
  }
}

}  // namespace
}  // namespace incore::padlock::test
