/* An emulated VIA PadLock processor to embed in a machine of your own: an emulator, a debugger's
 * stub, a test bench. The machine keeps the registers and the memory, and says what happens around;
 * this is the units, their hidden state, MSRs, CPUID, noise and time. incore/padlock.h is for
 * programs that want PadLock for themselves.
 *
 * Nothing is shared and nothing allocated: there may be as many processors as you like, on as many
 * threads, one call on each at a time.
 *
 * EFLAGS bit 30 says that the key is loaded, and the machine takes care of it as a PadLock part
 * does: whatever stores EFLAGS (PUSHF, interrupts, exceptions, task switches) or loads it (POPF,
 * IRET), and SYSENTER, leaves it 0, and the image in memory has 0 there. REP XCRYPT sets it. A
 * machine that cannot do that clears it before each instruction: then each loads its key.
 */
#ifndef INCORE_PROCESSOR_H
#define INCORE_PROCESSOR_H

#include <stddef.h>
#include <stdint.h>

#include "incore/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INCORE_PROCESSOR_KEY_LOADED (UINT64_C(1) << 30) /* of RFLAGS */

/* What the machine's ES register holds of its descriptor. In 64-bit code it is not looked at. */
typedef struct incore_processor_segment {
  uint64_t base;
  uint64_t limit; /* the last valid offset */
  uint32_t first; /* the first valid offset: above 0 in a segment that expands down */
  int readable;   /* 0: no offset is valid, as with a null selector */
  int writable;
} incore_processor_segment;

/* The machine's registers, as far as PadLock reads or writes them. */
typedef struct incore_processor_state {
  uint64_t rax, rbx, rcx, rdx, rsi, rdi, rip;
  uint64_t rflags;    /* AC (bit 18) and bit 30 are looked at */
  uint64_t cr0, cr4;  /* CR0.AM, EM and TS; CR4.OSFXSR, without which PadLock is switched off */
  unsigned cpl;       /* 0 to 3 */
  unsigned code_bits; /* default size of the code segment: 16, 32 or 64 */
  incore_processor_segment es;
} incore_processor_state;

enum { INCORE_PROCESSOR_NO_TRAP = -1 };

/* An exception of the instruction. */
typedef struct incore_processor_trap {
  int vector;          /* 6 #UD, 7 #NM, 13 #GP, 14 #PF, 17 #AC, or the machine's own; or no trap */
  uint32_t error_code; /* of #PF, by the machine; else 0 */
  uint64_t address;    /* of #PF: the linear address, as for CR2 */
  const char* reason;  /* one sentence for people, without a full stop; NULL: none */
} incore_processor_trap;

/* What the machine does for an instruction. All addresses are linear: the segment's base is in
 * them. A function that returns not 0 has filled |*out_trap| (which comes as no trap) and has done
 * nothing else; the instruction then ends with that exception, whichever it is. A function that
 * does not return (longjmp) leaves the processor as an instruction that was abandoned does: call
 * incore_processor_forget_key. */
typedef struct incore_processor_machine {
  void* context; /* goes to each function */
  /* Copies |len| bytes, all or none. A page fault's address is that of the first byte that cannot
     be accessed. */
  int (*read)(void* context, uint64_t address, void* out, size_t len,
              incore_processor_trap* out_trap);
  int (*write)(void* context, uint64_t address, const void* in, size_t len,
               incore_processor_trap* out_trap);
  /* Whether |len| bytes could be written now. */
  int (*probe_write)(void* context, uint64_t address, size_t len, incore_processor_trap* out_trap);
  /* Faster, or NULL: a pointer to the |len| bytes if all of them can be read (written) without an
     exception, else NULL; the functions above are then called. The pointer is used until the next
     of these calls. A write through it is not announced. */
  const uint8_t* (*readable)(void* context, uint64_t address, size_t len);
  uint8_t* (*writable)(void* context, uint64_t address, size_t len);
  /* Asked wherever the instruction may be interrupted, with the blocks (bytes of XSTORE) that are
     done; not 0 stops it there. NULL: it runs to its end. */
  int (*interrupt)(void* context, uint64_t done);
} incore_processor_machine;

