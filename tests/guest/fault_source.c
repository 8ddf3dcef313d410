// The source runs into a page that is not mapped: SIGSEGV with the address inside that page, RIP at
// the instruction's first byte, registers showing the eight blocks that are done (guide, 1
// and 3.1). The handler maps the page and returns; the result is that of an undisturbed run.
// Repeated, so that it also holds for a site that has run often.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "site.h"

PADLOCK_SITE(ecb, XCRYPT_ECB);
PADLOCK_SITE(cbc, XCRYPT_CBC);
PADLOCK_SITE(cfb, XCRYPT_CFB);
PADLOCK_SITE(ofb, XCRYPT_OFB);
PADLOCK_SITE(ctr, XCRYPT_CTR);

static const struct {
  const char* name;
  void (*run)(struct registers*);
  const uint8_t* instruction;
} kModes[] = {{"ecb", ecb, ecb_instruction},
              {"cbc", cbc, cbc_instruction},
              {"cfb", cfb, cfb_instruction},
              {"ofb", ofb, ofb_instruction},
              {"ctr", ctr, ctr_instruction}};

enum { kPage = 4096, kBlocks = 16, kDone = 8, kRounds = 100, kLen = 16 * kBlocks };

static uint8_t* pages;  // the second one comes and goes
static uint8_t key[16] ALIGNED16, iv[16] ALIGNED16, out[kLen] ALIGNED16, message[kLen] ALIGNED16;
static const struct control_word control = {.bits = kRounds10};
static size_t mode;
static int num_faults;

static void on_fault(int number, siginfo_t* info, void* context) {
  uint8_t* const hole = pages + kPage;
  const struct registers r = registers_at(context);
  const uint8_t* address = info->si_addr;
  CHECK(number == SIGSEGV && info->si_code == SEGV_MAPERR, "signal %d, code %d", number,
        info->si_code);
  // clause: PLK-EXC-003
  CHECK(address >= hole && address < hole + kPage, "si_addr %p, hole at %p", info->si_addr,
        (void*)hole);
  // clause: PLK-EXC-006
  CHECK(rip_at(context) == (uintptr_t)kModes[mode].instruction, "RIP is not at the instruction");
  // clause: PLK-EXC-005
  CHECK(r.rcx == kBlocks - kDone, "%s: RCX is %lu", kModes[mode].name, (unsigned long)r.rcx);
  CHECK(r.rsi == (uintptr_t)hole, "%s: RSI", kModes[mode].name);
  CHECK(r.rdi == (uintptr_t)(out + 16 * kDone), "%s: RDI", kModes[mode].name);
  CHECK(r.rbx == (uintptr_t)key && r.rdx == (uintptr_t)&control, "%s: RBX or RDX",
        kModes[mode].name);
  for (int i = 16 * kDone; i < kLen; ++i) CHECK(out[i] == 0, "a block behind the fault was stored");
  CHECK(mmap(hole, kPage, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            hole,
        "mmap");
  memcpy(hole, message + 16 * kDone, kLen - 16 * kDone);
  ++num_faults;
}

static void run(const uint8_t* source) {
  struct registers r = {(uintptr_t)iv,     (uintptr_t)key, kBlocks, (uintptr_t)&control,
                        (uintptr_t)source, (uintptr_t)out, 0};
  memset(out, 0, sizeof out);
  from_hex(iv, kSpIv, 16);
  reload_key();
  kModes[mode].run(&r);
  CHECK(r.rcx == 0 && r.rsi == (uintptr_t)source + kLen && r.rdi == (uintptr_t)out + kLen,
        "%s: registers at the end", kModes[mode].name);
}

int main(void) {
  uint8_t expected[kLen];
  from_hex(key, kSpKey, 16);
  for (int i = 0; i < kLen; ++i) message[i] = (uint8_t)(7 * i);
  pages = mmap(NULL, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED, "mmap");
  memcpy(pages + kPage - 16 * kDone, message, 16 * kDone);
  catch_signal(SIGSEGV, on_fault, 0);
  for (mode = 0; mode < sizeof kModes / sizeof *kModes; ++mode) {
    run(message);
    memcpy(expected, out, sizeof out);
    for (int i = 1; i <= kRounds; ++i) {
      CHECK(munmap(pages + kPage, kPage) == 0, "munmap");
      num_faults = 0;
      run(pages + kPage - 16 * kDone);
      CHECK(num_faults == 1, "%s: %d faults", kModes[mode].name, num_faults);
      // clause: PLK-EXC-004
      CHECK(memcmp(out, expected, sizeof out) == 0, "%s: the fault changed the result",
            kModes[mode].name);
    }
  }
  return 0;
}
