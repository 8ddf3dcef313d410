// The check of the key in the hardware.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

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
  p.m.put(job.source_at, random_bytes(16, 9));  // the key stream is the same, whatever lies there
  EXPECT_EQ(look(), Reports({"keystream-reuse PLK-ACE-029"}));
  p.m.put(job.source_at, random_bytes(16, 2));
  p.m.put(job.key_at + 175, Bytes(1, 0x55));
  EXPECT_EQ(look(), Reports({"stale-key PLK-MULTI-007", "key-schedule PLK-ACE-071"}));
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

}  // namespace
}  // namespace incore::padlock::test
