/* AES by the names of Brian Gladman's aes.h: a program written for that compiles with
 * -I<prefix>/include/incore/compat and links with -lincore_gladman, unchanged. This header has keys
 * and single blocks, and includes aes_modes.h. docs/gladman.md tells what differs.
 *
 * The rules of all functions:
 * - They return EXIT_SUCCESS (0) or EXIT_FAILURE, and then have changed nothing.
 * - EXIT_FAILURE for: a NULL pointer (but buffers of length 0), a context that is not aligned to 16
 *   bytes or has no key, a length that the mode does not take, overlap of two arguments. |in| and
 *   |out| may be the same.
 * - Contexts are the caller's and hold keys: clear them when done. They may be copied. Calls
 *   that take a const context may share it between threads.
 * - Single blocks never use VIA's engine; what processes whole blocks does, where it is there.
 */
#ifndef INCORE_COMPAT_AES_H
#define INCORE_COMPAT_AES_H

#include <stdlib.h>

#include "brg_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define INCORE_COMPAT_API __attribute__((visibility("default")))
#define INCORE_COMPAT_ALIGNED __attribute__((aligned(16)))
#else
#define INCORE_COMPAT_API
#define INCORE_COMPAT_ALIGNED
#endif

/* What his header defines, for programs that ask: which keys there are, and modes. */
#ifndef AES_128
#define AES_128
#define AES_192
#define AES_256
#define AES_VAR
#define AES_MODES
#define AES_ENCRYPT
#define AES_DECRYPT
#endif

#define AES_BLOCK_SIZE_P2 4
#define AES_BLOCK_SIZE (1 << AES_BLOCK_SIZE_P2) /* bytes */
#define N_COLS 4                                /* columns of a block */

#define AES_RETURN INT_RETURN

/* What his contexts tell: b[0] is 16 times the number of rounds; b[1] is 0xff if the engine serves
 * whole blocks; b[2] is 1 in a context for encryption, 0 in one for decryption; b[3] is how many
 * bytes of a begun block CFB, OFB or CTR have used. Setting b[3] to 0 is aes_mode_reset. */
typedef union {
  uint32_t l;
  uint8_t b[4];
} aes_inf;

#define IS_ENCRYPTION_CTX(cx) (((cx)->inf.b[2] & 1) == 1)
#define IS_DECRYPTION_CTX(cx) (((cx)->inf.b[2] & 1) == 0)

typedef struct {
  unsigned char opaque[2428];
  aes_inf inf;
} INCORE_COMPAT_ALIGNED aes_crypt_ctx;

typedef aes_crypt_ctx aes_encrypt_ctx;
typedef aes_crypt_ctx aes_decrypt_ctx;

/* aes_init does nothing: there are no tables to make. */
INCORE_COMPAT_API AES_RETURN aes_init(void);

/* aes_encrypt_key and its like set the key of |cx| from the bytes at |key|, and put all modes back
 * to their start. |key_len| is 16, 24 or 32 bytes, or 128, 192 or 256 bits. */
INCORE_COMPAT_API AES_RETURN aes_encrypt_key(const unsigned char* key, int key_len,
                                             aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_encrypt_key128(const unsigned char* key, aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_encrypt_key192(const unsigned char* key, aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_encrypt_key256(const unsigned char* key, aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_decrypt_key(const unsigned char* key, int key_len,
                                             aes_decrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_decrypt_key128(const unsigned char* key, aes_decrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_decrypt_key192(const unsigned char* key, aes_decrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_decrypt_key256(const unsigned char* key, aes_decrypt_ctx cx[1]);

/* aes_encrypt and aes_decrypt process one block of 16 bytes. */
INCORE_COMPAT_API AES_RETURN aes_encrypt(const unsigned char* in, unsigned char* out,
                                         const aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_decrypt(const unsigned char* in, unsigned char* out,
                                         const aes_decrypt_ctx cx[1]);

#ifdef __cplusplus
}
#endif

#include "aes_modes.h"

#endif /* INCORE_COMPAT_AES_H */
