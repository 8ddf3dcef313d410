// The program's memory: every access is preceded by a probe of each page it touches.
#include "base/bytes.h"
#include "run/runtime/probe.h"
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

// A range that is too long ends at the last address, where no program has memory.
// 0, or error code << 16 | signal << 8 | si_code, and the first address that cannot be accessed.
int probe_range(uint64_t address, size_t len, bool write, uint64_t* out_fault_address) {
  if (len == 0) return 0;
  const Word first = static_cast<Word>(address);
  const Word last = len - 1 <= ~Word{0} - first ? first + (len - 1) : ~Word{0};
  for (Word p = first;; p = (p | Word{kPageMask}) + 1) {
    const int fault = write ? run::probe_write(p) : probe_read(p);
    if (fault != 0) {
      *out_fault_address = p;
      return fault;
    }
    if ((p | kPageMask) >= last) break;
  }
  return 0;
}

}  // namespace

padlock::Trap LiveMemory::probe(uint64_t address, size_t len, bool write) {
  uint64_t fault_address = 0;
  const int fault = probe_range(address, len, write, &fault_address);
  if (fault == 0) return {};
  fault_signal_ = fault >> 8 & 0xFF;
  fault_code_ = fault & 0xFF;
  if (fault_signal_ == kSigSegv && fault_code_ == kSiKernel)
    return padlock::Trap::gp("the address is not canonical");
  return padlock::Trap::pf(fault_address, static_cast<uint32_t>(fault) >> 16);
}

padlock::Trap LiveMemory::read(uint64_t address, void* out, size_t len) {
  if (const padlock::Trap trap = probe(address, len, false)) return trap;
  std::memcpy(out, at_address<const void>(address), len);
  return {};
}

padlock::Trap LiveMemory::write(uint64_t address, const void* in, size_t len) {
  if (const padlock::Trap trap = probe(address, len, true)) return trap;
  std::memcpy(at_address<void>(address), in, len);
  return {};
}

padlock::Trap LiveMemory::probe_write(uint64_t address, size_t len) {
  return probe(address, len, true);
}

const uint8_t* LiveMemory::readable(uint64_t address, size_t len) {
  uint64_t ignored;
  return probe_range(address, len, false, &ignored) == 0 ? at_address<const uint8_t>(address)
                                                         : nullptr;
}

uint8_t* LiveMemory::writable(uint64_t address, size_t len) {
  uint64_t ignored;
  return probe_range(address, len, true, &ignored) == 0 ? at_address<uint8_t>(address) : nullptr;
}

bool copy_from_program(void* out, uint64_t address, size_t len) {
  return !LiveMemory().read(address, out, len);
}

bool copy_to_program(uint64_t address, const void* in, size_t len) {
  return !LiveMemory().write(address, in, len);
}

}  // namespace incore::run
