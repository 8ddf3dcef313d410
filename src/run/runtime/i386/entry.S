// Where control enters the run-time of a 32-bit program: at the start of a program image, from a patched site, and from the
// kernel's signal frames. See x86_64/entry.S, which this mirrors.

#include "run/runtime/i386/segments.h"
#include "run/runtime/i386/trampoline.h"

#define kEflagsDf 0x400
#define kEflagsAc 0x40000

        .text

        .macro  clear_ac
        pushfl
        andl    $~kEflagsAc, (%esp)
        popfl
        .endm

// ---------------------------------------------------------------------------------------------------------------------
// The start of a program image, from start.S: edi holds a file descriptor, esp is as the kernel left it, and nothing is mapped
// yet but the run-time's image. All registers are zero when the program starts.
        .globl  incore_runtime_entry
        .type   incore_runtime_entry, @function
        int     $0x80                    // for injector.cpp, which makes a call here
incore_runtime_entry:
        movl    %esp, %ebx
        movl    -8(%esp), %esi           // struct StartInfo
        leal    -16(%esi), %esp
        movl    %edi, (%esp)
        call    runtime_map              // (file descriptor)
        call    claim_stack              // -> top of a free stack, which the first handlers will use too
        movl    %eax, %edi
        leal    -16(%eax), %esp
        movl    %ebx, (%esp)
        movl    %esi, 4(%esp)
        call    runtime_start            // (initial stack pointer, info) -> the program's entry point
        movl    %eax, %esi
        leal    -16(%ebx), %esp
        movl    %edi, (%esp)
        call    release_stack
        movl    %ebx, %esp
        pushl   %esi
        .irp    register, eax, ebx, ecx, edx, esi, edi, ebp
        xorl    %\register, %\register
        .endr
        ret
        .size   incore_runtime_entry, . - incore_runtime_entry

// ---------------------------------------------------------------------------------------------------------------------
// A patched site. Its trampoline has called here. Registers and flags are the program's. fast_execute() gets them as struct
// FastFrame; true: done, go on behind the site; false: it came to a fault, go to the trampoline's int3 and let the signal
// handler deliver it. Where DS, ES or SS is not the flat segment that this code needs, the signal handler does it all: it gets
// flat ones of the kernel, and finds the program's in its context.
        .macro  pop_registers
        .irp    register, eax, ebx, ecx, edx, esi, edi, ebp
        popl    %\register
        .endr
        .endm

        .macro  define_entry name, function
        .globl  \name
        .type   \name, @function
\name:
        pushfl
        cld
        .irp    register, ebp, edi, esi, edx, ecx, ebx, eax
        pushl   %\register
        .endr
        movl    %ds, %eax
        movl    %es, %ecx
        movl    %ss, %edx
        xorl    $kUserDs, %eax
        xorl    $kUserDs, %ecx
        xorl    $kUserDs, %edx
        orl     %ecx, %eax
        orl     %edx, %eax
        jnz     3f
        testl   $kEflagsAc, 28(%esp)     // rare, and POPF is slow
        jnz     4f
0:      movl    %esp, %ebx               // FastFrame
        subl    $144, %esp
        andl    $-16, %esp
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        movaps  %xmm\i, 16 + 16 * \i(%esp)
        .endr
        movl    %ebx, (%esp)
        call    \function
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        movaps  16 + 16 * \i(%esp), %xmm\i
        .endr
        movl    %ebx, %esp
        testb   %al, %al
        jnz     1f
        addl    $(kSlowExitOffset - kReturnOffset), 32(%esp)  // return to the int3 instead
1:      testl   $(kEflagsDf | kEflagsAc), 28(%esp)
        jnz     2f
        // The arithmetic flags: OF by an addition that overflows if it was set, the others by SAHF.
        movl    28(%esp), %ecx
        movl    %ecx, %eax
        shrl    $11, %eax
        andl    $1, %eax
        addb    $127, %al
        movb    %cl, %ah
        sahf
        pop_registers
        leal    4(%esp), %esp            // the flags
        ret
3:      addl    $(kSlowExitOffset - kReturnOffset), 32(%esp)
2:      pop_registers
        popfl
        ret
4:      clear_ac
        jmp     0b
        .size   \name, . - \name
        .endm

        define_entry fast_entry, fast_execute
        define_entry cpuid_entry, fast_cpuid

// ---------------------------------------------------------------------------------------------------------------------
// The handler of every signal that the run-time owns. The kernel enters it with the return address, signal, siginfo and
// ucontext on the program's stack, which may be small, so the work is done on a stack of our own.
        .globl  signal_entry
        .type   signal_entry, @function
signal_entry:
        cld
        movl    %esp, %ebp
        pushfl                           // the flags with which the kernel enters a handler
        popl    %esi
        clear_ac
        andl    $-16, %esp
        call    claim_stack              // -> top of a free stack
        movl    %eax, %ebx
        leal    -48(%eax), %esp
        movl    %esi, 32(%esp)
        leal    16(%esp), %eax           // struct NextStep: mask, handler, stack
        movl    %eax, (%esp)
        .irp    argument, 4, 8, 12
        movl    \argument(%ebp), %eax
        movl    %eax, \argument(%esp)
        .endr
        call    handle_signal            // takes its first argument off the stack
        movl    12(%esp), %ecx
        movl    16(%esp), %edx
        movl    20(%esp), %esi
        movl    24(%esp), %edi
        movl    28(%esp), %eax
        movl    %ebp, %esp
        testl   %esi, %esi
        cmovnzl %edi, %esp
        subl    $32, %esp
        andl    $-16, %esp
        movl    %ecx, 16(%esp)           // the mask
        movl    %edx, 20(%esp)
        movl    %eax, 24(%esp)           // the flags
        movl    %ebx, (%esp)
        call    release_stack
        testl   %esi, %esi
        jz      1f
        pushl   24(%esp)
        popfl
        leal    16(%esp), %ecx
        pushl   %esi
        movl    $175, %eax               // rt_sigprocmask(SIG_SETMASK, mask, 0, 8): from here on we may be interrupted
        movl    $2, %ebx
        xorl    %edx, %edx
        movl    $8, %esi
        int     $0x80
        popl    %esi
        movl    %edi, %esp
        movl    4(%edi), %eax            // in registers too, as the kernel does
        movl    8(%ebp), %edx
        movl    12(%ebp), %ecx
        jmp     *%esi
1:      leal    4(%ebp), %esp            // as the kernel's frame would have us return, without signal_restorer
        movl    $173, %eax               // rt_sigreturn
        int     $0x80
        .size   signal_entry, . - signal_entry

// Where handlers of the program return to. A section of its own, behind all system calls of the run-time, so that these can
// be told apart (loaded_key.cpp). Unwinders know a signal's frame by these very instructions.
        .section restorers, "ax", @progbits
        .globl  old_signal_restorer
        .type   old_signal_restorer, @function
old_signal_restorer:
        popl    %eax
        movl    $119, %eax               // sigreturn
        int     $0x80
        .size   old_signal_restorer, . - old_signal_restorer

        .globl  signal_restorer
        .type   signal_restorer, @function
signal_restorer:
        movl    $173, %eax               // rt_sigreturn
        int     $0x80
        .size   signal_restorer, . - signal_restorer
        .text

        .section .note.GNU-stack, "", @progbits
