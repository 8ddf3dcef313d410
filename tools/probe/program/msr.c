#include "tools/probe/program/msr.h"

#include <stddef.h>

#include "tools/probe/program/json.h"
#include "tools/probe/program/sys.h"

// What is read: first and last number, and what it is. Reading changes nothing; one that does not
// exist is an error, and left out of the document in ranges.
static const struct {
  uint32_t first, last;
  const char* name;
} kMsrs[] = {
    {0x10, 0x10, "time stamp counter"},
    {0x1B, 0x1B, "APIC base"},
    {0x2A, 0x2A, "power-on configuration"},
    {0x8B, 0x8B, "microcode revision"},
    {0xCD, 0xCD, "bus clock"},
    {0x198, 0x19A, "clock and voltage"},
    {0x1A0, 0x1A0, "features of the platform"},
    {0x1107, 0x1107, "FCR: bit 28 enables ACE, PHE and PMM"},
    {0x110B, 0x110B, "RNG"},
    {0x1257, 0x1257, "Zhaoxin: bits 7 and 8 enable ACE and RNG"},
    {0x1100, 0x12FF, NULL},
    {0x1400, 0x14FF, NULL},
    {0x1600, 0x16FF, NULL},
    {0xC0000080, 0xC0000080, "EFER"},
};

static int device = -1;
static const char* missing = "/dev/cpu/0/msr was not opened";

void msr_prepare(int is_emulated, int writes) {
  if (is_emulated) {
    missing = "the processor is emulated by incore run, which gives programs no MSRs";
    return;
  }
  const long fd = sys_open("/dev/cpu/0/msr", writes ? kOpenReadWrite : kOpenRead, 0);
  if (fd >= 0) {
    device = (int)fd;
    missing = NULL;
  } else if (fd == -kEnoent) {
    missing = "there is no /dev/cpu/0/msr; as root: modprobe msr";
  } else {
    missing = "/dev/cpu/0/msr cannot be opened; root may";
  }
}

const char* msr_missing(void) {
  return missing;
}

static long error_of(long result) {
  return result == 8 ? 0 : result < 0 ? result : -kEio;
}

void msr_read(struct Msr* msr) {
  msr->error = error_of(sys_pread(device, &msr->value, sizeof msr->value, msr->number));
}

void msr_write(struct Msr* msr) {
  msr->error = error_of(sys_pwrite(device, &msr->value, sizeof msr->value, msr->number));
}

void write_msr_value(const struct Msr* msr) {
  if (msr->error != 0) {
    json_number_member("errno", (uint32_t)-msr->error);
  } else {
    json_name("value");
    json_hex64(msr->value);
  }
}

void write_msrs(void) {
  json_name("msrs");
  json_open_object();
  json_bool_member("readable", missing == NULL);
  if (missing != NULL) json_text_member("reason", missing);
  json_name("registers");
  json_open_array();
  for (size_t i = 0; missing == NULL && i < sizeof kMsrs / sizeof kMsrs[0]; ++i) {
    for (uint32_t number = kMsrs[i].first; number <= kMsrs[i].last; ++number) {
      struct Msr msr = {number, 0, 0};
      msr_read(&msr);
      if (msr.error != 0 && kMsrs[i].name == NULL) continue;
      json_open_object();
      json_hex_member("msr", number);
      if (kMsrs[i].name != NULL) json_text_member("name", kMsrs[i].name);
      write_msr_value(&msr);
      json_close();
    }
  }
  json_close();
  json_close();
}
