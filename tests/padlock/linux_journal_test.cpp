// What the Linux Journal article of May 2005 says of the processors and of REP XCRYPT, and that
// ACE2 keeps all of ACE.
#include <gtest/gtest.h>

#include <string>

#include "padlock/insn.h"
#include "padlock/machine_units.h"
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

uint32_t signature_of(Machine& m) {
  return m.processor.cpuid(1, 0).eax & 0xFFF;
}

struct ModeVector {
  Mode mode;
  const Bytes* cipher;
};
const ModeVector kNehemiahModes[] = {{Mode::ecb, &kSpEcb128},
                                     {Mode::cbc, &kSpCbc128},
                                     {Mode::cfb, &kSpCfb128},
                                     {Mode::ofb, &kSpOfb128}};

// ---- Parts ----

TEST(padlock_linux_journal, versions_are_family_model_stepping) {
  Machine c5xl("c5xl"), c5p("nehemiah"), c5j("esther");
  // clause: LJ-001
  EXPECT_EQ(signature_of(c5xl), 0x693u);
  EXPECT_EQ(signature_of(c5p), 0x698u);
  EXPECT_EQ(signature_of(c5j), 0x6A8u);
  EXPECT_TRUE(rng_works(c5xl));
}

TEST(padlock_linux_journal, nehemiah_stepping_8_has_two_sources_and_ace) {
  Machine m("nehemiah");
  // clause: LJ-002
  EXPECT_TRUE(rng_works(m));
  EXPECT_TRUE(ace_works(m));
  set_msr(m, kMsrRng, kRngEnable | kRngSourceMask);
  EXPECT_EQ(rng_fields(m), kRngEnable | kRngSourceMask);  // both can be chosen
  Machine c5xl("c5xl");
  EXPECT_FALSE(ace_works(c5xl));
}

TEST(padlock_linux_journal, esther_may_have_any_stepping) {
  for (unsigned stepping = 0; stepping <= 15; ++stepping) {
    SpecifiedMachine m(("esther,stepping=" + std::to_string(stepping)).c_str());
    // clause: LJ-003
    EXPECT_EQ(signature_of(*m), 0x6A0u + stepping);
    EXPECT_TRUE(rng_works(*m) && ace_works(*m, true) && phe_works(*m) && pmm_works(*m)) << stepping;
  }
  Machine by_default("esther");
  EXPECT_EQ(signature_of(by_default), 0x6A8u);
}

TEST(padlock_linux_journal, esther_adds_ctr_and_mac) {
  Machine c5p("nehemiah"), c5j("esther");
  // clause: LJ-004
  EXPECT_TRUE(is_trap(try_xcrypt(c5p, kXcryptCtr), Vector::invalid_opcode));
  EXPECT_TRUE(is_done(try_xcrypt(c5j, kXcryptCtr)));
  XcryptJob mac = XcryptJob::standard(Mode::cbc, false, kSpKey128, kSpPlain, kSpIv);
  mac.control.digest = true;
  ASSERT_TRUE(is_done(mac.run(c5j)));
  EXPECT_EQ(c5j.get(mac.dest_at, 16), Bytes(kSpCbc128.end() - 16, kSpCbc128.end()));
  EXPECT_EQ(c5j.state().rdi, mac.dest_at);
}

TEST(padlock_linux_journal, esther_adds_phe_and_pmm) {
  Machine c5xl("c5xl"), c5p("nehemiah"), c5j("esther");
  // clause: LJ-005
  EXPECT_FALSE(phe_works(c5xl) || phe_works(c5p));
  EXPECT_TRUE(phe_works(c5j));
  // clause: LJ-006
  EXPECT_FALSE(pmm_works(c5xl) || pmm_works(c5p));
  EXPECT_TRUE(pmm_works(c5j));
}

