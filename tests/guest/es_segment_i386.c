// In 32-bit code the operands of PadLock instructions lie in ES (guide, 2.1, 3.1, 4.1, 5.1): its
// base, its limit and what it allows, whether the segment comes of modify_ldt or set_thread_area,
// at sites that trap and at patched ones. Where the offsets alone would lead there is other memory,
// which must stay as it is.
#define _GNU_SOURCE
#include <asm/ldt.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "site.h"

// The code with the selector in R8 loaded into ES. C needs the flat segments back.
#define IN_ES "mov " R8 ", %es"
#define FLAT_ES "push %ss\npop %es"
#define ES_SITE(name, bytes) PADLOCK_CODE_AFTER(name, IN_ES, bytes, FLAT_ES)
ES_SITE(ecb, XCRYPT_ECB);
ES_SITE(cbc, XCRYPT_CBC);
ES_SITE(cbc_overridden, "0x64, " XCRYPT_CBC);  // FS
ES_SITE(sha1, "0xf3, 0x0f, 0xa6, 0xc8");
ES_SITE(montmul, "0xf3, 0x0f, 0xa6, 0xc0");
ES_SITE(random_bytes, "0xf3, 0x0f, 0xa7, 0xc0");
// DS instead, with which no operand has to do.
PADLOCK_CODE_AFTER(ecb_in_other_ds, "mov " R8 ", %ds", XCRYPT_ECB, "push %ss\npop %ds");
// The same, with a stack segment whose offsets are not addresses.
PADLOCK_CODE_AFTER(ecb_on_other_stack, "mov " R8 ", %ss\nlea -0x100000(%esp), %esp", XCRYPT_ECB,
                   "push %ds\npop %ss\nlea 0x100000(%esp), %esp");

enum {
  kArea = 0x10000000,  // where the operands lie,
  kFlat = 0x20000,     // and where their offsets lead without a base; limits in bytes reach 1 MiB
  kLen = 0x1000,
  kBase = kArea - kFlat,
  kControlAt = kFlat,  // the lowest offset
  kKeyAt = kFlat + 0x100,
  kIvAt = kFlat + 0x200,
  kInAt = kFlat + 0x300,
  kOutAt = kFlat + 0x400,  // the highest of REP XCRYPT
  kStateAt = kFlat + 0x500,
  kNumbersAt = kFlat + 0x600,
  kFlatSelector = 0x2b,  // of the kernel
  kUserCodeSelector = 0x23,
  kExpandsDown = 1,
  kCode = 2,
};

static uint8_t* const area = (uint8_t*)kArea;
static uint8_t* const flat = (uint8_t*)kFlat;
static int num_faults;
static struct registers at_fault;
static const uint8_t* next;

static void on_fault(int number, siginfo_t* info, void* context) {
  CHECK(number == SIGSEGV && info->si_code == SI_KERNEL && info->si_addr == NULL,
        "signal %d, code %d, address %p", number, info->si_code, info->si_addr);
  at_fault = registers_at(context);
  ++num_faults;
  resume_at(context, next);
}

// In the LDT or in the thread's part of the GDT; returns the selector.
static unsigned make_segment(int in_ldt, struct user_desc d) {
  static unsigned thread_area = (unsigned)-1;
  d.entry_number = in_ldt ? 3 : thread_area;
  d.useable = 1;
  if (in_ldt) {
    CHECK(syscall(SYS_modify_ldt, 1, &d, sizeof d) == 0, "modify_ldt");
    return d.entry_number << 3 | 7;
  }
  CHECK(syscall(SYS_set_thread_area, &d) == 0, "set_thread_area");
  thread_area = d.entry_number;
  return d.entry_number << 3 | 3;
}

// The beginning of the operands in memory that |selector| makes of their offsets.
static uint8_t* fill_memory(unsigned selector) {
  const struct control_word control = {.bits = kRounds10};
  const int is_flat = selector == kFlatSelector || selector == kUserCodeSelector;
  uint8_t* const operands = is_flat ? flat : area;
  memset(area, 0xa5, kLen);
  memset(flat, 0xa5, kLen);
  memset(operands, 0, kLen);
  memcpy(operands + kControlAt - kFlat, &control, sizeof control);
  from_hex(operands + kKeyAt - kFlat, kSpKey, 16);
  from_hex(operands + kIvAt - kFlat, kSpIv, 16);
  from_hex(operands + kInAt - kFlat, kSpPlain, 64);
  return operands;
}

