#include "tools/bench/bench_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "incore/cpu.h"
#include "tools/base/json.h"
#include "tools/base/progress.h"
#include "tools/bench/core_limits.h"
#include "tools/bench/governor.h"
#include "tools/bench/peer.h"

namespace incore::tools {
namespace {

// What was measured of one row. A null measurement's median is 0.
struct Figures {
  const Row* row;
  std::string kernel, source;
  Measurement ours;
  std::vector<Measurement> peers;  // in the order of the options
  double limit;                    // cycles per unit; 0: not known
};

// A row's work that gives a wrong result.
struct WrongResult : std::runtime_error {
  using std::runtime_error::runtime_error;
};

double units(const Row& row) {
  return row.bytes != 0 ? static_cast<double>(row.bytes) : 1.0;
}

std::string row_size(const Row& row) {
  if (row.bytes == 0) return "";
  if (row.task.messages == 1) return size_text(row.bytes);
  return fmt::format("{} x {}", row.task.messages, size_text(row.bytes / row.task.messages));
}

std::vector<Bytes> all_from_hex(const std::vector<std::string>& numbers) {
  std::vector<Bytes> result;
  for (const std::string& number : numbers) result.push_back(from_hex(number));
  return result;
}

Bytes repeated(const Bytes& bytes, size_t times) {
  Bytes result;
  for (size_t i = 0; i < times; ++i) result.insert(result.end(), bytes.begin(), bytes.end());
  return result;
}

// Checks the published results of |row|'s operation and returns where they stand. That there is
// none, is a mistake of ours.
std::string check_known_answers(const Family& family, const Row& row) {
  std::string source;
  for (const KnownAnswer& known : family.known_answers()) {
    if (row.task.operation != known.operation) continue;
    const size_t messages = row.task.messages;  // the published one so many times
    const Bytes expected = repeated(from_hex(known.out), messages);
    Task task{known.operation,
              from_hex(known.key),
              from_hex(known.iv),
              from_hex(known.aad),
              repeated(from_hex(known.in), messages),
              Bytes(expected.size()),
              messages,
              all_from_hex(known.numbers)};
    const Work work = family.prepare(task);
    if (work) work(1);
    if (task.out != expected)
      throw WrongResult(fmt::format("{} by kernel {} is wrong: not as in {}", row.task.operation,
                                    family.kernel(row.task), known.source));
    if (source.find(known.source) == std::string::npos)
      source += (source.empty() ? "" : ", ") + std::string(known.source);
  }
  if (source.empty())
    throw WrongResult(fmt::format("{} has no known answer, so no speed", row.task.operation));
  return source;
}

Measurement measure_peer(const Peer& peer, const Row& row, const Bytes& expected,
                         std::chrono::milliseconds time) {
  Task task = row.task;
  std::fill(task.out.begin(), task.out.end(), uint8_t{0});
  const Work work = peer.prepare(task);
  if (!work) return {};
  work(1);
  if (task.out != expected)
    throw WrongResult(fmt::format("{} on {}: our result and that of {} {} differ",
                                  row.task.operation, row_size(row), peer.name, version_of(peer)));
  return measure(work, time);
}

Figures measure_row(const Family& family, const Row& row, const BenchOptions& options,
                    const CoreLimits& limits) {
  Figures figures{&row, family.kernel(row.task), check_known_answers(family, row), {}, {}, 0};
  Task task = row.task;
  const Work work = family.prepare(task);
  work(1);
  const Bytes result = task.out;
  figures.ours = measure(work, options.time);
  if (task.out != result)
    throw WrongResult(fmt::format("{}: results of equal calls differ", row.task.operation));
  for (const Peer* peer : options.peers)
    figures.peers.push_back(measure_peer(*peer, row, result, options.time));
  // Calls of a few blocks overlap, so limits that hold for one chain say nothing of them.
  if (row.bytes == 0 || row.bytes / row.task.messages >= 1024)
    figures.limit = limits.cycles(row.task.operation, row.task.messages);
  return figures;
}

std::string significant(double value) {
  return fmt::format("{:.{}f}", value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

double cycles(const Figures& figures, const Measurement& measurement) {
  return measurement.median_cycles() / units(*figures.row);
}

// GB/s, or operations a second.
double rate(const Figures& figures, const Measurement& measurement) {
  return figures.row->bytes != 0 ? units(*figures.row) / measurement.median_ns
                                 : 1e9 / measurement.median_ns;
}

std::string heading(const BenchOptions& options, bool in_bytes) {
  std::string text = fmt::format("  {:<22} {:>11}  {:<10}{:>10} {:>10} {:>7}{:>7}", "operation",
                                 "size", "kernel", in_bytes ? "GB/s" : "op/s",
                                 in_bytes ? "cycles/B" : "cycles/op", "spread", "limit");
  for (const Peer* peer : options.peers) text += fmt::format(" {:>9} {:>6}", peer->name, "ratio");
  return text + "\n";
}

std::string line(const Figures& figures) {
  std::string text =
      fmt::format("  {:<22} {:>11}  {:<10}{:>10} {:>10} {:>6.1f}%", figures.row->task.operation,
                  row_size(*figures.row), figures.kernel, significant(rate(figures, figures.ours)),
                  significant(cycles(figures, figures.ours)), figures.ours.spread_percent);
  const double mine = cycles(figures, figures.ours);
  text += figures.limit == 0 ? fmt::format("{:>7}", "-")
                             : fmt::format("{:>6.0f}%", 100 * figures.limit / mine);
  for (const Measurement& peer : figures.peers)
    text += peer.batches == 0 ? fmt::format(" {:>9} {:>6}", "-", "-")
                              : fmt::format(" {:>9} {:>5.2f}x", significant(cycles(figures, peer)),
                                            cycles(figures, peer) / mine);
  return text + "\n";
}

Json measurement_json(const Figures& figures, const Measurement& m) {
  const double n = units(*figures.row);
  Json json = {{figures.row->bytes != 0 ? "cycles_per_byte" : "cycles_per_operation",
                {{"median", m.median_cycles() / n},
                 {"min", m.min_cycles() / n},
                 {"spread_percent", m.spread_percent}}},
               {figures.row->bytes != 0 ? "gigabytes_per_second" : "operations_per_second",
                rate(figures, m)}};
  if (figures.row->bytes == 0) json["operations_per_million_cycles"] = 1e6 / m.median_cycles();
  json["clock_ghz"] = m.clock_ghz;
  json["batches"] = m.batches;
  return json;
}

Json row_json(const Figures& figures, const BenchOptions& options) {
  const Row& row = *figures.row;
  Json json = {{"operation", row.task.operation}, {"kernel", figures.kernel}};
  if (row.bytes != 0) json["message_bytes"] = row.bytes / row.task.messages;
  json["messages"] = row.task.messages;
  json["known_answers"] = figures.source;
  json.update(measurement_json(figures, figures.ours));
  if (figures.limit != 0) json["limit_cycles"] = figures.limit;
  for (size_t i = 0; i < figures.peers.size(); ++i) {
    const char* name = options.peers[i]->name;
    if (figures.peers[i].batches == 0) {
      json["peers"][name] = nullptr;  // lacks it
      continue;
    }
    json["peers"][name] = measurement_json(figures, figures.peers[i]);
    json["peers"][name]["ratio"] =
        cycles(figures, figures.peers[i]) / cycles(figures, figures.ours);
  }
  return json;
}

std::string text_of(const char* name, const std::vector<Figures>& all, const BenchOptions& options,
                    const CoreLimits& limits, int cpu, const std::string& governor) {
  double clock = 0;
  std::vector<std::string> sources;
  for (const Figures& figures : all) {
    clock = std::max(clock, figures.ours.clock_ghz);
    if (std::find(sources.begin(), sources.end(), figures.source) == sources.end())
      sources.push_back(figures.source);
  }
  std::string text = fmt::format("{}: CPU {} at {:.2f} GHz, governor {}{}{}", name, cpu, clock,
                                 governor, limits.core.empty() ? "" : ", " + limits.core,
                                 options.peers.empty() ? "" : "; peers, in cycles:");
  for (const Peer* peer : options.peers)
    text += fmt::format(" {} {}", peer->name, version_of(*peer));
  text += fmt::format("\n  right: {}\n", fmt::join(sources, ", "));
  const Row* before = nullptr;
  for (const Figures& figures : all) {
    if (before == nullptr || (before->bytes != 0) != (figures.row->bytes != 0))
      text += heading(options, figures.row->bytes != 0);
    text += line(figures);
    before = figures.row;
  }
  return text + "\n";
}

}  // namespace

bool names_operation(const std::string& name, const std::string& operation) {
  return operation == name || operation.starts_with(name + "-");
}

bool is_chosen(const std::vector<std::string>& names, const std::string& operation) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return names_operation(name, operation);
         });
}

