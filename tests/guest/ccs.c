// Zhaoxin's REP CCS_HASH (SM3) and REP CCS_ENCRYPT (SM4): the examples of GB/T 32905 and GB/T
// 32907, each mode undone, registers at the end. Several calls, so that sites are patched.
#include "padlock.h"

enum {
  kSm4Decrypt = 1,
  kSm4 = 0x10 << 1,
  kEcb = 1 << 6,
  kCbc = 1 << 7,
  kCfb = 1 << 8,
  kOfb = 1 << 9,
  kCtr = 1 << 10,
  kMac = 1 << 11
};

struct ccs {
  uint64_t rax, rcx;
  const void* rsi;
  void* rdi;
};

static void ccs_hash(struct ccs* r) {
  __asm__ volatile(".byte 0xf3, 0x0f, 0xa6, 0xe8"
                   : "+a"(r->rax), "+c"(r->rcx), "+S"(r->rsi), "+D"(r->rdi)
                   : "b"((uint64_t)0x20)
                   : "memory", "cc");
}

static void ccs_encrypt(struct ccs* r, const void* key, void* vector) {
  __asm__ volatile(".byte 0xf3, 0x0f, 0xa7, 0xf0"
                   : "+a"(r->rax), "+c"(r->rcx), "+S"(r->rsi), "+D"(r->rdi)
                   : "b"(key), "d"(vector)
                   : "memory", "cc");
}

static const char kInitial[] = "7380166f4914b2b9172442d7da8a0600a96f30bc163138aae38dee4db0fb0e4e";
static const char kExample[] = "0123456789abcdeffedcba9876543210";

static void check_sm3(void) {
  uint8_t state[128] ALIGNED16;
  uint8_t block[64] = "abc\x80";
  block[63] = 24;
  const char* digest = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";

  from_hex(state, kInitial, 32);
  struct ccs r = {0, 3, block, state};
  ccs_hash(&r);
  // clause: PLK-ZX-023
  // clause: PLK-ZX-026
  check_hex("SM3", state, digest, 32);
  // clause: PLK-ZX-024
  CHECK(r.rax == 3 && r.rcx == 3 && r.rsi == block + 3 && r.rdi == state, "registers of SM3");

  from_hex(state, kInitial, 32);
  r = (struct ccs){(uint64_t)-1, 1, block, state};
  ccs_hash(&r);
  // clause: PLK-ZX-025
  check_hex("SM3 without padding", state, digest, 32);
  CHECK(r.rax == (uint64_t)-1 && r.rcx == 0 && r.rsi == block + 64 && r.rdi == state,
        "registers of SM3 without padding");
}

static void check_sm4_example(void) {
  uint8_t key[16], block[16];
  from_hex(key, kExample, 16);
  from_hex(block, kExample, 16);
  struct ccs r = {kSm4 | kEcb, 1, block, block};
  ccs_encrypt(&r, key, NULL);
  // clause: PLK-ZX-042
  check_hex("SM4", block, "681edf34d206965e86b3e94f536e4246", 16);
  // clause: PLK-ZX-044
  CHECK(r.rax == (kSm4 | kEcb) && r.rcx == 0 && r.rsi == block + 16 && r.rdi == block + 16,
        "registers of SM4");
  r = (struct ccs){kSm4 | kEcb | kSm4Decrypt, 1, block, block};
  ccs_encrypt(&r, key, NULL);
  check_hex("SM4 back", block, kExample, 16);
}

// Each mode undoes itself, in one call and in calls of one block that go on from the vector.
static void check_sm4_modes(void) {
  static const int kModes[] = {kEcb, kCbc, kCfb, kOfb, kCtr};
  enum { kBlocks = 20, kLen = 16 * kBlocks };
  uint8_t key[16], vector[16], in[kLen], out[kLen], back[kLen];
  from_hex(key, kExample, 16);
  for (int i = 0; i < kLen; ++i) in[i] = (uint8_t)(7 * i);
  for (int i = 0; i < 5; ++i) {
    from_hex(vector, kExample, 16);
    struct ccs r = {(uint64_t)(kSm4 | kModes[i]), kBlocks, in, out};
    ccs_encrypt(&r, key, vector);
    CHECK(memcmp(in, out, kLen) != 0, "mode %x does nothing", kModes[i]);
    from_hex(vector, kExample, 16);
    r = (struct ccs){(uint64_t)(kSm4 | kModes[i] | kSm4Decrypt), 0, out, back};
    for (int block = 0; block < kBlocks; ++block) {
      r.rcx = 1;
      ccs_encrypt(&r, key, vector);
    }
    // clause: PLK-ZX-041
    // clause: PLK-ZX-045
    CHECK(memcmp(in, back, kLen) == 0, "mode %x is not undone", kModes[i]);
  }
  uint8_t mac[16];
  from_hex(vector, kExample, 16);
  struct ccs r = {kSm4 | kCbc, kBlocks, in, out};
  ccs_encrypt(&r, key, vector);
  from_hex(vector, kExample, 16);
  r = (struct ccs){kSm4 | kCbc | kMac, kBlocks, in, mac};
  ccs_encrypt(&r, key, vector);
  // clause: PLK-ZX-048
  CHECK(r.rdi == mac && memcmp(mac, out + kLen - 16, 16) == 0, "MAC");
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    check_sm3();
    check_sm4_example();
  }
  check_sm4_modes();
  return 0;
}
