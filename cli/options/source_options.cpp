#include "cli/options/source_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>

#include "cli/options/number_option.h"

namespace incore::cli {
namespace {

// Nothing given: 0.
uint32_t condition_bytes_in(const std::string& text) {
  uint32_t bytes = 0;
  if (text.empty()) return bytes;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, bytes);
  if (error != std::errc() || rest != end || bytes < 32 || bytes > 65536)
    throw CLI::ValidationError("--condition",
                               fmt::format("'{}' is no number of bytes from 32 to 65536", text));
  return bytes;
}

}  // namespace

void add_source_options(CLI::App& app, SourceOptions* options, bool files) {
  app.add_option("--quality", options->quality,
                 "xstore: its quality factor, 0 (all bits) to 3 (one byte of eight)")
      ->transform(whole_number(0, 3))
      ->type_name("0..3");
  app.add_option_function<std::string>(
         "--condition",
         [options](const std::string& bytes) { options->condition = condition_bytes_in(bytes); },
         "SHA-256 makes each 32 bytes from BYTES of the source, 32 to 65536; without a number, "
         "from "
         "as many as hold 320 bits by --min-entropy")
      ->expected(0, 1)
      ->type_name("[BYTES]");
  app.add_option("--min-entropy", options->min_entropy,
                 "bits a byte that the source claims, 0.01 to 8, for the health tests; usually 1")
      ->transform(real_number(0.01, 8))
      ->type_name("BITS");
  app.add_option("--cpu", options->chip.model,
                 "xstore: of an emulated processor, such as nehemiah, esther, nano")
      ->type_name("MODEL");
  app.add_flag("--raw", options->chip.raw, "with --cpu: bits that are not whitened");
  app.add_option("--bias", options->chip.bias, "with --cpu: the DC bias, 0 to 7")
      ->transform(whole_number(0, 7));
  app.add_option("--noise-source", options->chip.noise_source,
                 "with --cpu: 0 for source A, 1 for B, 2 for both")
      ->transform(whole_number(0, 2));
  app.add_option("--seed", options->chip.seed, "with --cpu: noise that is the same each time");
  if (files)
    app.add_option("--stall-timeout", options->stall_timeout,
                   "fail if a pipe or device gives nothing for so long; usually never")
        ->transform(real_number(0.001, 1e6))
        ->type_name("SECONDS");
}

}  // namespace incore::cli
