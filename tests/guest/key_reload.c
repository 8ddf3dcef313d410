// Between two XCRYPT with different keys stands each thing that clears EFLAGS bit 30 or leaves it
// alone (PadLock guide 1.66, section 3.2). Prints of each which key the second has used: "old" or
// "new". An argument names one of them; "flags" looks at PUSHF and POPF themselves, "mapped_again"
// at an XCRYPT where there was another before.
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "padlock.h"

static struct control_word control = {.bits = kRounds10};
static uint8_t ALIGNED16 key[16], text[16], result[16];
static uint8_t ALIGNED16 digest[128];

static void encrypt_block(void) {
  xcrypt_ecb(NULL, key, &control, text, result, 1);
}

static void nothing(void) {}
// Far more instructions than anybody would step through.
static void long_loop(void) {
  for (volatile int i = 0; i < 300000; ++i) {
  }
}
static void lahf_and_cpuid(void) {
  cpuid(0, 0);
  __asm__ volatile("lahf; sete %%al; sahf; cld" ::: "eax", "cc");
}
static void xstore_between(void) {
  uint8_t bytes[8], *to = bytes;
  xstore(&to, 0);
}
static void xcrypt_of_nothing(void) {
  xcrypt_ecb(NULL, text, &control, text, result, 0);
}

#ifdef __x86_64__
#define PUSH_FLAGS "lea -128(%%rsp), %%rsp; pushf; "
#define PUSH_FLAGS16 "lea -128(%%rsp), %%rsp; .byte 0x66, 0x9c; "
#define DROP(n) "lea 128+" #n "(%%rsp), %%rsp"
#define PUSH_ZERO "lea -128(%%rsp), %%rsp; push $2; "
#define WORD "8"
#else
#define PUSH_FLAGS "pushf; "
#define PUSH_FLAGS16 ".byte 0x66, 0x9c; "
#define DROP(n) "lea " #n "(%%esp), %%esp"
#define PUSH_ZERO "push $2; "
#define WORD "4"
#endif

static void pushf_popf(void) {
  reload_key();
}
static void loop_then_reload(void) {
  long_loop();
  reload_key();
}
static void pushf_alone(void) {
#ifdef __x86_64__
  __asm__ volatile(PUSH_FLAGS DROP(8)::: "memory", "cc");
#else
  __asm__ volatile(PUSH_FLAGS DROP(4)::: "memory", "cc");
#endif
}
static void pushfw(void) {
  __asm__ volatile(PUSH_FLAGS16 DROP(2)::: "memory", "cc");
}
static void popf_alone(void) {
  __asm__ volatile(PUSH_ZERO "popf; " DROP(0)::: "memory", "cc");
}
static void iret(void) {
#ifdef __x86_64__
  __asm__ volatile(
      "lea -128(%%rsp), %%rsp; mov %%rsp, %%rax; mov %%ss, %%ecx; push %%rcx; push %%rax; push $2; "
      "mov %%cs, %%ecx; push %%rcx; lea 1f(%%rip), %%rax; push %%rax; iretq; 1: lea 128(%%rsp), "
      "%%rsp" ::
          : "rax", "rcx", "memory", "cc");
#else
  __asm__ volatile("push $2; push %%cs; call 1f; 1: addl $2f-1b, (%%esp); iret; 2:" ::
                       : "memory", "cc");
#endif
}

static void system_call(void) {
  syscall(SYS_getppid);
}
// One that `incore run` has a filter for.
static void sigprocmask_between(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_BLOCK, &none, NULL);
}
static void int80(void) {
  int number = 64;  // getppid
  __asm__ volatile("int $0x80" : "+a"(number)::"memory", "cc");
}
static void xsha1_between(void) {
  memset(digest, 0, sizeof digest);
  xsha1(digest, text, 16, 0, NULL);
}

static sigjmp_buf after_trap;
static void leave(int signal) {
  (void)signal;
  siglongjmp(after_trap, 1);
}
static void exception(void) {
  if (sigsetjmp(after_trap, 1) == 0) __asm__ volatile("ud2");
}

// PUSHF and POPF in code that no file has.
static void (*generated)(void);
static void in_generated_code(void) {
  generated();
}

struct between {
  const char* name;
  void (*act)(void);
};
static const struct between all[] = {
#define ACT(f) \
  { #f, f }
    ACT(nothing),
    ACT(long_loop),
    ACT(lahf_and_cpuid),
    ACT(xstore_between),
    ACT(pushf_popf),
    ACT(pushf_alone),
    ACT(pushfw),
    ACT(popf_alone),
    ACT(iret),
    ACT(system_call),
    ACT(int80),
    ACT(sigprocmask_between),
    ACT(exception),
    ACT(xsha1_between),
    ACT(xcrypt_of_nothing),
    ACT(in_generated_code),
    ACT(loop_then_reload),
};

// The result for a key of 16 such bytes, which surely is loaded.
static void expect(uint8_t byte, uint8_t out[16]) {
  memset(key, byte, sizeof key);
  reload_key();
  encrypt_block();
  memcpy(out, result, 16);
}

static void generate_code(void) {
  static const uint8_t kPushfPopfRet[] = {0x9c, 0x9d, 0xc3};
  void* const page =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED, "no page for code");
  memcpy(page, kPushfPopfRet, sizeof kPushfPopfRet);
  memcpy(&generated, &page, sizeof generated);
}

