/* Modes of operation by the names of Brian Gladman's aes_modes.h; the rules are in aes.h. CFB is
 * CFB128.
 *
 * - |len| counts bytes and may not be negative; 0 does nothing. Buffers may have any alignment.
 * - |iv| is 16 bytes, and may not overlap the data. Each call leaves in it what the next one goes
 *   on with, so that calls in a row equal one call.
 * - CFB, OFB and CTR keep in the context where in a block the last call ended. A context serves one
 *   of them at a time: in the midst of a block another mode (also CFB in the other direction)
 *   answers EXIT_FAILURE until aes_mode_reset or a new key.
 */
#ifndef INCORE_COMPAT_AES_MODES_H
#define INCORE_COMPAT_AES_MODES_H

#include "aes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* aes_test_alignment_detection says whether addresses can be told by their distance from a multiple
 * of |n|: EXIT_SUCCESS if |n| is 4, 8 or 16. */
INCORE_COMPAT_API AES_RETURN aes_test_alignment_detection(unsigned int n);

/* aes_mode_reset puts CFB, OFB and CTR back to the start of a block; the key stays. Not needed
 * after a new key, nor where all lengths are multiples of 16. */
INCORE_COMPAT_API AES_RETURN aes_mode_reset(aes_encrypt_ctx cx[1]);

/* In ECB and CBC |len| is a multiple of 16, else EXIT_FAILURE. */
INCORE_COMPAT_API AES_RETURN aes_ecb_encrypt(const unsigned char* ibuf, unsigned char* obuf,
                                             int len, const aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_ecb_decrypt(const unsigned char* ibuf, unsigned char* obuf,
                                             int len, const aes_decrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_cbc_encrypt(const unsigned char* ibuf, unsigned char* obuf,
                                             int len, unsigned char* iv,
                                             const aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_cbc_decrypt(const unsigned char* ibuf, unsigned char* obuf,
                                             int len, unsigned char* iv,
                                             const aes_decrypt_ctx cx[1]);

/* These take any |len|, and encryption contexts for both directions. Whole blocks are fastest. */
INCORE_COMPAT_API AES_RETURN aes_cfb_encrypt(const unsigned char* ibuf, unsigned char* obuf,
                                             int len, unsigned char* iv, aes_encrypt_ctx cx[1]);
INCORE_COMPAT_API AES_RETURN aes_cfb_decrypt(const unsigned char* ibuf, unsigned char* obuf,
                                             int len, unsigned char* iv, aes_encrypt_ctx cx[1]);

#define aes_ofb_encrypt aes_ofb_crypt
#define aes_ofb_decrypt aes_ofb_crypt
INCORE_COMPAT_API AES_RETURN aes_ofb_crypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                                           unsigned char* iv, aes_encrypt_ctx cx[1]);

/* Makes the next counter of the 16 bytes at |cbuf|. */
typedef void cbuf_inc(unsigned char* cbuf);

/* |cbuf| is the counter block. |ctr_inc| is called behind each whole block. A block that a call
 * leaves begun keeps its counter until a later call goes on behind it: that call needs |cbuf| as it
 * was left. NULL: the whole block is one big-endian number, which rises by 1 and wraps (fastest).
 */
#define aes_ctr_encrypt aes_ctr_crypt
#define aes_ctr_decrypt aes_ctr_crypt
INCORE_COMPAT_API AES_RETURN aes_ctr_crypt(const unsigned char* ibuf, unsigned char* obuf, int len,
                                           unsigned char* cbuf, cbuf_inc ctr_inc,
                                           aes_encrypt_ctx cx[1]);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_COMPAT_AES_MODES_H */
