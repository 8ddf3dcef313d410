// What QEMU is told so that its CPU is a model of ours, as far as it can be: QEMU without PadLock
// announces what it is told, and must be told of nothing that it cannot do.
#pragma once

#include <string>

namespace incore::tools {

// The value of -cpu for |model|, as in incore_processor_init. |long_mode|: the kernel has 64-bit
// code, which parts before Nano cannot run; they get what it needs. Throws std::invalid_argument
// for an unknown model, with what is accepted.
std::string cpu_line(const std::string& model, bool long_mode);

}  // namespace incore::tools
