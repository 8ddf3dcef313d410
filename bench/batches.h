// Timing in batches, for the guests that measure: nanoseconds per call by the wall clock, as the
// median and the quartiles of repeated batches.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kNumBatches = 32 };
static const double kBatchNs = 2e6;  // how long a batch of hot calls should take

struct result {
  const char* name;
  const char* what;
  double quartile1, median, quartile3;
};

static inline double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Sorts |batches|.
static inline struct result summary(const char* name, const char* what,
                                    double batches[kNumBatches]) {
  qsort(batches, kNumBatches, sizeof batches[0], by_value);
  const double median = (batches[kNumBatches / 2 - 1] + batches[kNumBatches / 2]) / 2;
  return (struct result){name, what, batches[kNumBatches / 4], median,
                         batches[kNumBatches * 3 / 4]};
}

// Times |run|, which makes as many calls as it is told.
static inline struct result time_hot(const char* name, const char* what, void (*run)(long)) {
  long calls = 64;
  for (;; calls *= 2) {  // also warms up
    const double start = now_ns();
    run(calls);
    if (now_ns() - start >= kBatchNs) break;
  }
  double batches[kNumBatches];
  for (int b = 0; b < kNumBatches; ++b) {
    const double start = now_ns();
    run(calls);
    batches[b] = (now_ns() - start) / (double)calls;
  }
  return summary(name, what, batches);
}

static inline void print_results(const struct result* results, int num_results) {
  for (int i = 0; i < num_results; ++i)
    printf("%-20s %-32s %10.1f   %.1f to %.1f\n", results[i].name, results[i].what,
           results[i].median, results[i].quartile1, results[i].quartile3);
}

static inline bool write_json(const char* file, const char* unit, const struct result* results,
                              int num_results) {
  FILE* f = fopen(file, "w");
  if (f == NULL) return false;
  fprintf(f, "{\"unit\": \"%s\", \"batches\": %d, \"rows\": [\n", unit, kNumBatches);
  for (int i = 0; i < num_results; ++i)
    fprintf(f,
            "  {\"name\": \"%s\", \"what\": \"%s\", \"median\": %.2f, \"quartile1\": %.2f, "
            "\"quartile3\": %.2f}%s\n",
            results[i].name, results[i].what, results[i].median, results[i].quartile1,
            results[i].quartile3, i + 1 < num_results ? "," : "");
  fprintf(f, "]}\n");
  return fclose(f) == 0;
}
