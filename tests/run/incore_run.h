// What the tests of `incore run` share: starting it, the guest programs, and reading its
// statistics.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.h"

namespace incore::test {

using Arguments = std::vector<std::string>;

// The path of a guest program: guest("xsha"), guest("xsha_static").
inline std::string guest(const std::string& name) {
  return INCORE_BINARY_DIR "/tests/guest/guest_" + name;
}

// The same program of 32-bit code: guest32("xsha").
inline std::string guest32(const std::string& name) {
  return INCORE_BINARY_DIR "/tests/guest/guest32_" + name;
}

#ifdef INCORE_HAVE_I386_GUESTS
inline constexpr bool kHaveI386Guests = true;
#else
inline constexpr bool kHaveI386Guests = false;
#endif
inline constexpr char kNoI386Guests[] =
    "i686-linux-gnu-gcc and its C library are missing, so there are no 32-bit programs";

// incore run OPTIONS -- PROGRAM..., stopped with exit code 124 if it hangs.
inline ProcessResult incore_run(const Arguments& options, const Arguments& program,
                                const std::string& stdin_data = "",
                                const Arguments& extra_env = {}) {
  Arguments argv = {"timeout", "120", INCORE_BINARY_DIR "/incore", "run"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.push_back("--");
  argv.insert(argv.end(), program.begin(), program.end());
  return run(argv, stdin_data, extra_env);
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

// The entry of |mnemonic| in the statistics, wherever they keep it: the value of a key with that
// name, or the object whose "mnemonic" is that name. Null if there is none.
inline nlohmann::json statistics_of(const nlohmann::json& tree, const std::string& mnemonic) {
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

// One counter of |mnemonic|; 0 if it is not in the statistics at all.
inline uint64_t counter(const nlohmann::json& statistics, const std::string& mnemonic,
                        const std::string& name) {
  const nlohmann::json entry = statistics_of(statistics, mnemonic);
  return entry.is_null() ? 0 : entry.at(name).get<uint64_t>();
}

}  // namespace incore::test
