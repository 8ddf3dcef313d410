/* VeMICry: assembler, simulator and pipeline model of a MIPS with a vector unit for cryptography
 * (Fournier and Moore, "A Vector Approach to Cryptography Implementation"). What `incore vemicry`
 * does, as functions.
 *
 * These functions are in libincore_hosted, not in libincore: they allocate and need the C++
 * run-time. Each that returns a status may return INCORE_ERROR_MEMORY. A |reason| is a buffer of
 * |reason_len| bytes that gets what is wrong, in words and cut to fit; it may be NULL. Handles are
 * freed by the _free function of their kind, which takes NULL too. Different handles may be used in
 * different threads.
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
  uint32_t banks;          /* of memory, a power of two up to 256; 0: as many as lanes; likewise */
  uint32_t ports;          /* of a bank, 1 or 2; 0: 2; likewise */
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

/* A symbol with a value, known before the first line. */
typedef struct incore_vemicry_define {
  const char* name;
  uint32_t value;
} incore_vemicry_define;

/* incore_vemicry_assemble_with does the same with |num_defines| symbols of the caller's. P and L,
 * the words of a register and the vector length at reset, are defined in any case. A symbol that
 * is defined already, or that is no name, is INCORE_ERROR_FORMAT. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_assemble_with(
    const incore_vemicry_define* defines, size_t num_defines, const char* name, const char* source,
    size_t source_len, const incore_vemicry_config* config, incore_vemicry_program** out_program,
    char* reason, size_t reason_len);

/* A file of assembly. */
typedef struct incore_vemicry_source {
  const char* path; /* .include "FILE" in it is relative to the folder of this */
  const char* name; /* in messages */
  const char* text; /* NULL: it is read from |path| */
  size_t text_len;
} incore_vemicry_source;

/* incore_vemicry_assemble_files assembles several files to one program: they share the symbols that
 * are .globl, and each has its others, its macros and its modes for itself. Unlike the functions
 * above it reads files for .include. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE
 * (no source), INCORE_ERROR_IO, INCORE_ERROR_FORMAT. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_assemble_files(
    const incore_vemicry_define* defines, size_t num_defines, const incore_vemicry_source* sources,
    size_t num_sources, const incore_vemicry_config* config, incore_vemicry_program** out_program,
    char* reason, size_t reason_len);

/* incore_vemicry_read_elf reads an ELF executable for MIPS-I. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_FORMAT. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_read_elf(const uint8_t* elf, size_t elf_len, incore_vemicry_program** out_program,
                        char* reason, size_t reason_len);

/* incore_vemicry_read_flat takes bytes as they lie in memory from |address| on, a multiple of 4, as
 * code. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE (they do not fit). */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_read_flat(const uint8_t* bytes, size_t len, uint32_t address, int little_endian,
                         incore_vemicry_program** out_program, char* reason, size_t reason_len);

/* incore_vemicry_load_file reads |path|: an ELF executable, or else assembly, which may .include
 * other files. Lines of |reason| name the file as |name|, which is how the caller shows the path.
 * Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_IO, INCORE_ERROR_FORMAT. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_load_file(const char* path, const char* name, const incore_vemicry_config* config,
                         incore_vemicry_program** out_program, char* reason, size_t reason_len);

/* incore_vemicry_is_program: 1 if |path| is one that the machine runs: an ELF executable for MIPS-I
 * that needs no interpreter, or, by its name, assembly (.s); else 0. */
INCORE_API int incore_vemicry_is_program(const char* path);

INCORE_API void incore_vemicry_program_free(incore_vemicry_program* program);

/* incore_vemicry_program_elf writes the program as an ELF executable to |out_elf|, |elf_len| bytes,
 * and how many of them it is to |*out_len|. Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_LENGTH: they are too few, and |*out_len| says how many it takes. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_program_elf(
    const incore_vemicry_program* program, uint8_t* out_elf, size_t elf_len, size_t* out_len);

/* incore_vemicry_program_symbol finds the address of a label; returns INCORE_ERROR_RANGE if there
 * is none of that name. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_program_symbol(
    const incore_vemicry_program* program, const char* name, uint32_t* out_address);

/* incore_vemicry_program_is_little_endian: 1 or 0. */
INCORE_API int incore_vemicry_program_is_little_endian(const incore_vemicry_program* program);

