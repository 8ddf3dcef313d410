// Where the program begins, its system calls, and the place from which code under test is entered and where it ends.

        .text
        .globl  _start
        .type   _start, @function
_start:
        xorl    %ebp, %ebp
        movl    %esp, %eax               // argc, argv and the environment
        andl    $-16, %esp
        subl    $12, %esp
        pushl   %eax
        call    probe_main
        movl    %eax, %ebx
        movl    $252, %eax               // exit_group
        int     $0x80
        hlt
        .size   _start, . - _start

// long sys_call(long number, long a, long b, long c, long d, long e, long f)
        .globl  sys_call
        .type   sys_call, @function
sys_call:
        pushl   %ebp
        pushl   %edi
        pushl   %esi
        pushl   %ebx
        movl    20(%esp), %eax
        movl    24(%esp), %ebx
        movl    28(%esp), %ecx
        movl    32(%esp), %edx
        movl    36(%esp), %esi
        movl    40(%esp), %edi
        movl    44(%esp), %ebp
        int     $0x80
        popl    %ebx
        popl    %esi
        popl    %edi
        popl    %ebp
        ret
        .size   sys_call, . - sys_call

// What a signal handler returns to.
        .globl  signal_return
        .type   signal_return, @function
signal_return:
        movl    $173, %eax               // rt_sigreturn
        int     $0x80
        .size   signal_return, . - signal_return

// void run_code(void): loads the registers of run_registers, jumps to run_start and, when that has jumped to run_end, stores
// the registers back. The flags begin clear; PUSHF and POPF before it make the first XCRYPT load its key.
        .globl  run_code
        .type   run_code, @function
run_code:
        pushal
        movl    %esp, run_stack
        pushfl
        movl    $0x202, (%esp)
        popfl
        movl    run_registers + 0, %eax
        movl    run_registers + 4, %ebx
        movl    run_registers + 8, %ecx
        movl    run_registers + 12, %edx
        movl    run_registers + 16, %esi
        movl    run_registers + 20, %edi
        jmp     *run_start
        .globl  run_end
run_end:
        movl    %eax, run_registers + 0
        movl    %ebx, run_registers + 4
        movl    %ecx, run_registers + 8
        movl    %edx, run_registers + 12
        movl    %esi, run_registers + 16
        movl    %edi, run_registers + 20
        movl    run_stack, %esp
        pushfl
        popl    run_eflags
// Where a signal handler goes on, which has the registers already.
        .globl  run_stopped
run_stopped:
        movl    run_stack, %esp
        cld
        popal
        ret
        .size   run_code, . - run_code

        .section .note.GNU-stack, "", @progbits
