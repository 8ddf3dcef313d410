// No function of the C interfaces leaves anything behind that depends on a secret, neither on the
// stack nor in a register, whichever kernel serves. support/residue.h says how that is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "crypto/aes/aes_kernel.h"
#include "crypto/gcm/gcm.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/ghash/ghash_kernel.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/rsa/rsa_vectors.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"
#include "incore/aes.h"
#include "incore/ccm.h"
#include "incore/cmac.h"
#include "incore/compat/aes.h"
#include "incore/gcm.h"
#include "incore/gf2.h"
#include "incore/hmac.h"
#include "incore/mont.h"
#include "incore/padlock.h"
#include "incore/rng.h"
#include "incore/rsa.h"
#include "incore/sha.h"
#include "incore/xts.h"
#include "support/process.h"
#include "support/residue.h"

namespace incore::test {
namespace {

class ResidueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kSeesStack) GTEST_SKIP() << "sanitizers lay out stacks of their own";
  }
};
using residue = ResidueTest;
using residue_aes = ResidueTest;
using residue_gcm = ResidueTest;
using residue_sha = ResidueTest;
using residue_gf2 = ResidueTest;
using residue_mont = ResidueTest;
using residue_rng = ResidueTest;
using residue_padlock = ResidueTest;

// Checks one call. |prepare| takes the secrets and makes all ready; |call| returns a status.
template <class Prepare, class Call>
void expect_nothing_left(const std::string& what, Prepare prepare, Call call,
                         int expected = INCORE_OK) {
  int status = -1;
  EXPECT_EQ(left_behind(prepare, [&] { status = call(); }), "") << what;
  EXPECT_EQ(status, expected) << what;
}

constexpr size_t kMaxLen = 8192;
// Lengths that take each path of the kernels: parts of blocks, their loops of all widths, and what
// is left over.
constexpr size_t kLens[] = {0,   1,   15,  16,   17,   31,   32,   48,   63,   64,
                            65,  100, 128, 144,  200,  255,  256,  257,  300,  384,
                            512, 600, 768, 1000, 1024, 1536, 2048, 3000, 4096, 8192};

// All that calls work on. One for all tests, so that addresses are the same in both runs.
struct {
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
  incore_gf2_field field;
  aes_encrypt_ctx encrypt;
  aes_decrypt_ctx decrypt;
  uint64_t a[512], b[512], c[1024];
} m;

void ok(int status) {
  EXPECT_EQ(status, 0);
}

void fill(Secrets& s) {
  s.fill(m.key, sizeof m.key);
  s.fill(m.iv, sizeof m.iv);
  s.fill(m.aad, sizeof m.aad);
  s.fill(m.in, sizeof m.in);
}

std::string text(const char* name, size_t a, size_t b = 0, size_t c = 0) {
  return std::string(name) + " " + std::to_string(a) + " " + std::to_string(b) + " " +
         std::to_string(c);
}

template <class Context>
bool is_zero(const Context& context) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(&context);
  return std::all_of(bytes, bytes + sizeof context, [](uint8_t byte) { return byte == 0; });
}

// ---- The test itself ----

#if defined(__x86_64__)
extern "C" void incore_test_leaves_secret_in_zmm17(const void*);
extern "C" void incore_test_leaves_secret_in_k3(const void*);
extern "C" void incore_test_leaves_secret_in_mm2(const void*);
extern "C" void incore_test_leaves_secret_in_r9(const void*);
asm(R"(
.pushsection .text
incore_test_leaves_secret_in_zmm17:
  vmovdqu64 (%rdi), %zmm17
  ret
incore_test_leaves_secret_in_k3:
  kmovq (%rdi), %k3
  ret
incore_test_leaves_secret_in_mm2:
  movq (%rdi), %mm2
  ret
incore_test_leaves_secret_in_r9:
  mov (%rdi), %r9
  ret
.popsection
)");
#endif

[[gnu::noinline]] void leave_on_stack(const uint8_t* key) {
  volatile uint8_t copy[16];
  for (size_t i = 0; i < 16; ++i) copy[i] = static_cast<uint8_t>(key[15 - i] ^ 0x5C);
  m.out[0] = copy[3];
}

TEST_F(residue, test_finds_what_is_left_on_the_stack) {
  EXPECT_NE(left_behind(fill, [] { leave_on_stack(m.key); }).find("stack"), std::string::npos);
}

