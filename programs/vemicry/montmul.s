# Montgomery products and modular exponentiation for integers of 1024 and 2048 bits (VeMICry paper,
# section 6, names these sizes as the next step). n is odd; numbers are words, lowest first.
#   $4 a   $5 b   $6 n, behind it its complement   $7 result, two places
#   16($sp) n0' = -1 / n modulo 2^32
# Returns the address of a * b / R modulo n. A place is PLACE words, of which those beyond a
# number's own are 0. Which form there is depends on P, the words of a vector register:
#   one register holds a number and three words more: R = 2^(32 (words + 1)), a, b and the result are
#   below 2 n, so that no product needs a subtraction;
#   one register is just as long as a number: R = 2^(32 words), a, b and the result are below R;
#   else a number is cut into pieces: R = 2^(32 words), a, b and the result are below n.
# The complement is 2^(32 PLACE) - n. In all forms the sequence of instructions does not depend on
# the numbers; the address of the result does.
        .text

# $2 = $7, or if $8 is 1 the place behind it. Uses $8 $9.
        .macro  choose_place words
        subu    $8, $0, $8
        addiu   $9, $0, 4 * \words
        and     $8, $8, $9
        addu    $2, $7, $8
        .endm

# ---- One register ----
# As in gf2_product_best.s, quotients need no product with n' = n * n0', whose low word is 2^32 - 1.
# Taking n in the last two passes keeps the result below n (1 + 2^-32) + a b / R.
#   v0 b   v1 n   v2 n'   v3 c   v4 next product with b, before it with n0'   v5 product with n
        .macro  montmul_in_register name, words
        .global \name
        .ent    \name
\name:
        lw      $9, 0($4)
        vload   v0, ($5), 0
        lw      $8, 16($29)
        vsamult v3, v0, $9
        vload   v1, ($6), 0
        lw      $9, 4($4)
        vsamult v2, v1, $8
        .set    j, 0
        .rept   \words + 1
        .if     j < \words - 1
        vextract $10, v3, 1
        vsamult v4, v0, $9
        vsamult v5, v2, $10
        .else
        vsamult v4, v3, $8
        vextract $10, v4, 1
        .if     j < \words
        vsamult v4, v0, $9
        .endif
        vsamult v5, v1, $10
        .endif
        .if     j + 2 <= \words
        lw      $9, 4 * j + 8($4)
        .endif
        vaddu   v3, v3, v5
        vwshr   v3, v3, 1               # CAR is 0: no sum reaches word p
        .if     j < \words
        vaddu   v3, v3, v4
        .endif
        .set    j, j + 1
        .endr
        addu    $2, $7, $0
        jr      $31
        vstore  ($7), v3, 0
        .end    \name
        .endm

# ---- One register, without a word to spare ----
# c has 32 bits more than the register after a product, and those of the first one must be kept over the
# second. They become the top word of a register of zeros, which is added when c has been shifted. A
# carry out of that is a 2^(32 P), for which the complement of n is added: products with 0 or 1.
#   v0 b   v1 n   v2 complement   v3 c   v4 zeros   v5 top word   v6 products
        .macro  montmul_exact name, words
        .global \name
        .ent    \name
\name:
        addiu   $10, $6, 4 * \words
        lw      $8, 16($29)
        vload   v0, ($5), 0
        vload   v1, ($6), 0
        vload   v2, ($10), 0
        lw      $9, 0($4)
        vsmove  v4, $0, 0
        .set    j, 1
        .rept   \words
        .if     j == 1
        vsamult v3, v0, $9
        .else
        vsamult v6, v0, $9
        vaddu   v3, v3, v6
        .endif
        vwshr   v5, v4, 1               # CAR as the top word
        vsamult v6, v3, $8
        .if     j < \words
        lw      $9, 4 * j($4)
        .endif
        vextract $10, v6, 1
        vsamult v6, v1, $10
        vaddu   v3, v3, v6
        vextract $10, v3, 0
        vwshr   v3, v3, 1
        vaddu   v3, v3, v5
        vextract $11, v3, 0
        subu    $11, $11, $10           # the carry alone
        vsamult v6, v2, $11
        vaddu   v3, v3, v6
        .set    j, j + 1
        .endr
        addu    $2, $7, $0
        jr      $31
        vstore  ($7), v3, 0
        .end    \name
        .endm

