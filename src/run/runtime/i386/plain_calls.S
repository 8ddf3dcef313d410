// Stubs that make a program's call as it is (plain_calls.h). A call with six arguments leaves no register free but EAX, which
// brings the address where the program goes on; so there is one for each call.

        .text

        .macro  plain_call name, number
        .globl  \name
        .type   \name, @function
\name:  pushl   %eax
        movl    $\number, %eax
        int     $0x80
        ret
        .size   \name, . - \name
        .endm

        .globl  plain_calls_begin, plain_calls_end
plain_calls_begin:
        plain_call plain_open, 5
        plain_call plain_openat, 295
        plain_call plain_pselect6, 308
        plain_call plain_pselect6_time64, 413
plain_calls_end:

        .section .note.GNU-stack, "", @progbits