/* incore_vemicry_disassemble calls |line| for each line of the program's code, in order, as a
 * machine like |*config| (NULL: the paper's) has it: words that are reserved there are ".word".
 * Returns INCORE_OK, or INCORE_ERROR_NULL. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_disassemble(
    const incore_vemicry_program* program, const incore_vemicry_config* config,
    void (*line)(void* context, uint32_t address, uint32_t word, const char* label,
                 const char* text),
    void* context);

/* incore_vemicry_program_lines calls |line| for each line of the assembly source that made bytes,
 * in the order of the source, with those bytes; a line that made more than one stretch of them
 * (.rept) comes more than once, and bytes of an included file are those of the line that includes
 * it. Nothing is called for programs that were not assembled. */
INCORE_API void incore_vemicry_program_lines(const incore_vemicry_program* program,
                                             void (*line)(void* context, uint32_t number,
                                                          uint32_t address, const uint8_t* bytes,
                                                          size_t len),
                                             void* context);

/* ---- Workloads: functions of the programs that come with Incore, with input and check ---- */

typedef struct incore_vemicry_workload {
  const char* name;     /* "aes128-encrypt-16" */
  const char* summary;  /* one line */
  const char* program;  /* its file in programs/vemicry */
  const char* function; /* its label there */
  int makes_round_keys; /* 1: it is a key schedule */
  int takes_round_keys; /* 1: it wants what a key schedule makes */
} incore_vemicry_workload;

INCORE_API size_t incore_vemicry_num_workloads(void);
/* incore_vemicry_get_workload: number |workload|, from 0; INCORE_ERROR_RANGE if there is none. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_get_workload(size_t workload, incore_vemicry_workload* out_workload);

typedef struct incore_vemicry_figures {
  uint64_t instructions; /* from the function's first one to the delay slot of its return */
  /* Beside that, executed to call it: stores of the arguments that go on the stack, jal and its
   * delay slot. How a caller comes by its arguments is not in. */
  uint64_t call_instructions;
  uint64_t cycles;    /* of the function, by the pipeline model */
  uint64_t num_bytes; /* of data that one call works on; 0: not a matter of bytes */
} incore_vemicry_figures;

/* incore_vemicry_measure runs the workload called |name| once on input made from |seed|, and checks
 * what it left. Returns INCORE_OK; INCORE_ERROR_RANGE: no such workload, or it cannot run on such a
 * machine; INCORE_ERROR_FAULT: what it left is wrong. |reason| says more. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_measure(const char* name, const incore_vemicry_config* config, uint64_t seed,
                       incore_vemicry_figures* out_figures, char* reason, size_t reason_len);

/* incore_vemicry_measure_with_keys runs the workload |keys|, and then |block| with the round keys
 * that it made, both checked: which of them go together is found by trying. Returns INCORE_OK;
 * INCORE_ERROR_NULL; INCORE_ERROR_RANGE: no such workload, one that makes or takes no round keys,
 * or one that cannot run on such a machine; INCORE_ERROR_FAULT: what one left is wrong. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_measure_with_keys(
    const char* keys, const char* block, const incore_vemicry_config* config, uint64_t seed,
    incore_vemicry_figures* out_keys, incore_vemicry_figures* out_block, char* reason,
    size_t reason_len);

/* Bytes at a label of the program. */
typedef struct incore_vemicry_bytes {
  const char* label;
  const uint8_t* bytes;
  size_t len;
} incore_vemicry_bytes;

/* A call of a function. What is zero is not there. */
typedef struct incore_vemicry_call {
  const char* function;      /* its label */
  const uint32_t* arguments; /* as the o32 convention passes them, 64 at most */
  size_t num_arguments;
  const incore_vemicry_bytes* inputs; /* put into memory before */
  size_t num_inputs;
  const incore_vemicry_bytes* outputs; /* what memory must hold after */
  size_t num_outputs;
  uint64_t num_bytes; /* for the figures: of data that the call works on */
} incore_vemicry_call;