static void expect_rest_untouched(const char* what, const uint8_t* operands) {
  const uint8_t* const rest = operands == flat ? area : flat;
  for (unsigned i = 0; i < kLen; ++i) CHECK(rest[i] == 0xa5, "%s changed %p", what, rest + i);
}

static struct registers cipher_registers(unsigned selector) {
  const struct registers r = {kIvAt, kKeyAt, 4, kControlAt, kInAt, kOutAt, selector};
  return r;
}

// clause: PLK-EXC-017
static void check_ciphers(unsigned selector) {
  uint8_t* const operands = fill_memory(selector);
  const uint8_t* const out = operands + kOutAt - kFlat;
  struct registers r = cipher_registers(selector);
  ecb(&r);
  check_hex("ECB", out, kSpEcb, 64);
  CHECK(r.rcx == 0 && r.rsi == kInAt + 64 && r.rdi == kOutAt + 64, "registers of ECB");
  void (*const codes[])(struct registers*) = {cbc, cbc_overridden};
  for (int i = 0; i < 2; ++i) {
    r = cipher_registers(selector);
    codes[i](&r);
    check_hex("CBC", out, kSpCbc, 64);
    CHECK(r.rax == kOutAt + 48, "EAX is not the offset of the vector");
  }
  expect_rest_untouched("REP XCRYPT", operands);
}

static void check_hash(unsigned selector) {
  uint8_t* const operands = fill_memory(selector);
  memcpy(operands + kStateAt - kFlat, kSha1Start, sizeof kSha1Start);
  memcpy(operands + kInAt - kFlat, "abc", 3);
  struct registers r = {.rcx = 3, .rsi = kInAt, .rdi = kStateAt, .r8 = selector};
  sha1(&r);
  CHECK(memcmp(operands + kStateAt - kFlat, kSha1Abc, sizeof kSha1Abc) == 0, "SHA-1");
  expect_rest_untouched("REP XSHA1", operands);
}

// 2 * 3 modulo 2^256 - 1, where R = 1. The pointers in the context are offsets too.
static void check_product(unsigned selector) {
  uint8_t* const operands = fill_memory(selector);
  uint8_t* const numbers = operands + kNumbersAt - kFlat;
  uint32_t context[6] = {1};
  for (unsigned i = 1; i < 6; ++i) context[i] = kNumbersAt + 0x40 * i;
  memcpy(numbers, context, sizeof context);
  numbers[0x40] = 2, numbers[0x80] = 3;
  memset(numbers + 0x100, 0xff, 32);
  struct registers r = {.rcx = 256, .rsi = kNumbersAt, .r8 = selector};
  montmul(&r);
  CHECK(numbers[0xc0] == 6 && numbers[0xc1] == 0, "MONTMUL");
  expect_rest_untouched("REP MONTMUL", operands);
}

static void check_random(unsigned selector) {
  const uint8_t zeros[32] = {0};
  uint8_t* const operands = fill_memory(selector);
  struct registers r = {.rcx = 32, .rdi = kOutAt, .r8 = selector};
  random_bytes(&r);
  CHECK(memcmp(operands + kOutAt - kFlat, zeros, 32) != 0 && r.rdi == kOutAt + 32, "REP XSTORE");
  expect_rest_untouched("REP XSTORE", operands);
}

// A fault when |blocks| of the four are done.
static void expect_fault(const char* what, unsigned selector, unsigned blocks) {
  const uint8_t zeros[64] = {0};
  uint8_t* const operands = fill_memory(selector);
  const uint8_t* const out = operands + kOutAt - kFlat;
  struct registers r = cipher_registers(selector);
  num_faults = 0;
  next = cbc_next;
  cbc(&r);
  CHECK(num_faults == 1, "%s: %d faults", what, num_faults);
  CHECK(at_fault.rcx == 4 - blocks && at_fault.rsi == kInAt + 16 * blocks &&
            at_fault.rdi == kOutAt + 16 * blocks,
        "%s: ECX %u, not %u blocks done", what, (unsigned)at_fault.rcx, blocks);
  check_hex(what, out, kSpCbc, 16 * blocks);
  CHECK(memcmp(out + 16 * blocks, zeros, 64 - 16 * blocks) == 0, "%s: more was stored", what);
  expect_rest_untouched(what, operands);
}

