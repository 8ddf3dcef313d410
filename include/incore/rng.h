/* Random bytes from the processor's own generators, or from one of the caller's, watched by the
 * health tests of SP 800-90B and, if asked, conditioned by SHA-256.
 *
 * Sources are numbered from 0; an index that does not exist is INCORE_ERROR_RANGE. What a source
 * cannot deliver is an error, never fewer or weaker bytes: |out| is all zero then. No call waits
 * for a source without bound.
 *
 * Nothing that a source gave is kept from one call to the next. So a context may be copied and used
 * on both sides, as fork does with all memory: the two never give the same bytes, unless a source
 * of the caller's does.
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
  const char* name;    /* "rdseed" "xstore" "darn" "rdrand" "getrandom" */
  const char* summary; /* one line */
  int available;       /* 1: this CPU and system have it */
  const char* missing; /* if not available: what is missing, in words; else NULL */
} incore_rng_source;

INCORE_API size_t incore_rng_num_sources(void);
INCORE_API INCORE_NODISCARD incore_status incore_rng_get_source(size_t source,
                                                                incore_rng_source* out_source);
/* incore_rng_find_source puts the index of the source called |name| into |*out_source|, or, if
 * |name| is NULL, the index of the best one available. Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_ALGORITHM (no such name), INCORE_ERROR_UNSUPPORTED (none is available). */
INCORE_API INCORE_NODISCARD incore_status incore_rng_find_source(const char* name,
                                                                 size_t* out_source);

/* All zero is the usual form. */
typedef struct incore_rng_options {
  uint32_t quality; /* xstore: the quality factor in EDX[1:0], 0 (all bits) to 3 (one of eight) */
  int conditioned;  /* not 0: SHA-256 over |condition_bytes| of input makes each 32 bytes */
  uint32_t condition_bytes; /* 32 to 65536; 0: as many as hold 320 bits by |min_entropy|, which
                               makes the output full entropy (SP 800-90C) */
  double min_entropy;       /* what the source claims, bits a byte, for the health tests' cutoffs;
                               0.01 to 8; 0: 1 bit a byte, with which good sources do not fail by
                               chance */
} incore_rng_options;

/* What the health tests (SP 800-90B, section 4.4) have seen. A sample is a byte. */
typedef struct incore_rng_health {
  uint64_t bytes;
  uint64_t repetition_failures, proportion_failures; /* runs, windows that reached the cutoff */
  uint64_t
      first_failure; /* how many bytes had been seen at the first one, itself included; 0: none */
  uint32_t repetition_cutoff, proportion_cutoff; /* a run, a count in a window, that fails */
  uint32_t longest_repetition, largest_count;    /* seen so far */
  uint32_t window;                               /* of the adaptive proportion test, in bytes */
} incore_rng_health;

typedef struct incore_rng {
  uint64_t opaque[96];
} incore_rng;

/* incore_rng_init makes |*out_rng| ready and runs the start-up test on 1024 bytes, which are not
 * used. |options| may be NULL. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE,
 * INCORE_ERROR_UNSUPPORTED (the source is not available), INCORE_ERROR_KERNEL (SHA-256 by an
 * INCORE_KERNEL that is wrong), INCORE_ERROR_IO (it delivers nothing), INCORE_ERROR_FAULT (a health
 * test failed; incore_rng_get_health tells which). */
INCORE_API INCORE_NODISCARD incore_status incore_rng_init(incore_rng* out_rng, size_t source,
                                                          const incore_rng_options* options);

/* A source of the caller's: puts up to |len| bytes into |out| and returns how many; fewer than
 * |len| if it can deliver no more. */
typedef size_t (*incore_rng_read)(void* context, uint8_t* out, size_t len);

/* incore_rng_init_custom is incore_rng_init for what |read| delivers. |context| goes with each call
 * and must live as long as |*out_rng| is used; |options->quality| means nothing. */
INCORE_API INCORE_NODISCARD incore_status incore_rng_init_custom(incore_rng* out_rng,
                                                                 incore_rng_read read,
                                                                 void* context,
                                                                 const incore_rng_options* options);

/* incore_rng_bytes fills |out_len| bytes. Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_STATE (not initialised, or wiped), INCORE_ERROR_IO (the source gave up; one may try
 * again), INCORE_ERROR_FAULT (a health test failed; all later calls fail too). */
INCORE_API INCORE_NODISCARD incore_status incore_rng_bytes(incore_rng* rng, uint8_t* out,
                                                           size_t out_len);
/* Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_STATE. */
INCORE_API INCORE_NODISCARD incore_status incore_rng_get_health(const incore_rng* rng,
                                                                incore_rng_health* out_health);
/* incore_rng_condition_bytes returns how many bytes of the source make 32 bytes; 0 if they are not
 * conditioned. */
INCORE_API uint32_t incore_rng_condition_bytes(const incore_rng* rng);
INCORE_API void incore_rng_wipe(incore_rng* rng);

/* ---- The health tests alone, on samples that the caller has ---- */

typedef struct incore_rng_monitor {
  uint64_t opaque[24];
} incore_rng_monitor;

/* incore_rng_monitor_init begins to watch samples of one byte each that claim |min_entropy| bits,
 * as in incore_rng_options; 0: 1 bit. |binary| not 0: each byte holds one bit, and windows are of
 * 1024 instead of 512; |min_entropy| is then at most 1. Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_RANGE. */
INCORE_API INCORE_NODISCARD incore_status incore_rng_monitor_init(incore_rng_monitor* out_monitor,
                                                                  double min_entropy, int binary);
/* incore_rng_monitor_update looks at the next samples, also after a failure. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_STATE, INCORE_ERROR_FAULT (a test failed, now or earlier). */
INCORE_API INCORE_NODISCARD incore_status incore_rng_monitor_update(incore_rng_monitor* monitor,
                                                                    const uint8_t* samples,
                                                                    size_t num_samples);
INCORE_API INCORE_NODISCARD incore_status
incore_rng_monitor_get_health(const incore_rng_monitor* monitor, incore_rng_health* out_health);
INCORE_API void incore_rng_monitor_wipe(incore_rng_monitor* monitor);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_RNG_H */
