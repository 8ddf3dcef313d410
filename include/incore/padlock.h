/* A VIA PadLock processor to program in C: the units of this CPU, or of a model that is emulated in
 * this process. Registers go in, the instruction runs, registers come out; memory is the caller's
 * own, by address. What the guide says an instruction does, faults included, is what happens; on
 * this CPU's own units a bad pointer is the caller's fault, as it is with the instruction.
 *
 * MONTMUL takes 32-bit pointers: in a 64-bit program what its context points to, and the context,
 * must lie below 4 GiB (mmap, MAP_32BIT). XCRYPT loads its key anew only if told so: see
 * incore_padlock_reload_key. An emulated XSTORE delivers at the model's rate: while nothing is
 * ready it returns a count of 0 in RAX, and time must pass (incore_padlock_wait); REP XSTORE waits
 * by itself, in the model's time and not in yours.
 */
#ifndef INCORE_PADLOCK_H
#define INCORE_PADLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct incore_padlock_registers {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi; /* addresses and counts as the instruction takes them */
} incore_padlock_registers;

typedef struct incore_padlock_trap {
  int vector;         /* x86 exception: 6 #UD, 13 #GP, 14 #PF; -1: none */
  uint64_t address;   /* #PF */
  const char* reason; /* one sentence without a full stop; NULL: none */
} incore_padlock_trap;

/* incore_padlock_model_name returns the name of the model number |index| that can be emulated, NULL
 * behind the last. */
INCORE_API const char* incore_padlock_model_name(size_t index);

/* Must stay where it was made. */
typedef struct incore_padlock {
  uint64_t opaque[1024];
} incore_padlock;

/* incore_padlock_init_emulated makes |*out_padlock| the model that |model| names, as --cpu does:
 * "esther", "nano,stepping=10". Its noise follows from |seed|. On an error a sentence is put into
 * |reason|, cut at |reason_len|; it may be NULL. Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_MODEL. */
INCORE_API INCORE_NODISCARD incore_status incore_padlock_init_emulated(incore_padlock* out_padlock,
                                                                       const char* model,
                                                                       uint64_t seed, char* reason,
                                                                       size_t reason_len);
/* incore_padlock_init_native makes |*out_padlock| this CPU. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_UNSUPPORTED (no PadLock here). */
INCORE_API INCORE_NODISCARD incore_status incore_padlock_init_native(incore_padlock* out_padlock);
INCORE_API void incore_padlock_wipe(incore_padlock* padlock);

INCORE_API int incore_padlock_is_native(const incore_padlock* padlock);
/* "esther", or "native". */
INCORE_API const char* incore_padlock_name(const incore_padlock* padlock);
/* incore_padlock_clock_mhz: of the model; for this CPU 0. */
INCORE_API uint32_t incore_padlock_clock_mhz(const incore_padlock* padlock);

/* incore_padlock_cpuid puts EAX, EBX, ECX and EDX into |out_registers|. */
INCORE_API INCORE_NODISCARD incore_status incore_padlock_cpuid(const incore_padlock* padlock,
                                                               uint32_t leaf, uint32_t subleaf,
                                                               uint32_t out_registers[4]);

/* incore_padlock_mnemonic returns the name of instruction |insn|, numbered from 0; NULL if there is
 * none: "xstore", "rep-xstore", "xcrypt-ecb" and so on, as in incore run --require. All but
 * "xstore" have the REP prefix. */
INCORE_API const char* incore_padlock_mnemonic(size_t insn);

/* incore_padlock_execute runs the instruction called |mnemonic| to its end. |registers| change as
 * it says, also by a trap. Returns INCORE_OK, or INCORE_ERROR_NULL, INCORE_ERROR_STATE (not made),
 * INCORE_ERROR_ALGORITHM (no such instruction), INCORE_ERROR_FAULT (a trap, left in |*out_trap|,
 * which may be NULL; on this CPU only #UD for a unit that is missing), INCORE_ERROR_IO (emulated
 * REP XSTORE: its generator is set up so that it makes no bits). */
INCORE_API INCORE_NODISCARD incore_status
incore_padlock_execute(incore_padlock* padlock, const char* mnemonic,
                       incore_padlock_registers* registers, incore_padlock_trap* out_trap);

/* incore_padlock_reload_key does what PUSHF and POPF do: the next instruction loads key and control
 * word anew. */
INCORE_API void incore_padlock_reload_key(incore_padlock* padlock);

/* Model specific registers; real ones are read and written through /dev/cpu. Returns INCORE_OK, or
 * INCORE_ERROR_NULL, INCORE_ERROR_STATE, INCORE_ERROR_UNSUPPORTED (no such register, or no right to
 * it). */
INCORE_API INCORE_NODISCARD incore_status incore_padlock_read_msr(incore_padlock* padlock,
                                                                  uint32_t msr,
                                                                  uint64_t* out_value);
INCORE_API INCORE_NODISCARD incore_status incore_padlock_write_msr(incore_padlock* padlock,
                                                                   uint32_t msr, uint64_t value);

/* Emulated only: from now on an interrupt comes after 1 to 2 |blocks| - 1 blocks of work (bytes for
 * XSTORE, 32 bits for MONTMUL), at random by |seed|; 0: none. It stops the instruction where that
 * may be interrupted, and the instruction is issued again and goes on, as on silicon; else it comes
 * behind it. Each makes the next XCRYPT load its key. Returns INCORE_OK, or INCORE_ERROR_NULL,
 * INCORE_ERROR_STATE, INCORE_ERROR_UNSUPPORTED (not emulated). */
INCORE_API INCORE_NODISCARD incore_status incore_padlock_set_interrupts(incore_padlock* padlock,
                                                                        uint64_t blocks,
                                                                        uint64_t seed);
/* incore_padlock_num_interrupts: how many came. */
INCORE_API uint64_t incore_padlock_num_interrupts(const incore_padlock* padlock);

/* incore_padlock_seconds: the time that by the model's clock has passed in its instructions and
 * waits; for this CPU 0. */
INCORE_API double incore_padlock_seconds(const incore_padlock* padlock);
/* incore_padlock_wait lets |clocks| of the model's clock pass outside of instructions; on this CPU
 * it does nothing. */
INCORE_API void incore_padlock_wait(incore_padlock* padlock, uint64_t clocks);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_PADLOCK_H */
