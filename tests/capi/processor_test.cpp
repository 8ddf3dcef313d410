// incore/processor.h: the embedded processor does what the processor does, through the machine's
// functions; the machine's exceptions come back as they were; key, MSRs, CPUID, time and checks.
#include "incore/processor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "padlock/model.h"
#include "padlock/random_call.h"
#include "padlock/vectors.h"
#include "support/property.h"

namespace incore::test {
namespace {

using padlock::test::Arena;
using padlock::test::kSpCbc128;
using padlock::test::kSpIv;
using padlock::test::kSpKey128;
using padlock::test::kSpPlain;
using padlock::test::RandomCall;

std::unique_ptr<incore_processor> make(const char* model) {
  auto made = std::make_unique<incore_processor>();
  char reason[256] = "";
  EXPECT_EQ(incore_processor_init(made.get(), model, 1, reason, sizeof reason), INCORE_OK)
      << reason;
  return made;
}

// A machine around the memory of the processor's own tests.
struct ArenaMachine {
  explicit ArenaMachine(Arena& of) : arena(of) {}

  Arena& arena;
  uint64_t interrupt_at = ~uint64_t{0};
  incore_processor_machine functions = {.context = this,
                                        .read = read,
                                        .write = write,
                                        .probe_write = probe_write,
                                        .readable = readable,
                                        .writable = writable,
                                        .interrupt = nullptr};

  static Arena& of(void* context) { return static_cast<ArenaMachine*>(context)->arena; }
  static int tell(const padlock::Trap& trap, incore_processor_trap* out) {
    if (!trap) return 0;
    *out = {static_cast<int>(trap.vector), trap.error_code, trap.address(), "the arena says no"};
    return 1;
  }
  static int read(void* context, uint64_t address, void* out, size_t len,
                  incore_processor_trap* out_trap) {
    return tell(of(context).read(address, out, len), out_trap);
  }
  static int write(void* context, uint64_t address, const void* in, size_t len,
                   incore_processor_trap* out_trap) {
    return tell(of(context).write(address, in, len), out_trap);
  }
  static int probe_write(void* context, uint64_t address, size_t len,
                         incore_processor_trap* out_trap) {
    return tell(of(context).probe_write(address, len), out_trap);
  }
  static const uint8_t* readable(void* context, uint64_t address, size_t len) {
    return of(context).readable(address, len);
  }
  static uint8_t* writable(void* context, uint64_t address, size_t len) {
    return of(context).writable(address, len);
  }
  static int interrupt(void* context, uint64_t done) {
    return done >= static_cast<ArenaMachine*>(context)->interrupt_at ? 1 : 0;
  }
};

incore_processor_state state_of(const padlock::State& s) {
  incore_processor_state out = {};
  out.rax = s.rax, out.rbx = s.rbx, out.rcx = s.rcx;
  out.rdx = s.rdx, out.rsi = s.rsi, out.rdi = s.rdi;
  out.rip = s.rip, out.rflags = s.rflags, out.cr0 = s.cr0, out.cr4 = s.cr4, out.cpl = s.cpl;
  out.code_bits = 16u << static_cast<unsigned>(s.code_size);
  const padlock::Segment none = padlock::Segment::none();
  out.es = {s.es.base, s.es.limit, s.es.first, 1, s.es.writable ? 1 : 0};
  if (s.es.first == none.first && s.es.limit == none.limit && !s.es.writable) out.es.readable = 0;
  return out;
}

using Registers = std::array<uint64_t, 8>;

struct Stop final : padlock::Interrupts {
  uint64_t at = ~uint64_t{0};
  bool pending(uint64_t done) override { return done >= at; }
};

TEST(capi_processor, does_what_the_processor_does) {
  unsigned num_compared = 0, num_traps = 0, num_interrupts = 0;
  for_each_seed(6000, [&](uint64_t seed) {
    SeededChoices choices(seed);
    RandomCall call(choices);
    call.loaded_keys.reset();
    // Random bits differ; their instructions have tests of their own below.
    if (call.insn->unit == padlock::Unit::rng || call.rng_msr != padlock::kRngEnable) return;
    if (call.model != padlock::find_model(call.model->name)) return;  // a variant without a name
    Stop stop;
    if (choices.chance(3)) stop.at = 1 + choices.below(5);
    const bool may_stop = stop.at != ~uint64_t{0};

    padlock::test::Run expected(call);
    const padlock::Outcome outcome = expected.issue(may_stop ? &stop : nullptr);

    const auto processor = make(call.model->name);
    padlock::test::Run room(call);  // for its memory
    ArenaMachine machine(room.arena);
    machine.interrupt_at = stop.at;
    if (may_stop) machine.functions.interrupt = ArenaMachine::interrupt;
    incore_processor_state state = state_of(call.state);
    incore_processor_result result = {};
    ASSERT_EQ(incore_processor_execute(processor.get(), &state, call.code.data(), call.code.size(),
                                       &machine.functions, &result),
              INCORE_OK);

    const padlock::State& s = expected.cpu.state;
    ASSERT_EQ(static_cast<int>(result.outcome), static_cast<int>(outcome)) << call.description();
    EXPECT_EQ(result.mnemonic, call.insn->mnemonic);
    EXPECT_EQ(result.length, call.code.size());
    const Registers got = {state.rax, state.rbx, state.rcx, state.rdx,
                           state.rsi, state.rdi, state.rip, state.rflags};
    EXPECT_EQ(got, (Registers{s.rax, s.rbx, s.rcx, s.rdx, s.rsi, s.rdi, s.rip, s.rflags}))
        << call.description();
    EXPECT_EQ(room.arena.bytes(), expected.arena.bytes()) << call.description();
    if (outcome == padlock::Outcome::trapped) {
      EXPECT_EQ(result.trap.vector, static_cast<int>(expected.trap.vector));
      EXPECT_EQ(result.trap.address, expected.trap.address()) << call.description();
      EXPECT_EQ(result.trap.error_code, expected.trap.error_code);
      ++num_traps;
    } else {
      EXPECT_EQ(result.trap.vector, INCORE_PROCESSOR_NO_TRAP);
    }
    EXPECT_EQ(result.key_loaded, expected.cpu.num_key_loads() != 0 ? 1 : 0);
    num_interrupts += outcome == padlock::Outcome::interrupted ? 1 : 0;
    ++num_compared;
  });
  EXPECT_GT(num_compared, 2000u);
  EXPECT_GT(num_traps, 100u);
  EXPECT_GT(num_interrupts, 50u);
}

// A flat machine of 64 KiB from address 0 on; some addresses raise an exception of the machine's.
class FlatMachine {
 public:
  static constexpr size_t kLen = 0x10000;

