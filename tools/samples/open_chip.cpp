#include "tools/samples/open_chip.h"

#include <stdexcept>

namespace incore::tools {

void WipeChip::operator()(incore_padlock* chip) const {
  incore_padlock_wipe(chip);
  delete chip;
}

Chip open_chip(const ChipOptions& options, const char* otherwise) {
  auto memory = std::make_unique<incore_padlock>();
  if (options.model.empty() && incore_padlock_init_native(memory.get()) == INCORE_OK) {
    if (options.seed_given)
      throw std::invalid_argument(
          "--seed is for an emulated processor (--cpu), not for this CPU's");
    return Chip(memory.release());
  }
  const char* const model = options.model.empty() ? otherwise : options.model.c_str();
  if (model == nullptr) return nullptr;
  char reason[512] = "";
  if (incore_padlock_init_emulated(memory.get(), model, options.seed, reason, sizeof reason) !=
      INCORE_OK)
    throw std::invalid_argument(reason);
  return Chip(memory.release());
}

}  // namespace incore::tools
