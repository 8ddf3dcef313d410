// What a POWER processor has, found by trying: each instruction runs under a SIGILL handler, and
// what it computes is compared with a known answer. For systems that do not tell.
#pragma once

#include "cpu/cpu.h"

namespace incore {

struct ProbeStep {
  const char* name;
  bool (*gives_known_answer)();  // executes the instruction; traps where there is none
};

// Each needs those before it: vector unit, VSX, AES, SHA-2, polynomial multiply.
inline constexpr unsigned kNumPowerUnits = 5;
extern const ProbeStep kPowerUnits[kNumPowerUnits];

// Runs |steps| in order and returns how many there are before the first that traps or answers
// wrongly. Changes the action of SIGILL and this thread's signal mask for the time, and restores
// both; a SIGILL of another thread meanwhile gets the action from before.
unsigned probe(const ProbeStep* steps, unsigned num_steps);

// probe(kPowerUnits), run by the first caller; all others get its answer.
unsigned probed_power_units();

// How often probe() ran in this process.
unsigned num_probes();

// The features of a processor that has the first |num_units| of kPowerUnits. Later instruction sets
// than 2.07 are not tried.
FeatureSet features_of_units(unsigned num_units);

}  // namespace incore
