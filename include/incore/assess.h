/* Judging random bits: the tests of `incore rng analyze`, as functions. An assessment is fed with
 * bytes of any source, in pieces of any size, and then finished; what it found are results (one for
 * each test) and series (what one would draw). Memory does not grow with the bytes that are fed.
 *
 * These functions are in libincore_hosted, not in libincore: they allocate and need the C++
 * run-time. A |reason| is a buffer of |reason_len| bytes that gets what is wrong, in words and cut
 * to fit; it may be NULL. Texts and arrays live as long as their assessment. An assessment for
 * which there was not enough memory (INCORE_ERROR_MEMORY) can only be freed.
 */
#ifndef INCORE_ASSESS_H
#define INCORE_ASSESS_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From best to worst, but for those that say nothing about the source. */
typedef enum incore_verdict {
  INCORE_VERDICT_INFO = 0,    /* a figure that no threshold judges */
  INCORE_VERDICT_SKIPPED = 1, /* not done; the text says why */
  INCORE_VERDICT_PASS = 2,
  INCORE_VERDICT_WEAK = 3, /* a good source gives this now and then */
  INCORE_VERDICT_FAIL = 4, /* a good source practically never gives this */
  /* Of a whole assessment only: nothing was found, but not all that was asked for could be judged,
   * mostly for want of bytes. It has not passed. */
  INCORE_VERDICT_UNDECIDED = 5
} incore_verdict;

/* incore_verdict_name returns "info", "skipped", "pass", "weak", "fail", "undecided"; "unknown" for
 * others. */
INCORE_API const char* incore_verdict_name(incore_verdict verdict);

/* ---- Suites: groups of tests, numbered from 0 ---- */

typedef struct incore_assess_suite {
  const char* name;   /* as users write it: "sp800-22" */
  const char* title;  /* one line */
  const char* source; /* document and section */
  int by_default;     /* 1: part of an assessment that names no suites */
} incore_assess_suite;

INCORE_API size_t incore_assess_num_suites(void);
/* Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE. */
INCORE_API INCORE_NODISCARD incore_status incore_assess_get_suite(size_t suite,
                                                                  incore_assess_suite* out_suite);

/* ---- An assessment ---- */

/* All zero is the usual assessment. */
typedef struct incore_assess_options {
  const char* suites;   /* names separated by commas, or "all"; NULL: those by default */
  uint32_t symbol_bits; /* each byte holds a symbol of this many low bits, 1 to 8; 0: found out from
                           the first 1,000,000 bytes: 1 if all are 0 or 1 (not all 0), else 8 */
  uint64_t sequence_bits; /* SP 800-22: length of a sequence, 100 to 100,000,000; 0: 1,000,000 */
  uint64_t sequences;     /* SP 800-22: how many sequences at most, 1 to 1000; 0: 100 */
  uint64_t samples;       /* SP 800-90B: symbols in the sample; 0: 1,000,000 */
  double min_entropy;     /* SP 800-90B: this is demanded, bits a symbol, and decides in place of
                             the comparison with good sources; 0: no demand */
  uint32_t threads;       /* 1 to 1024; 0: as many as the machine has CPUs. Results are the same */
  uint64_t seed;          /* of permutations; 0 is a seed as any other */
  /* Called now and then during long work, in the thread that called update or finish: what is being
   * done and its share, 0 to 1. Not 0 stops the work; what is not done is skipped. May be NULL. */
  int (*progress)(void* context, const char* what, double share);
  void* context;
} incore_assess_options;

typedef struct incore_assess incore_assess;

/* incore_assess_new begins an assessment; |options| may be NULL. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_RANGE, INCORE_ERROR_ALGORITHM (an unknown suite, or min_entropy
 * without a suite that judges it), INCORE_ERROR_MEMORY. */
INCORE_API INCORE_NODISCARD incore_status incore_assess_new(const incore_assess_options* options,
                                                            incore_assess** out_assess,
                                                            char* reason, size_t reason_len);
INCORE_API void incore_assess_free(incore_assess* assess);

/* incore_assess_update feeds the next |len| bytes; of what comes after a stop nothing is looked at.
 * Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_STATE (finished), INCORE_ERROR_FORMAT (a
 * byte does not fit in symbol_bits; |reason| says where), INCORE_ERROR_MEMORY. */
INCORE_API INCORE_NODISCARD incore_status incore_assess_update(incore_assess* assess,
                                                               const uint8_t* data, size_t len,
                                                               char* reason, size_t reason_len);

/* incore_assess_finish makes the results. However few bytes were fed, it does not fail: tests that
 * need more, or more memory than there is, are skipped. Of symbols narrower than a byte, those at
 * the end that do not fill a byte count for tests of symbols only. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_STATE, INCORE_ERROR_MEMORY (not even for the results). */