/* incore_vemicry_measure_call makes |*call| once in |program|, on a machine like |*config|, and
 * checks what it left. Returns INCORE_OK; INCORE_ERROR_NULL; INCORE_ERROR_RANGE: no such label, too
 * many arguments, or the machine cannot be made; INCORE_ERROR_LENGTH: input reaches beyond memory;
 * INCORE_ERROR_FAULT: what it left is wrong, the function trapped, or was not at its end after
 * |limit| instructions (0: no limit). |reason| says more. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_measure_call(const incore_vemicry_program* program, const incore_vemicry_call* call,
                            const incore_vemicry_config* config, uint64_t limit,
                            incore_vemicry_figures* out_figures, char* reason, size_t reason_len);

/* incore_vemicry_measure_function is that for the function at a label, without arguments; nothing
 * is checked. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_measure_function(
    const incore_vemicry_program* program, const char* function,
    const incore_vemicry_config* config, uint64_t limit, incore_vemicry_figures* out_figures,
    char* reason, size_t reason_len);

/* incore_vemicry_profile runs a workload as incore_vemicry_measure does, and then calls
 * |on_function| for each function of its program that was executed, in order of address, with how
 * often it was entered, the instructions executed in it, called functions not included, and how
 * many of those were its returns: jr, and a nop in the delay slot. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_profile(const char* name, const incore_vemicry_config* config, uint64_t seed,
                       void (*on_function)(void* context, const char* label, uint64_t entered,
                                           uint64_t instructions, uint64_t return_instructions),
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
  INCORE_VEMICRY_LIMIT,     /* as many instructions as allowed were executed */
  INCORE_VEMICRY_BREAKPOINT /* the next instruction has a breakpoint */
} incore_vemicry_stop;

typedef struct incore_vemicry_outcome {
  incore_vemicry_stop stop;
  uint32_t value;        /* exited: the exit code, or what the called function returned */
  const char* exception; /* trapped: why, in words; else NULL */
  uint32_t
      exception_code;    /* trapped: the number that a MIPS has for it, ExcCode of Cause; else 0 */
  uint32_t bad_address;  /* trapped: address errors and bus errors: the address; unknown system
                          * calls: the number */
  uint32_t address;      /* trapped: of the instruction */
  uint32_t word;         /* trapped: the instruction */
  int in_delay_slot;     /* trapped: not 0: it stands in the delay slot of a branch before it */
  int signal;            /* trapped: the signal of this host that Linux would send for it */
  uint64_t instructions; /* executed, those in delay slots included */
} incore_vemicry_outcome;

/* incore_vemicry_machine_new makes a machine like |*config| (NULL: the paper's), in the program's
 * byte order, with |program| loaded. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE (a
 * parameter, or a program that does not fit). The program may be freed afterwards. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_new(
    const incore_vemicry_config* config, const incore_vemicry_program* program,
    incore_vemicry_machine** out_machine, char* reason, size_t reason_len);

INCORE_API void incore_vemicry_machine_free(incore_vemicry_machine* machine);

/* incore_vemicry_machine_run executes |limit| instructions at most (0: as many as it takes), from
 * the entry or where the last run ended. What the program does is in |*out_outcome|. Returns
 * INCORE_OK or INCORE_ERROR_NULL. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_run(
    incore_vemicry_machine* machine, uint64_t limit, incore_vemicry_outcome* out_outcome);

/* incore_vemicry_machine_run_timed is incore_vemicry_machine_run with the pipeline model beside it:
 * |*out_cycles| gets the cycles from the first instruction's issue to the last one's, both
 * included. It ends what incore_vemicry_machine_time began. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_machine_run_timed(incore_vemicry_machine* machine, uint64_t limit,
                                 incore_vemicry_outcome* out_outcome, uint64_t* out_cycles);

/* incore_vemicry_machine_call calls the function at |address| by the o32 convention and runs as
 * above until it returns. Returns INCORE_OK, INCORE_ERROR_NULL, or INCORE_ERROR_RANGE for more than
 * 64 arguments. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_call(
    incore_vemicry_machine* machine, uint32_t address, const uint32_t* arguments,
    size_t num_arguments, uint64_t limit, incore_vemicry_outcome* out_outcome);

/* incore_vemicry_machine_begin_call only prepares that call, for a run. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_machine_begin_call(incore_vemicry_machine* machine, uint32_t address,
                                  const uint32_t* arguments, size_t num_arguments);

/* incore_vemicry_machine_set_breakpoint makes runs stop before the instruction at |address|, but
 * for the one that they begin with; 0 takes the breakpoint away. INCORE_ERROR_RANGE: no instruction
 * can be there. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_set_breakpoint(
    incore_vemicry_machine* machine, uint32_t address, int is_set);

/* incore_vemicry_machine_read and _write copy |len| bytes from and to the machine's memory.
 * INCORE_ERROR_RANGE, and nothing done: not all of it is mapped. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_read(
    const incore_vemicry_machine* machine, uint32_t address, uint8_t* out_bytes, size_t len);
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_write(
    incore_vemicry_machine* machine, uint32_t address, const uint8_t* bytes, size_t len);

/* Registers of one word. Scalar register i is number i. */
enum {
  INCORE_VEMICRY_HI = 32,
  INCORE_VEMICRY_LO,
  INCORE_VEMICRY_PC,    /* of the next instruction; writing it leaves a delay slot behind */
  INCORE_VEMICRY_VCR,   /* vector conditions, polynomial of VMPMUL */
  INCORE_VEMICRY_CAR,   /* carry of the vector unit */
  INCORE_VEMICRY_LENGTH /* vector length; 1 to p */
};

