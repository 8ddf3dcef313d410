// What the probe asks of Linux. It has no C library, so that it is one small file for any kernel
// since 2.6, and the compiler of the build makes it (-m32) without libraries for 32 bits.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { kEnoent = 2, kEintr = 4, kEio = 5 };

// A system call by its number for i386. Negative: an errno.
long sys_call(long number, long a, long b, long c, long d, long e, long f);

long sys_open(const char* path, int flags, int mode);
long sys_close(int fd);
long sys_write_all(int fd, const void* bytes, size_t len);
// "|what| |name|", a line on standard error: in one piece, since /dev/kmsg makes a line of each.
void sys_tell(const char* what, const char* name);
long sys_pread(int fd, void* out_bytes, size_t len, uint32_t offset);
long sys_pwrite(int fd, const void* bytes, size_t len, uint32_t offset);
long sys_rename(const char* from, const char* to);
long sys_unlink(const char* path);
// Memory at exactly |address|, all zero. |protection|: 1 read, 2 write, 4 execute.
long sys_map_at(uint32_t address, uint32_t len, int protection);
long sys_unmap(uint32_t address, uint32_t len);
void sys_sleep_us(uint32_t microseconds);
uint64_t sys_time_us(void);
// SIGALRM comes after |seconds|; 0: never.
void sys_alarm(uint32_t seconds);
// Stays on the first processor, whose MSRs are read. What is refused does no harm.
void sys_stay_on_cpu_0(void);
struct SysNames {
  char system[65], node[65], release[65], version[65], machine[65], domain[65];
};
long sys_uname(struct SysNames* out);

enum { kOpenRead = 0, kOpenReadWrite = 2, kOpenCreate = 01 | 0100 | 01000 };

void* memcpy(void* restrict to, const void* restrict from, size_t len);
void* memset(void* to, int byte, size_t len);
int memcmp(const void* a, const void* b, size_t len);

size_t text_len(const char* text);
int text_equal(const char* a, const char* b);
// |text| after |prefix|, or null if it does not begin so.
const char* text_after(const char* text, const char* prefix);
