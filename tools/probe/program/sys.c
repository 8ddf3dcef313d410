#include "tools/probe/program/sys.h"

enum {
  kRead = 3,
  kWrite = 4,
  kOpen = 5,
  kClose = 6,
  kUnlink = 10,
  kRename = 38,
  kGetTimeOfDay = 78,
  kMunmap = 91,
  kSetItimer = 104,
  kUname = 122,
  kNanosleep = 162,
  kPread = 180,
  kPwrite = 181,
  kMmap2 = 192,
  kSetAffinity = 241,
};
enum { kMapPrivateFixedAnonymous = 2 | 0x10 | 0x20 };

static long call3(long number, long a, long b, long c) {
  return sys_call(number, a, b, c, 0, 0, 0);
}

long sys_open(const char* path, int flags, int mode) {
  return call3(kOpen, (long)path, flags, mode);
}

long sys_close(int fd) {
  return call3(kClose, fd, 0, 0);
}

long sys_write_all(int fd, const void* bytes, size_t len) {
  const char* at = bytes;
  while (len != 0) {
    const long n = call3(kWrite, fd, (long)at, (long)len);
    if (n == -kEintr) continue;
    if (n <= 0) return n < 0 ? n : -kEio;
    at += n;
    len -= (size_t)n;
  }
  return 0;
}

void sys_tell(const char* what, const char* name) {
  char line[200];
  size_t len = 0;
  for (; *what != 0 && len < sizeof line - 2; ++what) line[len++] = *what;
  line[len++] = ' ';
  for (; *name != 0 && len < sizeof line - 1; ++name) line[len++] = *name;
  line[len++] = '\n';
  sys_write_all(2, line, len);
}

long sys_pread(int fd, void* out_bytes, size_t len, uint32_t offset) {
  return sys_call(kPread, fd, (long)out_bytes, (long)len, (long)offset, 0, 0);
}

long sys_pwrite(int fd, const void* bytes, size_t len, uint32_t offset) {
  return sys_call(kPwrite, fd, (long)bytes, (long)len, (long)offset, 0, 0);
}

long sys_rename(const char* from, const char* to) {
  return call3(kRename, (long)from, (long)to, 0);
}

long sys_unlink(const char* path) {
  return call3(kUnlink, (long)path, 0, 0);
}

long sys_map_at(uint32_t address, uint32_t len, int protection) {
  const long at =
      sys_call(kMmap2, (long)address, (long)len, protection, kMapPrivateFixedAnonymous, -1, 0);
  return at == (long)address ? 0 : at < 0 ? at : -kEio;
}

long sys_unmap(uint32_t address, uint32_t len) {
  return call3(kMunmap, (long)address, (long)len, 0);
}

void sys_sleep_us(uint32_t microseconds) {
  const long time[2] = {(long)(microseconds / 1000000), (long)(microseconds % 1000000 * 1000)};
  call3(kNanosleep, (long)time, 0, 0);
}

uint64_t sys_time_us(void) {
  uint32_t time[2] = {0, 0};
  call3(kGetTimeOfDay, (long)time, 0, 0);
  return (uint64_t)time[0] * 1000000 + time[1];
}

void sys_alarm(uint32_t seconds) {
  const long timer[4] = {0, 0, (long)seconds, 0};
  call3(kSetItimer, 0, (long)timer, 0);
}

void sys_stay_on_cpu_0(void) {
  const uint32_t mask = 1;
  call3(kSetAffinity, 0, sizeof mask, (long)&mask);
}

long sys_uname(struct SysNames* out) {
  return call3(kUname, (long)out, 0, 0);
}

size_t text_len(const char* text) {
  size_t len = 0;
  while (text[len] != 0) ++len;
  return len;
}

int text_equal(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

const char* text_after(const char* text, const char* prefix) {
  while (*prefix != 0)
    if (*text++ != *prefix++) return NULL;
  return text;
}

// Compilers call these by name.
void* memcpy(void* restrict to, const void* restrict from, size_t len) {
  void* const start = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
  return start;
}

void* memset(void* to, int byte, size_t len) {
  void* const start = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(len) : "a"(byte) : "memory");
  return start;
}

int memcmp(const void* a, const void* b, size_t len) {
  const uint8_t *x = a, *y = b;
  for (size_t i = 0; i < len; ++i)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
