# Keccak-f[1600] (FIPS 202, section 3.3), 24 rounds. It fits the vector unit badly: Chi is an AND for each bit,
# and Rho turns each lane by a distance of its own. So registers sum the columns in Theta; the rest is the
# scalar core's, in one pass from the state to a second one and back in the next round.
#
#   $4 state, 25 lanes of 64 bits, the low half of each first, in and out   $5 room for 25 lanes
#   $6 round constants, 24 of 64 bits, low halves first
# No branch or address depends on the state.
#   $8 to $17 D of Theta   $18 to $25, $30, $31 C of Theta, then a row   $1 $2 $3 free   $7 end of the constants
        .text
        .set    noreorder
        .set    noat

    .if L >= 8
# C: words 0 to 7 by registers, with the first plane at $4; words 8 and 9 of a plane are two too many.
        .macro  Columns
        vload   v0, ($4), 8
        addiu   $1, $4, 40
        vload   v1, ($1), 8
        addiu   $1, $4, 80
        vload   v2, ($1), 8
        addiu   $1, $4, 120
        vload   v3, ($1), 8
        addiu   $1, $4, 160
        vload   v4, ($1), 8
        vxor    v0, v0, v1
        lw      $30, 32($4)
        lw      $31, 36($4)
        vxor    v2, v2, v3
        lw      $1, 72($4)
        vxor    v0, v0, v4
        lw      $2, 76($4)
        addiu   $3, $29, ROOM
        vxor    v0, v0, v2
        xor     $30, $30, $1
        vstore  ($3), v0, 8
        xor     $31, $31, $2
        OFFSET = 112
        .rept   3
        lw      $1, OFFSET($4)
        lw      $2, OFFSET + 4($4)
        xor     $30, $30, $1
        xor     $31, $31, $2
        OFFSET = OFFSET + 40
        .endr
        lw      $18, 0($3)
        lw      $19, 4($3)
        lw      $20, 8($3)
        lw      $21, 12($3)
        lw      $22, 16($3)
        lw      $23, 20($3)
        lw      $24, 24($3)
        lw      $25, 28($3)
        .endm

# D = C one place back + C one place on, turned left by 1.
        .macro  Distance dl, dh, backl, backh, onl, onh
        sll     \dl, \onl, 1
        srl     $1, \onh, 31
        or      \dl, \dl, $1
        xor     \dl, \dl, \backl
        sll     \dh, \onh, 1
        srl     $1, \onl, 31
        or      \dh, \dh, $1
        xor     \dh, \dh, \backh
        .endm

# A lane of the row: that at |offset|, with D added, turned left by |n|.
        .macro  Lane low, high, dl, dh, offset, n
        lw      $1, \offset($4)
        lw      $2, \offset + 4($4)
    .if \n == 0
        xor     \low, $1, \dl
        xor     \high, $2, \dh
    .else
        xor     $1, $1, \dl
        xor     $2, $2, \dh
      .if \n < 32
        sll     \low, $1, \n
        srl     $3, $2, 32 - \n
        or      \low, \low, $3
        sll     \high, $2, \n
        srl     $3, $1, 32 - \n
        or      \high, \high, $3
      .else
        sll     \low, $2, \n - 32
        srl     $3, $1, 64 - \n
        or      \low, \low, $3
        sll     \high, $1, \n - 32
        srl     $3, $2, 64 - \n
        or      \high, \high, $3
      .endif
    .endif
        .endm

# a + (not b) c, where (not b) c = (b or c) + b
        .macro  Chi a, b, c
        or      $1, \b, \c
        xor     $1, $1, \b
        xor     $1, $1, \a
        .endm

        .macro  ChiWords a, b, c, d, e, offset, iota
        Chi     \a, \b, \c
    .if \iota
        lw      $2, \offset($6)
        nop
        xor     $1, $1, $2
    .endif
        sw      $1, \offset($5)
        Chi     \b, \c, \d
        sw      $1, \offset + 8($5)
        Chi     \c, \d, \e
        sw      $1, \offset + 16($5)
        Chi     \d, \e, \a
        sw      $1, \offset + 24($5)
        Chi     \e, \a, \b
        sw      $1, \offset + 32($5)
        .endm

        .macro  ChiRow offset, iota
        ChiWords $18, $20, $22, $24, $30, \offset, \iota
        ChiWords $19, $21, $23, $25, $31, \offset + 4, \iota
        .endm

ROOM = 40
        .global keccak_f1600
        .ent    keccak_f1600
keccak_f1600:
        addiu   $29, $29, -72
        sw      $16, 0($29)
        sw      $17, 4($29)
        sw      $18, 8($29)
        sw      $19, 12($29)
        sw      $20, 16($29)
        sw      $21, 20($29)
        sw      $22, 24($29)
        sw      $23, 28($29)
        sw      $30, 32($29)
        sw      $31, 36($29)
        addiu   $7, $6, 24 * 8
next_round:
        Columns
        Distance $8, $9, $30, $31, $20, $21
        Distance $10, $11, $18, $19, $22, $23
        Distance $12, $13, $20, $21, $24, $25
        Distance $14, $15, $22, $23, $30, $31
        Distance $16, $17, $24, $25, $18, $19
        Lane    $18, $19, $8, $9, 0, 0
        Lane    $20, $21, $10, $11, 48, 44
        Lane    $22, $23, $12, $13, 96, 43
        Lane    $24, $25, $14, $15, 144, 21
        Lane    $30, $31, $16, $17, 192, 14
        ChiRow  0, 1
        Lane    $18, $19, $14, $15, 24, 28
        Lane    $20, $21, $16, $17, 72, 20
        Lane    $22, $23, $8, $9, 80, 3
        Lane    $24, $25, $10, $11, 128, 45
        Lane    $30, $31, $12, $13, 176, 61
        ChiRow  40, 0
        Lane    $18, $19, $10, $11, 8, 1
        Lane    $20, $21, $12, $13, 56, 6
        Lane    $22, $23, $14, $15, 104, 25
        Lane    $24, $25, $16, $17, 152, 8
        Lane    $30, $31, $8, $9, 160, 18
        ChiRow  80, 0
        Lane    $18, $19, $16, $17, 32, 27
        Lane    $20, $21, $8, $9, 40, 36
        Lane    $22, $23, $10, $11, 88, 10
        Lane    $24, $25, $12, $13, 136, 15
        Lane    $30, $31, $14, $15, 184, 56
        ChiRow  120, 0
        Lane    $18, $19, $12, $13, 16, 62
        Lane    $20, $21, $14, $15, 64, 55
        Lane    $22, $23, $16, $17, 112, 39
        Lane    $24, $25, $8, $9, 120, 41
        Lane    $30, $31, $10, $11, 168, 2
        ChiRow  160, 0
        addiu   $6, $6, 8
        xor     $4, $4, $5              # the two states change places
        xor     $5, $5, $4
        bne     $6, $7, next_round
        xor     $4, $4, $5
        lw      $16, 0($29)
        lw      $17, 4($29)
        lw      $18, 8($29)
        lw      $19, 12($29)
        lw      $20, 16($29)
        lw      $21, 20($29)
        lw      $22, 24($29)
        lw      $23, 28($29)
        lw      $30, 32($29)
        lw      $31, 36($29)
        nop
        jr      $31
        addiu   $29, $29, 72
        .end    keccak_f1600
    .endif
