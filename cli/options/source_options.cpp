#include "cli/options/source_options.h"

#include "cli/options/chip_options.h"
#include "tools/base/quote.h"

namespace incore::cli {
namespace {

// Without a number: 0.
std::string read_condition(const std::string& text, uint64_t* out_bytes) {
  *out_bytes = 0;
  return text.empty() ? "" : read_number(text, uint64_t{32}, uint64_t{65536}, out_bytes);
}

Option condition_option(tools::SourceOptions* options) {
  Option option = {
      "--condition", "BYTES",
      "SHA-256 makes each 32 bytes from BYTES of the source, 32 to 65536; without a number, from "
      "as many as hold 320 bits by --min-entropy",
      [options](const Texts& values) {
        uint64_t bytes = 0;
        std::string mistake = read_condition(values[0], &bytes);
        if (mistake.empty()) options->condition = static_cast<uint32_t>(bytes);
        return mistake;
      }};
  option.value = Option::Value::may_be_left;
  return option;
}

}  // namespace

std::vector<Option> source_options(tools::SourceOptions* options, bool files) {
  std::vector<Option> all = {
      number("--quality", "N", &options->quality, 0, 3,
             "xstore: its quality factor; 0 takes all bits, 3 one byte of eight"),
      condition_option(options),
      number("--min-entropy", "BITS", &options->min_entropy, 0.01, 8,
             "bits a byte that the source claims, for the health tests")
          .usually("1"),
      model_option(&options->chip.model,
                   "xstore: of an emulated processor, such as nehemiah, esther, nano"),
      flag("--raw", &options->chip.raw, "with --cpu: bits that are not whitened"),
      number("--bias", "N", &options->chip.bias, 0, 7, "with --cpu: the DC bias"),
      number("--noise-source", "N", &options->chip.noise_source, 0, 2,
             "with --cpu: 0 for source A, 1 for B, 2 for both"),
      number("--seed", "N", &options->chip.seed, "with --cpu: noise that is the same each time"),
  };
  if (files)
    all.push_back(number("--stall-timeout", "SECONDS", &options->stall_timeout, 0.001, 1e6,
                         "fail if a pipe or device gives nothing for so long")
                      .usually("never"));
  return all;
}

}  // namespace incore::cli
