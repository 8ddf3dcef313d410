// Puts itself into any state that user mode can reach, executes one instruction, and tells what
// became of it: registers, flags, the signal, memory. replay.h says how it is asked.
#define _GNU_SOURCE
#include "replay.h"

#include <asm/ldt.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "site.h"

// What run_site loads and stores lies at a fixed address, above the heap of static programs: no
// register is free to point to it.
struct cpu {
  uint64_t registers[kNumReplayRegisters];
  uint64_t flags;                         // at 128
  uint64_t own_stack, site, continue_at;  // at 136, 144, 152
  uint32_t es, ds;                        // at 160, 164
  uint8_t unused[88];
  uint8_t vectors[16][16];  // XMM registers, at 256
};
enum { kCpuAt = 0x70000000, kEsEntry = 3, kDsEntry = 4, kRedZoneLen = 128 };
static struct cpu* const cpu = (struct cpu*)kCpuAt;
_Static_assert(offsetof(struct cpu, flags) == 128 && offsetof(struct cpu, ds) == 164 &&
                   offsetof(struct cpu, vectors) == 256,
               "see below");

// run_site() loads the registers and flags, and jumps to the site. Behind the instruction there is
// a jump to run_site_done; a signal handler goes on at run_site_faulted.
__attribute__((visibility("hidden"))) void run_site(void);
extern const uint8_t run_site_done[] __attribute__((visibility("hidden")));
extern const uint8_t run_site_faulted[] __attribute__((visibility("hidden")));
#define RUN_SITE ".text\n.type run_site, @function\nrun_site:\n.cfi_startproc\n"
#define RUN_SITE_END ".cfi_endproc\n.size run_site, . - run_site\n"
// So close to an XCRYPT, PUSHF and POPF come to the run-time where it follows keys.
PADLOCK_SITE(never_run, XCRYPT_ECB);
#ifdef __x86_64__
__asm__(RUN_SITE
        "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
        ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "movaps 0x70000100 + 16 * \\i, %xmm\\i\n.endr\n"
        "mov %rsp, 0x70000088\nmov 0x700000a0, %es\npushq 0x70000080\npopfq\n"
        "mov 0x70000000, %rax\nmov 0x70000008, %rcx\nmov 0x70000010, %rdx\nmov 0x70000018, %rbx\n"
        "mov 0x70000020, %rsp\nmov 0x70000028, %rbp\nmov 0x70000030, %rsi\nmov 0x70000038, %rdi\n"
        "mov 0x70000040, %r8\nmov 0x70000048, %r9\nmov 0x70000050, %r10\nmov 0x70000058, %r11\n"
        "mov 0x70000060, %r12\nmov 0x70000068, %r13\nmov 0x70000070, %r14\nmov 0x70000078, %r15\n"
        "jmp *0x70000090\n"
        "run_site_done:\n"
        "mov %rax, 0x70000000\nmov %rcx, 0x70000008\nmov %rdx, 0x70000010\nmov %rbx, 0x70000018\n"
        "mov %rsp, 0x70000020\nmov %rbp, 0x70000028\nmov %rsi, 0x70000030\nmov %rdi, 0x70000038\n"
        "mov %r8, 0x70000040\nmov %r9, 0x70000048\nmov %r10, 0x70000050\nmov %r11, 0x70000058\n"
        "mov %r12, 0x70000060\nmov %r13, 0x70000068\nmov %r14, 0x70000070\nmov %r15, 0x70000078\n"
        "mov 0x70000088, %rsp\npushfq\npopq 0x70000080\n"
        "run_site_faulted:\n"
        "mov 0x70000088, %rsp\npushq $2\npopfq\nmov %ss, %eax\nmov %eax, %es\n"
        ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "movaps %xmm\\i, 0x70000100 + 16 * \\i\n.endr\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n" RUN_SITE_END);
