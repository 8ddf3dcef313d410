// Tests with Fermat's little theorem whether 2^521 - 1 can be prime: 3^(p - 1) mod p must be 1.
// Says which kernel did it.
#include <incore/mont.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLen = 66 };  // bytes of 521 bits

int main(void) {
  uint8_t p[kLen], p_minus_1[kLen], result[kLen];
  static const uint8_t base[1] = {3};
  static const uint8_t one[kLen] = {[kLen - 1] = 1};
  memset(p, 0xFF, sizeof p);
  p[0] = 0x01;
  memcpy(p_minus_1, p, sizeof p);
  p_minus_1[kLen - 1] -= 1;

  const size_t workspace_len = incore_mont_workspace_len(521);
  void* workspace = malloc(workspace_len);
  if (workspace == NULL) return 1;
  incore_mont mont;
  incore_status status = incore_mont_set(&mont, p, sizeof p, workspace, workspace_len);
  if (status == INCORE_OK) {
    status = incore_mont_exp(&mont, base, sizeof base, p_minus_1, sizeof p_minus_1, result,
                             sizeof result);
    incore_mont_wipe(&mont);
  }
  free(workspace);
  if (status != INCORE_OK) {
    fprintf(stderr, "modexp: %s\n", incore_status_message(status));
    return 1;
  }
  const int right = memcmp(result, one, sizeof one) == 0;
  printf("kernel %s: 3^(p - 1) mod p %s 1\n", incore_mont_kernel(), right ? "is" : "IS NOT");
  return right ? 0 : 1;
}
