// The check that no key stream of REP XCRYPT serves two messages.
#include <gtest/gtest.h>

#include "padlock/checks/prepared.h"

namespace incore::padlock::test {
namespace {

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