TEST_F(residue, test_finds_what_is_left_in_registers) {
  if (!kSeesRegisters) GTEST_SKIP() << "registers are looked at on x86-64 only";
#if defined(__x86_64__)
  const auto left = [](void (*leak)(const void*)) {
    return left_behind(fill, [=] { leak(m.key); });
  };
  EXPECT_EQ(left(incore_test_leaves_secret_in_mm2).find("MMX register 2"), 0u);
  EXPECT_EQ(left(incore_test_leaves_secret_in_r9).find("r9"), 0u);
  if (!detect_features().has(Feature::avx512)) return;
  EXPECT_EQ(left(incore_test_leaves_secret_in_zmm17).find("vector register 17"), 0u);
  EXPECT_EQ(left(incore_test_leaves_secret_in_k3).find("mask register 3"), 0u);
#endif
}

TEST_F(residue, test_finds_nothing_where_nothing_is) {
  EXPECT_EQ(left_behind(fill,
                        [] {
                          m.out[0] = m.in[0];
                          asm volatile("" : : : "memory");
                        })
                .find("stack"),
            std::string::npos);
}

// ---- AES ----

void set_aes_key(Secrets& s, size_t key_len = 32) {
  fill(s);
  ok(incore_aes_key_set(&m.aes, m.key, key_len));
}

TEST_F(residue_aes, keys) {
  for (const size_t len : {16, 24, 32}) {
    expect_nothing_left(text("aes_key_set", len), fill,
                        [=] { return incore_aes_key_set(&m.aes, m.key, len); });
    expect_nothing_left(text("aes_encrypt_key", len), fill,
                        [=] { return aes_encrypt_key(m.key, static_cast<int>(len), &m.encrypt); });
    expect_nothing_left(text("aes_decrypt_key", len), fill,
                        [=] { return aes_decrypt_key(m.key, static_cast<int>(len), &m.decrypt); });
  }
}

TEST_F(residue_aes, blocks) {
  for (const size_t key_len : {16, 24, 32})
    for (const size_t len : kLens) {
      if (len % 16 != 0) continue;
      const auto prepare = [=](Secrets& s) { set_aes_key(s, key_len); };
      expect_nothing_left(text("ecb_encrypt", key_len, len), prepare,
                          [=] { return incore_aes_ecb_encrypt(&m.aes, m.in, len, m.out); });
      expect_nothing_left(text("ecb_decrypt", key_len, len), prepare,
                          [=] { return incore_aes_ecb_decrypt(&m.aes, m.in, len, m.out); });
      expect_nothing_left(text("cbc_encrypt", key_len, len), prepare,
                          [=] { return incore_aes_cbc_encrypt(&m.aes, m.iv, m.in, len, m.in); });
      expect_nothing_left(text("cbc_decrypt", key_len, len), prepare,
                          [=] { return incore_aes_cbc_decrypt(&m.aes, m.iv, m.in, len, m.out); });
    }
}

TEST_F(residue_aes, streams) {
  for (int mode = INCORE_AES_CFB128_ENCRYPT; mode <= INCORE_AES_CTR128; ++mode) {
    const auto stream_mode = static_cast<incore_aes_stream_mode>(mode);
    for (const size_t len : kLens)
      expect_nothing_left(
          text("aes_crypt", mode, len), [](Secrets& s) { set_aes_key(s); },
          [=] { return incore_aes_crypt(&m.aes, stream_mode, m.iv, m.in, len, m.out); });
    expect_nothing_left(text("aes_stream_start", mode), fill,
                        [=] { return incore_aes_stream_start(&m.stream, stream_mode, m.iv); });
    for (const size_t before : {0, 1, 16, 31})
      for (const size_t len : {0, 1, 15, 16, 17, 40, 300, 1000})
        expect_nothing_left(
            text("aes_stream_update", mode, before, len),
            [=](Secrets& s) {
              set_aes_key(s);
              ok(incore_aes_stream_start(&m.stream, stream_mode, m.iv));
              ok(incore_aes_stream_update(&m.stream, &m.aes, m.in, before, m.out));
            },
            [=] { return incore_aes_stream_update(&m.stream, &m.aes, m.in, len, m.out); });
  }
}

TEST_F(residue_aes, many_messages) {
  static incore_aes_message messages[130];
  static uint8_t ivs[130][16];
  for (const size_t num : {1, 2, 5, 16, 19, 32, 130})
    for (const size_t len : {16, 48, 60}) {
      const auto prepare = [=](Secrets& s) {
        set_aes_key(s);
        s.fill(ivs, sizeof ivs);
        for (size_t i = 0; i < num; ++i)
          messages[i] = {&m.aes, ivs[i], m.in + len * i, len, m.out + len * i};
      };
      expect_nothing_left(text("aes_cfb_encrypt_many", num, len), prepare,
                          [=] { return incore_aes_cfb_encrypt_many(messages, num); });
      if (len % 16 == 0)
        expect_nothing_left(text("aes_cbc_encrypt_many", num, len), prepare,
                            [=] { return incore_aes_cbc_encrypt_many(messages, num); });
    }
}

