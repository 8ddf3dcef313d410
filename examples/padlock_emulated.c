// Runs REP XCRYPTCTR on an emulated VIA Esther, the part with the CTR erratum: the example F.5.1 of
// SP 800-38A comes out right, and the counter one too high.
#include <incore/padlock.h>
#include <stdio.h>
#include <string.h>

// What the instruction takes, each aligned to 16 bytes.
static struct {
  _Alignas(16) uint8_t counter[16];
  _Alignas(16) uint8_t key[16];
  _Alignas(16) uint8_t control_word[128];  // 16 bytes, and room that some parts use
  _Alignas(16) uint8_t in[32];
  _Alignas(16) uint8_t out[32];
} data = {
    .counter = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd,
                0xfe, 0xff},
    .key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf,
            0x4f, 0x3c},
    .control_word = {10},  // rounds; encrypt; 128-bit key, expanded by the hardware
    .in = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e,
           0x11, 0x73, 0x93, 0x17, 0x2a, 0xae, 0x2d, 0x8a, 0x57, 0x1e, 0x03,
           0xac, 0x9c, 0x9e, 0xb7, 0x6f, 0xac, 0x45, 0xaf, 0x8e, 0x51},
};

int main(void) {
  static const uint8_t expected[32] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                                       0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce,
                                       0x98, 0x06, 0xf6, 0x6b, 0x79, 0x70, 0xfd, 0xff,
                                       0x86, 0x17, 0x18, 0x7b, 0xb9, 0xff, 0xfd, 0xff};
  static incore_padlock padlock;
  char reason[200] = "";
  if (incore_padlock_init_emulated(&padlock, "esther", 0, reason, sizeof reason) != INCORE_OK) {
    fprintf(stderr, "padlock_emulated: %s\n", reason);
    return 1;
  }
  incore_padlock_registers registers = {
      .rax = (uintptr_t)data.counter,
      .rbx = (uintptr_t)data.key,
      .rcx = sizeof data.in / 16,
      .rdx = (uintptr_t)data.control_word,
      .rsi = (uintptr_t)data.in,
      .rdi = (uintptr_t)data.out,
  };
  incore_padlock_trap trap;
  if (incore_padlock_execute(&padlock, "xcrypt-ctr", &registers, &trap) != INCORE_OK) {
    fprintf(stderr, "padlock_emulated: exception %d: %s\n", trap.vector, trap.reason);
    return 1;
  }
  const int right = memcmp(data.out, expected, sizeof expected) == 0;
  const int too_high = data.counter[14] == 0xff && data.counter[15] == 0x02;  // 0xfeff + 2 + 1
  printf("ciphertext %s, counter %s, %.0f ns\n", right ? "as in SP 800-38A" : "WRONG",
         too_high ? "one too high" : "RIGHT", incore_padlock_seconds(&padlock) * 1e9);
  incore_padlock_wipe(&padlock);
  return right && too_high ? 0 : 1;
}
