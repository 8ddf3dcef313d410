/* Montgomery multiplication, and powers modulo an odd number of 256 to 32768 bits.
 *
 *   size_t len = incore_mont_workspace_len(2048);
 *   void* workspace = malloc(len);
 *   incore_mont mont;
 *   incore_mont_set(&mont, modulus, 256, workspace, len);
 *   incore_mont_exp(&mont, base, 256, exponent, exponent_len, result, 256);
 *   incore_mont_wipe(&mont);
 *
 * Beyond the rules in incore/status.h:
 * - Numbers that come from and go to others are byte strings, highest byte first (I2OSP and OS2IP
 *   of RFC 8017). Numbers in Montgomery's form are arrays of incore_mont_num_words() 64-bit words,
 *   lowest word first, each in the machine's own byte order.
 * - R = 2^(64 * number of words). A number a has the form a * R mod modulus.
 * - The context remembers where its workspace is. Until incore_mont_wipe the workspace may be
 *   neither moved nor used; a copy of the context is the same context. Contexts with workspaces of
 *   their own may be used at the same time.
 * - Time and addresses depend on lengths only, not on the values of modulus, base, exponent and
 *   operands. That a value is refused shows, of course.
 * - Faults are looked for in this order: NULL, STATE, LENGTH, OVERLAP, RANGE. No function needs
 * more than 4 KiB of stack.
 */
#ifndef INCORE_MONT_H
#define INCORE_MONT_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_MONT_MIN_BITS 256
#define INCORE_MONT_MAX_BITS 32768

/* A modulus made ready. Secret if the modulus is, as its workspace is in any case: pass it to
 * incore_mont_wipe when done. */
typedef struct incore_mont {
  uint64_t opaque[16];
} incore_mont;

/* incore_mont_kernel returns the name of the kernel that serves this process, such as "ifma"; NULL
 * if INCORE_KERNEL is wrong. */
INCORE_API const char* incore_mont_kernel(void);

/* incore_mont_workspace_len returns how many bytes a modulus of |modulus_bits| bits needs: 14 KiB
 * for 2048 bits, 28 KiB for 4096, 214 KiB for 32768. 0: no such modulus. */
INCORE_API size_t incore_mont_workspace_len(size_t modulus_bits);

/* incore_mont_set makes |out_mont| ready for the modulus in the |modulus_len| bytes at |modulus|.
 * |workspace|, of any alignment, is the context's from now on. INCORE_ERROR_LENGTH: the modulus has
 * no bytes, or |workspace_len| is less than incore_mont_workspace_len() says.
 * INCORE_ERROR_RANGE: the first byte is 0, the modulus is even or has fewer than 256 or more than
 * 32768 bits. INCORE_ERROR_KERNEL: the environment variable INCORE_KERNEL is wrong. An earlier
 * modulus in |out_mont| is forgotten, but a workspace of its own is not wiped: pass it to
 * incore_mont_wipe first. What |workspace| held is gone. */
INCORE_API INCORE_NODISCARD incore_status incore_mont_set(incore_mont* out_mont,
                                                          const uint8_t* modulus,
                                                          size_t modulus_len, void* workspace,
                                                          size_t workspace_len);

/* incore_mont_wipe clears the context and its workspace, which is the caller's again. */
INCORE_API void incore_mont_wipe(incore_mont* mont);

/* incore_mont_num_words returns how many 64-bit words a number in Montgomery's form has; 0 if
 * |mont| is not set. */
INCORE_API size_t incore_mont_num_words(const incore_mont* mont);

/* incore_mont_mul computes a * b * R^-1 mod modulus, fully reduced: for a and b in Montgomery's
 * form their product in that form. All three are arrays of incore_mont_num_words() words;
 * |out_product| may be |a|, |b| or both. INCORE_ERROR_RANGE: a or b is not below the modulus. */
INCORE_API INCORE_NODISCARD incore_status incore_mont_mul(incore_mont* mont, const uint64_t* a,
                                                          const uint64_t* b, uint64_t* out_product);

/* incore_mont_enter brings the number in the |number_len| bytes at |number| into Montgomery's form.
 * INCORE_ERROR_LENGTH: it has more bytes than the modulus. INCORE_ERROR_RANGE: it is not below the
 * modulus. */
INCORE_API INCORE_NODISCARD incore_status incore_mont_enter(incore_mont* mont,
                                                            const uint8_t* number,
                                                            size_t number_len, uint64_t* out_form);

/* incore_mont_leave writes the number that has the form |form|. |out_number_len| must be the length
 * of the modulus in bytes, else INCORE_ERROR_LENGTH. INCORE_ERROR_RANGE: |form| is not below the
 * modulus. */
INCORE_API INCORE_NODISCARD incore_status incore_mont_leave(incore_mont* mont, const uint64_t* form,
                                                            uint8_t* out_number,
                                                            size_t out_number_len);

/* incore_mont_exp computes base^exponent mod modulus; 0^0 is 1. The exponent may have any length,
 * leading zeros, or no bytes at all, and is secret; its length is not: it determines the time.
 * |out_result_len| must be the length of the modulus in bytes. |out_result| is written last and may
 * overlap the inputs. INCORE_ERROR_LENGTH: |base_len| is greater than that, or |out_result_len|
 * differs from it. INCORE_ERROR_RANGE: the base is not below the modulus. */
INCORE_API INCORE_NODISCARD incore_status incore_mont_exp(incore_mont* mont, const uint8_t* base,
                                                          size_t base_len, const uint8_t* exponent,
                                                          size_t exponent_len, uint8_t* out_result,
                                                          size_t out_result_len);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_MONT_H */