// Places of a batch that nobody asked for must not hold zeros: encrypted, those are the hash key of
// GCM, and every function of AES would have computed it.
TEST_F(residue_aes, portable_kernel_never_encrypts_zeros_unasked) {
  static AesKey encrypt, decrypt;
  static uint8_t h[16];
  Secrets s(1);
  fill(s);
  aes_set_key(aes_portable, m.key, 16, &encrypt, &decrypt);
  const uint8_t zeros[16] = {};
  aes_portable.ecb_encrypt(encrypt, zeros, h, 1);
  const auto computes_h = [](const std::function<void()>& call) {
    const Residue left = residue_of(call);
    const auto* const registers = &left.registers.vector[0][0];
    const auto holds_h = [](auto begin, auto end) {
      return std::search(begin, end, h, h + 8) != end ||
             std::search(begin, end, h + 8, h + 16) != end;
    };
    return holds_h(left.stack.begin(), left.stack.end()) ||
           holds_h(registers, registers + sizeof left.registers.vector);
  };
  EXPECT_TRUE(computes_h([&] { aes_portable.ecb_encrypt(encrypt, zeros, m.out, 1); }));
  for (const size_t blocks : {1, 2, 7, 9}) {
    EXPECT_FALSE(computes_h([=] { aes_portable.ecb_encrypt(encrypt, m.in, m.out, blocks); }));
    EXPECT_FALSE(computes_h([=] { aes_portable.cbc_encrypt(encrypt, m.iv, m.in, m.out, blocks); }));
    EXPECT_FALSE(computes_h([=] { aes_portable.cfb_encrypt(encrypt, m.iv, m.in, m.out, blocks); }));
    EXPECT_FALSE(computes_h([=] { aes_portable.cfb_decrypt(encrypt, m.iv, m.in, m.out, blocks); }));
    EXPECT_FALSE(computes_h([=] { aes_portable.ofb(encrypt, m.iv, m.in, m.out, blocks); }));
    EXPECT_FALSE(computes_h([=] { aes_portable.ctr(encrypt, m.iv, m.in, m.out, blocks, 32); }));
  }
}

void count_up(unsigned char* counter) {
  ++counter[15];
}

TEST_F(residue_aes, gladman) {
  const auto prepare = [](Secrets& s) {
    fill(s);
    ok(aes_encrypt_key256(m.key, &m.encrypt));
    ok(aes_decrypt_key256(m.key, &m.decrypt));
  };
  expect_nothing_left("aes_encrypt_key128", fill,
                      [] { return aes_encrypt_key128(m.key, &m.encrypt); });
  expect_nothing_left("aes_encrypt_key192", fill,
                      [] { return aes_encrypt_key192(m.key, &m.encrypt); });
  expect_nothing_left("aes_encrypt_key256", fill,
                      [] { return aes_encrypt_key256(m.key, &m.encrypt); });
  expect_nothing_left("aes_decrypt_key128", fill,
                      [] { return aes_decrypt_key128(m.key, &m.decrypt); });
  expect_nothing_left("aes_decrypt_key192", fill,
                      [] { return aes_decrypt_key192(m.key, &m.decrypt); });
  expect_nothing_left("aes_decrypt_key256", fill,
                      [] { return aes_decrypt_key256(m.key, &m.decrypt); });
  expect_nothing_left("aes_encrypt", prepare, [] { return aes_encrypt(m.in, m.out, &m.encrypt); });
  expect_nothing_left("aes_decrypt", prepare, [] { return aes_decrypt(m.in, m.out, &m.decrypt); });
  expect_nothing_left("aes_mode_reset", prepare, [] { return aes_mode_reset(&m.encrypt); });
  for (const size_t len : kLens) {
    const int n = static_cast<int>(len);
    if (len % 16 == 0) {
      expect_nothing_left(text("aes_ecb_encrypt", len), prepare,
                          [=] { return aes_ecb_encrypt(m.in, m.out, n, &m.encrypt); });
      expect_nothing_left(text("aes_ecb_decrypt", len), prepare,
                          [=] { return aes_ecb_decrypt(m.in, m.out, n, &m.decrypt); });
      expect_nothing_left(text("aes_cbc_encrypt", len), prepare,
                          [=] { return aes_cbc_encrypt(m.in, m.out, n, m.iv, &m.encrypt); });
      expect_nothing_left(text("aes_cbc_decrypt", len), prepare,
                          [=] { return aes_cbc_decrypt(m.in, m.out, n, m.iv, &m.decrypt); });
    }
    expect_nothing_left(text("aes_cfb_encrypt", len), prepare,
                        [=] { return aes_cfb_encrypt(m.in, m.out, n, m.iv, &m.encrypt); });
    expect_nothing_left(text("aes_cfb_decrypt", len), prepare,
                        [=] { return aes_cfb_decrypt(m.in, m.out, n, m.iv, &m.encrypt); });
    expect_nothing_left(text("aes_ofb_crypt", len), prepare,
                        [=] { return aes_ofb_crypt(m.in, m.out, n, m.iv, &m.encrypt); });
    for (cbuf_inc* const next : {static_cast<cbuf_inc*>(nullptr), &count_up})
      expect_nothing_left(text("aes_ctr_crypt", len, next != nullptr), prepare,
                          [=] { return aes_ctr_crypt(m.in, m.out, n, m.iv, next, &m.encrypt); });
  }
}

