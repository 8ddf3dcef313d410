// The fields of the ACE control word. PadLock guide 1.66, chapter 3.
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

// One block of FIPS 197 appendix C under the literal control word |bits|.
Bytes one_block(uint32_t bits, const Bytes& key_area, const Bytes& block) {
  Machine m("esther9");
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, Bytes(16), block);
  job.key_area = key_area;
  job.prepare(m);
  Bytes control(16);
  control[0] = static_cast<uint8_t>(bits);
  control[1] = static_cast<uint8_t>(bits >> 8);
  m.put(job.control_at, control);
  EXPECT_TRUE(is_done(m.issue(kXcryptEcb)));
  return job.output(m);
}

Bytes schedule(const Bytes& key, unsigned rounds) {
  Bytes w = expand_key(key, rounds);
  w.resize(256);
  return w;
}

TEST(padlock_ace_control_word, rounds_of_the_standard) {
  // clause: PLK-ACE-083
  // clause: PLK-ACE-094
  // clause: PLK-ACE-098
  EXPECT_EQ(one_block(0x00A, kFips128.key, kFipsPlain), kFips128.cipher);
  EXPECT_EQ(one_block(0x20A, kFips128.key, kFips128.cipher), kFipsPlain);
  // clause: PLK-ACE-084
  EXPECT_EQ(one_block(0x48C, schedule(kFips192.key, 12), kFipsPlain), kFips192.cipher);
  // clause: PLK-ACE-085
  EXPECT_EQ(one_block(0x88E, schedule(kFips256.key, 14), kFipsPlain), kFips256.cipher);
  // clause: PLK-ACE-101
  EXPECT_EQ(one_block(0x08A, schedule(kFips128.key, 10), kFipsPlain), kFips128.cipher);
}

TEST(padlock_ace_control_word, the_program_chooses_the_rounds) {
  for (uint32_t rounds = 0; rounds <= 15; ++rounds) {
    SCOPED_TRACE(rounds);
    // clause: PLK-ACE-081
    if (rounds != 10) {
      EXPECT_NE(one_block(rounds, kFips128.key, kFipsPlain), kFips128.cipher);
    }
    if (rounds != 14) {
      EXPECT_NE(one_block(0x880 | rounds, schedule(kFips256.key, 15), kFipsPlain), kFips256.cipher);
    }
    if (rounds != 0) {
      EXPECT_EQ(one_block(0x880 | rounds, schedule(kFips256.key, 15), kFipsPlain),
                cipher(expand_key(kFips256.key, rounds), kFipsPlain));
    }
  }
}

TEST(padlock_ace_control_word, round_0_means_16) {
  // clause: PLK-ACE-082
  EXPECT_EQ(to_hex(one_block(0x000, kFips128.key, kFipsPlain)), "e8f0b469620be19442eb9a7a8446ff62");
  EXPECT_EQ(one_block(0x200, kFips128.key, from_hex("e8f0b469620be19442eb9a7a8446ff62")),
            kFipsPlain);
  // clause: PLK-ACE-086
  EXPECT_EQ(to_hex(one_block(0x080, schedule(kFips128.key, 15), kFipsPlain)),
            "fd19fa9becf7e469822939b9ae3b0df1");
}

TEST(padlock_ace_control_word, intermediate_rounds_are_full_rounds) {
  // FIPS 197 C.1, round[2].start and round[3].start.
  // clause: PLK-ACE-099
  EXPECT_EQ(to_hex(one_block(0x101, kFips128.key, kFipsPlain)), "89d810e8855ace682d1843d8cb128fe4");
  EXPECT_EQ(to_hex(one_block(0x102, kFips128.key, kFipsPlain)), "4915598f55e5d7a0daca94fa1f0a63f7");
  for (unsigned rounds = 1; rounds <= 15; ++rounds)
    EXPECT_EQ(one_block(0x100 | rounds, kFips128.key, kFipsPlain),
              cipher(expand_key(kFips128.key, rounds), kFipsPlain, true));
  // clause: PLK-ACE-098
  EXPECT_NE(one_block(0x10A, kFips128.key, kFipsPlain), kFips128.cipher);
}

TEST(padlock_ace_control_word, intermediate_results_are_chained_like_any_other) {
  const Bytes source = random_bytes(48, 1), forward = expand_key(kSpKey128, 3);
  for (Mode mode : {Mode::cbc, Mode::ctr, Mode::cfb, Mode::ofb}) {
    SCOPED_TRACE(name_of(mode));
    XcryptJob job = XcryptJob::standard(mode, false, kSpKey128, source, kSpIv);
    job.control.rounds = 3;
    job.control.intermediate = true;
    Machine m("esther9");
    ASSERT_TRUE(is_done(job.run(m)));
    Bytes vector = kSpIv, expected;
    for (size_t at = 0; at < source.size(); at += 16) {
      Bytes in(source.begin() + static_cast<ptrdiff_t>(at),
               source.begin() + static_cast<ptrdiff_t>(at + 16));
      Bytes to_cipher = vector;
      if (mode == Mode::cbc)
        for (size_t i = 0; i < 16; ++i) to_cipher[i] ^= in[i];
      const Bytes made = cipher(forward, to_cipher, true);
      Bytes out = made;
      if (mode != Mode::cbc)
        for (size_t i = 0; i < 16; ++i) out[i] ^= in[i];
      if (mode == Mode::ctr)
        ++vector[15];  // does not wrap here
      else
        vector = mode == Mode::ofb ? made : out;
      expected.insert(expected.end(), out.begin(), out.end());
    }
    // clause: PLK-ACE-099
    EXPECT_EQ(to_hex(job.output(m)), to_hex(expected));
    if (mode == Mode::cbc) continue;  // the others have the forward cipher in both directions
    XcryptJob back = XcryptJob::standard(mode, true, kSpKey128, expected, kSpIv);
    back.control.rounds = 3;
    back.control.intermediate = true;
    ASSERT_TRUE(is_done(back.run(m)));
    // clause: PLK-ACE-030
    EXPECT_EQ(to_hex(back.output(m)), to_hex(source));
  }
}

