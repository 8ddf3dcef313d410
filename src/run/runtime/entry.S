// Where control enters the run-time: at the start of a program image, from a patched site, and from the kernel's signal
// frames. And the only instructions of the run-time that may fault: the probes.

#include "run/runtime/trampoline.h"

        .text

// ---------------------------------------------------------------------------------------------------------------------
// The start of a program image. The supervisor has put the program's own entry point into the configuration page; rsp is
// as the kernel left it. All other registers are zero, and are zero again when the program starts.
        .globl  incore_runtime_entry
        .type   incore_runtime_entry, @function
incore_runtime_entry:
        movq    %rsp, %rbx
        movq    %rsp, %rdi
        leaq    initial_stack_end(%rip), %rsp
        call    runtime_start            // (initial stack pointer) -> the program's entry point
        movq    %rbx, %rsp
        movq    %rax, program_entry(%rip)
        xorl    %eax, %eax
        xorl    %ebx, %ebx
        xorl    %ecx, %ecx
        xorl    %edx, %edx
        xorl    %esi, %esi
        xorl    %edi, %edi
        xorl    %ebp, %ebp
        xorl    %r8d, %r8d
        xorl    %r9d, %r9d
        xorl    %r10d, %r10d
        xorl    %r11d, %r11d
        xorl    %r12d, %r12d
        xorl    %r13d, %r13d
        xorl    %r14d, %r14d
        xorl    %r15d, %r15d
        jmpq    *program_entry(%rip)
        .size   incore_runtime_entry, . - incore_runtime_entry

// ---------------------------------------------------------------------------------------------------------------------
// A patched site. Its trampoline (see trampoline.h) has stepped over the red zone and called here, so the stack holds the
// return address into the trampoline. Registers and flags are the program's. fast_execute() gets them as struct FastFrame;
// true: done, go on behind the site; false: it came to a fault, go to the trampoline's int3 and let the signal handler
// deliver it.
        .globl  fast_entry
        .type   fast_entry, @function
fast_entry:
        pushfq
        cld
        pushq   %r15
        pushq   %r14
        pushq   %r13
        pushq   %r12
        pushq   %r11
        pushq   %r10
        pushq   %r9
        pushq   %r8
        pushq   %rbp
        pushq   %rdi
        pushq   %rsi
        pushq   %rdx
        pushq   %rcx
        pushq   %rbx
        pushq   %rax
        movq    %rsp, %rbx               // FastFrame
        subq    $256, %rsp
        andq    $-64, %rsp
        movaps  %xmm0, 0(%rsp)
        movaps  %xmm1, 16(%rsp)
        movaps  %xmm2, 32(%rsp)
        movaps  %xmm3, 48(%rsp)
        movaps  %xmm4, 64(%rsp)
        movaps  %xmm5, 80(%rsp)
        movaps  %xmm6, 96(%rsp)
        movaps  %xmm7, 112(%rsp)
        movaps  %xmm8, 128(%rsp)
        movaps  %xmm9, 144(%rsp)
        movaps  %xmm10, 160(%rsp)
        movaps  %xmm11, 176(%rsp)
        movaps  %xmm12, 192(%rsp)
        movaps  %xmm13, 208(%rsp)
        movaps  %xmm14, 224(%rsp)
        movaps  %xmm15, 240(%rsp)
        movq    %rbx, %rdi
        call    fast_execute
        movl    %eax, %r12d
        movaps  0(%rsp), %xmm0
        movaps  16(%rsp), %xmm1
        movaps  32(%rsp), %xmm2
        movaps  48(%rsp), %xmm3
        movaps  64(%rsp), %xmm4
        movaps  80(%rsp), %xmm5
        movaps  96(%rsp), %xmm6
        movaps  112(%rsp), %xmm7
        movaps  128(%rsp), %xmm8
        movaps  144(%rsp), %xmm9
        movaps  160(%rsp), %xmm10
        movaps  176(%rsp), %xmm11
        movaps  192(%rsp), %xmm12
        movaps  208(%rsp), %xmm13
        movaps  224(%rsp), %xmm14
        movaps  240(%rsp), %xmm15
        movq    %rbx, %rsp
        testb   %r12b, %r12b
        jnz     1f
        addq    $(kSlowExitOffset - kReturnOffset), 128(%rsp)  // return to the int3 instead
