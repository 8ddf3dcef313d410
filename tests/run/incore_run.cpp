#include "run/incore_run.h"

#include <nlohmann/json.hpp>

namespace incore::test {

ProcessResult incore_run(const Arguments& options, const Arguments& program,
                         const std::string& stdin_data, const Arguments& extra_env) {
  Arguments argv = {"timeout", "120", INCORE_BINARY_DIR "/incore", "run"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.push_back("--");
  argv.insert(argv.end(), program.begin(), program.end());
  return run(argv, stdin_data, extra_env);
}

nlohmann::json statistics_of(const nlohmann::json& tree, const std::string& mnemonic) {
  if (tree.is_object()) {
    if (tree.contains(mnemonic) && tree[mnemonic].is_object()) return tree[mnemonic];
    if (tree.contains("mnemonic") && tree["mnemonic"] == mnemonic) return tree;
  }
  if (tree.is_structured()) {
    for (const nlohmann::json& child : tree) {
      nlohmann::json found = statistics_of(child, mnemonic);
      if (!found.is_null()) return found;
    }
  }
  return nullptr;
}

uint64_t counter(const nlohmann::json& statistics, const std::string& mnemonic,
                 const std::string& name) {
  const nlohmann::json entry = statistics_of(statistics, mnemonic);
  return entry.is_null() ? 0 : entry.at(name).get<uint64_t>();
}

}  // namespace incore::test