TEST(padlock_ace_control_word, last_of_few_rounds_has_no_mix_columns) {
  // clause: PLK-ACE-100
  EXPECT_EQ(to_hex(one_block(0x001, kFips128.key, kFipsPlain)), "b5f99471dbcf93fe17d6cfa06c61a619");
}

// The 16 bytes at EDI after a digest over |source|.
Bytes digest(Mode mode, bool decrypt, const Bytes& source) {
  Machine m("esther9");
  XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, source, kSpIv);
  job.control.digest = true;
  job.prepare(m);
  m.memory.map(job.dest_at, TestMemory::kPageLen, Access::absent);
  m.memory.map(job.dest_at, 16);
  m.memory.fault_writes_at(job.dest_at + 16);  // one block is all it needs
  EXPECT_TRUE(is_done(m.issue(opcode_of(mode))));
  EXPECT_EQ(m.state().rdi, job.dest_at);
  EXPECT_EQ(m.state().rsi, job.source_at + source.size());
  return m.get(job.dest_at, 16);
}

Bytes last_block(const Bytes& data) {
  return Bytes(data.end() - 16, data.end());
}

TEST(padlock_ace_control_word, digest_leaves_the_last_block) {
  // clause: PLK-ACE-087
  EXPECT_EQ(digest(Mode::cbc, false, kSpPlain), last_block(kSpCbc128));
  // clause: PLK-ACE-088
  EXPECT_EQ(digest(Mode::cfb, false, kSpPlain), last_block(kSpCfb128));
  // clause: PLK-ACE-089
  EXPECT_EQ(digest(Mode::cbc, true, kSpCbc128), last_block(kSpPlain));
  EXPECT_EQ(digest(Mode::cfb, true, kSpCfb128), last_block(kSpPlain));
  for (size_t blocks : {1, 2, 3, 33}) {
    const Bytes source = random_bytes(16 * blocks, blocks);
    EXPECT_EQ(digest(Mode::cbc, false, source),
              last_block(apply_mode(Mode::cbc, false, kSpKey128, 10, kSpIv, source).data));
  }
}

TEST(padlock_ace_control_word, digest_survives_interruptions_and_misaligned_operands) {
  for (Mode mode : {Mode::cbc, Mode::cfb}) {
    for (bool decrypt : {false, true}) {
      for (bool align : {false, true}) {
        SCOPED_TRACE(name_of(mode));
        const Bytes source = random_bytes(160, 3);
        Machine m("esther9");
        XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, source, kSpIv);
        job.control.digest = true;
        job.control.align = align;
        if (align) job.source_at += 5, job.dest_at += 6;
        job.prepare(m);
        Step step{};
        for (int issues = 0; issues < 20; ++issues) {
          InterruptAfter interrupt(1);
          step = issues == 0 ? m.issue(opcode_of(mode), &interrupt) : m.issue_again(&interrupt);
          if (step.outcome != Outcome::interrupted) break;
          EXPECT_EQ(m.state().rdi, job.dest_at);
        }
        ASSERT_TRUE(is_done(step));
        // clause: PLK-ACE-042
        // clause: PLK-ACE-087
        // clause: PLK-ACE-088
        // clause: PLK-ACE-089
        EXPECT_EQ(m.state().rdi, job.dest_at);
        EXPECT_EQ(m.get(job.dest_at, 16),
                  last_block(apply_mode(mode, decrypt, kSpKey128, 10, kSpIv, source).data));
      }
    }
  }
}

TEST(padlock_ace_control_word, nehemiah_programs_run_unchanged_on_esther) {
  for (Mode mode : {Mode::ecb, Mode::cbc, Mode::cfb, Mode::ofb}) {
    for (bool decrypt : {false, true}) {
      for (size_t key_len : {16, 24, 32}) {
        SCOPED_TRACE(std::string(name_of(mode)) + " " + std::to_string(8 * key_len));
        const XcryptJob job = XcryptJob::standard(mode, decrypt, random_bytes(key_len, 4),
                                                  random_bytes(112, 5), kSpIv);
        Machine old_part("nehemiah"), new_part("esther9");
        ASSERT_TRUE(is_done(job.run(old_part)));
        ASSERT_TRUE(is_done(job.run(new_part)));
        // clause: PLK-ACE-104
        EXPECT_EQ(job.output(new_part), job.output(old_part));
        if (mode != Mode::ecb) {
          EXPECT_EQ(new_part.get(job.iv_at, 16), old_part.get(job.iv_at, 16));
        }
        EXPECT_EQ(new_part.state().rax, old_part.state().rax);
        EXPECT_EQ(new_part.state().rcx, old_part.state().rcx);
        EXPECT_EQ(new_part.state().rsi, old_part.state().rsi);
        EXPECT_EQ(new_part.state().rdi, old_part.state().rdi);
        EXPECT_EQ(old_part.state().rcx, 0u);
      }
    }
  }
}

}  // namespace
}  // namespace incore::padlock::test
