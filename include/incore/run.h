/* Running an unmodified program as if this machine had its crypto instructions: what `incore run`
 * does, as a function. Linux on x86-64. x86 programs of 64 and of 32 bits see VIA PadLock; programs
 * for 64-bit PowerPC, of both byte orders, run under QEMU's user mode emulation as on a POWER8.
 *
 * These functions are in libincore_hosted, not in libincore: they allocate and need the C++
 * run-time and a library that decodes instructions. incore_run() forks, uses ptrace and seccomp,
 * and changes how the calling process treats SIGINT, SIGQUIT, SIGCHLD, SIGTERM, SIGHUP, SIGUSR1 and
 * SIGUSR2; it is meant for a process that does nothing else.
 */
#ifndef INCORE_RUN_H
#define INCORE_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Something that works here, but would fail on silicon or is undefined. The strings belong to
 * incore_run() and are valid during the call that hands them over. |module|, |function| and
 * |source| are NULL, and the numbers beside them 0, where they are not known. */
typedef struct incore_run_finding {
  const char* check;    /* short name, such as "stale-key" */
  const char* clause;   /* of docs/clauses, such as "PLK-MULTI-007" */
  const char* what;     /* what is wrong, without a full stop */
  const char* remedy;   /* how to mend it, without a full stop */
  const char* mnemonic; /* of the instruction, such as "xcrypt-cbc" */
  uint64_t count;   /* how often it was seen in all processes; what follows is of the first time */
  int pid;          /* the process */
  uint64_t address; /* of the instruction */
  const char* module;       /* the file that holds it */
  uint64_t offset;          /* where in the module, as its symbols count */
  const char* function;     /* the symbol before it */
  uint64_t function_offset; /* bytes behind that symbol */
  const char* source;       /* file and line, from debug information */
  int line;
  const char* operand;      /* what the finding points at, such as "the key at EBX" */
  uint64_t operand_address; /* where that is, or the value where it is a number */
  uint64_t registers[6];    /* RAX, RBX, RCX, RDX, RSI, RDI before the instruction */
  const char* control_word; /* of REP XCRYPT, its value and its fields in words; else NULL */
} incore_run_finding;

/* A PadLock instruction that was executed. Digests are the first eight bytes of SHA-256, as a
 * number with the first byte at its top. The strings and arrays belong to incore_run(). */
typedef struct incore_run_call {
  double seconds; /* after the run began */
  int pid, tid;
  const char* mnemonic;
  int done;             /* 0: it ended in a fault of the program, after |bytes| */
  uint64_t bytes;       /* of data */
  int has_control_word; /* of REP XCRYPT; else the next five are 0 */
  int decrypts;
  unsigned rounds;
  int expands;                 /* not 0: the hardware makes the round keys from 128 bits */
  unsigned key_bits;           /* 0: the key could not be read */
  uint64_t key_digest;         /* of the cipher key, with which a schedule begins */
  const unsigned char* key;    /* key_bits / 8 bytes, if asked for; else NULL */
  const unsigned char* vector; /* 16 bytes before the instruction, or NULL */
  int has_input, has_output;   /* there are data of that kind, and they can be read */
  uint64_t input_digest, output_digest;
  const unsigned char*
      result;       /* the first 16 bytes that an XCRYPT or a hash has written, or NULL */
  unsigned place;   /* a number for what follows, which is as in a finding */
  uint64_t address; /* of the instruction */
  const char* module;
  uint64_t offset;
  const char* function;
  uint64_t function_offset;
  const char* source;
  int line;
} incore_run_call;

/* All zero is the default. */
typedef struct incore_run_options {
  /* A processor model and changes to it, such as "nano,stepping=10", or a POWER processor, such as
     "power9"; NULL: "nano", for a PowerPC program "power8". A script that is to start PowerPC
     programs needs a POWER processor here. */
  const char* model;
  /* Not 0: lines on stderr about program images, patched sites and refused instructions. */
  int verbose;
  /* Not 0: count incore_run_insn_counters.model_clocks. A call then takes some 10 ns longer. */
  int count_model_clocks;
  /* XSTORE delivers repeatable noise that starts from this number (see docs/noise.md); NULL: random
     bytes of the kernel. */
  const uint64_t* rng_seed;
  /* Not NULL: check each PadLock instruction, and call this for each finding when the program has
     ended, with |finding_context|. There are at most INCORE_RUN_MAX_FINDINGS; what is found at
     other places after that is dropped. */
  void (*on_finding)(void* finding_context, const incore_run_finding* finding);
  void* finding_context;
  /* Names of checks that are to report nothing, ended by NULL; or NULL: none. */
  const char* const* skipped_checks;
  /* Not 0: XCRYPT loads its key and control word only when something has cleared EFLAGS bit 30, as
     on silicon, and else uses those loaded before. Each PadLock instruction then traps. */
  int emulate_stale_key;
  /* Not NULL: call this for each PadLock instruction, with |call_context|, from now and then during
     the run to its end. Not inside another incore run. */
  void (*on_call)(void* call_context, const incore_run_call* call);
  void* call_context;
  /* Not 0: with the keys themselves. */
  int with_keys;
  /* Not NULL: call this, with |memory_context|, for each piece of a process's private writable
     memory that is in use, whenever it is about to hand out data (write, send and their like), to
     end, to execute another program or to give memory back (munmap). Pieces that follow each other
     overlap by 15 bytes; mappings of more than 4 GiB are left out. If it returns 0, the rest is
     not wanted this time. Not inside another incore run. */
  int (*on_memory)(void* memory_context, const unsigned char* bytes, size_t len);
  void* memory_context;
  /* Not 0: start the program under gdb. */
  int debug;
  /* Not 0: count the crypto instructions of PowerPC programs too, which takes time for each. Those
     of PadLock are always counted. */
  int count_power_insns;
  /* Not 0: the program gets the same random bytes in each run, from rng_seed on (0 if that is
     NULL): of getrandom, of /dev/urandom and /dev/random by read, and as AT_RANDOM; and the same
     addresses. Only for x86 programs, and not inside another incore run. */
  int repeatable;
} incore_run_options;

