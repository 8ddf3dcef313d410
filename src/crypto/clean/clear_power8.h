#pragma once

namespace incore {

// Clears the vector and floating-point registers that a call may change, and the general ones that
// return nothing. For processors with VSX.
void clear_registers_power8();

}  // namespace incore
