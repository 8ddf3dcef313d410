// `incore rng crap`, which is also `incore rng analyze --crap`.
#include <memory>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "tools/random/rng_source.h"
#include "tools/samples/crap.h"

namespace incore::cli {
namespace {

std::vector<Option> sample_options(CrapOptions* o) {
  return {
      number("--size", "N", &o->size, "megabytes in a sample").usually("10"),
      number("--bytes", "N", &o->bytes, "bytes in a sample, in place of --size")
          .excludes({"--size"}),
      number("--rep", "N", &o->rep, "samples"),
      number("--edx", "N", &o->edx, "quality factor, modulo 4").usually("3"),
      number("--bias", "N", &o->bias, "DC bias, 0 to 7; writes MSR 0x110B"),
      number("--mode", "N", &o->mode, "noise source: 0 A, 1 B, 2 both; writes the MSR"),
      flag("--raw", &o->raw, "raw bits; writes the MSR"),
      number("--sha", "N", &o->sha, "SHA-1 makes 20 bytes of N, at most 128").usually("no SHA-1"),
      number("--test", "N", &o->test,
             "up to N samples at each bias of each source, until the statistics are bad; writes "
             "the MSR"),
      number("--limit", "X", &o->limit, "what is bad for --test; at most 0.01").usually("0.001"),
      flag("--speed", &o->speed, "only collect, and show the rate"),
      flag("--save", &o->save, "save all samples in one file"),
      number("--pvalue", "X", &o->p_value, "save samples whose chi-square p-value is below X")
          .usually(""),
      text("-o,--out", "DIR", &o->out, "folder of that file").usually(kUsualCrapFolder),
      flag("--json", &o->json, "print JSON"),
  };
}

}  // namespace

Command rng_crap_command() {
  auto o = std::make_shared<CrapOptions>();
  const Option source =
      text("SOURCE", "", &o->source, "a file, - or a generator in place of a PadLock processor")
          .such_as(source_names());
  return {
      .name = "crap",
      .summary = "samples of XSTORE in the form of VIA's program CRAP: rate, chi-square, evenness",
      .options =
          joined({{source}, chip_or_native_options(&o->chip, &o->native), sample_options(o.get())}),
      .about =
          "XSTORE is this CPU's, also under 'incore run', or that of an emulated model: "
          "--cpu, or esther where this CPU has none.",
      .examples = {"incore rng crap --cpu esther --rep 5 --size 1",
                   "incore rng crap --cpu esther --test 10 --edx 0 --bytes 65536",
                   "incore rng crap capture.bin --size 1 --rep 3"},
      .exit_codes = {{"0", "done"},
                     {"1", "no generator, or reading or writing failed"},
                     {"2", "bad usage or input"},
                     {"128 + signal", "interrupted"}},
      .run = [o] { return run_crap(*o); }};
}

}  // namespace incore::cli
