// An emulated processor with the model that a user has named, in memory that the caller lends.
#pragma once

#include <cstring>
#include <new>

#include "padlock/emulated_chip.h"

namespace incore {

// |spec| is filled before the chip is made, which points into it: so this must stay where it is.
class ModelledChip {
 public:
  // Returns INCORE_OK, or INCORE_ERROR_MODEL with a sentence in |reason|, cut at |reason_len|,
  // which may be null.
  incore_status make(const char* model, padlock::CodeSize code_size, uint64_t seed, char* reason,
                     size_t reason_len) {
    char message[512];
    if (const char* wrong = padlock::parse_model_spec(model, &spec_, message, sizeof message)) {
      if (reason != nullptr && reason_len != 0) {
        std::strncpy(reason, wrong, reason_len - 1);
        reason[reason_len - 1] = '\0';
      }
      return INCORE_ERROR_MODEL;
    }
    new (storage_) padlock::EmulatedChip(
        spec_.model, padlock::HostKernels::choose(detect_features()), code_size, seed);
    return INCORE_OK;
  }

  const padlock::Model& model() const { return spec_.model; }
  padlock::EmulatedChip& chip() {
    return *std::launder(reinterpret_cast<padlock::EmulatedChip*>(storage_));
  }

  // INCORE_OK, or INCORE_ERROR_UNSUPPORTED: PadLock has no such register.
  incore_status read_msr(uint32_t msr, uint64_t* out_value) {
    return at_level_0([=](padlock::Processor& cpu) { return cpu.rdmsr(msr, out_value); });
  }
  incore_status write_msr(uint32_t msr, uint64_t value) {
    return at_level_0([=](padlock::Processor& cpu) { return cpu.wrmsr(msr, value); });
  }

 private:
  // RDMSR and WRMSR need it; nothing else is done there.
  template <class Access>
  incore_status at_level_0(Access access) {
    padlock::Processor& cpu = chip().processor();
    const unsigned before = cpu.state.cpl;
    cpu.state.cpl = 0;
    const padlock::Trap trap = access(cpu);
    cpu.state.cpl = before;
    return trap ? INCORE_ERROR_UNSUPPORTED : INCORE_OK;
  }

  padlock::ModelSpec spec_;
  alignas(padlock::EmulatedChip) uint8_t storage_[sizeof(padlock::EmulatedChip)];
};

// An object of type T in the words that a caller lends, the first of which says whether it is
// there.
template <class T, size_t kNumWords>
T* place_in(uint64_t (&words)[kNumWords]) {
  static_assert(sizeof(T) + alignof(T) <= sizeof words - sizeof words[0]);
  const uintptr_t at = reinterpret_cast<uintptr_t>(words + 1);
  return reinterpret_cast<T*>((at + alignof(T) - 1) & ~(alignof(T) - 1));
}

}  // namespace incore