TEST_F(residue_aes, xts) {
  for (const size_t key_len : {32, 64}) {
    expect_nothing_left(text("xts_key_set", key_len), fill,
                        [=] { return incore_xts_key_set(&m.xts, m.key, key_len); });
    for (const size_t len : kLens) {
      if (len < 16) continue;
      const auto prepare = [=](Secrets& s) {
        fill(s);
        ok(incore_xts_key_set(&m.xts, m.key, key_len));
      };
      expect_nothing_left(text("xts_encrypt", key_len, len), prepare,
                          [=] { return incore_xts_encrypt(&m.xts, m.iv, m.in, len, m.out); });
      expect_nothing_left(text("xts_decrypt", key_len, len), prepare,
                          [=] { return incore_xts_decrypt(&m.xts, m.iv, m.in, len, m.out); });
      for (const size_t unit : {16, 512}) {
        const size_t last = (len - 1) % unit + 1;
        if (last < 16) continue;
        expect_nothing_left(text("xts_encrypt_units", key_len, len, unit), prepare, [=] {
          return incore_xts_encrypt_units(&m.xts, 7, unit, m.in, len, m.out);
        });
        expect_nothing_left(text("xts_decrypt_units", key_len, len, unit), prepare, [=] {
          return incore_xts_decrypt_units(&m.xts, 7, unit, m.in, len, m.out);
        });
      }
    }
  }
}

TEST_F(residue_aes, ccm) {
  for (const size_t len : kLens)
    for (const size_t aad_len : {0, 20, 300}) {
      const auto prepare = [=](Secrets& s) {
        set_aes_key(s);
        ok(incore_ccm_encrypt(&m.aes, m.iv, 12, m.aad, aad_len, m.in, len, m.out, m.tag, 14));
      };
      expect_nothing_left(text("ccm_encrypt", len, aad_len), prepare, [=] {
        return incore_ccm_encrypt(&m.aes, m.iv, 12, m.aad, aad_len, m.in, len, m.out, m.tag, 14);
      });
      expect_nothing_left(text("ccm_decrypt", len, aad_len), prepare, [=] {
        return incore_ccm_decrypt(&m.aes, m.iv, 12, m.aad, aad_len, m.out, len, m.tag, 14, m.in);
      });
      expect_nothing_left(
          text("ccm_decrypt, wrong tag", len, aad_len), prepare,
          [=] {
            return incore_ccm_decrypt(&m.aes, m.iv, 12, m.aad, aad_len, m.out, len, m.key, 14,
                                      m.in);
          },
          INCORE_ERROR_TAG);
    }
}

TEST_F(residue_aes, cmac) {
  for (const size_t len : kLens) {
    const auto prepare = [=](Secrets& s) {
      set_aes_key(s);
      ok(incore_cmac_tag(&m.aes, m.in, len, m.tag, 16));
    };
    expect_nothing_left(text("cmac_tag", len), prepare,
                        [=] { return incore_cmac_tag(&m.aes, m.in, len, m.out, 16); });
    expect_nothing_left(text("cmac_verify_tag", len), prepare,
                        [=] { return incore_cmac_verify_tag(&m.aes, m.in, len, m.tag, 16); });
    const auto begin = [=](Secrets& s) {
      prepare(s);
      ok(incore_cmac_start(&m.cmac));
      ok(incore_cmac_update(&m.cmac, &m.aes, m.in, len));
    };
    for (const size_t more : {1, 16, 100})
      expect_nothing_left(text("cmac_update", len, more), begin,
                          [=] { return incore_cmac_update(&m.cmac, &m.aes, m.in, more); });
    expect_nothing_left(text("cmac_final", len), begin,
                        [=] { return incore_cmac_final(&m.cmac, &m.aes, m.out, 12); });
    expect_nothing_left(text("cmac_verify", len), begin,
                        [=] { return incore_cmac_verify(&m.cmac, &m.aes, m.tag, 16); });
    if (len % 16 == 0)
      expect_nothing_left(text("cbc_mac", len), prepare,
                          [=] { return incore_cbc_mac(&m.aes, m.iv, m.in, len); });
  }
}