int run_tasks(const Bench& bench, const BenchOptions& options, Json* out_json,
              std::string* out_text) {
  const PinnedCpu pinned;
  const std::string governor = governor_of(options.sysfs, pinned.cpu());
  const CoreLimits limits = core_limits();
  const Family& family = *bench.family;
  std::vector<Row> rows = family.rows(options);
  std::erase_if(rows,
                [&](const Row& row) { return !is_chosen(options.operations, row.task.operation); });
  std::vector<Figures> all;
  {
    Progress progress(fmt::format("bench {}", bench.name), rows.size());
    for (Row& row : rows) {
      progress.update_count(all.size(), row.task.operation + " " + row_size(row));
      try {
        if (row.complete != nullptr) row.complete(row.task);
        all.push_back(measure_row(family, row, options, limits));
      } catch (const WrongResult& wrong) {
        return fail(kDiffers, wrong.what());
      }
    }
  }
  Json list = Json::array();
  for (const Figures& figures : all) list.push_back(row_json(figures, options));
  *out_json = {{"cpu", pinned.cpu()}, {"governor", governor}, {"core", limits.core}};
  for (const Peer* peer : options.peers) (*out_json)["peers"][peer->name] = version_of(*peer);
  (*out_json)["rows"] = list;
  *out_text += text_of(bench.name, all, options, limits, pinned.cpu(), governor);
  return kDone;
}

