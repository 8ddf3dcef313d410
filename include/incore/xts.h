/* XTS-AES (IEEE 1619, SP 800-38E): encryption of storage in place, data unit by data unit, such as
 * the sectors of a disk. No byte is added.
 *
 * Beyond the rules in incore/status.h:
 * - WARNING: nothing detects that data was changed, and equal data at one place has equal images
 *   each time. For storage only; messages want GCM or CCM.
 * - A data unit has 16 to 2^24 bytes (2^20 blocks), any number of them: the end of a unit that is
 *   no multiple of 16 is encrypted by ciphertext stealing. INCORE_ERROR_LENGTH for others.
 * - All functions work in place (in == out). Other overlap of in, out and tweak:
 *   INCORE_ERROR_OVERLAP.
 * - Faults are looked for in this order: NULL, STATE, LENGTH, RANGE, OVERLAP.
 * - A key is set by incore_xts_key_set; other functions answer INCORE_ERROR_STATE for one that is
 *   not set or is wiped. Using a key does not change it: threads may share it. It may be copied
 *   with `=` or memcpy.
 */
#ifndef INCORE_XTS_H
#define INCORE_XTS_H

#include <stddef.h>
#include <stdint.h>

#include "incore/aes.h"
#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_XTS_MAX_UNIT_LEN (16 << 20)

/* Both keys of XTS made ready. Secret: pass it to incore_xts_key_wipe when done. */
typedef struct incore_xts_key {
  unsigned char opaque[3584];
} INCORE_AES_ALIGNED incore_xts_key;

/* incore_xts_key_set makes |out_key| ready from the |key_len| bytes at |key|, which are Key1 (for
 * the data) and Key2 (for the tweak): 32 for XTS-AES-128, 64 for XTS-AES-256, else
 * INCORE_ERROR_KEY_LENGTH. INCORE_ERROR_RANGE: both halves are equal, which is not safe.
 * INCORE_ERROR_KERNEL if the environment variable INCORE_KERNEL is wrong. On failure an earlier key
 * in |out_key| stays. */
INCORE_API INCORE_NODISCARD incore_status incore_xts_key_set(incore_xts_key* out_key,
                                                             const void* key, size_t key_len);

/* incore_xts_key_wipe clears the key. */
INCORE_API void incore_xts_key_wipe(incore_xts_key* key);

/* incore_xts_encrypt and incore_xts_decrypt process one data unit of |len| bytes at |in| to |out|.
 * |tweak| is the 16 bytes that stand for the unit's place, usually its number in little-endian
 * order. */
INCORE_API INCORE_NODISCARD incore_status incore_xts_encrypt(const incore_xts_key* key,
                                                             const uint8_t* tweak, const void* in,
                                                             size_t len, void* out);
INCORE_API INCORE_NODISCARD incore_status incore_xts_decrypt(const incore_xts_key* key,
                                                             const uint8_t* tweak, const void* in,
                                                             size_t len, void* out);

/* incore_xts_encrypt_units and incore_xts_decrypt_units process |len| bytes that are data units of
 * |unit_len| bytes each, numbered |first_unit|, |first_unit| + 1, ...; the last one may be shorter,
 * but not below 16 bytes. |unit_len| = |len| is one unit. Faster than unit by unit. RANGE: the
 * numbers would exceed 2^64 - 1. */
INCORE_API INCORE_NODISCARD incore_status incore_xts_encrypt_units(const incore_xts_key* key,
                                                                   uint64_t first_unit,
                                                                   size_t unit_len, const void* in,
                                                                   size_t len, void* out);
INCORE_API INCORE_NODISCARD incore_status incore_xts_decrypt_units(const incore_xts_key* key,
                                                                   uint64_t first_unit,
                                                                   size_t unit_len, const void* in,
                                                                   size_t len, void* out);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_XTS_H */