  std::vector<uint8_t> bytes = std::vector<uint8_t>(kLen);
  incore_processor_state state = {};
  incore_processor_result result = {};
  uint64_t bad_from = kLen;                         // this address and those behind it
  incore_processor_trap bad = {14, 7, 0, nullptr};  // what an access there raises
  uint64_t interrupt_at = ~uint64_t{0};

  FlatMachine() {
    state.cr4 = 1u << 9;
    state.cpl = 3;
    state.code_bits = 32;
    state.es = {0, kLen - 1, 0, 1, 1};
  }

  void put(uint64_t at, const Bytes& data) {
    std::copy(data.begin(), data.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
  }
  Bytes get(uint64_t at, size_t len) const {
    const auto from = bytes.begin() + static_cast<ptrdiff_t>(at);
    return Bytes(from, from + static_cast<ptrdiff_t>(len));
  }

  // Operands of REP XCRYPTCBC with SP 800-38A's key and data: control word, key, vector, source and
  // destination lie at these addresses.
  void set_up_cbc() {
    put(0x100, from_hex("0a000000 00000000 00000000 00000000"));
    put(0x200, kSpKey128);
    put(0x300, kSpIv);
    put(0x400, kSpPlain);
    state.rax = 0x300, state.rbx = 0x200, state.rcx = 4, state.rdx = 0x100;
    state.rsi = 0x400, state.rdi = 0x800;
  }

  incore_status run(incore_processor* processor, const Bytes& code) {
    return incore_processor_execute(processor, &state, code.data(), code.size(), &functions(),
                                    &result);
  }
  const incore_processor_machine& functions() {
    functions_ = {.context = this,
                  .read = read,
                  .write = write,
                  .probe_write = probe,
                  .readable = nullptr,
                  .writable = nullptr,
                  .interrupt = interrupt};
    return functions_;
  }

 private:
  static int check(void* context, uint64_t address, size_t len, incore_processor_trap* out) {
    FlatMachine& m = *static_cast<FlatMachine*>(context);
    if (address + len <= m.bad_from) return 0;
    *out = m.bad;
    out->address = std::max(address, m.bad_from);
    return 1;
  }
  static int read(void* context, uint64_t address, void* out, size_t len,
                  incore_processor_trap* out_trap) {
    if (check(context, address, len, out_trap) != 0) return 1;
    std::memcpy(out, static_cast<FlatMachine*>(context)->bytes.data() + address, len);
    return 0;
  }
  static int write(void* context, uint64_t address, const void* in, size_t len,
                   incore_processor_trap* out_trap) {
    if (check(context, address, len, out_trap) != 0) return 1;
    std::memcpy(static_cast<FlatMachine*>(context)->bytes.data() + address, in, len);
    return 0;
  }
  static int probe(void* context, uint64_t address, size_t len, incore_processor_trap* out_trap) {
    return check(context, address, len, out_trap);
  }
  static int interrupt(void* context, uint64_t done) {
    return done >= static_cast<FlatMachine*>(context)->interrupt_at ? 1 : 0;
  }

  incore_processor_machine functions_ = {};
};

const Bytes kCbc = from_hex("f30fa7d0");
const Bytes kXstore = from_hex("0fa7c0");
const Bytes kRepXstore = from_hex("f30fa7c0");

TEST(capi_processor, encrypts_as_in_sp_800_38a) {
  const auto processor = make("nano");
  FlatMachine m;
  m.set_up_cbc();
  ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
  EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_DONE);
  EXPECT_EQ(m.get(0x800, 64), kSpCbc128);
  EXPECT_STREQ(m.result.mnemonic, "xcrypt-cbc");
  EXPECT_EQ(m.result.bytes, 64u);
  EXPECT_GT(m.result.clocks, 0u);
  EXPECT_EQ(m.result.key_loaded, 1);
  EXPECT_EQ(m.state.rcx, 0u);
  EXPECT_EQ(m.state.rip, 4u);
  EXPECT_NE(m.state.rflags & INCORE_PROCESSOR_KEY_LOADED, 0u);
}

// The machine's exception ends the instruction at that block, whatever its number is, and going on
// gives the same result.
TEST(capi_processor, exceptions_of_the_machine_come_back_as_they_were) {
  for (const int vector : {14, 12, 18, 32}) {
    const auto processor = make("esther");
    FlatMachine m;
    m.set_up_cbc();
    m.bad_from = 0x820;  // the third block of the destination
    m.bad = {vector, 0x55, 0, "not now"};
    ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
    EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_TRAPPED);
    EXPECT_EQ(m.result.trap.vector, vector);
    EXPECT_EQ(m.result.trap.error_code, 0x55u);
    EXPECT_EQ(m.result.trap.address, 0x820u);
    EXPECT_STREQ(m.result.trap.reason, "not now");
    EXPECT_EQ(m.state.rcx, 2u);
    EXPECT_EQ(m.state.rip, 0u);
    EXPECT_EQ(m.result.bytes, 32u);
    EXPECT_EQ(m.state.rflags & INCORE_PROCESSOR_KEY_LOADED, 0u);
    m.bad_from = FlatMachine::kLen;
    ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
    EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_DONE);
    EXPECT_EQ(m.get(0x800, 64), kSpCbc128);
  }
}

