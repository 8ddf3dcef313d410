// REP XCRYPT: modes, keys, the fields of the control word, alignment. ctr.c has its erratum.
//
// PUT(kControl, ...): the control word, lowest byte first. Its fields: rounds 3:0, DGEST 4, ALIGN
// 5, CIPHR 6, KEYGN 7 (keys from memory), INTER 8, CRYPT 9 (decrypts), key size 11:10.
#include "tools/probe/program/experiment.h"

#define DECRYPT PUT(kControl, "0a020000")
#define KEYS_FROM_MEMORY PUT(kControl, "8a000000")
#define KEYS_FROM_MEMORY_DECRYPT PUT(kControl, "8a020000")
#define ALIGN PUT(kControl, "2a000000")
#define MISALIGNED(in_by, out_by)                                               \
  .eax = kVector, .ebx = kKey, .ecx = 3, .edx = kControl, .esi = kIn + (in_by), \
  .edi = kOut + (out_by)
#define BLOCKS_BEFORE_END(blocks, count)                        \
  .eax = kVector, .ebx = kKey, .ecx = (count), .edx = kControl, \
  .esi = AREA_END(kIn) - 16 * (blocks), .edi = kOut
#define ROOM_BEFORE_END(blocks, count)                                      \
  .eax = kVector, .ebx = kKey, .ecx = (count), .edx = kControl, .esi = kIn, \
  .edi = AREA_END(kOut) - 16 * (blocks)

