// Bytes that begin a PadLock instruction and do not end it. With so many prefixes that it has more
// than 15 bytes: SIGSEGV without an address, as for every #GP. With its last byte in a page that
// cannot be read: SIGSEGV with the address of that page. Nothing has changed then, and with the
// page back the instruction runs. One of 15 bytes, and one that ends with its page, run.
#define _GNU_SOURCE
#include <setjmp.h>
#include <sys/mman.h>

#include "code_bytes.h"

enum { kPage = 4096, kBlocks = 4, kMaxPrefixes = 17 };

static uint8_t key[16] ALIGNED16, in[64] ALIGNED16, out[64] ALIGNED16;
static const struct control_word control = {.bits = kRounds10};
static sigjmp_buf escape;
static const uint8_t* instruction;
static const void* expected_address;
static int expected_code, num_faults;

static void on_fault(int number, siginfo_t* info, void* context) {
  CHECK(number == SIGSEGV && info->si_code == expected_code, "signal %d, code %d", number,
        info->si_code);
  CHECK(info->si_addr == expected_address, "si_addr %p", info->si_addr);
  CHECK(rip_at(context) == (uintptr_t)instruction, "RIP is not at the instruction");
  CHECK(registers_at(context).rcx == kBlocks, "RCX");
  ++num_faults;
  siglongjmp(escape, 1);
}

// Runs code at |at|, whose instruction begins behind kLoad. True: it came to its end.
static int run(const uint8_t* at) {
  struct registers r = {
      0, (uintptr_t)key, kBlocks, (uintptr_t)&control, (uintptr_t)in, (uintptr_t)out, 0};
  instruction = at + sizeof kLoad;
  memset(out, 0, sizeof out);
  if (sigsetjmp(escape, 1) != 0) return 0;
  ((void (*)(struct registers*))(uintptr_t)at)(&r);
  CHECK(r.rcx == 0, "RCX is not 0");
  return 1;
}

// kLoad, |prefixes| times CS, and the instruction.
static uint8_t* put_long(uint8_t* at, size_t prefixes) {
  memcpy(at, kLoad, sizeof kLoad);
  memset(at + sizeof kLoad, 0x2e, prefixes);
  memcpy(at + sizeof kLoad + prefixes, kEcb, sizeof kEcb);
  return at + sizeof kLoad + prefixes + sizeof kEcb;
}

static void expect_done(const uint8_t* at) {
  for (int i = 0; i < 3; ++i) {  // trapped, then patched
    CHECK(run(at), "a fault");
    check_hex("ecb", out, kSpEcb, sizeof out);
  }
}

static void expect_fault(const uint8_t* at, int code, const void* address) {
  expected_code = code;
  expected_address = address;
  for (int i = 0; i < 3; ++i) {
    const int before = num_faults;
    CHECK(!run(at) && num_faults == before + 1, "no fault");
    for (size_t j = 0; j < sizeof out; ++j) CHECK(out[j] == 0, "something was stored");
  }
}

static uint8_t* map_pages(void) {
  uint8_t* const pages =
      mmap(NULL, 2 * kPage, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED, "mmap");
  return pages;
}

int main(void) {
  from_hex(key, kSpKey, sizeof key);
  from_hex(in, kSpPlain, sizeof in);
  catch_signal(SIGSEGV, on_fault, SA_NODEFER);
  uint8_t* at = map_pages();
  for (size_t prefixes = 0; prefixes <= kMaxPrefixes; ++prefixes) {
    uint8_t* const end = put_long(at, prefixes);
    memcpy(end, kStore, sizeof kStore);
    // clause: PLK-EXC-022
    if (prefixes + sizeof kEcb <= 15)
      expect_done(at);
    else
      expect_fault(at, SI_KERNEL, NULL);
    at = end + sizeof kStore + 32;
  }

  // The first |len| bytes of the instruction lie before the end of a page.
  for (size_t len = 1; len < sizeof kEcb; ++len) {
    uint8_t* const second = map_pages() + kPage;
    uint8_t* const start = second - len - sizeof kLoad;
    memcpy(put_long(start, 0), kStore, sizeof kStore);
    CHECK(mprotect(second, kPage, PROT_NONE) == 0, "mprotect");
    expect_fault(start, SEGV_ACCERR, second);
    CHECK(mprotect(second, kPage, PROT_READ | PROT_WRITE | PROT_EXEC) == 0, "mprotect");
    expect_done(start);
  }
  return 0;
}
