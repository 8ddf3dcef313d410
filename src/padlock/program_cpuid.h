// CPUID as a program sees it that runs on a model and, below that, on this CPU.
#pragma once

#include "padlock/model.h"
#include "padlock/processor.h"

namespace incore::padlock {

// What |model| answers to code of |code_size|, less the instructions that this CPU has not: only
// PadLock is emulated.
CpuidAnswer program_cpuid(const Model& model, CodeSize code_size, uint32_t leaf, uint32_t subleaf);

}  // namespace incore::padlock
