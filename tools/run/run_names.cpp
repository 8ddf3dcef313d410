#include "tools/run/run_names.h"

#include "incore/run.h"

namespace incore::tools {
namespace {

std::vector<std::string> models(bool of_padlock, bool of_power) {
  std::vector<std::string> names;
  for (unsigned i = 0; incore_run_model_name(i) != nullptr; ++i)
    if (incore_run_model_is_power(i) != 0 ? of_power : of_padlock)
      names.emplace_back(incore_run_model_name(i));
  return names;
}

}  // namespace

std::vector<std::string> run_mnemonics() {
  std::vector<std::string> names;
  for (unsigned i = 0; incore_run_mnemonic(i) != nullptr; ++i)
    names.emplace_back(incore_run_mnemonic(i));
  return names;
}

std::vector<std::string> padlock_models() {
  return models(true, false);
}
std::vector<std::string> power_models() {
  return models(false, true);
}
std::vector<std::string> run_models() {
  return models(true, true);
}

}  // namespace incore::tools