// ---- GCM ----

TEST_F(residue_gcm, keys) {
  for (const size_t len : {16, 24, 32})
    expect_nothing_left(text("gcm_key_set", len), fill,
                        [=] { return incore_gcm_key_set(&m.gcm, m.key, len); });
}

TEST_F(residue_gcm, messages) {
  for (const size_t key_len : {16, 24, 32})
    for (const size_t len : kLens)
      for (const size_t iv_len : {12, 13})
        for (const size_t aad_len : {0, 20, 300}) {
          const size_t tag_len = len % 2 == 0 ? 16 : 12;
          const auto prepare = [=](Secrets& s) {
            fill(s);
            ok(incore_gcm_key_set(&m.gcm, m.key, key_len));
            ok(incore_gcm_encrypt(&m.gcm, m.iv, iv_len, m.aad, aad_len, m.in, len, m.out, m.tag,
                                  tag_len));
          };
          expect_nothing_left(text("gcm_encrypt", key_len, len, iv_len), prepare, [=] {
            return incore_gcm_encrypt(&m.gcm, m.iv, iv_len, m.aad, aad_len, m.in, len, m.in, m.tag,
                                      tag_len);
          });
          expect_nothing_left(text("gcm_decrypt", key_len, len, iv_len), prepare, [=] {
            return incore_gcm_decrypt(&m.gcm, m.iv, iv_len, m.aad, aad_len, m.out, len, m.tag,
                                      tag_len, m.in);
          });
          expect_nothing_left(
              text("gcm_decrypt, wrong tag", key_len, len, iv_len), prepare,
              [=] {
                return incore_gcm_decrypt(&m.gcm, m.iv, iv_len, m.aad, aad_len, m.out, len, m.key,
                                          tag_len, m.out);
              },
              INCORE_ERROR_TAG);
        }
}

TEST_F(residue_gcm, streams) {
  const auto start = [](Secrets& s) {
    fill(s);
    ok(incore_gcm_key_set(&m.gcm, m.key, 16));
    ok(incore_gcm_stream_start(&m.gcm_stream, &m.gcm, m.iv, 12));
  };
  for (const size_t iv_len : {12, 16, 60})
    expect_nothing_left(text("gcm_stream_start", iv_len), start, [=] {
      return incore_gcm_stream_start(&m.gcm_stream, &m.gcm, m.iv, iv_len);
    });
  for (const size_t before : {0, 1, 16, 31})
    for (const size_t len : {0, 1, 15, 16, 17, 100, 300, 512, 1000, 4096}) {
      expect_nothing_left(
          text("gcm_stream_aad", before, len),
          [=](Secrets& s) {
            start(s);
            ok(incore_gcm_stream_aad(&m.gcm_stream, &m.gcm, m.aad, before));
          },
          [=] { return incore_gcm_stream_aad(&m.gcm_stream, &m.gcm, m.in, len); });
      const auto encrypt = [=](Secrets& s) {
        start(s);
        ok(incore_gcm_stream_encrypt(&m.gcm_stream, &m.gcm, m.in, before, m.out));
      };
      const auto decrypt = [=](Secrets& s) {
        start(s);
        ok(incore_gcm_encrypt(&m.gcm, m.iv, 12, nullptr, 0, m.in, before, m.out, m.tag, 16));
        ok(incore_gcm_stream_decrypt(&m.gcm_stream, &m.gcm, m.out, before, m.in));
      };
      expect_nothing_left(text("gcm_stream_encrypt", before, len), encrypt, [=] {
        return incore_gcm_stream_encrypt(&m.gcm_stream, &m.gcm, m.in, len, m.out);
      });
      expect_nothing_left(text("gcm_stream_decrypt", before, len), decrypt, [=] {
        return incore_gcm_stream_decrypt(&m.gcm_stream, &m.gcm, m.in, len, m.out);
      });
      expect_nothing_left(text("gcm_stream_tag", before), encrypt,
                          [=] { return incore_gcm_stream_tag(&m.gcm_stream, &m.gcm, m.out, 16); });
      expect_nothing_left(text("gcm_stream_verify", before), decrypt, [=] {
        return incore_gcm_stream_verify(&m.gcm_stream, &m.gcm, m.tag, 16);
      });
    }
}

