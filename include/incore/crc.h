/* CRC-32 (IEEE 802.3: zlib, gzip, PNG, Ethernet) and CRC-32C (Castagnoli: iSCSI, ext4, RFC 3720).
 *
 * WARNING: a CRC finds accidents, not attacks.
 */
#ifndef INCORE_CRC_H
#define INCORE_CRC_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* incore_crc32 carries |*inout_crc| on over |data_len| bytes. The value of an empty message is 0,
 * so begin with 0; after each call it is the CRC of all that was given so far. |data| may be NULL
 * if |data_len| is 0. INCORE_ERROR_KERNEL: the environment variable INCORE_KERNEL is wrong. */
INCORE_API INCORE_NODISCARD incore_status incore_crc32(uint32_t* inout_crc, const void* data,
                                                       size_t data_len);

/* incore_crc32c is incore_crc32 with Castagnoli's polynomial. */
INCORE_API INCORE_NODISCARD incore_status incore_crc32c(uint32_t* inout_crc, const void* data,
                                                        size_t data_len);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_CRC_H */
