# AES key schedules (FIPS 197, section 5.2): the 11, 13 or 15 round keys from the key.
#
#   $4 key, 16, 24 or 32 bytes   $5 where the round keys go   $6 S-box, 256 bytes
#   v0 round key   v1 SubWord(RotWord), in the last word   v2 zero but for word 0   v3 round key, shifted
#   v4 Rcon in word 0, in the loop   $8 $9 conditions   $10 that word   $11 Rcon
#
# Word i of a round key is the sum of words 0 to i of the one before, and of SubWord(RotWord(word 3)) +
# Rcon. Added to word 0 alone, that reaches all words by the sums: V + V << 1 word, then V + V << 2.
# RotWord concerns word 3 only, so any conditions that hold word 3 will do. A longer key is summed over six
# or eight words.
        .text
        .set    noreorder

        .macro  SubRotWord word=3
        vbcrotr v1, v0, 24
        vbyteld v1, ($6), \word + 1
        vextract $10, v1, \word + 1
        .endm

        .macro  AddToAllWords words=4
        vsmove  v2, $10, 1
        vxor    v0, v0, v2
        vwshl   v3, v0, 1
        vxor    v0, v0, v3
        vwshl   v3, v0, 2
        vxor    v0, v0, v3
    .if \words > 4
        vwshl   v3, v0, 4
        vxor    v0, v0, v3
    .endif
        .endm

        .macro  NextRoundKey rcon, words=4, last=3
        SubRotWord \last
        lui     $11, (\rcon) << 8
        xor     $10, $10, $11
        AddToAllWords \words
        .endm

        .macro  DoubleRcon
        RCON = RCON << 1 ^ (RCON >> 7) * 0x11B
        .endm

# The plain round keys, unrolled.
        .global aes128_keys
        .ent    aes128_keys
aes128_keys:
        addiu   $8, $0, 8               # word 3
        mtvcr   $8
        vload   v0, ($4), 4
        vxor    v2, v2, v2
        vstore  ($5), v0, 4
        RCON = 1
        .rept   9
        NextRoundKey RCON
        addiu   $5, $5, 16
        vstore  ($5), v0, 4
        DoubleRcon
        .endr
        NextRoundKey RCON
        addiu   $5, $5, 16
        jr      $31
        vstore  ($5), v0, 4
        .end    aes128_keys

# The plain round keys by a loop: Rcon grows by VMPMUL, whose polynomial holds the condition of word 3.
        .global aes128_keys_loop
        .ent    aes128_keys_loop
aes128_keys_loop:
        addiu   $8, $0, 0x11B
        mtvcr   $8
        vload   v0, ($4), 4
        vxor    v2, v2, v2
        lui     $11, 0x0100
        vxor    v4, v4, v4
        vsmove  v4, $11, 1
        vstore  ($5), v0, 4
        addiu   $9, $5, 10 * 16
next_round_key:
        SubRotWord
        addiu   $5, $5, 16
        vxor    v0, v0, v4
        vmpmul  v4, v4
        AddToAllWords
        bne     $5, $9, next_round_key
        vstore  ($5), v0, 4
        jr      $31
        nop
        .end    aes128_keys_loop

# The round keys for skewed columns (aes_encrypt.s), unrolled: row i of round key t is turned right by
# i * t bytes. Rows 1 and 3 by t, rows 2 and 3 by 2 t; the conditions that are set first are those that
# stand already.
        .macro  TurnRows rows, places
    .if STANDING != (\rows)
      .if (\rows) == 0xA
        mtvcr   $8
      .else
        mtvcr   $9
      .endif
        STANDING = (\rows)
    .endif
        vbcrotr v3, v3, \places
        .endm

        .macro  StoreSkewed round
    .if (\round) % 4 == 0 || (\round) == 10
        vstore  ($5), v0, 4
    .else
        vtransp v3, v0, 4
      .if (\round) % 2 == 0
        TurnRows 0xA, 16
      .elseif STANDING == 0xA
        TurnRows 0xA, 8 * ((\round) % 4)
        TurnRows 0xC, 16
      .else
        TurnRows 0xC, 16
        TurnRows 0xA, 8 * ((\round) % 4)
      .endif
        vtransp v3, v3, 4
        vstore  ($5), v3, 4
    .endif
        .endm

        .global aes128_keys_skewed
        .ent    aes128_keys_skewed
aes128_keys_skewed:
        addiu   $8, $0, 0xA             # rows 1 and 3
        addiu   $9, $0, 0xC             # rows 2 and 3
        mtvcr   $8
        STANDING = 0xA
        vload   v0, ($4), 4
        vxor    v2, v2, v2
        vstore  ($5), v0, 4
        RCON = 1
        ROUND = 1
        .rept   9
        NextRoundKey RCON
        addiu   $5, $5, 16
        StoreSkewed ROUND
        DoubleRcon
        ROUND = ROUND + 1
        .endr
        NextRoundKey RCON
        addiu   $5, $5, 16
        jr      $31
        vstore  ($5), v0, 4
        .end    aes128_keys_skewed

# The round keys for aes128_encrypt_best.s, unrolled: each in the form that the state has then, in the
# order of that program. Rows of two kinds are turned by so many bits, then all rows move down.
#   $8 all ones   $12 rows 1 and 3   $13 rows 2 and 3   $14 rows 0 and 2   $15 rows 1 and 2
        .macro  StoreAt offset, vs
        addiu   $9, $5, \offset
        vstore  ($9), \vs, 4
        .endm

        .macro  TurnRowsAndMove first, first_bits, second, second_bits, rows_down
        vtransp v3, v0, 4
        mtvcr   \first
        vbcrotr v3, v3, \first_bits
    .if \second_bits != 0
        mtvcr   \second
        vbcrotr v3, v3, \second_bits
    .endif
        vtransp v3, v3, 4
        mtvcr   $8
    .if \rows_down != 0
        vbcrotr v3, v3, 8 * \rows_down
    .endif
        .endm

        .global aes128_keys_16_best
        .ent    aes128_keys_16_best
