// Stubs that wait in the program's place (masked_waits.h). A call with six arguments leaves no register free but EAX, which
// brings the address where the program goes on here; so there is one for each call, and each takes the owned signals out of
// the program's mask itself. All lies on the program's stack, and signals put their frames below it. A handler may leave by
// longjmp: nothing is held here.

#define kOwnedSignals 0x40000458         // SIGILL, SIGTRAP, SIGBUS, SIGSEGV, SIGSYS
#define kEflagsAc 0x40000

        .text

// |saved| of the program's registers is changed for the call.
        .macro  begin_wait name, saved
        .globl  \name
        .type   \name, @function
\name:  pushl   %eax
        pushl   %\saved
        .endm

        .macro  end_wait name, saved
        popl    %\saved
        ret
        .size   \name, . - \name
        .endm

// Pushes the mask at |register| without the owned signals; with |pair| the register gets that address there first. The
// flags stay, but AC does not hold for what is read, which may be misaligned.
        .macro  push_mask register, pair=
        leal    -8(%esp), %esp
        pushfl
        pushfl
        andl    $~kEflagsAc, (%esp)
        popfl
        .ifnb   \pair
        movl    (%\pair), %\register
        .endif
        pushl   (%\register)
        popl    4(%esp)                  // counted from behind what is popped
        pushl   4(%\register)
        popl    8(%esp)
        andl    $~kOwnedSignals, 4(%esp)
        popfl
        .endm

        .macro  wait_with_mask name, number, register
        begin_wait \name, \register
        push_mask \register
        movl    %esp, %\register
        movl    $\number, %eax
        int     $0x80
        leal    8(%esp), %esp
        end_wait \name, \register
        .endm

        wait_with_mask wait_rt_sigsuspend, 179, ebx
        wait_with_mask wait_ppoll, 309, esi
        wait_with_mask wait_ppoll_time64, 414, esi
        wait_with_mask wait_epoll_pwait, 319, edi
        wait_with_mask wait_epoll_pwait2, 441, edi

// The mask's address and length are in memory, and the address of that in EBP.
        .macro  wait_with_pair name, number
        begin_wait \name, ebp
        push_mask eax, ebp
        movl    %esp, %ebp
        pushl   $8
        pushl   %ebp
        movl    %esp, %ebp
        movl    $\number, %eax
        int     $0x80
        leal    16(%esp), %esp
        end_wait \name, ebp
        .endm

        wait_with_pair wait_pselect6, 308
        wait_with_pair wait_pselect6_time64, 413

// The mask is one word, in EDX.
        begin_wait wait_sigsuspend, edx
        pushfl
        andl    $~kOwnedSignals, %edx
        popfl
        movl    $72, %eax
        int     $0x80
        end_wait wait_sigsuspend, edx

        .section .note.GNU-stack, "", @progbits
