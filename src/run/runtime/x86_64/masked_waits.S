// Stubs that wait in the program's place, one for each register that may hold the address of the mask (masked_waits.h).
// SYSCALL overwrites RCX and R11, so these are free to bring two values here: RCX where the program goes on, which is what
// SYSCALL leaves there anyway, and R11 the mask. All else lies on the program's stack, below the red zone, and signals
// put their frames below that. A handler may leave by longjmp: nothing is held here.

        .text

        .macro  begin_wait name, register
        .globl  \name
        .type   \name, @function
\name:  leaq    -128(%rsp), %rsp
        pushq   %rcx
        pushq   %\register
        .endm

        .macro  end_wait name, register
        popq    %\register
        movq    (%rsp), %rcx
        ret     $128
        .size   \name, . - \name
        .endm

        .macro  wait_with_mask name, register
        begin_wait \name, \register
        pushq   %r11
        movq    %rsp, %\register
        syscall
        leaq    8(%rsp), %rsp
        end_wait \name, \register
        .endm

        wait_with_mask wait_mask_in_rdi, rdi
        wait_with_mask wait_mask_in_r10, r10
        wait_with_mask wait_mask_in_r8, r8

// The mask's address and length are in memory, and the address of that in R9.
        begin_wait wait_pair_in_r9, r9
        pushq   %r11
        movq    %rsp, %r9
        pushq   $8
        pushq   %r9
        movq    %rsp, %r9
        syscall
        leaq    24(%rsp), %rsp
        end_wait wait_pair_in_r9, r9

        .section .note.GNU-stack, "", @progbits
