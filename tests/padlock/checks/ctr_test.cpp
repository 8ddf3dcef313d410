// The checks of the counters of REP XCRYPT.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

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

}  // namespace
}  // namespace incore::padlock::test
