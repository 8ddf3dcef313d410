// Nothing secret is left behind by SHA and HMAC: a message is a secret, and so is what a hash of it
// goes on with.
#include "capi/residue_calls.h"

namespace incore::test {
namespace {

using residue_sha = ResidueTest;

TEST_F(residue_sha, messages) {
  for (int i = INCORE_SHA1; i <= INCORE_SHA512; ++i) {
    const auto algorithm = static_cast<incore_sha_algorithm>(i);
    const size_t digest_len = incore_sha_digest_len(algorithm);
    for (const size_t len : kLens) {
      expect_nothing_left(text("sha_digest", i, len), fill, [=] {
        return incore_sha_digest(algorithm, m.in, len, m.out, digest_len);
      });
      const auto begin = [=](Secrets& s) {
        fill(s);
        ok(incore_sha_init(&m.sha, algorithm));
        ok(incore_sha_update(&m.sha, m.in, len));
      };
      for (const size_t more : {1, 64, 200, 1000})
        expect_nothing_left(text("sha_update", i, len, more), begin,
                            [=] { return incore_sha_update(&m.sha, m.in, more); });
      expect_nothing_left(text("sha_final", i, len), begin,
                          [=] { return incore_sha_final(&m.sha, m.out, digest_len); });
    }
  }
}

TEST_F(residue_sha, hmac) {
  for (int i = INCORE_SHA1; i <= INCORE_SHA512; ++i) {
    const auto algorithm = static_cast<incore_sha_algorithm>(i);
    for (const size_t key_len : {0, 20, 64, 200}) {
      for (const size_t len : {0, 1, 55, 64, 111, 128, 300, 1000}) {
        const auto begin = [=](Secrets& s) {
          fill(s);
          ok(incore_hmac_tag(algorithm, m.key, key_len, m.in, len, m.tag, 20));
          ok(incore_hmac_start(&m.hmac, algorithm, m.key, key_len));
          ok(incore_hmac_update(&m.hmac, m.in, len));
        };
        expect_nothing_left(text("hmac_tag", i, key_len, len), fill, [=] {
          return incore_hmac_tag(algorithm, m.key, key_len, m.in, len, m.out, 20);
        });
        expect_nothing_left(text("hmac_verify_tag", i, key_len, len), begin, [=] {
          return incore_hmac_verify_tag(algorithm, m.key, key_len, m.in, len, m.tag, 20);
        });
        expect_nothing_left(text("hmac_start", i, key_len), begin,
                            [=] { return incore_hmac_start(&m.hmac, algorithm, m.key, key_len); });
        expect_nothing_left(text("hmac_update", i, key_len, len), begin,
                            [=] { return incore_hmac_update(&m.hmac, m.in, len); });
        expect_nothing_left(text("hmac_final", i, key_len, len), begin,
                            [=] { return incore_hmac_final(&m.hmac, m.out, 20); });
        expect_nothing_left(text("hmac_verify", i, key_len, len), begin,
                            [=] { return incore_hmac_verify(&m.hmac, m.tag, 20); });
      }
    }
  }
}

TEST_F(residue_sha, many_messages) {
  static incore_sha_message messages[40];
  static uint8_t digests[40][64];
  for (int i = INCORE_SHA1; i <= INCORE_SHA512; ++i) {
    const auto algorithm = static_cast<incore_sha_algorithm>(i);
    for (const size_t num : {1, 2, 3, 4, 7, 8, 15, 16, 17, 40})
      for (const size_t len : {0, 10, 64, 200, 1000})
        expect_nothing_left(
            text("sha_digest_many", i, num, len),
            [=](Secrets& s) {
              fill(s);
              for (size_t j = 0; j < num; ++j)
                messages[j] = {m.in + 3 * j, len + 5 * (j % 4), digests[j]};
            },
            [=] { return incore_sha_digest_many(algorithm, messages, num); });
  }
}

}  // namespace
}  // namespace incore::test
