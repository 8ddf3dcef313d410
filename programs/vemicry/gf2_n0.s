# Montgomery's constant in binary fields: the inverse of f modulo x^32 or x^64 (VeMICry paper,
# section 5.4). f is odd, that is, has the term 1.
#   $4 f, lowest word first
# Newton's step doubles the number of right coefficients: N = N * N * F, as 2 N = 0 here.
        .text

# Five steps from N = 1. Returns N0.
        .global gf2_n0_32
        .ent    gf2_n0_32
gf2_n0_32:
        lw      $8, 0($4)
        addiu   $2, $0, 1
        vsmove  v0, $8, 1               # words above do not reach the low word of a product
        .rept   5
        vspmult v1, v0, $2
        vspmult v1, v1, $2
        vextract $2, v1, 1
        .endr
        jr      $31
        nop
        .end    gf2_n0_32

# F^32 = F(x^32) is 1 modulo x^32, so the inverse is F^31. A product of a vector and a scalar adds
# exponents, an extraction makes a scalar of a vector: no other order of these takes fewer than ten
# from F to F^31. v0 then has F, v1 F^31 in its low word.
        .macro  power_31 words
        lw      $8, 0($4)
        vload   v0, ($4), \words
        vspmult v1, v0, $8              # F^2
        vspmult v1, v1, $8
        vspmult v1, v1, $8
        vextract $9, v1, 1              # F^4
        vspmult v1, v1, $8
        vspmult v1, v1, $9
        vextract $10, v1, 1             # F^9
        vspmult v1, v1, $9              # F^13
        vspmult v1, v1, $10
        vspmult v1, v1, $10
        .endm

# Returns N0.
        .global gf2_n0_32_best
        .ent    gf2_n0_32_best
gf2_n0_32_best:
        power_31 1
        jr      $31
        vextract $2, v1, 1
        .end    gf2_n0_32_best

#   $5 where N0 goes, two words
# A last step of Newton's brings 64 right coefficients.
        .global gf2_n0_64
        .ent    gf2_n0_64
gf2_n0_64:
        power_31 2
        vextract $8, v1, 1
        vspmult v0, v0, $8
        vspmult v0, v0, $8
        jr      $31
        vstore  ($5), v0, 2
        .end    gf2_n0_64