TEST(capi_processor, interrupts_stop_it_at_a_block) {
  const auto processor = make("esther");
  FlatMachine m;
  m.set_up_cbc();
  m.interrupt_at = 1;
  for (const uint64_t left : {3u, 2u, 1u}) {
    ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
    EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_INTERRUPTED);
    EXPECT_EQ(m.state.rcx, left);
    EXPECT_EQ(m.state.rip, 0u);
  }
  ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
  EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_DONE);
  EXPECT_EQ(m.get(0x800, 64), kSpCbc128);
}

// With EFLAGS bit 30 the old key is used, without it, or when it is forgotten, the new one.
TEST(capi_processor, the_machine_says_when_a_key_is_loaded_again) {
  enum class Way { keep, clear, forget, reset, init };
  for (const Way way : {Way::keep, Way::clear, Way::forget, Way::reset, Way::init}) {
    const auto processor = make("esther9");
    FlatMachine m;
    m.set_up_cbc();
    ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
    const uint64_t flags = m.state.rflags;
    m.set_up_cbc();
    m.put(0x200, Bytes(16, 0));  // another key
    m.state.rflags = way == Way::clear ? 0 : flags;
    if (way == Way::forget) incore_processor_forget_key(processor.get());
    if (way == Way::reset) incore_processor_reset(processor.get());
    if (way == Way::init) incore_processor_init_signal(processor.get());
    ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
    EXPECT_EQ(m.result.key_loaded, way == Way::keep ? 0 : 1);
    EXPECT_EQ(m.get(0x800, 64) == kSpCbc128, way == Way::keep);
  }
}