INCORE_API INCORE_NODISCARD incore_status incore_assess_finish(incore_assess* assess);

/* incore_assess_get_options tells the options as they are used, with defaults filled in; suites,
 * progress and context are NULL. Returns INCORE_OK, or INCORE_ERROR_NULL. */
INCORE_API INCORE_NODISCARD incore_status
incore_assess_get_options(const incore_assess* assess, incore_assess_options* out_options);

/* ---- What was found; nothing before finish ---- */

typedef struct incore_assess_summary {
  incore_verdict verdict; /* of all: the worst, unless weak ones are as rare as chance has it */
  const char* text;       /* one sentence: what was tested, and what came of it */
  const char* worst;      /* of the results that are weak or fail, the worst: "bytes: Monobit, p =
                             1.5e-06"; "" if there is none */
  uint64_t bytes;         /* fed */
  uint32_t symbol_bits;
  int stopped;        /* 1: progress stopped the work */
  size_t num_reasons; /* for a verdict other than pass: sentences, one for each test, the worst
                         first */
  const char* const* reasons;
  size_t num_pass, num_weak, num_fail, num_skipped;
  size_t num_p_values;
  double false_alarm_rate; /* at most so often a good source gets the verdict fail from the p-values
                              of such an assessment */
  double min_entropy;      /* the least of all results, bits a symbol; NaN: none */
  double visible_bias;     /* a source with this share of ones fails as often as not, and with fewer
                              less often; NaN: the balance of ones was not judged */
} incore_assess_summary;
INCORE_API INCORE_NODISCARD incore_status
incore_assess_get_summary(const incore_assess* assess, incore_assess_summary* out_summary);

typedef struct incore_assess_figure {
  const char* name;
  double value;
} incore_assess_figure;

typedef struct incore_assess_result {
  const char* suite;
  const char* test;    /* "Frequency", "Collision Estimate", ... by the standard's name */
  const char* variant; /* tells results of one test apart: "m = 9", "bitstring"; often "" */
  incore_verdict verdict;
  double statistic;   /* NaN: none */
  double p_value;     /* NaN: none */
  double min_entropy; /* bits a symbol; NaN: none */
  const char* text;   /* one sentence for people: what it means, or why it was skipped */
  size_t num_figures; /* what the result was made from */
  const incore_assess_figure* figures;
} incore_assess_result;
INCORE_API size_t incore_assess_num_results(const incore_assess* assess);
INCORE_API INCORE_NODISCARD incore_status incore_assess_get_result(
    const incore_assess* assess, size_t result, incore_assess_result* out_result);

typedef enum incore_series_kind {
  INCORE_SERIES_LINE = 0,
  INCORE_SERIES_BARS = 1,
  INCORE_SERIES_POINTS = 2,
  INCORE_SERIES_BITMAP = 3 /* |y| holds |rows| rows of |columns| values from 0 to 1; no |x| */
} incore_series_kind;

typedef struct incore_assess_series {
  const char* suite;
  const char* name; /* "autocorrelation" */
  const char* title;
  const char* x_title;
  const char* y_title;
  incore_series_kind kind;
  size_t num_points;
  const double* x;
  const double* y;
  size_t rows, columns;
  double low, high; /* where a good source's values lie (99 %); NaN: not known */
} incore_assess_series;
INCORE_API size_t incore_assess_num_series(const incore_assess* assess);
INCORE_API INCORE_NODISCARD incore_status incore_assess_get_series(
    const incore_assess* assess, size_t series, incore_assess_series* out_series);

/* What each suite of this assessment read, and the time that it took. */
typedef struct incore_assess_run {
  const char* suite;
  uint64_t bytes;
  double seconds;
} incore_assess_run;
INCORE_API size_t incore_assess_num_runs(const incore_assess* assess);
INCORE_API INCORE_NODISCARD incore_status incore_assess_get_run(const incore_assess* assess,
                                                                size_t run,
                                                                incore_assess_run* out_run);

/* ---- Two distributions by themselves ---- */

/* incore_assess_chi_square_p returns the probability that chi-square with |degrees| > 0 degrees of
 * freedom is |statistic| or more. */
INCORE_API double incore_assess_chi_square_p(double statistic, double degrees);

/* incore_assess_evenness tells how |num_p_values| p-values are distributed over 0 to 1: the
 * distribution function of Anderson and Darling's statistic, in DIEHARD's approximation. Near 1:
 * not evenly; near 0: too evenly. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_LENGTH
 * (none), INCORE_ERROR_MEMORY. */
INCORE_API INCORE_NODISCARD incore_status incore_assess_evenness(const double* p_values,
                                                                 size_t num_p_values,
                                                                 double* out_evenness);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_ASSESS_H */