// jmp *0x70000098
static const uint8_t kGoOn[] = {0xff, 0x24, 0x25, 0x98, 0x00, 0x00, 0x70};
#else
__asm__(RUN_SITE
        "push %ebx\npush %ebp\npush %esi\npush %edi\n"
        ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\nmovaps 0x70000100 + 16 * \\i, %xmm\\i\n.endr\n"
        "mov %esp, 0x70000088\nmov 0x700000a0, %es\nmov 0x700000a4, %ds\n"
        "pushl %ss:0x70000080\npopf\n"
        "mov %ss:0x70000000, %eax\nmov %ss:0x70000008, %ecx\nmov %ss:0x70000010, %edx\n"
        "mov %ss:0x70000018, %ebx\nmov %ss:0x70000020, %esp\nmov %ss:0x70000028, %ebp\n"
        "mov %ss:0x70000030, %esi\nmov %ss:0x70000038, %edi\njmp *%ss:0x70000090\n"
        "run_site_done:\n"
        "mov %eax, %ss:0x70000000\nmov %ecx, %ss:0x70000008\nmov %edx, %ss:0x70000010\n"
        "mov %ebx, %ss:0x70000018\nmov %esp, %ss:0x70000020\nmov %ebp, %ss:0x70000028\n"
        "mov %esi, %ss:0x70000030\nmov %edi, %ss:0x70000038\n"
        "mov %ss:0x70000088, %esp\npushf\npopl %ss:0x70000080\n"
        "run_site_faulted:\n"
        "mov %ss:0x70000088, %esp\npush $2\npopf\npush %ss\npop %ds\npush %ss\npop %es\n"
        ".irp i, 0, 1, 2, 3, 4, 5, 6, 7\nmovaps %xmm\\i, 0x70000100 + 16 * \\i\n.endr\n"
        "pop %edi\npop %esi\npop %ebp\npop %ebx\nret\n" RUN_SITE_END);
// jmp *%ss:0x70000098
static const uint8_t kGoOn[] = {0x36, 0xff, 0x25, 0x98, 0x00, 0x00, 0x70};
#endif
_Static_assert(kReplayBytesLen + sizeof kGoOn <= kReplaySiteLen, "a site has no room for its end");

static struct replay_batch batch;
static struct replay_result result;
static int may_mend;
static uint8_t* arena;
static uint64_t pristine[kReplayArenaLen / 8];
static uint8_t pages[kReplayPages];  // of enum replay_page
static int empty_file;
// What run_site's stack pointer chooses from, between what it may use.
static uint8_t stack[0x8000 + kReplayStackLen + kRedZoneLen] ALIGNED16;
static uint8_t* const stack_begin = stack + sizeof stack - kReplayStackLen - kRedZoneLen;

// ---- memory ----

static void map_fixed(void* at, size_t len, int protection, int flags, int fd) {
  CHECK(mmap(at, len, protection, MAP_FIXED | flags, fd, 0) == at, "mmap at %p", at);
}

static void set_page(unsigned page, enum replay_page kind) {
  uint8_t* const at = arena + page * kReplayPageLen;
  pages[page] = (uint8_t)kind;
  switch (kind) {
    case kPageReadOnly:
      CHECK(mprotect(at, kReplayPageLen, PROT_READ) == 0, "mprotect");
      break;
    case kPageNoAccess:
      CHECK(mprotect(at, kReplayPageLen, PROT_NONE) == 0, "mprotect");
      break;
    case kPageAbsent:
      CHECK(munmap(at, kReplayPageLen) == 0, "munmap");
      break;
    case kPageBeyondFile:
      map_fixed(at, kReplayPageLen, PROT_READ | PROT_WRITE, MAP_SHARED, empty_file);
      break;
    default:
      break;
  }
}