TEST(capi_processor, other_bytes_are_not_touched) {
  const auto processor = make("nano");
  FlatMachine m;
  m.set_up_cbc();
  const incore_processor_state before = m.state;
  for (const char* const code : {"90", "0f05", "0fa2", "f390", "0f", "f3", "0fa7", ""}) {
    ASSERT_EQ(m.run(processor.get(), from_hex(code)), INCORE_OK) << code;
    EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_OTHER) << code;
    EXPECT_EQ(m.result.mnemonic, nullptr);
    EXPECT_EQ(m.state.rip, before.rip);
    EXPECT_EQ(m.state.rcx, before.rcx);
  }
  ASSERT_EQ(m.run(processor.get(), Bytes(15, 0x66)), INCORE_OK);
  EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_TRAPPED);
  EXPECT_EQ(m.result.trap.vector, 13);
}

TEST(capi_processor, units_follow_cr4_and_msrs) {
  const auto processor = make("esther");
  FlatMachine m;
  m.set_up_cbc();
  m.state.cr4 = 0;
  ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
  EXPECT_EQ(m.result.trap.vector, 6);
  m.state.cr4 = 1u << 9;

  uint64_t fcr = 0;
  ASSERT_EQ(incore_processor_read_msr(processor.get(), 0x1107, &fcr), INCORE_OK);
  EXPECT_EQ(fcr, 1u << 28);
  ASSERT_EQ(incore_processor_write_msr(processor.get(), 0x1107, 0), INCORE_OK);
  uint32_t registers[4];
  ASSERT_EQ(incore_processor_cpuid(processor.get(), 0xC0000001, 0, registers), INCORE_OK);
  EXPECT_EQ(registers[3] & 0xC0, 0x40u);
  ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
  EXPECT_EQ(m.result.trap.vector, 6);
  EXPECT_EQ(m.result.trap.address, 0u);
  incore_processor_reset(processor.get());
  ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
  EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_DONE);

  EXPECT_EQ(incore_processor_read_msr(processor.get(), 0x10, &fcr), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_processor_write_msr(processor.get(), 0x10, 0), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_processor_write_msr(processor.get(), 0x1257, 0), INCORE_ERROR_UNSUPPORTED);
  const auto zhaoxin = make("zhaoxin");
  EXPECT_EQ(incore_processor_write_msr(zhaoxin.get(), 0x1257, 0), INCORE_OK);
  EXPECT_EQ(incore_processor_write_msr(zhaoxin.get(), 0x1107, 0), INCORE_ERROR_UNSUPPORTED);
}

TEST(capi_processor, identity_is_the_model_s) {
  const auto processor = make("esther,stepping=9");
  uint32_t r[4];
  ASSERT_EQ(incore_processor_cpuid(processor.get(), 0, 0, r), INCORE_OK);
  char vendor[13] = "";
  std::memcpy(vendor, &r[1], 4), std::memcpy(vendor + 4, &r[3], 4),
      std::memcpy(vendor + 8, &r[2], 4);
  EXPECT_STREQ(vendor, "CentaurHauls");
  ASSERT_EQ(incore_processor_cpuid(processor.get(), 1, 0, r), INCORE_OK);
  EXPECT_EQ(r[0] & 0xF, 9u);
  EXPECT_STREQ(incore_processor_name(processor.get()), "esther");
  EXPECT_EQ(incore_processor_clock_mhz(processor.get()), 1600u);
}