// ---- SHA and HMAC: a message is a secret, and so is what a hash of it goes on with ----

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

// ---- Arithmetic ----

TEST_F(residue_gf2, products) {
  const auto prepare = [](Secrets& s) {
    s.fill(m.a, sizeof m.a);
    s.fill(m.b, sizeof m.b);
  };
  for (const size_t words : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 20, 33, 64})
    expect_nothing_left(text("gf2_multiply", words), prepare,
                        [=] { return incore_gf2_multiply(m.a, m.b, words, m.c); });
}

TEST_F(residue_gf2, fields) {
  const std::vector<std::vector<unsigned>> polynomials = {
      {5, 2, 0},    {64, 4, 3, 1, 0}, {113, 9, 0},        {163, 7, 6, 3, 0}, {191, 9, 0},
      {233, 74, 0}, {239, 36, 0},     {283, 12, 7, 5, 0}, {409, 87, 0},      {571, 10, 5, 2, 0}};
  for (const auto& f : polynomials) {
    const unsigned degree = f[0];
    const auto prepare = [&](Secrets& s) {
      ok(incore_gf2_field_set(&m.field, f.data(), f.size()));
      for (uint64_t* const number : {m.a, m.b}) {
        s.fill(number, (degree + 63) / 64 * 8);
        if (degree % 64 != 0) number[degree / 64] &= (uint64_t{1} << degree % 64) - 1;
      }
    };
    expect_nothing_left(text("gf2_field_multiply", degree), prepare,
                        [] { return incore_gf2_field_multiply(&m.field, m.a, m.b, m.c); });
    expect_nothing_left(text("gf2_field_square", degree), prepare,
                        [] { return incore_gf2_field_square(&m.field, m.a, m.c); });
    expect_nothing_left(text("gf2_field_inverse", degree), prepare,
                        [] { return incore_gf2_field_inverse(&m.field, m.a, m.c); });
    expect_nothing_left(text("gf2_montmul", degree), prepare,
                        [] { return incore_gf2_montmul(&m.field, m.a, m.b, m.c); });
    expect_nothing_left(text("gf2_to_mont", degree), prepare,
                        [] { return incore_gf2_to_mont(&m.field, m.a, m.c); });
    expect_nothing_left(text("gf2_from_mont", degree), prepare,
                        [] { return incore_gf2_from_mont(&m.field, m.a, m.c); });
  }
}

TEST_F(residue_mont, numbers) {
  for (const size_t bits : {256, 320, 512, 520, 1024, 1100, 2048, 4096}) {
    const size_t len = bits / 8;
    static uint8_t modulus[512], base[512], exponent[70];
    const auto secrets = [=](Secrets& s) {
      for (uint8_t* const number : {modulus, base}) s.fill(number, len);
      s.fill(exponent, sizeof exponent);
      modulus[0] |= 0x80, modulus[len - 1] |= 1, base[0] &= 0x7F;
    };
    const auto set = [=] {
      return incore_mont_set(&m.mont, modulus, len, m.workspace, sizeof m.workspace);
    };
    const auto prepare = [=](Secrets& s) {
      secrets(s);
      ok(set());
      ok(incore_mont_enter(&m.mont, base, len, m.a));
      base[len - 1] ^= 1;
      ok(incore_mont_enter(&m.mont, base, len, m.b));
    };
    expect_nothing_left(text("mont_set", bits), secrets, set);
    expect_nothing_left(text("mont_enter", bits), prepare,
                        [=] { return incore_mont_enter(&m.mont, base, len, m.c); });
    expect_nothing_left(text("mont_leave", bits), prepare,
                        [=] { return incore_mont_leave(&m.mont, m.a, m.out, len); });
    expect_nothing_left(text("mont_mul", bits), prepare,
                        [] { return incore_mont_mul(&m.mont, m.a, m.b, m.c); });
    for (const size_t exponent_len : {0, 1, 8, 70})
      expect_nothing_left(text("mont_exp", bits, exponent_len), prepare, [=] {
        return incore_mont_exp(&m.mont, base, len, exponent, exponent_len, m.out, len);
      });
  }
}