TEST(padlock_linux_journal, ace_of_nehemiah_has_four_modes_and_esther_keeps_them) {
  for (const char* model : {"nehemiah", "esther", "esther9"}) {
    Machine m(model);
    for (const ModeVector& each : kNehemiahModes) {
      // clause: LJ-008
      // clause: PLK-CPUID-027
      XcryptJob encrypt = XcryptJob::standard(each.mode, false, kSpKey128, kSpPlain, kSpIv);
      ASSERT_TRUE(is_done(encrypt.run(m))) << model;
      EXPECT_EQ(encrypt.output(m), *each.cipher) << model;
      XcryptJob decrypt = XcryptJob::standard(each.mode, true, kSpKey128, *each.cipher, kSpIv);
      ASSERT_TRUE(is_done(decrypt.run(m))) << model;
      EXPECT_EQ(decrypt.output(m), kSpPlain) << model;
    }
    // clause: PLK-CPUID-027
    for (const FipsVector* vector : kFipsVectors) {
      XcryptJob ecb = XcryptJob::standard(Mode::ecb, false, vector->key, kFipsPlain);
      ASSERT_TRUE(is_done(ecb.run(m))) << model;
      EXPECT_EQ(ecb.output(m), vector->cipher) << model;
    }
  }
}

// ---- Blocks and interrupts ----

TEST(padlock_linux_journal, interrupts_come_between_blocks) {
  const Bytes source = random_bytes(16 * 40, 1);
  for (const ModeVector& each : kNehemiahModes) {
    const XcryptJob job = XcryptJob::standard(each.mode, false, kSpKey128, source, kSpIv);
    Machine whole("esther9");
    ASSERT_TRUE(is_done(job.run(whole)));

    Machine m("esther9");
    InterruptAfter first(1);
    Step step = job.run(m, &first);
    int issues = 1;
    for (; step.outcome == Outcome::interrupted && issues < 100; ++issues) {
      const uint64_t done = 40 - m.state().rcx;
      // clause: LJ-009
      EXPECT_EQ(m.state().rdi, job.dest_at + 16 * done);
      EXPECT_EQ(m.state().rsi, job.source_at + 16 * done);
      EXPECT_EQ(m.get(job.dest_at, 16 * done), whole.get(job.dest_at, 16 * done));
      EXPECT_EQ(m.get(job.dest_at + 16 * done, 16), Bytes(16));
      // clause: LJ-011
      if (each.mode == Mode::ecb) {
        EXPECT_EQ(done % 2, 0u);
      } else {
        EXPECT_EQ(done, static_cast<uint64_t>(issues));
      }
      InterruptAfter next(1);
      step = m.issue_again(&next);
    }
    ASSERT_TRUE(is_done(step));
    // clause: LJ-010
    EXPECT_GT(issues, 10);
    EXPECT_EQ(job.output(m), job.output(whole));
  }
}

TEST(padlock_linux_journal, ctr_is_interrupted_between_pairs) {
  const XcryptJob job =
      XcryptJob::standard(Mode::ctr, false, kSpKey128, random_bytes(16 * 20, 1), kSpIv);
  for (uint64_t request : {1u, 2u, 3u, 7u}) {
    Machine m("esther9");
    InterruptAfter after(request);
    ASSERT_TRUE(is_interrupted(job.run(m, &after)));
    // clause: LJ-011
    EXPECT_EQ(20 - m.state().rcx, (request + 1) / 2 * 2);
  }
}

// ---- Alignment, registers, keys ----

TEST(padlock_linux_journal, esther_can_realign) {
  for (bool align : {false, true}) {
    XcryptJob job = XcryptJob::standard(Mode::cbc, false, kSpKey128, kSpPlain, kSpIv);
    job.control.align = align;
    job.source_at += 1;
    job.dest_at += 3;
    Machine c5p("nehemiah"), c5j("esther");
    // clause: LJ-014
    if (!align) {
      EXPECT_TRUE(is_trap(job.run(c5p), Vector::general_protection));
      EXPECT_TRUE(is_trap(job.run(c5j), Vector::general_protection));
    } else {
      ASSERT_TRUE(is_done(job.run(c5j)));
      EXPECT_EQ(job.output(c5j), kSpCbc128);
    }
  }
}

