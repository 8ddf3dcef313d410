// What kernels do word by word, for every field and every length: included by a kernel within its
// namespace, with GF2_FUNCTION as the attributes of functions that may use its instructions, and
//
//   struct Product { uint64_t low, high; };
//   Product clmul(uint64_t a, uint64_t b);      the product of two words
//
// No #pragma once: each kernel has its own.

GF2_FUNCTION void multiply_by_words(const uint64_t* a, const uint64_t* b, size_t words,
                                    uint64_t* out) {
  for (size_t i = 0; i < 2 * words; ++i) out[i] = 0;
  for (size_t i = 0; i < words; ++i)
    for (size_t j = 0; j < words; ++j) {
      const Product product = clmul(a[i], b[j]);
      out[i + j] ^= product.low;
      out[i + j + 1] ^= product.high;
    }
}

// out = c * x^(-64 * words) modulo f, for a c of 2 * words words; c is used up. Each step adds the
// multiple of f that makes the lowest word 0.
GF2_FUNCTION void reduce_by_words(const Gf2Field& field, uint64_t* c, uint64_t* out) {
  const size_t words = field.words;
  for (size_t i = 0; i < words; ++i) {
    const uint64_t q = clmul(c[i], field.f0_inverse).low;
    for (size_t j = 0; j < words; ++j) {
      if (field.f[j] == 0) continue;  // f is public
      const Product product = clmul(q, field.f[j]);
      c[i + j] ^= product.low;
      c[i + j + 1] ^= product.high;
    }
    c[i + words] ^= q & (0 - field.f[words]);  // x^degree, where it is in a word of its own
  }
  for (size_t i = 0; i < words; ++i) out[i] = c[words + i];
}

GF2_FUNCTION void montmul_by_words(const Gf2Field& field, const uint64_t* a, const uint64_t* b,
                                   uint64_t* out) {
  uint64_t c[2 * kGf2MaxWords];
  multiply_by_words(a, b, field.words, c);
  reduce_by_words(field, c, out);
  wipe(c);
}

// The plain product as two of Montgomery's.
GF2_FUNCTION void field_multiply_by_words(const Gf2Field& field, const uint64_t* a,
                                          const uint64_t* b, uint64_t* out) {
  montmul_by_words(field, a, b, out);
  montmul_by_words(field, out, field.r2, out);
}

GF2_FUNCTION void field_square_by_words(const Gf2Field& field, const uint64_t* a, uint64_t* out) {
  field_multiply_by_words(field, a, a, out);
}
