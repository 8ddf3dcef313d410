// Any bytes as a message: on every pair of kernels AES-GCM gives what the plain steps give, in one
// call, in pieces and in place; opens what it sealed; and finds a changed bit.
#include <algorithm>
#include <cstring>

#include "check.h"
#include "crypto/gcm/gcm_testing.h"

namespace {

using incore::test::Bytes;

// Takes the input apart: numbers from its beginning, then pieces of what is left.
class Input {
 public:
  Input(const uint8_t* data, size_t len) : data_(data), len_(len) {}
  unsigned number() {
    if (len_ == 0) return 0;
    --len_;
    return *data_++;
  }
  Bytes piece(size_t len) {
    len = std::min(len, len_);
    const Bytes bytes(data_, data_ + len);
    data_ += len, len_ -= len;
    return bytes;
  }
  Bytes rest() { return piece(len_); }

 private:
  const uint8_t* data_;
  size_t len_;
};

template <class Call>
void each_piece(size_t len, unsigned longest, Call call) {
  unsigned next = longest;
  for (size_t done = 0; done < len;) {
    next = next * 29 + 7;
    const size_t n = std::min<size_t>(next / 64 % (longest + 1), len - done);
    call(done, n);
    done += n;
    if (longest == 0) longest = 1;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  using namespace incore;
  static const std::vector<test::GcmPair> pairs = test::gcm_pairs();
  Input input(data, len);
  const size_t key_len = 16 + 8 * (input.number() % 3), iv_len = input.number() % 33;
  const size_t aad_len = input.number() * 4;
  const unsigned longest = input.number() * 4, wrong_bit = input.number();
  Bytes key = input.piece(key_len), iv = input.piece(iv_len == 0 ? 12 : iv_len);
  key.resize(key_len);
  if (iv.empty()) iv.resize(12);
  const Bytes aad = input.piece(aad_len), text = input.rest();

  const test::Sealed expected = test::gcm_by_steps(key, iv, aad, text);
  for (const test::GcmPair& pair : pairs) {
    const GcmKey k = test::make_gcm_key(pair, key);
    FUZZ_CHECK(test::seal(k, iv, aad, text) == expected);
    Bytes back;
    FUZZ_CHECK(test::open(k, iv, aad, expected.ciphertext, expected.tag, &back));
    FUZZ_CHECK(back == text);

    GcmStream e(k, iv.data(), iv.size()), d(k, iv.data(), iv.size());
    for (GcmStream* s : {&e, &d})
      each_piece(aad.size(), longest,
                 [&](size_t at, size_t n) { s->add_aad(k, aad.data() + at, n); });
    Bytes buffer = text, tag(16), same_tag(16);
    each_piece(text.size(), longest, [&](size_t at, size_t n) {
      e.encrypt(k, buffer.data() + at, n, buffer.data() + at);
    });
    e.tag(k, tag.data());
    FUZZ_CHECK(buffer == expected.ciphertext && tag == expected.tag);
    each_piece(text.size(), longest + 1, [&](size_t at, size_t n) {
      d.decrypt(k, buffer.data() + at, n, buffer.data() + at);
    });
    d.tag(k, same_tag.data());
    FUZZ_CHECK(buffer == text && same_tag == tag);

    tag[wrong_bit / 8 % 16] ^= static_cast<uint8_t>(1 << wrong_bit % 8);
    FUZZ_CHECK(!test::open(k, iv, aad, expected.ciphertext, tag, &back));
    FUZZ_CHECK(back == Bytes(text.size()));
  }
  return 0;
}
