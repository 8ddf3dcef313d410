// incore-probe as an ELF image inside the program `incore`.
        .section .rodata
        .balign 16
        .globl  incore_probe_image, incore_probe_image_end
incore_probe_image:
        .incbin INCORE_PROBE_FILE
incore_probe_image_end:
        .section .note.GNU-stack, "", @progbits
