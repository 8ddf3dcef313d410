// The checks of how the operands of REP XCRYPT are aligned.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

TEST(padlock_checks_alignment, data) {
  XcryptJob job = job_of(Mode::cbc);
  job.source_at += 4;
  EXPECT_EQ(Prepared(job).look(), Reports({"misaligned-data PLK-ACE-037"}));
  job.dest_at += 8;
  EXPECT_EQ(Prepared(job).look(),
            Reports({"misaligned-data PLK-ACE-037", "misaligned-data PLK-ACE-037"}));
  job.control.align = true;
  EXPECT_EQ(Prepared(job).look(), Reports());
  job.mode = Mode::ecb;
  EXPECT_EQ(Prepared(job).look().front(), "misaligned-data PLK-ACE-092");
  job.mode = Mode::cbc;
  EXPECT_EQ(Prepared(job, "nehemiah").look().front(), "misaligned-data PLK-ACE-034");
}

// Addresses are linear ones: base and offset in 32-bit code, the offset alone in 64-bit code.
TEST(padlock_checks_alignment, counts_in_linear_addresses) {
  Prepared p(job_of(Mode::cbc));
  p.m.state().es.base = 8;
  // clause: PLK-ACE-038
  EXPECT_NE(p.look(), Reports());
  for (uint64_t State::*reg : {&State::rax, &State::rbx, &State::rdx, &State::rsi, &State::rdi})
    p.m.state().*reg -= 8;
  EXPECT_EQ(p.look(), Reports());
  Machine long_mode("nano", CodeSize::bits64);
  p.job.prepare(long_mode);
  long_mode.state().es.base = 8;
  EXPECT_EQ(reports(long_mode, kXcryptCbc), Reports());
}

TEST(padlock_checks_alignment, other_operands) {
  const auto spoiled = [](uint64_t XcryptJob::*member) {
    XcryptJob job = job_of(Mode::cbc);
    job.*member += 8;
    return Prepared(job).look();
  };
  EXPECT_EQ(spoiled(&XcryptJob::control_at), Reports({"misaligned-operand PLK-ACE-078"}));
  EXPECT_EQ(spoiled(&XcryptJob::key_at), Reports({"misaligned-operand PLK-ACE-043"}));
  EXPECT_EQ(spoiled(&XcryptJob::iv_at), Reports({"misaligned-operand PLK-ACE-048"}));
}

}  // namespace
}  // namespace incore::padlock::test
