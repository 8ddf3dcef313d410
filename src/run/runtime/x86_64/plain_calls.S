// The stub that makes a program's call as it is (plain_calls.h). SYSCALL overwrites RCX, so that is free to bring the address
// where the program goes on, which SYSCALL leaves there anyway. It lies on the program's stack, below the red zone, and
// signals put their frames below that.

        .text

        .globl  plain_calls_begin, plain_call, plain_calls_end
        .type   plain_call, @function
plain_calls_begin:
plain_call:
        leaq    -128(%rsp), %rsp
        pushq   %rcx
        syscall
        movq    (%rsp), %rcx
        ret     $128
        .size   plain_call, . - plain_call
plain_calls_end:

        .section .note.GNU-stack, "", @progbits
