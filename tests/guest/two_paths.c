// Chooses AES by CPUID, as libraries do: PadLock, or code of its own. two_paths WHAT [BYTES]
// prints three results. WHAT: "right"; "wrong": PadLock gets its AES-256 schedule with the bytes of
// each word swapped; "hidden": the same, with the results wiped before anything is printed but a
// letter; "exit", "signal": it ends otherwise with PadLock; "varies": prints its process too;
// "input": of standard input; "child": "wrong" in a child; "random": "wrong" with a random text;
// "none": no PadLock at all.
#include <signal.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "padlock.h"

enum { kMostWords = 60 };
static uint8_t sbox[256];
static ALIGNED16 uint8_t schedule[4 * kMostWords], swapped[4 * kMostWords];
static ALIGNED16 uint8_t block[16];
static int has_padlock, is_wrong, is_hidden;

static uint8_t twice(uint8_t x) {
  return (uint8_t)(x << 1 ^ (x >> 7) * 0x1B);
}

// FIPS 197, 5.1.1: the powers of 3 are all bytes but 0, those of 3's inverse their inverses.
static void make_sbox(void) {
  uint8_t p = 1, q = 1;
  do {
    p = (uint8_t)(p ^ twice(p));
    q = (uint8_t)(q ^ q << 1);
    q = (uint8_t)(q ^ q << 2);
    q = (uint8_t)(q ^ q << 4);
    if (q & 0x80) q ^= 0x09;
    uint8_t x = q;
    for (int i = 1; i < 5; ++i) x = (uint8_t)(x ^ (q << i | q >> (8 - i)));
    sbox[p] = x ^ 0x63;
  } while (p != 1);
  sbox[0] = 0x63;
}

static void expand_key(const uint8_t* key, int key_words, int rounds) {
  memcpy(schedule, key, 4 * (size_t)key_words);
  uint8_t constant = 1;
  for (int i = key_words; i < 4 * (rounds + 1); ++i) {
    uint8_t t[4];
    memcpy(t, schedule + 4 * (i - 1), 4);
    if (i % key_words == 0) {
      const uint8_t first = t[0];
      t[0] = sbox[t[1]] ^ constant;
      t[1] = sbox[t[2]];
      t[2] = sbox[t[3]];
      t[3] = sbox[first];
      constant = twice(constant);
    } else if (key_words > 6 && i % key_words == 4) {
      for (int j = 0; j < 4; ++j) t[j] = sbox[t[j]];
    }
    for (int j = 0; j < 4; ++j) schedule[4 * i + j] = schedule[4 * (i - key_words) + j] ^ t[j];
  }
}

static void encrypt_in_software(int rounds) {
  for (int i = 0; i < 16; ++i) block[i] ^= schedule[i];
  for (int round = 1; round <= rounds; ++round) {
    uint8_t s[16];
    for (int i = 0; i < 16; ++i) s[i] = sbox[block[(i + 4 * (i % 4)) % 16]];
    for (int i = 0; i < 16; ++i) {
      const uint8_t* c = s + i / 4 * 4;
      const uint8_t a = c[i % 4], b = c[(i + 1) % 4];
      const uint8_t mixed = twice(a ^ b) ^ b ^ c[(i + 2) % 4] ^ c[(i + 3) % 4];
      block[i] = (round == rounds ? s[i] : mixed) ^ schedule[16 * round + i];
    }
  }
}

static void encrypt_by_padlock(int key_words, int rounds) {
  struct control_word control = {(uint32_t)rounds | kKeyFromMemory, {0}};
  if (key_words == 8) control.bits |= kKey256;
  const int is_swapped = is_wrong && key_words == 8;
  for (int i = 0; i < 4 * kMostWords; ++i) swapped[i] = schedule[is_swapped ? i ^ 3 : i];
  reload_key();
  xcrypt_ecb(NULL, swapped, &control, block, block, 1);
}

static void encrypt(const char* text, int key_words) {
  const int rounds = key_words + 6;
  uint8_t key[32];
  for (int i = 0; i < 32; ++i) key[i] = (uint8_t)(i * 7);
  memset(block, 0, sizeof block);
  strncpy((char*)block, text, sizeof block - 1);
  expand_key(key, key_words, rounds);
  if (has_padlock)
    encrypt_by_padlock(key_words, rounds);
  else
    encrypt_in_software(rounds);
  for (size_t i = 0; !is_hidden && i < sizeof block; ++i) printf("%02x", block[i]);
  if (is_hidden) putchar('a' + block[0] % 16);
  if (is_hidden) memset(block, 0, sizeof block);
  putchar('\n');
  fflush(stdout);
}

static void encrypt_all(const char* text) {
  encrypt(text, 4);
  encrypt(text, 8);
  encrypt("another text", 8);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "right";
  char text[16] = "some text";
  has_padlock = strcmp(what, "none") != 0 && cpuid(0xC0000000, 0).eax >= 0xC0000001 &&
                (cpuid(0xC0000001, 0).edx & 0xC0) == 0xC0;
  is_hidden = strcmp(what, "hidden") == 0;
  is_wrong = is_hidden || strcmp(what, "wrong") == 0 || strcmp(what, "child") == 0 ||
             strcmp(what, "varies") == 0 || strcmp(what, "random") == 0;
  make_sbox();
  if (strcmp(what, "input") == 0) CHECK(fgets(text, sizeof text, stdin), "no input");
  if (strcmp(what, "random") == 0) CHECK(getrandom(text, sizeof text - 1, 0) > 0, "getrandom");
  if (strcmp(what, "varies") == 0) printf("process %d\n", (int)getpid());
  fflush(stdout);
  const int forks = strcmp(what, "child") == 0;
  if (!forks || fork() == 0) encrypt_all(text);
  if (forks) wait(NULL);
  if (has_padlock && strcmp(what, "exit") == 0) return 3;
  if (has_padlock && strcmp(what, "signal") == 0) raise(SIGKILL);
  return 0;
}
