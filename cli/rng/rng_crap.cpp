// `incore rng crap`, which is also `incore rng analyze --crap`.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/rng/crap.h"
#include "cli/rng/rng.h"

namespace incore::cli {
namespace {

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<CrapOptions>();
  add_crap_options(app, options.get());
  return [options] { return run_crap(*options); };
}

}  // namespace

extern const Subcommand rng_crap_command = {
    "crap", "samples of XSTORE in the form of VIA's program CRAP: rate, chi-square, evenness",
    "XSTORE is this CPU's, also under 'incore run', or that of an emulated model: --cpu, or "
    "esther\n"
    "where this CPU has none.\n"
    "\n"
    "Examples:\n"
    "  incore rng crap --cpu esther --rep 5 --size 1\n"
    "  incore rng crap --cpu esther --test 10 --edx 0 --bytes 65536\n"
    "  incore rng crap capture.bin --size 1 --rep 3\n"
    "Exit code: 0 done; 1 no generator, or reading or writing failed; 2 bad usage or input;\n"
    "128 + signal if interrupted.",
    configure};

}  // namespace incore::cli