std::array<const Bytes*, 7> parts_of(const RsaVectors& v) {
  return {&v.n, &v.e, &v.p, &v.q, &v.dp, &v.dq, &v.q_inv};
}

// Pairs of keys all of whose parts have the same lengths: one pair of each length of n.
std::vector<std::array<const RsaVectors*, 2>> alike(const std::vector<RsaVectors>& all) {
  std::map<size_t, std::array<const RsaVectors*, 2>> found;
  const auto have_same_lengths = [](const RsaVectors& a, const RsaVectors& b) {
    const auto of_a = parts_of(a), of_b = parts_of(b);
    return std::equal(of_a.begin(), of_a.end(), of_b.begin(),
                      [](const Bytes* x, const Bytes* y) { return x->size() == y->size(); });
  };
  for (const RsaVectors& a : all)
    for (const RsaVectors& b : all)
      if (&a < &b && have_same_lengths(a, b)) found[a.n.size()] = {&a, &b};
  std::vector<std::array<const RsaVectors*, 2>> pairs;
  for (const auto& pair : found) pairs.push_back(pair.second);
  return pairs;
}

// Puts the parts of a key where those of the key before were.
const incore_rsa_parts* place_parts(const RsaVectors& v) {
  static uint8_t bytes[7][1024];
  static incore_rsa_parts parts;
  incore_rsa_number* const numbers[] = {&parts.n,  &parts.e,  &parts.p,    &parts.q,
                                        &parts.dp, &parts.dq, &parts.q_inv};
  for (size_t i = 0; i < 7; ++i) {
    const Bytes& part = *parts_of(v)[i];
    std::copy(part.begin(), part.end(), bytes[i]);
    *numbers[i] = {bytes[i], part.size()};
  }
  return &parts;
}

TEST_F(residue_mont, rsa) {
  const std::vector<RsaVectors> all = load_rsa_laboratories();
  if (all.empty()) GTEST_SKIP() << "no RSA vectors (package python3-cryptography-vectors)";
  const auto pairs = alike(all);
  EXPECT_GE(pairs.size(), 1u);
  for (const auto& pair : pairs) {
    const size_t len = pair[0]->n.size();
    static const incore_rsa_parts* parts;
    const auto place = [=](Secrets& s) {
      parts = place_parts(*pair[s.which() - 1]);
      s.fill(m.in, len);
      m.in[0] = 0;
    };
    const auto set = [] {
      return incore_rsa_key_set_private(&m.rsa, parts, m.workspace, sizeof m.workspace);
    };
    const auto prepare = [=](Secrets& s) {
      place(s);
      ok(set());
    };
    expect_nothing_left(text("rsa_key_set_private", len), place, set);
    expect_nothing_left(text("rsa_key_set_public", len), place, [] {
      return incore_rsa_key_set_public(&m.rsa, parts->n, parts->e, m.workspace, sizeof m.workspace);
    });
    expect_nothing_left(text("rsa_public", len), prepare,
                        [=] { return incore_rsa_public(&m.rsa, m.in, len, m.out, len); });
    expect_nothing_left(text("rsa_private", len), prepare,
                        [=] { return incore_rsa_private(&m.rsa, m.in, len, m.out, len); });
    incore_rsa_key_wipe(&m.rsa);
    EXPECT_TRUE(is_zero(m.rsa));
    EXPECT_TRUE(is_zero(m.workspace));
  }
}

// ---- Random bytes, and PadLock ----

size_t give_from_input(void*, uint8_t* out, size_t len) {
  for (size_t i = 0; i < len; ++i) out[i] = m.in[i % kMaxLen];
  return len;
}

TEST_F(residue_rng, bytes) {
  for (const int conditioned : {0, 1}) {
    static incore_rng_options options;
    options = {};
    options.conditioned = conditioned;
    const auto prepare = [](Secrets& s) {
      fill(s);
      ok(incore_rng_init_custom(&m.rng, give_from_input, nullptr, &options));
    };
    expect_nothing_left(text("rng_init_custom", static_cast<size_t>(conditioned)), fill, [] {
      return incore_rng_init_custom(&m.rng, give_from_input, nullptr, &options);
    });
    for (const size_t len : kLens)
      expect_nothing_left(text("rng_bytes", static_cast<size_t>(conditioned), len), prepare,
                          [=] { return incore_rng_bytes(&m.rng, m.out, len); });
    for (size_t source = 0; source < incore_rng_num_sources(); ++source) {
      if (incore_rng_init(&m.rng, source, &options) != INCORE_OK) continue;
      expect_nothing_left(text("rng_init", source), fill,
                          [=] { return incore_rng_init(&m.rng, source, &options); });
      for (const size_t len : {1, 16, 1000})
        expect_nothing_left(text("rng_bytes of source", source, len), fill,
                            [=] { return incore_rng_bytes(&m.rng, m.out, len); });
    }
  }
}

