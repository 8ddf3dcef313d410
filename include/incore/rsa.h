/* RSA's operations on numbers: RSAEP/RSAVP1 and RSADP/RSASP1 of RFC 8017 with the Chinese remainder
 * theorem, for moduli of 512 to 16384 bits.
 *
 * WARNING: this is no encryption and no signature scheme. OAEP, PSS and PKCS #1 v1.5 padding are
 * the caller's; without one of them RSA is not secure.
 *
 * Beyond the rules in incore/status.h:
 * - Numbers are byte strings, highest byte first; leading zero bytes are allowed. Inputs and
 * outputs of an operation have exactly the modulus's length, incore_rsa_modulus_len().
 * - The key remembers where its workspace is. Until incore_rsa_key_wipe the workspace may be
 * neither moved nor used; a copy of the key is the same key. Keys with workspaces of their own may
 * be used at the same time.
 * - The private operation's time and addresses depend on lengths only, neither on the input nor on
 *   secret parts of the key, so that nothing is blinded. The public operation's time also depends
 * on the public exponent.
 * - Faults are looked for in this order: NULL, STATE, LENGTH, OVERLAP, RANGE. No function needs
 * more than 4 KiB of stack.
 */
#ifndef INCORE_RSA_H
#define INCORE_RSA_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_RSA_MIN_BITS 512
#define INCORE_RSA_MAX_BITS 16384

/* A key made ready. Secret, as its workspace is: pass it to incore_rsa_key_wipe when done. */
typedef struct incore_rsa_key {
  uint64_t opaque[32];
} incore_rsa_key;

/* |len| bytes at |bytes|. */
typedef struct incore_rsa_number {
  const uint8_t* bytes;
  size_t len;
} incore_rsa_number;

/* The parts of a private key, with the names of RFC 8017, section 3.2, second form. */
typedef struct incore_rsa_parts {
  incore_rsa_number n; /* modulus, p * q */
  incore_rsa_number e; /* public exponent */
  incore_rsa_number p; /* the primes */
  incore_rsa_number q;
  incore_rsa_number dp;    /* 1 / e mod (p - 1) */
  incore_rsa_number dq;    /* 1 / e mod (q - 1) */
  incore_rsa_number q_inv; /* 1 / q mod p */
} incore_rsa_parts;

/* incore_rsa_private_workspace_len and incore_rsa_public_workspace_len return how many bytes a key
 * with a modulus of |modulus_bits| bits needs: 25 and 14 KiB for 2048 bits, 48 and 28 KiB for 4096.
 * 0: no such modulus. */
INCORE_API size_t incore_rsa_private_workspace_len(size_t modulus_bits);
INCORE_API size_t incore_rsa_public_workspace_len(size_t modulus_bits);

/* incore_rsa_key_set_private makes |out_key| ready for both operations. |workspace|, of any
 * alignment, is the key's from now on; the parts are copied into it. INCORE_ERROR_LENGTH:
 * |workspace_len| is less than incore_rsa_private_workspace_len() says. INCORE_ERROR_RANGE: the
 * modulus is even or has fewer than 512 or more than 16384 bits; the exponent e is even, below 3 or
 * not below n; a prime is even, has fewer than 256 bits or more than half the modulus's and 64; n
 * is not p * q; dp, dq or q_inv is not below p, q or p. That dp, dq and q_inv are right shows only
 * in use. INCORE_ERROR_KERNEL: the environment variable INCORE_KERNEL is wrong. On failure an
 * earlier key stays, unless it had the same workspace: INCORE_ERROR_RANGE leaves that wiped. On
 * success an earlier key in |out_key| is forgotten, but a workspace of its own is not wiped: pass
 * it to incore_rsa_key_wipe first. What |workspace| held is gone. */
INCORE_API INCORE_NODISCARD incore_status incore_rsa_key_set_private(incore_rsa_key* out_key,
                                                                     const incore_rsa_parts* parts,
                                                                     void* workspace,
                                                                     size_t workspace_len);

/* incore_rsa_key_set_public makes |out_key| ready for the public operation, from the modulus n and
 * the exponent e. Statuses as above, with incore_rsa_public_workspace_len(). */
INCORE_API INCORE_NODISCARD incore_status incore_rsa_key_set_public(incore_rsa_key* out_key,
                                                                    incore_rsa_number n,
                                                                    incore_rsa_number e,
                                                                    void* workspace,
                                                                    size_t workspace_len);

/* incore_rsa_key_wipe clears the key and its workspace, which is the caller's again. */
INCORE_API void incore_rsa_key_wipe(incore_rsa_key* key);

/* incore_rsa_modulus_len returns the length of the modulus in bytes, without leading zeros; 0 if
 * |key| is not set. */
INCORE_API size_t incore_rsa_modulus_len(const incore_rsa_key* key);

/* incore_rsa_public computes in^e mod n. |in_len| and |out_len| must be the modulus's length, else
 * INCORE_ERROR_LENGTH. |out| is written last and may overlap |in|. INCORE_ERROR_RANGE: the input is
 * not below the modulus. */
INCORE_API INCORE_NODISCARD incore_status incore_rsa_public(incore_rsa_key* key, const uint8_t* in,
                                                            size_t in_len, uint8_t* out,
                                                            size_t out_len);

/* incore_rsa_private computes in^d mod n, as incore_rsa_public does otherwise. The result is
 * checked with e before it is released. INCORE_ERROR_FAULT: it was wrong, because a part of the key
 * is wrong or the computer made a mistake; |out| is not written. INCORE_ERROR_STATE: the key is not
 * set, or is a public one. */
INCORE_API INCORE_NODISCARD incore_status incore_rsa_private(incore_rsa_key* key, const uint8_t* in,
                                                             size_t in_len, uint8_t* out,
                                                             size_t out_len);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_RSA_H */