aes128_keys_16_best:
        addiu   $8, $0, -1
        addiu   $12, $0, 0xA
        addiu   $13, $0, 0xC
        addiu   $14, $0, 0x5
        addiu   $15, $0, 0x6
        mtvcr   $8
        vload   v0, ($4), 4
        vxor    v2, v2, v2
        vstore  ($5), v0, 4
        NextRoundKey 0x01
        TurnRowsAndMove $12, 8, $13, 16, 0
        StoreAt 16, v3
        StoreAt 32, v3
        NextRoundKey 0x02
        TurnRowsAndMove $14, 16, $0, 0, 1
        StoreAt 64, v3
        NextRoundKey 0x04
        TurnRowsAndMove $14, 8, $13, 16, 2
        StoreAt 48, v3
        NextRoundKey 0x08
        TurnRowsAndMove $8, 8, $0, 0, 3
        StoreAt 96, v3
        NextRoundKey 0x10
        TurnRowsAndMove $14, 8, $15, 16, 3
        StoreAt 112, v3
        StoreAt 128, v3
        NextRoundKey 0x20
        TurnRowsAndMove $14, 8, $12, 24, 3
        StoreAt 80, v3
        NextRoundKey 0x40
        TurnRowsAndMove $12, 24, $13, 16, 0
        StoreAt 160, v3
        NextRoundKey 0x80
        StoreAt 144, v0
        NextRoundKey 0x1B
        vtransp v3, v0, 4               # stays in rows
        mtvcr   $12
        vbcrotr v3, v3, 8
        mtvcr   $13
        vbcrotr v3, v3, 16
        StoreAt 192, v3
        NextRoundKey 0x36               # VCR holds word 3
        addiu   $9, $5, 176
        jr      $31
        vstore  ($9), v0, 4
        .end    aes128_keys_16_best

# ---- Keys of 192 and 256 bits, in registers of eight words, which hold two round keys ----
#   $8 rows 1 and 3 of the upper one   $9 rows 2 and 3 of it   $12 rows 1 and 3 of the lower, 1 and 2 of the upper

    .if L >= 8
# Two round keys skewed, the lower one of round 0, 4, .. ($9) or of round 2, 6, .. ($12): what is turned by
# two bytes, then rows 1 and 3 of the upper one by another. Leaves VCR with words 5 and 7.
        .macro  StoreTwoSkewed v, conditions
        vtransp v3, \v, 4
        mtvcr   \conditions
        vbcrotr v3, v3, 16
        mtvcr   $8
        vbcrotr v3, v3, 8
        vtransp v3, v3, 4
        vstore  ($5), v3, 8
        .endm

        .macro  SkewTwoInPlace conditions
        vload   v3, ($5), 8
        StoreTwoSkewed v3, \conditions
        addiu   $5, $5, 32
        .endm

        .macro  SetConditions skewed
        addiu   $8, $0, 0xA0
    .if \skewed
        addiu   $9, $0, 0xC0
        addiu   $12, $0, 0x6A
    .endif
        mtvcr   $8
        vxor    v2, v2, v2
        RCON = 1
        .endm

# Six words at a time; what the sums put above them does not matter.
        .macro  Keys192 name, skewed
        .global \name
        .ent    \name
\name:
        SetConditions \skewed
        vload   v0, ($4), 6
        .rept   8
        vstore  ($5), v0, 6
        addiu   $5, $5, 24
        NextRoundKey RCON, 6, 5
        DoubleRcon
        .endr
    .if \skewed
        addiu   $5, $5, -192
        .rept   3
        SkewTwoInPlace $9
        SkewTwoInPlace $12
        .endr
    .endif
        jr      $31
        vstore  ($5), v0, 4
        .end    \name
        .endm

# Two round keys at a time. The sums put word 3 into words 4 to 7, where SubWord of it belongs.
        .macro  Keys256 name, skewed
        .global \name
        .ent    \name
\name:
        SetConditions \skewed
        vload   v0, ($4), 8
        CONDITIONS = 0xC0
        PAIR = 0
        .rept   7
    .if PAIR != 0
        NextRoundKey RCON, 8, 7
        DoubleRcon
        vtransp v1, v0, 0
        vbyteld v1, ($6), 4
        vxor    v1, v1, v0
        vextract $10, v1, 4
        vsmove  v1, $10, 8
        vsmove  v1, $0, 4
        vxor    v0, v0, v1
    .endif
    .if \skewed
      .if CONDITIONS == 0xC0
        StoreTwoSkewed v0, $9
      .else
        StoreTwoSkewed v0, $12
      .endif
        CONDITIONS = CONDITIONS ^ 0xC0 ^ 0x6A
    .else
        vstore  ($5), v0, 8
    .endif
        addiu   $5, $5, 32
        PAIR = PAIR + 1
        .endr
        NextRoundKey RCON, 4, 7
        jr      $31
        vstore  ($5), v0, 4
        .end    \name
        .endm

        Keys192 aes192_keys, 0
        Keys192 aes192_keys_skewed, 1
        Keys256 aes256_keys, 0
        Keys256 aes256_keys_skewed, 1
    .endif
