// Short jobs that the timing model tells apart, one by argument: CBC on eight blocks unless it says
// otherwise. What they cost is for the statistics of `incore run`; results are checked elsewhere.
#include "padlock.h"

enum { kBlocks = 8, kLen = 16 * kBlocks, kDigest = 1 << 4 };

static uint8_t keys[2][256] ALIGNED16, iv[16] ALIGNED16, in[kLen + 16] ALIGNED16,
    out[kLen + 16] ALIGNED16;

static void cbc(int key, uint32_t control_bits, size_t offset) {
  static struct control_word control;
  control.bits = control_bits;
  reload_key();
  xcrypt_cbc(iv, keys[key], &control, in + offset, out + offset, kBlocks);
}

int main(int argc, char** argv) {
  CHECK(argc == 2, "usage: model_clocks JOB");
  const char* job = argv[1];
  if (strcmp(job, "once") == 0) {
    cbc(0, kRounds10, 0);
  } else if (strcmp(job, "same-key") == 0) {
    for (int i = 0; i < 10; ++i) cbc(0, kRounds10, 0);
  } else if (strcmp(job, "two-keys") == 0) {
    for (int i = 0; i < 10; ++i) cbc(i % 2, kRounds10, 0);
  } else if (strcmp(job, "hash-between") == 0) {
    static uint32_t state[32] ALIGNED16;
    for (int i = 0; i < 10; ++i) {
      cbc(0, kRounds10, 0);
      xsha1(state, in, 3, 0, NULL);
    }
  } else if (strcmp(job, "xsha512-between") == 0) {
    static uint8_t block[128];
    static uint64_t state[8] ALIGNED16;
    for (int i = 0; i < 10; ++i) {
      cbc(0, kRounds10, 0);
      xsha512(state, block, 1, 0, NULL);
    }
  } else if (strcmp(job, "memory-key") == 0) {
    cbc(0, kRounds10 | kKeyFromMemory, 0);
  } else if (strcmp(job, "14-rounds") == 0) {
    cbc(0, kRounds14 | kKeyFromMemory, 0);
  } else if (strcmp(job, "misaligned") == 0) {
    cbc(0, kRounds10 | kAlign, 1);
  } else if (strcmp(job, "realigning") == 0) {
    cbc(0, kRounds10 | kAlign, 0);
  } else if (strcmp(job, "digest") == 0) {
    cbc(0, kRounds10 | kDigest, 0);
  } else if (strcmp(job, "no-blocks") == 0) {
    static struct control_word control = {.bits = kRounds10};
    xcrypt_ecb(NULL, keys[0], &control, in, out, 0);
  } else {
    CHECK(0, "no job %s", job);
  }
  return 0;
}
