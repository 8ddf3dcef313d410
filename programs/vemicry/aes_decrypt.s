# AES decryption (FIPS 197, section 5.3, InvCipher) with skewed columns and the round keys of
# aes_encrypt.s: InvShiftRows is never executed either. Before InvShiftRows of round t row i lies
# turned right by i * t bytes.
#
#   $4 data, decrypted in place   $5 round keys   $6 inverse S-box, 256 bytes
#   $7 tables of x * b and of x^2 * b for bytes b, 256 bytes each
#   v0 state   v1 A   v2 U   v3 two rows on   v4 round key   $8 conditions   $9 table of x^2
        .text
        .set    noreorder

        .macro  InvSubBytes
        vbyteld v0, ($6), WORDS
        .endm

        .macro  AddRoundKey
        vload   v4, ($5), WORDS
        vxor    v0, v0, v4
        .endm

# The words of each group of four move down |places|, those at the end come in at the beginning.
        .macro  TurnColumns vd, places
    .if (\places) % 4 != 0
        vtransp \vd, \vd, 4
        vbcrotr \vd, \vd, 32 - (\places) % 4 * 8
        vtransp \vd, \vd, 4
    .endif
        .endm

        .macro  TwoRowsOn vd, vj, round
        vbcrotr \vd, \vj, 16
        TurnColumns \vd, 2 * (\round)
        .endm

# InvMixColumns is MixColumns of state + x^2 (state + state two rows on).
        .macro  InvMixColumns round
        TwoRowsOn v1, v0, \round
        vxor    v1, v1, v0
        vbyteld v1, ($9), WORDS
        vxor    v0, v0, v1
        vbcrotr v1, v0, 24
        TurnColumns v1, \round
        vxor    v2, v0, v1
        TwoRowsOn v3, v2, \round
        vbyteld v2, ($7), WORDS
        vxor    v1, v1, v3
        vxor    v0, v1, v2
        .endm

        .macro  Decryption name
        .global \name
        .ent    \name
\name:
        vload   v0, ($4), WORDS
        addiu   $5, $5, ROUNDS * KEY_LENGTH
        AddRoundKey
    .if ROUNDS % 4 != 0
        vtransp v0, v0, 4               # rows 1 and 3 to where InvShiftRows would leave them after the last round
    .if L > 16
        lui     $8, 0xAAAA
        ori     $8, $8, 0xAAAA
    .else
        ori     $8, $0, 0xAAAA
    .endif
        mtvcr   $8
        vbcrotr v0, v0, 16
        vtransp v0, v0, 4
    .endif
        addiu   $8, $0, -1
        mtvcr   $8
        addiu   $9, $7, 256
        ROUND = ROUNDS - 1
        .rept   ROUNDS - 1
        InvSubBytes
        addiu   $5, $5, -KEY_LENGTH
        AddRoundKey
        InvMixColumns ROUND
        ROUND = ROUND - 1
        .endr
        InvSubBytes
        addiu   $5, $5, -KEY_LENGTH
        AddRoundKey
        jr      $31
        vstore  ($4), v0, WORDS
        .end    \name
        .endm

        .macro  Decryptions one_block, wide
# One block; round keys of four words.
        WORDS = 4
        KEY_LENGTH = 16
        Decryption \one_block
# L / 4 blocks; each round key is stored for every one of them.
        WORDS = 0
        KEY_LENGTH = 4 * L
        Decryption \wide
        .endm

        ROUNDS = 10                     # 12, 14: keys of 192, 256 bits
        Decryptions aes128_decrypt_16, aes128_decrypt_wide
        ROUNDS = 12
        Decryptions aes192_decrypt_16, aes192_decrypt_wide
        ROUNDS = 14
        Decryptions aes256_decrypt_16, aes256_decrypt_wide
