// Nothing secret is left behind by AES and its modes.
#include <algorithm>
#include <cstring>
#include <functional>

#include "capi/residue_calls.h"
#include "crypto/aes/aes_kernel.h"

namespace incore::test {
namespace {

using residue_aes = ResidueTest;
using residue_gcm = ResidueTest;

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
    for (const size_t len : {16, 48, 60, 256, 400}) {
      if (num * len > kMaxLen) continue;
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
  EXPECT_TRUE(computes_h([&] {  // a planted one is found
    uint8_t planted[sizeof h];
    std::memcpy(planted, h, sizeof h);
    asm volatile("" : : "r"(planted) : "memory");
  }));
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

}  // namespace
}  // namespace incore::test
