// Keys of REP XCRYPT: made by the hardware or loaded from memory. PadLock guide 1.66, chapter 3;
// FIPS 197.
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

Bytes ecb_block(const XcryptJob& job) {
  Machine m("esther9");
  EXPECT_TRUE(is_done(job.run(m)));
  return job.output(m);
}

TEST(padlock_ace_keys, hardware_makes_128_bit_keys_for_encryption) {
  // clause: PLK-ACE-065
  // clause: PLK-ACE-070
  EXPECT_EQ(ecb_block(XcryptJob::standard(Mode::ecb, false, kFips128.key, kFipsPlain)),
            kFips128.cipher);
}

TEST(padlock_ace_keys, hardware_makes_128_bit_keys_for_decryption_from_the_same_bytes) {
  // clause: PLK-ACE-066
  EXPECT_EQ(ecb_block(XcryptJob::standard(Mode::ecb, true, kFips128.key, kFips128.cipher)),
            kFipsPlain);
}

TEST(padlock_ace_keys, hardware_key_takes_sixteen_bytes_and_no_more) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    Machine m("esther9");
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, kSpPlain, kSpIv);
    job.key_at = 0x20FF0;  // the page behind is absent
    m.memory.unmap(0x21000, 1);
    ASSERT_TRUE(is_done(job.run(m)));
    // clause: PLK-ACE-044
    EXPECT_EQ(job.output(m), apply_mode(mode, false, kSpKey128, 10, kSpIv, kSpPlain).data);
  }
  Machine m("esther9");
  const XcryptJob job = XcryptJob::standard(Mode::ecb, false, kSpKey128, kSpPlain);
  m.memory.fault_reads_at(job.key_at + 15);
  EXPECT_TRUE(is_page_fault(job.run(m), job.key_at + 15, false));
  EXPECT_FALSE(m.keys_loaded());
}

TEST(padlock_ace_keys, hardware_covers_every_round_count) {
  const Bytes source = random_bytes(48, 1);
  for (unsigned rounds = 0; rounds <= 15; ++rounds) {
    SCOPED_TRACE(rounds);
    XcryptJob there = XcryptJob::standard(Mode::ecb, false, kSpKey128, source);
    there.control.rounds = rounds;
    const Bytes cipher_text = ecb_block(there);
    XcryptJob back = XcryptJob::standard(Mode::ecb, true, kSpKey128, cipher_text);
    back.control.rounds = rounds;
    // clause: PLK-ACE-067
    EXPECT_EQ(ecb_block(back), source);
    EXPECT_EQ(
        cipher_text,
        apply_mode(Mode::ecb, false, kSpKey128, rounds == 0 ? 16 : rounds, Bytes(16), source).data);
  }
}

TEST(padlock_ace_keys, schedule_from_memory_serves_all_key_sizes) {
  // clause: PLK-ACE-045
  // clause: PLK-ACE-071
  // clause: PLK-ACE-101
  EXPECT_EQ(ecb_block(XcryptJob::from_memory(Mode::ecb, false, kFips128.key, kFipsPlain)),
            kFips128.cipher);
  // clause: PLK-ACE-068
  EXPECT_EQ(ecb_block(XcryptJob::from_memory(Mode::ecb, false, kFips192.key, kFipsPlain)),
            kFips192.cipher);
  // clause: PLK-ACE-069
  EXPECT_EQ(ecb_block(XcryptJob::from_memory(Mode::ecb, false, kFips256.key, kFipsPlain)),
            kFips256.cipher);
}

TEST(padlock_ace_keys, decryption_schedule_starts_with_the_last_round_key) {
  for (const FipsVector* v : kFipsVectors) {
    SCOPED_TRACE(v->key.size());
    XcryptJob job = XcryptJob::from_memory(Mode::ecb, true, v->key, v->cipher);
    const unsigned rounds = job.control.rounds;
    // The layout that from_memory() chose: w[Nr] first and untouched, the cipher key last.
    const Bytes w = expand_key(v->key, rounds);
    ASSERT_TRUE(std::equal(w.end() - 16, w.end(), job.key_area.begin()));
    ASSERT_TRUE(std::equal(w.begin(), w.begin() + 16, job.key_area.begin() + 16 * rounds));
    // clause: PLK-ACE-072
    // clause: PLK-ACE-073
    EXPECT_EQ(ecb_block(job), kFipsPlain);
    job.key_area = w;
    job.key_area.resize(256);
    EXPECT_NE(ecb_block(job), kFipsPlain);
  }
}

