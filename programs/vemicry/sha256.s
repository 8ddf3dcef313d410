# SHA-256 (FIPS 180-4, section 6.2.2) over one block. The vector unit has no AND and adds no words one by
# one, so that Ch, Maj and the sums stay with the scalar core. What it does is turn: a polynomial product
# with 2^(32 - n) is the word turned right by n, its parts in two words, and with the sum of three such
# powers all rotations of a Sigma or sigma at once, which MIPS-I takes nine instructions for.
#
#   $4 H, 8 words, in and out   $5 block, 64 bytes   $6 K, 64 words   $7 room for 128 words
# The message schedule W lies in every second word of the room, the others are zero: four products of
# 64 bits then fit into a register.
#   v0 a word of the state in word 0, zeros   v1 to v3 products
        .text
        .set    noreorder
        .set    noat

# ---- Message schedule: $9 room for W[t - 16] and on   $10 address   $11 its end
#      $12, $13 factors of sigma0   $14, $15 of sigma1; the second of each leaves the shift out ----

        .macro  Products vd, vs, with_shift, without_shift
        vspmult \vd, \vs, \with_shift
        vwshr   \vd, \vd, 1             # the high words: all three terms
        vspmult \vs, \vs, \without_shift
        vxor    \vd, \vd, \vs           # and the low ones: what the rotations bring in
        .endm

# W[t] for t = 16 + |i| from $9: sigma0 in word |zero_word| of v1, sigma1 in word |one_word| of v2
        .macro  NextWord i, zero_word, one_word
        vextract $2, v1, \zero_word
        vextract $3, v2, \one_word
        lw      $8, 8 * (\i)($9)
        addu    $2, $2, $3
        lw      $3, 8 * (\i + 9)($9)
        addu    $2, $2, $8
        addu    $2, $2, $3
        sw      $2, 8 * (\i + 16)($9)
        .endm

        .macro  Schedule
        lui     $12, 1 << 13 | 1 << 9           # x >>> 7 and x >> 3, and
        ori     $12, $12, 1 << 14               # x >>> 18
        lui     $13, 1 << 9
        ori     $13, $13, 1 << 14
        lui     $14, 1 << 6                     # x >> 10,
        ori     $14, $14, 1 << 15 | 1 << 13     # x >>> 17 and x >>> 19
        ori     $15, $0, 1 << 15 | 1 << 13
next_words:
        addiu   $10, $9, 8
        vload   v3, ($10), 8                    # W[t - 15] to W[t - 12]
        Products v1, v3, $12, $13
        addiu   $10, $9, 8 * 14
        vload   v3, ($10), 4                    # W[t - 2], W[t - 1]
        Products v2, v3, $14, $15
        NextWord 0, 1, 1
        NextWord 1, 3, 3
        addiu   $10, $9, 8 * 16
        vload   v3, ($10), 4
        Products v2, v3, $14, $15
        NextWord 2, 5, 1
        NextWord 3, 7, 3
        addiu   $9, $9, 8 * 4
        bne     $9, $11, next_words
        nop
        .endm

# ---- Rounds: $8 to $15 a to h   $24, $25 factors of Sigma0, Sigma1   $1, $5 a + b of this round and of the
#      one before   $2, $3 free ----

        .macro  BeginSigma vd, rs, factor
        vsmove  v0, \rs, 1
        vspmult \vd, v0, \factor
        .endm

        .macro  AddSigma rd, vs
        vextract $2, \vs, 1
        vextract $3, \vs, 2
        xor     $2, $2, $3
        addu    \rd, \rd, $2
        .endm

# |now| becomes a + b; |last| is b + c, and free afterwards. h becomes the new a. The products are begun
# long before they are used.
        .macro  Round a, b, c, d, e, f, g, h, i, now, last
        BeginSigma v1, \e, $25
        lw      $2, 8 * (\i)($7)
        lw      $3, 4 * (\i)($6)
        BeginSigma v2, \a, $24
        addu    \h, \h, $2
        addu    \h, \h, $3
        xor     $2, \f, \g              # Ch = g + e (f + g)
        and     $2, $2, \e
        xor     $2, $2, \g
        addu    \h, \h, $2
        AddSigma \h, v1
        addu    \d, \d, \h
        xor     \now, \a, \b            # Maj = b + (a + b) (b + c)
        and     \last, \last, \now
        xor     \last, \last, \b
        addu    \h, \h, \last
        AddSigma \h, v2
        .endm

        .macro  AddToHash offset, rs
        lw      $2, \offset($4)
        addu    $2, $2, \rs
        sw      $2, \offset($4)
        .endm

    .if L >= 8 && L == P
        .global sha256_block
        .ent    sha256_block
sha256_block:
        vxor    v0, v0, v0
        addu    $9, $7, $0
        vstore  ($9), v0, 8
        .rept   15
        addiu   $9, $9, 32
        vstore  ($9), v0, 8
        .endr
        OFFSET = 0
        .rept   16
        lw      $2, OFFSET($5)
        sw      $2, 2 * OFFSET($7)
        OFFSET = OFFSET + 4
        .endr
        addu    $9, $7, $0
        addiu   $11, $7, 8 * 48
        Schedule

        lui     $24, 1 << 14 | 1 << 3           # a >>> 2, a >>> 13 and
        ori     $24, $24, 1 << 10               # a >>> 22
        lui     $25, 1 << 10 | 1 << 5           # e >>> 6, e >>> 11 and
        ori     $25, $25, 1 << 7                # e >>> 25
        lw      $8, 0($4)
        lw      $9, 4($4)
        lw      $10, 8($4)
        lw      $11, 12($4)
        lw      $12, 16($4)
        lw      $13, 20($4)
        lw      $14, 24($4)
        lw      $15, 28($4)
        xor     $5, $9, $10
        .rept   8
        Round   $8, $9, $10, $11, $12, $13, $14, $15, 0, $1, $5
        Round   $15, $8, $9, $10, $11, $12, $13, $14, 1, $5, $1
        Round   $14, $15, $8, $9, $10, $11, $12, $13, 2, $1, $5
        Round   $13, $14, $15, $8, $9, $10, $11, $12, 3, $5, $1
        Round   $12, $13, $14, $15, $8, $9, $10, $11, 4, $1, $5
        Round   $11, $12, $13, $14, $15, $8, $9, $10, 5, $5, $1
        Round   $10, $11, $12, $13, $14, $15, $8, $9, 6, $1, $5
        Round   $9, $10, $11, $12, $13, $14, $15, $8, 7, $5, $1
        addiu   $7, $7, 64
        addiu   $6, $6, 32
        .endr
        AddToHash 0, $8
        AddToHash 4, $9
        AddToHash 8, $10
        AddToHash 12, $11
        AddToHash 16, $12
        AddToHash 20, $13
        AddToHash 24, $14
        lw      $2, 28($4)
        addu    $2, $2, $15
        jr      $31
        sw      $2, 28($4)
        .end    sha256_block
    .endif
