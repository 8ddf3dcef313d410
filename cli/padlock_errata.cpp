// `incore padlock errata`: the CTR erratum of Esther stepping 8, shown, detected and worked around.
#include "padlock.h"

namespace incore::cli {
namespace {

std::function<int()> configure(CLI::App&) {
  return [] { return fail(kBadInput, "not yet"); };
}

}  // namespace

extern const Subcommand padlock_errata_command = {
    "errata", "the CTR erratum of Esther stepping 8: shown, detected, worked around",
    "Example:\n  incore padlock errata --cpu esther", configure};

}  // namespace incore::cli