// clause: PLK-EXC-018
static void check_faults(int in_ldt) {
  const struct user_desc whole = {.base_addr = kBase, .limit = 0xfffff, .seg_32bit = 1};
  struct user_desc d = whole;
  for (unsigned blocks = 0; blocks < 4; ++blocks) {
    d.limit = kOutAt + 16 * blocks + 14;  // a byte short of one more
    expect_fault("limit", make_segment(in_ldt, d), blocks);
  }
  d = whole;
  d.read_exec_only = 1;
  expect_fault("read-only", make_segment(in_ldt, d), 0);

  d = whole;
  d.contents = kExpandsDown;
  d.limit = kControlAt;  // the last offset below the segment
  expect_fault("expands down", make_segment(in_ldt, d), 0);
  d.limit = kControlAt - 1;
  check_ciphers(make_segment(in_ldt, d));
  if (in_ldt) {  // the others must be of 32 bits, and no code
    d.seg_32bit = 0;
    d.limit = 0;
    expect_fault("expands down, 16 bits", make_segment(in_ldt, d), 0);
    d = whole;
    d.contents = kCode;
    expect_fault("code", make_segment(in_ldt, d), 0);
    expect_fault("code of the kernel", kUserCodeSelector, 0);
    expect_fault("null", 0, 0);
  }
}

// clause: PLK-ACE-038
static void check_alignment(int in_ldt) {
  struct user_desc d = {.base_addr = kBase + 8, .limit = 0xfffff, .seg_32bit = 1};
  const unsigned selector = make_segment(in_ldt, d);
  uint8_t* const operands = fill_memory(selector);
  struct registers r = {.rbx = kKeyAt - 8,
                        .rcx = 4,
                        .rdx = kControlAt - 8,
                        .rsi = kInAt - 8,
                        .rdi = kOutAt - 8,
                        .r8 = selector};
  ecb(&r);
  check_hex("ECB", operands + kOutAt - kFlat, kSpEcb, 64);
  num_faults = 0;
  next = ecb_next;
  reload_key();
  r = cipher_registers(selector);
  ecb(&r);
  CHECK(num_faults == 1 && at_fault.rcx == 4, "misaligned linear addresses: %d faults", num_faults);
}

// What is not ES has no influence; nor has the selector of an ES that is flat.
static void check_other_segments(void) {
  struct user_desc d = {.base_addr = kBase, .limit = 0xfff, .seg_32bit = 1};
  uint8_t* const operands = fill_memory(kFlatSelector);
  struct registers r = cipher_registers(make_segment(1, d));
  ecb_in_other_ds(&r);
  check_hex("ECB with another DS", operands + kOutAt - kFlat, kSpEcb, 64);
  memset(operands + kOutAt - kFlat, 0, 64);
  d = (struct user_desc){.limit = 0xfffff, .seg_32bit = 1, .limit_in_pages = 1};
  r = cipher_registers(make_segment(1, d));
  ecb(&r);
  check_hex("ECB with another flat ES", operands + kOutAt - kFlat, kSpEcb, 64);
  memset(operands + kOutAt - kFlat, 0, 64);
  d = (struct user_desc){
      .base_addr = 0x100000, .limit = 0xfffff, .seg_32bit = 1, .limit_in_pages = 1};
  r = cipher_registers(make_segment(1, d));
  ecb_on_other_stack(&r);
  check_hex("ECB with another SS", operands + kOutAt - kFlat, kSpEcb, 64);
  expect_rest_untouched("ECB", operands);
}

int main(void) {
  static uint8_t signal_stack[64 * 1024];
  const stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  CHECK(sigaltstack(&stack, NULL) == 0, "sigaltstack");
  catch_signal(SIGSEGV, on_fault, SA_ONSTACK);
  void* const places[] = {area, flat};
  for (int i = 0; i < 2; ++i)
    CHECK(mmap(places[i], kLen, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == places[i],
          "mmap at %p", places[i]);
  const struct user_desc whole = {.base_addr = kBase, .limit = 0xfffff, .seg_32bit = 1};
  for (int round = 0; round < 20; ++round) {
    const int in_ldt = round & 1;
    const unsigned selector = round & 2 ? kFlatSelector : make_segment(in_ldt, whole);
    check_ciphers(selector);
    check_hash(selector);
    check_product(selector);
    check_random(selector);
    check_faults(in_ldt);
    check_alignment(in_ldt);
    check_other_segments();
  }
  return 0;
}