# A loop in the layout of gf2_191_product_rolled: R = 2^(32 words), a and b below n, the result below
# 2 n. It needs two words beyond a number's own.
        .macro  montmul_rolled name, words
        .global \name
        .ent    \name
\name:
        lw      $8, 16($29)
        vload   v0, ($5), 0
        vload   v1, ($6), 0
        vsmove  v3, $0, 0
        addiu   $10, $4, 4 * \words
1:
        lw      $9, 0($4)
        addiu   $4, $4, 4
        vsamult v5, v0, $9
        vaddu   v3, v3, v5
        vsamult v5, v3, $8
        vextract $9, v5, 1
        vsamult v5, v1, $9
        vaddu   v3, v3, v5
        bne     $4, $10, 1b
        vwshr   v3, v3, 1
        jr      $31
        vstore  ($7), v3, 0
        .end    \name
        .endm

# ---- Pieces ----
# A piece has PIECE words, one less than a register at least. a is taken STEPS words at a time, which
# scalar registers hold, with their quotients. For these each piece of b and n is taken once, from
# the lowest: a window of a register slides over the sum, a word in a step. Two products are made,
# which leave CAR at 0 as a piece is shorter than the register; then both are added, which counts
# carries in CAR; then the window is shifted, which takes them in. The word that leaves it is final.
# In the lowest piece that word is made 0, and what makes it so is the quotient.
#   v0 piece of b   v1 piece of n   v2 window   v3 v4 products   v5 piece of the sum   v6 quotient
#   $8-$15 words of a   $16-$23 quotients   $2 $3 $24 pieces of b, n, the sum   $25 end of the sum
#   $1 n0'   $31 end of a   $30 a word
        .if     P >= 63
        .set    PIECE, 62               # n of VLOAD and VEXTRACT has six bits
        .else
        .set    PIECE, P - 1
        .endif
        .if     PIECE >= 8
        .set    STEPS, 8
        .else
        .set    STEPS, 4
        .endif

# A step in the lowest piece.
        .macro  first_step a, quotient
        vsamult v3, v0, \a
        vaddu   v5, v2, v3              # for its low word; its carry is not wanted
        vsamult v6, v5, $1
        vextract \quotient, v6, 1
        vsamult v4, v1, \quotient
        vaddu   v2, v2, v3
        vaddu   v2, v2, v4
        vwshr   v2, v2, 1
        .endm

        .macro  products a, quotient
        vsamult v3, v0, \a
        vsamult v4, v1, \quotient
        .endm

# The rest of a step in another piece; the word's new place is STEPS words below.
        .macro  end_of_step number
        vaddu   v2, v2, v3
        vaddu   v2, v2, v4
        vextract $30, v2, 1
        vwshr   v2, v2, 1
        sw      $30, 4 * \number - 4 * STEPS($24)
        .endm

        .macro  step a, quotient, number
        products \a, \quotient
        end_of_step \number
        .endm

# The sum at $7 plus the complement behind n, to $25: it is the sum less n, unless nothing is carried
# out of it. $2 gets the address of the one below n. Uses $2 $3 $8 $9.
        .macro  reduce_pieces
        addiu   $2, $6, 4 * PIECES * PIECE
        addu    $3, $7, $0
        vsmove  v3, $0, 0               # carry, in word 0
        .rept   PIECES
        vload   v0, ($3), PIECE
        vload   v1, ($2), PIECE
        addiu   $3, $3, 4 * PIECE
        vaddu   v2, v0, v1
        vaddu   v2, v2, v3
        addiu   $2, $2, 4 * PIECE
        vextract $8, v2, PIECE + 1
        vstore  ($25), v2, PIECE
        vsmove  v3, $8, 1
        addiu   $25, $25, 4 * PIECE
        .endr
        choose_place PIECES * PIECE
        .endm

        .macro  montmul_in_pieces name, words
        .set    PIECES, (\words + PIECE) / PIECE        # the sum has a word more than n
        .global \name
        .ent    \name
