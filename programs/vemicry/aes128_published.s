# AES-128 encryption (FIPS 197, section 5.1) from the steps that the VeMICry paper (section 3.1)
# describes, in three stages that lead to aes_encrypt.s. A word holds a column of the state.
#
#   aes128_encrypt_steps      every step loads the state and stores it, constants are set where needed
#   aes128_encrypt_kept       the same, but state and constants stay in registers
#   aes128_encrypt_short      ShiftRows with two rotations, MixColumns with two, unrolled
#   add_round_key, sub_bytes, shift_rows, mix_columns      the steps of the first, as functions
#   short_shift_rows, short_mix_columns                    and those of the third
#
# All: $4 block, encrypted in place   $5 round keys   $6 S-box, 256 bytes
        .text
        .set    noreorder

POLYNOMIAL = 0x11B              # x^8 + x^4 + x^3 + x + 1

# ---- The steps, each from memory to memory. $8 is free. ----

        .macro  AddRoundKey
add_round_key_step_\@:
        vload   v0, ($5), 4
        vload   v1, ($4), 4
        vxor    v2, v0, v1
        vstore  ($4), v2, 4
        .endm

        .macro  SubBytes
sub_bytes_step_\@:
        vload   v0, ($4), 4
        vbyteld v0, ($6), 4
        vstore  ($4), v0, 4
        .endm

# Row i is word i of the transposed state. Rotating rows 1 to 3, then 2 and 3, then 3, each by one
# byte to the left, turns row i by i bytes.
        .macro  ShiftRows
shift_rows_step_\@:
        vload   v0, ($4), 4
        vtransp v0, v0, 4
        .set    rows, 0xE
        .rept   3
        addiu   $8, $0, rows
        mtvcr   $8
        vbcrotr v0, v0, 24
        .set    rows, rows << 1 & 0xF
        .endr
        vtransp v0, v0, 4
        vstore  ($4), v0, 4
        .endm

# Bytes a b c d of a column become x(a + b) + b + c + d, x(b + c) + c + d + a, and so on.
        .macro  MixColumns
mix_columns_step_\@:
        vload   v0, ($4), 4
        addiu   $8, $0, -1
        mtvcr   $8
        vbcrotr v1, v0, 24              # b c d a
        vxor    v2, v0, v1
        vbcrotr v3, v0, 16              # c d a b
        vbcrotr v0, v0, 8               # d a b c
        addiu   $8, $0, POLYNOMIAL
        mtvcr   $8
        vmpmul  v2, v2
        vxor    v0, v0, v1
        vxor    v0, v0, v3
        vxor    v0, v0, v2
        vstore  ($4), v0, 4
        .endm

        .global aes128_encrypt_steps
        .ent    aes128_encrypt_steps
aes128_encrypt_steps:
        AddRoundKey
        addiu   $5, $5, 16
        addiu   $9, $5, 8 * 16          # round key 9
steps_round:
        SubBytes
        ShiftRows
        MixColumns
        AddRoundKey
        bne     $5, $9, steps_round
        addiu   $5, $5, 16
        SubBytes
        ShiftRows
        AddRoundKey
        jr      $31
        nop
        .end    aes128_encrypt_steps

        .macro  StepFunction name, step
        .global \name
        .ent    \name
\name:
        \step
        jr      $31
        nop
        .end    \name
        .endm

        StepFunction add_round_key, AddRoundKey
        StepFunction sub_bytes, SubBytes
        StepFunction shift_rows, ShiftRows
        StepFunction mix_columns, MixColumns

# ---- State and constants in registers: v0 is the state, v1 to v3 are free. ----
#   $8 0xE   $9 0xC   $10 0x8   $11 all ones   $12 the polynomial   $13 round key 9

        .macro  KeptAddRoundKey
        vload   v1, ($5), 4
        vxor    v0, v0, v1
        .endm

        .macro  KeptShiftRows
        vtransp v0, v0, 4
        mtvcr   $8
        vbcrotr v0, v0, 24
        mtvcr   $9
        vbcrotr v0, v0, 24
        mtvcr   $10
        vbcrotr v0, v0, 24
        vtransp v0, v0, 4
        .endm

        .macro  KeptMixColumns
        mtvcr   $11
        vbcrotr v1, v0, 8
        vbcrotr v2, v0, 16
        vbcrotr v3, v0, 24
        vxor    v0, v0, v3
        mtvcr   $12
        vmpmul  v0, v0
        vxor    v0, v0, v1
        vxor    v0, v0, v2
        vxor    v0, v0, v3
        .endm

        .global aes128_encrypt_kept
        .ent    aes128_encrypt_kept
aes128_encrypt_kept:
        addiu   $8, $0, 0xE
        addiu   $9, $0, 0xC
        addiu   $10, $0, 0x8
        addiu   $11, $0, -1
        addiu   $12, $0, POLYNOMIAL
        vload   v0, ($4), 4
        KeptAddRoundKey
        addiu   $5, $5, 16
        addiu   $13, $5, 8 * 16
kept_round:
        vbyteld v0, ($6), 4             # SubBytes
        KeptShiftRows
        KeptMixColumns
        KeptAddRoundKey
        bne     $5, $13, kept_round
        addiu   $5, $5, 16
        vbyteld v0, ($6), 4
        KeptShiftRows
        KeptAddRoundKey
        jr      $31
        vstore  ($4), v0, 4
        .end    aes128_encrypt_kept

# ---- Fewer rotations: rows 1 and 3 by one byte, rows 2 and 3 by two. And with A = the column turned
# by one byte and U = column + A, MixColumns is xU + A + U turned by two bytes. ----
#   $8 0xA: rows 1 and 3   $9 0xC: rows 2 and 3   $11 all ones   $12 the polynomial

        .macro  ShortShiftRows
        vtransp v0, v0, 4
        mtvcr   $8
        vbcrotr v0, v0, 24
        mtvcr   $9
        vbcrotr v0, v0, 16
        vtransp v0, v0, 4
        .endm

        .macro  ShortMixColumns
        mtvcr   $11
        vbcrotr v1, v0, 24              # A
        vxor    v2, v0, v1              # U
        vbcrotr v3, v2, 16
        mtvcr   $12
        vmpmul  v2, v2
        vxor    v1, v1, v3
        vxor    v0, v1, v2
        .endm

# On the state in v0; the constants are the caller's.
        StepFunction short_shift_rows, ShortShiftRows
        StepFunction short_mix_columns, ShortMixColumns

        .global aes128_encrypt_short
        .ent    aes128_encrypt_short
aes128_encrypt_short:
        addiu   $8, $0, 0xA
        addiu   $9, $0, 0xC
        addiu   $11, $0, -1
        addiu   $12, $0, POLYNOMIAL
        vload   v0, ($4), 4
        KeptAddRoundKey
        .rept   9
        vbyteld v0, ($6), 4
        ShortShiftRows
        ShortMixColumns
        addiu   $5, $5, 16
        KeptAddRoundKey
        .endr
        vbyteld v0, ($6), 4
        ShortShiftRows
        addiu   $5, $5, 16
        KeptAddRoundKey
        jr      $31
        vstore  ($4), v0, 4
        .end    aes128_encrypt_short
