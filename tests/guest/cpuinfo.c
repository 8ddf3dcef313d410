// What CPUID says is what /proc/cpuinfo, however it is opened, and the auxiliary vector say. Prints
// the text. With the argument "host" only PadLock's flags are compared.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "padlock.h"

static char text[1 << 17];

static void read_from(int fd) {
  CHECK(fd >= 0, "cannot be opened: %s", strerror(errno));
  size_t len = 0;
  for (ssize_t n; (n = read(fd, text + len, sizeof text - 1 - len)) > 0;) len += (size_t)n;
  text[len] = 0;
  close(fd);
}

// The value of |key| of the first processor, or "".
static const char* value_of(const char* key) {
  static char value[4096];
  for (const char* line = text; *line != 0; line = strchr(line, '\n') + 1) {
    const size_t len = strlen(key);
    if (strncmp(line, key, len) != 0 || (line[len] != '\t' && line[len] != ':')) continue;
    const char* begin = strchr(line, ':') + 2;
    snprintf(value, sizeof value, "%.*s", (int)(strchr(begin, '\n') - begin), begin);
    return value;
  }
  return "";
}
static void check_number(const char* key, uint32_t expected) {
  CHECK(strtoul(value_of(key), NULL, 10) == expected, "%s is '%s', not %u", key, value_of(key),
        expected);
}
static void check_flag(const char* name, uint32_t expected) {
  char padded[4200], word[32];
  snprintf(padded, sizeof padded, " %s ", value_of("flags"));
  snprintf(word, sizeof word, " %s ", name);
  CHECK((strstr(padded, word) != NULL) == (expected != 0), "flag %s in '%s'", name, padded);
}

static void check_identity(void) {
  const struct cpuid_answer leaf0 = cpuid(0, 0), leaf1 = cpuid(1, 0);
  char vendor[13] = {0};
  memcpy(vendor, &leaf0.ebx, 4), memcpy(vendor + 4, &leaf0.edx, 4),
      memcpy(vendor + 8, &leaf0.ecx, 4);
  CHECK(strcmp(value_of("vendor_id"), vendor) == 0, "vendor '%s'", value_of("vendor_id"));
  check_number("cpu family", leaf1.eax >> 8 & 15);
  check_number("model", (leaf1.eax >> 4 & 15) | (leaf1.eax >> 16 & 15) << 4);
  check_number("stepping", leaf1.eax & 15);
  check_number("cpuid level", leaf0.eax);
  check_number("cache size", cpuid(0x80000006, 0).ecx >> 16);

  char brand[49] = {0};
  for (uint32_t i = 0; i < 3; ++i) {
    const struct cpuid_answer a = cpuid(0x80000002 + i, 0);
    memcpy(brand + 16 * i, &a, sizeof a);
  }
  CHECK(strcmp(value_of("model name"), brand + strspn(brand, " ")) == 0,
        "model name '%s', not '%s'", value_of("model name"), brand);
  check_flag("fpu", leaf1.edx & 1);
  check_flag("sse2", leaf1.edx & 1u << 26);
  check_flag("pbe", leaf1.edx & 1u << 31);
  check_flag("pni", leaf1.ecx & 1);
  check_flag("avx", leaf1.ecx & 1u << 28);
  check_flag("aes", leaf1.ecx & 1u << 25);
  check_flag("lm", cpuid(0x80000001, 0).edx & 1u << 29);
  check_flag("lahf_lm", cpuid(0x80000001, 0).ecx & 1);
}

static void check_padlock_flags(void) {
  static const char* const kNames[] = {"rng",  "rng_en",  NULL,  NULL,     "ace", "ace_en",
                                       "ace2", "ace2_en", "phe", "phe_en", "pmm", "pmm_en"};
  const uint32_t flags = cpuid(0xC0000001, 0).edx;
  for (unsigned i = 0; i < sizeof kNames / sizeof *kNames; ++i)
    if (kNames[i] != NULL) check_flag(kNames[i], flags & 4u << i);
}

// As the kernel gave it; getauxval(3) tells a word of the C library's own for AT_HWCAP.
static unsigned long auxiliary(unsigned long type) {
  extern char** environ;
  char** after = environ;
  while (*after++ != NULL) {
  }
  const unsigned long* entry = (const unsigned long*)after;
  while (entry[0] != AT_NULL && entry[0] != type) entry += 2;
  return entry[1];
}
static void check_auxiliary_vector(void) {
  CHECK(auxiliary(AT_HWCAP) == cpuid(1, 0).edx, "AT_HWCAP %lx", auxiliary(AT_HWCAP));
  const uint32_t fsgsbase = cpuid(7, 0).ebx & 1;
  CHECK(fsgsbase != 0 || (auxiliary(AT_HWCAP2) & 2) == 0, "AT_HWCAP2 %lx", auxiliary(AT_HWCAP2));
  const char* const platform = (const char*)auxiliary(AT_PLATFORM);
  CHECK(strcmp(platform, sizeof(void*) == 8 ? "x86_64" : "i686") == 0, "AT_PLATFORM %s", platform);
}

static void check_each_way_to_open(void) {
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY);
  const int fds[] = {(int)syscall(SYS_open, "/proc/cpuinfo", O_RDONLY),
                     open("/proc/../proc//cpuinfo", O_RDONLY), openat(proc, "cpuinfo", O_RDONLY),
                     open("/proc/self/root/proc/cpuinfo", O_RDONLY | O_CLOEXEC)};
  read_from(open("/proc/cpuinfo", O_RDONLY));
  static char first[sizeof text];
  strcpy(first, text);
  for (size_t i = 0; i < sizeof fds / sizeof *fds; ++i) {
    CHECK(fcntl(fds[i], F_GETFD) == (i == 3 ? FD_CLOEXEC : 0), "O_CLOEXEC, way %zu", i);
    CHECK(write(fds[i], "", 1) == -1 && errno == EBADF, "writable, way %zu", i);
    read_from(fds[i]);
    CHECK(
        value_of("vendor_id")[0] != 0 && strcmp(strstr(first, "flags"), strstr(text, "flags")) >= 0,
        "way %zu", i);
    check_padlock_flags();
  }
  close(proc);
}

int main(int argc, char** argv) {
  check_each_way_to_open();
  if (argc < 2 || strcmp(argv[1], "host") != 0) check_identity();
  check_auxiliary_vector();
  fputs(text, stdout);
  return 0;
}
