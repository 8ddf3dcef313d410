#include "tools/probe/program/timings.h"

#include <stddef.h>

#include "tools/probe/program/json.h"
#include "tools/probe/program/run.h"
#include "tools/probe/program/sys.h"

// What timing_sites.S uses and defines.
struct Registers timed_registers;
uint32_t timed_reloads, timed_clocks;
void time_nothing(void);
void time_xstore(void);
void time_rep_xstore(void);
void time_xcrypt_ecb(void);
void time_xcrypt_cbc(void);
void time_xcrypt_ctr(void);
void time_xcrypt_cfb(void);
void time_xcrypt_ofb(void);
void time_xsha1(void);
void time_xsha256(void);
void time_xsha384(void);
void time_xsha512(void);
void time_montmul(void);
void time_ccs_hash(void);
void time_ccs_encrypt(void);

// How ECX counts a size.
enum Unit { kBytes, kBlocks16, kBlocks128, kBits, kSteps };

struct Set {
  const char* insn;
  void (*call)(void);
  enum Unit unit;
  uint32_t control;        // of XCRYPT, the control word
  uint32_t edx, eax, ebx;  // of the others
  int reloads;             // the key, each time
  int offset;              // of source and destination from 16-byte alignment
  const uint32_t* sizes;   // ended by 0
};

static const uint32_t kGuideSizes[] = {16,   32,   64,    128,   256,   512,     1024, 2048,
                                       4096, 8192, 16384, 32768, 65536, 1048576, 0};
static const uint32_t kFewSizes[] = {16, 1024, 16384, 0};
static const uint32_t kHashSizes[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536, 0};
static const uint32_t kModuli[] = {256, 512, 768, 1024, 1536, 2048, 3072, 4096, 8192, 16384, 0};
static const uint32_t kOneStep[] = {1, 0};
static const uint32_t kRandomSizes[] = {8, 64, 512, 0};

enum { k128 = 10, k128FromMemory = 0x8A, k192 = 0x48C, k256 = 0x88E, kAlign = 0x2A };

#define XCRYPT_SETS(name, call)                                          \
  {name, call, kBlocks16, k128, 0, 0, 0, 0, 0, kGuideSizes},             \
      {name, call, kBlocks16, k128, 0, 0, 0, 1, 0, kFewSizes},           \
      {name, call, kBlocks16, k128FromMemory, 0, 0, 0, 1, 0, kFewSizes}, \
      {name, call, kBlocks16, k192, 0, 0, 0, 0, 0, kFewSizes}, {         \
    name, call, kBlocks16, k256, 0, 0, 0, 0, 0, kFewSizes                \
  }
#define MISALIGNED_SET(name, call) \
  { name, call, kBlocks16, kAlign, 0, 0, 0, 0, 1, kGuideSizes }

static const struct Set kSets[] = {
    XCRYPT_SETS("xcrypt-ecb", time_xcrypt_ecb),
    XCRYPT_SETS("xcrypt-cbc", time_xcrypt_cbc),
    XCRYPT_SETS("xcrypt-cfb", time_xcrypt_cfb),
    XCRYPT_SETS("xcrypt-ofb", time_xcrypt_ofb),
    XCRYPT_SETS("xcrypt-ctr", time_xcrypt_ctr),
    MISALIGNED_SET("xcrypt-cbc", time_xcrypt_cbc),
    MISALIGNED_SET("xcrypt-cfb", time_xcrypt_cfb),
    MISALIGNED_SET("xcrypt-ofb", time_xcrypt_ofb),
    MISALIGNED_SET("xcrypt-ctr", time_xcrypt_ctr),
    {"xsha1", time_xsha1, kBytes, 0, 0, 0, 0, 0, 0, kHashSizes},
    {"xsha256", time_xsha256, kBytes, 0, 0, 0, 0, 0, 0, kHashSizes},
    {"xsha384", time_xsha384, kBlocks128, 0, 0, 0, 0, 0, 0, kHashSizes + 1},
    {"xsha512", time_xsha512, kBlocks128, 0, 0, 0, 0, 0, 0, kHashSizes + 1},
    {"montmul", time_montmul, kBits, 0, 0, 0, 0, 0, 0, kModuli},
    {"xstore", time_xstore, kSteps, 0, 0, 0, 0, 0, 0, kOneStep},
    {"xstore", time_xstore, kSteps, 0, 1, 0, 0, 0, 0, kOneStep},
    {"xstore", time_xstore, kSteps, 0, 2, 0, 0, 0, 0, kOneStep},
    {"xstore", time_xstore, kSteps, 0, 3, 0, 0, 0, 0, kOneStep},
    {"rep-xstore", time_rep_xstore, kBytes, 0, 0, 0, 0, 0, 0, kRandomSizes},
    {"ccs-hash", time_ccs_hash, kBytes, 0, 0, 0, 0x20, 0, 0, kHashSizes},
    {"ccs-encrypt", time_ccs_encrypt, kBlocks16, 0, 0, 0x60, 0, 0, 0, kFewSizes},
};

enum { kMaxSize = 1 << 20, kMaxSamples = 101, kMinSamples = 5, kMaxUs = 30000, kMaxSeconds = 10 };

static uint8_t source[kMaxSize + 64] __attribute__((aligned(4096)));
static uint8_t destination[kMaxSize + 64] __attribute__((aligned(4096)));
static uint8_t key[256] __attribute__((aligned(16))), vector[16] __attribute__((aligned(16)));
static uint32_t control[32] __attribute__((aligned(16)));
static uint32_t context[6], number_m[1024 + 4] __attribute__((aligned(16)));

