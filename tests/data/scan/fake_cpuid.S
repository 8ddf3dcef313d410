// Code with tables that hold the bytes of CPUID, for the tests of the site finder. The name of each label tells what the
// finder has to say: unwind_*, symbol_*, flow_*, likely_* or data_*. Labels have no type, so that the finder does not use
// them. Assembled for x86-64 (-DX64) and for i386.
#ifdef X64
#define BX %rbx
#else
#define BX %ebx
#endif

    .text
    .globl with_unwind_table
    .type with_unwind_table, @function
    .p2align 4
with_unwind_table:
    .cfi_startproc
    push BX
    .cfi_adjust_cfa_offset 4
unwind_entry:
    cpuid
    jmp behind_table
    // Decodes as CPUID, and nothing refers to it.
data_in_function:
    cpuid
    .byte 0x90, 0x90
behind_table:
    call without_unwind_table
    call before_table
unwind_padlock:
    .byte 0xf3, 0x0f, 0xa7, 0xd3   // rep xcrypt-cbc, with other low bits
    .byte 0xb8                     // mov $..., %eax whose operand is
data_operand:
    .byte 0x0f, 0xa2, 0, 0
unwind_prefixed:
    rep; cpuid
    pop BX
    ret
    // Behind the function's end, but in the range of its unwind entry.
data_at_end:
    cpuid
    ret
    .cfi_endproc
    .size with_unwind_table, . - with_unwind_table

#ifdef X64
    // A switch with its table at hand: what is referred to is data, even if it decodes.
    .p2align 4
    .cfi_startproc
    lea data_switch_table(%rip), %rax
    movslq (%rax,%rdi,4), %rcx
    add %rcx, %rax
    jmp *%rax
    .p2align 3
data_switch_table:
    cpuid
    .byte 0x90, 0x90
    ret
    .cfi_endproc
#endif

    // A case of a switch: only an indirect jump reaches it.
    .p2align 4
    .cfi_startproc
    jmp *(BX)
unwind_case:
    xor %eax, %eax
    cpuid
    ret
    .cfi_endproc

    // Called by the first function, known by nothing else; its table has no branch into it.
    .p2align 4
without_unwind_table:
    xor %eax, %eax
flow_called:
    cpuid
    je 1f
flow_fallen_through:
    cpuid
1:  ret
    .p2align 4
    .long 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
data_table:
    cpuid
    .long 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01

    // The table follows a call that does not return: decoding runs into bytes that are no instruction.
    .p2align 4
before_table:
    call *(BX)
data_behind_call:
    cpuid
    .byte 0x0f, 0x04

    .globl with_symbol
    .type with_symbol, @function
    .p2align 4
with_symbol:
    xor %eax, %eax
symbol_sized:
    cpuid
    ret
    .size with_symbol, . - with_symbol

    .p2align 4
    ret
    .p2align 4, 0x90
    push BX
likely_dead:
    .byte 0xf3, 0x0f, 0xa6, 0xe0   // rep xsha512
    pop BX
    ret
    .p2align 4, 0x90
