// The run-time for 64-bit and that for 32-bit programs, as ELF images inside the program `incore`.
        .section .rodata
        .balign 4096
        .globl  incore_runtime_image
incore_runtime_image:
        .incbin INCORE_RUNTIME_FILE
        .balign 4096
        .globl  incore_runtime32_image
incore_runtime32_image:
        .incbin INCORE_RUNTIME32_FILE
        .section .note.GNU-stack, "", @progbits
