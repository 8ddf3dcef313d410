// Hashes a file, or standard input, with SHA-256, piece by piece. Usage: sha256 [FILE]
#include <incore/sha.h>
#include <stdio.h>

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "rb") : stdin;
  if (file == NULL) {
    perror(argv[1]);
    return 2;
  }
  incore_sha sha;
  incore_status status = incore_sha_init(&sha, INCORE_SHA256);
  static unsigned char piece[65536];
  size_t len;
  while (status == INCORE_OK && (len = fread(piece, 1, sizeof piece, file)) > 0)
    status = incore_sha_update(&sha, piece, len);
  unsigned char digest[INCORE_SHA256_DIGEST_LEN];
  if (status == INCORE_OK) status = incore_sha_final(&sha, digest, sizeof digest);
  if (status != INCORE_OK || ferror(file)) {
    fprintf(stderr, "sha256: %s\n", ferror(file) ? "cannot read" : incore_status_message(status));
    return 1;
  }
  for (size_t i = 0; i < sizeof digest; ++i) printf("%02x", digest[i]);
  printf("\n");
  return 0;
}