/* incore_vemicry_machine_get_register and _set_register: INCORE_ERROR_RANGE for a register that
 * does not exist, or a length that is not from 1 to p. Scalar register 0 stays 0. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_get_register(
    const incore_vemicry_machine* machine, uint32_t number, uint32_t* out_value);
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_set_register(
    incore_vemicry_machine* machine, uint32_t number, uint32_t value);

/* incore_vemicry_machine_get_vector and _set_vector copy a vector register, |num_words| words of it
 * from word 0; INCORE_ERROR_RANGE: there is no such register, or it has not so many words. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_get_vector(
    const incore_vemicry_machine* machine, uint32_t number, uint32_t* out_words, size_t num_words);
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_set_vector(
    incore_vemicry_machine* machine, uint32_t number, const uint32_t* words, size_t num_words);

/* incore_vemicry_machine_place_table puts a table of 256 bytes, known by |address|, into the banks
 * of all lanes. Returns INCORE_OK, INCORE_ERROR_NULL, INCORE_ERROR_UNSUPPORTED (the machine has no
 * banks) or INCORE_ERROR_RANGE (four other tables are there). */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_place_table(
    incore_vemicry_machine* machine, uint32_t address, const uint8_t* table);

/* incore_vemicry_machine_on_io says what the program's system calls read and write do. Each returns
 * the number of bytes, or a negative error number of Linux on MIPS. NULL, and before this: input is
 * empty, output is dropped. */
INCORE_API void incore_vemicry_machine_on_io(
    incore_vemicry_machine* machine,
    int64_t (*read)(void* context, int fd, uint8_t* out_bytes, size_t len),
    int64_t (*write)(void* context, int fd, const uint8_t* bytes, size_t len), void* context);

/* incore_vemicry_machine_count_instructions makes runs count each mnemonic, which takes time; 0
 * ends that. incore_vemicry_machine_instruction_counts calls |each| for those that were executed,
 * in the order of the instruction set. */
INCORE_API void incore_vemicry_machine_count_instructions(incore_vemicry_machine* machine,
                                                          int counts);
INCORE_API void incore_vemicry_machine_instruction_counts(
    const incore_vemicry_machine* machine,
    void (*each)(void* context, const char* mnemonic, int is_vector, uint64_t count),
    void* context);

/* incore_vemicry_machine_explain puts a sentence on a trap into |out_text|, cut to fit: exception,
 * address as label and offset, instruction. */
INCORE_API void incore_vemicry_machine_explain(const incore_vemicry_machine* machine,
                                               const incore_vemicry_outcome* outcome,
                                               char* out_text, size_t text_len);

/* ---- Traces: executed instructions, with the times of the pipeline model ---- */

/* Where an instruction is from cycle |first| to cycle |last|. Cycles are counted from 0, in which
 * the first instruction is fetched. */
typedef struct incore_vemicry_stage {
  const char* name; /* "IF", "ID"; then scalar "EX" "DC" "WB", vector "DF" "EXM" "EXC" "WB" */
  uint64_t first, last;
  int idle;            /* 1: the instruction passes it and does nothing there */
  uint32_t iteration;  /* of a vector instruction, from 0 */
  uint32_t first_word; /* the words that the lanes work on; word i in lane i mod r */
  uint32_t num_words;  /* 0: not in the lanes, or not about words of a vector */
} incore_vemicry_stage;

#define INCORE_VEMICRY_NUM_STALLS 7

/* incore_vemicry_stall_text: why an instruction waits, for |stall| from 0, without a full stop.
 * NULL from INCORE_VEMICRY_NUM_STALLS on. */
INCORE_API const char* incore_vemicry_stall_text(size_t stall);