// The generator delivers nothing until time passes, then eight bytes; the seed tells which.
TEST(capi_processor, random_bits_come_with_time) {
  Bytes first;
  for (int i = 0; i < 2; ++i) {
    const auto processor = make("esther");
    FlatMachine m;
    m.state.rdi = 0x100;
    ASSERT_EQ(m.run(processor.get(), kXstore), INCORE_OK);
    EXPECT_EQ(m.state.rax & 0x1F, 0u);
    const uint64_t before = incore_processor_clocks(processor.get());
    incore_processor_pass(processor.get(), 1u << 20);
    EXPECT_EQ(incore_processor_clocks(processor.get()), before + (1u << 20));
    m.state.rdi = 0x100;
    ASSERT_EQ(m.run(processor.get(), kXstore), INCORE_OK);
    EXPECT_EQ(m.state.rax & 0x1F, 8u);
    EXPECT_EQ(m.result.bytes, 8u);
    const Bytes bits = m.get(0x100, 8);
    EXPECT_NE(bits, Bytes(8, 0));
    if (i == 0) first = bits;
    EXPECT_EQ(bits, first);
  }
}

TEST(capi_processor, rep_xstore_waits_in_the_model_s_time_and_can_be_interrupted) {
  const auto processor = make("esther");
  FlatMachine m;
  m.state.rdi = 0x100, m.state.rcx = 64;
  m.interrupt_at = 16;
  ASSERT_EQ(m.run(processor.get(), kRepXstore), INCORE_OK);
  EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_INTERRUPTED);
  EXPECT_EQ(m.state.rcx, 48u);
  m.interrupt_at = ~uint64_t{0};
  ASSERT_EQ(m.run(processor.get(), kRepXstore), INCORE_OK);
  EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_DONE);
  EXPECT_EQ(m.state.rcx, 0u);
  EXPECT_GT(m.result.clocks, 1000u);
}

TEST(capi_processor, a_dead_generator_gives_the_machine_back) {
  const auto processor = make("nehemiah");
  // A string filter that lets no bit pass.
  ASSERT_EQ(incore_processor_write_msr(processor.get(), 0x110B, 0x4040), INCORE_OK);
  FlatMachine m;
  m.state.rdi = 0x100, m.state.rcx = 8;
  ASSERT_EQ(m.run(processor.get(), kRepXstore), INCORE_OK);
  EXPECT_EQ(m.result.outcome, INCORE_PROCESSOR_INTERRUPTED);
  EXPECT_EQ(m.state.rcx, 8u);
}

// clause: PLK-EXC-019
TEST(capi_processor, cr0_stops_every_instruction_that_could_start) {
  constexpr uint64_t kEm = 1u << 2, kTs = 1u << 3;
  for (const char* const code : {"0fa7c0", "f30fa7c0", "f30fa7c8", "f30fa7d0", "f30fa7d8",
                                 "f30fa7e0", "f30fa7e8", "f30fa6c0", "f30fa6c8", "f30fa6d0"}) {
    const auto processor = make("nano");
    FlatMachine m;
    m.set_up_cbc();
    m.state.cr0 = kTs;
    ASSERT_EQ(m.run(processor.get(), from_hex(code)), INCORE_OK);
    EXPECT_EQ(m.result.trap.vector, 7) << code;
    m.state.cr0 = kTs | kEm;
    ASSERT_EQ(m.run(processor.get(), from_hex(code)), INCORE_OK);
    EXPECT_EQ(m.result.trap.vector, 6) << code;
    m.state.cr0 = kEm;
    ASSERT_EQ(m.run(processor.get(), from_hex(code)), INCORE_OK);
    EXPECT_EQ(m.result.trap.vector, 6) << code;
    m.state.cr0 = kTs, m.state.cr4 = 0;
    ASSERT_EQ(m.run(processor.get(), from_hex(code)), INCORE_OK);
    EXPECT_EQ(m.result.trap.vector, 6) << code;
    EXPECT_EQ(m.state.rcx, 4u) << code;
  }
}

