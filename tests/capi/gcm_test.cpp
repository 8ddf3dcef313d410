// The C interface to AES-GCM: results, streams in pieces, and every fault of a caller.
#include "incore/gcm.h"

#include <gtest/gtest.h>

#include <cstring>

#include "crypto/gcm/gcm_testing.h"

namespace incore::test {
namespace {

class capi_gcm : public testing::Test {
 protected:
  static constexpr size_t kLen = 600;
  const Bytes key_bytes = random_bytes(32, 1), iv = random_bytes(12, 2), aad = random_bytes(30, 3);
  const Bytes text = random_bytes(kLen, 4);
  const Sealed expected = gcm_by_steps(key_bytes, iv, aad, text);
  incore_gcm_key key;
  incore_gcm_stream stream;
  Bytes out = Bytes(kLen, 0xA5), tag = Bytes(16, 0xA5);

  void SetUp() override {
    ASSERT_EQ(incore_gcm_key_set(&key, key_bytes.data(), key_bytes.size()), INCORE_OK);
  }
  incore_status encrypt(size_t tag_len = 16) {
    return incore_gcm_encrypt(&key, iv.data(), iv.size(), aad.data(), aad.size(), text.data(), kLen,
                              out.data(), tag.data(), tag_len);
  }
  incore_status decrypt(const Bytes& with_tag) {
    return incore_gcm_decrypt(&key, iv.data(), iv.size(), aad.data(), aad.size(),
                              expected.ciphertext.data(), kLen, with_tag.data(), with_tag.size(),
                              out.data());
  }
  void start() {
    ASSERT_EQ(incore_gcm_stream_start(&stream, &key, iv.data(), iv.size()), INCORE_OK);
    ASSERT_EQ(incore_gcm_stream_aad(&stream, &key, aad.data(), aad.size()), INCORE_OK);
  }
  void expect_untouched() const {
    EXPECT_EQ(out, Bytes(kLen, 0xA5));
    EXPECT_EQ(tag, Bytes(16, 0xA5));
  }
};

TEST_F(capi_gcm, names_the_kernel_that_was_chosen) {
  ASSERT_NE(incore_ghash_kernel(), nullptr);
  EXPECT_STREQ(incore_ghash_kernel(), ghash_kernel()->info.name);
}

TEST_F(capi_gcm, one_call_each_way) {
  ASSERT_EQ(encrypt(), INCORE_OK);
  EXPECT_EQ(to_hex(out), to_hex(expected.ciphertext));
  EXPECT_EQ(to_hex(tag), to_hex(expected.tag));
  ASSERT_EQ(decrypt(expected.tag), INCORE_OK);
  EXPECT_EQ(to_hex(out), to_hex(text));
}

TEST_F(capi_gcm, gmac_is_a_message_without_text) {
  const Sealed mac = gcm_by_steps(key_bytes, iv, aad, Bytes());
  ASSERT_EQ(incore_gcm_encrypt(&key, iv.data(), 12, aad.data(), aad.size(), nullptr, 0, nullptr,
                               tag.data(), 16),
            INCORE_OK);
  EXPECT_EQ(to_hex(tag), to_hex(mac.tag));
  EXPECT_EQ(incore_gcm_decrypt(&key, iv.data(), 12, aad.data(), aad.size(), nullptr, 0, tag.data(),
                               16, nullptr),
            INCORE_OK);
  EXPECT_EQ(incore_gcm_decrypt(&key, iv.data(), 12, aad.data(), aad.size() - 1, nullptr, 0,
                               tag.data(), 16, nullptr),
            INCORE_ERROR_TAG);
  for (bool verifying : {false, true}) {
    start();
    if (verifying) {
      EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, mac.tag.data(), 16), INCORE_OK);
    } else {
      EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_OK);
      EXPECT_EQ(to_hex(tag), to_hex(mac.tag));
    }
  }
}

// clause: P8-POLY-026
TEST_F(capi_gcm, tags_are_cut_to_the_lengths_of_the_standard_and_no_others) {
  for (size_t len = 0; len <= 20; ++len) {
    const bool allowed = len == 4 || len == 8 || (len >= 12 && len <= 16);
    Bytes cut(20, 0xA5), given = expected.tag;
    given.resize(len);
    EXPECT_EQ(incore_gcm_encrypt(&key, iv.data(), 12, aad.data(), aad.size(), text.data(), kLen,
                                 out.data(), cut.data(), len),
              allowed ? INCORE_OK : INCORE_ERROR_LENGTH)
        << len;
    EXPECT_EQ(to_hex(cut.data(), allowed ? len : 0), to_hex(given.data(), allowed ? len : 0));
    for (size_t i = allowed ? len : 0; i < cut.size(); ++i) EXPECT_EQ(cut[i], 0xA5) << len;
    EXPECT_EQ(decrypt(given.empty() ? Bytes(1) : given), allowed ? INCORE_OK : INCORE_ERROR_LENGTH)
        << len;
    start();
    EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), kLen, out.data()), INCORE_OK);
    cut.assign(20, 0xA5);
    EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, cut.data(), len),
              allowed ? INCORE_OK : INCORE_ERROR_LENGTH);
    EXPECT_EQ(to_hex(cut.data(), allowed ? len : 0), to_hex(given.data(), allowed ? len : 0));
    for (size_t i = allowed ? len : 0; i < cut.size(); ++i) EXPECT_EQ(cut[i], 0xA5) << len;
  }
}

