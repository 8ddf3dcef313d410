#include "cli/options/chip_options.h"

#include <CLI/CLI.hpp>

namespace incore::cli {

void add_chip_option(CLI::App& app, ChipOptions* options, const std::string& group) {
  app.add_option("--cpu", options->model,
                 "an emulated PadLock processor, as for 'incore run'; without it this CPU's own")
      ->group(group);
}

void add_chip_or_native_options(CLI::App& app, ChipOptions* options, bool* native) {
  add_chip_option(app, options);
  CLI::Option* const cpu = app.get_option("--cpu");
  cpu->type_name("MODEL")->description(
      "emulate this model: esther, esther9, nano,stepping=10, ...; without it this CPU's PadLock "
      "if "
      "there is one, else esther");
  app.add_option("--seed", options->seed, "an emulated processor's noise is made from this number")
      ->each([options](const std::string&) { options->seed_given = true; });
  app.add_flag("--native", *native, "this CPU's PadLock or none")
      ->excludes(cpu)
      ->excludes("--seed");
}

}  // namespace incore::cli
