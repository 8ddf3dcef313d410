// `incore bench ALG...`: speeds. What can be measured is listed in benches.def.
#include "tools/bench/bench.h"
#include "tools/base/json.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/options/chip_options.h"
#include "tools/base/sizes.h"
#include "tools/bench/bench_choice.h"
#include "tools/bench/bench_run.h"
#include "tools/bench/peer.h"
#include "tools/samples/baes.h"
#include "tools/samples/open_chip.h"

namespace incore::cli {
namespace {

constexpr size_t kMaxSize = size_t{256} << 20;
constexpr uint64_t kMaxMessages = 1024;
constexpr unsigned kMaxTimeMs = 60'000;

struct Options {
  std::vector<std::string> names;
  std::optional<std::string> peers, sizes;
  unsigned time_ms = 50;
  bool messages_given = false, time_given = false;
  BenchOptions bench;
  bool json = false;
  bool baes = false;
  BaesOptions baes_options;
  ChipOptions chip;
};

// Whether no call has more than kMaxSize bytes.
bool fits(const BenchOptions& options) {
  for (const size_t size : options.sizes)
    for (const size_t messages : options.messages)
      if (size > kMaxSize / messages) return false;
  return true;
}

// `incore bench aes --baes`.
int bench_as_baes(Options& options) {
  if (options.names != std::vector<std::string>{"aes"})
    return fail(kBadInput, "--baes is a form of 'incore bench aes'");
  options.baes_options.json = options.json;
  const Chip chip = open_chip(options.chip, nullptr);
  const PinnedCpu pinned;
  return run_baes(chip ? *padlock_aes_engine(chip.get()) : *library_aes_engine(),
                  options.baes_options);
}

std::vector<std::string> given_of(const Options& options) {
  std::vector<std::string> given;
  if (options.peers) given.push_back("--vs");
  if (options.sizes) given.push_back("--sizes");
  if (options.messages_given) given.push_back("--messages");
  if (options.time_given) given.push_back("--time");
  if (!options.bench.tables.empty()) given.push_back("--table");
  return given;
}

int bench(Options& options) {
  const std::vector<BenchChoice> chosen = choose_benches(options.names);
  if (const std::string idle = idle_option(given_of(options), chosen); !idle.empty())
    return fail(kBadInput,
                fmt::format("{} has no effect on {}", idle, fmt::join(options.names, ", ")));
  if (options.sizes) options.bench.sizes = parse_sizes(*options.sizes, kMaxSize);
  if (!fits(options.bench))
    return fail(kBadInput,
                fmt::format("--messages by --sizes is more than {} MiB", kMaxSize >> 20));
  options.bench.peers = open_peers(options.peers.value_or(""));
  options.bench.time = std::chrono::milliseconds(options.time_ms);
  options.bench.brief = options.names.empty();
  Json reports;
  std::vector<std::string> warnings;
  const int code = run_benches(chosen, options.bench, !options.json, &reports, &warnings);
  if (options.json && code != kBadInput) fmt::print("{}", json_text(reports));
  for (const std::string& warning : warnings) fail(kDone, warning);
  return code;
}

std::vector<Option> options_of(Options* o) {
  return {
      text("ALG", "", &o->names, "what to measure; without it the whole library, briefly")
          .such_as(measurable_names()),
      text("--vs", "LIST", &o->peers,
           fmt::format("measure other libraries beside us: {}", fmt::join(peer_names(), ", ")))
          .such_as(peer_names()),
      text("--sizes", "LIST", &o->sizes, "bytes of data in a call: a list such as 16,1k,8K,64KiB"),
      number("--messages", "LIST", &o->bench.messages, 1, kMaxMessages,
             "aes, sha: messages side by side in a call: a list such as 1,2,32")
          .separated_by(',')
          .usually("1,32")
          .marks(&o->messages_given),
      number("--time", "N", &o->time_ms, 1, kMaxTimeMs, "milliseconds for each figure")
          .marks(&o->time_given),
      text("--table", "TABLE", &o->bench.tables,
           "padlock-model: only this table, such as guide-esther; repeatable"),
      text("--sysfs", "DIR", &o->bench.sysfs, "for tests").hidden(),
      flag("--json", &o->json, "print JSON"),
  };
}

std::vector<Option> baes_options_of(Options* o) {
  return {
      flag("--baes", &o->baes, "aes: the sample's rates, by PadLock where there is one")
          .excludes({"--vs", "--sizes", "--messages", "--time", "--table"}),
      number("--rep", "N", &o->baes_options.repetitions, 1, 1'000'000'000, "calls for each rate"),
      number("--buffer", "N", &o->baes_options.blocks, 1, UINT64_MAX,
             "blocks of 16 bytes in a call"),
      flag("--mc", &o->baes_options.monte_carlo, "Monte Carlo tests first"),
      chip_option(&o->chip),
  };
}

}  // namespace

Command bench_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "bench",
      .summary = "how fast the library is here, beside other libraries; known answers come first",
      .options =
          joined({options_of(o.get()), in_group_of_first("In the form of the guide's sample BAES",
                                                         baes_options_of(o.get()))}),
      .about =
          "Each operation is checked against published results, and with --vs also against the "
          "other library, before its speed is shown. Cycles are the core's own.\n"
          "\n"
          "padlock-model measures nothing: it compares the timing model with the performance "
          "figures of the PadLock guide and the Linux Journal article, and says the error of each.",
      .examples = {"incore bench --vs openssl",
                   "incore bench aes sha256 --sizes 16,1k,64KiB --json",
                   "incore bench aes-128-cbc-encrypt --sizes 16,256 --messages 1,2,4,32",
                   "INCORE_KERNEL=aes:portable incore bench aes-128-ctr",
                   "incore bench padlock-model --table linux-journal",
                   "incore bench aes --baes --cpu esther --rep 1000 --mc"},
      .exit_codes = {{"0", "done"}, {"1", "a result is wrong"}, {"2", "something is unknown"}},
      .run = [o] { return o->baes ? bench_as_baes(*o) : bench(*o); },
  };
}

}  // namespace incore::cli
