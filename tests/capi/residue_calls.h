// What the tests of residue_*_test.cpp share: no function of the C interfaces leaves anything
// behind that depends on a secret, neither on the stack nor in a register, whichever kernel serves.
// support/residue.h says how that is found.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "incore/aes.h"
#include "incore/ccm.h"
#include "incore/cmac.h"
#include "incore/compat/aes.h"
#include "incore/gcm.h"
#include "incore/gf2.h"
#include "incore/hmac.h"
#include "incore/mont.h"
#include "incore/padlock.h"
#include "incore/processor.h"
#include "incore/rng.h"
#include "incore/rsa.h"
#include "incore/sha.h"
#include "incore/xts.h"
#include "support/residue.h"

namespace incore::test {

class ResidueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kSeesStack) GTEST_SKIP() << "sanitizers lay out stacks of their own";
  }
};

// Checks one call. |prepare| takes the secrets and makes all ready; |call| returns a status.
template <class Prepare, class Call>
void expect_nothing_left(const std::string& what, Prepare prepare, Call call,
                         int expected = INCORE_OK) {
  int status = -1;
  EXPECT_EQ(left_behind(prepare, [&] { status = call(); }), "") << what;
  EXPECT_EQ(status, expected) << what;
}

inline constexpr size_t kMaxLen = 8192;
// Lengths that take each path of the kernels: parts of blocks, their loops of all widths, and what
// is left over.
inline constexpr size_t kLens[] = {0,   1,   15,  16,   17,   31,   32,   48,   63,   64,
                                   65,  100, 128, 144,  200,  255,  256,  257,  300,  384,
                                   512, 600, 768, 1000, 1024, 1536, 2048, 3000, 4096, 8192};

// All that calls work on. One for all tests, so that addresses are the same in both runs.
struct ResidueMemory {
  alignas(64) uint8_t key[256], iv[64], aad[512], in[kMaxLen], out[kMaxLen], tag[64];
  alignas(64) uint8_t workspace[1 << 19];
  incore_aes_key aes;
  incore_aes_stream stream;
  incore_gcm_key gcm;
  incore_gcm_stream gcm_stream;
  incore_xts_key xts;
  incore_cmac cmac;
  incore_hmac hmac;
  incore_sha sha;
  incore_mont mont;
  incore_rsa_key rsa;
  incore_rng rng;
  incore_rng_monitor monitor;
  incore_padlock padlock;
  incore_processor processor;
  uint8_t saved[INCORE_PROCESSOR_SAVED_LEN];
  incore_processor_checker checker;
  incore_gf2_field field;
  aes_encrypt_ctx encrypt;
  aes_decrypt_ctx decrypt;
  uint64_t a[512], b[512], c[1024];
};
extern ResidueMemory m;

inline void ok(int status) {
  EXPECT_EQ(status, 0);
}

inline void fill(Secrets& s) {
  s.fill(m.key, sizeof m.key);
  s.fill(m.iv, sizeof m.iv);
  s.fill(m.aad, sizeof m.aad);
  s.fill(m.in, sizeof m.in);
}

inline std::string text(const char* name, size_t a, size_t b = 0, size_t c = 0) {
  return std::string(name) + " " + std::to_string(a) + " " + std::to_string(b) + " " +
         std::to_string(c);
}

template <class Context>
bool is_zero(const Context& context) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(&context);
  return std::all_of(bytes, bytes + sizeof context, [](uint8_t byte) { return byte == 0; });
}

inline void set_aes_key(Secrets& s, size_t key_len = 32) {
  fill(s);
  ok(incore_aes_key_set(&m.aes, m.key, key_len));
}

// For incore_rng_init_custom.
inline size_t give_from_input(void*, uint8_t* out, size_t len) {
  for (size_t i = 0; i < len; ++i) out[i] = m.in[i % kMaxLen];
  return len;
}

}  // namespace incore::test
