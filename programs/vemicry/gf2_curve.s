# Arithmetic in GF(2^233), f = x^233 + x^74 + 1 (FIPS 186-4), and in GF(2^191), f = x^191 + x^9 + 1 (the
# paper's field): products, squares, inverses, and multiples of a point by the x-only ladder of Lopez and
# Dahab. It is assembled behind ladder.s. Elements are plain polynomials, not in Montgomery's form: the upper half of a product folds back
# onto the lower one in fewer instructions than Montgomery's passes take.
#
# Nothing depends on operands, point or scalar but data: no branch, address or number of instructions. The
# vector unit has no AND; what a bit selects is a product with 0 or 1.
#
#   gf2_<m>_multiply   $4 a   $5 b   $6 f   $7 where a * b goes
#   gf2_<m>_square, gf2_<m>_invert   $4 a   $6 f   $7 where a^2 or 1 / a (0 for 0) goes
#   gf2_<m>_ladder     $4 x of a point P, replaced by that of k P (0 if it has none)   $5 k, m bits
#                      $6 f, and behind it the square root of the curve's b   $7 room for five elements
#   gf2_233_ladder_koblitz   the same for b = 1
# An element has 8 or 6 words.
#   v2 v3 v4 are used by products and squares, v5 holds a word and zeros, v7 f
#   $2 $3 words   $8 $9 factors of the reduction   $7 room for low words
        .text
        .set    noreorder

    .if P >= 8 && L == P
        .macro  SetField degree
        DEGREE = \degree
        WORDS = (DEGREE + 31) / 32
    .if DEGREE == 233
        lui     $8, 1 << 7              # x^256 = x^23 + x^97
        addiu   $9, $0, 2
    .else
        addiu   $8, $0, 0x402           # x^192 = x^10 + x
    .endif
        vload   v7, ($6), WORDS
        vxor    v5, v5, v5
        .endm

# vd = low + the upper half in v2, modulo f. |stored| 1: low lies at $7 but for its last word, $3.
# |above| is used.
        .macro  Reduce vd, low, stored, above
    .if DEGREE == 233
        vspmult \above, v2, $9          # times x^97, without three words
      .if \stored
        sw      $3, 28($7)
      .endif
        vwshr   \above, \above, 5       # what would leave the register: to the upper half again
      .if \stored
        vload   \vd, ($7), 8
      .endif
        vxor    v2, v2, \above
        vspmult v3, v2, $8
        vspmult v2, v2, $9
      .if P > 8
        vwshl   \above, \above, 8
      .endif
        vwshl   v2, v2, 3
      .if P > 8
        vxor    v2, v2, \above
      .endif
        vxor    \vd, \low, v3
        vxor    \vd, \vd, v2
        vextract $2, \vd, 8
        srl     $2, $2, 9
    .else
        vspmult v2, v2, $8
      .if \stored
        sw      $3, 20($7)
        vload   \vd, ($7), 6
      .endif
        vxor    \vd, \low, v2
        vextract $2, \vd, 6
        vextract $3, \vd, 7
        srl     $2, $2, 31
        sll     $3, $3, 1
        or      $2, $2, $3
    .endif
        vspmult v3, v7, $2
        vxor    \vd, \vd, v3
        .endm

# vd = va * vb. The sum slides down a word at a time; VWSHR brings in CAR, the product's top word.
        .macro  Product vd, va, vb
        vextract $2, \va, 1
        J = 0
        .rept   WORDS
    .if J == 0
        vspmult v2, \vb, $2
        vextract $2, \va, 2
    .else
        vspmult v3, \vb, $2
      .if J + 1 < WORDS
        vextract $2, \va, J + 2
      .endif
        sw      $3, 4 * J - 4($7)
        vxor    v2, v2, v3
    .endif
        vextract $3, v2, 1
        vwshr   v2, v2, 1
        J = J + 1
        .endr
        Reduce  \vd, \vd, 1, v4
        .endm

