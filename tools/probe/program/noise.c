#include "tools/probe/program/noise.h"

#include "tools/probe/program/json.h"
#include "tools/probe/program/run.h"
#include "tools/probe/program/sys.h"

enum { kNoiseLen = 64 << 10, kPart = 1024, kMaxSeconds = 30 };

static uint8_t noise[kNoiseLen + 8];
static volatile uint32_t num_bytes;
static uint32_t status;

static void collect(void) {
  for (uint32_t at = 0; at < kNoiseLen; num_bytes = at += kPart) {
    void* to = noise + at;
    uint32_t count = kPart;
    __asm__ volatile(".byte 0xf3, 0x0f, 0xa7, 0xc0"
                     : "=a"(status), "+D"(to), "+c"(count)
                     : "d"(0)
                     : "memory");
  }
}

void write_noise(void) {
  num_bytes = 0;
  const uint64_t begin = sys_time_us();
  const int signal = run_guarded(collect, kMaxSeconds);
  const uint32_t microseconds = (uint32_t)(sys_time_us() - begin);
  json_name("noise");
  json_open_object();
  json_text_member("insn", "rep-xstore");
  json_number_member("edx", 0);
  json_number_member("part", kPart);
  if (signal != 0) json_number_member("signal", (uint32_t)signal);
  json_hex_member("status", status);
  json_number_member("microseconds", microseconds);
  json_name("bytes");
  json_bytes(noise, num_bytes);
  json_close();
}
