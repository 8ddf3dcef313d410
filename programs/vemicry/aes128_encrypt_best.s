# AES-128 encryption of one block (FIPS 197, section 5.1) in fewer instructions than aes_encrypt.s:
# skewed columns as there, in a register of eight words, half of which a block leaves free.
#
#   $4 block, encrypted in place   $5 round keys   $6 S-box, 256 bytes   $7 table of x * b for bytes b
#   v0 state, in words 4 to 7   v1 A: the neighbouring row   v2 U = state + A   v3 U two rows on
#   v4, v5 round keys   v6, v7 copies of the state
#
# Words turn in a group of four by transposing, rotating and transposing back. Three things are cheaper:
#   - By one word: VWSHR by 1 brings in CAR, where VWSHL by 4 has put word 4, the first column.
#   - By two words: VWSHL by 2, if words 2 and 3 hold the last two columns. So the state is doubled before
#     rounds 1 and 5; each of them and the round behind it uses up two words of the copy in words 0 to 3.
#   - After round t the neighbour lies t words on. In round 3 and 7 that is one word back for the row above:
#     with A = the row above and U = state + A, xU + state + U two rows on is MixColumns too, with each row
#     one place further down. Rounds 2 and 4 do it as well, then the rows are where they were.
# The last full round leaves rows in words: one transposition less before ShiftRows is made good. Round keys
# are loaded while the pipeline would wait for the S-box.
#
# Round keys, as they are used, each in the form that the state has then: see Form in
# src/vemicry/workloads/aes128_encrypt_best.cpp:
#   byte 0    16      48      80      112     144     176      208
#        | k0 | k1 k1 | k3 k2 | k6 k4 | k5 k5 | k8 k7 | k10 k9 |
        .text
        .set    noreorder

BELOW = 24                      # rotation that brings the row below, or above, to each row
ABOVE = 8

        .macro  SubBytes
        vbyteld v0, ($6), 0
        .endm

        .macro  LoadRoundKeys vd, offset
        addiu   $5, $5, \offset
        vload   \vd, ($5), 8
        .endm

# VCR is all ones. CAR: the first column.
        .macro  NextColumn
        vwshl   v7, v0, 4
        .endm

# Words 0 to 3 become like 4 to 7, and CAR the first column.
        .macro  DoubleState
        NextColumn
        vwshr   v6, v0, 4               # words 0 to 4: all columns and the first again
        vsmove  v0, $0, 5
        vxor    v0, v0, v6
        .endm

# v3 = U, two words and two rows on
        .macro  TurnByTwo
        vbcrotr v3, v2, 16
        vtransp v3, v3, 4
        vbcrotr v3, v3, 16
        vtransp v3, v3, 4
        .endm

# v0 = xU + v3 + A, or state for the row above
        .macro  Sum row
        vbyteld v2, ($7), 0
        vxor    v3, v3, v2
    .if \row == BELOW
        vxor    v0, v1, v3
    .else
        vxor    v0, v0, v3
    .endif
        .endm

# Round 1, 5: CAR is the first column, words 0 to 3 are like 4 to 7. Right afterwards: words 2 to 7.
        .macro  OddMixColumnsOfDoubled row
        vwshr   v1, v0, 1
        vbcrotr v1, v1, \row
        vxor    v2, v0, v1
        vwshl   v3, v2, 2
        vbcrotr v3, v3, 16
        Sum     \row
        .endm

# Round 2, 6: words 2 to 7 are right.
        .macro  EvenMixColumnsOfDoubled row
        vwshl   v1, v0, 2
        vbcrotr v1, v1, \row
        vxor    v2, v0, v1
        vbcrotr v3, v2, 16
        Sum     \row
        .endm

# Round 3, 7
        .macro  OddMixColumns row
        NextColumn
        vwshr   v1, v0, 1
        vbcrotr v1, v1, \row
        vxor    v2, v0, v1
        TurnByTwo
        Sum     \row
        .endm

# Round 4, 8: nothing is to be turned.
        .macro  FourthMixColumns row
        vbcrotr v1, v0, \row
        vxor    v2, v0, v1
        vbcrotr v3, v2, 16
        Sum     \row
        .endm

# Round 9: into rows
        .macro  LastMixColumns
        NextColumn
        vwshr   v1, v0, 1
        vbcrotr v1, v1, BELOW
        vxor    v2, v0, v1
        vbcrotr v3, v2, 16
        vtransp v3, v3, 4
        vbcrotr v3, v3, 16
        vbyteld v2, ($7), 0
        vxor    v1, v1, v2
        vtransp v1, v1, 4
        vxor    v0, v1, v3
        .endm

    .if P == 8 && L == 8
        .global aes128_encrypt_16_best
        .ent    aes128_encrypt_16_best
aes128_encrypt_16_best:
        addiu   $8, $0, -1
        mtvcr   $8
        vload   v0, ($4), 4
        vload   v4, ($5), 4
        vxor    v0, v0, v4              # AddRoundKey
        vbyteld v0, ($6), 4             # SubBytes, and zeros above
        vwshl   v7, v0, 4
        vxor    v0, v0, v7

        LoadRoundKeys v4, 16
        NextColumn
        OddMixColumnsOfDoubled BELOW    # round 1
        vxor    v0, v0, v4

        SubBytes
        LoadRoundKeys v4, 32
        EvenMixColumnsOfDoubled ABOVE   # round 2
        vxor    v0, v0, v4

        SubBytes
        vwshl   v4, v4, 4
        OddMixColumns ABOVE             # round 3
        vxor    v0, v0, v4

        SubBytes
        LoadRoundKeys v4, 32
        FourthMixColumns ABOVE          # round 4
        vxor    v0, v0, v4

        SubBytes
        LoadRoundKeys v5, 32
        DoubleState
        OddMixColumnsOfDoubled BELOW    # round 5
        vxor    v0, v0, v5

        SubBytes
        vwshl   v4, v4, 4
        EvenMixColumnsOfDoubled BELOW   # round 6
        vxor    v0, v0, v4

        SubBytes
        LoadRoundKeys v4, 32
        OddMixColumns ABOVE             # round 7
        vxor    v0, v0, v4

        SubBytes
        vwshl   v4, v4, 4
        FourthMixColumns BELOW          # round 8
        vxor    v0, v0, v4

        SubBytes
        LoadRoundKeys v4, 32
        LastMixColumns                  # round 9
        vxor    v0, v0, v4

        SubBytes                        # round 10
        addiu   $8, $0, 0xAA
        mtvcr   $8
        vbcrotr v0, v0, 16              # rows 1 and 3
        vtransp v0, v0, 4
        vwshr   v0, v0, 4
        vxor    v0, v0, v4
        jr      $31
        vstore  ($4), v0, 4
        .end    aes128_encrypt_16_best
    .endif