// Processors do not know of each other.
TEST(capi_processor, each_has_a_key_of_its_own) {
  const auto one = make("esther9"), other = make("esther9");
  FlatMachine m, n;
  m.set_up_cbc();
  n.set_up_cbc();
  n.put(0x200, Bytes(16, 1));
  ASSERT_EQ(m.run(one.get(), kCbc), INCORE_OK);
  ASSERT_EQ(n.run(other.get(), kCbc), INCORE_OK);
  m.set_up_cbc();
  ASSERT_EQ(m.run(one.get(), kCbc), INCORE_OK);
  EXPECT_EQ(m.result.key_loaded, 0);
  EXPECT_EQ(m.get(0x800, 64), kSpCbc128);
  EXPECT_NE(n.get(0x800, 64), kSpCbc128);
}

struct Found {
  std::vector<std::string> checks, clauses;
  static void add(void* context, const incore_processor_finding* finding) {
    static_cast<Found*>(context)->checks.emplace_back(finding->check);
    static_cast<Found*>(context)->clauses.emplace_back(finding->clause);
    EXPECT_NE(finding->what, nullptr);
    EXPECT_NE(finding->remedy, nullptr);
    EXPECT_NE(finding->operand, nullptr);
  }
};

class Checked {
 public:
  Checked() { incore_processor_checker_init(checker_.get()); }
  ~Checked() { incore_processor_checker_wipe(checker_.get()); }
  Checked(const Checked&) = delete;

  Found before(incore_processor* processor, FlatMachine& m, const Bytes& code) {
    Found found;
    EXPECT_EQ(incore_processor_check(processor, checker_.get(), &m.state, code.data(), code.size(),
                                     &m.functions(), Found::add, &found),
              INCORE_OK);
    return found;
  }
  Found before_wrmsr(incore_processor* processor, uint32_t msr, uint64_t value) {
    Found found;
    EXPECT_EQ(incore_processor_check_msr(processor, checker_.get(), msr, value, Found::add, &found),
              INCORE_OK);
    return found;
  }

 private:
  std::unique_ptr<incore_processor_checker> checker_ = std::make_unique<incore_processor_checker>();
};

TEST(capi_processor, checks_find_a_stale_key_and_bad_settings) {
  const auto processor = make("esther9");
  Checked checked;
  FlatMachine m;
  m.set_up_cbc();
  EXPECT_TRUE(checked.before(processor.get(), m, kCbc).checks.empty());
  ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
  const uint64_t flags = m.state.rflags;

  m.set_up_cbc();
  m.put(0x200, Bytes(16, 3));
  m.state.rflags = 0;
  const Found after_reload = checked.before(processor.get(), m, kCbc);
  EXPECT_EQ(std::count(after_reload.checks.begin(), after_reload.checks.end(), "stale-key"), 0);
  m.set_up_cbc();
  ASSERT_EQ(m.run(processor.get(), kCbc), INCORE_OK);
  m.set_up_cbc();
  m.put(0x200, Bytes(16, 4));
  m.state.rflags = flags;
  const incore_processor_state before = m.state;
  const Found stale = checked.before(processor.get(), m, kCbc);
  EXPECT_EQ(std::count(stale.checks.begin(), stale.checks.end(), "stale-key"), 1);
  EXPECT_EQ(m.state.rcx, before.rcx);
  EXPECT_EQ(m.get(0x800, 64), kSpCbc128);  // of the run before: nothing was executed

  EXPECT_TRUE(checked.before_wrmsr(processor.get(), 0x1107, 1u << 28).checks.empty());
  EXPECT_FALSE(checked.before_wrmsr(processor.get(), 0x110B, ~uint64_t{0}).checks.empty());
}

using Saved = std::array<uint8_t, INCORE_PROCESSOR_SAVED_LEN>;

Saved save(const incore_processor* processor) {
  Saved saved = {};
  EXPECT_EQ(incore_processor_save(processor, saved.data()), INCORE_OK);
  return saved;
}