Bytes test_bytes(size_t len, uint64_t seed) {
  Bytes bytes(len);
  uint64_t x = seed * 0x9e3779b97f4a7c15 + 1;
  for (uint8_t& byte : bytes) {  // xorshift64
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    byte = static_cast<uint8_t>(x >> 32);
  }
  return bytes;
}

std::string size_text(size_t bytes) {
  if (bytes % (1024 * 1024) == 0 && bytes != 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes % 1024 == 0 && bytes != 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

std::vector<size_t> sizes_or(const BenchOptions& options, std::vector<size_t> preferred) {
  if (!options.sizes.empty()) return options.sizes;
  if (options.brief) return {16, 8192};
  return preferred;
}

std::vector<size_t> messages_of(const BenchOptions& options) {
  if (!options.messages.empty()) return options.messages;
  return options.brief ? std::vector<size_t>{1} : std::vector<size_t>{1, 32};
}

std::string kernel_of(const std::string& algorithm) {
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i) {
    if (algorithm != incore_cpu_algorithm_name(i)) continue;
    for (size_t k = 0; k < incore_cpu_num_kernels(i); ++k) {
      incore_cpu_kernel kernel;
      require_ok(incore_cpu_get_kernel(i, k, &kernel));
      if (kernel.chosen != 0) return kernel.name;
    }
  }
  return "-";
}

}  // namespace incore::tools
