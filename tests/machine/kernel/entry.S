// The kernel's first instructions, in 32-bit protected mode (Multiboot specification 0.6.96), and what
// of it C cannot say: entries of exceptions, and the way to CPL 3 and back.
        .set    MULTIBOOT_MAGIC, 0x1BADB002
        .section .multiboot, "a"
        .balign 4
        .long   MULTIBOOT_MAGIC, 0, -MULTIBOOT_MAGIC

        .text
        .globl  start
start:  mov     $stack_end, %esp
        push    %ebx                    // the multiboot information
        call    kernel_main
1:      cli
        hlt
        jmp     1b

// One entry for each vector, 16 bytes apart. The stack then holds: registers as PUSHA leaves them,
// the vector, the error code, EIP, CS, EFLAGS.
        .balign 16
        .globl  entries
entries:
        .set    vector, 0
        .rept   33
        .balign 16
        .if     vector != 8 && (vector < 10 || vector > 14) && vector != 17
        push    $0
        .endif
        push    $vector
        jmp     enter
        .set    vector, vector + 1
        .endr
enter:  pusha
        mov     %esp, %eax
        push    %eax
        call    handle
        add     $4, %esp
        popa
        add     $8, %esp
        iret

// void run_as_user(void (*function)(void)): at CPL 3, until the function ends with INT 20h, whose
// handler leaves by leave_user.
        .globl  run_as_user
run_as_user:
        push    %ebp
        push    %ebx
        push    %esi
        push    %edi
        mov     20(%esp), %eax
        mov     %esp, kernel_stack
        push    $0x23                   // SS
        push    $user_stack_end
        pushf
        push    $0x1B                   // CS
        push    %eax
        mov     $0x23, %ecx
        mov     %ecx, %ds
        mov     %ecx, %es
        iret
        .globl  leave_user
leave_user:
        mov     kernel_stack, %esp
        mov     $0x10, %ecx
        mov     %ecx, %ds
        mov     %ecx, %es
        pop     %edi
        pop     %esi
        pop     %ebx
        pop     %ebp
        ret

        .bss
        .balign 16
        .globl  kernel_stack
kernel_stack:
        .skip   4
        .balign 4096
        .skip   16384
        .globl  stack_end
stack_end:
        .skip   4096
user_stack_end:
        .section .note.GNU-stack, "", @progbits
