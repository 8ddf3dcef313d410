# AES encryption (FIPS 197, section 5.1) with skewed columns: ShiftRows is never executed. Instead
# row i of the state lies turned right by i * t bytes after round t. Then "the next row of the same
# column" is the same operation for all rows: next byte of the word, and the word t places further on.
#
#   $4 data, encrypted in place   $5 round keys   $6 S-box, 256 bytes   $7 table of x * b for bytes b
#   v0 state   v1 A   v2 U   v3 U two rows on   v4 round key   v5 its double   v6 next round key
#   $8 all ones   $9 the polynomial, x^8 + x^4 + x^3 + x + 1
#
# The key schedule turns rows of round keys in the same way (aes_keys.s), but not those
# of the last one and of every fourth.
# The functions are one text, for which these are set:
#   ROUNDS        10, 12 or 14 for keys of 128, 192 or 256 bits
#   WORDS         words of the state: 4 for a block; 0: all of the register, a block in each four
#   DOUBLE_KEYS   1: round keys stored once are doubled for two blocks; 0: stored for all words
#   KEY_PAIRS     1: VLOAD brings two round keys at a time, for one block
#   X_TABLE       1: multiplication by x by VBYTELD instead of VMPMUL
#   END_IN_ROWS   1: from MixColumns of the last full round on a word holds a row, as its round key then
#                 does too; not for 12 rounds
        .text
        .set    noreorder

        .macro  SubBytes
        vbyteld v0, ($6), WORDS
        .endm

# Round key |round|. $5 points to the one that was loaded last.
        .macro  LoadRoundKey round
    .if KEY_PAIRS && (\round) % 2 == 1
        vwshr   v4, v4, 4
    .else
      .if (\round) != 0
        addiu   $5, $5, KEY_LENGTH
      .endif
        vload   v4, ($5), KEY_WORDS
    .endif
    .if DOUBLE_KEYS
        vwshl   v5, v4, 4
        vxor    v4, v4, v5
    .endif
        .endm

# The words of each group of four move down |places|, those at the end come in at the beginning.
        .macro  TurnColumns vd, places
    .if (\places) % 4 != 0
        vtransp \vd, \vd, 4
        vbcrotr \vd, \vd, 32 - (\places) % 4 * 8
        vtransp \vd, \vd, 4
    .endif
        .endm

# MixColumns of round |round|, and its round key: with A = the next row and U = state + A, it is xU + A + U two rows on.
        .macro  MixColumns round
        vbcrotr v1, v0, 24
        LoadRoundKey \round             # while a transposition would wait
        TurnColumns v1, \round
        vxor    v2, v0, v1
        vbcrotr v3, v2, 16
        TO_ROWS = END_IN_ROWS && (\round) == ROUNDS - 1
    .if TO_ROWS
        vtransp v3, v3, 4
        vbcrotr v3, v3, 16
    .else
        TurnColumns v3, 2 * (\round)
    .endif
    .if X_TABLE
        vbyteld v2, ($7), WORDS
    .else
        mtvcr   $9
        vmpmul  v2, v2
      .if (\round) != ROUNDS - 1        # what follows has a mask of its own
        mtvcr   $8
      .endif
    .endif
        vxor    v1, v1, v2
    .if TO_ROWS
        vtransp v1, v1, 4
    .endif
        vxor    v0, v1, v3
        .endm

# After round 10 and 14 rows 1 and 3 are two bytes from where they belong, after round 12 none is.
        .macro  UnskewColumns
    .if ROUNDS % 4 == 0
        .exitm
    .endif
    .if !END_IN_ROWS
        vtransp v0, v0, 4
    .endif
    .if L > 16
        lui     $8, 0xAAAA
        ori     $8, $8, 0xAAAA
    .else
        ori     $8, $0, 0xAAAA
    .endif
        mtvcr   $8
        vbcrotr v0, v0, 16
        vtransp v0, v0, 4
        .endm

        .macro  Encryption name
        .global \name
        .ent    \name
\name:
        vload   v0, ($4), WORDS
        addiu   $8, $0, -1
        mtvcr   $8
    .if !X_TABLE
        addiu   $9, $0, 0x11B
    .endif
        LoadRoundKey 0
        vxor    v0, v0, v4              # AddRoundKey
        ROUND = 1
        .rept   ROUNDS - 1
        SubBytes
        MixColumns ROUND
        vxor    v0, v0, v4              # AddRoundKey
        ROUND = ROUND + 1
        .endr
        SubBytes
        LoadRoundKey ROUNDS
        UnskewColumns
        vxor    v0, v0, v4
        jr      $31
        vstore  ($4), v0, WORDS
        .end    \name
        .endm

# One block; round keys of four words.
        .macro  OneBlock name
        END_IN_ROWS = 0
        WORDS = 4
        DOUBLE_KEYS = 0
        KEY_PAIRS = 0
        KEY_WORDS = 4
        KEY_LENGTH = 16
        X_TABLE = 0
        Encryption \name
        .endm

# The same, two round keys at a time, and with the table.
        .macro  OneBlockByPairs name, table
        KEY_PAIRS = 1
        KEY_WORDS = 8
        KEY_LENGTH = 32
        X_TABLE = \table
        Encryption \name
        .endm

# L / 4 blocks; each round key is stored for every one of them.
        .macro  Wide name, table, end_in_rows
        KEY_PAIRS = 0
        WORDS = 0
        KEY_WORDS = 0
        KEY_LENGTH = 4 * L
        X_TABLE = \table
        END_IN_ROWS = \end_in_rows
        Encryption \name
        END_IN_ROWS = 0
        .endm

        ROUNDS = 10
        OneBlock aes128_encrypt_16
        X_TABLE = 1
        Encryption aes128_encrypt_16_x_table
    .if L >= 8
        OneBlockByPairs aes128_encrypt_16_pairs, 0
        OneBlockByPairs aes128_encrypt_16_pairs_x_table, 1
    .endif
        Wide    aes128_encrypt_wide, 0, 0
        Wide    aes128_encrypt_wide_best, 1, 1
    .if L >= 8
# Two blocks; round keys of four words.
        WORDS = 8
        DOUBLE_KEYS = 1
        KEY_WORDS = 4
        KEY_LENGTH = 16
        X_TABLE = 0
        Encryption aes128_encrypt_32
        X_TABLE = 1
        Encryption aes128_encrypt_32_x_table
# Two blocks; round keys stored twice.
        DOUBLE_KEYS = 0
        KEY_WORDS = 8
        KEY_LENGTH = 32
        END_IN_ROWS = 1
        Encryption aes128_encrypt_32_best
    .endif

        ROUNDS = 12
        OneBlock aes192_encrypt_16
    .if L >= 8
        OneBlockByPairs aes192_encrypt_16_best, 1
    .endif
        Wide    aes192_encrypt_wide_best, 1, 0

        ROUNDS = 14
        OneBlock aes256_encrypt_16
    .if L >= 8
        OneBlockByPairs aes256_encrypt_16_best, 1
    .endif
        Wide    aes256_encrypt_wide_best, 1, 1