TEST_F(residue_rng, monitor) {
  const auto prepare = [](Secrets& s) {
    fill(s);
    ok(incore_rng_monitor_init(&m.monitor, 0, 0));
  };
  expect_nothing_left("rng_monitor_update", prepare,
                      [] { return incore_rng_monitor_update(&m.monitor, m.in, 2000); });
}

TEST_F(residue_padlock, instructions) {
  static incore_padlock_registers registers;
  static uint32_t control_word[4];
  const auto execute = [](const char* mnemonic) {
    incore_padlock_trap trap;
    return incore_padlock_execute(&m.padlock, mnemonic, &registers, &trap);
  };
  const auto address = [](void* p) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(p));
  };
  const auto prepare = [=](Secrets& s) {
    fill(s);
    ASSERT_EQ(incore_padlock_init_emulated(&m.padlock, "nano", 1, nullptr, 0), INCORE_OK);
    control_word[0] = 10;
    registers = {.rax = address(m.iv),
                 .rbx = address(m.key),
                 .rcx = 20,
                 .rdx = address(control_word),
                 .rsi = address(m.in),
                 .rdi = address(m.out)};
  };
  for (const char* mnemonic :
       {"xcrypt-ecb", "xcrypt-cbc", "xcrypt-ctr", "xcrypt-cfb", "xcrypt-ofb"})
    expect_nothing_left(mnemonic, prepare, [=] { return execute(mnemonic); });
  const auto hash = [=](Secrets& s) {
    prepare(s);
    registers.rax = 0;
    registers.rcx = 300;
    s.fill(m.out, 64);
  };
  for (const char* mnemonic : {"xsha1", "xsha256"})
    expect_nothing_left(mnemonic, hash, [=] { return execute(mnemonic); });
}

// ---- What contexts hold when they are wiped ----

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

// ---- That no function is missing here ----

std::string read_file(const std::string& path) {
  std::ifstream file(INCORE_SOURCE_DIR "/" + path);
  EXPECT_TRUE(file) << path;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// What is told of these is public.
const std::set<std::string> kWithoutSecrets = {
    "aes_init",
    "aes_test_alignment_detection",
    "incore_aes_kernel",
    "incore_ghash_kernel",
    "incore_gf2_kernel",
    "incore_mont_kernel",
    "incore_gf2_field_degree",
    "incore_gf2_field_set_words",
    "incore_mont_num_words",
    "incore_mont_workspace_len",
    "incore_rsa_modulus_len",
    "incore_rsa_private_workspace_len",
    "incore_rsa_public_workspace_len",
    "incore_rng_condition_bytes",
    "incore_rng_find_source",
    "incore_rng_get_health",
    "incore_rng_get_source",
    "incore_rng_monitor_get_health",
    "incore_padlock_clock_mhz",
    "incore_padlock_cpuid",
    "incore_padlock_init_native",
    "incore_padlock_is_native",
    "incore_padlock_mnemonic",
    "incore_padlock_name",
    "incore_padlock_num_interrupts",
    "incore_padlock_read_msr",
    "incore_padlock_reload_key",
    "incore_padlock_seconds",
    "incore_padlock_set_interrupts",
    "incore_padlock_wait",
    "incore_padlock_write_msr",
};

TEST_F(residue, every_function_with_secrets_is_called_here) {
  const std::string here = read_file("tests/capi/residue_test.cpp");
  const std::regex comment("/\\*[^]*?\\*/"), function("\\b((?:incore|aes)_\\w+)\\(");
  size_t num_functions = 0;
  for (const char* header : {"aes", "ccm", "cmac", "gcm", "gf2", "hmac", "mont", "padlock", "rng",
                             "rsa", "sha", "xts", "compat/aes", "compat/aes_modes"}) {
    const std::string declared =
        std::regex_replace(read_file(std::string("include/incore/") + header + ".h"), comment, "");
    for (std::sregex_iterator i(declared.begin(), declared.end(), function), end; i != end; ++i) {
      const std::string name = (*i)[1];
      ++num_functions;
      if (kWithoutSecrets.count(name) != 0) continue;
      EXPECT_NE(here.find(name + "("), std::string::npos) << name << " of " << header << ".h";
    }
  }
  EXPECT_GE(num_functions, 100u);
}

}  // namespace
}  // namespace incore::test