/* So many places of findings are kept in a run. */
enum { INCORE_RUN_MAX_FINDINGS = 256 };

/* What became of one instruction during a run, in all processes of it. Of instructions of POWER
 * processors only |calls| is known. */
typedef struct incore_run_insn_counters {
  const char* mnemonic;
  uint64_t calls; /* executed to the end, however they came here */
  uint64_t bytes; /* of data: blocks x 16, message bytes, random bytes, operand size of MONTMUL */
  uint64_t traps; /* brought here by a signal */
  uint64_t patched_calls; /* called from a patched site, without a signal */
  uint64_t faults;        /* ended in a fault of the program */
  uint64_t model_clocks;  /* that the modelled processor would have spent, if asked for; 0 for
                             instructions whose time nobody has published */
} incore_run_insn_counters;

/* More than there are instructions, so that new ones do not change the report's layout. */
enum { INCORE_RUN_MAX_INSNS = 32 };

/* How PadLock instructions of the program are served after their first execution. */
typedef struct incore_run_tactic_counter {
  const char* name; /* such as "padded-jump" */
  uint64_t sites;   /* instructions that it serves, in all processes */
} incore_run_tactic_counter;

/* More than there are tactics. */
enum { INCORE_RUN_MAX_TACTICS = 16 };

typedef struct incore_run_report {
  int exit_code;      /* the program's own, or 128 + the signal that ended it */
  char message[512];  /* one line, without a full stop: what was wrong if the status is not
                         INCORE_OK; else why the program may have ended as it did, or "" */
  const char* model;  /* that the program ran on: the options' or the default; NULL if none did */
  int is_power;       /* not 0: that is a POWER processor */
  unsigned num_insns; /* entries of |insns| that are in use: one per PadLock instruction, or one per
                         crypto instruction of POWER8 if those were counted */
  incore_run_insn_counters insns[INCORE_RUN_MAX_INSNS];
  uint64_t cpuid_sites;     /* CPUID instructions replaced */
  uint64_t cpuid_calls;     /* CPUID instructions answered */
  uint64_t sites_patched;   /* PadLock instructions that became jumps */
  uint64_t sites_unpatched; /* PadLock instructions that raise a signal at each call */
  uint64_t images;          /* programs executed, of PowerPC programs those */
  uint32_t clock_mhz;       /* of the modelled processor, millions of clocks a second */
  unsigned num_tactics;     /* entries of |tactics| that are in use; 0 on a POWER processor */
  incore_run_tactic_counter tactics[INCORE_RUN_MAX_TACTICS];
  uint64_t lost_calls; /* that on_call did not get */
} incore_run_report;

/* incore_run runs the program |argv[0]| (looked up along PATH if it has no slash) with the
 * arguments |argv|, ended by NULL, and waits for its end. Standard input, output and the
 * environment are the caller's; INCORE_RUN=1 is added to the latter. |options| may be NULL: the
 * default. Returns INCORE_OK whatever the program did; INCORE_ERROR_NULL if |argv|, |argv[0]| or
 * |out_report| is NULL; INCORE_ERROR_MODEL for an unknown model or field, and for a model that does
 * not run such programs, INCORE_ERROR_RANGE for an unknown check; INCORE_ERROR_FORMAT if the file
 * |argv[0]| is missing or no program that can be run, or if a PowerPC program lacks its emulator or
 * its loader; INCORE_ERROR_UNSUPPORTED if this kernel refuses what is needed, or the options ask of
 * a PowerPC program what only PadLock has; INCORE_ERROR_MEMORY. |out_report| is written on failure
 * too: its message says why. */
INCORE_API INCORE_NODISCARD incore_status incore_run(const incore_run_options* options,
                                                     const char* const* argv,
                                                     incore_run_report* out_report);

/* incore_run_mnemonic returns the name of the instruction number |index|, NULL behind the last:
 * PadLock's, then those of POWER8. */
INCORE_API const char* incore_run_mnemonic(unsigned index);

/* incore_run_check_name returns the name of the check number |index|, NULL behind the last. */
INCORE_API const char* incore_run_check_name(unsigned index);

/* incore_run_model_name returns the name of the processor model number |index|, NULL behind the
 * last: those with PadLock, then those of PowerPC programs. incore_run_model_description returns a
 * line on it, incore_run_model_is_power 1 for one of PowerPC programs. */
INCORE_API const char* incore_run_model_name(unsigned index);
INCORE_API const char* incore_run_model_description(unsigned index);
INCORE_API int incore_run_model_is_power(unsigned index);
/* incore_run_model_alias returns what else model number |index| is called, such as "KX-6000", NULL
 * behind the last; a name that ends with * stands for all that begin so. Case, spaces, hyphens and
 * the maker's name do not matter in --cpu. */
INCORE_API const char* incore_run_model_alias(unsigned index, unsigned number);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_RUN_H */
