// XSTORE and REP XSTORE with the four quality factors (guide, 2.1): bytes stored, bytes that count,
// how far RDI moves, what lies behind the last byte, and that the bits are not always the same.
#include <sys/wait.h>
#include <unistd.h>

#include "padlock.h"

enum { kCanary = 0x5a, kWanted = 100 };

// The bytes that one step stores and the bytes that are random among them.
static const unsigned kStored[4] = {8, 4, 4, 4}, kRandom[4] = {8, 4, 2, 1};

static void check_one(uint32_t quality) {
  uint8_t buffer[16];
  for (int i = 0; i < 50; ++i) {
    uint8_t* end;
    unsigned count;
    int tries = 0;
    do {  // the generator may need time
      memset(buffer, kCanary, sizeof buffer);
      end = buffer;
      count = xstore(&end, quality | 0xABCDEF00) & 31;
      CHECK(count != 0 || (end == buffer && buffer[0] == kCanary),
            "count 0, but RDI or memory changed");
      CHECK(++tries < 10000000, "the generator gives nothing");
    } while (count == 0);
    // clause: PLK-RNG-006
    // clause: PLK-RNG-007
    CHECK(count == kRandom[quality], "quality %u: count %u", quality, count);
    // clause: PLK-RNG-010
    // clause: PLK-RNG-011
    // clause: PLK-RNG-012
    // clause: PLK-RNG-013
    CHECK(end == buffer + count, "quality %u: RDI moved by %td", quality, end - buffer);
    // clause: PLK-RNG-014
    for (unsigned j = count; j < kStored[quality]; ++j)
      CHECK(buffer[j] == 0, "quality %u: byte %u", quality, j);
    // clause: PLK-RNG-015
    for (unsigned j = kStored[quality]; j < sizeof buffer; ++j)
      CHECK(buffer[j] == kCanary, "quality %u: byte %u was written", quality, j);
  }
}

static void check_string(uint32_t quality) {
  static const unsigned kBeyond[4] = {7, 3, 3,
                                      3};  // bytes that the last store may reach behind the string
  uint8_t buffer[2][kWanted + 16];
  for (int i = 0; i < 2; ++i) {
    memset(buffer[i], kCanary, sizeof buffer[i]);
    uint8_t* end = buffer[i];
    size_t count = kWanted;
    rep_xstore(&end, &count, quality);
    // clause: PLK-RNG-017
    CHECK(count == 0, "quality %u: RCX is %zu at the end", quality, count);
    // clause: PLK-RNG-016
    CHECK(end == buffer[i] + kWanted, "quality %u: RDI moved by %td", quality, end - buffer[i]);
    for (unsigned j = kWanted + kBeyond[quality]; j < sizeof buffer[i]; ++j)
      CHECK(buffer[i][j] == kCanary, "quality %u: byte %u was written", quality, j);
    // 100 random bytes with 20 or more zeros: less than one in 10^20.
    unsigned zeros = 0;
    for (unsigned j = 0; j < kWanted; ++j) zeros += buffer[i][j] == 0;
    // clause: PLK-RNG-019
    CHECK(zeros < 20, "quality %u: %u of %d bytes are zero", quality, zeros, kWanted);
  }
  CHECK(memcmp(buffer[0], buffer[1], kWanted) != 0, "quality %u: twice the same bytes", quality);
}

// After a fork, parent and child get different bytes.
static void check_fork(void) {
  enum { kBuffers = 64 };
  uint64_t numbers[2][kBuffers];
  int ends[2];
  CHECK(pipe(ends) == 0, "pipe");
  const pid_t child = fork();
  CHECK(child >= 0, "fork");
  uint64_t* const own = numbers[child == 0];
  for (int i = 0; i < kBuffers; ++i) {
    uint8_t* end = (uint8_t*)&own[i];
    size_t count = 8;
    rep_xstore(&end, &count, 0);
  }
  if (child == 0) _exit(write(ends[1], own, sizeof numbers[1]) == sizeof numbers[1] ? 0 : 1);
  int status;
  CHECK(read(ends[0], numbers[1], sizeof numbers[1]) == sizeof numbers[1], "read");
  CHECK(waitpid(child, &status, 0) == child && status == 0, "the child failed");
  for (int i = 0; i < kBuffers; ++i)
    for (int j = 0; j < kBuffers; ++j)
      CHECK(numbers[0][i] != numbers[1][j], "a number given to parent and child");
}

int main(void) {
  for (uint32_t quality = 0; quality < 4; ++quality) {
    check_one(quality);
    check_string(quality);
  }
  check_fork();
  return 0;
}
