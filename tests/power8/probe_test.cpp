// The SIGILL probe: right answers, and nothing left behind. tests/power8/fallback_test.py runs it
// on a processor without the crypto unit.
#include "cpu/probe_power.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace incore {
namespace {

bool traps() {
  __asm__ volatile(".long 0");
  return true;
}
bool answers() {
  return true;
}
// An emulator that skips the instruction leaves zeros.
bool answers_wrongly() {
  return false;
}

int executed_after_failure;
bool must_not_run() {
  ++executed_after_failure;
  return true;
}

unsigned probe_these(const std::vector<ProbeStep>& steps) {
  return probe(steps.data(), static_cast<unsigned>(steps.size()));
}

// clause: P8-DET-025
// clause: P8-DET-027
TEST(power8_probe, finds_the_units_of_this_processor_in_their_order) {
  const char* const names[] = {"vector", "vsx", "aes", "sha2", "pmull"};
  for (unsigned i = 0; i < kNumPowerUnits; ++i) EXPECT_STREQ(kPowerUnits[i].name, names[i]);
  EXPECT_EQ(probe(kPowerUnits, kNumPowerUnits), 5u);
}

// Whether the code of |function|, up to its return, has |word| where |mask| is 1.
bool contains(bool (*function)(), uint32_t mask, uint32_t word) {
  constexpr uint32_t kReturn = 0x4E800020;
  const uint32_t* insn;
#if defined(_CALL_ELF) && _CALL_ELF == 2
  insn = reinterpret_cast<const uint32_t*>(function);
#else
  std::memcpy(&insn, reinterpret_cast<const void*>(function), sizeof insn);  // a descriptor
#endif
  while (*insn != kReturn && (*insn & mask) != word) ++insn;
  return *insn != kReturn;
}

// What a processor without the unit traps on. Opcodes are those of the Power ISA.
// clause: P8-DET-027
TEST(power8_probe, each_level_executes_an_instruction_of_its_unit) {
  constexpr uint32_t kVx = 63u << 26 | 0x7FF;
  constexpr struct {
    const char* insn;
    uint32_t mask, word;
  } kInsns[kNumPowerUnits] = {
      {"vaddubm", kVx, 4u << 26},
      {"xxpermdi 32,32,32,2", ~0u, 0xF0000257},  // others come with a compiler's own loads
      {"vcipher", kVx, 4u << 26 | 1288},
      {"vshasigmaw", kVx, 4u << 26 | 1666},
      {"vpmsumd", kVx, 4u << 26 | 1224},
  };
  for (unsigned i = 0; i < kNumPowerUnits; ++i)
    EXPECT_TRUE(contains(kPowerUnits[i].gives_known_answer, kInsns[i].mask, kInsns[i].word))
        << kPowerUnits[i].name << ": " << kInsns[i].insn;
}

// clause: P8-DET-027
TEST(power8_probe, stops_at_the_first_level_that_traps) {
  executed_after_failure = 0;
  EXPECT_EQ(probe_these({{"a", answers}, {"b", answers}, {"c", traps}, {"d", must_not_run}}), 2u);
  EXPECT_EQ(executed_after_failure, 0);
}

// clause: P8-DET-029
TEST(power8_probe, takes_a_wrong_answer_for_an_absent_unit) {
  executed_after_failure = 0;
  EXPECT_EQ(probe_these({{"a", answers}, {"b", answers_wrongly}, {"c", must_not_run}}), 1u);
  EXPECT_EQ(executed_after_failure, 0);
}

// clause: P8-DET-024
TEST(power8_probe, returns_from_each_of_two_traps) {
  EXPECT_EQ(probe_these({{"a", traps}}), 0u);
  EXPECT_EQ(probe_these({{"a", traps}}), 0u);
}

void some_handler(int) {}

// clause: P8-DET-023
TEST(power8_probe, restores_the_action_of_sigill) {
  struct sigaction ours = {}, before = {}, after = {};
  ours.sa_handler = some_handler;
  ours.sa_flags = SA_RESTART;
  sigaddset(&ours.sa_mask, SIGUSR1);
  sigaction(SIGILL, &ours, &before);
  EXPECT_EQ(probe_these({{"a", answers}, {"b", traps}}), 1u);
  sigaction(SIGILL, &before, &after);
  EXPECT_EQ(after.sa_handler, some_handler);
  EXPECT_EQ(after.sa_flags & (SA_RESTART | SA_SIGINFO), SA_RESTART);
  EXPECT_EQ(sigismember(&after.sa_mask, SIGUSR1), 1);
  EXPECT_EQ(sigismember(&after.sa_mask, SIGUSR2), 0);
}

// clause: P8-DET-026
TEST(power8_probe, works_where_sigill_is_blocked_and_leaves_it_so) {
  sigset_t blocked, before, after;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGILL);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  EXPECT_EQ(probe_these({{"a", answers}, {"b", traps}}), 1u);
  EXPECT_EQ(probe(kPowerUnits, kNumPowerUnits), 5u);
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&after, SIGILL), 1);
  EXPECT_EQ(sigismember(&after, SIGUSR1), 1);
  EXPECT_EQ(sigismember(&after, SIGUSR2), 0);
}

// clause: P8-DET-030
TEST(power8_probe, runs_once_for_a_hundred_threads) {
  const unsigned before = num_probes();
  std::atomic<bool> go = false;
  std::atomic<unsigned> num_right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i)
    threads.emplace_back([&] {
      while (!go) std::this_thread::yield();
      num_right += probed_power_units() == 5;
    });
  go = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_right, 100u);
  EXPECT_EQ(num_probes(), before + 1);
  EXPECT_EQ(probed_power_units(), 5u);
  EXPECT_EQ(num_probes(), before + 1);
}

std::atomic<bool> probing, other_returned;
std::atomic<int> others_handled;
void handler_of_another_thread(int, siginfo_t*, void*) {
  ++others_handled;
}

TEST(power8_probe, leaves_the_sigill_of_another_thread_to_its_handler) {
  struct sigaction ours = {}, before = {};
  ours.sa_sigaction = handler_of_another_thread;
  ours.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &ours, &before);
  probing = other_returned = false;
  others_handled = 0;
  std::thread other([] {
    while (!probing) std::this_thread::yield();
    raise(SIGILL);
    other_returned = true;
  });
  const ProbeStep waits = {"a", [] {
                             probing = true;
                             while (!other_returned) std::this_thread::yield();
                             return true;
                           }};
  EXPECT_EQ(probe_these({waits, {"b", traps}}), 1u);
  other.join();
  EXPECT_EQ(others_handled, 1);
  sigaction(SIGILL, &before, nullptr);
}

TEST(power8_probe, tells_crypto_only_if_all_its_units_answer) {
  EXPECT_TRUE(features_of_units(0).empty());
  EXPECT_TRUE(features_of_units(1).has(Feature::altivec));
  EXPECT_FALSE(features_of_units(1).has(Feature::vsx));
  for (unsigned num_units = 2; num_units < kNumPowerUnits; ++num_units) {
    EXPECT_TRUE(features_of_units(num_units).has(Feature::vsx));
    EXPECT_FALSE(features_of_units(num_units).has(Feature::vcrypto));
    EXPECT_FALSE(features_of_units(num_units).has(Feature::arch_2_07));
  }
  EXPECT_TRUE(
      features_of_units(kNumPowerUnits).has_all(FeatureSet(Feature::arch_2_07, Feature::vcrypto)));
}

}  // namespace
}  // namespace incore
