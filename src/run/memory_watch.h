// The memory of a live process, shown piece by piece.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>

namespace incore::run {

using OnMemory = std::function<bool(std::span<const uint8_t>)>;  // false: no more of it

// Calls |on_memory| for the private writable memory of |pid| that is in use, but for the run-time's
// and for mappings of more than 4 GiB. A value of up to 16 bytes is whole in one of the pieces.
void show_memory(pid_t pid, const OnMemory& on_memory);

}  // namespace incore::run