TEST_F(capi_gcm, a_wrong_tag_of_any_length_releases_nothing) {
  for (size_t len : {4, 8, 12, 13, 14, 15, 16}) {
    Bytes wrong(expected.tag.begin(), expected.tag.begin() + static_cast<ptrdiff_t>(len));
    wrong.back() ^= 0x80;
    out.assign(kLen, 0xA5);
    EXPECT_EQ(decrypt(wrong), INCORE_ERROR_TAG);
    EXPECT_EQ(out, Bytes(kLen));
    Bytes buffer = expected.ciphertext;
    EXPECT_EQ(incore_gcm_decrypt(&key, iv.data(), 12, aad.data(), aad.size(), buffer.data(), kLen,
                                 wrong.data(), len, buffer.data()),
              INCORE_ERROR_TAG);
    EXPECT_EQ(buffer, expected.ciphertext);
    start();
    EXPECT_EQ(incore_gcm_stream_decrypt(&stream, &key, buffer.data(), kLen, out.data()), INCORE_OK);
    EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, wrong.data(), len), INCORE_ERROR_TAG);
  }
}

TEST_F(capi_gcm, streams_give_what_one_call_gives) {
  for (size_t split = 0; split <= kLen; split += 37) {
    start();
    Bytes c(kLen), p(kLen);
    EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), split, c.data()), INCORE_OK);
    EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data() + split, kLen - split,
                                        c.data() + split),
              INCORE_OK);
    EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_OK);
    EXPECT_EQ(to_hex(c), to_hex(expected.ciphertext));
    EXPECT_EQ(to_hex(tag), to_hex(expected.tag));
    start();
    std::memcpy(p.data(), c.data(), kLen);  // in place
    EXPECT_EQ(incore_gcm_stream_decrypt(&stream, &key, p.data(), split, p.data()), INCORE_OK);
    EXPECT_EQ(
        incore_gcm_stream_decrypt(&stream, &key, p.data() + split, kLen - split, p.data() + split),
        INCORE_OK);
    EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, tag.data(), 16), INCORE_OK);
    EXPECT_EQ(to_hex(p), to_hex(text));
  }
}

TEST_F(capi_gcm, copies_of_keys_and_streams_work) {
  incore_gcm_key other = key;
  incore_gcm_key_wipe(&key);
  ASSERT_EQ(incore_gcm_stream_start(&stream, &other, iv.data(), 12), INCORE_OK);
  ASSERT_EQ(incore_gcm_stream_aad(&stream, &other, aad.data(), 10), INCORE_OK);
  incore_gcm_stream copy = stream;
  incore_gcm_stream_wipe(&stream);
  ASSERT_EQ(incore_gcm_stream_aad(&copy, &other, aad.data() + 10, 20), INCORE_OK);
  ASSERT_EQ(incore_gcm_stream_encrypt(&copy, &other, text.data(), kLen, out.data()), INCORE_OK);
  ASSERT_EQ(incore_gcm_stream_tag(&copy, &other, tag.data(), 16), INCORE_OK);
  EXPECT_EQ(to_hex(tag), to_hex(expected.tag));
}

TEST_F(capi_gcm, calls_out_of_order_are_errors_of_state) {
  std::memset(&stream, 0, sizeof stream);
  EXPECT_EQ(incore_gcm_stream_aad(&stream, &key, aad.data(), 1), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), 1, out.data()),
            INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_ERROR_STATE);
  start();
  ASSERT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), 1, out.data()), INCORE_OK);
  out[0] = 0xA5;
  EXPECT_EQ(incore_gcm_stream_aad(&stream, &key, aad.data(), 1), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_decrypt(&stream, &key, text.data(), 1, out.data()),
            INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, tag.data(), 16), INCORE_ERROR_STATE);
  expect_untouched();
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_OK);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_ERROR_STATE);
  start();
  ASSERT_EQ(incore_gcm_stream_decrypt(&stream, &key, text.data(), 1, out.data()), INCORE_OK);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, tag.data(), 16), INCORE_ERROR_TAG);
  EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, tag.data(), 16), INCORE_ERROR_STATE);
}

