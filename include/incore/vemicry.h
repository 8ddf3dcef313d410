/* VeMICry: assembler, simulator and pipeline model of a MIPS with a vector unit for cryptography
 * (Fournier and Moore, "A Vector Approach to Cryptography Implementation"). What `incore vemicry`
 * does, as functions.
 *
 * These functions are in the static library incore_vemicry, not in libincore: they allocate and
 * need the C++ run-time. A |reason| is a buffer of |reason_len| bytes that gets what is wrong, in
 * words and cut to fit; it may be NULL. Handles are freed by the _free function of their kind,
 * which takes NULL too. Different handles may be used in different threads.
 */
#ifndef INCORE_VEMICRY_H
#define INCORE_VEMICRY_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The machine. All zero is the paper's: q = p = r = l = 8, big-endian. */
typedef struct incore_vemicry_config {
  uint32_t q;              /* vector registers, 1 to 16; 0: 8 */
  uint32_t p;              /* words of 32 bits in each, 1 to 256; 0: 8 */
  uint32_t r;              /* lanes, 1 to p; 0: the least of 8 and p */
  uint32_t l;              /* vector length at reset, 1 to p; 0: p */
  uint32_t memory_latency; /* cycles beyond one, 0 to 1000; the pipeline model only */
  int little_endian;       /* not 0: words in memory begin with their least significant byte */
  int load_delay;          /* not 0: the instruction behind a load sees the old value */
  int banked;              /* not 0: every lane has memory of its own for VBYTELD */
  int car_accumulates;     /* not 0: products are added to CAR, and VWSHR clears it */
  int junk;                /* not 0: registers and stack hold junk at reset */
  uint64_t junk_seed;
} incore_vemicry_config;

/* ---- Programs ---- */

typedef struct incore_vemicry_program incore_vemicry_program;

/* incore_vemicry_assemble assembles |source_len| bytes of |source|, called |name| in messages, for
 * a machine like |*config| (NULL: the paper's). Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_FORMAT: |reason| then has a line "name:line:column: cause" for each error. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_assemble(
    const char* name, const char* source, size_t source_len, const incore_vemicry_config* config,
    incore_vemicry_program** out_program, char* reason, size_t reason_len);

/* incore_vemicry_read_elf reads an ELF executable for MIPS-I. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_read_elf(const uint8_t* elf, size_t elf_len, incore_vemicry_program** out_program,
                        char* reason, size_t reason_len);

/* incore_vemicry_load_file reads |path|: an ELF executable, or else assembly. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_load_file(const char* path, const incore_vemicry_config* config,
                         incore_vemicry_program** out_program, char* reason, size_t reason_len);

INCORE_API void incore_vemicry_program_free(incore_vemicry_program* program);

/* incore_vemicry_program_elf writes the program as an ELF executable to |out_elf| if it fits into
 * |elf_len| bytes, and returns how many bytes it has. */
INCORE_API size_t incore_vemicry_program_elf(const incore_vemicry_program* program,
                                             uint8_t* out_elf, size_t elf_len);

/* incore_vemicry_program_symbol finds the address of a label; returns INCORE_ERROR_RANGE if there
 * is none of that name. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_program_symbol(
    const incore_vemicry_program* program, const char* name, uint32_t* out_address);

/* incore_vemicry_program_is_little_endian: 1 or 0. */
INCORE_API int incore_vemicry_program_is_little_endian(const incore_vemicry_program* program);

/* incore_vemicry_disassemble calls |line| for each line of the program's code, in order. */
INCORE_API void incore_vemicry_disassemble(const incore_vemicry_program* program,
                                           void (*line)(void* context, uint32_t address,
                                                        uint32_t word, const char* label,
                                                        const char* text),
                                           void* context);

/* ---- Workloads: functions of the programs that come with Incore, with input and check ---- */

typedef struct incore_vemicry_workload {
  const char* name;     /* "aes128-encrypt-16" */
  const char* summary;  /* one line */
  const char* program;  /* its file in programs/vemicry */
  const char* function; /* its label there */
} incore_vemicry_workload;

