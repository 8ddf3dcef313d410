// The SIGILL probe (POWER8 guide, chapter 3, which names it and leaves it empty). The instructions
// stand in inline assembly, so that this file needs no compiler for POWER8 and nothing is moved out
// of the probe or dropped.
#if defined(__powerpc64__) || defined(_AIX)

#include "cpu/probe_power.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include <atomic>
#include <cstdint>

namespace incore {
namespace {

// A register: lxvd2x and stxvd2x move its halves as numbers, whatever the byte order of memory.
struct Register {
  uint64_t left, right;
  bool operator==(const Register&) const = default;
};

// v0 is vs32, v1 is vs33; both may be changed by any function.
#define TRY(instructions, out, a, b)                                                   \
  __asm__ volatile(".machine push\n\t.machine any\n\t" instructions "\n\t.machine pop" \
                   : "=m"(out)                                                         \
                   : "b"(&(out)), "b"(&(a)), "b"(&(b)), "m"(a), "m"(b)                 \
                   : "v0", "v1")

bool vector_unit_adds() {
  alignas(16) Register sum = {};  // vector stores take such addresses only
  TRY("vspltisb 0,5\n\tvaddubm 0,0,0\n\tstvx 0,0,%1", sum, sum, sum);
  return sum == Register{0x0A0A0A0A0A0A0A0A, 0x0A0A0A0A0A0A0A0A};
}

bool vsx_swaps() {
  const Register x = {0x0123456789ABCDEF, 0x1122334455667788};
  Register out = {};
  TRY("lxvd2x 32,0,%2\n\txxpermdi 32,32,32,2\n\tstxvd2x 32,0,%1", out, x, x);
  return out == Register{x.right, x.left};
}

// quote: candidate
// FIPS 197, appendix B: round 1.
bool vcipher_makes_a_round() {
  const Register state = {0x193DE3BEA0F4E22B, 0x9AC68D2AE9F84808};
  const Register round_key = {0xA0FAFE1788542CB1, 0x23A339392A6C7605};
  Register out = {};
  TRY("lxvd2x 32,0,%2\n\tlxvd2x 33,0,%3\n\tvcipher 0,0,1\n\tstxvd2x 32,0,%1", out, state,
      round_key);
  return out == Register{0xA49C7FF2689F352B, 0x6B5BEA43026A5049};
}
// end of quote

// FIPS 180-4, section 4.1.2: sigma 0 is ROTR 7 xor ROTR 18 xor SHR 3.
bool vshasigmaw_computes_sigma0() {
  const Register words = {0x0000000180000000, 0x0000001800000000};
  Register out = {};
  TRY("lxvd2x 32,0,%2\n\tvshasigmaw 0,0,0,0\n\tstxvd2x 32,0,%1", out, words, words);
  return out == Register{0x0200400011002000, 0x3006000300000000};
}

// x^63 squared, plus (x + 1) squared.
bool vpmsumd_multiplies() {
  const Register factors = {0x8000000000000000, 3};
  Register out = {};
  TRY("lxvd2x 32,0,%2\n\tvpmsumd 0,0,0\n\tstxvd2x 32,0,%1", out, factors, factors);
  return out == Register{0x4000000000000000, 5};
}

#undef TRY

sigjmp_buf return_point;
pthread_t prober;
struct sigaction previous;
std::atomic<unsigned> probes{0};

void on_sigill(int signal, siginfo_t* info, void* context) {
  if (pthread_equal(pthread_self(), prober) != 0) siglongjmp(return_point, 1);
  if ((previous.sa_flags & SA_SIGINFO) != 0)
    previous.sa_sigaction(signal, info, context);
  else if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN)
    sigaction(SIGILL, &previous,
              nullptr);  // the instruction traps again, and that ends the process
  else
    previous.sa_handler(signal);
}

pthread_once_t once = PTHREAD_ONCE_INIT;
unsigned num_units_present = 0;

}  // namespace

const ProbeStep kPowerUnits[kNumPowerUnits] = {
    {"vector", vector_unit_adds},   {"vsx", vsx_swaps},
    {"aes", vcipher_makes_a_round}, {"sha2", vshasigmaw_computes_sigma0},
    {"pmull", vpmsumd_multiplies},
};

// quote: probe
unsigned probe(const ProbeStep* steps, unsigned num_steps) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  sigset_t all_but_sigill, mask;
  sigfillset(&all_but_sigill);
  sigdelset(&all_but_sigill, SIGILL);  // blocked, it would end the process
  pthread_sigmask(SIG_SETMASK, &all_but_sigill, &mask);
  pthread_mutex_lock(&one_at_a_time);

  prober = pthread_self();
  struct sigaction action = {};
  action.sa_sigaction = on_sigill;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigaction(SIGILL, nullptr, &previous);  // known before the handler can need it
  sigaction(SIGILL, &action, nullptr);

  volatile unsigned num_present = 0;  // changed between sigsetjmp and siglongjmp
  while (num_present < num_steps) {
    if (sigsetjmp(return_point, 1) != 0 || !steps[num_present].gives_known_answer()) break;
    num_present = num_present + 1;
  }

  sigaction(SIGILL, &previous, nullptr);
  probes.fetch_add(1);
  pthread_mutex_unlock(&one_at_a_time);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  return num_present;
}
// end of quote

unsigned probed_power_units() {
  pthread_once(&once, [] { num_units_present = probe(kPowerUnits, kNumPowerUnits); });
  return num_units_present;
}

unsigned num_probes() {
  return probes.load();
}

FeatureSet features_of_units(unsigned num_units) {
  FeatureSet found;
  if (num_units >= 1) found.add(Feature::altivec);
  if (num_units >= 2) found.add(Feature::vsx);
  if (num_units == kNumPowerUnits) found.add(FeatureSet(Feature::arch_2_07, Feature::vcrypto));
  return found;
}

}  // namespace incore

#endif
