// See xcrypt_job.h.
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {

uint32_t ControlFields::value() const {
  return (rounds & 15) | unsigned{digest} << 4 | unsigned{align} << 5 |
         unsigned{keys_from_memory} << 7 | unsigned{intermediate} << 8 | unsigned{decrypt} << 9 |
         key_size << 10;
}

Bytes ControlFields::bytes() const {
  Bytes bytes(16);
  bytes[0] = static_cast<uint8_t>(value());
  bytes[1] = static_cast<uint8_t>(value() >> 8);
  return bytes;
}

const Bytes& opcode_of(Mode mode) {
  static const Bytes* const kOpcodes[] = {&kXcryptEcb, &kXcryptCbc, &kXcryptCtr, &kXcryptCfb,
                                          &kXcryptOfb};
  return *kOpcodes[static_cast<size_t>(mode)];
}

XcryptJob XcryptJob::standard(Mode mode, bool decrypt, const Bytes& key, const Bytes& source,
                              const Bytes& iv) {
  if (key.size() != 16) return from_memory(mode, decrypt, key, source, iv);
  XcryptJob job;
  job.mode = mode;
  job.control.decrypt = decrypt;
  job.key_area = key;
  job.source = source;
  job.iv = iv;
  return job;
}

XcryptJob XcryptJob::from_memory(Mode mode, bool decrypt, const Bytes& key, const Bytes& source,
                                 const Bytes& iv) {
  XcryptJob job;
  job.mode = mode;
  job.control.decrypt = decrypt;
  job.control.keys_from_memory = true;
  job.control.rounds = static_cast<unsigned>(key.size() / 4 + 6);
  job.control.key_size = static_cast<unsigned>(key.size() / 8 - 2);
  const Bytes forward = expand_key(key, job.control.rounds);
  job.key_area =
      decrypt && (mode == Mode::ecb || mode == Mode::cbc) ? inverse_schedule(forward) : forward;
  job.key_area.resize(256);
  job.source = source;
  job.iv = iv;
  return job;
}

void XcryptJob::prepare(Machine& m) const {
  if (mode != Mode::ecb) m.put(iv_at, iv);
  m.put(key_at, key_area);
  m.put(control_at, concat(control.bytes(), Bytes(control.align ? 112 : 0)));
  m.put(source_at, source);
  if (dest_at != source_at) m.memory.map(dest_at, source.size());
  set_registers(m);
  m.processor.load_flags(m.processor.store_flags());
}

void XcryptJob::set_registers(Machine& m) const {
  State& s = m.state();
  s.rax = iv_at;
  s.rbx = key_at;
  s.rcx = blocks();
  s.rdx = control_at;
  s.rsi = source_at;
  s.rdi = dest_at;
}

Step XcryptJob::run(Machine& m, Interrupts* interrupts) const {
  prepare(m);
  return m.issue(opcode_of(mode), interrupts);
}

}  // namespace incore::padlock::test
