// One REP XCRYPT as a test wants it: operands, control word and where everything lies. prepare()
// lays it out in a Machine and sets the registers, so that a test says only what is particular to
// it.
#pragma once

#include <cstdint>

#include "padlock/aes_oracle.h"
#include "padlock/machine.h"

namespace incore::padlock::test {

// The control word, PadLock guide chapter 5:
//   11:10 key size   9 decrypt   8 intermediate   7 keys from memory   6 algorithm   5 align   4
//   digest   3:0 rounds
struct ControlFields {
  unsigned rounds = 10;  // 0 to 15; 0 means 16
  bool digest = false, align = false, keys_from_memory = false, intermediate = false,
       decrypt = false;
  unsigned key_size = 0;  // 0: 128, 1: 192, 2: 256 bits

  uint32_t value() const;
  Bytes bytes() const;  // the 16 bytes at ES:[EDX]
};

const Bytes& opcode_of(Mode mode);

struct XcryptJob {
  Mode mode = Mode::ecb;
  ControlFields control;
  Bytes key_area;  // what lies at ES:[EBX]
  Bytes iv = Bytes(16);
  Bytes source;

  uint64_t iv_at = 0x10000, key_at = 0x20000, control_at = 0x30000, source_at = 0x100000,
           dest_at = 0x300000;

  // The standard's number of rounds for |key|. 128-bit keys are made by the hardware, longer ones
  // come with the schedule that the mode and the direction need.
  static XcryptJob standard(Mode mode, bool decrypt, const Bytes& key, const Bytes& source,
                            const Bytes& iv = Bytes(16));
  // The same with the schedule in memory whatever the key size.
  static XcryptJob from_memory(Mode mode, bool decrypt, const Bytes& key, const Bytes& source,
                               const Bytes& iv = Bytes(16));

  uint64_t blocks() const { return source.size() / 16; }

  // Writes the operands, 112 bytes of scratch behind the control word included, maps the
  // destination unless it is the source, sets the registers and clears EFLAGS bit 30.
  void prepare(Machine& m) const;
  void set_registers(Machine& m) const;

  // prepare() and one issue.
  Step run(Machine& m, Interrupts* interrupts = nullptr) const;

  Bytes output(const Machine& m) const { return m.get(dest_at, source.size()); }
};

}  // namespace incore::padlock::test
