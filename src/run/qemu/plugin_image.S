// The plugin that counts instructions in the emulator, as a shared object inside the program `incore`.
        .section .rodata
        .globl  incore_power_plugin
incore_power_plugin:
        .incbin INCORE_POWER_PLUGIN_FILE
        .globl  incore_power_plugin_end
incore_power_plugin_end:
        .section .note.GNU-stack, "", @progbits
