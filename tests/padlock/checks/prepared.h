// A REP XCRYPT that no check has anything to say of, ready to be spoiled.
#pragma once

#include "padlock/checks/checked.h"
#include "padlock/machine_units.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {

// The counter block that its vector is begins at 1.
inline XcryptJob job_of(Mode mode, size_t blocks = 4, bool decrypt = false) {
  return XcryptJob::standard(mode, decrypt, random_bytes(16, 1), random_bytes(16 * blocks, 2),
                             concat(random_bytes(14, 3), {0, 1}));
}

struct Prepared {
  explicit Prepared(const XcryptJob& wanted, const char* model = "nano")
      : job(wanted), m(model), checked(m) {
    job.prepare(m);
  }
  void set_control(uint32_t bits) {
    Bytes bytes(16);
    store_le32(bytes.data(), bits);
    m.put(job.control_at, bytes);
  }
  // Round keys of some key of |key_len| bytes, to encrypt.
  void put_schedule(size_t key_len) {
    const XcryptJob with_keys =
        XcryptJob::from_memory(Mode::ecb, false, random_bytes(key_len, 1), random_bytes(16, 2));
    m.put(job.key_at, with_keys.key_area);
  }
  Reports look() { return checked.look(opcode_of(job.mode)); }

  XcryptJob job;
  Machine m;
  Checked checked;
};

inline uint32_t standard_control() {
  return ControlFields().value();
}

}  // namespace incore::padlock::test
