/* What this CPU has, and which kernel serves each algorithm.
 *
 * Features, algorithms and an algorithm's kernels are numbered from 0; an index that does not exist
 * is INCORE_ERROR_RANGE. The texts live as long as the library. A set of features is a word: bit i
 * is feature i.
 */
#ifndef INCORE_CPU_H
#define INCORE_CPU_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct incore_cpu_feature {
  const char* name;   /* as in /proc/cpuinfo where that has one, such as "sha_ni" */
  const char* source; /* how it is read, in words */
  int present;        /* 1: this CPU has it, and the operating system supports it */
  int possible;       /* 1: CPUs of this architecture may have it */
} incore_cpu_feature;

typedef struct incore_cpu_kernel {
  const char* name; /* "portable", "shani", ... */
  uint64_t needs;   /* features */
  uint64_t missing; /* those of |needs| that this CPU lacks; 0: it can run here */
  int chosen;       /* 1: it serves this algorithm in this process */
  int forced;       /* 1: chosen because the environment variable INCORE_KERNEL says so */
} incore_cpu_kernel;

INCORE_API size_t incore_cpu_num_features(void);
INCORE_API INCORE_NODISCARD incore_status incore_cpu_get_feature(size_t feature,
                                                                 incore_cpu_feature* out_feature);

/* A word by which the operating system describes the machine: the auxiliary vector's on POWER.
 * Other architectures have none. */
typedef struct incore_cpu_word {
  const char* name; /* "AT_HWCAP2" */
  uint64_t value;
  int is_flags; /* 1: each of its 32 bits is a flag; 0: it is a number */
} incore_cpu_word;

INCORE_API size_t incore_cpu_num_words(void);
INCORE_API INCORE_NODISCARD incore_status incore_cpu_get_word(size_t word,
                                                              incore_cpu_word* out_word);
/* incore_cpu_word_bit_name returns the flag's name, such as "vcrypto"; NULL if it has none. Bit 0
 * is the lowest. */
INCORE_API const char* incore_cpu_word_bit_name(size_t word, unsigned bit);

/* incore_cpu_l1_data_line returns the length of an L1 data cache line in bytes: what the system
 * says, or what is usual. */
INCORE_API size_t incore_cpu_l1_data_line(void);

INCORE_API size_t incore_cpu_num_algorithms(void);
/* incore_cpu_algorithm_name returns the name, such as "sha256"; NULL if |algorithm| does not exist.
 */
INCORE_API const char* incore_cpu_algorithm_name(size_t algorithm);

/* incore_cpu_num_kernels returns how many kernels this build has for |algorithm|; 0 if that does
 * not exist. */
INCORE_API size_t incore_cpu_num_kernels(size_t algorithm);
/* incore_cpu_get_kernel describes a kernel of |algorithm|; kernel 0 is the best, the last one runs
 * everywhere. If INCORE_KERNEL is wrong, none is chosen. */
INCORE_API INCORE_NODISCARD incore_status incore_cpu_get_kernel(size_t algorithm, size_t kernel,
                                                                incore_cpu_kernel* out_kernel);

/* incore_cpu_self_test says whether a kernel of |algorithm| gives the known answers on this CPU:
 * *out_passes is 1 or 0. A kernel that does not pass never serves. The last one of an algorithm and
 * PadLock's pass untested. INCORE_ERROR_UNSUPPORTED: this CPU cannot run it. */
INCORE_API INCORE_NODISCARD incore_status incore_cpu_self_test(size_t algorithm, size_t kernel,
                                                               int* out_passes);

/* incore_cpu_check_environment checks |environment|, a value of INCORE_KERNEL such as
 * "aes:portable,sha256:shani"; NULL is right. A kernel may also be called by the feature that it is
 * named for, such as "sha256:sha_ni". On an error *out_part and *out_part_len give the wrong part,
 * which is not terminated. INCORE_ERROR_FORMAT: the part is no pair of algorithm and kernel.
 * INCORE_ERROR_ALGORITHM: there is no such algorithm. INCORE_ERROR_KERNEL: *out_algorithm has no
 * such kernel. INCORE_ERROR_UNSUPPORTED: this CPU cannot run that kernel of *out_algorithm, or the
 * kernel fails its self-test; the part is then the kernel's name. */
INCORE_API INCORE_NODISCARD incore_status incore_cpu_check_environment(const char* environment,
                                                                       const char** out_part,
                                                                       size_t* out_part_len,
                                                                       size_t* out_algorithm);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_CPU_H */
