// REP XSHA384 and REP XSHA512 of Nano and later: the one-block and the two-block message of FIPS
// 180, padded here, in one call and block by block; registers at the end; a count of 0.
#include "padlock.h"

struct state {
  uint64_t words[16];  // 128 bytes
} ALIGNED16;

struct hash {
  const char* name;
  uint64_t (*run)(void* state, const void* in, size_t count, uint64_t rax, const void** out_in);
  uint64_t initial[8];
  size_t digest_len;
  const char *one_block, *two_blocks;
};

static const struct hash kHashes[2] = {
    {"xsha384",
     xsha384,
     {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
      0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4},
     48,
     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
     "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
     "09330c33f71147e83d192fc782cd1b4753111b173b3b05d2"
     "2fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"},
    {"xsha512",
     xsha512,
     {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
      0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179},
     64,
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
     "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
     "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
     "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"},
};

// |text| with its padding, as |num_blocks| blocks.
static void pad(uint8_t* blocks, size_t num_blocks, const char* text) {
  const size_t len = strlen(text);
  memset(blocks, 0, 128 * num_blocks);
  memcpy(blocks, text, len);
  blocks[len] = 0x80;
  blocks[128 * num_blocks - 2] = (uint8_t)(8 * len >> 8);
  blocks[128 * num_blocks - 1] = (uint8_t)(8 * len);
}

static void check_digest(const struct hash* hash, const struct state* state, const char* expected) {
  uint64_t digest[8];
  for (int i = 0; i < 8; ++i) digest[i] = __builtin_bswap64(state->words[i]);
  check_hex(hash->name, digest, expected, hash->digest_len);
}

int main(void) {
  static uint8_t blocks[2 * 128 + 1];
  for (int i = 0; i < 2; ++i) {
    const struct hash* hash = &kHashes[i];
    for (uint64_t rax = 0; rax < 3; ++rax) {
      struct state state;
      const void* end;
      memcpy(state.words, hash->initial, sizeof hash->initial);
      pad(blocks + 1, 1, "abc");
      // clause: PLK-PHE-043
      CHECK(hash->run(&state, blocks + 1, 1, rax - 1, &end) == rax - 1, "%s: RAX", hash->name);
      // clause: PLK-PHE-044
      CHECK(end == blocks + 1 + 128, "%s: RSI", hash->name);
      // clause: PLK-PHE-041
      check_digest(hash, &state, hash->one_block);
    }
    pad(blocks, 2,
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        "lmnopqrsmnopqrstnopqrstu");
    for (int calls = 1; calls <= 2; ++calls) {
      struct state state;
      memcpy(state.words, hash->initial, sizeof hash->initial);
      for (int call = 0; call < calls; ++call)
        hash->run(&state, blocks + 128 * call, 2 / (size_t)calls, 0, NULL);
      // clause: PLK-PHE-040
      check_digest(hash, &state, hash->two_blocks);
      hash->run(&state, NULL, 0, 0, NULL);
      // clause: PLK-PHE-042
      check_digest(hash, &state, hash->two_blocks);
    }
  }
  return 0;
}
