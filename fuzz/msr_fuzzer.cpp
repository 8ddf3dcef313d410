// A sequence of RDMSR, WRMSR, CPUID, RESET, INIT and XSTORE on each model: what does not exist
// stays away, reserved bits read 0, and flags and instructions follow the enable bits.
#include "check.h"
#include "padlock/random_call.h"

using namespace incore::padlock;
using incore::padlock::test::all_models;
using incore::padlock::test::Arena;
using incore::padlock::test::Bytes;

namespace {

constexpr uint64_t kStoreAt = 64;

void check_state(Processor& cpu) {
  const Model& model = cpu.model();
  const uint32_t flags = cpu.cpuid(kPadlockLeaf, 0).edx;
  const bool exists[] = {model.rng, model.ace, model.ace2, model.phe, model.pmm};
  const unsigned bits[] = {2, 6, 8, 10, 12};
  for (size_t i = 0; i < 5; ++i) {
    FUZZ_CHECK(((flags >> bits[i] & 1) != 0) == exists[i]);
    FUZZ_CHECK(exists[i] || (flags >> bits[i] & 2) == 0);
  }
  FUZZ_CHECK(((flags >> 3 & 1) != 0) == cpu.unit_enabled(Unit::rng));
  FUZZ_CHECK(((flags >> 7 & 1) != 0) == cpu.unit_enabled(Unit::ace));

  uint64_t value = 0;
  const unsigned cpl = cpu.state.cpl;
  cpu.state.cpl = 0;
  const Trap trap = cpu.rdmsr(kMsrRng, &value);
  cpu.state.cpl = cpl;
  FUZZ_CHECK(!trap == (model.rng && model.rng_msr));
  if (trap) return;
  uint32_t reserved = 1u << 5 | 1u << 7 | 0xFFC00000;
  if (model.rng_num_sources == 1) reserved |= kRngSourceMask;
  if (!model.rng_string_filter) reserved |= kRngFilter | kRngFail | kRngFilterCountMask;
  FUZZ_CHECK((value & reserved) == 0 && value >> 32 == 0);
}

void store(Processor& cpu, incore::test::Choices& choices) {
  static const Bytes kAccess = [] {
    Bytes access(Arena::kLen);
    std::fill(access.begin() + kStoreAt, access.begin() + kStoreAt + 8,
              incore::padlock::test::kCanWrite);
    return access;
  }();
  Arena memory(0, ~uint64_t{0}, Bytes(Arena::kLen), kAccess);
  const uint8_t code[] = {0x0F, 0xA7, 0xC0};
  cpu.state.rdi = kStoreAt;
  cpu.state.rdx = choices.next();
  Trap trap;
  const Outcome outcome = cpu.step(decode(code, 3, cpu.state.code_size), memory, &trap);
  const bool usable = cpu.unit_enabled(Unit::rng) && (cpu.state.cr4 & kCr4Osfxsr) != 0;
  FUZZ_CHECK((outcome == Outcome::done) == usable);
  if (!usable) return;
  const uint64_t count = cpu.state.rax & kRngBcntMask;
  FUZZ_CHECK(count == 0 || count == 8u >> (cpu.state.rdx & 3));
  FUZZ_CHECK(cpu.state.rdi == kStoreAt + count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  incore::test::FuzzedChoices choices(data, len);
  incore::padlock::test::EvenNoise noise;
  Processor cpu(*choices.pick(all_models()), HostKernels::portable());
  if (choices.chance(2)) cpu.rng.use_noise(&noise);
  cpu.reset();
  for (size_t steps = 0; steps < len && steps < 64; ++steps) {
    uint64_t value = 0;
    static const uint32_t kMsrs[] = {kMsrRng, kMsrFcr, 0x10};
    const uint32_t msr = choices.pick(kMsrs);
    const unsigned cpl = cpu.state.cpl;
    switch (choices.below(8)) {
      case 0:
        cpu.reset();
        break;
      case 1:
        cpu.init();
        break;
      case 2:
        cpu.enter_user_mode(static_cast<CodeSize>(choices.below(3)));
        break;
      case 3:
        FUZZ_CHECK(cpu.state.cpl == 0 ||
                   cpu.rdmsr(msr, &value).vector == Vector::general_protection);
        break;
      case 4:
        FUZZ_CHECK(cpu.state.cpl == 0 ||
                   cpu.wrmsr(msr, choices.next()).vector == Vector::general_protection);
        break;
      case 5:
        cpu.state.cpl = 0;
        if (!cpu.wrmsr(msr, value = choices.next() << 16 ^ choices.next()) && msr == kMsrFcr) {
          FUZZ_CHECK(!cpu.rdmsr(msr, &value));
          FUZZ_CHECK(cpu.unit_enabled(Unit::ace) == ((value & kFcrEnable) != 0));
        }
        cpu.state.cpl = cpl;
        break;
      default:
        store(cpu, choices);
    }
    check_state(cpu);
  }
  return 0;
}
