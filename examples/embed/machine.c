/* A machine with a PadLock processor in it, in a hundred lines: pages that are mapped when they are
 * first touched, as an operating system does after a page fault, and a timer that interrupts every
 * few blocks. The instruction is issued again after each, and the result is as if nothing had
 * happened. incore/processor.h says what each function has to do. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "incore/processor.h"

enum { kPageLen = 4096, kNumPages = 16, kMemoryLen = kPageLen * kNumPages };

struct machine {
  uint8_t memory[kMemoryLen];
  int mapped[kNumPages];
  uint64_t timer; /* blocks until the next interrupt */
};

/* Not 0, and a page fault, if a page of the range is not mapped. */
static int check(struct machine* m, uint64_t address, size_t len, int write,
                 incore_processor_trap* out_trap) {
  for (uint64_t at = address; at < address + len; at = (at / kPageLen + 1) * kPageLen) {
    if (at < kMemoryLen && m->mapped[at / kPageLen]) continue;
    out_trap->vector = 14;
    out_trap->error_code = write ? 2 : 0;
    out_trap->address = at;
    return 1;
  }
  return 0;
}

static int read_memory(void* context, uint64_t address, void* out, size_t len,
                       incore_processor_trap* out_trap) {
  struct machine* m = context;
  if (check(m, address, len, 0, out_trap)) return 1;
  memcpy(out, m->memory + address, len);
  return 0;
}

static int write_memory(void* context, uint64_t address, const void* in, size_t len,
                        incore_processor_trap* out_trap) {
  struct machine* m = context;
  if (check(m, address, len, 1, out_trap)) return 1;
  memcpy(m->memory + address, in, len);
  return 0;
}

static int probe_write(void* context, uint64_t address, size_t len,
                       incore_processor_trap* out_trap) {
  return check(context, address, len, 1, out_trap);
}

static int interrupt(void* context, uint64_t blocks_done) {
  return blocks_done >= ((struct machine*)context)->timer;
}

int main(void) {
  /* REP XCRYPTCBC by the key and the vector of zeros, 300 blocks from 8000h on to A800h, across
     page borders: control word at 1000h, key at 2000h, vector at 3000h. */
  static const uint8_t code[] = {0xF3, 0x0F, 0xA7, 0xD0};
  static struct machine m = {.timer = 100};
  static incore_processor processor;
  const incore_processor_machine functions = {.context = &m,
                                              .read = read_memory,
                                              .write = write_memory,
                                              .probe_write = probe_write,
                                              .interrupt = interrupt};
  incore_processor_state state = {.rax = 0x3000, .rbx = 0x2000, .rcx = 300, .rdx = 0x1000};
  state.rsi = 0x8000, state.rdi = 0xA800;
  state.code_bits = 32;
  state.cr4 = 1 << 9; /* OSFXSR: the operating system knows SSE, so PadLock works */
  state.es.limit = 0xFFFFFFFF, state.es.readable = state.es.writable = 1;
  m.memory[0x1000] = 10; /* rounds of AES-128, whose keys the hardware makes */

  char reason[200];
  if (incore_processor_init(&processor, "nano", 1, reason, sizeof reason) != INCORE_OK) {
    fprintf(stderr, "machine: %s\n", reason);
    return 1;
  }
  unsigned interrupts = 0, page_faults = 0;
  uint64_t clocks = 0;
  for (;;) {
    incore_processor_result result;
    if (incore_processor_execute(&processor, &state, code, sizeof code, &functions, &result) !=
        INCORE_OK)
      return 1;
    clocks += result.clocks;
    if (result.outcome == INCORE_PROCESSOR_DONE) break;
    if (result.outcome == INCORE_PROCESSOR_INTERRUPTED) {
      ++interrupts;
    } else if (result.trap.vector == 14 && result.trap.address < kMemoryLen) {
      ++page_faults; /* the operating system maps the page and returns */
      m.mapped[result.trap.address / kPageLen] = 1;
    } else {
      fprintf(stderr, "machine: exception %d: %s\n", result.trap.vector, result.trap.reason);
      return 1;
    }
  }
  incore_processor_wipe(&processor);
  printf("300 blocks: %u page faults, %u interrupts, %" PRIu64 " clocks; first block ", page_faults,
         interrupts, clocks);
  for (int i = 0; i < 16; ++i) printf("%02x", m.memory[0xA800 + i]);
  printf("\n");
  return 0;
}
