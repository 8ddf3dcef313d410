# What ladders on elliptic curves share (gf2_curve.s, curve25519.s, assembled behind this file): the way
# from a scalar's digits to a multiple of a point, of which only x is known. (X1 : Z1) is n P and (X2 : Z2)
# is n P + P for n = the digits so far. For a digit 1 they are exchanged, before a step and after; the step
# doubles the first and makes the second the sum.
#
#   $12 $13 $14 $15 X1, Z1, X2, Z2, of |words| words   $24 x of P, and where the result goes
#   $16 k, its next digit in front   $5 its word   $17 digits left   $18 the last one   $10 this one
#   $11 whether to exchange   v5 a word and zeros
        .text
        .set    noreorder

# $4 x   $5 k, |digits| bits   $7 room for five elements, of which the first is for products
        .macro  BeginLadder words, digits
        addiu   $29, $29, -16
        sw      $16, 0($29)
        sw      $17, 4($29)
        sw      $18, 8($29)
        addu    $24, $4, $0
        addiu   $12, $7, 4 * \words
        addiu   $13, $7, 8 * \words
        addiu   $14, $7, 12 * \words
        addiu   $15, $7, 16 * \words
        addiu   $2, $0, 1
        vload   v0, ($24), \words
        vsmove  v5, $2, 1
        vxor    v1, v1, v1
        vstore  ($12), v5, \words       # 0 P = (1 : 0)
        vstore  ($13), v1, \words
        vstore  ($14), v0, \words       # P = (x : 1)
        vstore  ($15), v5, \words
        addiu   $5, $5, 4 * \words - 4
        lw      $16, 0($5)
        addiu   $17, $0, \digits
        sll     $16, $16, 32 - \digits % 32
        addu    $18, $0, $0
8:
        .endm

# v0 v4 v3 v1 = X1, Z1, X2, Z2, exchanged if this digit is not like the last one. The product with 0 or 1
# selects, as the vector unit has no AND.
        .macro  Exchange words
        vload   v0, ($12), \words
        vload   v3, ($14), \words
        srl     $10, $16, 31
        xor     $11, $10, $18
        vload   v4, ($13), \words
        vxor    v2, v0, v3
        vload   v1, ($15), \words
        vspmult v2, v2, $11
        vxor    v6, v4, v1
        addu    $18, $10, $0
        vxor    v0, v0, v2
        vspmult v6, v6, $11
        vxor    v3, v3, v2
        vxor    v1, v1, v6
        vxor    v4, v4, v6
        .endm

# To the next digit; stores |vs| as |element|.
        .macro  NextDigit vs, element, words
        sll     $16, $16, 1
        addiu   $17, $17, -1
        andi    $10, $17, 31
        bne     $10, $0, 8b
        vstore  (\element), \vs, \words
        addiu   $5, $5, -4
        beq     $17, $0, 1f
        nop
        beq     $0, $0, 8b
        lw      $16, 0($5)
1:
        .endm

# x of the multiple to $24: X1 / Z1, which |Inverse| and |Product| of the field compute.
        .macro  LadderQuotient words
        addu    $16, $0, $0             # no other digit
        Exchange \words
        vtransp v1, v4, 0
        vstore  ($14), v0, \words
        Inverse
        vload   v1, ($14), \words
        Product v0, v0, v1
        .endm

# v0 is the result. Nothing that depends on k and P stays in registers or in the room.
        .macro  EndLadder words
        lw      $16, 0($29)
        lw      $17, 4($29)
        lw      $18, 8($29)
        vstore  ($24), v0, \words
        .irp    v, v0, v1, v2, v3, v4, v5, v6
        vxor    \v, \v, \v
        .endr
        vwshl   v0, v0, 1               # CAR
        .rept   5
        vstore  ($7), v0, \words
        addiu   $7, $7, 4 * \words
        .endr
        .irp    r, $2, $3, $10, $11
        addu    \r, $0, $0
        .endr
        jr      $31
        addiu   $29, $29, 16
        .endm

# v0 = the power 2^e - 1 of v1, where e grows from 1 as its binary digits behind the first say (Itoh and
# Tsujii); |digits| has them in front.   v6 copy   $10 e   $11 squares left   $12 digits   $13 how many
        .macro  PowerOfOnes digits, number
        vtransp v0, v1, 0
        addiu   $10, $0, 1
        lui     $12, \digits
        addiu   $13, $0, \number
1:
        vtransp v6, v0, 0
        addu    $11, $10, $0
2:
        addiu   $11, $11, -1
        Square  v0, v0
        bne     $11, $0, 2b
        nop
        Product v0, v0, v6
        sll     $10, $10, 1
        srl     $11, $12, 31
        beq     $11, $0, 3f
        sll     $12, $12, 1
        Square  v0, v0
        Product v0, v0, v1
        addiu   $10, $10, 1
3:
        addiu   $13, $13, -1
        bne     $13, $0, 1b
        nop
        .endm
