// REP XCRYPT in its five modes, both directions and three key sizes, against SP 800-38A appendix F
// (CFB is CFB128) and FIPS 197 appendix C. 128-bit keys are tried with round keys made by the
// hardware and taken from memory, longer ones from memory, as the guide allows (3.2).
#include "aes_schedule.h"
#include "padlock.h"

enum mode { ecb, cbc, cfb, ofb, ctr };

static const char kCtrStart[] = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

static const struct {
  enum mode mode;
  const char *name, *iv, *result[3];  // results for 128, 192 and 256-bit keys
} kCases[] = {
    // clause: PLK-ACE-006
    // clause: PLK-ACE-007
    {ecb,
     "ecb",
     NULL,
     {kSpEcb,
      "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"
      "ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
      "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
      "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"}},
    // clause: PLK-ACE-018
    // clause: PLK-ACE-019
    {cbc,
     "cbc",
     kSpIv,
     {kSpCbc,
      "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
      "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
      "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"}},
    // clause: PLK-ACE-026
    // clause: PLK-ACE-027
    // clause: PLK-ACE-031
    {cfb,
     "cfb",
     kSpIv,
     {"3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
      "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6",
      "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a"
      "2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff",
      "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b"
      "df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471"}},
    // clause: PLK-ACE-028
    {ofb,
     "ofb",
     kSpIv,
     {"3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
      "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e",
      "cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401"
      "8d9a9aeac0f6596f559c6d4daf59a5f26d9f200857ca6c3e9cac524bd9acc92a",
      "dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d"
      "71ab47a086e86eedf39d1c5bba97c4080126141d67f37be8538f5a8be740e484"}},
    // clause: PLK-ACE-020
    {ctr,
     "ctr",
     kCtrStart,
     {"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
      "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
      "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
      "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
      "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
      "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"}},
};

static const char* const kKeys[3] = {
    kSpKey, "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"};

static void* run(enum mode mode, void* iv, const void* key, const struct control_word* control,
                 const void* in, void* out, size_t blocks) {
  reload_key();
  switch (mode) {
    case ecb:
      return xcrypt_ecb(iv, key, control, in, out, blocks);
    case cbc:
      return xcrypt_cbc(iv, key, control, in, out, blocks);
    case cfb:
      return xcrypt_cfb(iv, key, control, in, out, blocks);
    case ofb:
      return xcrypt_ofb(iv, key, control, in, out, blocks);
    case ctr:
      return xcrypt_ctr(iv, key, control, in, out, blocks);
  }
  return NULL;
}

// One mode and key, both directions, in one call and in four calls that go on from the returned
// vector, also in place.
static void check_mode(size_t index, int key_size, int key_from_memory) {
  const char* name = kCases[index].name;
  const enum mode mode = kCases[index].mode;
  const int key_len = 16 + 8 * key_size;
  uint8_t key[32] ALIGNED16, plain[64] ALIGNED16, cipher[64] ALIGNED16, iv[16] ALIGNED16,
      out[64] ALIGNED16;
  from_hex(key, kKeys[key_size], (size_t)key_len);
  from_hex(plain, kSpPlain, 64);
  from_hex(cipher, kCases[index].result[key_size], 64);
  for (int decrypt = 0; decrypt < 2; ++decrypt) {
    struct aes_schedule schedule;
    // Only ECB and CBC run the cipher backwards.
    const int rounds = decrypt && mode <= cbc ? expand_decrypt_key(&schedule, key, key_len)
                                              : expand_encrypt_key(&schedule, key, key_len);
    const struct control_word control = {.bits = (uint32_t)rounds | (uint32_t)key_size << 10 |
                                                 (decrypt ? kDecrypt : 0) |
                                                 (key_from_memory ? kKeyFromMemory : 0)};
    const void* key_area = key_from_memory ? (const void*)&schedule : key;
    const uint8_t* in = decrypt ? cipher : plain;
    const char* expected = decrypt ? kSpPlain : kCases[index].result[key_size];
    for (size_t step = 1; step <= 4; step *= 2) {
      if (kCases[index].iv) from_hex(iv, kCases[index].iv, 16);
      void* vector = iv;
      memset(out, 0, sizeof out);
      for (size_t block = 0; block < 4; block += step)
        vector = run(mode, vector, key_area, &control, in + 16 * block, out + 16 * block, step);
      // clause: PLK-ACE-015
      check_hex(name, out, expected, 64);
      if (kCases[index].iv) from_hex(iv, kCases[index].iv, 16);
      memcpy(out, in, 64);
      run(mode, iv, key_area, &control, out, out, 4);
      // clause: PLK-ACE-039
      check_hex(name, out, expected, 64);
    }
  }
}

// FIPS 197, appendix C: the same block under the three key sizes.
static void check_fips_197(void) {
  static const char* const kResults[3] = {"69c4e0d86a7b0430d8cdb78070b4c55a",
                                          "dda97ca4864cdfe06eaf70a0ec0d7191",
                                          "8ea2b7ca516745bfeafc49904b496089"};
  static const char kBlock[] = "00112233445566778899aabbccddeeff";
  uint8_t key[32], in[32] ALIGNED16 = {0}, out[32] ALIGNED16;
  for (int i = 0; i < 32; ++i) key[i] = (uint8_t)i;
  for (int key_size = 0; key_size < 3; ++key_size) {
    struct aes_schedule schedule;
    struct control_word control = {.bits = kKeyFromMemory | (uint32_t)key_size << 10};
    control.bits |= (uint32_t)expand_encrypt_key(&schedule, key, 16 + 8 * key_size);
    from_hex(in, kBlock, 16);
    run(ecb, NULL, &schedule, &control, in, out, 1);
    // clause: PLK-ACE-068
    // clause: PLK-ACE-069
    check_hex("FIPS 197 encryption", out, kResults[key_size], 16);
    expand_decrypt_key(&schedule, key, 16 + 8 * key_size);
    control.bits |= kDecrypt;
    run(ecb, NULL, &schedule, &control, out, in, 1);
    // clause: PLK-ACE-073
    check_hex("FIPS 197 decryption", in, kBlock, 16);
  }
}

int main(void) {
  check_fips_197();
  for (size_t i = 0; i < sizeof kCases / sizeof *kCases; ++i)
    for (int key_size = 0; key_size < 3; ++key_size)
      for (int from_memory = key_size > 0; from_memory < 2; ++from_memory)
        check_mode(i, key_size, from_memory);
  return 0;
}
