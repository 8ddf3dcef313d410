// `incore padlock errata`: the CTR erratum of Esther stepping 8.
#include <memory>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "tools/samples/ctr_errata.h"

namespace incore::cli {
namespace {

std::vector<Option> errata_options(ErrataOptions* o) {
  Option blocks = number("--blocks", "N", &o->blocks, 0, INT64_MAX,
                         "blocks of 16 bytes in a call, at most 10000; 0 is 256");
  blocks.range.clear();  // more than 10000 is taken, as 10000
  return {
      std::move(blocks),
      number("--tests", "N", &o->tests, "calls; below 10 is 1000"),
      number("--interrupts", "N", &o->interrupts,
             "emulated: blocks of work between two interrupts on average; 0 is none; the default "
             "is that of the guide's listing")
          .marks(&o->interrupts_given),
      flag("--json", &o->json, "print JSON"),
  };
}

}  // namespace

Command padlock_errata_command() {
  auto o = std::make_shared<ErrataOptions>();
  return {
      .name = "errata",
      .summary = "the CTR erratum of Esther stepping 8: shown, detected, worked around",
      .options = joined({chip_or_native_options(&o->chip, &o->native), errata_options(o.get())}),
      .about =
          "After the sample CTR_ERRATA of the PadLock guide: the right ciphertext by one "
          "block for each instruction; all blocks in one instruction; how often an "
          "interrupt spoils that, and whether the counter shows it; and the work-around, "
          "which repeats such calls.",
      .examples = {"incore padlock errata --cpu esther",
                   "incore padlock errata --cpu esther9 --interrupts 1000",
                   "incore run --cpu esther -- incore padlock errata --native"},
      .exit_codes = {{"0", "done"},
                     {"1", "the work-around fails"},
                     {"2", "bad options or a part without CTR mode"}},
      .run = [o] { return run_ctr_errata(*o); }};
}

}  // namespace incore::cli
