# Two vectors of eight words, XORed: the smallest program for the vector unit.
#   $4 first vector   $5 second vector   $6 result
        .text
        .global xor_words
        .ent    xor_words
xor_words:
        vload   v0, ($4), 0
        vload   v1, ($5), 0
        vxor    v2, v0, v1
        jr      $31
        vstore  ($6), v2, 0
        .end    xor_words
