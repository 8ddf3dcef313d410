// What came with Zhaoxin's parts: CCS_HASH (SM3), CCS_ENCRYPT (SM4), and instructions that Incore
// does not emulate.
#include "tools/probe/program/experiment.h"

#define ALL_ONES 0xFFFFFFFF
#define HASH(count) .ebx = 0x20, .ecx = (count), .esi = kIn, .edi = kOut
// The control word in EAX: bit 0 decrypts, 20h selects SM4, MAC 800h.
#define ECB 0x60
#define CBC 0xA0
#define CFB 0x120
#define OFB 0x220
#define CTR 0x420
#define ENCRYPT(control, blocks) \
  .eax = (control), .ebx = kKey, .ecx = (blocks), .edx = kVector, .esi = kIn, .edi = kOut

const struct Experiment kZhaoxinExperiments[] = {
    EXPERIMENT("PLK-ZX-010", "XSHA1: 12 bytes behind the state", 0, RUN(XSHA1, XSHA_REGISTERS(64))),
    EXPERIMENT("PLK-ZX-011", "XSHA1 of nothing, EAX all ones", 0,
               RUN(XSHA1, .eax = ALL_ONES, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-ZX-005", "SM2", 0, ASK_CPUID(0xC0000001, .edx = 3),
               RUN("f20fa6c0", .eax = kIn, .ebx = kKey, .ecx = kVector, .edx = 0, .esi = kContext,
                   .edi = kOut)),
    EXPERIMENT("PLK-ZX-013", "XRNG2", kRandom, RUN("f30fa7f8", .ecx = 16, .edi = kOut)),
    EXPERIMENT("PLK-ZX-013", "MONTMUL2", 0, RUN("f30fa6f0", MONTMUL_REGISTERS(256))),
    EXPERIMENT("PLK-ZX-013", "XMODEXP", 0, RUN("f30fa6f8", MONTMUL_REGISTERS(256))),

    EXPERIMENT("PLK-ZX-024", "CCS_HASH of 100 bytes", 0, RUN(CCS_HASH, HASH(100))),
    EXPERIMENT("PLK-ZX-025", "CCS_HASH, EAX all ones, 2 blocks", 0,
               RUN(CCS_HASH, .eax = ALL_ONES, HASH(2))),
    EXPERIMENT("PLK-ZX-022", "EBX = 0", 0, RUN(CCS_HASH, .ecx = 64, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-ZX-022", "EBX = 21h", 0,
               RUN(CCS_HASH, .ebx = 0x21, .ecx = 64, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-ZX-022", "EBX = 40h", 0,
               RUN(CCS_HASH, .ebx = 0x40, .ecx = 64, .esi = kIn, .edi = kOut)),
    EXPERIMENT("PLK-ZX-027", "misaligned state", 0,
               RUN(CCS_HASH, .ebx = 0x20, .ecx = 64, .esi = kIn, .edi = kOut + 4)),
    EXPERIMENT("PLK-ZX-027", "misaligned message", 0,
               RUN(CCS_HASH, .ebx = 0x20, .ecx = 64, .esi = kIn + 5, .edi = kOut)),
    EXPERIMENT("PLK-ZX-027", "32 bytes from the state on", 0,
               RUN(CCS_HASH, .ebx = 0x20, .ecx = 64, .esi = kIn, .edi = AREA_END(kOut) - 32)),
    EXPERIMENT("PLK-ZX-028", "CCS_HASH of nothing", 0, RUN(CCS_HASH, HASH(0))),
    EXPERIMENT("PLK-ZX-029", "2 of 4 blocks before the end of memory", 0,
               RUN(CCS_HASH, .ebx = 0x20, .ecx = 256, .esi = AREA_END(kIn) - 128, .edi = kOut)),
    EXPERIMENT("PLK-ZX-029", "EAX all ones, 2 of 4 blocks before the end of memory", 0,
               RUN(CCS_HASH, .eax = ALL_ONES, .ebx = 0x20, .ecx = 4, .esi = AREA_END(kIn) - 128,
                   .edi = kOut)),

    EXPERIMENT("PLK-ZX-042", "SM4, ECB", 0, RUN(CCS_ENCRYPT, ENCRYPT(ECB, 2))),
    EXPERIMENT("PLK-ZX-042", "SM4, ECB, decryption", 0, RUN(CCS_ENCRYPT, ENCRYPT(ECB | 1, 2))),
    EXPERIMENT("PLK-ZX-045", "the vector after CBC", 0, RUN(CCS_ENCRYPT, ENCRYPT(CBC, 2)),
               RUN(CCS_ENCRYPT, ENCRYPT(CBC, 2))),
    EXPERIMENT("PLK-ZX-045", "the vector after CBC, decryption", 0,
               RUN(CCS_ENCRYPT, ENCRYPT(CBC | 1, 2))),
    EXPERIMENT("PLK-ZX-045", "the vector after CFB", 0, RUN(CCS_ENCRYPT, ENCRYPT(CFB, 2))),
    EXPERIMENT("PLK-ZX-045", "the vector after CFB, decryption", 0,
               RUN(CCS_ENCRYPT, ENCRYPT(CFB | 1, 2))),
    EXPERIMENT("PLK-ZX-045", "the vector after OFB", 0, RUN(CCS_ENCRYPT, ENCRYPT(OFB, 2))),
    EXPERIMENT("PLK-ZX-045", "the vector after CTR", 0, RUN(CCS_ENCRYPT, ENCRYPT(CTR, 2))),
    EXPERIMENT("PLK-ZX-046", "the counter wraps", 0, PUT(kVector + 14, "ffff"),
               RUN(CCS_ENCRYPT, ENCRYPT(CTR, 3))),
    EXPERIMENT("PLK-ZX-048", "MAC in CBC", 0, RUN(CCS_ENCRYPT, ENCRYPT(CBC | 0x800, 4))),
    EXPERIMENT("PLK-ZX-048", "MAC in CFB", 0, RUN(CCS_ENCRYPT, ENCRYPT(CFB | 0x800, 4))),
    EXPERIMENT("PLK-ZX-048", "MAC in ECB", 0, RUN(CCS_ENCRYPT, ENCRYPT(ECB | 0x800, 4))),
    EXPERIMENT("PLK-ZX-049", "no cipher", 0, RUN(CCS_ENCRYPT, ENCRYPT(0x40, 2))),
    EXPERIMENT("PLK-ZX-049", "another cipher", 0, RUN(CCS_ENCRYPT, ENCRYPT(0x42, 2))),
    EXPERIMENT("PLK-ZX-049", "no mode", 0, RUN(CCS_ENCRYPT, ENCRYPT(0x20, 2))),
    EXPERIMENT("PLK-ZX-049", "two modes", 0, RUN(CCS_ENCRYPT, ENCRYPT(0xE0, 2))),
    EXPERIMENT("PLK-ZX-050", "bits 31:12", 0, RUN(CCS_ENCRYPT, ENCRYPT(0xFFFFF000 | ECB, 2))),
    EXPERIMENT("PLK-ZX-050", "bit 0 in OFB", 0, RUN(CCS_ENCRYPT, ENCRYPT(OFB | 1, 2))),
    EXPERIMENT("PLK-ZX-050", "bit 0 in CTR", 0, RUN(CCS_ENCRYPT, ENCRYPT(CTR | 1, 2))),
    EXPERIMENT("PLK-ZX-051", "odd addresses", 0,
               RUN(CCS_ENCRYPT, .eax = CBC, .ebx = kKey + 1, .ecx = 2, .edx = kVector + 3,
                   .esi = kIn + 5, .edi = kOut + 7)),
    EXPERIMENT("PLK-ZX-052", "another key in memory", 0,
               // XOR DWORD [EBX], 0xFF00FF00; MOV ECX, 1
               RUN(CCS_ENCRYPT "813300ff00ff"
                               "b901000000" CCS_ENCRYPT,
                   ENCRYPT(ECB, 1))),
    EXPERIMENT("PLK-ZX-053", "ECX = 0 and no memory", 0, RUN(CCS_ENCRYPT, .eax = ECB)),
    EXPERIMENT("PLK-ZX-054", "CBC, 2 of 4 blocks before the end of memory", 0,
               RUN(CCS_ENCRYPT, .eax = CBC, .ebx = kKey, .ecx = 4, .edx = kVector,
                   .esi = AREA_END(kIn) - 32, .edi = kOut)),
    EXPERIMENT("PLK-ZX-054", "ECB, room for 2 of 4 blocks", 0,
               RUN(CCS_ENCRYPT, .eax = ECB, .ebx = kKey, .ecx = 4, .edx = kVector, .esi = kIn,
                   .edi = AREA_END(kOut) - 32)),
    EXPERIMENT("PLK-ZX-055", "CCS_HASH, operand-size prefix", 0, RUN("66" CCS_HASH, HASH(64))),
    EXPERIMENT("PLK-ZX-055", "CCS_HASH, LOCK", 0, RUN("f0" CCS_HASH, HASH(64))),
    EXPERIMENT("PLK-ZX-055", "CCS_HASH without REP", 0, RUN("0fa6e8", HASH(64))),
    EXPERIMENT("PLK-ZX-055", "CCS_ENCRYPT, operand-size prefix", 0,
               RUN("66" CCS_ENCRYPT, ENCRYPT(ECB, 2))),
    EXPERIMENT("PLK-ZX-055", "CCS_ENCRYPT, LOCK", 0, RUN("f0" CCS_ENCRYPT, ENCRYPT(ECB, 2))),
    EXPERIMENT("PLK-ZX-055", "CCS_ENCRYPT without REP", 0, RUN("0fa7f0", ENCRYPT(ECB, 2))),
    EXPERIMENT("PLK-ZX-056", "CCS_HASH, REPNE and REP", 0, RUN("f2" CCS_HASH, HASH(64))),
    EXPERIMENT("PLK-ZX-056", "CCS_HASH, REPNE", 0, RUN("f20fa6e8", HASH(64))),
    EXPERIMENT("PLK-ZX-056", "CCS_ENCRYPT, REPNE and REP", 0,
               RUN("f2" CCS_ENCRYPT, ENCRYPT(ECB, 2))),
    EXPERIMENT("PLK-ZX-056", "CCS_ENCRYPT, REPNE", 0, RUN("f20fa7f0", ENCRYPT(ECB, 2))),
    {.clause = NULL},
};
