// Random calls of XTS, CCM, CMAC and HMAC: what was encrypted decrypts to itself, pieces give what
// one call gives, and a message with one bit changed is refused with nothing released.
#include <algorithm>
#include <cstring>

#include "check.h"
#include "incore/ccm.h"
#include "incore/cmac.h"
#include "incore/hmac.h"
#include "incore/xts.h"
#include "support/choices.h"

namespace {

using Bytes = std::vector<uint8_t>;
using incore::test::FuzzedChoices;

constexpr size_t kMaxLen = 5000;

// Mostly short; at times beyond the pieces in which the library works.
size_t any_len(FuzzedChoices& choices) {
  return choices.below(choices.chance(8) ? kMaxLen : 100);
}

void flip_a_bit(FuzzedChoices& choices, Bytes& bytes) {
  bytes[choices.below(bytes.size())] ^= static_cast<uint8_t>(1 << choices.below(8));
}

incore_aes_key any_key(FuzzedChoices& choices) {
  const Bytes bytes = choices.bytes(16 + 8 * choices.below(3));
  incore_aes_key key;
  FUZZ_CHECK(incore_aes_key_set(&key, bytes.data(), bytes.size()) == INCORE_OK);
  return key;
}

void call_xts(FuzzedChoices& choices) {
  const Bytes key_bytes = choices.bytes(choices.chance(2) ? 32 : 64);
  incore_xts_key key;
  const size_t half = key_bytes.size() / 2;
  const bool equal = std::memcmp(key_bytes.data(), key_bytes.data() + half, half) == 0;
  const incore_status status = incore_xts_key_set(&key, key_bytes.data(), key_bytes.size());
  FUZZ_CHECK(status == (equal ? INCORE_ERROR_RANGE : INCORE_OK));
  if (equal) return;
  const Bytes text = choices.bytes(any_len(choices));
  const size_t unit_len = any_len(choices);
  const uint64_t first = choices.next();
  Bytes data = text;
  const size_t last_len = unit_len == 0 || text.empty() ? 0 : (text.size() - 1) % unit_len + 1;
  const bool right = unit_len >= 16 && last_len >= 16;
  const bool counts = !right || (text.size() - 1) / unit_len <= UINT64_MAX - first;
  const incore_status expected =
      !right ? INCORE_ERROR_LENGTH : (counts ? INCORE_OK : INCORE_ERROR_RANGE);
  // An empty vector may have no memory.
  Bytes one(1);
  uint8_t* const at = data.empty() ? one.data() : data.data();
  FUZZ_CHECK(incore_xts_encrypt_units(&key, first, unit_len, at, data.size(), at) == expected);
  if (expected != INCORE_OK) {
    FUZZ_CHECK(data == text);
    return;
  }
  for (size_t done = 0, unit = 0; done < text.size(); done += unit_len, ++unit) {
    Bytes tweak(16);
    for (size_t i = 0; i < 8; ++i) tweak[i] = static_cast<uint8_t>((first + unit) >> 8 * i);
    const size_t len = std::min(unit_len, text.size() - done);
    FUZZ_CHECK(incore_xts_decrypt(&key, tweak.data(), at + done, len, at + done) == INCORE_OK);
  }
  FUZZ_CHECK(data == text);
}

void call_ccm(FuzzedChoices& choices) {
  const incore_aes_key key = any_key(choices);
  Bytes nonce = choices.bytes(7 + choices.below(7)), aad = choices.bytes(any_len(choices));
  const Bytes text = choices.bytes(any_len(choices));
  Bytes tag(4 + 2 * choices.below(7)), data = text;
  FUZZ_CHECK(incore_ccm_encrypt(&key, nonce.data(), nonce.size(), aad.data(), aad.size(),
                                data.data(), data.size(), data.data(), tag.data(),
                                tag.size()) == INCORE_OK);
  const auto open = [&] {
    return incore_ccm_decrypt(&key, nonce.data(), nonce.size(), aad.data(), aad.size(), data.data(),
                              data.size(), tag.data(), tag.size(), data.data());
  };
  if (choices.chance(2)) {
    FUZZ_CHECK(open() == INCORE_OK);
    FUZZ_CHECK(data == text);
    return;
  }
  // A short tag may match by chance: one in 2^32 at least. The fuzzer would have to find a key.
  Bytes* const parts[] = {&nonce, &aad, &data, &tag};
  Bytes& part = *choices.pick(parts);
  if (part.empty()) return;
  flip_a_bit(choices, part);
  const Bytes before = data;
  FUZZ_CHECK(open() == INCORE_ERROR_TAG);
  FUZZ_CHECK(data == before);
}

// |update|(data, len) in random pieces.
template <class Update>
void in_pieces(FuzzedChoices& choices, const Bytes& message, Update update) {
  for (size_t done = 0; done < message.size();) {
    if (choices.chance(8)) FUZZ_CHECK(update(message.data() + done, 0) == INCORE_OK);
    const size_t len = std::min(1 + any_len(choices), message.size() - done);
    FUZZ_CHECK(update(message.data() + done, len) == INCORE_OK);
    done += len;
  }
}

void call_cmac(FuzzedChoices& choices) {
  const incore_aes_key key = any_key(choices);
  Bytes message = choices.bytes(any_len(choices));
  Bytes tag(4 + choices.below(13));
  incore_cmac ctx;
  FUZZ_CHECK(incore_cmac_start(&ctx) == INCORE_OK);
  in_pieces(choices, message, [&](const uint8_t* data, size_t len) {
    return incore_cmac_update(&ctx, &key, data, len);
  });
  FUZZ_CHECK(incore_cmac_final(&ctx, &key, tag.data(), tag.size()) == INCORE_OK);
  const auto verify = [&] {
    return incore_cmac_verify_tag(&key, message.data(), message.size(), tag.data(), tag.size());
  };
  FUZZ_CHECK(verify() == INCORE_OK);
  flip_a_bit(choices, message.empty() || choices.chance(2) ? tag : message);
  FUZZ_CHECK(verify() == INCORE_ERROR_TAG);
}

void call_hmac(FuzzedChoices& choices) {
  const auto algorithm = static_cast<incore_sha_algorithm>(INCORE_SHA1 + choices.below(5));
  const Bytes key = choices.bytes(choices.below(300));
  Bytes message = choices.bytes(any_len(choices));
  Bytes tag(4 + choices.below(incore_sha_digest_len(algorithm) - 3));
  incore_hmac ctx;
  FUZZ_CHECK(incore_hmac_start(&ctx, algorithm, key.data(), key.size()) == INCORE_OK);
  in_pieces(choices, message,
            [&](const uint8_t* data, size_t len) { return incore_hmac_update(&ctx, data, len); });
  FUZZ_CHECK(incore_hmac_final(&ctx, tag.data(), tag.size()) == INCORE_OK);
  const auto verify = [&] {
    return incore_hmac_verify_tag(algorithm, key.data(), key.size(), message.data(), message.size(),
                                  tag.data(), tag.size());
  };
  FUZZ_CHECK(verify() == INCORE_OK);
  flip_a_bit(choices, message.empty() || choices.chance(2) ? tag : message);
  FUZZ_CHECK(verify() == INCORE_ERROR_TAG);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  FuzzedChoices choices(data, len);
  void (*const calls[])(FuzzedChoices&) = {call_xts, call_ccm, call_cmac, call_hmac};
  for (int i = 0; i < 4; ++i) choices.pick(calls)(choices);
  return 0;
}
