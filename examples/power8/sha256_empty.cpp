// SHA-256 of the empty message by the assembly routine alone (POWER8 guide, chapter 7). Its one
// block is the padding: the byte 0x80 and zeros. All 32 bytes are compared, as the eight that are
// printed come from two of eight words only.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// quote: declaration
// Compresses |num_blocks| blocks of 64 bytes into |state|. Neither pointer needs alignment.
extern "C" void sha256_block_p8(uint32_t state[8], const uint8_t* input, size_t num_blocks);
// end of quote

int main() {
  const uint8_t expected[32] = {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
                                0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
                                0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55};
  // quote: call
  const uint8_t message[64] = {0x80};
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  sha256_block_p8(state, message, sizeof message / 64);

  uint8_t digest[32];
  for (size_t i = 0; i < sizeof digest; ++i)
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  // end of quote

  printf("SHA256 hash of empty message: ");
  for (size_t i = 0; i < 8; ++i) printf("%02X", digest[i]);
  const bool success = memcmp(digest, expected, sizeof digest) == 0;
  printf("...\n%s\n", success ? "Success!" : "Failure!");
  return success ? 0 : 1;
}
