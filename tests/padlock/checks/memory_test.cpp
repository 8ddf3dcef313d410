// The checks of the memory that REP XCRYPT reads and writes.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

TEST(padlock_checks_memory, scratch_space) {
  XcryptJob job = job_of(Mode::cbc);
  job.control.align = true;
  job.control_at = 0x30F80;  // 128 bytes to the end of the page
  Prepared fits(job);
  fits.m.memory.unmap(0x31000, 1);
  // clause: PLK-ACE-079
  EXPECT_EQ(fits.look(), Reports());
  job.control_at = 0x30F90;
  Prepared too_small(job);
  too_small.m.memory.unmap(0x31000, 1);
  EXPECT_EQ(too_small.look(), Reports({"scratch-space PLK-ACE-079"}));
  job.control.align = false;
  Prepared unused(job);
  unused.m.memory.unmap(0x31000, 1);
  EXPECT_EQ(unused.look(), Reports());
}

TEST(padlock_checks_memory, scratch_space_holds_no_operand) {
  XcryptJob job = job_of(Mode::cbc);
  job.control.align = true;
  job.key_at = job.control_at + 112;
  // clause: PLK-ACE-080
  EXPECT_EQ(Prepared(job).look(), Reports({"scratch-space PLK-ACE-080"}));
  job.key_at = job.control_at + 128;
  EXPECT_EQ(Prepared(job).look(), Reports());
  job.iv_at = job.control_at + 32;
  EXPECT_EQ(Prepared(job).look(), Reports({"scratch-space PLK-ACE-080"}));
  job.iv_at = job.control_at + 16;  // where the instruction itself leaves it
  EXPECT_EQ(Prepared(job).look(), Reports());
}

TEST(padlock_checks_memory, key_slots) {
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, random_bytes(32, 1), random_bytes(64, 2));
  job.key_at = 0x20F00;
  Prepared fits(job);
  fits.m.memory.unmap(0x21000, 1);
  EXPECT_EQ(fits.look(), Reports());
  job.key_at = 0x20F10;  // the 240 bytes of the schedule fit, the 256 that are read do not
  Prepared too_small(job);
  too_small.m.memory.unmap(0x21000, 1);
  // clause: PLK-ACE-076
  EXPECT_EQ(too_small.look(), Reports({"key-slots PLK-ACE-076"}));
}

// The source ends with a page that nothing follows.
Reports at_page_end(Mode mode, size_t blocks, const char* model = "nano") {
  XcryptJob job = job_of(mode, blocks);
  job.source_at = 0x101000 - 16 * blocks;
  SpecifiedMachine m(model);
  job.prepare(*m);
  m->memory.unmap(0x101000, 1);
  return reports(*m, opcode_of(mode));
}

TEST(padlock_checks_memory, over_read) {
  // clause: PLK-ACE-062
  EXPECT_EQ(at_page_end(Mode::ecb, 3), Reports({"over-read PLK-ACE-062"}));
  EXPECT_EQ(at_page_end(Mode::ecb, 4), Reports());
  EXPECT_EQ(at_page_end(Mode::cbc, 3), Reports());
  EXPECT_EQ(at_page_end(Mode::ctr, 3), Reports({"over-read PLK-EXC-003"}));
  EXPECT_EQ(at_page_end(Mode::ctr, 4), Reports());
  EXPECT_EQ(at_page_end(Mode::ecb, 4, "nano,ecb-fetch=8"), Reports({"over-read PLK-ACE-062"}));
  EXPECT_EQ(at_page_end(Mode::cbc, 6, "nano,cbc-fetch=4"), Reports({"over-read PLK-EXC-003"}));
  EXPECT_EQ(at_page_end(Mode::cbc, 8, "nano,cbc-fetch=4"), Reports());
  // clause: PLK-EXC-010
  EXPECT_EQ(at_page_end(Mode::ecb, 0), Reports({"over-read PLK-EXC-010"}));
}

TEST(padlock_checks_memory, short_destination) {
  XcryptJob job = job_of(Mode::cbc, 8);
  job.dest_at = 0x300FC0;
  EXPECT_EQ(Prepared(job).look(), Reports());
  Prepared p(job);
  p.m.memory.unmap(0x301000, 1);
  // clause: LJ-036
  EXPECT_EQ(p.look(), Reports({"short-destination LJ-036"}));
  p.set_control(standard_control() | kCwDgest);  // one block is all that a digest writes
  EXPECT_EQ(p.look(), Reports());
}

TEST(padlock_checks_memory, partial_overlap) {
  XcryptJob job = job_of(Mode::cbc, 8);
  job.dest_at = job.source_at + 16;
  EXPECT_EQ(Prepared(job).look(), Reports({"partial-overlap PLK-ACE-039"}));
  for (const uint64_t allowed : {job.source_at, job.source_at + 128, job.source_at - 32}) {
    job.dest_at = allowed;
    EXPECT_EQ(Prepared(job).look(), Reports());
  }
  XcryptJob ofb = job_of(Mode::ofb);
  ofb.iv_at = ofb.dest_at + 16;
  EXPECT_EQ(Prepared(ofb).look(), Reports({"partial-overlap PLK-ACE-055"}));
  XcryptJob chained = job_of(Mode::cbc);  // EAX as the last call has left it
  chained.iv_at = chained.dest_at + 48;
  EXPECT_EQ(Prepared(chained).look(), Reports());
}

TEST(padlock_checks_memory, overwritten_key) {
  XcryptJob job = job_of(Mode::ecb);
  job.key_at = job.dest_at + 32;
  EXPECT_EQ(Prepared(job).look(), Reports({"overwritten-key PLK-MULTI-019"}));
  job.key_at = job.dest_at + 64;
  EXPECT_EQ(Prepared(job).look(), Reports());
  job.control_at = job.dest_at;
  job.key_at = 0x20000;
  EXPECT_EQ(Prepared(job).look(), Reports({"overwritten-key PLK-MULTI-019"}));
}

}  // namespace
}  // namespace incore::padlock::test
