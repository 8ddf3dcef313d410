// Contexts and workspaces hold nothing when they are wiped or used up.
#include <algorithm>
#include <cstring>

#include "capi/residue_calls.h"

namespace incore::test {
namespace {

TEST(residue_contexts, are_zero_when_they_are_wiped) {
  Secrets s(1);
  set_aes_key(s);
  ok(incore_aes_stream_start(&m.stream, INCORE_AES_OFB, m.iv));
  ok(incore_aes_stream_update(&m.stream, &m.aes, m.in, 5, m.out));
  ok(incore_gcm_key_set(&m.gcm, m.key, 32));
  ok(incore_gcm_stream_start(&m.gcm_stream, &m.gcm, m.iv, 12));
  ok(incore_gcm_stream_encrypt(&m.gcm_stream, &m.gcm, m.in, 5, m.out));
  ok(incore_xts_key_set(&m.xts, m.key, 64));
  ok(incore_cmac_start(&m.cmac));
  ok(incore_cmac_update(&m.cmac, &m.aes, m.in, 5));
  ok(incore_hmac_start(&m.hmac, INCORE_SHA256, m.key, 20));
  ok(incore_sha_init(&m.sha, INCORE_SHA256));
  ok(incore_sha_update(&m.sha, m.in, 5));
  ok(incore_rng_init_custom(&m.rng, give_from_input, nullptr, nullptr));
  ok(incore_rng_monitor_init(&m.monitor, 0, 0));
  ok(incore_padlock_init_emulated(&m.padlock, "nano", 1, nullptr, 0));
  m.in[0] |= 0x80, m.in[127] |= 1;
  std::memset(m.workspace, 0xFF, sizeof m.workspace);
  ok(incore_mont_set(&m.mont, m.in, 128, m.workspace, sizeof m.workspace));

  incore_aes_key_wipe(&m.aes);
  incore_aes_stream_wipe(&m.stream);
  incore_gcm_key_wipe(&m.gcm);
  incore_gcm_stream_wipe(&m.gcm_stream);
  incore_xts_key_wipe(&m.xts);
  incore_cmac_wipe(&m.cmac);
  incore_hmac_wipe(&m.hmac);
  incore_sha_wipe(&m.sha);
  incore_rng_wipe(&m.rng);
  incore_rng_monitor_wipe(&m.monitor);
  incore_padlock_wipe(&m.padlock);
  incore_processor_wipe(&m.processor);
  incore_processor_checker_wipe(&m.checker);
  incore_mont_wipe(&m.mont);
  EXPECT_TRUE(is_zero(m.aes) && is_zero(m.stream) && is_zero(m.gcm) && is_zero(m.gcm_stream));
  EXPECT_TRUE(is_zero(m.xts) && is_zero(m.cmac) && is_zero(m.hmac) && is_zero(m.sha));
  EXPECT_TRUE(is_zero(m.rng) && is_zero(m.monitor) && is_zero(m.padlock) && is_zero(m.mont));
  EXPECT_TRUE(is_zero(m.workspace));
}

TEST(residue_contexts, are_zero_when_they_are_used_up) {
  Secrets s(1);
  set_aes_key(s);
  ok(incore_cmac_start(&m.cmac));
  ok(incore_cmac_final(&m.cmac, &m.aes, m.tag, 16));
  EXPECT_TRUE(is_zero(m.cmac));
  ok(incore_hmac_start(&m.hmac, INCORE_SHA512, m.key, 20));
  ok(incore_hmac_final(&m.hmac, m.tag, 64));
  EXPECT_TRUE(is_zero(m.hmac));
  ok(incore_sha_init(&m.sha, INCORE_SHA1));
  ok(incore_sha_final(&m.sha, m.tag, 20));
  EXPECT_TRUE(is_zero(m.sha));
  ok(incore_gcm_key_set(&m.gcm, m.key, 16));
  ok(incore_gcm_stream_start(&m.gcm_stream, &m.gcm, m.iv, 12));
  ok(incore_gcm_stream_tag(&m.gcm_stream, &m.gcm, m.tag, 16));
  EXPECT_TRUE(is_zero(m.gcm_stream));
}

TEST(residue_contexts, workspaces_keep_nothing_of_longer_numbers_before) {
  Secrets s(1);
  fill(s);
  m.in[0] |= 0x80, m.in[127] |= 1;
  const auto keeps_mark = [] {
    return std::search_n(std::begin(m.workspace), std::end(m.workspace), 8, 0xEE) !=
           std::end(m.workspace);
  };
  std::memset(m.workspace, 0xEE, sizeof m.workspace);
  ok(incore_mont_set(&m.mont, m.in, 128, m.workspace, sizeof m.workspace));
  EXPECT_FALSE(keeps_mark());
  std::memset(m.workspace, 0xEE, sizeof m.workspace);
  const uint8_t e[] = {3};
  ok(incore_rsa_key_set_public(&m.rsa, {m.in, 128}, {e, 1}, m.workspace, sizeof m.workspace));
  EXPECT_FALSE(keeps_mark());
}

}  // namespace
}  // namespace incore::test
