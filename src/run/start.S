// The first instructions of a new program image, put where injector.cpp finds room. Registers hold mmap's arguments: the
// run-time is mapped, and entered. Its image begins with struct Config, and that with its entry point.

#define kCannotStart 21
#define kCallNumber 0x1C0DE

        .section .rodata

        .globl  incore_start64, incore_start64_end
incore_start64:
        movl    $9, %eax                 // mmap
        syscall
        cmpq    %rdi, %rax
        jne     1f
        jmpq    *(%rdi)                  // r8: the descriptor of the group's memory, or -1
1:      movl    %eax, %esi
        movl    $kCannotStart, %edi
        movl    $kCallNumber, %eax
        syscall
        ud2
incore_start64_end:

        .code32
        .globl  incore_start32, incore_start32_end
incore_start32:
        movl    $192, %eax               // mmap2
        int     $0x80
        cmpl    %ebx, %eax
        jne     1f
        jmp     *(%ebx)                  // edi: the descriptor
1:      movl    %eax, %ecx
        movl    $kCannotStart, %ebx
        movl    $kCallNumber, %eax
        int     $0x80
        ud2
incore_start32_end:

        .section .note.GNU-stack, "", @progbits
