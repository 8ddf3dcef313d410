// A random call on every model: the ways to run it agree, it writes what its documents name, and
// stopped anywhere it goes on to the same end. The input's bytes are the choices of
// random_call.cpp.
#include <algorithm>
#include <cstring>

#include "check.h"
#include "padlock/random_call.h"

namespace {

using namespace incore::padlock;
using namespace incore::padlock::test;

class Random final : public Interrupts {
 public:
  Random(incore::test::Choices& choices, uint64_t one_in) : choices_(choices), one_in_(one_in) {}
  bool pending(uint64_t) override { return one_in_ != 0 && choices_.below(one_in_) == 0; }

 private:
  incore::test::Choices& choices_;
  uint64_t one_in_;
};

void require_same(const Run& a, const Run& b) {
  const State &s = a.cpu.state, &t = b.cpu.state;
  FUZZ_CHECK(a.trap.vector == b.trap.vector);
  FUZZ_CHECK(s.rax == t.rax && s.rbx == t.rbx && s.rcx == t.rcx && s.rdx == t.rdx);
  FUZZ_CHECK(s.rsi == t.rsi && s.rdi == t.rdi && s.rip == t.rip);
  FUZZ_CHECK(((s.rflags ^ t.rflags) & ~kEflagsKeyLoaded) == 0);
  FUZZ_CHECK(a.arena.bytes() == b.arena.bytes());
}

// Only bytes that may be written have changed.
void require_kept(const RandomCall& call, const Run& run) {
  constexpr size_t kStretch = 256;
  const Bytes& bytes = run.arena.bytes();
  for (size_t at = 0; at < Arena::kLen; at += kStretch) {
    if (std::memcmp(&bytes[at], &call.memory[at], kStretch) == 0) continue;
    for (size_t i = at; i < at + kStretch; ++i)
      FUZZ_CHECK(bytes[i] == call.memory[i] || (call.access[i] & kCanWrite) != 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  incore::test::FuzzedChoices choices(data, len);
  RandomCall call(choices);
  if (choices.chance(4)) {  // wild operands in memory that may be accessed all over
    call.valid = call.restartable = false;
    std::fill(call.access.begin(), call.access.end(), uint8_t{kCanRead | kCanWrite});
  }
  Run fast(call), slow(call);
  slow.arena.direct = false;
  Random never(choices, 0);
  const Outcome outcome = fast.issue();
  FUZZ_CHECK(slow.issue(&never) == outcome);
  require_same(fast, slow);
  require_kept(call, fast);
  FUZZ_CHECK(!call.valid || outcome == Outcome::done);

  Run stopped(call);
  for (int i = 0; i < 4 && !call.fault_points.empty(); ++i)
    stopped.arena.faults.push_back({choices.pick(call.fault_points), choices.chance(2)});
  Random sometimes(choices, 3);
  Outcome last = Outcome::interrupted;
  for (int i = 0; i < 2000 && last == Outcome::interrupted; ++i) {
    last = stopped.issue(&sometimes);
    if (last != Outcome::trapped || stopped.trap.vector != Vector::page_fault) continue;
    // The first byte that cannot be accessed; mended if it is one of ours.
    const size_t at = stopped.arena.position(stopped.trap.address());
    const auto is_it = [at](const Fault& fault) { return fault.position == at; };
    if (std::erase_if(stopped.arena.faults, is_it) != 0) last = Outcome::interrupted;
  }
  require_kept(call, stopped);
  if (call.valid && call.restartable) {
    FUZZ_CHECK(last == Outcome::done);
    require_same(stopped, fast);
  }
  return 0;
}
