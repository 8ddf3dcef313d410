# SHA-512 (FIPS 180-4, section 6.4.2) over one block. Words of 64 bits are pairs of words in vector
# registers, the lower one first, where VADDU adds them with the carry between. What is left above a sum or a
# product does not matter. Ch and Maj stay with the scalar core, as the vector unit has no AND.
#
# Rotations: in a register that repeats a word of 64 bits, each word of the product with 2^n but the first
# is right for the word turned left by n. With the sum of such powers, rotations whose distances lie within
# 32 bits are one product, a second one turns them all.
#
#   $4 H, 8 words of 64 bits, in and out   $5 block, 128 bytes   $6 K, 80 words   $7 room for 80 words
# K and the room have a word of 64 bits in every 16 bytes, low half first, then zeros: two fit into a
# register, and sums of one do not reach the other.
        .text
        .set    noreorder
        .set    noat

    .if L >= 8
# ---- Message schedule: $9 room for W[t - 16] and on   $10 address   $11 its end   $12 to $16 factors ----

# v1 = sigma0 of the two words in v0: turned right by 1 and 8, shifted by 7. As products with 2^63, 2^56 and
# 2^57 that is words 1 and 2 of those with 2^31, 2^24 and 2^25, and word 0 where bits come around.
        .macro  LittleSigma0
        vspmult v1, v0, $12
        vspmult v0, v0, $13
        vwshr   v1, v1, 1
        vwshl   v0, v0, 1
        vxor    v1, v1, v0
        .endm

# v2 = sigma1 of the two words in v2: turned right by 19 and 61, shifted by 6, that is by 2^45, 2^3 and 2^58.
        .macro  LittleSigma1
        vspmult v5, v2, $16
        vspmult v4, v2, $14
        vspmult v2, v2, $15
        vwshr   v6, v5, 1
        vxor    v4, v4, v6
        vwshl   v2, v2, 1
        vwshr   v4, v4, 1
        vxor    v2, v2, v5
        vxor    v2, v2, v4
        .endm

        .macro  Schedule
        lui     $13, 1 << 15 | 1 << 8
        lui     $12, 1 << 15 | 1 << 8 | 1 << 9
        ori     $15, $0, 1 << 13
        lui     $14, 1 << 10
        ori     $14, $14, 1 << 13
        addiu   $16, $0, 1 << 3
next_words:
        addiu   $10, $9, 16 * 14
        vload   v2, ($10), 8            # W[t - 2], W[t - 1]
        addiu   $10, $9, 16
        vload   v0, ($10), 8            # W[t - 15], W[t - 14]
        LittleSigma1
        LittleSigma0
        addiu   $10, $9, 16 * 9
        vload   v3, ($9), 8             # W[t - 16], W[t - 15]
        vload   v7, ($10), 8            # W[t - 7], W[t - 6]
        vwshr   v4, v2, 4
        vaddu   v3, v3, v7
        vwshr   v5, v1, 4
        vaddu   v1, v1, v2
        vwshr   v6, v3, 4
        vaddu   v4, v4, v5
        vaddu   v1, v1, v3
        addiu   $10, $9, 16 * 16
        vaddu   v4, v4, v6
        addiu   $9, $9, 16 * 2
        vstore  ($10), v1, 2
        addiu   $10, $10, 16
        bne     $9, $11, next_words
        vstore  ($10), v4, 2
        .endm

# ---- Rounds: a to g in pairs of registers from $8 to $21, the high half first; $22 to $25 a + b of this
#      round and of the one before   v0 to v3 e, f, g, h in turn, of which only e and h are used
#      v4 T1   v5 summands   v6 T2   v7 K + W of this round   $1, $2 factors of Sigma1   $3, $30 of Sigma0
#      $5, $31 free ----

# |vd| = the word repeated.
        .macro  Repeat vd, high, low
        vsmove  \vd, \high, 4
        vsmove  \vd, \low, 3
        vsmove  \vd, \high, 2
        vsmove  \vd, \low, 1
        .endm

        .macro  Move vd, high, low
        vsmove  \vd, \high, 2
        vsmove  \vd, \low, 1
        .endm

