/* A plugin for QEMU (docs/devel/tcg-plugins, API version 1): counts the POWER8 crypto instructions
 * that a program executes. `incore run` gives it to the emulator. Its argument is counters=FILE, a
 * file of struct incore_power_counters.
 *
 * The calls of QEMU are declared here, because Debian's packages have no header for them. QEMU's
 * own counters are not exact when threads run at the same time, so each instruction calls a
 * function that adds atomically. */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/qemu/counters.h"

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;   /* a block of translated code */
struct qemu_plugin_insn; /* an instruction in it */
enum { QEMU_PLUGIN_CB_NO_REGS = 0 };

/* Only what is used of it: the name of the machine stands first. */
typedef struct {
  const char* target_name;
} qemu_info_t;

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                                  void (*)(qemu_plugin_id_t,
                                                           struct qemu_plugin_tb*));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
extern struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
extern const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*,
                                                   void (*)(unsigned, void*), int, void*);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv);

static struct incore_power_counters* counters;
static bool is_little_endian;

static void count(unsigned cpu, void* counter) {
  (void)cpu;
  __atomic_fetch_add((uint64_t*)counter, 1, __ATOMIC_RELAXED);
}

/* The bytes of an instruction come as they lie in memory. */
static uint32_t load_word(const uint8_t* bytes) {
  const uint32_t first = bytes[0], second = bytes[1], third = bytes[2], fourth = bytes[3];
  return is_little_endian ? fourth << 24 | third << 16 | second << 8 | first
                          : first << 24 | second << 16 | third << 8 | fourth;
}

static void watch_block(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  const size_t num_insns = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < num_insns; ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, i);
    if (qemu_plugin_insn_size(insn) != 4) continue; /* with a prefix, of later processors */
    const int number = incore_power_insn(load_word(qemu_plugin_insn_data(insn)));
    if (number >= 0)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, count, QEMU_PLUGIN_CB_NO_REGS,
                                             &counters->executed[number]);
  }
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  static const char option[] = "counters=";
  if (argc != 1 || strncmp(argv[0], option, sizeof option - 1) != 0) return -1;
  const int file = open(argv[0] + sizeof option - 1, O_RDWR | O_CLOEXEC);
  if (file < 0) {
    perror("incore run: the counters of instructions");
    return -1;
  }
  void* memory = mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) {
    perror("incore run: the counters of instructions");
    return -1;
  }
  counters = memory;
  is_little_endian = strcmp(info->target_name, "ppc64le") == 0;
  __atomic_fetch_add(&counters->programs, 1, __ATOMIC_RELAXED);
  qemu_plugin_register_vcpu_tb_trans_cb(id, watch_block);
  return 0;
}
