// The plugin that tells of PadLock instructions, as a shared object inside the program `incore`.
        .section .rodata
        .globl  incore_site_plugin
incore_site_plugin:
        .incbin INCORE_SITE_PLUGIN_FILE
        .globl  incore_site_plugin_end
incore_site_plugin_end:
        .section .note.GNU-stack, "", @progbits
