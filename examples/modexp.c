// Computes 3^(p-1) modulo the prime p = 2^256 - 189, which is 1 by Fermat's little theorem. The
// exponent would be a secret elsewhere: time does not depend on it.
#include <incore/mont.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  uint8_t p[32], exponent[32], base[1] = {3}, result[32];
  memset(p, 0xff, sizeof p);
  p[31] = 0x43;
  memcpy(exponent, p, sizeof p);
  exponent[31] -= 1;

  const size_t len = incore_mont_workspace_len(256);
  void* workspace = malloc(len);
  if (workspace == NULL) return 1;
  incore_mont mont;
  incore_status status = incore_mont_set(&mont, p, sizeof p, workspace, len);
  if (status == INCORE_OK) {
    status =
        incore_mont_exp(&mont, base, sizeof base, exponent, sizeof exponent, result, sizeof result);
    incore_mont_wipe(&mont);
  }
  free(workspace);
  if (status != INCORE_OK) {
    fprintf(stderr, "modexp: %s\n", incore_status_message(status));
    return 1;
  }
  int one = result[31] == 1;
  for (size_t i = 0; i < 31; ++i) one = one && result[i] == 0;
  printf("kernel %s: %s\n", incore_mont_kernel(), one ? "1, as Fermat says" : "WRONG");
  return one ? 0 : 1;
}
