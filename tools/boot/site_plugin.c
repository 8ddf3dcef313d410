/* A plugin for QEMU (docs/devel/tcg-plugins, API version 1): says when a CPU of the guest is about
 * to execute a PadLock instruction, where RDMSR and WRMSR stand, and when one of them may be about
 * a register of PadLock. Registers it cannot see, but the numbers of MSRs are constants in code.
 * Its argument is channel=FD, one end of a socket; see site_message.h.
 *
 * The calls of QEMU are declared here, because Debian's packages have no header for them. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/boot/site_message.h"

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;   /* a block of translated code */
struct qemu_plugin_insn; /* an instruction in it */
enum { QEMU_PLUGIN_CB_NO_REGS = 0 };

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                                  void (*)(qemu_plugin_id_t,
                                                           struct qemu_plugin_tb*));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
extern struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
extern const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*,
                                                   void (*)(unsigned, void*), int, void*);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv);

static int channel = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the channel, and of |told| */

/* Sends, and waits until the guest may go on. */
static void tell(enum incore_site_kind kind, unsigned cpu, uint64_t address) {
  const struct incore_site_message message = {kind, cpu, address};
  char answer;
  if (write(channel, &message, sizeof message) == (ssize_t)sizeof message)
    while (read(channel, &answer, 1) < 0) continue; /* a signal */
}

static void tell_locked(enum incore_site_kind kind, unsigned cpu, void* address) {
  pthread_mutex_lock(&lock);
  tell(kind, cpu, (uint64_t)(uintptr_t)address);
  pthread_mutex_unlock(&lock);
}

static void padlock_comes(unsigned cpu, void* address) {
  tell_locked(INCORE_SITE_PADLOCK, cpu, address);
}

static void msr_number_comes(unsigned cpu, void* address) {
  tell_locked(INCORE_SITE_MSR_NUMBER, cpu, address);
}

/* Each place of an RDMSR or WRMSR is told of once; a full table tells again. */
static void tell_once(enum incore_site_kind kind, uint64_t address) {
  enum { kNumTold = 4096, kTries = 64 };
  static uint64_t told[kNumTold];
  pthread_mutex_lock(&lock);
  size_t at = (size_t)(address * 0x9E3779B97F4A7C15u >> 52);
  unsigned tries = 0;
  while (told[at] != 0 && told[at] != address && ++tries < kTries) at = (at + 1) % kNumTold;
  const bool is_new = told[at] != address;
  told[at] = address;
  if (is_new) tell(kind, 0, address);
  pthread_mutex_unlock(&lock);
}

static bool is_prefix(uint8_t byte) {
  switch (byte) {
    case 0x26:
    case 0x2E:
    case 0x36:
    case 0x3E:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xF0:
    case 0xF2:
    case 0xF3:
      return true;
    default:
      return (byte & 0xF0) == 0x40; /* REX; in 32-bit code no opcode of ours follows INC or DEC */
  }
}

/* The second byte of a two-byte opcode, or 0. QEMU knows no PadLock instruction, so that their
 * bytes may end there. */
static unsigned second_opcode(const struct qemu_plugin_insn* insn) {
  const uint8_t* bytes = qemu_plugin_insn_data(insn);
  const size_t len = qemu_plugin_insn_size(insn);
  size_t at = 0;
  while (at < len && is_prefix(bytes[at])) ++at;
  return at + 1 < len && bytes[at] == 0x0F ? bytes[at + 1] : 0;
}

/* A constant of 32 bits stands last in its instruction, such as MOV ECX, 110Bh. */
static bool has_msr_number(const struct qemu_plugin_insn* insn) {
  const uint8_t* bytes = qemu_plugin_insn_data(insn);
  const size_t len = qemu_plugin_insn_size(insn);
  if (len < 5) return false;
  const uint8_t* const last = bytes + len - 4;
  const unsigned number = last[0] | (unsigned)last[1] << 8;
  return last[2] == 0 && last[3] == 0 && (number == 0x1107 || number == 0x110B || number == 0x1257);
}

static void look_at_block(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  const size_t num_insns = qemu_plugin_tb_n_insns(block);
  bool number_came = false;
  for (size_t i = 0; i < num_insns; ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, i);
    const uint64_t address = qemu_plugin_insn_vaddr(insn);
    void* const data = (void*)(uintptr_t)address;
    const unsigned opcode = second_opcode(insn);
    if (opcode == 0xA6 || opcode == 0xA7) {
      qemu_plugin_register_vcpu_insn_exec_cb(insn, padlock_comes, QEMU_PLUGIN_CB_NO_REGS, data);
    } else if (opcode == 0x30 || opcode == 0x32) { /* WRMSR, RDMSR */
      tell_once(number_came ? INCORE_SITE_OWN_MSR : INCORE_SITE_MSR, address);
    } else if (has_msr_number(insn)) {
      number_came = true;
      qemu_plugin_register_vcpu_insn_exec_cb(insn, msr_number_comes, QEMU_PLUGIN_CB_NO_REGS, data);
    }
  }
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
  (void)info;
  static const char option[] = "channel=";
  if (argc != 1 || strncmp(argv[0], option, sizeof option - 1) != 0) return -1;
  channel = atoi(argv[0] + sizeof option - 1);
  qemu_plugin_register_vcpu_tb_trans_cb(id, look_at_block);
  return 0;
}
