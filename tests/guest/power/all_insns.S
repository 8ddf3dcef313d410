// The twelve crypto instructions of POWER8 in places whose symbols say how `incore scan` knows them, and constants that look
// like some. (Power ISA 2.07B.)
        .machine power8
#if defined(_CALL_ELF) && _CALL_ELF == 2
        .abiversion 2
#define FUNCTION(name) .globl name; .type name, @function; name
#define CODE(name) name
#else
#define FUNCTION(name)                                                                             \
  .globl name; .section ".opd", "aw"; .align 3; name: .quad CODE(name), .TOC.@tocbase, 0;          \
  .type name, @function; .text; .size name, END(name) - CODE(name); CODE(name)
#define CODE(name) .L.name
#endif
#define END(name) .L##name##_end
#if defined(_CALL_ELF) && _CALL_ELF == 2
#define FUNCTION_END(name) END(name): .size name, END(name) - name
#else
#define FUNCTION_END(name) END(name):
#endif

        .text
        .align 4
FUNCTION(each_once):
        vcipher 1, 2, 3
        vcipherlast 1, 2, 3
        vncipher 1, 2, 3
        vncipherlast 1, 2, 3
        vsbox 1, 2
        vpmsumb 1, 2, 3
        vpmsumh 1, 2, 3
        vpmsumw 1, 2, 3
        vpmsumd 1, 2, 3
        vpermxor 1, 2, 3, 4
        vshasigmaw 1, 2, 0, 15
        vshasigmad 1, 2, 1, 0
        blr
FUNCTION_END(each_once)

// A constant behind the return, in the function's own range: bytes of vcipher, but nothing reaches them.
FUNCTION(with_table):
        bl      local
        b       1f
        .long   0x10221D08, 0x00000000
1:      blr
FUNCTION_END(with_table)

// No symbol: only the call above leads here.
        .align 4
local:
        vpmsumd 5, 6, 7
        blr

// Nothing calls it, no symbol names it.
        .align 4
        vsbox 8, 9
        blr
        .section .note.GNU-stack, "", @progbits