\name:
        addiu   $29, $29, -40
        lw      $1, 56($29)
        sw      $16, 0($29)
        sw      $17, 4($29)
        sw      $18, 8($29)
        sw      $19, 12($29)
        .if     STEPS == 8
        sw      $20, 16($29)
        sw      $21, 20($29)
        sw      $22, 24($29)
        sw      $23, 28($29)
        .endif
        sw      $30, 32($29)
        sw      $31, 36($29)
        vsmove  v2, $0, 0
        addu    $25, $7, $0
        .rept   PIECES
        vstore  ($25), v2, PIECE
        addiu   $25, $25, 4 * PIECE
        .endr
        addiu   $31, $4, 4 * \words
1:
        lw      $8, 0($4)
        lw      $9, 4($4)
        lw      $10, 8($4)
        lw      $11, 12($4)
        .if     STEPS == 8
        lw      $12, 16($4)
        lw      $13, 20($4)
        lw      $14, 24($4)
        lw      $15, 28($4)
        .endif
        addiu   $4, $4, 4 * STEPS
        vload   v0, ($5), PIECE
        vload   v1, ($6), PIECE
        vload   v2, ($7), PIECE
        first_step $8, $16
        first_step $9, $17
        first_step $10, $18
        first_step $11, $19
        .if     STEPS == 8
        first_step $12, $20
        first_step $13, $21
        first_step $14, $22
        first_step $15, $23
        .endif
        vstore  ($7), v2, PIECE
        .if     PIECES > 1
        addiu   $2, $5, 4 * PIECE
        addiu   $3, $6, 4 * PIECE
        addiu   $24, $7, 4 * PIECE
2:
        vload   v0, ($2), PIECE
        vload   v1, ($3), PIECE
        vload   v5, ($24), PIECE
        products $8, $16
        vwshr   v2, v2, PIECE - STEPS   # the window moves on to this piece; CAR is 0
        vaddu   v2, v2, v5
        end_of_step 0
        step    $9, $17, 1
        step    $10, $18, 2
        step    $11, $19, 3
        .if     STEPS == 8
        step    $12, $20, 4
        step    $13, $21, 5
        step    $14, $22, 6
        step    $15, $23, 7
        .endif
        vstore  ($24), v2, PIECE
        addiu   $2, $2, 4 * PIECE
        addiu   $24, $24, 4 * PIECE
        bne     $24, $25, 2b
        addiu   $3, $3, 4 * PIECE
        .endif
        bne     $4, $31, 1b
        nop
        reduce_pieces
        lw      $31, 36($29)
        lw      $16, 0($29)
        lw      $17, 4($29)
        lw      $18, 8($29)
        lw      $19, 12($29)
        .if     STEPS == 8
        lw      $20, 16($29)
        lw      $21, 20($29)
        lw      $22, 24($29)
        lw      $23, 28($29)
        .endif
        lw      $30, 32($29)
        jr      $31
        addiu   $29, $29, 40
        .end    \name
        .endm

# ---- Exponentiation ----
#   $4 base, below n   $5 exponent, |words| words   $6 n, behind it its complement   $7 result, two places
#   16($sp) n0'   20($sp) R^2 modulo n   24($sp) room for 1 + 2 * 18 places and 16 words
# Returns the address of base^exponent modulo n. Windows of four bits, from the top: a table of 16
# powers, then for each window four squarings and a product, with the power 0 too.
#   $16 power so far   $17 place of the next   $18 exponent's word   $19 room   $20 both places, added
#   $21 next word of the exponent   $22 n   $23 windows left
# The room: addresses of the powers, the number 1, the powers, two places that products go to in turn.
        .macro  modexp name, montmul, words, place
        .global \name
        .ent    \name
