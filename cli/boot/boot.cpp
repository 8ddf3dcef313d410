// incore boot: a kernel on a PadLock processor that is not there.
#include "tools/boot/boot.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "tools/base/output_file.h"
#include "tools/base/quote.h"
#include "tools/run/run_names.h"

namespace incore::cli {
namespace {

struct Options {
  BootOptions boot;
  std::string stats;  // empty: none; "-": to stderr
  std::string check;  // the same
  std::vector<std::string> required;
};

bool is_file(const std::string& name) {
  return !name.empty() && name != "-";
}

// The reports, on stderr or in files. What could not be written, or nothing.
std::string tell(const Options& options, const BootReport& report, OutputFile& stats,
                 OutputFile& check) {
  if (is_file(options.stats)) {
    if (std::string error = stats.commit(boot_stats_json(report)); !error.empty())
      return "--stats: " + error;
  } else if (!options.stats.empty()) {
    fmt::print(stderr, "{}", boot_stats_text(report));
  }
  if (is_file(options.check)) {
    const Json found = {{"model", report.model},
                        {"exit_code", report.exit_code},
                        {"findings", report.findings.json()}};
    if (std::string error = check.commit(json_text(found)); !error.empty())
      return "--check: " + error;
  } else if (!report.findings.silent()) {
    fmt::print(stderr, "{}", report.findings.text());
  }
  return "";
}

int run(Options& options) {
  BootOptions& boot_options = options.boot;
  if (boot_options.kernel.empty())
    return fail(kBadInput, "no kernel given (see 'incore boot --help')");
  boot_options.check = !options.check.empty();
  if (!boot_options.qemu_options.empty() && !boot_options.qemu_options[0].starts_with('-'))
    return fail(kBadInput, in_quotes(boot_options.qemu_options[0]) +
                               " is no option; QEMU's own come behind --");

  OutputFile stats, check;
  if (is_file(options.stats))
    if (const std::string error = stats.open(options.stats); !error.empty())
      return fail(kBadInput, "--stats: " + error);
  if (is_file(options.check))
    if (const std::string error = check.open(options.check); !error.empty())
      return fail(kBadInput, "--check: " + error);

  BootReport report;
  if (const std::string error = boot(boot_options, &report); !error.empty())
    return fail(kBadInput, error);
  if (!report.message.empty()) fail(kDiffers, report.message);
  if (const std::string error = tell(options, report, stats, check); !error.empty())
    return fail(kBadInput, error);
  const std::vector<std::string> missing = never_executed(options.required, report);
  for (const std::string& mnemonic : missing)
    fail(kDiffers, "--require: " + mnemonic + " was never executed");
  const bool all_right = missing.empty() && report.findings.empty();
  return report.exit_code == 0 && !all_right ? kDiffers : report.exit_code;
}

}  // namespace

Command boot_command() {
  auto o = std::make_shared<Options>();
  BootOptions& boot_options = o->boot;
  return {
      .name = "boot",
      .summary = "boot a kernel on a VIA PadLock processor, in QEMU",
      .options =
          {
              text("--cpu", "MODEL", &boot_options.model,
                   fmt::format("processor model: {}; with fields changed: nano,stepping=10",
                               fmt::join(padlock_models(), " ")))
                  .usually("nano")
                  .such_as(padlock_models()),
              text("--kernel", "FILE", &boot_options.kernel,
                   "a Linux kernel image of 64 or 32 bits, or a multiboot kernel"),
              text("--initrd", "FILE", &boot_options.initrd, "its first file system"),
              text("--append", "TEXT", &boot_options.append,
                   "its command line, such as 'console=ttyS0 panic=-1'"),
              text("--disk", "FILE", &boot_options.disk, "the image of a disk, written to"),
              number("--memory", "N", &boot_options.memory_mib, 32, 65536, "megabytes of memory")
                  .usually("512"),
              number("--smp", "N", &boot_options.num_cpus, 1, 64, "CPUs").usually("1"),
              flag_or_value("--stats", "FILE", &o->stats,
                            "count the PadLock instructions that ran, with their clocks on the "
                            "model; FILE gets JSON"),
              flag_or_value("--check", "FILE", &o->check,
                            "report what would fail on silicon or is undefined, and exit 1 for it; "
                            "FILE gets JSON"),
              text("--require", "MNEMONIC", &o->required,
                   "exit 1 if this instruction never ran, such as xcrypt-cbc; repeatable")
                  .one_of(run_mnemonics()),
              number("--rng-seed", "N", &boot_options.rng_seed,
                     "the noise of XSTORE starts from this number; each CPU has its own")
                  .usually("0"),
              number("--timeout", "SECONDS", &boot_options.timeout_seconds, 1, 1e6,
                     "end a guest that takes longer, with exit code 1"),
              flag("-v,--verbose", &boot_options.verbose,
                   "say what happens: QEMU's command, exceptions, MSRs"),
          },
      .about =
          "The guest's first serial port is standard input and output. A guest that powers off has "
          "done its job; one that restarts, as after a panic, has failed; one that writes a byte "
          "to port F4h ends with that exit code. What follows -- goes to QEMU as it is.",
      .examples =
          {
              "incore boot --kernel vmlinuz --initrd initrd.gz --append 'console=ttyS0 panic=-1'",
              "incore boot --cpu esther --stats --kernel vmlinuz --initrd initrd.gz --append "
              "console=ttyS0 -- -nic user",
              "incore boot --require xcrypt-cbc --timeout 120 --kernel vmlinuz --initrd test.gz "
              "--append console=ttyS0",
          },
      .exit_codes = {{"1", "the guest has failed, or --check or --require found something"},
                     {"2", "it could not be booted"},
                     {"else", "the guest's own, or 128 + the signal that ended it"}},
      .run = [o] { return run(*o); },
      .program = &boot_options.qemu_options,
      .program_usage = "[-- QEMU OPTIONS]",
  };
}

}  // namespace incore::cli
