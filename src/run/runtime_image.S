// The run-time, as an ELF image inside the program `incore`.
        .section .rodata
        .balign 4096
        .globl  incore_runtime_image
incore_runtime_image:
        .incbin INCORE_RUNTIME_FILE
        .section .note.GNU-stack, "", @progbits