typedef enum incore_processor_outcome INCORE_FIXED_INT {
  INCORE_PROCESSOR_DONE,    /* RIP is behind the instruction */
  INCORE_PROCESSOR_TRAPPED, /* RIP is at it, registers are as the guide says for the exception */
  INCORE_PROCESSOR_INTERRUPTED, /* likewise; issued again, it goes on. Also when a REP XSTORE has
                                   waited a long time for a generator that makes no bits. */
  INCORE_PROCESSOR_OTHER        /* the bytes hold no PadLock instruction; nothing was done */
} incore_processor_outcome;

typedef struct incore_processor_result {
  incore_processor_outcome outcome;
  incore_processor_trap trap;
  const char* mnemonic; /* "xcrypt-cbc", as in incore run --require; NULL if there is none */
  unsigned insn;        /* its number, as for incore_padlock_mnemonic */
  unsigned length;      /* bytes of the instruction */
  uint64_t bytes;       /* of data that it worked on */
  uint64_t clocks;      /* that the part would have taken; 0 where nothing was published */
  int key_loaded;       /* not 0: it loaded a key */
} incore_processor_result;

/* Must stay where it was made. Holds keys. */
typedef struct incore_processor {
  uint64_t opaque[1024];
} incore_processor;

/* incore_processor_init makes |*out_processor| the model that |model| names, as --cpu does:
 * "esther", "nano,stepping=10", after RESET. Its noise follows from |seed|. On an error a sentence
 * is put into |reason|, cut at |reason_len|; it may be NULL. Returns INCORE_OK, INCORE_ERROR_NULL,
 * INCORE_ERROR_MODEL. */
INCORE_API INCORE_NODISCARD incore_status incore_processor_init(incore_processor* out_processor,
                                                                const char* model, uint64_t seed,
                                                                char* reason, size_t reason_len);
INCORE_API void incore_processor_wipe(incore_processor* processor);

/* incore_processor_reset and incore_processor_init_signal do to the units what RESET and INIT do.
 * The machine clears CR0, CR4 and EFLAGS bit 30. */
INCORE_API void incore_processor_reset(incore_processor* processor);
INCORE_API void incore_processor_init_signal(incore_processor* processor);

/* incore_processor_name: "esther". incore_processor_clock_mhz: of the model. */
INCORE_API const char* incore_processor_name(const incore_processor* processor);
INCORE_API uint32_t incore_processor_clock_mhz(const incore_processor* processor);

/* incore_processor_cpuid puts EAX, EBX, ECX and EDX into |out_registers|, as the MSRs stand now.
 * Models of 32-bit parts have no long mode there. Returns INCORE_OK, INCORE_ERROR_NULL,
 * INCORE_ERROR_STATE (not made). */
INCORE_API INCORE_NODISCARD incore_status incore_processor_cpuid(const incore_processor* processor,
                                                                 uint32_t leaf, uint32_t subleaf,
                                                                 uint32_t out_registers[4]);

/* RDMSR and WRMSR at level 0: PadLock's registers, which are 0x1107 (on Zhaoxin 0x1257) and 0x110B.
 * Returns INCORE_OK, INCORE_ERROR_NULL, INCORE_ERROR_STATE, INCORE_ERROR_UNSUPPORTED (the model
 * lacks this one: #GP), INCORE_ERROR_RANGE (not a register of PadLock's: the machine's affair). */
INCORE_API INCORE_NODISCARD incore_status incore_processor_read_msr(incore_processor* processor,
                                                                    uint32_t msr,
                                                                    uint64_t* out_value);
INCORE_API INCORE_NODISCARD incore_status incore_processor_write_msr(incore_processor* processor,
                                                                     uint32_t msr, uint64_t value);

/* incore_processor_execute runs the instruction at |state->rip|, whose bytes are |code|: prefixes
 * included, and as many as there are up to |code_len|; 15 are always enough. |state| becomes what
 * the instruction leaves, also by a trap. Returns INCORE_OK whatever the outcome is,
 * INCORE_ERROR_NULL (an argument, or read, write or probe_write), INCORE_ERROR_STATE (not made),
 * INCORE_ERROR_RANGE (code_bits, cpl). */
