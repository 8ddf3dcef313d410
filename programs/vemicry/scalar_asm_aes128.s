# AES-128 (FIPS 197) in MIPS-I assembly, without the vector unit: what the vector programs are compared
# with. State and round keys are bytes in memory, columns one after the other; no table but the S-box.
# Written for machines without load delay, as the VeMICry paper's simulator is.
#
#   $4 state, or the key   $5 round keys   $6 S-box, 256 bytes   $8 to $15, $24, $25 free
        .text
        .set    noreorder

        .macro  Function name
        .global \name
        .ent    \name
\name:
        .endm

        .macro  AddRoundKeyWord offset
        lw      $8, \offset($4)
        lw      $9, \offset($5)
        xor     $8, $8, $9
        sw      $8, \offset($4)
        .endm

        .macro  SubByte offset
        lbu     $8, \offset($4)
        addu    $8, $6, $8
        lbu     $8, 0($8)
        sb      $8, \offset($4)
        .endm

# A row: bytes that lie four apart.
        .macro  LoadRow row
        lbu     $8, \row($4)
        lbu     $9, \row + 4($4)
        lbu     $10, \row + 8($4)
        lbu     $11, \row + 12($4)
        .endm

        .macro  StoreRow row, a, b, c, d
        sb      \a, \row($4)
        sb      \b, \row + 4($4)
        sb      \c, \row + 8($4)
        sb      \d, \row + 12($4)
        .endm

# Byte |offset| of the column: x |u| + |a| + the sum of all four in $14. Only the low byte of $15 counts.
        .macro  MixByte offset, u, a
        sll     $15, \u, 1
        srl     $24, \u, 7
        subu    $24, $0, $24
        andi    $24, $24, 0x1B
        xor     $15, $15, $24
        xor     $15, $15, \a
        xor     $15, $15, $14
        sb      $15, \offset($4)
        .endm

        .macro  MixColumn offset
        lbu     $8, \offset($4)
        lbu     $9, \offset + 1($4)
        lbu     $10, \offset + 2($4)
        lbu     $11, \offset + 3($4)
        xor     $12, $8, $9             # a + b
        xor     $13, $10, $11           # c + d
        xor     $14, $12, $13
        xor     $25, $9, $10            # b + c
        MixByte \offset, $12, $8
        MixByte \offset + 1, $25, $9
        MixByte \offset + 2, $13, $10
        xor     $25, $25, $14           # d + a
        MixByte \offset + 3, $25, $11
        .endm

# The steps follow each other in a loop, without calls. What leads from one to the next has labels of its
# own, so that a profile shows the steps alone.
#   $2 the last round key
        Function aes128_encrypt
        addiu   $2, $5, 10 * 16
        .end    aes128_encrypt

        Function add_round_key
        OFFSET = 0
        .rept   4
        AddRoundKeyWord OFFSET
        OFFSET = OFFSET + 4
        .endr
        .end    add_round_key

        Function next_round
        beq     $5, $2, done
        addiu   $5, $5, 16
        .end    next_round

        Function sub_bytes
        OFFSET = 0
        .rept   16
        SubByte OFFSET
        OFFSET = OFFSET + 1
        .endr
        .end    sub_bytes

        Function shift_rows
        LoadRow 1
        StoreRow 1, $9, $10, $11, $8
        LoadRow 2
        StoreRow 2, $10, $11, $8, $9
        LoadRow 3
        StoreRow 3, $11, $8, $9, $10
        .end    shift_rows

        Function no_mix_columns_in_round_10
        beq     $5, $2, add_round_key
        nop
        .end    no_mix_columns_in_round_10

        Function mix_columns
        OFFSET = 0
        .rept   4
        MixColumn OFFSET
        OFFSET = OFFSET + 4
        .endr
        .end    mix_columns

        Function end_of_round
        j       add_round_key
        nop
done:
        jr      $31
        nop
        .end    end_of_round

# Byte |from| of the last word, substituted and moved to where RotWord has it.
        .macro  SubRotByte rd, from, places
        lbu     \rd, 12 + \from($5)
        addu    \rd, $6, \rd
        lbu     \rd, 0(\rd)
      .if \places != 0
        sll     \rd, \rd, \places
      .endif
        .endm

# Words of the round key in $8 to $11.
        .macro  NextRoundKey rcon
        SubRotByte $12, 1, 24
        SubRotByte $13, 2, 16
        SubRotByte $14, 3, 8
        SubRotByte $15, 0, 0
        lui     $24, \rcon << 8
        xor     $12, $12, $13
        xor     $14, $14, $15
        xor     $12, $12, $14
        xor     $12, $12, $24
        xor     $8, $8, $12
        xor     $9, $9, $8
        xor     $10, $10, $9
        xor     $11, $11, $10
        addiu   $5, $5, 16
        .endm

# $4 key   $5 where the eleven round keys go
        Function aes128_keys
        lw      $8, 0($4)
        lw      $9, 4($4)
        lw      $10, 8($4)
        lw      $11, 12($4)
        sw      $8, 0($5)
        sw      $9, 4($5)
        sw      $10, 8($5)
        sw      $11, 12($5)
        RCON = 1
        .rept   10
        NextRoundKey RCON
        sw      $8, 0($5)
        sw      $9, 4($5)
        sw      $10, 8($5)
        sw      $11, 12($5)
        RCON = RCON << 1 ^ (RCON >> 7) * 0x11B
        .endr
        jr      $31
        nop
        .end    aes128_keys