// Puts |code| where the code before stood, and returns that place.
static const void* map_again(const uint8_t* code, size_t len) {
  static void* place = NULL;
  place = mmap(place, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
               MAP_PRIVATE | MAP_ANONYMOUS | (place == NULL ? 0 : MAP_FIXED), -1, 0);
  CHECK(place != MAP_FAILED, "no page for code");
  memcpy(place, code, len);
  return place;
}
// Encrypts a block by a REP XCRYPTECB that stands at |code|.
static void encrypt_at(const void* code) {
  void *source = text, *destination = result;
  unsigned long blocks = 1;
  __asm__ volatile(
#ifdef __x86_64__
      "lea -128(%%rsp), %%rsp; call *%[code]; lea 128(%%rsp), %%rsp"
#else
      "call *%[code]"
#endif
      : "+c"(blocks), "+S"(source), "+D"(destination)
      : "b"(key), "d"(&control), [code] "a"(code)
      : "memory", "cc");
}
// What is known of an XCRYPT is not believed of another that stands there later.
static void mapped_again(void) {
  static const uint8_t kXcryptPushfPopfRet[] = {0xf3, 0x0f, 0xa7, 0xc8, 0x9c, 0x9d, 0xc3};
  static const uint8_t kXcryptRet[] = {0xf3, 0x0f, 0xa7, 0xc8, 0xc3};
  const void* site = map_again(kXcryptPushfPopfRet, sizeof kXcryptPushfPopfRet);
  for (int i = 0; i < 3; ++i) encrypt_at(site);
  site = map_again(kXcryptRet, sizeof kXcryptRet);
  memset(key, 1, sizeof key);
  reload_key();
  encrypt_at(site);
  memset(key, 2, sizeof key);
  long_loop();
  encrypt_at(site);
}

// The flags that POPF may load come back from PUSHF, and nothing else changes.
static void look_at_flags(void) {
  static const unsigned long kFlags[] = {0x2, 0xed7, 0x4002, 0x200002, 0x40002};
  for (size_t i = 0; i < sizeof kFlags / sizeof kFlags[0]; ++i) {
    unsigned long flags = kFlags[i], stack_before, stack_after;
#ifdef __x86_64__
    __asm__ volatile(
        "lea -128(%%rsp), %%rsp; mov %%rsp, %1; push %0; popf; pushf; pop %0; mov %%rsp, %2; "
        "push $2; popf; lea 128(%%rsp), %%rsp"
        : "+r"(flags), "=&r"(stack_before), "=&r"(stack_after)::"memory", "cc");
#else
    __asm__ volatile("mov %%esp, %1; push %0; popf; pushf; pop %0; mov %%esp, %2; push $2; popf"
                     : "+r"(flags), "=&r"(stack_before), "=&r"(stack_after)::"memory", "cc");
#endif
    CHECK((flags & ~0x200ul) == (kFlags[i] & ~0x200ul), "flags %lx became %lx", kFlags[i], flags);
    CHECK(stack_before == stack_after, "the stack has moved");
  }
  unsigned short flags16 = 0xed7;  // 16 bits of them leave the others alone
  __asm__ volatile("push %0; .byte 0x66, 0x9d; .byte 0x66, 0x9c; pop %0; cld"
                   : "+r"(flags16)::"memory", "cc");
  CHECK((flags16 & ~0x200) == (0xed7 & ~0x200), "16 flags became %x", flags16);
}

int main(int argc, char** argv) {
  uint8_t with_old[16], with_new[16];
  generate_code();
  signal(SIGILL, leave);
  memset(text, 3, sizeof text);
  expect(1, with_old);
  expect(2, with_new);
  if (argc > 1 && strcmp(argv[1], "flags") == 0) look_at_flags();
  if (argc > 1 && strcmp(argv[1], "mapped_again") == 0) {
    mapped_again();
    printf("mapped_again %s\n", memcmp(result, with_old, 16) == 0 ? "old" : "new");
  }
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    if (argc > 1 && strcmp(argv[1], all[i].name) != 0) continue;
    for (int turn = 0; turn < 3; ++turn) {
      memset(key, 1, sizeof key);
      reload_key();
      encrypt_block();
      memset(key, 2, sizeof key);
      all[i].act();
      encrypt_block();
      const int is_old = memcmp(result, with_old, 16) == 0;
      CHECK(is_old || memcmp(result, with_new, 16) == 0, "%s: neither key was used", all[i].name);
      printf("%s%s", turn == 0 ? all[i].name : "", is_old ? " old" : " new");
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