INCORE_API INCORE_NODISCARD incore_status incore_processor_execute(
    incore_processor* processor, incore_processor_state* state, const uint8_t* code,
    size_t code_len, const incore_processor_machine* machine, incore_processor_result* out_result);

/* incore_processor_forget_key: the key is gone; the next REP XCRYPT loads its own, whatever EFLAGS
 * bit 30 says. */
INCORE_API void incore_processor_forget_key(incore_processor* processor);

/* incore_processor_save puts the hidden state into |out|: the loaded key, MSRs, the generator with
 * its noise, time. The bytes are the same on every host, and hold keys. EFLAGS bit 30 is the
 * machine's to save. incore_processor_load lets a processor of the same model go on from there.
 * Returns INCORE_OK, INCORE_ERROR_NULL, INCORE_ERROR_STATE (not made), INCORE_ERROR_RANGE (no such
 * bytes, or another model's; nothing has changed). */
enum { INCORE_PROCESSOR_SAVED_LEN = 576 };
INCORE_API INCORE_NODISCARD incore_status
incore_processor_save(const incore_processor* processor, uint8_t out[INCORE_PROCESSOR_SAVED_LEN]);
INCORE_API INCORE_NODISCARD incore_status
incore_processor_load(incore_processor* processor, const uint8_t in[INCORE_PROCESSOR_SAVED_LEN]);

/* incore_processor_reseed: the noise follows from |seed| from now on, and bits that were made and
 * not taken are gone. For a copy, whose random numbers must not be those of the original. */
INCORE_API void incore_processor_reseed(incore_processor* processor, uint64_t seed);

/* incore_processor_pass lets |clocks| of the model's clock pass outside of instructions, in which
 * the generator makes bits. In instructions they pass by themselves. */
INCORE_API void incore_processor_pass(incore_processor* processor, uint64_t clocks);
/* incore_processor_clocks: how many have passed. */
INCORE_API uint64_t incore_processor_clocks(const incore_processor* processor);

/* Something that an emulator lets pass, while silicon fails or does what no document defines: what
 * `incore run --check` reports. The strings are constants. */
typedef struct incore_processor_finding {
  const char* check;           /* short name, such as "stale-key" */
  const char* clause;          /* of docs/clauses */
  const char* what;            /* what is wrong, without a full stop */
  const char* remedy;          /* how to mend it, without a full stop */
  const char* operand;         /* what it points at, such as "the key at EBX" */
  uint64_t operand_address;    /* where that is, or the value where it is a number */
  const uint8_t* control_word; /* of REP XCRYPT: 16 bytes, valid during the call; or NULL */
} incore_processor_finding;

/* What has been checked before, which some checks compare with. */
typedef struct incore_processor_checker {
  uint64_t opaque[3400];
} incore_processor_checker;

/* incore_processor_checker_init: nothing has been seen. */
INCORE_API void incore_processor_checker_init(incore_processor_checker* out_checker);
INCORE_API void incore_processor_checker_wipe(incore_processor_checker* checker);

/* incore_processor_check calls |on_finding| for each thing that is wrong with the instruction that
 * incore_processor_execute with the same arguments would run. Nothing changes but |checker|; memory
 * is read and probed. Returns as incore_processor_execute does. */
INCORE_API INCORE_NODISCARD incore_status incore_processor_check(
    incore_processor* processor, incore_processor_checker* checker,
    const incore_processor_state* state, const uint8_t* code, size_t code_len,
    const incore_processor_machine* machine,
    void (*on_finding)(void* context, const incore_processor_finding* finding), void* context);

/* incore_processor_check_msr likewise, before WRMSR. */
INCORE_API INCORE_NODISCARD incore_status incore_processor_check_msr(
    const incore_processor* processor, incore_processor_checker* checker, uint32_t msr,
    uint64_t value, void (*on_finding)(void* context, const incore_processor_finding* finding),
    void* context);

#ifdef __cplusplus
}
#endif

#endif /* INCORE_PROCESSOR_H */