TEST_F(capi_gcm, a_key_that_is_not_set_is_an_error_of_state) {
  start();
  incore_gcm_key_wipe(&key);
  incore_gcm_key_wipe(nullptr);
  incore_gcm_stream_wipe(nullptr);
  EXPECT_EQ(encrypt(), INCORE_ERROR_STATE);
  EXPECT_EQ(decrypt(expected.tag), INCORE_ERROR_STATE);
  incore_gcm_stream unused;
  EXPECT_EQ(incore_gcm_stream_start(&unused, &key, iv.data(), 12), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_aad(&stream, &key, aad.data(), 1), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), 1, out.data()),
            INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_decrypt(&stream, &key, text.data(), 1, out.data()),
            INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, tag.data(), 16), INCORE_ERROR_STATE);
  expect_untouched();
}

TEST_F(capi_gcm, null_pointers) {
  EXPECT_EQ(incore_gcm_key_set(nullptr, key_bytes.data(), 16), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_key_set(&key, nullptr, 16), INCORE_ERROR_NULL);
  const uint8_t* const i = iv.data();
  const uint8_t* const a = aad.data();
  const uint8_t* const t = text.data();
  uint8_t* const o = out.data();
  uint8_t* const g = tag.data();
  const auto both = [&](const incore_gcm_key* k, const uint8_t* x, const uint8_t* y,
                        const uint8_t* z, uint8_t* w, uint8_t* v) {
    EXPECT_EQ(incore_gcm_encrypt(k, x, 12, y, 30, z, kLen, w, v, 16), INCORE_ERROR_NULL);
    EXPECT_EQ(incore_gcm_decrypt(k, x, 12, y, 30, z, kLen, v, 16, w), INCORE_ERROR_NULL);
  };
  both(nullptr, i, a, t, o, g);
  both(&key, nullptr, a, t, o, g);
  both(&key, i, nullptr, t, o, g);
  both(&key, i, a, nullptr, o, g);
  both(&key, i, a, t, nullptr, g);
  both(&key, i, a, t, o, nullptr);
  start();
  EXPECT_EQ(incore_gcm_stream_start(nullptr, &key, i, 12), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_start(&stream, nullptr, i, 12), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_start(&stream, &key, nullptr, 12), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_aad(nullptr, &key, a, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_aad(&stream, nullptr, a, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_aad(&stream, &key, nullptr, 1), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_aad(&stream, &key, nullptr, 0), INCORE_OK);
  for (auto crypt : {incore_gcm_stream_encrypt, incore_gcm_stream_decrypt}) {
    EXPECT_EQ(crypt(nullptr, &key, t, 1, o), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&stream, nullptr, t, 1, o), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&stream, &key, nullptr, 1, o), INCORE_ERROR_NULL);
    EXPECT_EQ(crypt(&stream, &key, t, 1, nullptr), INCORE_ERROR_NULL);
  }
  EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, nullptr, 0, nullptr), INCORE_OK);
  EXPECT_EQ(incore_gcm_stream_tag(nullptr, &key, g, 16), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, nullptr, g, 16), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, nullptr, 16), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_verify(nullptr, &key, g, 16), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_verify(&stream, nullptr, g, 16), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, nullptr, 16), INCORE_ERROR_NULL);
  expect_untouched();
}

