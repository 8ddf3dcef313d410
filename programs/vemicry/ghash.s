# GHASH (SP 800-38D, section 6.4), 32 bits of a factor at a time by VSPMULT, reduced as in Montgomery's
# method: after each 32 bits a multiple of the polynomial makes word 0 zero, and a shift drops it.
#
#   $4 the state Y, 16 bytes, in and out   $5 the prepared hash subkey   $6 blocks   $7 how many, not 0
#
# The leftmost bit of a block is the coefficient of x^0: read as a big-endian number, a block is the
# polynomial backwards. So a block's words stand in registers in reverse order, the last one in word 0,
# and the product of two such numbers is one bit short: the subkey is stored as H / x. The polynomial
# 1 + x + x^2 + x^7 + x^128 backwards is 2^128 + 2^127 + 2^126 + 2^121 + 1; its word 0 is 1, which makes
# word 0 of the sum the factor itself.
#
#   prepared subkey: word 0 of the polynomial, 1, 2, 3, 4, then H / x, four words, word 0 first; for
#   ghash_4_blocks also H^2 / x, H^3 / x and H^4 / x
        .text
        .set    noreorder

# Four words at |address| to word 3, 2, 1, 0 of |vd|.
        .macro  LoadReversed vd, address
        lw      $2, 0(\address)
        vsmove  \vd, $2, 4
        lw      $2, 4(\address)
        vsmove  \vd, $2, 3
        lw      $2, 8(\address)
        vsmove  \vd, $2, 2
        lw      $2, 12(\address)
        vsmove  \vd, $2, 1
        .endm

        .macro  StoreReversed vs, address
        vextract $2, \vs, 4
        sw      $2, 0(\address)
        vextract $2, \vs, 3
        sw      $2, 4(\address)
        vextract $2, \vs, 2
        sw      $2, 8(\address)
        vextract $2, \vs, 1
        jr      $31
        sw      $2, 12(\address)
        .endm

# v2 = (v2 + the multiple of the polynomial in v4 that makes word 0 zero) / 2^32. The product with the
# polynomial is the last one, so CAR is zero.
        .macro  ReduceWord
        vextract $2, v2, 1
        vspmult v3, v4, $2
        vxor    v2, v2, v3
        vwshr   v2, v2, 1
        .endm

#   v0 Y   v1 block   v2 sum   v3 product   v4 polynomial   $8 to $11 H / x   $12 behind the blocks
        .global ghash
        .ent    ghash
ghash:
        vload   v4, ($5), 5
        lw      $8, 20($5)
        lw      $9, 24($5)
        lw      $10, 28($5)
        lw      $11, 32($5)
        sll     $12, $7, 4
        addu    $12, $6, $12
        vxor    v2, v2, v2
        vxor    v1, v1, v1
        LoadReversed v2, $4
next_block:
        LoadReversed v1, $6
        vxor    v1, v1, v2              # Y + block
        vspmult v2, v1, $8
        ReduceWord
        vspmult v3, v1, $9
        vxor    v2, v2, v3
        ReduceWord
        vspmult v3, v1, $10
        vxor    v2, v2, v3
        ReduceWord
        vspmult v3, v1, $11
        vxor    v2, v2, v3
        addiu   $6, $6, 16
        vextract $2, v2, 1
        vspmult v3, v4, $2
        vxor    v2, v2, v3
        bne     $6, $12, next_block
        vwshr   v2, v2, 1
        StoreReversed v2, $4
        .end    ghash

# Four blocks at a time, their number a multiple of four: ((Y + X1) H^4 + X2 H^3 + X3 H^2 + X4 H), reduced
# once.
#   v2 sum   v3 product   v4 polynomial   v0, v5, v6, v7 Y + X1, X2, X3, X4   $12 behind the blocks
        .macro  AddProduct vs, offset
        lw      $2, \offset($5)
        vspmult v3, \vs, $2
        vxor    v2, v2, v3
        .endm

        .macro  AddProducts word
        AddProduct v0, 68 + 4 * \word
        AddProduct v5, 52 + 4 * \word
        AddProduct v6, 36 + 4 * \word
        AddProduct v7, 20 + 4 * \word
        .endm

        .global ghash_4_blocks
        .ent    ghash_4_blocks
ghash_4_blocks:
        vload   v4, ($5), 5
        sll     $12, $7, 4
        addu    $12, $6, $12
        vxor    v2, v2, v2
        vxor    v0, v0, v0
        vxor    v5, v5, v5
        vxor    v6, v6, v6
        vxor    v7, v7, v7
        LoadReversed v2, $4
next_four:
        LoadReversed v0, $6
        addiu   $6, $6, 16
        LoadReversed v5, $6
        addiu   $6, $6, 16
        LoadReversed v6, $6
        addiu   $6, $6, 16
        LoadReversed v7, $6
        addiu   $6, $6, 16
        vxor    v0, v0, v2              # Y + X1
        vxor    v2, v2, v2
        WORD = 0
        .rept   3
        AddProducts WORD
        ReduceWord
        WORD = WORD + 1
        .endr
        AddProducts 3
        vextract $2, v2, 1
        vspmult v3, v4, $2
        vxor    v2, v2, v3
        bne     $6, $12, next_four
        vwshr   v2, v2, 1
        StoreReversed v2, $4
        .end    ghash_4_blocks
