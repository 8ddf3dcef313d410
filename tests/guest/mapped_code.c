// The code of a file is mapped again and again, by this process and by children that are executed
// anew: CPUID in it is the model's each time, and the mapping is as the program asked for. So it is
// after the file has changed in place. With an argument it is the child, and maps that file.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "padlock.h"

enum { kCodeLen = 64 };

// Copied as bytes, so it calls nothing.
__attribute__((noinline)) static unsigned ask(void) {
  unsigned eax = 0xC0000000, ebx, ecx = 0, edx;
  __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return eax;
}

// Room for a copy of ask().
__attribute__((noinline)) static unsigned spare(void) {
  __asm__ volatile(".fill 64, 1, 0x90");  // kCodeLen times NOP
  return 0;
}

struct mapping {
  unsigned long begin, end, offset;
  char permissions[5];
};

// What /proc/self/maps has at |address|.
static struct mapping mapping_at(const void* address) {
  struct mapping m;
  char line[512];
  FILE* const maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL, "/proc/self/maps");
  while (fgets(line, sizeof line, maps) != NULL)
    if (sscanf(line, "%lx-%lx %4s %lx", &m.begin, &m.end, m.permissions, &m.offset) == 4 &&
        m.begin <= (uintptr_t)address && (uintptr_t)address < m.end) {
      fclose(maps);
      return m;
    }
  CHECK(0, "nothing is mapped at %p", address);
  return m;
}

// Maps from |fd| what |own| is of the program's file, at |where| unless that is null, and calls
// |function| there.
static void* map_and_call(int fd, struct mapping own, void* where, int protection,
                          unsigned (*function)(void), unsigned expected) {
  const size_t len = own.end - own.begin;
  uint8_t* const code = mmap(where, len, protection, MAP_PRIVATE | (where != NULL ? MAP_FIXED : 0),
                             fd, (off_t)own.offset);
  CHECK(code != MAP_FAILED && (where == NULL || code == where), "mmap");
  uint8_t* const there = code + ((uintptr_t)function - own.begin);
  const unsigned answer = ((unsigned (*)(void))(uintptr_t)there)();
  CHECK(answer == expected, "the mapped code answers %#x", answer);
  const struct mapping m = mapping_at(there);
  CHECK(m.begin == (uintptr_t)code && m.end == m.begin + len, "the mapping is torn apart");
  CHECK((m.permissions[1] == 'w') == ((protection & PROT_WRITE) != 0) && m.permissions[2] == 'x',
        "the mapping is %s", m.permissions);
  return code;
}

static void map_often(int fd, struct mapping own, unsigned (*function)(void), unsigned expected) {
  const int kProtections[] = {PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE | PROT_EXEC, PROT_EXEC};
  for (int round = 0; round < 9; ++round) {
    void* const code = map_and_call(fd, own, NULL, kProtections[round % 3], function, expected);
    map_and_call(fd, own, code, kProtections[round / 3], function, expected);
    CHECK(munmap(code, own.end - own.begin) == 0, "munmap");
  }
}

static off_t offset_of(unsigned (*function)(void), struct mapping own) {
  return (off_t)(own.offset + ((uintptr_t)function - own.begin));
}

int main(int argc, char** argv) {
  const struct mapping own = mapping_at((const void*)(uintptr_t)ask);
  const unsigned leaf = ask();
  CHECK(leaf >= 0xC0000001, "leaf 0xC0000000 gives %#x", leaf);
  if (argc > 1) {
    const int fd = open(argv[1], O_RDONLY);
    CHECK(fd >= 0, "%s", argv[1]);
    map_often(fd, own, ask, leaf);
    map_often(fd, own, spare, leaf);
    return 42;
  }

  char path[] = "/tmp/guest-mapped-code-XXXXXX";
  const int copy = mkstemp(path), self = open("/proc/self/exe", O_RDONLY);
  struct stat info;
  CHECK(copy >= 0 && self >= 0 && fstat(self, &info) == 0, "files");
  for (off_t done = 0; done < info.st_size;)
    CHECK(sendfile(copy, self, &done, (size_t)(info.st_size - done)) > 0, "sendfile");
  map_often(copy, own, ask, leaf);
  map_often(copy, own, spare, 0);

  const struct timespec tick_of_file_times = {0, 50000000};
  nanosleep(&tick_of_file_times, NULL);
  uint8_t code[kCodeLen];
  CHECK(pread(self, code, kCodeLen, offset_of(ask, own)) == kCodeLen &&
            pwrite(copy, code, kCodeLen, offset_of(spare, own)) == kCodeLen,
        "cannot change the file");
  map_often(copy, own, spare, leaf);

  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    if (child == 0) execl("/proc/self/exe", "mapped_code", path, NULL);
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 42,
          "the child ended with %#x", status);
  }
  unlink(path);
  return 0;
}