# vd = va^2: the square of each word, in the place of two.
        .macro  Square vd, va
        J = WORDS / 2
        .rept   WORDS / 2
        vextract $2, \va, J + WORDS / 2
        vextract $3, \va, J
    .if J == WORDS / 2
        vsmove  v5, $2, 1
        vspmult v2, v5, $2
        vsmove  v5, $3, 1
        vspmult v4, v5, $3
    .else
        vwshl   v2, v2, 2
        vsmove  v5, $2, 1
        vspmult v3, v5, $2
        vwshl   v4, v4, 2
        vsmove  v5, $3, 1
        vxor    v2, v2, v3
        vspmult v3, v5, $3
        vxor    v4, v4, v3
    .endif
        J = J - 1
        .endr
        Reduce  \vd, v4, 0, \vd
        .endm

# v0 = 1 / v1, as the power 2^m - 2.
        .macro  Inverse
    .if DEGREE == 233
        PowerOfOnes 0xD000, 7           # 232 = 1 1101000b
    .else
        PowerOfOnes 0x7C00, 7           # 190 = 1 0111110b
    .endif
        Square  v0, v0
        .endm

        .macro  FieldFunctions degree
        .global gf2_\degree\()_multiply
        .ent    gf2_\degree\()_multiply
gf2_\degree\()_multiply:
        vload   v0, ($4), (\degree + 31) / 32
        vload   v1, ($5), (\degree + 31) / 32
        SetField \degree
        Product v0, v0, v1
        jr      $31
        vstore  ($7), v0, WORDS
        .end    gf2_\degree\()_multiply

        .global gf2_\degree\()_square
        .ent    gf2_\degree\()_square
gf2_\degree\()_square:
        vload   v0, ($4), (\degree + 31) / 32
        SetField \degree
        Square  v0, v0
        jr      $31
        vstore  ($7), v0, WORDS
        .end    gf2_\degree\()_square

        .global gf2_\degree\()_invert
        .ent    gf2_\degree\()_invert
gf2_\degree\()_invert:
        vload   v1, ($4), (\degree + 31) / 32
        SetField \degree
        Inverse
        jr      $31
        vstore  ($7), v0, WORDS
        .end    gf2_\degree\()_invert
        .endm

        FieldFunctions 191
        FieldFunctions 233

# ---- Ladder: registers as in ladder.s   $25 square root of b   v0 v1 v6 elements ----
        .macro  Ladder name, degree, koblitz
        .global \name
        .ent    \name
\name:
        SetField \degree
        addiu   $25, $6, 4 * WORDS
        BeginLadder WORDS, DEGREE
        Exchange WORDS
        vstore  ($12), v0, WORDS
        vstore  ($14), v3, WORDS
        vstore  ($13), v4, WORDS

        Product v6, v0, v1              # X1 Z2
        vload   v0, ($14), WORDS
        vload   v1, ($13), WORDS
        Product v0, v0, v1              # X2 Z1
        Product v1, v6, v0
        vxor    v0, v0, v6
        Square  v0, v0                  # Z of the sum
        vload   v6, ($24), WORDS
        vstore  ($15), v0, WORDS
        Product v0, v0, v6
        vxor    v0, v0, v1
        vload   v1, ($13), WORDS
        vstore  ($14), v0, WORDS        # its X
        vload   v0, ($12), WORDS
        Square  v1, v1
        Square  v0, v0
        Product v6, v0, v1
        vstore  ($13), v6, WORDS        # Z of the double
    .if !\koblitz
        vload   v6, ($25), WORDS
        Product v1, v1, v6
    .endif
        vxor    v0, v0, v1
        Square  v0, v0
        NextDigit v0, $12, WORDS        # its X
        LadderQuotient WORDS
        EndLadder WORDS
        .end    \name
        .endm

        Ladder  gf2_191_ladder, 191, 0
        Ladder  gf2_233_ladder, 233, 0
        Ladder  gf2_233_ladder_koblitz, 233, 1
    .endif