const struct Experiment kAceExperiments[] = {
    EXPERIMENT("PLK-ACE-016", "ECB", 0, RUN(XCRYPT_ECB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-016", "ECB, decryption", 0, DECRYPT, RUN(XCRYPT_ECB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-018", "CBC", 0, RUN(XCRYPT_CBC, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-019", "CBC, decryption", 0, DECRYPT, RUN(XCRYPT_CBC, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-026", "CFB", 0, RUN(XCRYPT_CFB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-027", "CFB, decryption", 0, DECRYPT, RUN(XCRYPT_CFB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-028", "OFB", 0, RUN(XCRYPT_OFB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-030", "OFB, decryption", 0, DECRYPT, RUN(XCRYPT_OFB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-030", "CTR, decryption", 0, DECRYPT, RUN(XCRYPT_CTR, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-032", "CTR", 0, RUN(XCRYPT_CTR, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-039", "in place", 0,
               RUN(XCRYPT_CBC, .eax = kVector, .ebx = kKey, .ecx = 3, .edx = kControl, .esi = kIn,
                   .edi = kIn)),

    // Keys from memory.
    EXPERIMENT("PLK-ACE-071", "128-bit keys, encryption", 0, KEYS_FROM_MEMORY,
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-073", "128-bit keys, decryption", 0, KEYS_FROM_MEMORY_DECRYPT,
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-068", "192-bit keys", 0, PUT(kControl, "8c040000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-069", "256-bit keys", 0, PUT(kControl, "8e080000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-031", "CFB, decryption, keys from memory", 0, KEYS_FROM_MEMORY_DECRYPT,
               RUN(XCRYPT_CFB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-031", "OFB, decryption, keys from memory", 0, KEYS_FROM_MEMORY_DECRYPT,
               RUN(XCRYPT_OFB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-031", "CTR, decryption, keys from memory", 0, KEYS_FROM_MEMORY_DECRYPT,
               RUN(XCRYPT_CTR, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-076", "240 bytes of keys before the end of memory", 0, KEYS_FROM_MEMORY,
               RUN(XCRYPT_ECB, .ebx = AREA_END(kKey) - 240, .ecx = 2, .edx = kControl, .esi = kIn,
                   .edi = kOut)),
    EXPERIMENT("PLK-ACE-086", "16 rounds", 0, PUT(kControl, "00000000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-086", "16 rounds, keys from memory", 0, PUT(kControl, "80000000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),

    // Other fields of the control word.
    EXPERIMENT("PLK-ACE-090", "DGEST in CBC", 0, PUT(kControl, "1a000000"),
               RUN(XCRYPT_CBC, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-090", "DGEST in CFB", 0, PUT(kControl, "1a000000"),
               RUN(XCRYPT_CFB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-089", "DGEST in CBC, decryption", 0, PUT(kControl, "1a020000"),
               RUN(XCRYPT_CBC, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-064", "DGEST in ECB", 0, PUT(kControl, "1a000000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-095", "CIPHR", 0, PUT(kControl, "4a000000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-097", "hardware keys of 192 bits", 0, PUT(kControl, "0c040000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-097", "hardware keys of 256 bits", 0, PUT(kControl, "0e080000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-099", "INTER, round 1", 0, PUT(kControl, "01010000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-099", "INTER, round 2", 0, PUT(kControl, "02010000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-099", "INTER, round 2, decryption", 0, PUT(kControl, "02030000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-100", "1 round", 0, PUT(kControl, "01000000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-102", "key size 3", 0, PUT(kControl, "8a0c0000"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-103", "reserved bits", 0, PUT(kControl, "0af0ffffffffffff"),
               RUN(XCRYPT_ECB, XCRYPT_REGISTERS(2))),

    // Vectors.
    EXPERIMENT("PLK-ACE-057", "EAX after CBC", 0, RUN(XCRYPT_CBC, XCRYPT_REGISTERS(4))),
    EXPERIMENT("PLK-ACE-057", "EAX after CFB", 0, RUN(XCRYPT_CFB, XCRYPT_REGISTERS(4))),
    EXPERIMENT("PLK-ACE-106", "CBC, twice from one vector", 0, RUN(XCRYPT_CBC, XCRYPT_REGISTERS(2)),
               RUN(XCRYPT_CBC, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-106", "CFB, twice from one vector", 0, RUN(XCRYPT_CFB, XCRYPT_REGISTERS(2)),
               RUN(XCRYPT_CFB, XCRYPT_REGISTERS(2))),

    // Alignment.
    EXPERIMENT("PLK-ACE-037", "source", 0, RUN(XCRYPT_CBC, MISALIGNED(1, 0))),
    EXPERIMENT("PLK-ACE-037", "destination", 0, RUN(XCRYPT_CBC, MISALIGNED(0, 8))),
    EXPERIMENT(
        "PLK-ACE-043", "key", 0,
        RUN(XCRYPT_ECB, .ebx = kKey + 4, .ecx = 2, .edx = kControl, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-ACE-048", "vector", 0,
               RUN(XCRYPT_CBC, .eax = kVector + 4, .ebx = kKey, .ecx = 2, .edx = kControl,
                   .esi = kIn, .edi = kOut)),
    EXPERIMENT(
        "PLK-ACE-078", "control word", 0, PUT(kControl + 4, "0a000000"),
        RUN(XCRYPT_ECB, .ebx = kKey, .ecx = 2, .edx = kControl + 4, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-ACE-093", "ALIGN with aligned data", 0, ALIGN,
               RUN(XCRYPT_CBC, XCRYPT_REGISTERS(3))),
    EXPERIMENT("PLK-ACE-093", "ALIGN with a misaligned source", 0, ALIGN,
               RUN(XCRYPT_CBC, MISALIGNED(1, 0))),
    EXPERIMENT("PLK-ACE-058", "CBC to a misaligned destination", 0, ALIGN,
               RUN(XCRYPT_CBC, MISALIGNED(0, 1))),
    EXPERIMENT("PLK-ACE-058", "CFB to a misaligned destination", 0, ALIGN,
               RUN(XCRYPT_CFB, MISALIGNED(3, 5))),
    EXPERIMENT("PLK-ACE-080", "OFB, both misaligned", 0, ALIGN, RUN(XCRYPT_OFB, MISALIGNED(3, 5))),
    EXPERIMENT("PLK-ACE-080", "CBC, decryption, both misaligned", 0, PUT(kControl, "2a020000"),
               RUN(XCRYPT_CBC, MISALIGNED(3, 5))),
    EXPERIMENT("PLK-ACE-092", "ECB, misaligned", 0, ALIGN, RUN(XCRYPT_ECB, MISALIGNED(1, 0))),
    EXPERIMENT("PLK-ACE-079", "ALIGN with 64 bytes from the control word on", 0,
               PUT(AREA_END(kControl) - 64, "2a000000000000000000000000000000"),
               RUN(XCRYPT_CBC, .eax = kVector, .ebx = kKey, .ecx = 3,
                   .edx = AREA_END(kControl) - 64, .esi = kIn + 1, .edi = kOut + 1)),

    // How many blocks are loaded before one is stored.
    EXPERIMENT("PLK-ACE-062", "ECB, 1 of 1 block before the end of memory", 0,
               RUN(XCRYPT_ECB, BLOCKS_BEFORE_END(1, 1))),
    EXPERIMENT("PLK-ACE-062", "ECB, 3 of 3 blocks before the end of memory", 0,
               RUN(XCRYPT_ECB, BLOCKS_BEFORE_END(3, 3))),
    EXPERIMENT("PLK-ACE-017", "ECB, 5 of 9 blocks before the end of memory", 0,
               RUN(XCRYPT_ECB, BLOCKS_BEFORE_END(5, 9))),
    EXPERIMENT("PLK-ACE-017", "ECB, 7 of 12 blocks before the end of memory", 0,
               RUN(XCRYPT_ECB, BLOCKS_BEFORE_END(7, 12))),
    EXPERIMENT("PLK-ACE-017", "ECB, 14 of 20 blocks before the end of memory", 0,
               RUN(XCRYPT_ECB, BLOCKS_BEFORE_END(14, 20))),
    EXPERIMENT("PLK-ACE-046", "CBC, 1 of 1 block before the end of memory", 0,
               RUN(XCRYPT_CBC, BLOCKS_BEFORE_END(1, 1))),
    EXPERIMENT("PLK-ACE-046", "CBC, 3 of 6 blocks before the end of memory", 0,
               RUN(XCRYPT_CBC, BLOCKS_BEFORE_END(3, 6))),
    EXPERIMENT("PLK-ACE-046", "CBC, decryption, 5 of 8 blocks before the end of memory", 0, DECRYPT,
               RUN(XCRYPT_CBC, BLOCKS_BEFORE_END(5, 8))),
    EXPERIMENT("PLK-ACE-046", "OFB, 3 of 6 blocks before the end of memory", 0,
               RUN(XCRYPT_OFB, BLOCKS_BEFORE_END(3, 6))),
    EXPERIMENT("PLK-ACE-041", "ECB, room for 3 of 6 blocks", 0,
               RUN(XCRYPT_ECB, ROOM_BEFORE_END(3, 6))),
    EXPERIMENT("PLK-ACE-041", "CBC, room for 3 of 6 blocks", 0,
               RUN(XCRYPT_CBC, ROOM_BEFORE_END(3, 6))),

    // Prefixes.
    EXPERIMENT("PLK-ACE-060", "operand-size prefix", 0, RUN("66" XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-061", "REPNE", 0, RUN("f20fa7c8", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-061", "REPNE and REP", 0, RUN("f2" XCRYPT_ECB, XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-061", "REP and REPNE", 0, RUN("f3f20fa7c8", XCRYPT_REGISTERS(2))),
    EXPERIMENT("PLK-ACE-059", "16-bit addresses", kNeedsLow,
               PUT(0x100, "0a000000000000000000000000000000"),
               RUN("67" XCRYPT_CBC, .eax = 0x10200, .ebx = 0x10300, .ecx = 0x10002, .edx = 0x10100,
                   .esi = 0x10400, .edi = 0x10500)),
    EXPERIMENT("PLK-EXC-021", "16-bit addresses, the scratch space wraps", kNeedsLow,
               PUT(0xFFF0, "2a000000000000000000000000000000"),
               RUN("67" XCRYPT_CBC, .eax = 0x200, .ebx = 0x300, .ecx = 2, .edx = 0xFFF0,
                   .esi = 0x401, .edi = 0x501)),
    {.clause = NULL},
};