/* An executed instruction. All of it is the library's, until the callback that gets it returns. */
typedef struct incore_vemicry_traced {
  uint64_t number; /* from 0 */
  uint32_t address, word;
  const char* mnemonic;
  const char* text;                   /* as in assembly */
  const char* class_name;             /* "scalar" "GIVI" "PIVI" "MAVI" */
  int writes_sbi;                     /* 1: a scalar operand goes into the scalar buffer in DF */
  const incore_vemicry_stage* stages; /* IF, ID, then the others of each iteration */
  size_t num_stages;
  uint32_t stall_cycles[INCORE_VEMICRY_NUM_STALLS]; /* in ID beyond one, by cause */
  const uint64_t* producers; /* numbers of those whose results came by a bypass */
  size_t num_producers;
} incore_vemicry_traced;

typedef struct incore_vemicry_trace_totals {
  incore_vemicry_outcome outcome;
  uint64_t cycles; /* from the first instruction's issue to the last one's, both included */
  uint64_t stall_cycles[INCORE_VEMICRY_NUM_STALLS]; /* cycles = instructions + their sum */
} incore_vemicry_trace_totals;

typedef struct incore_vemicry_trace_options {
  const incore_vemicry_config* config; /* NULL: the paper's machine */
  uint64_t limit;                      /* instructions to execute at most; 0: no limit */
  /* Called for each executed instruction (not for one that trapped), in order; a result other than
   * 0 ends the run soon, and it is not called again. NULL: totals are all, which is much faster. */
  int (*visit)(void* context, const incore_vemicry_traced* traced);
  void* context;
} incore_vemicry_trace_options;

/* incore_vemicry_trace_workload runs a workload as incore_vemicry_measure does, with the same
 * results; what a run cut short left is not checked. */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_trace_workload(
    const char* name, uint64_t seed, const incore_vemicry_trace_options* options,
    incore_vemicry_trace_totals* out_totals, char* reason, size_t reason_len);

/* incore_vemicry_trace_program runs |program| from its entry, or calls |function| (NULL: none), a
 * label, with |num_arguments| words by the o32 convention. Input is empty, output is dropped.
 * Returns INCORE_OK however the run ends, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE (a parameter, no
 * such label, or a program that does not fit). */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_trace_program(
    const incore_vemicry_program* program, const char* function, const uint32_t* arguments,
    size_t num_arguments, const incore_vemicry_trace_options* options,
    incore_vemicry_trace_totals* out_totals, char* reason, size_t reason_len);

/* ---- Times of a machine's runs, by the pipeline model ---- */

typedef enum incore_vemicry_timing {
  INCORE_VEMICRY_UNTIMED, /* as at first */
  INCORE_VEMICRY_TIMED,   /* cycles are counted */
  INCORE_VEMICRY_PROFILED /* by function and source line, too */
} incore_vemicry_timing;

/* incore_vemicry_machine_time says what the runs from now on measure, from cycle 0 and an empty
 * pipeline on. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_RANGE. */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_machine_time(incore_vemicry_machine* machine, incore_vemicry_timing timing);

/* incore_vemicry_machine_times: the cycles from the first instruction's issue to the last one's,
 * both included, and those that instructions waited, by cause; cycles = instructions + their sum.
 * Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_UNSUPPORTED (runs are not timed). */
INCORE_API INCORE_NODISCARD incore_status
incore_vemicry_machine_times(const incore_vemicry_machine* machine, uint64_t* out_cycles,
                             uint64_t out_stall_cycles[INCORE_VEMICRY_NUM_STALLS]);

typedef struct incore_vemicry_profile_row {
  const char* name; /* of the function or the source file; "": it is not known */
  uint32_t line;    /* of the file; 0 for functions */
  uint64_t instructions, cycles;
} incore_vemicry_profile_row;

/* incore_vemicry_machine_profile calls |each| for each function in which instructions were
 * executed, in order of address; or, with |by_lines| not 0, for each source line, in order of file
 * and line: of assembly, or by an ELF file's table of lines (DWARF). A function begins at a symbol
 * that is marked so, that was called, or where the run began. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_UNSUPPORTED (runs are not profiled). */
INCORE_API INCORE_NODISCARD incore_status incore_vemicry_machine_profile(
    const incore_vemicry_machine* machine, int by_lines,
    void (*each)(void* context, const incore_vemicry_profile_row* row), void* context);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_VEMICRY_H */
