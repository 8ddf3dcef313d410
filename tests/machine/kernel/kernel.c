/* A kernel that does nothing but try what only a kernel can: exceptions inside PadLock
 * instructions, control registers, MSRs, and programs at CPL 3. It says on the serial port what it
 * found, clause by clause, and ends with exit code 1 if one failed. */
#include "kernel.h"

struct frame { /* as entry.S leaves it */
  uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax, vector, error, eip, cs, eflags;
};

extern char entries[], stack_end[];
extern void leave_user(void);
extern uint32_t kernel_stack;

int maps_missing_pages;
void (*on_page_fault)(void);
unsigned num_page_faults;
struct run at_fault;

enum { kTss = 0x28, kOtherTss = 0x30 }; /* selectors */
static uint64_t gdt[7];
static uint64_t idt[33];
static uint32_t page_directory[1024] __attribute__((aligned(4096)));
static uint32_t page_table[1024] __attribute__((aligned(4096)));
static uint32_t tss[26], other_tss[26];
static uint32_t other_stack[1024];

/* While an instruction is tried: where it goes on after an exception, and what that was. */
static volatile uint32_t after_fault;
static struct run* volatile trying;
static int failed;

static void out_byte(uint16_t port, uint8_t value) {
  __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

void restart(void) {
  out_byte(0x64, 0xFE); /* by the keyboard's controller */
  for (;;) __asm__ volatile("hlt");
}

void print(const char* text) {
  for (; *text != '\0'; ++text) out_byte(0x3F8, (uint8_t)*text);
}

void tell(const char* clause, int passed) {
  print("clause ");
  print(clause);
  print(passed ? ": passed\n" : ": FAILED\n");
  if (!passed) failed = 1;
}

uint32_t read_cr0(void) {
  uint32_t value;
  __asm__ volatile("mov %%cr0, %0" : "=r"(value));
  return value;
}
void write_cr0(uint32_t value) {
  __asm__ volatile("mov %0, %%cr0" : : "r"(value) : "memory");
}
uint32_t read_cr4(void) {
  uint32_t value;
  __asm__ volatile("mov %%cr4, %0" : "=r"(value));
  return value;
}
void write_cr4(uint32_t value) {
  __asm__ volatile("mov %0, %%cr4" : : "r"(value) : "memory");
}

void cpuid(uint32_t leaf, uint32_t registers[4]) {
  __asm__ volatile("cpuid"
                   : "=a"(registers[0]), "=b"(registers[1]), "=c"(registers[2]), "=d"(registers[3])
                   : "0"(leaf), "2"(0));
}

void map_page(const void* address, int present) {
  const uint32_t page = (uint32_t)address / kPageLen;
  page_table[page] = page * kPageLen | (present ? 7 : 6);
  __asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

void handle(struct frame* frame) {
  uint32_t cr2 = 0;
  if (frame->vector == 14) __asm__ volatile("mov %%cr2, %0" : "=r"(cr2));
  if (frame->vector == 32) { /* INT 20h: the program at CPL 3 has ended */
    __asm__ volatile("jmp leave_user");
    __builtin_unreachable();
  }
  if (frame->vector == 14 && maps_missing_pages) {
    ++num_page_faults;
    at_fault = (struct run){frame->eax, frame->ebx, frame->ecx,   frame->edx, frame->esi,
                            frame->edi, 14,         frame->error, frame->eip, cr2};
    map_page((const void*)cr2, 1);
    if (on_page_fault != 0) on_page_fault();
    return;
  }
  struct run* const run = trying;
  if (run == 0) {
    print("an exception that nobody expected\n");
    out_byte(0xF4, 2);
    for (;;) __asm__ volatile("cli; hlt");
  }
  run->vector = (int)frame->vector;
  run->error = frame->error;
  run->eip = frame->eip;
  run->cr2 = cr2;
  frame->eip = after_fault;
}

/* The code is copied to where it may be executed, and RET put behind it. */
uint8_t code_page[64];

void execute(struct run* run, const char* code, unsigned len) {
  for (unsigned i = 0; i < len; ++i) code_page[i] = (uint8_t)code[i];
  code_page[len] = 0xC3;
  run->vector = kNoVector;
  trying = run;
  __asm__ volatile(
      "movl $1f, after_fault\n\t"
      "push %%ebp\n\t"
      "mov %%esp, %%ebp\n\t"
      "call code_page\n"
      "1:\tmov %%ebp, %%esp\n\t"
      "pop %%ebp"
      : "+a"(run->eax), "+b"(run->ebx), "+c"(run->ecx), "+d"(run->edx), "+S"(run->esi),
        "+D"(run->edi)
      :
      : "memory", "cc");
  trying = 0;
}

static int access_msr(struct run* run, const char* code) {
  execute(run, code, 2);
  return run->vector;
}

int read_msr(uint32_t msr, uint32_t* out_low) {
  struct run run = {.ecx = msr};
  const int vector = access_msr(&run, "\x0F\x32");
  *out_low = run.eax;
  return vector;
}

int write_msr(uint32_t msr, uint32_t low) {
  struct run run = {.ecx = msr, .eax = low};
  return access_msr(&run, "\x0F\x30");
}

static uint64_t flat_segment(unsigned type) {
  return 0x00CF00000000FFFFull | (uint64_t)type << 40;
}

static uint64_t task_segment(const uint32_t* task) {
  const uint32_t base = (uint32_t)task;
  return (sizeof tss - 1) | (uint64_t)(base & 0xFFFFFF) << 16 | 0x89ull << 40 |
         (uint64_t)(base >> 24) << 56;
}

/* A hardware task. A switch sets CR0.TS, with which PadLock's instructions raise #NM. */
extern char other_task[];
void (*volatile work_of_other_task)(void);
__asm__(
    ".text\n"
    "other_task:\tclts\n\tcall *work_of_other_task\n\tiret\n\tjmp other_task");

void do_in_other_task(void (*work)(void)) {
  work_of_other_task = work;
  __asm__ volatile("lcall %0, $0\n\tclts" : : "i"(kOtherTss) : "memory", "cc");
}

static void set_up(void) {
  gdt[1] = flat_segment(0x9A), gdt[2] = flat_segment(0x92);
  gdt[3] = flat_segment(0xFA), gdt[4] = flat_segment(0xF2);
  gdt[kTss / 8] = task_segment(tss), gdt[kOtherTss / 8] = task_segment(other_tss);
  tss[1] = (uint32_t)stack_end - 8192; /* of exceptions from CPL 3 */
  tss[2] = 0x10;
  tss[7] = other_tss[7] = (uint32_t)page_directory;
  other_tss[8] = (uint32_t)other_task;
  other_tss[9] = 2; /* EFLAGS */
  other_tss[14] = (uint32_t)(other_stack + 1024);
  for (unsigned i = 18; i < 24; ++i) other_tss[i] = i == 19 ? 8 : 0x10; /* ES to GS, CS */
  for (unsigned i = 0; i < 33; ++i) {
    const uint32_t entry = (uint32_t)(entries + 16 * i);
    idt[i] = (entry & 0xFFFF) | 8ull << 16 | (i == 32 ? 0xEEull : 0x8Eull) << 40 |
             (uint64_t)(entry >> 16) << 48;
  }
  struct __attribute__((packed)) {
    uint16_t limit;
    uint32_t base;
  } gdtr = {sizeof gdt - 1, (uint32_t)gdt}, idtr = {sizeof idt - 1, (uint32_t)idt};
  __asm__ volatile(
      "lgdt %0\n\tlidt %1\n\tljmp $8, $1f\n1:\tmov $0x10, %%eax\n\tmov %%eax, %%ds\n\t"
      "mov %%eax, %%es\n\tmov %%eax, %%ss\n\tmov %%eax, %%fs\n\tmov %%eax, %%gs\n\t"
      "mov $0x28, %%eax\n\tltr %%ax"
      :
      : "m"(gdtr), "m"(idtr)
      : "eax", "memory");
  for (unsigned i = 0; i < 1024; ++i) page_table[i] = i * kPageLen | 7;
  page_directory[0] = (uint32_t)page_table | 7;
  __asm__ volatile("mov %0, %%cr3" : : "r"(page_directory) : "memory");
  write_cr0(read_cr0() | 0x80010000);
  write_cr4(read_cr4() | kOsfxsr);
}

/* Whether the kernel's command line has |word| in it. */
static int asked_for(const uint32_t* multiboot, const char* word) {
  enum { kHasCommandLine = 4 };
  if ((multiboot[0] & kHasCommandLine) == 0) return 0;
  for (const char* at = (const char*)multiboot[4]; *at != '\0'; ++at) {
    unsigned len = 0;
    while (word[len] != '\0' && at[len] == word[len]) ++len;
    if (word[len] == '\0') return 1;
  }
  return 0;
}

void kernel_main(const uint32_t* multiboot);
void kernel_main(const uint32_t* multiboot) {
  const uint32_t cr4_at_start = read_cr4();
  set_up();
  if (asked_for(multiboot, "hang"))
    for (;;) __asm__ volatile("hlt");
  if (asked_for(multiboot, "restart")) restart();
  if (asked_for(multiboot, "many"))
    encrypt_many();
  else if (asked_for(multiboot, "keys"))
    check_keys();
  else if (asked_for(multiboot, "reset"))
    check_reset(cr4_at_start);
  else
    check_all();
  out_byte(0xF4, (uint8_t)failed);
}
