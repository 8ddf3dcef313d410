// A model's processor, emulated in this process, for what `incore run` cannot show.
#pragma once

#include <memory>
#include <string>

#include "incore/padlock.h"
#include "tools/base/require_ok.h"

namespace incore::tools {

class ModelChip {
 public:
  // A model that incore run knows too.
  explicit ModelChip(const std::string& model) : chip_(std::make_unique<incore_padlock>()) {
    constexpr uint64_t kSeed = 0;
    require_ok(incore_padlock_init_emulated(chip_.get(), model.c_str(), kSeed, nullptr, 0));
  }
  ~ModelChip() { incore_padlock_wipe(chip_.get()); }
  ModelChip(const ModelChip&) = delete;
  ModelChip& operator=(const ModelChip&) = delete;

  incore_padlock* get() const { return chip_.get(); }

 private:
  const std::unique_ptr<incore_padlock> chip_;
};

}  // namespace incore::tools
