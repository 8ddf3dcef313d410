/* Random bytes from the processor's own generators, watched by the health tests of SP 800-90B and,
 * if asked, conditioned by SHA-256.
 *
 * Sources are numbered from 0; an index that does not exist is INCORE_ERROR_RANGE. What a source
 * cannot deliver is an error, never fewer or weaker bytes: after one, nothing of |out| may be used.
 */
#ifndef INCORE_RNG_H
#define INCORE_RNG_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct incore_rng_source {
  const char* name;    /* "rdseed" "rdrand" "xstore" "darn" "getrandom" */
  const char* summary; /* one line */
  int available;       /* 1: this CPU and system have it */
  const char* missing; /* if not available: what is missing, in words; else NULL */
} incore_rng_source;

INCORE_API size_t incore_rng_num_sources(void);
INCORE_API INCORE_NODISCARD incore_status incore_rng_get_source(size_t source,
                                                                incore_rng_source* out_source);
/* incore_rng_find_source puts the index of the source called |name| into |*out_source|, or, if
 * |name| is NULL, the index of the best one available. Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_ALGORITHM (no such name). */
INCORE_API INCORE_NODISCARD incore_status incore_rng_find_source(const char* name,
                                                                 size_t* out_source);

/* All zero is the usual form. */
typedef struct incore_rng_options {
  uint32_t quality; /* xstore: the quality factor in EDX[1:0], 0 (all bits) to 3 (one of eight) */
  int conditioned;  /* not 0: SHA-256 over |condition_bytes| of input makes each 32 bytes */
  uint32_t condition_bytes; /* 32 to 65536; 0: 64 */
  double min_entropy;       /* what the source claims, bits a byte, for the health tests' cutoffs;
                               above 0 to 8; 0: 1 bit a byte */
} incore_rng_options;

/* What the health tests (SP 800-90B, section 4.4) have seen, in bytes of the source. */
typedef struct incore_rng_health {
  uint64_t bytes;
  uint64_t repetition_failures, proportion_failures;
  uint32_t repetition_cutoff, proportion_cutoff; /* a run, a count in a window, that fails */
  uint32_t longest_repetition, largest_count;    /* seen so far */
  uint32_t window;                               /* of the adaptive proportion test, in bytes */
} incore_rng_health;

typedef struct incore_rng {
  uint64_t opaque[96];
} incore_rng;

/* incore_rng_init makes |*out_rng| ready and runs the start-up test on 1024 bytes, which are not
 * used. |options| may be NULL. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE,
 * INCORE_ERROR_UNSUPPORTED (the source is not available), INCORE_ERROR_IO (it delivers nothing),
 * INCORE_ERROR_FAULT (a health test failed). */
INCORE_API INCORE_NODISCARD incore_status incore_rng_init(incore_rng* out_rng, size_t source,
                                                          const incore_rng_options* options);
/* incore_rng_bytes fills |out_len| bytes. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_IO,
 * INCORE_ERROR_FAULT (a health test failed; all later calls fail too). */
INCORE_API INCORE_NODISCARD incore_status incore_rng_bytes(incore_rng* rng, uint8_t* out,
                                                           size_t out_len);
INCORE_API INCORE_NODISCARD incore_status incore_rng_get_health(const incore_rng* rng,
                                                                incore_rng_health* out_health);
INCORE_API void incore_rng_wipe(incore_rng* rng);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_RNG_H */
