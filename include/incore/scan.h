/* Crypto instructions in programs and shared objects: CPUID and those of PadLock in ELF files for
 * x86-64 and i386, those of POWER8 in ELF files for 64-bit PowerPC of both byte orders.
 *
 * Finding the bytes of an instruction does not mean that there is one: libraries keep tables among
 * their code, and some contain the bytes of CPUID. So each site says how it is known to be code.
 *
 * These functions are in libincore_hosted, not in libincore: they allocate and need the C++
 * run-time and a library that decodes instructions. */
#ifndef INCORE_SCAN_H
#define INCORE_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sites of one file. */
typedef struct incore_scan incore_scan;

typedef enum incore_scan_certainty {
  INCORE_SCAN_DATA = 0,   /* the bytes are there; probably data, or part of another instruction */
  INCORE_SCAN_LIKELY = 1, /* decodes like a function, but nothing is known to reach it */
  INCORE_SCAN_PROVED = 2  /* reached from the start of a function */
} incore_scan_certainty;

typedef struct incore_scan_site {
  uint64_t address; /* virtual address in the file */
  uint64_t file_offset;
  uint64_t symbol_offset; /* address minus that of |symbol| */
  const char* symbol;     /* function symbol that covers the site; "" if there is none */
  const char* mnemonic;   /* "cpuid", "xcrypt-cbc", "vcipher" */
  const char* proof;      /* "unwind table", "symbol", "control flow"; "none" if it is not proved */
  incore_scan_certainty certainty;
  uint8_t bytes[15];
  uint8_t bytes_len; /* prefixes included */
} incore_scan_site;

/* incore_scan_file reads the file at |path| and finds its sites. On success |out_scan| is to be
 * given to incore_scan_free. On failure (INCORE_ERROR_IO: it cannot be read; INCORE_ERROR_FORMAT:
 * it is no ELF file that can be searched; INCORE_ERROR_MEMORY) one sentence on the reason goes to
 * |out_reason|, cut to |reason_len| bytes with its zero; it may be NULL if |reason_len| is 0. */
INCORE_API INCORE_NODISCARD incore_status incore_scan_file(const char* path, incore_scan** out_scan,
                                                           char* out_reason, size_t reason_len);

/* incore_scan_free frees |scan|. NULL is allowed. */
INCORE_API void incore_scan_free(incore_scan* scan);

/* incore_scan_machine returns "x86-64", "i386", "powerpc64" or "powerpc64le": what the code of the
 * file runs on. */
INCORE_API const char* incore_scan_machine(const incore_scan* scan);

/* incore_scan_num_sites returns how many sites there are, those that may be data included. */
INCORE_API size_t incore_scan_num_sites(const incore_scan* scan);

/* incore_scan_get_site writes site |index| (by ascending address) to |out_site|, whose strings live
 * as long as |scan|. INCORE_ERROR_RANGE: there is no such site. */
INCORE_API INCORE_NODISCARD incore_status incore_scan_get_site(const incore_scan* scan,
                                                               size_t index,
                                                               incore_scan_site* out_site);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_SCAN_H */
