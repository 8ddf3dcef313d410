/* What the checks of this kernel stand on: exceptions as values, pages that can be missing, the
 * model's registers, and a line on the serial port for each clause. */
#ifndef INCORE_TESTS_MACHINE_KERNEL_H
#define INCORE_TESTS_MACHINE_KERNEL_H

#include <stdint.h>

/* Registers of an instruction, before and after it, and the exception that it ended with. */
struct run {
  uint32_t eax, ebx, ecx, edx, esi, edi;
  int vector; /* -1: none */
  uint32_t error, eip, cr2;
};

enum { kNoVector = -1, kPageLen = 4096 };

/* Executes the |len| bytes of |code|, the last of them as the instruction that may fail. */
void execute(struct run* run, const char* code, unsigned len);

/* What the handler of #PF does: 1: maps the page and returns. */
extern int maps_missing_pages;
extern void (*on_page_fault)(void); /* 0, or called before that */
extern unsigned num_page_faults;
extern struct run at_fault; /* the registers when the last one came */

void map_page(const void* address, int present);

uint32_t read_cr0(void);
void write_cr0(uint32_t value);
static const uint32_t kOsfxsr = 1 << 9; /* of CR4 */
uint32_t read_cr4(void);
void write_cr4(uint32_t value);
/* EAX of CPUID leaf |leaf| into registers[0], EBX, ECX, EDX. */
void cpuid(uint32_t leaf, uint32_t registers[4]);
/* RDMSR and WRMSR; the vector of the exception, or kNoVector. */
int read_msr(uint32_t msr, uint32_t* out_low);
int write_msr(uint32_t msr, uint32_t low);

/* By a hardware task switch there and back. */
void do_in_other_task(void (*work)(void));

void restart(void) __attribute__((noreturn));
void print(const char* text);
/* "clause PLK-EXC-003: passed", and the verdict. */
void tell(const char* clause, int passed);

void check_all(void);
void check_msrs(void);
/* Of a machine whose XCRYPT does not load its key each time. */
void check_keys(void);
/* Twice: before a RESET of the machine, and after it. CR4 was |cr4| when the kernel started. */
void check_reset(uint32_t cr4);
/* 2000 instructions of one block, for measuring. */
void encrypt_many(void);

#endif