TEST(padlock_linux_journal, registers_of_xcryptcbc) {
  // Written out here: ESI source, EDI destination, EAX vector, EBX key, ECX blocks, EDX control
  // word.
  Machine m("nehemiah");
  m.put(0x10000, kSpIv);
  m.put(0x20000, kSpKey128);
  m.put(0x30000, from_hex("0a000000000000000000000000000000"));
  m.put(0x40000, kSpPlain);
  m.memory.map(0x50000, 4096);
  m.state().rax = 0x10000;
  m.state().rbx = 0x20000;
  m.state().rdx = 0x30000;
  m.state().rsi = 0x40000;
  m.state().rdi = 0x50000;
  m.state().rcx = 4;
  ASSERT_TRUE(is_done(m.issue(from_hex("f30fa7d0"))));
  // clause: LJ-035
  EXPECT_EQ(m.get(0x50000, 64), kSpCbc128);
  // clause: LJ-039
  EXPECT_EQ(m.state().rcx, 0u);
  // clause: LJ-050
  EXPECT_EQ(m.get(m.state().rax, 16), Bytes(kSpCbc128.end() - 16, kSpCbc128.end()));
}

TEST(padlock_linux_journal, the_vector_has_16_bytes) {
  XcryptJob job = XcryptJob::standard(Mode::cbc, false, kSpKey128, kSpPlain, kSpIv);
  job.iv_at = 0x10FF0;  // the next page is not there
  Machine m("nehemiah");
  // clause: LJ-037
  ASSERT_TRUE(is_done(job.run(m)));
  EXPECT_EQ(job.output(m), kSpCbc128);
}

TEST(padlock_linux_journal, hardware_expands_128_bit_keys) {
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, kFips128.key, kFipsPlain);
  EXPECT_FALSE(job.control.keys_from_memory);
  job.key_at = 0x20FF0;  // nothing but the 16 bytes of the key
  Machine m("nehemiah");
  // clause: LJ-038
  ASSERT_TRUE(is_done(job.run(m)));
  EXPECT_EQ(job.output(m), kFips128.cipher);
}

TEST(padlock_linux_journal, one_block_in_place) {
  XcryptJob job = XcryptJob::standard(Mode::cbc, false, kSpKey128,
                                      Bytes(kSpPlain.begin(), kSpPlain.begin() + 16), kSpIv);
  job.dest_at = job.source_at;
  Machine m("nehemiah");
  ASSERT_TRUE(is_done(job.run(m)));
  // clause: LJ-049
  EXPECT_EQ(to_hex(m.get(job.source_at, 16)), "7649abac8119b246cee98e9b12e9197d");
  // clause: LJ-050
  EXPECT_EQ(m.get(m.state().rax, 16), m.get(job.source_at, 16));
}

TEST(padlock_linux_journal, bytes_of_the_examples_decode) {
  const Bytes cbc = {0xF3, 0x0F, 0xA7, 0xD0};
  // clause: LJ-031
  EXPECT_STREQ(decode(cbc.data(), cbc.size(), CodeSize::bits32).insn->mnemonic, "xcrypt-cbc");
  // lea, rep xcryptecb, push: four bytes in the middle.
  const Bytes listing = from_hex("8d15f0950408 f30fa7c8 50");
  // clause: LJ-033
  EXPECT_EQ(decode(&listing[0], listing.size(), CodeSize::bits32).insn, nullptr);
  const Decoded ecb = decode(&listing[6], listing.size() - 6, CodeSize::bits32);
  ASSERT_NE(ecb.insn, nullptr);
  EXPECT_STREQ(ecb.insn->mnemonic, "xcrypt-ecb");
  EXPECT_EQ(ecb.length, 4u);
}

// ---- The control word ----

// The article's union: rounds:4, algo:3, keygen:1, interm:1, encdec:1, ksize:2 from bit 0 up.
uint32_t article_word(unsigned rounds, unsigned algo, unsigned keygen, unsigned interm,
                      unsigned encdec, unsigned ksize) {
  return rounds | algo << 4 | keygen << 7 | interm << 8 | encdec << 9 | ksize << 10;
}

