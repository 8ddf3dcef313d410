# Montgomery products in binary fields with as few instructions as we found: unrolled, and with a
# modulus made ready. Arguments as in gf2_product.s.
#
# f' = f * N0 is a multiple of f whose low word is 1, so that the quotient of a pass is c's low word
# itself and needs no product. f' is a word longer than f. The last pass takes f, which brings the
# result below its degree: before it c has degree m + 30 at most.
# Products of the next pass stand between an extraction and its use, where the pipeline would wait.
        .text

#   v0 b   v1 f   v2 f'   v3 c   v4 next product with b, in the last pass product with N0   v5 product with f
        .macro  best name, words
        .global \name
        .ent    \name
\name:
        lw      $9, 0($4)
        vload   v0, ($5), \words
        lw      $8, 20($29)             # N0
        vspmult v3, v0, $9
        vload   v1, ($6), \words
        lw      $9, 4($4)
        vspmult v2, v1, $8
        .set    j, 2
        .rept   \words - 1
        vextract $10, v3, 1
        vspmult v4, v0, $9
        vspmult v5, v2, $10
        .if     j < \words
        lw      $9, 4 * j($4)
        .endif
        vxor    v3, v3, v5
        vwshr   v3, v3, 1
        vxor    v3, v3, v4
        .set    j, j + 1
        .endr
        vspmult v4, v3, $8
        vextract $10, v4, 1
        vspmult v5, v1, $10
        vxor    v3, v3, v5
        vwshr   v3, v3, 1
        jr      $31
        vstore  ($7), v3, \words
        .end    \name
        .endm

        best    gf2_191_product_best, 6

# By 64 bits: f'' = f * N0 has 1 as its two low words, and g = (f'' - 1) / x^64 is what a pass adds to
# c / x^64. b * x^32, g * x^32 and f * x^32 save shifts of products.
#   v0 b   v1 f   v2 f'   v3 g   v4 g * x^32   v5 b * x^32   v6 c   v7 products
        .macro  best_64 name, words
        .global \name
        .ent    \name
\name:
        lw      $8, 20($29)
        lw      $9, 24($29)
        vload   v1, ($6), \words
        vload   v0, ($5), \words
        vspmult v3, v1, $9
        vspmult v2, v1, $8
        vwshl   v3, v3, 1
        vxor    v3, v3, v2
        vwshl   v5, v0, 1
        vwshr   v3, v3, 2               # CAR is 0: b ends before word p - 1
        vwshl   v4, v3, 1
        .set    j, 0
        .rept   \words / 2
        lw      $9, 4 * j($4)
        lw      $10, 4 * j + 4($4)
        .if     j == 0
        vspmult v6, v0, $9
        .else
        vspmult v7, v0, $9
        vxor    v6, v6, v7
        .endif
        vspmult v7, v5, $10
        vxor    v6, v6, v7
        .if     j + 2 < \words
        vextract $11, v6, 1
        vextract $12, v6, 2
        vwshr   v6, v6, 2
        vspmult v7, v3, $11
        vxor    v6, v6, v7
        vspmult v7, v4, $12
        vxor    v6, v6, v7
        .endif
        .set    j, j + 2
        .endr
        vextract $11, v6, 1             # the last pass: f' clears the low word, f the one behind it
        vwshl   v3, v1, 1
        vspmult v7, v2, $11
        vxor    v6, v6, v7
        vspmult v7, v6, $8
        vextract $12, v7, 2
        vspmult v7, v3, $12
        vxor    v6, v6, v7
        vwshr   v6, v6, 2
        jr      $31
        vstore  ($7), v6, \words
        .end    \name
        .endm

        best_64 gf2_191_product_64_best, 6

# Fields of 225 to 255 bits in registers of 8 words, unrolled; see gf2_256_product. f' would not fit.
        .global gf2_256_product_best
        .ent    gf2_256_product_best
gf2_256_product_best:
        lw      $10, 0($4)
        lw      $8, 20($29)
        vload   v0, ($5), 8
        vload   v1, ($6), 8
        .set    j, 0
        .rept   8
        .if     j == 0
        vspmult v3, v0, $10
        .else
        vspmult v5, v0, $10
        vxor    v3, v3, v5
        .endif
        .if     j < 7
        lw      $10, 4 * j + 4($4)
        .endif
        vwshr   v4, v3, 1
        vspmult v5, v3, $8
        vextract $9, v5, 1
        vspmult v5, v1, $9
        vwshr   v5, v5, 1
        vxor    v3, v4, v5
        .set    j, j + 1
        .endr
        jr      $31
        vstore  ($7), v3, 8
        .end    gf2_256_product_best
