/* The performance of VIA PadLock processors: the figures that VIA's programming guide and the Linux
 * Journal article print, beside what Incore's timing model says of the same work.
 *
 * Tables are numbered from 0, and so are a table's figures; an index that does not exist is
 * INCORE_ERROR_RANGE. The texts live as long as the library.
 */
#ifndef INCORE_PADLOCK_MODEL_H
#define INCORE_PADLOCK_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct incore_padlock_table {
  const char* key;       /* a short name, such as "guide-esther" */
  const char* title;     /* one line */
  const char* source;    /* document and section */
  const char* terms;     /* what the model adds to the instruction's own time, in words */
  const char* size_unit; /* of incore_padlock_figure.size: "B", "bits", "blocks", "EDX" */
  const char* unit;      /* of the figures: "Gb/s" (10^9 bits), "kB/s" (1000 bytes), "b/clock",
                            "1/s", "s", "clocks" */
  uint32_t clock_mhz;    /* the processor's clock, in millions a second */
  size_t num_figures;
} incore_padlock_table;

typedef struct incore_padlock_figure {
  const char* column; /* what was measured, such as "CBC" */
  const char* label;  /* tells figures of one column and size apart; often "" */
  uint64_t size;      /* of the work, in the table's size_unit */
  double printed;     /* in the table's unit */
  double model;       /* the same by the model; 0 if |modelled| is 0 */
  int modelled;       /* 0: software without PadLock, printed to be compared with */
  int counts;         /* 1: one by which the model is judged, a throughput from 64 B to 16 KB */
} incore_padlock_figure;

/* incore_padlock_num_tables returns how many tables there are. */
INCORE_API size_t incore_padlock_num_tables(void);

/* incore_padlock_get_table describes table number |table| in |*out_table|. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_RANGE. */
INCORE_API INCORE_NODISCARD incore_status incore_padlock_get_table(size_t table,
                                                                   incore_padlock_table* out_table);

/* incore_padlock_get_figure puts figure number |figure| of table number |table|, row by row, into
 * |*out_figure|. Returns as incore_padlock_get_table does. */
INCORE_API INCORE_NODISCARD incore_status
incore_padlock_get_figure(size_t table, size_t figure, incore_padlock_figure* out_figure);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_PADLOCK_MODEL_H */
