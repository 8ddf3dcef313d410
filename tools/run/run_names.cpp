#include "tools/run/run_names.h"

#include <fmt/format.h>

#include "incore/run.h"
#include "tools/base/json.h"

namespace incore::tools {
namespace {

std::vector<std::string> models(bool of_padlock, bool of_power) {
  std::vector<std::string> names;
  for (unsigned i = 0; incore_run_model_name(i) != nullptr; ++i)
    if (incore_run_model_is_power(i) != 0 ? of_power : of_padlock)
      names.emplace_back(incore_run_model_name(i));
  return names;
}

std::vector<std::string> aliases(unsigned model) {
  std::vector<std::string> names;
  for (unsigned i = 0; incore_run_model_alias(model, i) != nullptr; ++i)
    names.emplace_back(incore_run_model_alias(model, i));
  return names;
}

}  // namespace

std::vector<std::string> run_mnemonics() {
  std::vector<std::string> names;
  for (unsigned i = 0; incore_run_mnemonic(i) != nullptr; ++i)
    names.emplace_back(incore_run_mnemonic(i));
  return names;
}

std::vector<std::string> run_checks() {
  std::vector<std::string> names;
  for (unsigned i = 0; incore_run_check_name(i) != nullptr; ++i)
    names.emplace_back(incore_run_check_name(i));
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

std::string run_models_text() {
  std::string text;
  for (unsigned i = 0; incore_run_model_name(i) != nullptr; ++i) {
    text += fmt::format("{:<10}{}\n", incore_run_model_name(i), incore_run_model_description(i));
    if (const std::vector<std::string> names = aliases(i); !names.empty())
      text += fmt::format("{:<10}also {}\n", "", fmt::join(names, ", "));
  }
  return text;
}

std::string run_models_json() {
  Json models = Json::array();
  for (unsigned i = 0; incore_run_model_name(i) != nullptr; ++i)
    models.push_back({{"name", incore_run_model_name(i)},
                      {"description", incore_run_model_description(i)},
                      {"aliases", aliases(i)},
                      {"programs", incore_run_model_is_power(i) != 0 ? "powerpc" : "x86"}});
  return json_text({{"models", models}});
}

}  // namespace incore::tools
