// Checks that the generator of the NIST curve K-283 (FIPS 186-4, section D.1.3.3.1) lies on it:
// y^2 + xy = x^3 + 1 in the field of the polynomial x^283 + x^12 + x^7 + x^5 + 1. Says which kernel
// did it.
#include <incore/gf2.h>
#include <stdio.h>

enum { kWords = 5 };

int main(void) {
  static const unsigned exponents[] = {283, 12, 7, 5, 0};
  static const uint64_t x[kWords] = {0xb0c2ac2458492836, 0x23c1567a16876913, 0x62f188e553cd265f,
                                     0x78ca44883f1a3b81, 0x000000000503213f};
  static const uint64_t y[kWords] = {0x4e34116177dd2259, 0xe8184698e4596236, 0x07e5426fe87e45c0,
                                     0x0f1c9e318d90f95d, 0x0000000001ccda38};
  incore_gf2_field field;
  uint64_t left[kWords], right[kWords], xy[kWords];
  incore_status status =
      incore_gf2_field_set(&field, exponents, sizeof exponents / sizeof exponents[0]);
  if (status == INCORE_OK) status = incore_gf2_field_square(&field, y, left);
  if (status == INCORE_OK) status = incore_gf2_field_multiply(&field, x, y, xy);
  if (status == INCORE_OK) status = incore_gf2_field_square(&field, x, right);
  if (status == INCORE_OK) status = incore_gf2_field_multiply(&field, right, x, right);
  if (status != INCORE_OK) {
    fprintf(stderr, "gf2: %s\n", incore_status_message(status));
    return 1;
  }
  right[0] ^= 1;
  int equal = 1;
  for (int i = 0; i < kWords; ++i) equal &= (left[i] ^ xy[i]) == right[i];
  printf("kernel %s: %s\n", incore_gf2_kernel(), equal ? "on the curve" : "WRONG");
  return equal ? 0 : 1;
}
