// 16 threads start at once and make 20,000 calls each, mixed from ECB and CBC, both directions: the
// first execution of a site races with others inside it, and every result must be right.
#define _GNU_SOURCE
#include <pthread.h>

#include "padlock.h"

enum { kThreads = 16, kCalls = 20000 };

static uint8_t key[16] ALIGNED16, plain[64] ALIGNED16, ecb[64] ALIGNED16, cbc[64] ALIGNED16,
    start[16] ALIGNED16;
static pthread_barrier_t barrier;

static void* thread(void* unused) {
  static const struct control_word kEncrypt = {.bits = kRounds10},
                                   kDecryption = {.bits = kRounds10 | kDecrypt};
  uint8_t out[64] ALIGNED16, iv[16] ALIGNED16;
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < kCalls; i += 4) {
    reload_key();
    xcrypt_ecb(NULL, key, &kEncrypt, plain, out, 4);
    CHECK(memcmp(out, ecb, 64) == 0, "ECB encryption, call %d", i);
    reload_key();
    xcrypt_ecb(NULL, key, &kDecryption, out, out, 4);
    CHECK(memcmp(out, plain, 64) == 0, "ECB decryption, call %d", i);
    memcpy(iv, start, 16);
    reload_key();
    xcrypt_cbc(iv, key, &kEncrypt, plain, out, 4);
    CHECK(memcmp(out, cbc, 64) == 0, "CBC encryption, call %d", i);
    memcpy(iv, start, 16);
    reload_key();
    xcrypt_cbc(iv, key, &kDecryption, out, out, 4);
    CHECK(memcmp(out, plain, 64) == 0, "CBC decryption, call %d", i);
  }
  return unused;
}

int main(void) {
  pthread_t ids[kThreads];
  from_hex(key, kSpKey, 16);
  from_hex(start, kSpIv, 16);
  from_hex(plain, kSpPlain, 64);
  from_hex(ecb, kSpEcb, 64);
  from_hex(cbc, kSpCbc, 64);
  CHECK(pthread_barrier_init(&barrier, NULL, kThreads) == 0, "pthread_barrier_init");
  for (int i = 0; i < kThreads; ++i)
    CHECK(pthread_create(&ids[i], NULL, thread, NULL) == 0, "pthread_create");
  for (int i = 0; i < kThreads; ++i) CHECK(pthread_join(ids[i], NULL) == 0, "pthread_join");
  return 0;
}
