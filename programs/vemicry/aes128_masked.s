# AES-128 encryption of one block with skewed columns (aes_encrypt.s), masked byte by byte: no
# register of the vector unit ever holds a byte that depends on data and key without being XORed with a
# random byte. Bytes share masks, so two of them may tell their difference. Values are masked, not the
# transitions between them; the round keys are as the caller stores them.
#
#   $4 block, encrypted in place   $5 round keys, as for aes128_encrypt_16   $6 S-box, 256 bytes
#   $7 masks of this call, three words, all random:
#        m m m m       of what goes into the S-box
#        n n n n       of what comes out
#        m0 m1 m2 m3   of rows 0 to 3 in MixColumns: one mask for all would be lost in state + next row
#      and behind the masks room for a table of 256 bytes
#   v0 state   v1 A   v2 U   v3 two rows on   v4 round key   v5 from n to m0..m3
#   v6 from MixColumns of m0..m3 to m   v7 m   $8 all ones   $9 the polynomial   $11 m   $12 n   $13 m0..m3
        .data
        .balign 4
bytes:                          # 00 01 02 .. of a register
        NEXT = 0x00010203
        .rept   L
        .word   NEXT
        NEXT = NEXT + 0x04040404
        .endr

        .text
        .set    noreorder

# table[b] = S-box[b ^ m] ^ n for all bytes b, a register at a time.
        .macro  MaskSbox
        la      $10, bytes
        vload   v0, ($10), 0
        vsmove  v1, $12, 0
        lui     $10, 4 * L << 8 | 4 * L
        ori     $10, $10, 4 * L << 8 | 4 * L
        addiu   $14, $7, 12
        LEFT = 64 / L
        .rept   64 / L
        vxor    v2, v0, v7
        vbyteld v2, ($6), 0
        vxor    v2, v2, v1
        vstore  ($14), v2, 0
        LEFT = LEFT - 1
        .if LEFT != 0
        vsaddu  v0, v0, $10
        addiu   $14, $14, 4 * L
        .endif
        .endr
        addiu   $6, $7, 12
        .endm

        .macro  SubBytes
        vbyteld v0, ($6), 4
        .endm

        .macro  AddRoundKey round
    .if \round != 0
        addiu   $5, $5, 16
    .endif
        vload   v4, ($5), 4
        vxor    v0, v0, v4
        .endm

        .macro  TurnColumns vd, places
    .if (\places) % 4 != 0
        vtransp \vd, \vd, 4
        vbcrotr \vd, \vd, 32 - (\places) % 4 * 8
        vtransp \vd, \vd, 4
    .endif
        .endm

        .macro  MixColumns vd, round
        vbcrotr v1, \vd, 24
        TurnColumns v1, \round
        vxor    v2, \vd, v1
        vbcrotr v3, v2, 16
        TurnColumns v3, 2 * (\round)
        mtvcr   $9
        vmpmul  v2, v2
        mtvcr   $8
        vxor    v1, v1, v3
        vxor    \vd, v1, v2
        .endm

    .if L <= 63
        .global aes128_encrypt_masked
        .ent    aes128_encrypt_masked
aes128_encrypt_masked:
        addiu   $8, $0, -1
        mtvcr   $8
        addiu   $9, $0, 0x11B
        lw      $11, 0($7)
        lw      $12, 4($7)
        lw      $13, 8($7)
        vsmove  v7, $11, 0
        MaskSbox
        vsmove  v6, $13, 0
        MixColumns v6, 0
        vxor    v6, v6, v7
        xor     $13, $13, $12
        vsmove  v5, $13, 0

        vload   v0, ($4), 4
        vxor    v0, v0, v7
        AddRoundKey 0
        ROUND = 1
        .rept   9
        SubBytes
        vxor    v0, v0, v5
        MixColumns v0, ROUND
        vxor    v0, v0, v6
        AddRoundKey ROUND
        ROUND = ROUND + 1
        .endr
        SubBytes
        addiu   $8, $0, 0xA
        mtvcr   $8
        vtransp v0, v0, 4
        vbcrotr v0, v0, 16
        vtransp v0, v0, 4
        AddRoundKey 10
        vsmove  v1, $12, 0
        vxor    v0, v0, v1
        jr      $31
        vstore  ($4), v0, 4
        .end    aes128_encrypt_masked
    .endif
