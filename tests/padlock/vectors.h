// Published AES vectors: FIPS 197 appendix C and SP 800-38A appendix F.
#pragma once

#include "support/hex.h"

namespace incore::padlock::test {

using incore::test::Bytes;
using incore::test::from_hex;

// FIPS 197 C.1 to C.3: one plaintext, a key per size (the first 16, 24, 32 bytes of 00 01 02 ...).
inline const Bytes kFipsPlain = from_hex("00112233445566778899aabbccddeeff");

struct FipsVector {
  Bytes key, cipher;
};
inline const FipsVector kFips128 = {from_hex("000102030405060708090a0b0c0d0e0f"),
                                    from_hex("69c4e0d86a7b0430d8cdb78070b4c55a")};
inline const FipsVector kFips192 = {from_hex("000102030405060708090a0b0c0d0e0f1011121314151617"),
                                    from_hex("dda97ca4864cdfe06eaf70a0ec0d7191")};
inline const FipsVector kFips256 = {
    from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
    from_hex("8ea2b7ca516745bfeafc49904b496089")};
inline const FipsVector* const kFipsVectors[] = {&kFips128, &kFips192, &kFips256};

// SP 800-38A F.1 to F.5: four blocks, keys and vectors common to all modes.
inline const Bytes kSpPlain = from_hex(
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710");
inline const Bytes kSpKey128 = from_hex("2b7e151628aed2a6abf7158809cf4f3c");
inline const Bytes kSpKey192 = from_hex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b");
inline const Bytes kSpKey256 =
    from_hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
inline const Bytes kSpIv = from_hex("000102030405060708090a0b0c0d0e0f");
inline const Bytes kSpCounter = from_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");

inline const Bytes kSpEcb128 = from_hex(
    "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf"
    "43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4");
inline const Bytes kSpCbc128 = from_hex(
    "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7");
inline const Bytes kSpCbc192 = from_hex(
    "4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a"
    "571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd");
inline const Bytes kSpCbc256 = from_hex(
    "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d"
    "39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b");
inline const Bytes kSpCfb128 = from_hex(
    "3b3fd92eb72dad20333449f8e83cfb4a c8a64537a0b3a93fcde3cdad9f1ce58b"
    "26751f67a3cbb140b1808cf187a4f4df c04b05357c5d1c0eeac4c66f9ff7f2e6");
inline const Bytes kSpOfb128 = from_hex(
    "3b3fd92eb72dad20333449f8e83cfb4a 7789508d16918f03f53c52dac54ed825"
    "9740051e9c5fecf64344f7a82260edcc 304c6528f659c77866a510d9c1d6ae5e");
inline const Bytes kSpCtr128 = from_hex(
    "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff"
    "5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee");

}  // namespace incore::padlock::test
