# Montgomery products in binary fields, a * b * x^(-32 M) mod f (VeMICry paper, section 3.2 and
# figure 3; section 5.4 for reduction by 64 bits). An operand has M words; they are reduced without
# a last subtraction. p is at least M + 2, and M even for reduction by 64 bits.
#   $4 a   $5 b   $6 f   $7 result   16($sp) M   20($sp) N0, the inverse of f's low word
#   24($sp) the high word of an N0 of 64 bits
# Macros make each routine for operands of |words| words, so that VLOAD clears what is behind them.
#   v0 c   v1 b   v2 f   v3 quotient's operand   v4 products   v5 product with N0   v6 high part
        .text

# The paper's layout: a rolled loop of 14 instructions that takes a's words by an index.
#   copy   1: the low word of c is copied to a register for its product with N0, as printed;
#          0: c is multiplied whole, which saves two instructions
#   wait   1: an instruction between the load of a's word and its use, as MIPS-I hardware needs
        .macro  paper_layout name, words, copy, wait
        .global \name
        .ent    \name
\name:
        lw      $12, 16($29)            # M
        lw      $13, 20($29)            # N0
        vload   v1, ($5), \words
        vload   v2, ($6), \words
        vsmove  v0, $0, 0
        addiu   $11, $0, 0              # offset of a's word
        sll     $12, $12, 2
1:
        addu    $8, $4, $11
        lw      $8, 0($8)
        .if     \wait
        nop
        .endif
        vspmult v4, v1, $8              # c += A_j * b
        vxor    v0, v0, v4
        .if     \copy
        vextract $9, v0, 1              # the quotient of c's low word
        vsmove  v3, $9, 1               # what v3 holds above does not matter
        vspmult v5, v3, $13
        .else
        vspmult v5, v0, $13
        .endif
        vextract $9, v5, 1
        vspmult v4, v2, $9              # c += quotient * f: the low word becomes 0
        vxor    v0, v0, v4
        vwshr   v0, v0, 1
        addiu   $11, $11, 4
        bne     $11, $12, 1b
        nop
        vstore  ($7), v0, \words
        jr      $31
        nop
        .end    \name
        .endm

        paper_layout gf2_191_product, 6, 1, 0
        paper_layout gf2_191_product_whole, 6, 0, 0
        paper_layout gf2_191_product_wait, 6, 1, 1
        paper_layout gf2_256_product_paper, 8, 1, 0     # wrong above 224 bits: it loses CAR

# The same for reduction by 64 bits. A product with two words is a product with each, of which the
# second is shifted by a word.
        .macro  paper_layout_64 name, words
        .global \name
        .ent    \name
\name:
        lw      $12, 16($29)
        lw      $13, 20($29)            # N0, low and high
        lw      $14, 24($29)
        vload   v1, ($5), \words
        vload   v2, ($6), \words
        vsmove  v0, $0, 0
        addiu   $11, $0, 0
        sll     $12, $12, 2
1:
        addu    $10, $4, $11
        lw      $8, 0($10)
        lw      $9, 4($10)
        vspmult v4, v1, $8              # c += A_j * b
        vxor    v0, v0, v4
        vspmult v6, v1, $9
        vwshl   v6, v6, 1
        vxor    v0, v0, v6
        vspmult v3, v0, $13              # quotient, two words
        vspmult v5, v0, $14
        vwshl   v5, v5, 1
        vxor    v5, v3, v5
        vextract $8, v5, 1
        vextract $9, v5, 2
        vspmult v4, v2, $8              # c += quotient * f
        vxor    v0, v0, v4
        vspmult v6, v2, $9
        vwshl   v6, v6, 1
        vxor    v0, v0, v6
        vwshr   v0, v0, 2
        addiu   $11, $11, 8
        bne     $11, $12, 1b
        nop
        vstore  ($7), v0, \words
        jr      $31
        nop
        .end    \name
        .endm

        paper_layout_64 gf2_191_product_64, 6
        paper_layout_64 gf2_256_product_64, 8           # wrong: p is less than M + 2

# Tight loops over a pointer, with delay slots put to use and M known.
        .macro  rolled name, words
        .global \name
        .ent    \name
\name:
        lw      $8, 20($29)
        vload   v1, ($5), \words
        vload   v2, ($6), \words
        vsmove  v0, $0, 0
        addiu   $10, $4, 4 * \words
1:
        lw      $9, 0($4)
        addiu   $4, $4, 4
        vspmult v4, v1, $9
        vxor    v0, v0, v4
        vspmult v4, v0, $8
        vextract $9, v4, 1
        vspmult v4, v2, $9
        vxor    v0, v0, v4
        bne     $4, $10, 1b
        vwshr   v0, v0, 1
        jr      $31
        vstore  ($7), v0, \words
        .end    \name
        .endm

        rolled  gf2_191_product_rolled, 6

        .macro  rolled_64 name, words
        .global \name
        .ent    \name
\name:
        lw      $2, 20($29)
        lw      $3, 24($29)
        vload   v1, ($5), \words
        vload   v2, ($6), \words
        vsmove  v0, $0, 0
        addiu   $10, $4, 4 * \words
1:
        lw      $8, 0($4)
        lw      $9, 4($4)
        addiu   $4, $4, 8
        vspmult v4, v1, $8
        vxor    v0, v0, v4
        vspmult v4, v1, $9
        vwshl   v4, v4, 1
        vxor    v0, v0, v4
        vspmult v5, v0, $3
        vwshl   v5, v5, 1
        vspmult v4, v0, $2
        vxor    v4, v4, v5
        vextract $8, v4, 1
        vextract $9, v4, 2
        vspmult v4, v2, $8
        vxor    v0, v0, v4
        vspmult v4, v2, $9
        vwshl   v4, v4, 1
        vxor    v0, v0, v4
        bne     $4, $10, 1b
        vwshr   v0, v0, 2
        jr      $31
        vstore  ($7), v0, \words
        .end    \name
        .endm

        rolled_64 gf2_191_product_64_rolled, 6

# Fields of 225 to 255 bits in registers of 8 words: c and each product have a word more than a
# register holds, which is in CAR until the next product. So c and the second product are shifted,
# each with its CAR, before they are added.
        .global gf2_256_product
        .ent    gf2_256_product
gf2_256_product:
        lw      $8, 20($29)
        vload   v1, ($5), 8
        vload   v2, ($6), 8
        vsmove  v0, $0, 0
        addiu   $10, $4, 32
1:
        lw      $9, 0($4)
        addiu   $4, $4, 4
        vspmult v4, v1, $9
        vxor    v0, v0, v4
        vwshr   v5, v0, 1
        vspmult v4, v0, $8
        vextract $9, v4, 1
        vspmult v4, v2, $9
        vwshr   v4, v4, 1
        bne     $4, $10, 1b
        vxor    v0, v5, v4
        jr      $31
        vstore  ($7), v0, 8
        .end    gf2_256_product
