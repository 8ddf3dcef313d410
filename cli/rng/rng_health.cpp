// `incore rng health`: which generators there are and how fast, or the health tests of SP 800-90B
// over one of them, a file or a pipe.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/options/source_options.h"
#include "tools/base/interrupt.h"
#include "tools/base/progress.h"
#include "tools/base/sizes.h"
#include "tools/random/health_report.h"

namespace incore::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kChunk = 64 << 10;
constexpr uint64_t kLiveSize = 1 << 20;

struct Options {
  SourceOptions source;
  std::optional<std::string> size;
  bool binary = false, json = false;
};

int table_of_sources(const Options& options) {
  if (const std::string given = options.source.options_of_xstore(); !given.empty())
    return fail(kBadInput, given + " is an option of xstore: name that SOURCE");
  return print_source_table(options.source, options.json);
}

// Reads at most |left| bytes into |monitor| and |check|.
void read_all(ByteSource& source, uint64_t left, incore_rng_monitor* monitor, HealthCheck* check) {
  Progress progress(source.name(), source.is_live() ? left : source.size().value_or(0));
  std::vector<uint8_t> buffer(kChunk);
  ByteSource::Read read = {0, ByteSource::End::none};
  const Clock::time_point start = Clock::now();
  while (left != 0 && read.end == ByteSource::End::none && check->error.empty()) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, kChunk));
    read = source.read({buffer.data(), n});
    // A live source's bytes are tested where they come from, before SHA-256.
    if (!source.is_live()) (void)!incore_rng_monitor_update(monitor, buffer.data(), read.len);
    check->error = read.error;
    check->bytes += read.len;
    left -= read.len;
    progress.update(check->bytes);
  }
  check->seconds = std::chrono::duration<double>(Clock::now() - start).count();
  check->is_interrupted = read.end == ByteSource::End::interrupted;
}

int test_source(const Options& options) {
  ByteSource source;
  HealthCheck check;
  check.error = source.open(options.source);
  if (!check.error.empty() && !source.health()) return fail(kBadInput, check.error);
  if (source.is_live() && options.binary)
    return fail(kBadInput, "--binary is for a file, not for " + source.name());
  incore_rng_monitor monitor;
  if (incore_rng_monitor_init(&monitor, options.source.min_entropy, options.binary) != INCORE_OK)
    return fail(kBadInput,
                "--min-entropy: one bit a sample is the most that --binary samples have");
  uint64_t left = source.is_live() ? kLiveSize : UINT64_MAX;
  if (options.size) left = parse_byte_count("--size", *options.size);

  check.source = source.is_live() ? source.name() : options.source.name;
  check.title = source.name();
  read_all(source, left, &monitor, &check);
  if (source.is_live())
    check.health = *source.health();
  else if (incore_rng_monitor_get_health(&monitor, &check.health) != INCORE_OK)
    return fail(kDiffers, "no result");
  fmt::print("{}", options.json ? health_json(check) : health_text(check));
  if (check.is_interrupted)
    return fail(interrupt_exit_code(), fmt::format("interrupted after {} bytes", check.bytes));
  if (!check.error.empty()) return fail(kDiffers, check.error);
  if (check.health.bytes == 0) return fail(kBadInput, check.title + " is empty");
  return check.has_failed() ? kDiffers : kDone;
}

}  // namespace

Command rng_health_command() {
  auto o = std::make_shared<Options>();
  const std::vector<Option> own = {
      text("SOURCE", "", &o->source.name,
           fmt::format("one of {}, a file, or - for standard input; without it, a table of these "
                       "generators with their speed",
                       known_sources()))
          .such_as(source_names()),
      text("-n,--size", "BYTES", &o->size, "how many bytes, such as 64k, 10M")
          .usually("1M of a generator, all of a file")
          .needs("SOURCE"),
      flag("--binary", &o->binary,
           "a file's bytes hold one bit each: windows of 1024 instead of 512")
          .needs("SOURCE"),
      flag("--json", &o->json, "print JSON")};
  std::vector<Option> source = source_options(&o->source);
  named(source, "--stall-timeout").needed.push_back("SOURCE");
  return {.name = "health",
          .summary =
              "the generators of this machine and their speed; health tests of one, or of a file",
          .options = joined({own, source}),
          .examples = {"incore rng health", "incore rng health rdseed --size 100M",
                       "incore rng health capture.bin --min-entropy 6.5 --json"},
          .exit_codes = {{"0", "passed"},
                         {"1", "a test failed or the source did"},
                         {"2", "bad usage or input"},
                         {"128 + signal", "interrupted"}},
          .run = [o] {
            const InterruptGuard guard;
            return o->source.name.empty() ? table_of_sources(*o) : test_source(*o);
          }};
}

}  // namespace incore::cli
