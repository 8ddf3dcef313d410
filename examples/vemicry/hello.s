# A program for VeMICry, and a function to be called by itself.
#   incore vemicry run hello.s
#   incore vemicry run --call xor8 --arg table hello.s
        .data
text:   .ascii  "Hello from VeMICry\n"
text_end:
        .align  2
table:  .word   1, 2, 4, 8, 16, 32, 64, 128

        .text
        .globl  main
main:   li      $2, 4004                # write
        li      $4, 1
        la      $5, text
        li      $6, text_end - text
        syscall
        li      $2, 4001                # exit
        li      $4, 0
        syscall

# XOR of eight words.   $4 their address   $2 result
xor8:   vload   v0, ($4), 8
        vwshr   v1, v0, 4
        vxor    v0, v0, v1
        vwshr   v1, v0, 2
        vxor    v0, v0, v1
        vwshr   v1, v0, 1
        vxor    v0, v0, v1
        jr      $31
        vextract $2, v0, 1

# A function that goes wrong.
store_nowhere:
        jr      $31
        sw      $4, 0($0)
