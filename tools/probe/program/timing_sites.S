// One instruction each between two readings of the time stamp counter: void time_NAME(void) loads the registers of
// timed_registers and leaves the clocks in timed_clocks. With timed_reloads an XCRYPT loads its key.

.macro  TIMED name, bytes:vararg
        .text
        .globl  time_\name
        .type   time_\name, @function
time_\name:
        pushal
        cmpl    $0, timed_reloads
        je      1f
        pushfl
        popfl
1:      movl    timed_registers + 4, %ebx
        movl    timed_registers + 8, %ecx
        movl    timed_registers + 16, %esi
        movl    timed_registers + 20, %edi
        rdtsc
        movl    %eax, %ebp
        movl    timed_registers + 0, %eax
        movl    timed_registers + 12, %edx
        .ifnb   \bytes
        .byte   \bytes
        .endif
        rdtsc
        subl    %ebp, %eax
        movl    %eax, timed_clocks
        popal
        ret
        .size   time_\name, . - time_\name
.endm

        TIMED   nothing
        TIMED   xstore, 0x0f, 0xa7, 0xc0
        TIMED   rep_xstore, 0xf3, 0x0f, 0xa7, 0xc0
        TIMED   xcrypt_ecb, 0xf3, 0x0f, 0xa7, 0xc8
        TIMED   xcrypt_cbc, 0xf3, 0x0f, 0xa7, 0xd0
        TIMED   xcrypt_ctr, 0xf3, 0x0f, 0xa7, 0xd8
        TIMED   xcrypt_cfb, 0xf3, 0x0f, 0xa7, 0xe0
        TIMED   xcrypt_ofb, 0xf3, 0x0f, 0xa7, 0xe8
        TIMED   xsha1, 0xf3, 0x0f, 0xa6, 0xc8
        TIMED   xsha256, 0xf3, 0x0f, 0xa6, 0xd0
        TIMED   xsha384, 0xf3, 0x0f, 0xa6, 0xd8
        TIMED   xsha512, 0xf3, 0x0f, 0xa6, 0xe0
        TIMED   montmul, 0xf3, 0x0f, 0xa6, 0xc0
        TIMED   ccs_hash, 0xf3, 0x0f, 0xa6, 0xe8
        TIMED   ccs_encrypt, 0xf3, 0x0f, 0xa7, 0xf0

        .section .note.GNU-stack, "", @progbits
