// The checks of keys, counters and key streams of REP XCRYPT.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

// ---- The key in the hardware ----

TEST(padlock_checks_key, stale_key_or_control_word) {
  Prepared p(job_of(Mode::cbc));
  LoadedKey loaded;
  ASSERT_TRUE(read_key_to_load(p.m.processor, decode_on(p.m, kXcryptCbc), p.m.memory, &loaded));
  const auto look = [&] { return p.checked.look(kXcryptCbc, &loaded); };
  EXPECT_EQ(look(), Reports());
  p.m.put(0x28000, p.job.key_area);  // the same key elsewhere is the same key
  p.m.state().rbx = 0x28000;
  EXPECT_EQ(look(), Reports());
  p.m.put(0x28000, random_bytes(16, 9));
  // clause: PLK-MULTI-007
  EXPECT_EQ(look(), Reports({"stale-key PLK-MULTI-007"}));
  EXPECT_EQ(p.checked.operands, std::vector<Operand>{Operand::key});
  EXPECT_EQ(p.checked.look(kXcryptCbc), Reports());  // bit 30 clear: it will be loaded
  p.m.put(0x28000, p.job.key_area);
  p.set_control(standard_control() | kCwCrypt);
  EXPECT_EQ(look(), Reports({"stale-key PLK-MULTI-007"}));
  EXPECT_EQ(p.checked.operands, std::vector<Operand>{Operand::control_word});
}

// Only the round keys count, not what else lies in the 256 bytes that are loaded.
TEST(padlock_checks_key, slots_behind_the_schedule_do_not_matter) {
  XcryptJob job =
      XcryptJob::from_memory(Mode::ofb, false, random_bytes(16, 1), random_bytes(64, 2));
  Prepared p(job);
  LoadedKey loaded;
  ASSERT_TRUE(read_key_to_load(p.m.processor, decode_on(p.m, kXcryptOfb), p.m.memory, &loaded));
  const auto look = [&] { return p.checked.look(kXcryptOfb, &loaded); };
  EXPECT_EQ(look(), Reports());
  p.m.put(job.key_at + 176, Bytes(80, 0x55));
  EXPECT_EQ(look(), Reports());
  p.m.put(job.source_at, random_bytes(16, 9));  // the key stream is the same, whatever lies there
  EXPECT_EQ(look(), Reports({"keystream-reuse PLK-ACE-029"}));
  p.m.put(job.source_at, random_bytes(16, 2));
  p.m.put(job.key_at + 175, Bytes(1, 0x55));
  EXPECT_EQ(look(), Reports({"stale-key PLK-MULTI-007"}));
}

// What a front-end remembers is what the processor does: the first result with a stale key is that
// of the old key.
TEST(padlock_checks_key, is_stale_where_the_processor_uses_the_old_one) {
  Prepared p(job_of(Mode::ecb));
  ASSERT_TRUE(is_done(p.m.issue(kXcryptEcb)));
  const Bytes with_old_key = p.job.output(p.m);
  ASSERT_TRUE(p.m.keys_loaded());
  p.m.put(p.job.key_at, random_bytes(16, 9));
  p.job.set_registers(p.m);
  p.m.state().rflags |= kEflagsKeyLoaded;
  ASSERT_TRUE(is_done(p.m.issue(kXcryptEcb)));
  EXPECT_EQ(p.job.output(p.m), with_old_key);
}

TEST(padlock_checks_key, nothing_is_loaded_without_blocks_or_by_other_instructions) {
  Prepared p(job_of(Mode::cbc));
  LoadedKey loaded;
  p.m.state().rcx = 0;
  EXPECT_FALSE(read_key_to_load(p.m.processor, decode_on(p.m, kXcryptCbc), p.m.memory, &loaded));
  p.m.state().rcx = 1;
  EXPECT_FALSE(read_key_to_load(p.m.processor, decode_on(p.m, kXsha1), p.m.memory, &loaded));
}

// ---- Counters and key streams ----

Reports ctr(uint16_t counter, size_t blocks, const char* model = "nano") {
  XcryptJob job = job_of(Mode::ctr, blocks);
  store_be16(&job.iv[14], counter);
  return Prepared(job, model).look();
}

TEST(padlock_checks_counter, wraps_within_16_bits) {
  EXPECT_EQ(ctr(0xFFF0, 16), Reports());
  EXPECT_EQ(ctr(0xFFF0, 17), Reports({"counter-wrap PLK-ACE-023"}));
  EXPECT_EQ(ctr(0, 65536), Reports());
  // clause: PLK-ACE-024
  EXPECT_EQ(ctr(0, 65537), Reports({"counter-wrap PLK-ACE-024"}));
}

TEST(padlock_checks_counter, erratum_of_esther_stepping_8) {
  EXPECT_EQ(ctr(0, 4096, "esther"), Reports());
  // clause: PLK-ERR-014
  EXPECT_EQ(ctr(0, 4097, "esther"), Reports({"ctr-erratum PLK-ERR-014"}));
  EXPECT_EQ(ctr(0, 4097, "esther9"), Reports());
}

TEST(padlock_checks_counter, erratum_harms_who_goes_on_with_the_counter_left) {
  for (const size_t blocks : {2u, 3u})
    for (const char* model : {"esther", "esther9"}) {
      Prepared p(job_of(Mode::ctr, blocks), model);
      EXPECT_EQ(p.look(), Reports());
      ASSERT_TRUE(is_done(p.m.issue(kXcryptCtr)));
      p.m.state().rcx = 1;
      const bool harmed = blocks == 2 && p.m.processor.model().ctr_erratum;
      // clause: PLK-ERR-006
      EXPECT_EQ(p.look(), harmed ? Reports({"ctr-erratum PLK-ERR-006"}) : Reports()) << blocks;
    }
}

TEST(padlock_checks_keystream, serves_one_message) {
  for (const Mode mode : {Mode::ofb, Mode::ctr}) {
    const std::string clause = mode == Mode::ofb ? "PLK-ACE-029" : "PLK-ACE-024";
    Prepared p(job_of(mode));
    EXPECT_EQ(p.look(), Reports());
    EXPECT_EQ(p.look(), Reports());  // the same message again
    ASSERT_TRUE(is_done(p.m.issue(opcode_of(mode))));
    const Bytes ciphertext = p.job.output(p.m);
    p.job.prepare(p.m);
    p.m.put(p.job.source_at, ciphertext);  // decryption
    EXPECT_EQ(p.look(), Reports());
    p.m.put(p.job.source_at, random_bytes(64, 77));
    // clause: PLK-ACE-029
    // clause: PLK-ACE-024
    EXPECT_EQ(p.look(), Reports({"keystream-reuse " + clause}));
    p.m.put(p.job.iv_at, concat(random_bytes(14, 78), {0, 0}));
    EXPECT_EQ(p.look(), Reports());
  }
}

}  // namespace
}  // namespace incore::padlock::test
