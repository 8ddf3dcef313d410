// Random states for Replay: most of them sensible, so that instructions get far, and some wrong in
// each way that user mode can be wrong.
#pragma once

#include "run/replay.h"
#include "support/choices.h"

namespace incore::test {

void add_random_records(Replay& replay, Choices& choices, size_t num_sites, size_t num_records);

}  // namespace incore::test
