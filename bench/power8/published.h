// Keys, data and results that standards publish, in hexadecimal: what operations.cpp checks first.
// They are macros, as parts of longer strings.
#pragma once

#define KEY "2b7e151628aed2a6abf7158809cf4f3c"
#define KEY_256 "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
#define IV "000102030405060708090a0b0c0d0e0f"
#define COUNTER "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
#define TEXT "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
#define ZEROS_8 "0000000000000000"
#define ZEROS_16 ZEROS_8 ZEROS_8
#define ZEROS_32 ZEROS_16 ZEROS_16
// AES of zeros under the key of zeros.
#define TWEAK "66e94bd4ef8a2c3b884cfa59ca342b2e"
// "abc" as a whole block: the bytes, the bit that ends them, zeros, their length of 24 bits.
#define ABC_64 "6162638000000000" ZEROS_32 ZEROS_16 "0000000000000018"
#define ABC_128 "6162638000000000" ZEROS_32 ZEROS_32 ZEROS_32 ZEROS_16 "0000000000000018"

// SP 800-38A, appendix F.
#define ECB_TEXT "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
#define CBC_TEXT "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
#define CFB_TEXT "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
#define OFB_TEXT "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
#define CTR_TEXT "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
#define CTR_TEXT_256 "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
// IEEE 1619, vector 1.
#define XTS_TEXT "917cf69ebd68b2ec9b9fe9a3eadda692cd43d2f59598ed858c02c2652fbf922e"