INCORE_API size_t incore_vemicry_num_workloads(void);
/* incore_vemicry_get_workload: number |workload|, from 0; INCORE_ERROR_RANGE if there is none. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_get_workload(size_t workload, incore_vemicry_workload* out_workload);

typedef struct incore_vemicry_figures {
  uint64_t instructions;      /* from the function's first one to the delay slot of its return */
  uint64_t call_instructions; /* beside that, to call it: arguments on the stack, jal, delay slot */
  uint64_t cycles;            /* of the function, by the pipeline model */
  uint64_t num_bytes;         /* of data that one call works on; 0: not a matter of bytes */
} incore_vemicry_figures;

/* incore_vemicry_measure runs the workload called |name| once on input made from |seed|, and checks
 * what it left. Returns INCORE_OK; INCORE_ERROR_RANGE: no such workload, or it cannot run on such a
 * machine; INCORE_ERROR_FAULT: what it left is wrong. |reason| says more. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_measure(const char* name, const incore_vemicry_config* config, uint64_t seed,
                       incore_vemicry_figures* out_figures, char* reason, size_t reason_len);

/* incore_vemicry_measure_function calls the function at the label |function| of |program|, without
 * arguments, once on a machine like |*config|; nothing is checked. Returns INCORE_OK;
 * INCORE_ERROR_NULL; INCORE_ERROR_RANGE: no such label, or the machine cannot be made;
 * INCORE_ERROR_FAULT: the function trapped or does not end. |reason| says more. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_measure_function(
    const incore_vemicry_program* program, const char* function,
    const incore_vemicry_config* config, incore_vemicry_figures* out_figures, char* reason,
    size_t reason_len);

/* incore_vemicry_profile runs a workload as incore_vemicry_measure does, and then calls
 * |on_function| for each function of its program that was executed, in order of address, with how
 * often it was entered and the instructions executed in it, called functions not included. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_profile(
    const char* name, const incore_vemicry_config* config, uint64_t seed,
    void (*on_function)(void* context, const char* label, uint64_t entered, uint64_t instructions),
    void* context, char* reason, size_t reason_len);

/* incore_vemicry_program_file finds the file |name| of programs/vemicry, which lies in the library;
 * returns its bytes, or NULL if there is none of that name. */
INCORE_API const uint8_t* incore_vemicry_program_file(const char* name, size_t* out_len);

/* ---- The Verilog model of the vector unit ---- */

typedef struct incore_vemicry_file {
  const char* name; /* "vemicry_unit.v" */
  const char* text; /* not ended by a zero */
  size_t len;       /* in bytes */
} incore_vemicry_file;

/* incore_vemicry_get_rtl: file number |file|, from 0, of rtl/vemicry; INCORE_ERROR_RANGE if there
 * is none. The top module is vemicry_unit with the parameters Q, P, R. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_get_rtl(size_t file,
                                                                 incore_vemicry_file* out_file);

/* incore_vemicry_area estimates the vector unit's size in gate equivalents (NAND2 of the same
 * technology), from what synthesis of rtl/vemicry gave for some machines. Not counted: the memories
 * of the lanes, the scalar core, wiring. INCORE_ERROR_RANGE: a parameter is out of range. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_area(const incore_vemicry_config* config,
                                                              double* out_gate_equivalents);

/* ---- The machine ---- */

typedef struct incore_vemicry_machine incore_vemicry_machine;

/* How a run ended. */
typedef enum incore_vemicry_stop {
  INCORE_VEMICRY_EXITED,
  INCORE_VEMICRY_TRAPPED,
  INCORE_VEMICRY_LIMIT /* as many instructions as allowed were executed */
} incore_vemicry_stop;

typedef struct incore_vemicry_outcome {
  incore_vemicry_stop stop;
  uint32_t value;        /* exited: the exit code, or what the called function returned */
  const char* exception; /* trapped: why, in words; else NULL */
  uint32_t bad_address;  /* trapped: address errors and bus errors: the address */
  uint32_t address;      /* trapped: of the instruction */
  uint32_t word;         /* trapped: the instruction */
  uint64_t instructions; /* executed, those in delay slots included */
} incore_vemicry_outcome;

/* incore_vemicry_machine_new makes a machine like |*config| (NULL: the paper's), in the program's
 * byte order, with |program| loaded. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE (a
 * parameter, or a program that does not fit). The program may be freed afterwards. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_new(
    const incore_vemicry_config* config, const incore_vemicry_program* program,
    incore_vemicry_machine** out_machine, char* reason, size_t reason_len);

INCORE_API void incore_vemicry_machine_free(incore_vemicry_machine* machine);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_VEMICRY_H */
