// REP XSHA1 and REP XSHA256 (guide, chapter 4): messages of FIPS 180-2 appendices A and B, the
// empty message, registers at the end, any alignment of the message; and with RAX = -1, which Nano
// and later take, whole blocks without padding.
#include "padlock.h"

static const uint32_t kStart1[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
static const uint32_t kStart256[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};

struct state {
  uint32_t words[32];
} ALIGNED16;

// The state holds little-endian words, a digest big-endian ones.
static void check_digest(const char* what, const struct state* state, const char* expected,
                         size_t num_words) {
  uint32_t digest[8];
  for (size_t i = 0; i < num_words; ++i) digest[i] = __builtin_bswap32(state->words[i]);
  check_hex(what, digest, expected, 4 * num_words);
}

static void check_message(const void* message, size_t len, const char* sha1, const char* sha256) {
  struct state state;
  const void* end;
  memcpy(state.words, kStart1, sizeof kStart1);
  // clause: PLK-PHE-019
  CHECK(xsha1(&state, message, len, 0, &end) == len, "xsha1 of %zu bytes: RAX", len);
  // clause: PLK-PHE-020
  CHECK(end == (const uint8_t*)message + len, "xsha1 of %zu bytes: RSI", len);
  // clause: PLK-PHE-028
  check_digest("SHA-1", &state, sha1, 5);
  memcpy(state.words, kStart256, sizeof kStart256);
  CHECK(xsha256(&state, message, len, 0, &end) == len, "xsha256 of %zu bytes: RAX", len);
  CHECK(end == (const uint8_t*)message + len, "xsha256 of %zu bytes: RSI", len);
  check_digest("SHA-256", &state, sha256, 8);
}

// FIPS 180-2: 'abc' is padded by hand to one block. The first answer is the one that GnuTLS asks at
// load.
static void check_partial(void) {
  struct state state;
  uint8_t block[64];
  const void* end;
  memset(block, 'a', sizeof block);
  memcpy(state.words, kStart1, sizeof kStart1);
  xsha1(&state, block, 1, (size_t)-1, &end);
  CHECK(end == block + 64, "xsha1 of one block: RSI");
  check_digest("SHA-1 state after one block", &state, "da4968eb2e377c1f884e8f5283524bebe74ebdbd",
               5);
  memset(block, 0, sizeof block);
  memcpy(block, "abc\x80", 4);
  block[63] = 24;
  memcpy(state.words, kStart1, sizeof kStart1);
  xsha1(&state, block, 1, (size_t)-1, NULL);
  check_digest("SHA-1, padded by hand", &state, "a9993e364706816aba3e25717850c26c9cd0d89d", 5);
  memcpy(state.words, kStart256, sizeof kStart256);
  xsha256(&state, block, 1, (size_t)-1, NULL);
  check_digest("SHA-256, padded by hand", &state,
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 8);
}

int main(void) {
  static const char kTwoBlocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  static uint8_t million[1000000];
  memset(million, 'a', sizeof million);
  // clause: PLK-PHE-015
  check_message("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (int offset = 0; offset < 16; ++offset) {
    uint8_t message[80];
    memcpy(message + offset, kTwoBlocks, sizeof kTwoBlocks);
    // clause: PLK-PHE-003
    // clause: PLK-PHE-004
    // clause: PLK-PHE-006
    check_message(message + offset, 3, "a9993e364706816aba3e25717850c26c9cd0d89d",
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_message(message + offset, 56, "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  }
  check_message(million, sizeof million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  const uint32_t signature = cpuid(1, 0).eax;
  if (cpuid(0, 0).ebx == 0x746e6543 &&
      ((signature >> 8 & 15) > 6 || (signature >> 12 & 0xF0) > 0 || (signature >> 4 & 15) == 15))
    check_partial();
  return 0;
}
