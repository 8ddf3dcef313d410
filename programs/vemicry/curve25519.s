# X25519 (RFC 7748, section 5): the x-only Montgomery ladder on Curve25519, modulo p = 2^255 - 19, in
# registers of eight words. It is assembled behind ladder.s.
#
# Nothing depends on the point or the scalar but data: no branch, address or number of instructions. The
# vector unit has no AND; what a bit selects is a product with 0 or 1.
#
#   x25519             $4 u, replaced by that of k times the point   $5 k, as section 5 decodes it
#                      $7 room for five elements
#   field_25519_multiply   $4 a   $5 b   $7 where a * b goes, below 2^255 + 2^11
# An element has 8 words and any value below 2^256. What a sum or a product has beyond is in CAR, to which
# VADDU adds its carry.
#   v2 v3 are used by products, v3 v4 by sums   v5 a word and zeros   v7 2^256 - p
#   $2 $3 words   $8 38 = 2^256 modulo p   $9 all ones   $6 4 p + 1 modulo 2^256   $7 room for low words
        .data
        .balign 4
minus_p:
        .word   19, 0, 0, 0, 0, 0, 0, 0x80000000
four_p_and_1:
        .word   -75, -1, -1, -1, -1, -1, -1, -1

        .text
        .set    noreorder

    .if P == 8 && L == P
        .macro  SetField
        la      $6, minus_p
        vload   v7, ($6), 8
        addiu   $6, $6, four_p_and_1 - minus_p
        vxor    v5, v5, v5
        addiu   $8, $0, 38
        addiu   $9, $0, -1
        .endm

# |vd| and CAR above it, less q p with q = what they have from bit 255 on: below 2^255 + 19 q.
        .macro  Fold vd
        vextract $2, \vd, 0
        vextract $3, \vd, 8
        sll     $2, $2, 1
        srl     $3, $3, 31
        or      $2, $2, $3
        vsamult v3, v7, $2
        vaddu   \vd, \vd, v3
        .endm

        .macro  Product vd, va, vb
        vextract $2, \va, 1
        J = 0
        .rept   8
    .if J == 0
        vsamult v2, \vb, $2
        vextract $2, \va, 2
    .else
        vsamult v3, \vb, $2
      .if J < 7
        vextract $2, \va, J + 2
      .endif
        sw      $3, 4 * J - 4($7)
        vaddu   v2, v2, v3
    .endif
        vextract $3, v2, 1
        vwshr   v2, v2, 1               # its top word is the product's, and the carry
        J = J + 1
        .endr
        vsamult v3, v2, $8
        sw      $3, 28($7)
        vload   \vd, ($7), 8
        vaddu   \vd, \vd, v3
        Fold    \vd
        .endm

        .macro  Sum vd, va, vb
        vwshl   v3, v5, 1               # CAR = 0
        vaddu   \vd, \va, \vb
        Fold    \vd
        .endm

# a - b = a + (2^256 - 1 - b) + 4 p + 1 - 2^256
        .macro  Difference vd, va, vb
        vsmove  v3, $9, 8
        vwshl   v2, v5, 1               # CAR = 0
        vxor    v3, v3, \vb
        vload   v4, ($6), 8
        vaddu   v3, v3, v4
        vaddu   \vd, \va, v3
        Fold    \vd
        .endm

        .macro  Square vd, va
        Product \vd, \va, \va
        .endm

# v0 = 1 / v1, as the power 2^255 - 21 = 32 (2^250 - 1) + 11, where 11 = 2 (4 + 1) + 1.
        .macro  Inverse
        PowerOfOnes 0xF400, 7           # 250 = 1 1111010b
        addiu   $11, $0, 5
1:
        addiu   $11, $11, -1
        Square  v0, v0
        bne     $11, $0, 1b
        nop
        Square  v6, v1
        Square  v6, v6
        Product v6, v6, v1
        Square  v6, v6
        Product v6, v6, v1
        Product v0, v0, v6
        .endm

        .global field_25519_multiply
        .ent    field_25519_multiply
field_25519_multiply:
        vload   v0, ($4), 8
        vload   v1, ($5), 8
        SetField
        Product v0, v0, v1
        jr      $31
        vstore  ($7), v0, 8
        .end    field_25519_multiply

# Registers as in ladder.s, names of RFC 7748: X1, Z1, X2, Z2 are x_2, z_2, x_3, z_3 there, and x is x_1.
#   $25 a24   v0 v1 v6 elements
        .global x25519
        .ent    x25519
x25519:
        SetField
        lui     $25, 1
        ori     $25, $25, 121665 & 0xFFFF
        BeginLadder 8, 255
        Exchange 8
        vstore  ($14), v3, 8
        vstore  ($15), v1, 8
        Sum     v6, v0, v4              # A
        vstore  ($12), v6, 8
        Difference v0, v0, v4           # B
        vstore  ($13), v0, 8
        vload   v0, ($14), 8
        vload   v1, ($15), 8
        Sum     v6, v0, v1              # C
        Difference v0, v0, v1           # D
        vload   v1, ($12), 8
        Product v0, v0, v1              # DA
        vload   v1, ($13), 8
        Product v6, v6, v1              # CB
        Sum     v1, v0, v6
        Difference v0, v0, v6
        Square  v1, v1
        vstore  ($14), v1, 8
        Square  v0, v0
        vload   v1, ($24), 8
        Product v0, v0, v1
        vload   v1, ($13), 8
        vstore  ($15), v0, 8
        vload   v0, ($12), 8
        Square  v1, v1                  # BB
        Square  v0, v0                  # AA
        Product v6, v0, v1
        Difference v1, v0, v1           # E
        vstore  ($12), v6, 8
        vsamult v2, v1, $25
        vaddu   v0, v0, v2              # AA + a24 E
        Fold    v0
        Product v0, v0, v1
        NextDigit v0, $13, 8
        LadderQuotient 8

        addiu   $2, $0, 19              # less p if 19 more reach 2^255
        vsmove  v5, $2, 1
        vaddu   v1, v0, v5
        vextract $2, v1, 8
        srl     $2, $2, 31
        vsamult v3, v7, $2
        vaddu   v0, v0, v3
        EndLadder 8
        .end    x25519
    .endif
