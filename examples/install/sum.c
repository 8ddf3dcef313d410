// Prints the SHA-256 and the CRC-32 of its argument, and who computed them: the smallest user of an
// installed library. Usage: sum TEXT
#include <incore/crc.h>
#include <incore/sha.h>
#include <incore/version.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: sum TEXT\n");
    return 2;
  }
  const size_t len = strlen(argv[1]);
  uint8_t digest[INCORE_SHA256_DIGEST_LEN];
  uint32_t crc = 0;
  incore_status status = incore_sha_digest(INCORE_SHA256, argv[1], len, digest, sizeof digest);
  if (status == INCORE_OK) status = incore_crc32(&crc, argv[1], len);
  if (status != INCORE_OK) {
    fprintf(stderr, "sum: %s\n", incore_status_message(status));
    return 1;
  }
  for (size_t i = 0; i < sizeof digest; ++i) printf("%02x", digest[i]);
  printf(" %08x Incore %s\n", crc, incore_version());
  return 0;
}
