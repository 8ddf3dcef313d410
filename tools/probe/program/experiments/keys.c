// EFLAGS bit 30: whether an XCRYPT loads its key and control word anew. All of an experiment is one
// run, since signals and system calls clear the bit.
#include "tools/probe/program/experiment.h"

#define CHANGE_KEY "813300ff00ff"   // XOR DWORD [EBX], 0xFF00FF00
#define SET_ALIGN "830a20"          // OR DWORD [EDX], 0x20
#define ONE_BLOCK "b901000000"      // MOV ECX, 1
#define RELOAD "9c9d"               // PUSHFD, POPFD
#define OTHER_OUT "5756bf00080520"  // PUSH EDI, PUSH ESI, MOV EDI, kOut + 0x800
#define OUT_AGAIN "5e5f"            // POP ESI, POP EDI
#define ZERO_EAX "31c0"             // XOR EAX, EAX
// What XSTORE has written at kOut + 0x800 becomes zeros.
#define HIDE_RANDOM "c7050008052000000000c7050408052000000000"
#define AGAIN ONE_BLOCK XCRYPT_ECB
// XCRYPT, something, and XCRYPT with another key in memory.
#define RUN_AROUND(code) RUN(XCRYPT_ECB CHANGE_KEY code AGAIN, XCRYPT_REGISTERS(1))

const struct Experiment kKeyExperiments[] = {
    EXPERIMENT("PLK-MULTI-007", "another key in memory", 0, RUN_AROUND("")),
    EXPERIMENT("PLK-MULTI-008", "PUSHF and POPF between", 0, RUN_AROUND(RELOAD)),
    EXPERIMENT("PLK-MULTI-011", "16-bit PUSHF and POPF between", 0, RUN_AROUND("669c669d")),
    EXPERIMENT("PLK-MULTI-012", "POPF of a set bit 30", 0,
               RUN(RELOAD "68020000409d" XCRYPT_ECB, XCRYPT_REGISTERS(1))),
    EXPERIMENT("PLK-MULTI-016", "the pushed image", 0, RUN(XCRYPT_ECB "9c58", XCRYPT_REGISTERS(1))),
    EXPERIMENT("PLK-MULTI-026", "XSTORE between", 0,
               RUN_AROUND(OTHER_OUT XSTORE OUT_AGAIN HIDE_RANDOM ZERO_EAX)),
    EXPERIMENT("PLK-MULTI-027", "LAHF between", 0, RUN_AROUND("9f" ZERO_EAX)),
    EXPERIMENT("PLK-MULTI-027", "SETZ between", 0, RUN_AROUND("0f94c0" ZERO_EAX)),
    EXPERIMENT("PLK-MULTI-022", "XSHA1 between", 0,
               RUN_AROUND(OTHER_OUT ZERO_EAX "b940000000" XSHA1 OUT_AGAIN ZERO_EAX)),
    EXPERIMENT("PLK-MULTI-025", "MONTMUL between", 0,
               RUN_AROUND("5256be00000620" ZERO_EAX "b900010000" MONTMUL "5e5a" ZERO_EAX)),
    EXPERIMENT("PLK-PHE-048", "XSHA512 between", 0,
               RUN_AROUND(OTHER_OUT "b901000000" XSHA512 OUT_AGAIN ZERO_EAX)),
    EXPERIMENT("PLK-PHE-048", "XSHA512 with ECX = 0 between", 0,
               RUN_AROUND(OTHER_OUT "b900000000" XSHA512 OUT_AGAIN ZERO_EAX)),
    EXPERIMENT("PLK-ZX-057", "CCS_HASH between", 0,
               RUN_AROUND("53" OTHER_OUT ZERO_EAX "bb20000000b940000000" CCS_HASH OUT_AGAIN
                          "5b" ZERO_EAX)),
    EXPERIMENT("PLK-ZX-057", "CCS_ENCRYPT between", 0,
               RUN_AROUND(OTHER_OUT "b860000000b901000000" CCS_ENCRYPT OUT_AGAIN ZERO_EAX)),
    EXPERIMENT("PLK-EXC-012", "ECX = 0 loads no key", 0,
               RUN(XCRYPT_ECB CHANGE_KEY AGAIN, XCRYPT_REGISTERS(0))),
    EXPERIMENT("PLK-MULTI-028", "ALIGN set in memory only", 0,
               RUN(XCRYPT_CBC SET_ALIGN ONE_BLOCK "46" XCRYPT_CBC, XCRYPT_REGISTERS(1))),
    EXPERIMENT("PLK-MULTI-028", "DGEST set in memory only", 0,
               RUN(XCRYPT_CBC "830a10"
                              "b902000000" XCRYPT_CBC,
                   XCRYPT_REGISTERS(1))),
    {.clause = NULL},
};
