// The VeMICry machine: any words as a program, on any configuration, in both byte orders. Every
// stop must be explained, what must hold of the state holds, and steps leave what one run leaves.
#include <algorithm>
#include <cstring>

#include "check.h"
#include "vemicry/disassemble.h"
#include "vemicry/machine.h"

using namespace incore;
using namespace incore::vemicry;

namespace {

constexpr uint64_t kLimit = 3000;
constexpr uint32_t kCodeLen = 0x2000, kDataLen = 0x2000;

// The first bytes choose the machine.
struct Choice {
  uint8_t q, p, r, l, flags, seed;
};

Config config_of(const Choice& choice) {
  constexpr uint32_t kWords[] = {1, 2, 3, 4, 8, 12, 16, 31, 32, 33, 36, 63, 64, 68, 255, 256};
  Config config;
  config.q = choice.q % kMaxRegisters + 1;
  config.p = kWords[choice.p % 16];
  config.r = choice.r % config.p + 1;
  config.l = choice.l % (config.p + 1);
  config.little_endian = (choice.flags & 1) != 0;
  config.load_delay = (choice.flags & 2) != 0;
  config.banked = (choice.flags & 4) != 0;
  config.car_accumulates = (choice.flags & 8) != 0;
  config.junk = choice.flags >= 0xF8;  // it takes long
  config.junk_seed = choice.seed;
  return config;
}

struct Fuzzed {
  Machine machine;
  uint64_t written = 0;

  Fuzzed(const Config& config, const uint8_t* code, size_t len) : machine(config) {
    Image image;
    image.little_endian = config.little_endian;
    image.entry = kTextAddress;
    image.segments.push_back(
        {kTextAddress, {code, code + std::min<size_t>(len, kCodeLen)}, kCodeLen, true, true});
    image.segments.push_back({kDataAddress, {}, kDataLen, false, true});
    FUZZ_CHECK(machine.load(image));
    State& s = machine.state();
    for (uint32_t i = 8; i < 16; ++i) s.gpr[i] = kDataAddress + 4 * i;
    for (uint32_t i = 16; i < 20; ++i) s.gpr[i] = kTextAddress + 16 * i;
    machine.on_read = [](int, uint8_t* out_bytes, size_t part) {
      std::fill_n(out_bytes, part, uint8_t{0x42});
      return static_cast<int64_t>(part);
    };
    machine.on_write = [this](int, const uint8_t* bytes, size_t part) {
      for (size_t i = 0; i < part; ++i) written = written * 31 + bytes[i];
      return static_cast<int64_t>(part);
    };
  }
};

void check(const Machine& machine, const Outcome& outcome) {
  const State& s = machine.state();
  FUZZ_CHECK(s.gpr[0] == 0);
  FUZZ_CHECK(s.l >= 1 && s.l <= s.config.p);
  FUZZ_CHECK((outcome.stop == Stop::trapped) == static_cast<bool>(outcome.trap));
  if (outcome.stop != Stop::trapped) return;
  FUZZ_CHECK(outcome.trap.exception != Exception::syscall || outcome.trap.address == s.gpr[2]);
  FUZZ_CHECK(std::strcmp(exception_name(outcome.trap.exception), "none") != 0);
  FUZZ_CHECK(s.pc == outcome.address);
  FUZZ_CHECK(!disassemble(Word{outcome.word}, outcome.address, s.config).empty());
}

// Execution one by one, with a visitor, must be the same.
Outcome run_in_steps(Machine& machine) {
  Outcome all;
  while (all.executed < kLimit) {
    const uint64_t executed = all.executed;
    all = machine.run(1, [&](const Step& step) { FUZZ_CHECK(step.insn == decode(step.word)); });
    all.executed += executed;
    if (all.stop != Stop::limit) break;
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Choice choice;
  if (size < sizeof choice + 4) return 0;
  std::memcpy(&choice, data, sizeof choice);
  data += sizeof choice;
  size -= sizeof choice;
  const Config config = config_of(choice);
  FUZZ_CHECK(config.mistake().empty());
  Fuzzed once(config, data, size);
  const Outcome a = once.machine.run(kLimit);
  check(once.machine, a);
  if ((choice.flags & 16) != 0) return 0;
  Fuzzed steps(config, data, size);
  const Outcome b = run_in_steps(steps.machine);
  check(steps.machine, b);
  FUZZ_CHECK(a.stop == b.stop && a.executed == b.executed && a.value == b.value);
  FUZZ_CHECK(a.trap.exception == b.trap.exception && a.trap.address == b.trap.address);
  FUZZ_CHECK(a.word == b.word && a.in_delay_slot == b.in_delay_slot);
  FUZZ_CHECK(once.written == steps.written);
  const State &s = once.machine.state(), &t = steps.machine.state();
  FUZZ_CHECK(std::equal(s.gpr, s.gpr + 32, t.gpr) && s.hi == t.hi && s.lo == t.lo);
  FUZZ_CHECK(s.pc == t.pc && s.next_pc == t.next_pc);
  FUZZ_CHECK(s.vcr == t.vcr && s.car == t.car && s.l == t.l);
  FUZZ_CHECK(std::memcmp(s.v, t.v, sizeof s.v) == 0);
  return 0;
}
