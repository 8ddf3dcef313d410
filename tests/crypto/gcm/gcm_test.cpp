// GCM on every pair of kernels against the plain steps: lengths, splits, ivs, counters that wrap,
// alignments, in place; and what a wrong tag leaves.
#include "crypto/gcm/gcm.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "crypto/gcm/gcm_testing.h"

namespace incore::test {

void PrintTo(const GcmPair& pair, std::ostream* os) {
  *os << pair.name();
}

namespace {

Bytes piece(const Bytes& bytes, size_t len) {
  return Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(len));
}

class gcm : public testing::TestWithParam<GcmPair> {
 protected:
  static void check(const Bytes& key, const Bytes& iv, const Bytes& aad, const Bytes& text) {
    const Sealed expected = gcm_by_steps(key, iv, aad, text);
    const GcmKey k = make_gcm_key(GetParam(), key);
    const Sealed sealed = seal(k, iv, aad, text);
    ASSERT_EQ(to_hex(sealed.ciphertext), to_hex(expected.ciphertext));
    ASSERT_EQ(to_hex(sealed.tag), to_hex(expected.tag));
    Bytes back;
    ASSERT_TRUE(open(k, iv, aad, sealed.ciphertext, sealed.tag, &back));
    ASSERT_EQ(to_hex(back), to_hex(text));
  }
};

// clause: P8-POLY-023
TEST_P(gcm, every_length_of_text_from_0_to_300_and_around_batches) {
  const Bytes iv = random_bytes(12, 1), aad = random_bytes(20, 2), text = random_bytes(2100, 3);
  std::vector<size_t> lengths;
  for (size_t len = 0; len <= 300; ++len) lengths.push_back(len);
  for (size_t near : {384, 496, 512, 528, 768, 1024, 1536, 2048})
    for (size_t len = near - 17; len <= near + 17; ++len) lengths.push_back(len);
  for (size_t len : lengths) {
    SCOPED_TRACE(len);
    check(random_bytes(16 + 8 * (len % 3), len), iv, piece(aad, len % 21), piece(text, len));
    if (HasFatalFailure()) return;
  }
}

// clause: P8-POLY-023
TEST_P(gcm, every_length_of_aad_from_0_to_300_and_beyond_a_batch) {
  const Bytes key = random_bytes(16, 4), iv = random_bytes(12, 5);
  const Bytes aad = random_bytes(1200, 6), text = random_bytes(100, 7);
  for (size_t len = 0; len <= 1200; len += len < 300 ? 1 : 37) {
    SCOPED_TRACE(len);
    check(key, iv, piece(aad, len), piece(text, len % 101));
    if (HasFatalFailure()) return;
  }
}

// Around the 32 blocks that one reduction takes in: aad, text and lengths together.
// clause: P8-POLY-023
TEST_P(gcm, every_sum_of_blocks_of_aad_and_text_around_32) {
  const Bytes key = random_bytes(32, 8), iv = random_bytes(12, 9);
  const Bytes aad = random_bytes(16 * 36, 10), text = random_bytes(16 * 36, 11);
  for (size_t aad_blocks = 0; aad_blocks <= 36; ++aad_blocks) {
    for (size_t text_blocks = 0; text_blocks <= 36; text_blocks += aad_blocks % 3 + 1) {
      SCOPED_TRACE(aad_blocks * 100 + text_blocks);
      check(key, iv, piece(aad, 16 * aad_blocks), piece(text, 16 * text_blocks));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(gcm, ivs_of_1_to_64_bytes_and_a_long_one) {
  const Bytes key = random_bytes(24, 12), aad = random_bytes(13, 13), text = random_bytes(200, 14);
  for (size_t len = 1; len <= 64; ++len) {
    SCOPED_TRACE(len);
    check(key, random_bytes(len, len), aad, text);
    if (HasFatalFailure()) return;
  }
  check(key, random_bytes(1000, 15), aad, text);
}

// clause: P8-POLY-022
TEST_P(gcm, counter_wraps_within_32_bits) {
  const Bytes key = random_bytes(16, 16), text = random_bytes(1200, 17);
  for (unsigned before = 0; before < 70; before += before < 40 ? 1 : 7) {
    SCOPED_TRACE(before);
    Bytes j0 = random_bytes(16, 18 + before);
    store_be32(j0.data() + 12, 0xFFFFFFFF - before);
    check(key, iv_for_counter(key, j0), Bytes(), text);
    if (HasFatalFailure()) return;
  }
}

TEST_P(gcm, pieces_of_any_length_give_what_one_call_gives) {
  constexpr size_t kLen = 1500;
  const Bytes key = random_bytes(32, 19), iv = random_bytes(12, 20);
  const Bytes aad = random_bytes(200, 21), text = random_bytes(kLen, 22);
  const Bytes splits = random_bytes(4000, 23);
  const GcmKey k = make_gcm_key(GetParam(), key);
  const Sealed expected = seal(k, iv, aad, text);
  size_t next_split = 0;
  const auto each_piece = [&](size_t len, unsigned longest, auto call) {
    for (size_t done = 0; done < len;) {
      const unsigned part = splits[next_split++ % splits.size()] * longest / 256;
      const size_t n = std::min<size_t>(part, len - done);
      call(done, n);
      done += n;
    }
  };
  for (unsigned longest : {5u, 20u, 60u, 300u, 1500u}) {
    for (int trial = 0; trial < 10; ++trial) {
      GcmStream e(k, iv.data(), iv.size()), d(k, iv.data(), iv.size());
      each_piece(aad.size(), longest,
                 [&](size_t at, size_t n) { e.add_aad(k, aad.data() + at, n); });
      each_piece(aad.size(), longest,
                 [&](size_t at, size_t n) { d.add_aad(k, aad.data() + at, n); });
      Bytes ciphertext(kLen), back(kLen), tag(16), same_tag(16);
      each_piece(kLen, longest, [&](size_t at, size_t n) {
        e.encrypt(k, text.data() + at, n, ciphertext.data() + at);
      });
      each_piece(kLen, longest, [&](size_t at, size_t n) {
        d.decrypt(k, ciphertext.data() + at, n, back.data() + at);
      });
      e.tag(k, tag.data());
      d.tag(k, same_tag.data());
      ASSERT_EQ(to_hex(ciphertext), to_hex(expected.ciphertext)) << longest;
      ASSERT_EQ(to_hex(back), to_hex(text)) << longest;
      ASSERT_EQ(to_hex(tag), to_hex(expected.tag)) << longest;
      ASSERT_EQ(to_hex(same_tag), to_hex(expected.tag)) << longest;
    }
  }
}

TEST_P(gcm, every_alignment_and_no_byte_beyond_the_output) {
  const Bytes key = random_bytes(16, 24), iv = random_bytes(12, 25), aad = random_bytes(40, 26);
  const GcmKey k = make_gcm_key(GetParam(), key);
  for (size_t len : {15, 77, 700}) {
    const Bytes text = random_bytes(len, len);
    const Sealed expected = gcm_by_steps(key, iv, aad, text);
    alignas(64) uint8_t source[700 + 32], target[700 + 96], tag[16];
    for (size_t in_offset = 0; in_offset < 32; ++in_offset) {
      const size_t out_offset = 32 + (7 * in_offset + len) % 32;
      for (bool decrypting : {false, true}) {
        const Bytes& in = decrypting ? expected.ciphertext : text;
        const Bytes& out = decrypting ? text : expected.ciphertext;
        std::memcpy(source + in_offset, in.data(), len);
        std::memset(target, 0xA5, sizeof target);
        const GcmMessage m = {iv.data(),          12,  aad.data(),         aad.size(),
                              source + in_offset, len, target + out_offset};
        if (decrypting) {
          ASSERT_TRUE(gcm_decrypt(k, m, expected.tag.data(), 16));
        } else {
          gcm_encrypt(k, m, tag);
          ASSERT_EQ(to_hex(tag, 16), to_hex(expected.tag));
        }
        for (size_t i = 0; i < sizeof target; ++i) {
          const bool inside = i >= out_offset && i < out_offset + len;
          ASSERT_EQ(target[i], inside ? out[i - out_offset] : 0xA5) << len << ' ' << i;
        }
      }
    }
  }
}

// One page between two that cannot be touched.
class LonelyPage {
 public:
  LonelyPage() {
    void* const p = mmap(nullptr, 3 * len_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(p, MAP_FAILED);
    begin_ = static_cast<uint8_t*>(p) + len_;
    EXPECT_EQ(mprotect(begin_, len_, PROT_READ | PROT_WRITE), 0);
  }
  LonelyPage(const LonelyPage&) = delete;
  ~LonelyPage() { munmap(begin_ - len_, 3 * len_); }
  uint8_t* begin() const { return begin_; }
  uint8_t* place_at_end(size_t len) const { return begin_ + len_ - len; }

 private:
  const size_t len_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  uint8_t* begin_;
};

TEST_P(gcm, neighbouring_pages_are_not_touched) {
  const Bytes key = random_bytes(16, 37);
  const GcmKey k = make_gcm_key(GetParam(), key);
  const LonelyPage iv_page, aad_page, in_page, out_page, tag_page;
  for (bool at_end : {false, true}) {
    const auto place = [&](const LonelyPage& page, size_t len) {
      return at_end ? page.place_at_end(len) : page.begin();
    };
    for (size_t len : {0, 1, 15, 16, 17, 47, 48, 49, 64, 65, 256, 511, 512, 513, 1030}) {
      for (size_t aad_len : {0, 1, 16, 17, 100}) {
        const Bytes iv = random_bytes(12, len), aad = random_bytes(aad_len, len + 1);
        const Bytes text = random_bytes(len, len + 2);
        const Sealed expected = gcm_by_steps(key, iv, aad, text);
        const GcmMessage m = {place(iv_page, 12),  12,  place(aad_page, aad_len), aad_len,
                              place(in_page, len), len, place(out_page, len)};
        std::copy(iv.begin(), iv.end(), place(iv_page, 12));
        std::copy(aad.begin(), aad.end(), place(aad_page, aad_len));
        std::copy(text.begin(), text.end(), place(in_page, len));
        gcm_encrypt(k, m, place(tag_page, 16));
        ASSERT_EQ(to_hex(m.out, len), to_hex(expected.ciphertext)) << len << ' ' << aad_len;
        ASSERT_EQ(to_hex(place(tag_page, 16), 16), to_hex(expected.tag)) << len << ' ' << aad_len;
        std::copy(m.out, m.out + len, place(in_page, len));
        ASSERT_TRUE(gcm_decrypt(k, m, place(tag_page, 16), 16)) << len << ' ' << aad_len;
        ASSERT_EQ(to_hex(m.out, len), to_hex(text)) << len << ' ' << aad_len;
      }
    }
  }
}

TEST_P(gcm, in_place_equals_out_of_place) {
  const Bytes key = random_bytes(32, 27), iv = random_bytes(12, 28), aad = random_bytes(7, 29);
  const GcmKey k = make_gcm_key(GetParam(), key);
  for (size_t len : {1, 16, 31, 300, 511, 512, 513, 1024, 1999}) {
    const Bytes text = random_bytes(len, len);
    const Sealed expected = gcm_by_steps(key, iv, aad, text);
    Bytes buffer = text, tag(16);
    const GcmMessage m = {iv.data(), 12, aad.data(), aad.size(), buffer.data(), len, buffer.data()};
    gcm_encrypt(k, m, tag.data());
    ASSERT_EQ(to_hex(buffer), to_hex(expected.ciphertext)) << len;
    ASSERT_EQ(to_hex(tag), to_hex(expected.tag)) << len;
    ASSERT_TRUE(gcm_decrypt(k, m, tag.data(), 16)) << len;
    ASSERT_EQ(to_hex(buffer), to_hex(text)) << len;
  }
}

// clause: P8-POLY-028
TEST_P(gcm, a_wrong_bit_anywhere_in_the_tag_releases_nothing) {
  const Bytes key = random_bytes(16, 30), aad = random_bytes(5, 31);
  const GcmKey k = make_gcm_key(GetParam(), key);
  for (size_t iv_len : {12, 16}) {
    const Bytes iv = random_bytes(iv_len, 32);
    for (size_t len : {1, 16, 40, 700}) {
      const Bytes text = random_bytes(len, len);
      const Sealed sealed = seal(k, iv, aad, text);
      for (unsigned bit = 0; bit < 128; ++bit) {
        Bytes tag = sealed.tag, out;
        tag[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
        ASSERT_FALSE(open(k, iv, aad, sealed.ciphertext, tag, &out)) << bit;
        ASSERT_EQ(out, Bytes(len)) << bit;
        Bytes buffer = sealed.ciphertext;
        ASSERT_FALSE(gcm_decrypt(
            k, {iv.data(), iv_len, aad.data(), aad.size(), buffer.data(), len, buffer.data()},
            tag.data(), 16));
        ASSERT_EQ(buffer, sealed.ciphertext) << bit;
      }
    }
  }
}

// clause: P8-POLY-028
TEST_P(gcm, a_change_of_iv_aad_or_text_is_found) {
  const Bytes key = random_bytes(16, 33), iv = random_bytes(12, 34), aad = random_bytes(50, 35);
  const GcmKey k = make_gcm_key(GetParam(), key);
  const Bytes text = random_bytes(650, 36);
  const Sealed sealed = seal(k, iv, aad, text);
  Bytes parts[] = {iv, aad, sealed.ciphertext}, out;
  for (Bytes& part : parts) {
    for (uint8_t& byte : part) {
      byte ^= 0x10;
      ASSERT_FALSE(open(k, parts[0], parts[1], parts[2], sealed.tag, &out));
      byte ^= 0x10;
    }
  }
  EXPECT_TRUE(open(k, parts[0], parts[1], parts[2], sealed.tag, &out));
  EXPECT_FALSE(open(k, iv, piece(aad, 49), sealed.ciphertext, sealed.tag, &out));
  EXPECT_FALSE(open(k, iv, aad, piece(sealed.ciphertext, 649), sealed.tag, &out));
}

INSTANTIATE_TEST_SUITE_P(all, gcm, testing::ValuesIn(gcm_pairs()),
                         [](const auto& test) { return test.param.name(); });

// That what was tested above is what the loops are for.
TEST(gcm_loops, serve_the_pairs_that_they_name) {
  size_t num_loops = 0;
  for (const GcmPair& pair : gcm_pairs()) {
    const GcmKey k = make_gcm_key(pair, Bytes(16));
    if (k.loop == nullptr) continue;
    ++num_loops;
    EXPECT_TRUE(k.loop->aes == pair.aes && k.loop->ghash == pair.ghash) << pair.name();
  }
  const std::initializer_list<const GcmLoop*> loops = {
#define X(loop) &gcm_##loop,
#include "crypto/gcm/gcm_loops.def"
#undef X
  };
  for (const GcmLoop* loop : loops)
    if (detect_features().has_all(loop->aes->info.needs) &&
        detect_features().has_all(loop->ghash->info.needs))
      --num_loops;
  EXPECT_EQ(num_loops, 0u);
}

}  // namespace
}  // namespace incore::test