TEST(padlock_ace_keys, memory_keys_take_256_bytes_whatever_their_size) {
  for (const FipsVector* v : kFipsVectors) {
    SCOPED_TRACE(v->key.size());
    XcryptJob job = XcryptJob::from_memory(Mode::ecb, false, v->key, kFipsPlain);
    Machine m("esther9");
    job.prepare(m);
    m.memory.fault_reads_at(job.key_at + 256);
    EXPECT_TRUE(is_done(m.issue(kXcryptEcb)));
    EXPECT_EQ(job.output(m), v->cipher);

    // clause: PLK-ACE-074
    Machine cut("esther9");
    job.key_at = 0x21000 - 240;
    cut.memory.unmap(0x21000, 1);  // byte 240 and up
    EXPECT_TRUE(is_page_fault(job.run(cut), 0x21000, false));
    EXPECT_EQ(cut.state().rcx, 1u);
    cut.memory.map(0x21000, 1);
    EXPECT_TRUE(is_done(cut.issue_again()));
    EXPECT_EQ(job.output(cut), v->cipher);
    Machine last("esther9");
    job.prepare(last);
    last.memory.fault_reads_at(job.key_at + 255);
    EXPECT_TRUE(is_page_fault(last.issue(kXcryptEcb), job.key_at + 255, false));
  }
}

TEST(padlock_ace_keys, es_limit_must_cover_all_256_bytes) {
  XcryptJob job = XcryptJob::from_memory(Mode::ecb, false, kFips128.key, kFipsPlain);
  job.key_at = 0x500000;  // above all else
  Machine m("esther9");
  job.prepare(m);
  m.state().es.limit = job.key_at + 254;
  // clause: PLK-ACE-076
  EXPECT_TRUE(is_trap(m.issue(kXcryptEcb), Vector::general_protection));
  EXPECT_EQ(job.output(m), Bytes(16));
  m.state().es.limit = job.key_at + 255;
  EXPECT_TRUE(is_done(m.issue(kXcryptEcb)));
  EXPECT_EQ(job.output(m), kFips128.cipher);
}

TEST(padlock_ace_keys, bytes_behind_the_schedule_do_not_matter) {
  for (const FipsVector* v : kFipsVectors) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(v->key.size());
      XcryptJob job =
          XcryptJob::from_memory(Mode::ecb, decrypt, v->key, decrypt ? v->cipher : kFipsPlain);
      const size_t used = 16 * (job.control.rounds + 1);
      const Bytes noise = random_bytes(256 - used, 5);
      std::copy(noise.begin(), noise.end(), job.key_area.begin() + static_cast<ptrdiff_t>(used));
      // clause: PLK-ACE-075
      EXPECT_EQ(ecb_block(job), decrypt ? kFipsPlain : v->cipher);
    }
  }
}

TEST(padlock_ace_keys, hardware_and_memory_keys_agree) {
  const Bytes source = random_bytes(80, 6);
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      SCOPED_TRACE(name_of(mode));
      Machine hardware("esther9"), memory("esther9");
      const XcryptJob a = XcryptJob::standard(mode, decrypt, kSpKey128, source, kSpIv);
      const XcryptJob b = XcryptJob::from_memory(mode, decrypt, kSpKey128, source, kSpIv);
      ASSERT_FALSE(a.control.keys_from_memory);
      ASSERT_TRUE(b.control.keys_from_memory);
      ASSERT_TRUE(is_done(a.run(hardware)));
      ASSERT_TRUE(is_done(b.run(memory)));
      // clause: PLK-ACE-096
      EXPECT_EQ(a.output(hardware), b.output(memory));
    }
  }
  // With KEYGN = 0 the round keys in memory are not looked at; with 1 they are.
  XcryptJob job = XcryptJob::from_memory(Mode::ecb, false, kFips128.key, kFipsPlain);
  job.key_area[16] ^= 1;
  EXPECT_NE(ecb_block(job), kFips128.cipher);
  job.control.keys_from_memory = false;
  EXPECT_EQ(ecb_block(job), kFips128.cipher);
}

}  // namespace
}  // namespace incore::padlock::test