\name:
        addiu   $29, $29, -64
        sw      $16, 24($29)
        sw      $17, 28($29)
        sw      $18, 32($29)
        sw      $19, 36($29)
        sw      $20, 40($29)
        sw      $21, 44($29)
        sw      $22, 48($29)
        sw      $23, 52($29)
        sw      $31, 56($29)
        sw      $7, 76($29)
        lw      $8, 80($29)
        lw      $20, 84($29)
        lw      $19, 88($29)
        sw      $8, 16($29)             # n0', for all products
        addu    $18, $4, $0
        addiu   $21, $5, 4 * \words - 4
        addu    $22, $6, $0

        addiu   $8, $0, 1
        sw      $8, 64($19)             # the places were 0
        addiu   $17, $19, 64 + 4 * \place
        addiu   $4, $19, 64
        addu    $5, $20, $0
        addu    $6, $22, $0
        jal     \montmul
        addu    $7, $17, $0
        sw      $2, 0($19)              # the power 0: R
        addiu   $17, $17, 8 * \place
        addu    $4, $18, $0
        addu    $5, $20, $0
        addu    $6, $22, $0
        jal     \montmul
        addu    $7, $17, $0
        sw      $2, 4($19)
        addu    $18, $2, $0
        addiu   $16, $19, 8
        addiu   $23, $19, 64
1:
        addiu   $17, $17, 8 * \place
        addu    $4, $2, $0
        addu    $5, $18, $0
        addu    $6, $22, $0
        jal     \montmul
        addu    $7, $17, $0
        sw      $2, 0($16)
        addiu   $16, $16, 4
        bne     $16, $23, 1b
        nop

        addiu   $17, $17, 8 * \place
        addiu   $20, $17, 8 * \place
        addu    $20, $20, $17
        lw      $16, 0($19)
        addiu   $23, $0, 8 * \words
2:
        andi    $8, $23, 7
        bne     $8, $0, 3f
        nop
        lw      $18, 0($21)
        addiu   $21, $21, -4
3:
        .rept   4
        addu    $4, $16, $0
        addu    $5, $16, $0
        addu    $6, $22, $0
        jal     \montmul
        addu    $7, $17, $0
        addu    $16, $2, $0
        subu    $17, $20, $17
        .endr
        srl     $8, $18, 28
        sll     $8, $8, 2
        addu    $8, $8, $19
        lw      $5, 0($8)
        addu    $4, $16, $0
        addu    $6, $22, $0
        jal     \montmul
        addu    $7, $17, $0
        addu    $16, $2, $0
        subu    $17, $20, $17
        addiu   $23, $23, -1
        bne     $23, $0, 2b
        sll     $18, $18, 4

        addu    $4, $16, $0             # times 1: out of Montgomery's form
        addiu   $5, $19, 64
        lw      $7, 76($29)
        jal     \montmul
        addu    $6, $22, $0
        .if     \place == P            # no pieces: the result may be n
        lw      $7, 76($29)
        addiu   $8, $22, 4 * P
        vload   v0, ($2), 0
        vload   v1, ($8), 0
        addiu   $25, $7, 4 * P
        vsamult v2, v0, $0              # CAR = 0
        vaddu   v0, v0, v1
        vextract $8, v0, 0
        vstore  ($25), v0, 0
        choose_place P
        .endif
        lw      $31, 56($29)
        lw      $16, 24($29)
        lw      $17, 28($29)
        lw      $18, 32($29)
        lw      $19, 36($29)
        lw      $20, 40($29)
        lw      $21, 44($29)
        lw      $22, 48($29)
        lw      $23, 52($29)
        jr      $31
        addiu   $29, $29, 64
        .end    \name
        .endm

        .macro  functions product, power, words
        .if     P >= \words + 3
        montmul_in_register \product, \words
        modexp  \power, \product, \words, P
        .elseif P == \words
        montmul_exact \product, \words
        modexp  \power, \product, \words, P
        .else
        montmul_in_pieces \product, \words
        modexp  \power, \product, \words, PIECES * PIECE
        .endif
        .endm

        functions montmul_1024, modexp_1024, 32
        functions montmul_2048, modexp_2048, 64
        .if     P >= 34
        montmul_rolled montmul_1024_rolled, 32
        .endif
        .if     P >= 66
        montmul_rolled montmul_2048_rolled, 64
        .endif