static void make_arena_writable(void) {
  for (unsigned page = 0; page < kReplayPages; ++page) {
    uint8_t* const at = arena + page * kReplayPageLen;
    if (pages[page] == kPageReadOnly || pages[page] == kPageNoAccess) {
      CHECK(mprotect(at, kReplayPageLen, PROT_READ | PROT_WRITE) == 0, "mprotect");
    } else if (pages[page] != kPageWritable) {
      map_fixed(at, kReplayPageLen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
      memcpy(at, pristine + page * (kReplayPageLen / 8), kReplayPageLen);
    }
    pages[page] = kPageWritable;
  }
}

static void make_arena(void) {
  arena = (uint8_t*)(uintptr_t)batch.arena_at;
  CHECK(mmap(arena, kReplayArenaLen, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == arena,
        "mmap of the arena at %p", (void*)arena);
  for (unsigned i = 0; i < kReplayArenaLen / 8; ++i) pristine[i] = replay_word(batch.seed, i);
  memcpy(arena, pristine, kReplayArenaLen);
  empty_file = memfd_create("empty", 0);
  CHECK(empty_file >= 0, "memfd_create");
}

// ---- signals ----

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)end_alignment_checks();
#ifdef __x86_64__
  static const uint8_t kIndices[kNumReplayRegisters] = {
      REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  enum { kNumRegisters = 16 };
#define CR2(mcontext) (uint64_t)(mcontext).gregs[REG_CR2]
#else
  static const uint8_t kIndices[kNumReplayRegisters] = {REG_EAX, REG_ECX, REG_EDX, REG_EBX,
                                                        REG_ESP, REG_EBP, REG_ESI, REG_EDI};
  enum { kNumRegisters = 8 };
#define CR2(mcontext) (mcontext).cr2
#endif
  const mcontext_t* const m = &((const ucontext_t*)context)->uc_mcontext;
  for (int i = 0; i < kNumRegisters; ++i) cpu->registers[i] = (unsigned long)m->gregs[kIndices[i]];
  cpu->flags = (unsigned long)m->gregs[REG_EFL];
  ++result.num_signals;
  result.rip = rip_at(context);
  result.signal = (uint32_t)number;
  result.code = (uint32_t)info->si_code;
  result.signal_address = (uintptr_t)info->si_addr;
  result.trapno = (uint32_t)m->gregs[REG_TRAPNO];
  result.error_code = (uint32_t)m->gregs[REG_ERR];
  enum { kPageFault = 14 };
  result.cr2 = result.trapno == kPageFault ? CR2(*m) : 0;  // else that of an earlier fault
  if (may_mend && result.trapno == kPageFault)
    make_arena_writable();
  else
    resume_at(context, run_site_faulted);
  may_mend = 0;
}

// ---- code ----

static void read_exactly(void* out, size_t len) {
  CHECK(fread(out, 1, len, stdin) == len, "the input ends too early");
}

static void make_code(void) {
  const size_t len =
      (batch.num_sites * kReplaySiteLen + kReplayPageLen) & ~((size_t)kReplayPageLen - 1);
  const int file = memfd_create("code", 0);
  CHECK(file >= 0 && ftruncate(file, (off_t)len) == 0, "memfd_create");
  uint8_t* const code = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(code != MAP_FAILED, "mmap of the code");
  for (uint32_t i = 0; i < batch.num_sites; ++i) {
    struct replay_site site;
    read_exactly(&site, sizeof site);
    CHECK(site.len <= kReplayBytesLen, "a site is too long");
    memcpy(code + i * kReplaySiteLen, site.bytes, site.len);
    memcpy(code + i * kReplaySiteLen + site.len, kGoOn, sizeof kGoOn);
  }
  const int protection = PROT_READ | PROT_EXEC | (batch.code_is_file ? 0 : PROT_WRITE);
  void* const at = (void*)(uintptr_t)batch.code_at;
  CHECK(mmap(at, len, protection, MAP_PRIVATE | MAP_FIXED_NOREPLACE, file, 0) == at,
        "mmap of the code at %p", at);
}

// ---- segments ----

static unsigned local_segment(unsigned entry, struct user_desc d) {
  d.entry_number = entry;
  CHECK(syscall(SYS_modify_ldt, 1, &d, sizeof d) == 0, "modify_ldt");
  return entry << 3 | 7;
}

static unsigned thread_segment(struct user_desc d) {
  static unsigned entry = (unsigned)-1;
  d.entry_number = entry;
  CHECK(syscall(SYS_set_thread_area, &d) == 0, "set_thread_area");
  entry = d.entry_number;
  return entry << 3 | 3;
}

static unsigned make_es(const struct replay_es* es) {
  struct user_desc d = {.base_addr = es->base, .limit = es->limit};
  d.limit_in_pages = es->in_pages & 1;
  d.seg_32bit = es->is_32_bit & 1;
  d.read_exec_only = es->read_only & 1;
  d.contents = es->contents & 3;
  d.useable = 1;
  switch (es->kind) {
    case kSegmentLocal:
      return local_segment(kEsEntry, d);
    case kSegmentThread:
      return thread_segment(d);
    case kSegmentNull:
      return 0;
    case kSegmentKernelCode:
      return 0x23;
    default:
      return 0x2b;  // what programs begin with
  }
}

static unsigned make_ds(int other) {
  static unsigned selector;
  const struct user_desc small = {.base_addr = 0x1000, .limit = 0xf, .seg_32bit = 1};
  if (other && selector == 0) selector = local_segment(kDsEntry, small);
  return other ? selector : 0x2b;
}

// ---- records ----

static void prepare(const struct replay_record* r) {
  memcpy(cpu->registers, r->registers, sizeof cpu->registers);
  cpu->registers[kRsp] = (uintptr_t)stack_begin + r->registers[kRsp] % kReplayStackLen;
  cpu->flags = r->flags;
  cpu->site = batch.code_at + r->site * kReplaySiteLen;
  cpu->continue_at = (uintptr_t)run_site_done;
  cpu->es = make_es(&r->es);
  cpu->ds = make_ds(r->other_ds != 0);
  for (unsigned i = 0; i < kReplayPokes; ++i)
    memcpy(arena + r->pokes[i].at, r->pokes[i].bytes, r->pokes[i].len);
  for (unsigned i = 0; i < kReplayPages; ++i) set_page(i, (enum replay_page)r->pages[i]);
  memset(stack_begin - kRedZoneLen, 0xa5, kRedZoneLen + kReplayStackLen);
}

// Lists the changes of the arena, and takes them back.
static unsigned collect_changes(struct replay_change* out) {
  unsigned num_changes = 0;
  const uint64_t* const words = (const uint64_t*)(uintptr_t)arena;
  for (unsigned page = 0; page < kReplayPages; ++page) {
    const unsigned first = page * (kReplayPageLen / 8);
    if (memcmp(words + first, pristine + first, kReplayPageLen) == 0) continue;
    for (unsigned i = first; i < first + kReplayPageLen / 8; ++i)
      if (words[i] != pristine[i])
        out[num_changes++] = (struct replay_change){i * (uint64_t)8, words[i]};
    memcpy(arena + page * kReplayPageLen, pristine + first, kReplayPageLen);
  }
  return num_changes;
}

static void replay(const struct replay_record* r) {
  static struct {
    struct replay_result result;
    struct replay_change changes[kReplayArenaLen / 8];
  } answer;
  memset(&result, 0, sizeof result);
  may_mend = r->mends;
  prepare(r);
  const uint8_t* const top = (const uint8_t*)(uintptr_t)cpu->registers[kRsp];
  memcpy(cpu->vectors, pristine, sizeof cpu->vectors);
  run_site();
  for (unsigned i = 0; i < sizeof cpu->vectors; ++i)
    result.vectors_changed += ((uint8_t*)cpu->vectors)[i] != ((uint8_t*)pristine)[i];
  if (sizeof(void*) == 8)  // 32-bit code has none
    for (const uint8_t* p = top - kRedZoneLen; p < top; ++p) result.red_zone_changed += *p != 0xa5;
  make_arena_writable();
  memcpy(result.registers, cpu->registers, sizeof result.registers);
  result.registers[kRsp] -= (uintptr_t)stack_begin;
  result.flags = cpu->flags;
  result.num_changes = collect_changes(answer.changes);
  answer.result = result;
  const size_t len = sizeof answer.result + result.num_changes * sizeof answer.changes[0];
  CHECK(write(STDOUT_FILENO, &answer, len) == (ssize_t)len, "write");
}

int main(void) {
  static uint8_t signal_stack[64 * 1024];
  const stack_t alternate = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  CHECK(sigaltstack(&alternate, NULL) == 0, "sigaltstack");
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
  for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; ++i)
    catch_signal(signals[i], on_signal, SA_ONSTACK);
  CHECK(mmap(cpu, sizeof *cpu, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == cpu,
        "mmap at %p", (void*)cpu);
  read_exactly(&batch, sizeof batch);
  make_arena();
  make_code();
  for (uint32_t i = 0; i < batch.num_records; ++i) {
    struct replay_record r;
    read_exactly(&r, sizeof r);
    replay(&r);
  }
  return 0;
}
