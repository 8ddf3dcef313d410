// Where control enters the run-time: at the start of a program image, from a patched site, and from the kernel's signal
// frames.

#include "run/runtime/x86_64/trampoline.h"

#define kEflagsDf 0x400
#define kEflagsAc 0x40000

        .text

// The program may have asked for alignment checks, but our code accesses what is not aligned. Of the flags only AC changes.
        .macro  clear_ac
        pushfq
        andl    $~kEflagsAc, (%rsp)
        popfq
        .endm

// ---------------------------------------------------------------------------------------------------------------------
// The start of a program image, from start.S: r8 holds a file descriptor, rsp is as the kernel left it, and nothing is mapped
// yet but the run-time's image. All registers are zero when the program starts.
        .globl  incore_runtime_entry
        .type   incore_runtime_entry, @function
        syscall                          // for injector.cpp, which makes a call here
incore_runtime_entry:
        movq    %rsp, %rbx
        movl    %r8d, %edi
        movq    -8(%rsp), %rsp           // struct StartInfo
        movq    %rsp, %r12
        call    runtime_map              // (file descriptor)
        call    claim_stack              // -> top of a free stack, which the first handlers will use too
        movq    %rax, %r13
        movq    %rbx, %rdi
        movq    %r12, %rsi
        movq    %rax, %rsp
        call    runtime_start            // (initial stack pointer, info) -> the program's entry point
        movq    %rax, %r12
        movq    %rbx, %rsp
        movq    %r13, %rdi
        call    release_stack
        pushq   %r12
        .irp    register, eax, ebx, ecx, edx, esi, edi, ebp, r8d, r9d, r10d, r11d, r12d, r13d, r14d, r15d
        xorl    %\register, %\register
        .endr
        ret
        .size   incore_runtime_entry, . - incore_runtime_entry

// ---------------------------------------------------------------------------------------------------------------------
// A patched site. Its trampoline (see trampoline.h) has stepped over the red zone and called here, so the stack holds the
// return address into the trampoline. Registers and flags are the program's. fast_execute() gets them as struct FastFrame;
// true: done, go on behind the site; false: it came to a fault, go to the trampoline's int3 and let the signal handler
// deliver it.
        .macro  pop_registers
        .irp    register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
        popq    %\register
        .endr
        .endm

        .macro  define_entry name, function
        .globl  \name
        .type   \name, @function
\name:
        pushfq
        cld
        .irp    register, r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax
        pushq   %\register
        .endr
        movq    %rsp, %rbx               // FastFrame
        testl   $kEflagsAc, 120(%rbx)    // rare, and POPF is slow
        jnz     3f
0:      subq    $256, %rsp
        andq    $-64, %rsp
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movaps  %xmm\i, 16 * \i(%rsp)
        .endr
        movq    %rbx, %rdi
        call    \function
        movl    %eax, %r12d
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movaps  16 * \i(%rsp), %xmm\i
        .endr
        movq    %rbx, %rsp
        testb   %r12b, %r12b
        jnz     1f
        addq    $(kSlowExitOffset - kReturnOffset), 128(%rsp)  // return to the int3 instead
1:      testl   $(kEflagsDf | kEflagsAc), 120(%rsp)
        jnz     2f
        // The arithmetic flags: OF by an addition that overflows if it was set, the others by SAHF.
        movl    120(%rsp), %ecx
        movl    %ecx, %eax
        shrl    $11, %eax
        andl    $1, %eax
        addb    $127, %al
        movb    %cl, %ah
        sahf
        pop_registers
        leaq    8(%rsp), %rsp            // the flags
        ret
2:      pop_registers
        popfq
        ret
3:      clear_ac
        jmp     0b
        .size   \name, . - \name
        .endm

        define_entry fast_entry, fast_execute
        define_entry cpuid_entry, fast_cpuid
        define_entry call_entry, fast_call  // for "mov $number, %eax" before a system call

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
        pushfq                           // the flags with which the kernel enters a handler
        clear_ac
        movl    %edi, %r13d
        movq    %rsi, %r14
        movq    %rdx, %r15
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
        pushq   -8(%r12)
        popfq
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
1:      leaq    8(%r12), %rsp            // as the kernel's frame would have us return, without signal_restorer
        movq    $15, %rax                // rt_sigreturn
        syscall
        .size   signal_entry, . - signal_entry

// Where handlers of the program return to. A section of its own, behind all system calls of the run-time, so that these can
// be told apart (loaded_key.cpp).
        .section restorers, "ax", @progbits
        .globl  signal_restorer
        .type   signal_restorer, @function
signal_restorer:
        movq    $15, %rax                // rt_sigreturn; unwinders know a signal's frame by these very instructions
        syscall
        .size   signal_restorer, . - signal_restorer
        .text

        .section .note.GNU-stack, "", @progbits
