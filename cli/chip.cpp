#include "chip.h"

#include <CLI/CLI.hpp>
#include <stdexcept>

namespace incore::cli {

void add_chip_option(CLI::App& app, ChipOptions* options, const std::string& group) {
  app.add_option("--cpu", options->model,
                 "an emulated PadLock processor, as for 'incore run'; without it this CPU's own")
      ->group(group);
}

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

}  // namespace incore::cli
