# The Montgomery product in a binary field of six words without the vector unit, in MIPS-I: what
# gf2_product.s is compared with (VeMICry paper, section 3.2). Bit by bit, with b, f and the sum in
# registers; the number of instructions depends on a's bits.
#   $4 a   $5 b   $6 f   $7 result: a * b * x^(-192) mod f
#   $8-$13 b   $14 $15 $24 $25 $2 $3 f   $16-$21 sum c   $5 word of a   $6 its bits left   $22 end of a
        .text
        .global scalar_gf2_191_product
        .ent    scalar_gf2_191_product

        .macro  half low, high          # low = (high:low / x) mod x^32
        srl     \low, \low, 1
        sll     $1, \high, 31
        or      \low, \low, $1
        .endm

scalar_gf2_191_product:
        addiu   $29, $29, -32
        sw      $16, 0($29)
        sw      $17, 4($29)
        sw      $18, 8($29)
        sw      $19, 12($29)
        sw      $20, 16($29)
        sw      $21, 20($29)
        sw      $22, 24($29)
        lw      $8, 0($5)
        lw      $9, 4($5)
        lw      $10, 8($5)
        lw      $11, 12($5)
        lw      $12, 16($5)
        lw      $13, 20($5)
        lw      $14, 0($6)
        lw      $15, 4($6)
        lw      $24, 8($6)
        lw      $25, 12($6)
        lw      $2, 16($6)
        lw      $3, 20($6)
        addu    $16, $0, $0
        addu    $17, $0, $0
        addu    $18, $0, $0
        addu    $19, $0, $0
        addu    $20, $0, $0
        addu    $21, $0, $0
        addiu   $22, $4, 24
1:
        lw      $5, 0($4)
        addiu   $4, $4, 4
        addiu   $6, $0, 32
2:
        andi    $1, $5, 1
        beq     $1, $0, 3f
        srl     $5, $5, 1
        xor     $16, $16, $8            # c += b
        xor     $17, $17, $9
        xor     $18, $18, $10
        xor     $19, $19, $11
        xor     $20, $20, $12
        xor     $21, $21, $13
3:
        andi    $1, $16, 1
        beq     $1, $0, 4f
        addiu   $6, $6, -1
        xor     $16, $16, $14           # c += f: the lowest term goes
        xor     $17, $17, $15
        xor     $18, $18, $24
        xor     $19, $19, $25
        xor     $20, $20, $2
        xor     $21, $21, $3
4:
        half    $16, $17
        half    $17, $18
        half    $18, $19
        half    $19, $20
        half    $20, $21
        bne     $6, $0, 2b
        srl     $21, $21, 1
        bne     $4, $22, 1b
        nop
        sw      $16, 0($7)
        sw      $17, 4($7)
        sw      $18, 8($7)
        sw      $19, 12($7)
        sw      $20, 16($7)
        sw      $21, 20($7)
        lw      $16, 0($29)
        lw      $17, 4($29)
        lw      $18, 8($29)
        lw      $19, 12($29)
        lw      $20, 16($29)
        lw      $21, 20($29)
        lw      $22, 24($29)
        jr      $31
        addiu   $29, $29, 32
        .end    scalar_gf2_191_product
