#include "cli/options/chip_options.h"

namespace incore::cli {

Option model_option(std::string* out, std::string help) {
  Texts models;
  for (size_t i = 0; incore_padlock_model_name(i) != nullptr; ++i)
    models.emplace_back(incore_padlock_model_name(i));
  return text("--cpu", "MODEL", out, std::move(help)).such_as(std::move(models));
}

Option chip_option(tools::ChipOptions* options) {
  return model_option(
      &options->model,
      "an emulated PadLock processor, as for 'incore run'; without it this CPU's own");
}

std::vector<Option> chip_or_native_options(tools::ChipOptions* options, bool* native) {
  return {
      model_option(
          &options->model,
          "emulate this model: esther, esther9, nano,stepping=10, ...; without it this CPU's "
          "PadLock if there is one, else esther"),
      number("--seed", "N", &options->seed,
             "an emulated processor's noise is made from this number")
          .marks(&options->seed_given),
      flag("--native", native, "this CPU's PadLock or none").excludes({"--cpu", "--seed"}),
  };
}

}  // namespace incore::cli
