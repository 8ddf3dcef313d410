/* A plugin of QEMU's user emulation (TCG plugin interface, version 1) that looks at the part of a
 * PowerPC program between two marks: how many instructions it executes, a hash of their addresses,
 * and one of the addresses of data. Two runs with other secrets that agree in all three took the
 * same branches and touched the same memory.
 *
 *   qemu-ppc64le -plugin libtrace.so,counts=FILE[,trace=FILE] PROGRAM
 *
 * counts: a line "instructions code-hash data-hash" (hexadecimal hashes) for each pass from mark to
 * mark. trace: the executed addresses of all passes, 64 bits each in the host's byte order. The
 * marks are two instructions without effect that no compiler writes; kernel_calls.cpp has them.
 * QEMU is shipped without the header of its plugins: what is needed of it is declared here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void translated(uint64_t id, struct qemu_plugin_tb* block);
typedef void executed(unsigned cpu, void* data);
typedef void accessed(unsigned cpu, uint32_t info, uint64_t address, void* data);
typedef void ended(uint64_t id, void* data);

enum { kNoRegisters = 0 };    /* what a callback does with the program's registers */
enum { kReadsAndWrites = 3 }; /* which accesses it hears of */

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated* callback);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn* insn);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn* insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn* insn, executed* callback,
                                            int registers, void* data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn* insn, accessed* callback,
                                      int registers, int which, void* data);
void qemu_plugin_register_atexit_cb(uint64_t id, ended* callback, void* data);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(uint64_t id, const void* info, int argc, char** argv);

static const uint32_t kBegin = 0x6a310000; /* xori 17,17,0 */
static const uint32_t kEnd = 0x6a520000;   /* xori 18,18,0 */
static const uint64_t kHashStart = 0xcbf29ce484222325;

static FILE *counts, *trace;
static bool inside;
static uint64_t instructions, code_hash, data_hash;

/* Every bit of |value| reaches every bit of the hash. */
static uint64_t add_to_hash(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

static void at_begin(unsigned cpu, void* data) {
  (void)cpu, (void)data;
  inside = true;
  instructions = 0;
  code_hash = data_hash = kHashStart;
}

static void at_end(unsigned cpu, void* data) {
  (void)cpu, (void)data;
  if (inside)
    fprintf(counts, "%" PRIu64 " %016" PRIx64 " %016" PRIx64 "\n", instructions, code_hash,
            data_hash);
  inside = false;
}

static void at_instruction(unsigned cpu, void* data) {
  (void)cpu;
  if (!inside) return;
  const uint64_t address = (uintptr_t)data;
  ++instructions;
  code_hash = add_to_hash(code_hash, address);
  if (trace != NULL) fwrite(&address, sizeof address, 1, trace);
}

static void at_access(unsigned cpu, uint32_t info, uint64_t address, void* data) {
  (void)cpu, (void)info, (void)data;
  if (inside) data_hash = add_to_hash(data_hash, address);
}

/* Of either byte order: no instruction has a mark's bytes backwards. */
static bool is_mark(const uint8_t* b, uint32_t mark) {
  const uint32_t big = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  return big == mark || __builtin_bswap32(big) == mark;
}

static void translate(uint64_t id, struct qemu_plugin_tb* block) {
  (void)id;
  for (size_t i = 0, n = qemu_plugin_tb_n_insns(block); i < n; ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, i);
    const uint8_t* bytes = qemu_plugin_insn_data(insn);
    executed* callback = is_mark(bytes, kBegin) ? at_begin
                         : is_mark(bytes, kEnd) ? at_end
                                                : at_instruction;
    qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, kNoRegisters,
                                           (void*)(uintptr_t)qemu_plugin_insn_vaddr(insn));
    qemu_plugin_register_vcpu_mem_cb(insn, at_access, kNoRegisters, kReadsAndWrites, NULL);
  }
}

static void finish(uint64_t id, void* data) {
  (void)id, (void)data;
  const bool failed = fclose(counts) != 0 || (trace != NULL && fclose(trace) != 0);
  if (failed) fprintf(stderr, "trace plugin: writing failed\n");
}

static FILE* open_argument(const char* argument, const char* name) {
  const size_t len = strlen(name);
  return strncmp(argument, name, len) == 0 ? fopen(argument + len, "wb") : NULL;
}

int qemu_plugin_install(uint64_t id, const void* info, int argc, char** argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    FILE* as_counts = open_argument(argv[i], "counts=");
    FILE* as_trace = open_argument(argv[i], "trace=");
    if (as_counts == NULL && as_trace == NULL) {
      fprintf(stderr, "trace plugin: cannot use '%s'; it takes counts=FILE and trace=FILE\n",
              argv[i]);
      return 1;
    }
    if (as_counts != NULL) counts = as_counts;
    if (as_trace != NULL) trace = as_trace;
  }
  if (counts == NULL) {
    fprintf(stderr, "trace plugin: counts=FILE is missing\n");
    return 1;
  }
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, finish, NULL);
  return 0;
}
