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

// In CBC and CFB encryption, the vector in memory stays as it was: whoever goes on with it encrypts
// two messages from one vector.
TEST(padlock_checks_keystream, a_vector_begins_one_message) {
  for (const Mode mode : {Mode::cbc, Mode::cfb}) {
    const std::string clause = mode == Mode::cbc ? "PLK-ACE-049" : "PLK-ACE-050";
    Prepared p(job_of(mode));
    EXPECT_EQ(p.look(), Reports());
    EXPECT_EQ(p.look(), Reports());  // the same message again
    p.m.put(p.job.source_at, random_bytes(64, 77));
    // clause: PLK-ACE-049
    // clause: PLK-ACE-050
    EXPECT_EQ(p.look(), Reports({"vector-reuse " + clause}));
    EXPECT_EQ(p.checked.last.address, p.job.iv_at);
    p.m.put(p.job.iv_at, random_bytes(16, 78));
    EXPECT_EQ(p.look(), Reports());

    Prepared decryption(job_of(mode, 4, true));
    EXPECT_EQ(decryption.look(), Reports());
    decryption.m.put(decryption.job.source_at, random_bytes(64, 77));
    EXPECT_EQ(decryption.look(), Reports());
  }
}

TEST(padlock_checks_keystream, a_message_digest_begins_with_one_vector_always) {
  Prepared p(job_of(Mode::cbc));
  p.set_control(standard_control() | kCwDgest);
  EXPECT_EQ(p.look(), Reports());
  p.m.put(p.job.source_at, random_bytes(64, 77));
  EXPECT_EQ(p.look(), Reports());
}

// A key or vector serves another mode as well, but for OFB and CTR, whose key streams begin alike.
TEST(padlock_checks_keystream, modes_are_told_apart) {
  const auto second_in = [](Mode first, Mode second) {
    Prepared p(job_of(first));
    EXPECT_EQ(p.look(), Reports());
    p.m.put(p.job.source_at, random_bytes(64, 77));
    return p.checked.look(opcode_of(second));
  };
  EXPECT_EQ(second_in(Mode::cbc, Mode::cfb), Reports());
  EXPECT_EQ(second_in(Mode::cbc, Mode::ofb), Reports());
  EXPECT_EQ(second_in(Mode::ofb, Mode::ctr), Reports({"keystream-reuse PLK-ACE-024"}));
}

}  // namespace
}  // namespace incore::padlock::test