// Nano and later have none.
bool has_rng_msr(const incore_processor* processor) {
  return padlock::find_model(incore_processor_name(processor))->rng_msr;
}

// A processor whose hidden state is nowhere as after RESET, and the machine with it: a key was
// loaded that memory no longer holds, and random bits were made and partly taken.
std::unique_ptr<incore_processor> in_use(const char* model, FlatMachine* m) {
  auto processor = make(model);
  if (has_rng_msr(processor.get())) {
    EXPECT_EQ(incore_processor_write_msr(processor.get(), 0x110B, 0x440), INCORE_OK);
  }
  m->state.rdi = 0x100, m->state.rcx = 40;
  EXPECT_EQ(m->run(processor.get(), kRepXstore), INCORE_OK);
  incore_processor_pass(processor.get(), 777);
  m->set_up_cbc();
  EXPECT_EQ(m->run(processor.get(), kCbc), INCORE_OK);
  m->set_up_cbc();
  m->put(0x200, Bytes(16, 0xA5));
  return processor;
}

// What it does from there on.
std::vector<Bytes> use(incore_processor* processor, FlatMachine m) {
  std::vector<Bytes> out;
  EXPECT_EQ(m.run(processor, kCbc), INCORE_OK);
  EXPECT_EQ(m.result.key_loaded, 0);
  out.push_back(m.get(0x800, 64));
  uint64_t msr = 0;
  if (has_rng_msr(processor)) {
    EXPECT_EQ(incore_processor_read_msr(processor, 0x110B, &msr), INCORE_OK);
  }
  out.push_back({static_cast<uint8_t>(msr), static_cast<uint8_t>(msr >> 8)});
  m.state.rdi = 0x100, m.state.rcx = 200, m.state.rdx = 0;
  EXPECT_EQ(m.run(processor, kRepXstore), INCORE_OK);
  out.push_back(m.get(0x100, 200));
  out.push_back(Bytes(1, static_cast<uint8_t>(incore_processor_clocks(processor))));
  return out;
}

TEST(capi_processor, goes_on_in_another_from_what_was_saved) {
  for (const char* model : {"nehemiah", "esther9", "nano", "zhaoxin"}) {
    FlatMachine m;
    const auto one = in_use(model, &m);
    const Saved saved = save(one.get());
    const auto other = make(model);
    incore_processor_pass(other.get(), 12345);
    ASSERT_EQ(incore_processor_load(other.get(), saved.data()), INCORE_OK) << model;
    EXPECT_EQ(save(other.get()), saved) << model;
    const std::vector<Bytes> went_on = use(one.get(), m);
    EXPECT_EQ(went_on[0], kSpCbc128) << "the key that was loaded";
    EXPECT_EQ(use(other.get(), m), went_on) << model;

    // A processor that goes back, too.
    ASSERT_EQ(incore_processor_load(one.get(), saved.data()), INCORE_OK);
    EXPECT_EQ(use(one.get(), m), went_on) << model;

    // A copy with noise of its own has all but the noise.
    ASSERT_EQ(incore_processor_load(other.get(), saved.data()), INCORE_OK);
    incore_processor_reseed(other.get(), 2);
    const std::vector<Bytes> copy = use(other.get(), m);
    EXPECT_EQ(copy[0], went_on[0]);
    for (size_t i = 0; i + 8 <= copy[2].size(); i += 8)
      EXPECT_EQ(went_on[2].end(), std::search(went_on[2].begin(), went_on[2].end(),
                                              copy[2].begin() + i, copy[2].begin() + i + 8));
  }
}