static uint32_t samples[kMaxSamples];
static int num_samples;
static const struct Set* set;
static uint32_t size;

static void load_registers(void) {
  static const uint32_t kUnitLen[] = {1, 16, 128, 1, 1};
  timed_registers =
      (struct Registers){.eax = set->eax,
                         .ebx = set->ebx,
                         .ecx = size / kUnitLen[set->unit],
                         .edx = set->edx,
                         .esi = (uint32_t)(uintptr_t)source + (uint32_t)set->offset,
                         .edi = (uint32_t)(uintptr_t)destination + (uint32_t)set->offset};
  if (set->control != 0) {
    control[0] = set->control;
    timed_registers.eax = (uint32_t)(uintptr_t)vector;
    timed_registers.ebx = (uint32_t)(uintptr_t)key;
    timed_registers.edx = (uint32_t)(uintptr_t)control;
  } else if (set->call == time_ccs_encrypt) {
    timed_registers.ebx = (uint32_t)(uintptr_t)key;
  } else if (set->unit == kBits) {
    const uint32_t numbers[6] = {1,
                                 (uint32_t)(uintptr_t)source,
                                 (uint32_t)(uintptr_t)source + 0x8000,
                                 (uint32_t)(uintptr_t)destination,
                                 (uint32_t)(uintptr_t)number_m,
                                 (uint32_t)(uintptr_t)destination + 0x8000};
    memcpy(context, numbers, sizeof context);
    memset(number_m, 0xFF, sizeof number_m);
    timed_registers.esi = (uint32_t)(uintptr_t)context;
  }
}

static void measure(void) {
  const uint64_t begin = sys_time_us();
  load_registers();
  timed_reloads = 0;
  set->call();  // loads the key, and the caches
  timed_reloads = (uint32_t)set->reloads;
  while (num_samples < kMaxSamples &&
         (num_samples < kMinSamples || sys_time_us() - begin < kMaxUs)) {
    if (set->unit == kBits) memset(destination, 0, size / 8 + 16);
    if (set->unit == kSteps) sys_sleep_us(100);  // until there is something to store
    set->call();
    samples[num_samples++] = timed_clocks;
  }
}

static void sort_samples(void) {
  for (int i = 1; i < num_samples; ++i)
    for (int k = i; k > 0 && samples[k - 1] > samples[k]; --k) {
      const uint32_t swapped = samples[k];
      samples[k] = samples[k - 1];
      samples[k - 1] = swapped;
    }
}

static void write_samples(int signal) {
  if (signal != 0) json_number_member("signal", (uint32_t)signal);
  json_number_member("samples", (uint32_t)num_samples);
  if (num_samples == 0) return;
  sort_samples();
  json_number_member("min", samples[0]);
  json_number_member("median", samples[num_samples / 2]);
}

static void write_row(void) {
  static const uint16_t kKeyBits[] = {128, 192, 256, 0};
  num_samples = 0;
  json_open_object();
  json_text_member("insn", set->insn);
  json_number_member(set->unit == kBits ? "bits" : set->unit == kSteps ? "steps" : "bytes", size);
  if (set->control != 0) {
    json_number_member("key_bits", kKeyBits[set->control >> 10 & 3]);
    json_text_member("keys", (set->control & 0x80) != 0 ? "memory" : "hardware");
    json_bool_member("reload", set->reloads);
    json_hex_member("control", set->control);
    json_number_member("offset", (uint32_t)set->offset);
  }
  if (set->unit == kSteps || set->call == time_rep_xstore) json_number_member("edx", set->edx);
  write_samples(run_guarded(measure, kMaxSeconds));
  json_close();
}

static uint32_t clocks_of_pause, us_of_pause;

static void measure_clock(void) {
  uint32_t begin, end;
  const uint64_t begin_us = sys_time_us();
  __asm__ volatile("rdtsc" : "=a"(begin) : : "edx");
  sys_sleep_us(100000);
  __asm__ volatile("rdtsc" : "=a"(end) : : "edx");
  us_of_pause = (uint32_t)(sys_time_us() - begin_us);
  clocks_of_pause = end - begin;
}

void write_timings(void) {
  static const struct Set kNothing = {"nothing", time_nothing, kBytes, 0, 0, 0, 0, 0, 0, kOneStep};
  for (uint32_t i = 0; i < sizeof source; ++i) source[i] = (uint8_t)(i * 181 >> 3);
  json_name("timings");
  json_open_object();
  run_guarded(measure_clock, kMaxSeconds);
  json_number_member("clocks_per_us", us_of_pause == 0 ? 0 : clocks_of_pause / us_of_pause);
  // The two readings of the counter themselves.
  set = &kNothing;
  size = 1;
  num_samples = 0;
  json_name("overhead");
  json_open_object();
  write_samples(run_guarded(measure, kMaxSeconds));
  json_close();
  json_name("rows");
  json_open_array();
  for (unsigned i = 0; i < sizeof kSets / sizeof kSets[0]; ++i) {
    set = &kSets[i];
    for (const uint32_t* s = set->sizes; *s != 0; ++s) {
      size = *s;
      write_row();
      if (num_samples == 0) break;  // there is no such instruction
    }
  }
  json_close();
  json_close();
}
