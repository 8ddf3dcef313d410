// SSE2 instructions right before and behind XCRYPT: CTR mode done by hand from ECB, the text
// waiting in XMM registers while the instruction makes the keystream (SP 800-38A F.5.1).
#include "padlock.h"

static const char kResult[] =
    "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
    "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee";

// The last of the eight or sixteen registers.
#ifdef __x86_64__
#define XMM_A "xmm14"
#define XMM_B "xmm15"
#else
#define XMM_A "xmm6"
#define XMM_B "xmm7"
#endif

// RDI ends behind the output.
static void encrypt(const void* key, const struct control_word* control, const void* counters,
                    const void* text, void* out) {
  size_t blocks = 4;
  __asm__ volatile(
      "movdqa 0(%[text]), %%xmm4\n"
      "movdqu 16(%[text]), %%xmm5\n"
      "movdqa 32(%[text]), %%" XMM_A
      "\n"
      "movdqa 48(%[text]), %%" XMM_B
      "\n"
      ".byte 0xf3, 0x0f, 0xa7, 0xc8\n"
      "pxor -64(%[out]), %%xmm4\n"
      "pxor -48(%[out]), %%xmm5\n"
      "pxor -32(%[out]), %%" XMM_A
      "\n"
      "pxor -16(%[out]), %%" XMM_B
      "\n"
      "movdqa %%xmm4, -64(%[out])\n"
      "movdqa %%xmm5, -48(%[out])\n"
      "movdqa %%" XMM_A
      ", -32(%[out])\n"
      "movdqa %%" XMM_B ", -16(%[out])\n"
      : "+&c"(blocks), "+&S"(counters), [out] "+&D"(out)
      : "b"(key), "d"(control), [text] "r"(text)
      : "memory", "cc", "xmm4", "xmm5", XMM_A, XMM_B);
}

int main(void) {
  static const struct control_word kControl = {.bits = kRounds10};
  uint8_t key[16] ALIGNED16, counters[64] ALIGNED16, plain[64] ALIGNED16, out[64] ALIGNED16;
  from_hex(key, kSpKey, 16);
  from_hex(plain, kSpPlain, 64);
  for (int i = 0; i < 4; ++i) {
    from_hex(counters + 16 * i, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", 16);
    const unsigned low = 0xfeffu + (unsigned)i;
    counters[16 * i + 14] = (uint8_t)(low >> 8);
    counters[16 * i + 15] = (uint8_t)low;
  }
  for (int round = 0; round < 1000; ++round) {
    reload_key();
    encrypt(key, &kControl, counters, plain, out);
    check_hex("CTR from ECB", out, kResult, 64);
  }
  return 0;
}