TEST(capi_processor, takes_nothing_that_cannot_have_been_saved) {
  FlatMachine m;
  const auto processor = in_use("nano", &m);
  const Saved saved = save(processor.get());
  for (const char* model : {"esther", "zhaoxin"})
    EXPECT_EQ(incore_processor_load(make(model).get(), saved.data()), INCORE_ERROR_RANGE) << model;

  // Any byte may be wrong. What is taken must not make the processor leave its memory, which the
  // sanitizers watch.
  unsigned num_refused = 0;
  for (size_t i = 0; i < saved.size(); ++i) {
    Saved wrong = saved;
    wrong[i] ^= 0xFF;
    const auto fresh = make("nano");
    const Saved before = save(fresh.get());
    if (incore_processor_load(fresh.get(), wrong.data()) == INCORE_OK) {
      FlatMachine n = m;
      EXPECT_EQ(n.run(fresh.get(), kCbc), INCORE_OK);
      n.state.rdi = 0x100, n.state.rcx = 200;
      n.interrupt_at = 100;
      EXPECT_EQ(n.run(fresh.get(), kRepXstore), INCORE_OK);
    } else {
      ++num_refused;
      EXPECT_EQ(save(fresh.get()), before) << i;
    }
  }
  EXPECT_GT(num_refused, 40u);
}

TEST(capi_processor, arguments_are_checked) {
  char reason[64] = "";
  incore_processor p = {};
  EXPECT_EQ(incore_processor_init(nullptr, "nano", 0, reason, sizeof reason), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_processor_init(&p, nullptr, 0, reason, sizeof reason), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_processor_init(&p, "c8", 0, reason, sizeof reason), INCORE_ERROR_MODEL);
  EXPECT_NE(std::string(reason).find("c8"), std::string::npos);
  EXPECT_EQ(incore_processor_init(&p, "c8", 0, nullptr, 0), INCORE_ERROR_MODEL);
  FlatMachine m;
  m.set_up_cbc();
  EXPECT_EQ(m.run(&p, kCbc), INCORE_ERROR_STATE);
  uint64_t value = 0;
  uint32_t registers[4];
  EXPECT_EQ(incore_processor_read_msr(&p, 0x1107, &value), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_processor_write_msr(&p, 0x1107, value), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_processor_cpuid(&p, 0, 0, registers), INCORE_ERROR_STATE);
  EXPECT_STREQ(incore_processor_name(&p), "none");
  EXPECT_STREQ(incore_processor_name(nullptr), "none");
  EXPECT_EQ(incore_processor_clock_mhz(nullptr), 0u);
  EXPECT_EQ(incore_processor_clocks(&p), 0u);
  Saved saved = {};
  EXPECT_EQ(incore_processor_save(&p, saved.data()), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_processor_load(&p, saved.data()), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_processor_save(nullptr, saved.data()), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_processor_load(nullptr, saved.data()), INCORE_ERROR_NULL);
  incore_processor_reseed(&p, 1), incore_processor_reseed(nullptr, 1);
  incore_processor_pass(&p, 5), incore_processor_reset(&p), incore_processor_forget_key(nullptr);
  incore_processor_init_signal(nullptr), incore_processor_reset(nullptr);
  incore_processor_wipe(nullptr), incore_processor_checker_init(nullptr);

  const auto made = make("nano");
  EXPECT_EQ(incore_processor_save(made.get(), nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_processor_load(made.get(), nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_processor_load(made.get(), saved.data()), INCORE_ERROR_RANGE);
  for (const unsigned bits : {0u, 8u, 33u, 128u}) {
    m.state.code_bits = bits;
    EXPECT_EQ(m.run(made.get(), kCbc), INCORE_ERROR_RANGE);
  }
  m.state.code_bits = 32, m.state.cpl = 4;
  EXPECT_EQ(m.run(made.get(), kCbc), INCORE_ERROR_RANGE);
  m.state.cpl = 0;
  incore_processor_machine functions = m.functions();
  functions.probe_write = nullptr;
  EXPECT_EQ(incore_processor_execute(made.get(), &m.state, kCbc.data(), 4, &functions, &m.result),
            INCORE_ERROR_NULL);
  EXPECT_EQ(incore_processor_execute(made.get(), &m.state, kCbc.data(), 4, nullptr, &m.result),
            INCORE_ERROR_NULL);
  incore_processor_checker unmade = {};
  EXPECT_EQ(incore_processor_check_msr(made.get(), &unmade, 1, 1, Found::add, nullptr),
            INCORE_ERROR_STATE);

  incore_processor_wipe(made.get());
  EXPECT_TRUE(std::all_of(std::begin(made->opaque), std::end(made->opaque),
                          [](uint64_t word) { return word == 0; }));
}

}  // namespace
}  // namespace incore::test