TEST(padlock_linux_journal, fields_of_the_control_word) {
  const auto word = [](uint32_t bits) { return ControlWord{bits}; };
  // clause: LJ-040
  EXPECT_EQ(word(article_word(13, 0, 0, 0, 0, 0)).rounds(), 13u);
  EXPECT_TRUE(word(article_word(0, 0, 1, 0, 0, 0)).keys_in_memory());
  EXPECT_TRUE(word(article_word(0, 0, 0, 1, 0, 0)).intermediate());
  EXPECT_TRUE(word(article_word(0, 0, 0, 0, 1, 0)).decrypt());
  EXPECT_EQ(word(article_word(0, 0, 0, 0, 0, 2)).key_size(), 2u);
  EXPECT_FALSE(word(article_word(15, 7, 0, 1, 1, 3)).keys_in_memory());
  EXPECT_FALSE(word(article_word(15, 7, 1, 0, 1, 3)).intermediate());
  EXPECT_FALSE(word(article_word(15, 7, 1, 1, 0, 3)).decrypt());
  // clause: LJ-041
  EXPECT_TRUE(word(article_word(0, 1, 0, 0, 0, 0)).digest());
  EXPECT_TRUE(word(article_word(0, 2, 0, 0, 0, 0)).align());
  EXPECT_FALSE(word(article_word(15, 4, 1, 1, 1, 3)).digest() ||
               word(article_word(15, 4, 1, 1, 1, 3)).align());
  EXPECT_EQ(article_word(0, 4, 0, 0, 0, 0), kCwCiphr);
}

// States after each full round, from FIPS 197, appendix C.1.
TEST(padlock_linux_journal, interm_gives_the_state_after_a_round) {
  const char* const states[] = {"89d810e8855ace682d1843d8cb128fe4",
                                "4915598f55e5d7a0daca94fa1f0a63f7",
                                "fa636a2825b339c940668a3157244d17"};
  for (unsigned rounds = 1; rounds <= 3; ++rounds) {
    XcryptJob job = XcryptJob::standard(Mode::ecb, false, kFips128.key, kFipsPlain);
    job.control.rounds = rounds;
    job.control.intermediate = true;
    Machine m("nehemiah");
    ASSERT_TRUE(is_done(job.run(m)));
    // clause: LJ-045
    EXPECT_EQ(to_hex(job.output(m)), states[rounds - 1]);
  }
}

TEST(padlock_linux_journal, words_by_the_articles_rules_work) {
  struct {
    size_t key_len;
    uint32_t encrypt, decrypt;
  } const words[] = {{16, 0x00A, 0x20A}, {24, 0x48C, 0x68C}, {32, 0x88E, 0xA8E}};
  for (size_t i = 0; i < 3; ++i) {
    const size_t len = words[i].key_len;
    const unsigned size = static_cast<unsigned>(len);
    for (unsigned encdec : {0u, 1u}) {
      // clause: LJ-043
      // clause: LJ-044
      // clause: LJ-046
      // clause: LJ-047
      const uint32_t word =
          article_word(10 + (size - 16) / 4, 0, size > 16 ? 1 : 0, 0, encdec, (size - 16) / 8);
      // clause: LJ-048
      EXPECT_EQ(word, encdec ? words[i].decrypt : words[i].encrypt);
      const FipsVector& vector = *kFipsVectors[i];
      XcryptJob job = XcryptJob::standard(Mode::ecb, encdec != 0, vector.key,
                                          encdec ? vector.cipher : kFipsPlain);
      Machine m("nehemiah");
      job.prepare(m);
      Bytes control(16);
      store_le32(control.data(), word);
      m.put(job.control_at, control);
      ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
      EXPECT_EQ(job.output(m), encdec ? kFipsPlain : vector.cipher) << len;
    }
  }
}

}  // namespace
}  // namespace incore::padlock::test
