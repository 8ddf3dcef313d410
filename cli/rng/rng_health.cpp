// `incore rng health`: which generators there are and how fast, or the health tests of SP 800-90B
// over one of them, a file or a pipe.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/options/source_options.h"
#include "cli/rng/rng.h"
#include "incore/rng.h"
#include "tools/base/interrupt.h"
#include "tools/base/progress.h"
#include "tools/base/sizes.h"
#include "tools/random/rng_source.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr size_t kChunk = 64 << 10;
constexpr uint64_t kLiveSize = 1 << 20;
constexpr auto kSpeedTime = std::chrono::milliseconds(100);

struct Options {
  SourceOptions source;
  std::optional<std::string> size;
  bool binary = false, json = false;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// MB/s, tests included; 0 if it failed, and why.
double measure(const SourceOptions& options, std::string* out_error) {
  ByteSource source;
  *out_error = source.open(options);
  if (!out_error->empty()) return 0;
  std::vector<uint8_t> buffer(4096);
  uint64_t bytes = 0;
  const Clock::time_point start = Clock::now();
  do {
    const ByteSource::Read read = source.read(buffer);
    *out_error = read.error;
    if (read.end != ByteSource::End::none) return 0;
    bytes += read.len;
  } while (Clock::now() - start < kSpeedTime);
  return static_cast<double>(bytes) / seconds_since(start) / 1e6;
}

int table_of_sources(const Options& options) {
  if (const std::string given = options.source.options_of_xstore(); !given.empty())
    return fail(kBadInput, given + " is an option of xstore: name that SOURCE");
  Json list = Json::array();
  int code = kDone;
  if (!options.json) fmt::print("{:<10} {:>10}  {}\n", "source", "MB/s", "");
  for (size_t i = 0; i < incore_rng_num_sources() && !interrupted(); ++i) {
    incore_rng_source about;
    if (incore_rng_get_source(i, &about) != INCORE_OK) continue;
    Json entry = {
        {"source", about.name}, {"summary", about.summary}, {"available", about.available != 0}};
    std::string rate = "-", note = about.summary;
    if (about.available != 0) {
      SourceOptions one = options.source;
      one.name = about.name;
      std::string error;
      const double speed = measure(one, &error);
      if (error.empty()) {
        rate = fmt::format("{:.2f}", speed);
        entry["mb_per_s"] = speed;
      } else {
        note = entry["error"] = error;
        code = kDiffers;
      }
    } else {
      note = entry["missing"] = about.missing;
    }
    list.push_back(entry);
    if (!options.json) fmt::print("{:<10} {:>10}  {}\n", about.name, rate, note);
  }
  if (options.json) fmt::print("{}\n", Json{{"sources", list}}.dump(2));
  return interrupted() ? interrupt_exit_code() : code;
}

Json json_of(const incore_rng_health& health) {
  return {
      {"bytes", health.bytes},
      {"repetition_count",
       {{"cutoff", health.repetition_cutoff},
        {"longest_run", health.longest_repetition},
        {"failures", health.repetition_failures}}},
      {"adaptive_proportion",
       {{"window", health.window},
        {"cutoff", health.proportion_cutoff},
        {"largest_count", health.largest_count},
        {"failures", health.proportion_failures}}},
      {"first_failure", health.first_failure != 0 ? Json(health.first_failure) : Json(nullptr)}};
}

std::string text_of(const incore_rng_health& health) {
  std::string text = fmt::format(
      "  repetition count     longest run   {:>4}, fails at {:>4}           {} failures\n"
      "  adaptive proportion  largest count {:>4}, fails at {:>4} of {:>4}   {} failures\n",
      health.longest_repetition, health.repetition_cutoff, health.repetition_failures,
      health.largest_count, health.proportion_cutoff, health.window, health.proportion_failures);
  if (health.first_failure != 0)
    text += fmt::format("  first failure at byte {}\n", health.first_failure);
  return text;
}

int test_source(const Options& options) {
  ByteSource source;
  std::string error = source.open(options.source);
  if (!error.empty() && !source.health()) return fail(kBadInput, error);
  if (source.is_live() && options.binary)
    return fail(kBadInput, "--binary is for a file, not for " + source.name());
  incore_rng_monitor monitor;
  if (incore_rng_monitor_init(&monitor, options.source.min_entropy, options.binary) != INCORE_OK)
    return fail(kBadInput,
                "--min-entropy: one bit a sample is the most that --binary samples have");
  uint64_t left = source.is_live() ? kLiveSize : UINT64_MAX;
  if (options.size) left = parse_byte_count("--size", *options.size);

  std::vector<uint8_t> buffer(kChunk);
  uint64_t bytes = 0;
  ByteSource::Read read = {0, ByteSource::End::none};
  const Clock::time_point start = Clock::now();
  {
    Progress progress(source.name(), source.is_live() ? left : source.size().value_or(0));
    while (left != 0 && read.end == ByteSource::End::none && error.empty()) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(left, kChunk));
      read = source.read({buffer.data(), n});
      // A live source's bytes are tested where they come from, before SHA-256.
      if (!source.is_live()) (void)!incore_rng_monitor_update(&monitor, buffer.data(), read.len);
      error = read.error;
      bytes += read.len;
      left -= read.len;
      progress.update(bytes);
    }
  }
  const double seconds = seconds_since(start);
  incore_rng_health health = {};
  if (source.is_live())
    health = *source.health();
  else if (incore_rng_monitor_get_health(&monitor, &health) != INCORE_OK)
    return fail(kDiffers, "no result");

  const bool failed = health.first_failure != 0;
  const bool partial = !error.empty() || read.end == ByteSource::End::interrupted;
  const char* const verdict = failed ? "fail" : health.bytes == 0 ? "skipped" : "pass";
  const double rate = seconds > 0 ? static_cast<double>(bytes) / seconds / 1e6 : 0;
  if (options.json) {
    Json json = {{"source", source.is_live() ? source.name() : options.source.name},
                 {"verdict", verdict},
                 {"partial", partial}};
    json.update(json_of(health));
    json["mb_per_s"] = rate;
    // A file name need not be UTF-8, JSON must.
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (health.bytes != 0) {
    fmt::print("{}: {}, {} bytes{}, {:.4g} MB/s\n{}", source.name(), verdict, health.bytes,
               partial ? " (partial)" : "", rate, text_of(health));
  }
  if (read.end == ByteSource::End::interrupted) {
    fail(interrupt_exit_code(), fmt::format("interrupted after {} bytes", bytes));
    return interrupt_exit_code();
  }
  if (!error.empty()) return fail(kDiffers, error);
  if (health.bytes == 0) return fail(kBadInput, source.name() + " is empty");
  return failed ? kDiffers : kDone;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::Option* const source = app.add_option(
      "SOURCE", options->source.name,
      fmt::format("one of {}, a file, or - for standard input; without it, a table of "
                  "these generators with their speed",
                  known_sources()));
  app.add_option("-n,--size", options->size,
                 "how many bytes, such as 64k, 10M; usually 1M of a generator, all of a file")
      ->type_name("BYTES")
      ->needs(source);
  app.add_flag("--binary", options->binary,
               "a file's bytes hold one bit each: windows of 1024 instead of 512")
      ->needs(source);
  app.add_flag("--json", options->json, "print JSON");
  add_source_options(app, &options->source);
  app.get_option("--stall-timeout")->needs(source);
  return [options] {
    const InterruptGuard guard;
    return options->source.name.empty() ? table_of_sources(*options) : test_source(*options);
  };
}

}  // namespace

extern const Subcommand rng_health_command = {
    "health", "the generators of this machine and their speed; health tests of one, or of a file",
    "Examples:\n"
    "  incore rng health\n"
    "  incore rng health rdseed --size 100M\n"
    "  incore rng health capture.bin --min-entropy 6.5 --json\n"
    "Exit code: 0 passed; 1 a test failed or the source did; 2 bad usage or input; 128 + signal if "
    "interrupted.",
    configure};

}  // namespace incore::cli
