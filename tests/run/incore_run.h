// What the tests of `incore run` share: starting it, the guest programs, and reading its
// statistics.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "support/file.h"
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
ProcessResult incore_run(const Arguments& options, const Arguments& program,
                         const std::string& stdin_data = "", const Arguments& extra_env = {});

// The entry of |mnemonic| in the statistics, wherever they keep it: the value of a key with that
// name, or the object whose "mnemonic" is that name. Null if there is none.
nlohmann::json statistics_of(const nlohmann::json& tree, const std::string& mnemonic);

// One counter of |mnemonic|; 0 if it is not in the statistics at all.
uint64_t counter(const nlohmann::json& statistics, const std::string& mnemonic,
                 const std::string& name);

}  // namespace incore::test
