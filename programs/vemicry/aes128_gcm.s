# AES-128-GCM encryption (SP 800-38D, section 7.1) of a message of whole blocks, with an IV of 96 bits and no
# additional data. Counter blocks are encrypted a register full at a time by aes128_encrypt_wide_best
# (aes_encrypt.s), GHASH takes four blocks at a time (ghash.s); both are assembled behind this file.
#
# No branch or address depends on key or message; S-boxes are lane memories.
#
#   $4 message, encrypted in place   $5 round keys, as for aes128_encrypt_wide_best
#   $6 S-box, behind it the table of x * b, 256 bytes each   $7 prepared hash subkey, as for ghash_4_blocks
#   16($sp) work: the IV, 12 bytes, and where the tag goes, 16 bytes; behind them room for L + 4 words: 44 + 4 L bytes in all
#   20($sp) number of blocks, a multiple of 4 and of L / 4
# The counter does not reach 2^32, so that a sum of whole registers increments it.
#   v5 counter blocks   v6 what increments them
#   $16 message   $17 round keys   $18 S-box   $19 prepared subkey   $20 work   $21 end of the message
#   $22 message, next blocks   $23 room for L words
        .text
        .set    noreorder

    .if L >= 8 && L == P && L <= 32
        .macro  Encrypt
        addu    $4, $23, $0
        addu    $5, $17, $0
        addu    $6, $18, $0
        jal     aes128_encrypt_wide_best
        addiu   $7, $18, 256
        .endm

        .global aes128_gcm
        .ent    aes128_gcm
aes128_gcm:
        addiu   $29, $29, -64
        sw      $16, 24($29)
        sw      $17, 28($29)
        sw      $18, 32($29)
        sw      $19, 36($29)
        sw      $20, 40($29)
        sw      $21, 44($29)
        sw      $22, 48($29)
        sw      $23, 52($29)
        sw      $31, 56($29)
        addu    $16, $4, $0
        addu    $17, $5, $0
        lw      $20, 80($29)
        lw      $21, 84($29)
        addu    $18, $6, $0
        addu    $19, $7, $0
        addiu   $23, $20, 44
        sll     $21, $21, 4
        addu    $21, $16, $21
        addu    $22, $16, $0

# Counter blocks 1 to L / 4, of which only the first is for the tag; and what adds 1 to each of them.
        lw      $8, 0($20)
        lw      $9, 4($20)
        lw      $10, 8($20)
        addiu   $11, $0, 1
        I = 0
        .rept   L / 4
        sw      $8, 16 * I($23)
        sw      $9, 16 * I + 4($23)
        sw      $10, 16 * I + 8($23)
        sw      $11, 16 * I + 12($23)
        addiu   $11, $11, 1
        I = I + 1
        .endr
        vload   v5, ($23), 0
        Encrypt
        vload   v0, ($23), 4
        addiu   $8, $20, 28
        vstore  ($8), v0, 4             # for the tag
        addiu   $9, $0, L / 4
        addiu   $10, $0, 1
        vsmove  v6, $0, 0
        vsmove  v7, $0, 0
        I = L / 4
        .rept   L / 4
        vsmove  v6, $9, 4 * I
        vsmove  v7, $10, 4 * I
        vsmove  v6, $0, 4 * I - 1
        vsmove  v7, $0, 4 * I - 1
        I = I - 1
        .endr
        vaddu   v5, v5, v7              # the message begins with counter 2
1:
        vstore  ($23), v5, 0
        vaddu   v5, v5, v6
        Encrypt
        vload   v0, ($23), 0
        vload   v1, ($22), 0
        vxor    v0, v0, v1
        vstore  ($22), v0, 0
        addiu   $22, $22, 4 * L
        bne     $22, $21, 1b
        nop

        addiu   $4, $20, 12             # the tag: GHASH of the message and its length in bits
        vxor    v0, v0, v0
        vstore  ($4), v0, 4
        addu    $5, $19, $0
        addu    $6, $16, $0
        subu    $8, $21, $16
        sll     $9, $8, 3
        vstore  ($23), v0, 4
        sw      $9, 12($23)
        jal     ghash_4_blocks
        srl     $7, $8, 4
        addiu   $4, $20, 12
        addu    $5, $19, $0
        addu    $6, $23, $0
        jal     ghash
        addiu   $7, $0, 1
        addiu   $8, $20, 12
        addiu   $9, $20, 28
        vload   v0, ($8), 4
        vload   v1, ($9), 4
        vxor    v0, v0, v1
        vstore  ($8), v0, 4
        lw      $16, 24($29)
        lw      $17, 28($29)
        lw      $18, 32($29)
        lw      $19, 36($29)
        lw      $20, 40($29)
        lw      $21, 44($29)
        lw      $22, 48($29)
        lw      $23, 52($29)
        lw      $31, 56($29)
        nop
        jr      $31
        addiu   $29, $29, 64
        .end    aes128_gcm
    .endif