1:      testl   $0x400, 120(%rsp)        // DF: rare, and POPF is slow
        jnz     2f
        // The arithmetic flags: OF by an addition that overflows if it was set, the others by SAHF.
        movl    120(%rsp), %ecx
        movl    %ecx, %eax
        shrl    $11, %eax
        andl    $1, %eax
        addb    $127, %al
        movb    %cl, %ah
        sahf
        popq    %rax
        popq    %rbx
        popq    %rcx
        popq    %rdx
        popq    %rsi
        popq    %rdi
        popq    %rbp
        popq    %r8
        popq    %r9
        popq    %r10
        popq    %r11
        popq    %r12
        popq    %r13
        popq    %r14
        popq    %r15
        leaq    8(%rsp), %rsp            // the flags
        ret
2:      popq    %rax
        popq    %rbx
        popq    %rcx
        popq    %rdx
        popq    %rsi
        popq    %rdi
        popq    %rbp
        popq    %r8
        popq    %r9
        popq    %r10
        popq    %r11
        popq    %r12
        popq    %r13
        popq    %r14
        popq    %r15
        popfq
        ret
        .size   fast_entry, . - fast_entry

// ---------------------------------------------------------------------------------------------------------------------
// The handler of every signal that the run-time owns. The kernel calls it with rdi, rsi, rdx = signal, siginfo, ucontext on
// the program's stack, which may be small, so the work is done on a stack of our own. handle_signal() returns in rax 0 when
// the context says how to go on; else rax is the program's handler, to be entered as the kernel would have done, and rdx
// the signal mask for it.
        .globl  signal_entry
        .type   signal_entry, @function
signal_entry:
        cld
        movq    %rsp, %r12
        movl    %edi, %r13d
        movq    %rsi, %r14
        movq    %rdx, %r15
        subq    $8, %rsp
        call    claim_stack              // -> top of a free stack
        movq    %rax, %rbx
        movq    %rax, %rsp
        movl    %r13d, %edi
        movq    %r14, %rsi
        movq    %r15, %rdx
        call    handle_signal
        leaq    -24(%r12), %rsp
        movq    %rdx, (%rsp)
        movq    %rax, %rbp
        movq    %rbx, %rdi
        call    release_stack
        testq   %rbp, %rbp
        jz      1f
        movl    $14, %eax                // rt_sigprocmask(SIG_SETMASK, mask, 0, 8): from here on we may be interrupted
        movl    $2, %edi
        movq    %rsp, %rsi
        xorl    %edx, %edx
        movl    $8, %r10d
        syscall
        movq    %rbp, %rcx
        movl    (%r14), %edi             // the signal may have become another one
        movq    %r14, %rsi
        movq    %r15, %rdx
        xorl    %eax, %eax
        movq    %r12, %rsp
        jmpq    *%rcx
1:      movq    %r12, %rsp
        ret                              // to signal_restorer
        .size   signal_entry, . - signal_entry

        .globl  signal_restorer
        .type   signal_restorer, @function
signal_restorer:
        movl    $15, %eax                // rt_sigreturn
        syscall
        .size   signal_restorer, . - signal_restorer

// ---------------------------------------------------------------------------------------------------------------------
// int probe_read(address), int probe_write(address): touch one byte, the latter without changing it. Return 0, or what the
// signal handler puts into eax when the access faults: signal << 8 | si_code.
        .globl  probe_read
        .globl  probe_read_access
        .type   probe_read, @function
probe_read:
        xorl    %eax, %eax
probe_read_access:
        testb   $0, (%rdi)
        ret
        .size   probe_read, . - probe_read

        .globl  probe_write
        .globl  probe_write_access
        .type   probe_write, @function
probe_write:
        xorl    %eax, %eax
probe_write_access:
        orb     $0, (%rdi)               // not locked: the instruction is going to write this byte anyway
        ret
        .size   probe_write, . - probe_write

        .globl  probe_fault
probe_fault:                             // where the signal handler sends a probe that faulted
        ret

        .section .bss
        .balign 64
        .skip   65536
initial_stack_end:
        .skip   64
program_entry:
        .skip   8

        .section .note.GNU-stack, "", @progbits