// clause: P8-POLY-027
TEST_F(capi_gcm, lengths_that_the_mode_does_not_take) {
  for (size_t len = 0; len <= 40; ++len) {
    if (len == 16 || len == 24 || len == 32) continue;
    EXPECT_EQ(incore_gcm_key_set(&key, Bytes(40).data(), len), INCORE_ERROR_KEY_LENGTH);
  }
  ASSERT_EQ(encrypt(), INCORE_OK);  // the key is still there
  EXPECT_EQ(to_hex(tag), to_hex(expected.tag));
  out.assign(kLen, 0xA5), tag.assign(16, 0xA5);

  EXPECT_EQ(incore_gcm_encrypt(&key, iv.data(), 0, nullptr, 0, text.data(), kLen, out.data(),
                               tag.data(), 16),
            INCORE_ERROR_LENGTH);
  EXPECT_EQ(incore_gcm_stream_start(&stream, &key, iv.data(), 0), INCORE_ERROR_LENGTH);
  if constexpr (sizeof(size_t) == 8) {
    // Nothing is read or written: the lengths come first.
    const size_t too_much = (uint64_t{1} << 36) - 31, too_much_aad = uint64_t{1} << 61;
    EXPECT_EQ(incore_gcm_encrypt(&key, iv.data(), 12, nullptr, 0, text.data(), too_much, out.data(),
                                 tag.data(), 16),
              INCORE_ERROR_LENGTH);
    EXPECT_EQ(incore_gcm_decrypt(&key, iv.data(), 12, nullptr, 0, text.data(), too_much, tag.data(),
                                 16, out.data()),
              INCORE_ERROR_LENGTH);
    EXPECT_EQ(incore_gcm_encrypt(&key, iv.data(), 12, aad.data(), too_much_aad, text.data(), kLen,
                                 out.data(), tag.data(), 16),
              INCORE_ERROR_LENGTH);
    start();
    EXPECT_EQ(incore_gcm_stream_aad(&stream, &key, aad.data(), too_much_aad - 30),
              INCORE_ERROR_LENGTH);
    ASSERT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), 1, out.data()), INCORE_OK);
    out[0] = 0xA5;
    EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), too_much - 1, out.data()),
              INCORE_ERROR_LENGTH);
  }
  expect_untouched();
}

TEST_F(capi_gcm, overlap_that_is_not_in_place) {
  Bytes b(2000);
  uint8_t* const p = b.data();
  const auto encrypt_at = [&](size_t iv_at, size_t aad_at, size_t in_at, size_t out_at,
                              size_t tag_at) {
    return incore_gcm_encrypt(&key, p + iv_at, 12, p + aad_at, 30, p + in_at, 200, p + out_at,
                              p + tag_at, 16);
  };
  EXPECT_EQ(encrypt_at(0, 20, 100, 400, 700), INCORE_OK);
  EXPECT_EQ(encrypt_at(0, 20, 100, 100, 300), INCORE_OK);     // tag behind the text
  EXPECT_EQ(encrypt_at(105, 110, 100, 400, 700), INCORE_OK);  // inputs may share bytes
  const Bytes before = b;
  EXPECT_EQ(encrypt_at(0, 20, 100, 101, 700), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(0, 20, 100, 299, 700), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(0, 20, 300, 101, 700), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(400, 20, 100, 400, 700), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(0, 599, 100, 400, 700), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(0, 20, 100, 400, 599), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(0, 20, 100, 400, 299), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(0, 20, 100, 400, 49), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(encrypt_at(0, 20, 100, 400, 11), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_decrypt(&key, p, 12, nullptr, 0, p + 100, 200, p + 600, 16, p + 410),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_decrypt(&key, p, 12, nullptr, 0, p + 100, 200, p + 700, 16, p + 110),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(b, before);
  uint8_t* const k = reinterpret_cast<uint8_t*>(&key);
  EXPECT_EQ(incore_gcm_encrypt(&key, p, 12, nullptr, 0, p, 10, k + 5, tag.data(), 16),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_encrypt(&key, p, 12, nullptr, 0, p, 10, p + 100, k, 16),
            INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_key_set(&key, k + 100, 16), INCORE_ERROR_OVERLAP);
  start();
  uint8_t* const s = reinterpret_cast<uint8_t*>(&stream);
  EXPECT_EQ(incore_gcm_stream_start(&stream, &key, s, 12), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_aad(&stream, &key, s, 12), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, p, 10, s), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, s, 10, p), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, p, 10, k), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_encrypt(&stream, &key, p, 10, p + 1), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, s, 16), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_tag(&stream, &key, k, 16), INCORE_ERROR_OVERLAP);
  EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, s, 16), INCORE_ERROR_OVERLAP);
  // None of that has moved the stream.
  ASSERT_EQ(incore_gcm_stream_encrypt(&stream, &key, text.data(), kLen, out.data()), INCORE_OK);
  ASSERT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_OK);
  EXPECT_EQ(to_hex(tag), to_hex(expected.tag));
}

TEST_F(capi_gcm, wiped_contexts_hold_nothing) {
  start();
  ASSERT_EQ(incore_gcm_stream_tag(&stream, &key, tag.data(), 16), INCORE_OK);
  EXPECT_EQ(to_hex(&stream, sizeof stream), to_hex(Bytes(sizeof stream)));
  start();
  EXPECT_EQ(incore_gcm_stream_verify(&stream, &key, text.data(), 16), INCORE_ERROR_TAG);
  EXPECT_EQ(to_hex(&stream, sizeof stream), to_hex(Bytes(sizeof stream)));
  incore_gcm_key_wipe(&key);
  EXPECT_EQ(to_hex(&key, sizeof key), to_hex(Bytes(sizeof key)));
}

}  // namespace
}  // namespace incore::test