# d becomes the new e, g the new a; |last| is b + c, and free afterwards.
        .macro  Round ah, al, bh, bl, ch, cl, dh, dl, eh, el, fh, fl, gh, gl, nowh, nowl, lasth, lastl, e, f, g, h
    .if ROUND % 2 == 0
        vload   v7, ($7), 8
        vload   v6, ($6), 8
        addiu   $7, $7, 32
    .endif
        Repeat  \e, \eh, \el
        xor     $5, \fh, \gh            # Ch = g + e (f + g)
        vspmult v4, \e, $1
    .if ROUND % 2 == 0
        vaddu   v7, v7, v6
        addiu   $6, $6, 32
    .else
        vwshr   v7, v7, 4
    .endif
        vsmove  v6, \ah, 4
        vspmult v4, v4, $2
        vsmove  v6, \al, 3
        vsmove  v6, \ah, 2
        vsmove  v6, \al, 1
        vwshr   v4, v4, 2
        xor     $31, \fl, \gl
        vspmult v6, v6, $3
        vaddu   v4, v4, v7
        and     $5, $5, \eh
        and     $31, $31, \el
        vspmult v6, v6, $30
        vaddu   v4, v4, \h
        xor     $5, $5, \gh
        xor     $31, $31, \gl
        Move    v5, $5, $31
        vwshr   v6, v6, 2
        vaddu   v4, v4, v5
        xor     \nowh, \ah, \bh         # Maj = b + (a + b) (b + c)
        xor     \nowl, \al, \bl
        Move    v5, \dh, \dl
        vaddu   v6, v6, v4
        and     \lasth, \lasth, \nowh
        and     \lastl, \lastl, \nowl
        vaddu   v5, v5, v4
        xor     \lasth, \lasth, \bh
        xor     \lastl, \lastl, \bl
        Move    \h, \lasth, \lastl
        vextract \dh, v5, 2
        vaddu   v6, v6, \h
        vextract \dl, v5, 1
        vextract \gh, v6, 2
        vextract \gl, v6, 1
        .endm

# The round, and those behind it, in which all but K + W are one place on.
        .macro  Rounds ah, al, bh, bl, ch, cl, dh, dl, eh, el, fh, fl, gh, gl, nowh, nowl, lasth, lastl, e, f, g, h
        Round   \ah, \al, \bh, \bl, \ch, \cl, \dh, \dl, \eh, \el, \fh, \fl, \gh, \gl, \nowh, \nowl, \lasth, \lastl, \e, \f, \g, \h
        ROUND = ROUND + 1
    .if ROUND < 80
        Rounds  \gh, \gl, \ah, \al, \bh, \bl, \ch, \cl, \dh, \dl, \eh, \el, \fh, \fl, \lasth, \lastl, \nowh, \nowl, \h, \e, \f, \g
    .endif
        .endm

        .macro  AddToHash offset, high, low
        lw      $2, \offset + 4($4)
        lw      $3, \offset($4)
        addu    $2, $2, \low
        sltu    $5, $2, \low
        addu    $3, $3, \high
        addu    $3, $3, $5
        sw      $2, \offset + 4($4)
        sw      $3, \offset($4)
        .endm

        .macro  LoadHash offset, high, low
        lw      \high, \offset($4)
        lw      \low, \offset + 4($4)
        .endm

        .global sha512_block
        .ent    sha512_block
sha512_block:
        addiu   $29, $29, -40
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
        vxor    v0, v0, v0
        addu    $9, $7, $0
        vstore  ($9), v0, 8
        .rept   39
        addiu   $9, $9, 32
        vstore  ($9), v0, 8
        .endr
        OFFSET = 0
        .rept   16
        lw      $2, OFFSET($5)
        lw      $3, OFFSET + 4($5)
        sw      $2, 2 * OFFSET + 4($7)
        sw      $3, 2 * OFFSET($7)
        OFFSET = OFFSET + 8
        .endr
        addu    $9, $7, $0
        addiu   $11, $7, 16 * 64
        Schedule

        lui     $1, 1 << 11 | 1 << 7            # e >>> 14, e >>> 18 and e >>> 41:
        ori     $1, $1, 1                       # turned left by 27, 23 and 0, then by 23
        lui     $2, 1 << 7
        ori     $3, $0, 1 << 11 | 1 << 5 | 1    # a >>> 28, a >>> 34 and a >>> 39:
        lui     $30, 1 << 9                     # turned left by 11, 5 and 0, then by 25
        LoadHash 56, $5, $31
        LoadHash 48, $20, $21
        Move    v1, $5, $31
        LoadHash 40, $18, $19
        Move    v2, $20, $21
        LoadHash 32, $16, $17
        Move    v3, $18, $19
        LoadHash 0, $8, $9
        LoadHash 8, $10, $11
        LoadHash 16, $12, $13
        LoadHash 24, $14, $15
        xor     $24, $10, $12
        xor     $25, $11, $13
        ROUND = 0
        Rounds  $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, v0, v3, v2, v1

        # After 80 rounds a to g are 80 mod 7 = 3 places on, and h is where e was three rounds ago.
        AddToHash 0, $16, $17
        AddToHash 8, $18, $19
        AddToHash 16, $20, $21
        AddToHash 24, $8, $9
        AddToHash 32, $10, $11
        AddToHash 40, $12, $13
        AddToHash 48, $14, $15
        vextract $8, v1, 2
        vextract $9, v1, 1
        AddToHash 56, $8, $9
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
        addiu   $29, $29, 40
        .end    sha512_block
    .endif
