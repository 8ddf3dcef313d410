#include "tools/sweep/sweep_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "incore/sha.h"
#include "tools/base/input_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/hash/hash_file.h"
#include "tools/vemicry/measured_call.h"
#include "tools/vemicry/vemicry_program.h"

namespace incore::tools {
namespace {

std::string read_file(const std::string& path, std::string* out_bytes) {
  const std::string mistake = read_input_file(path, out_bytes);
  return mistake.empty() ? "" : quoted_if_needed(path) + ": " + mistake;
}

// Why |program| is none for a machine like |config|; empty if it is one.
std::string function_mistake(const SweepProgram& program, const incore_vemicry_config& config) {
  std::string mistake;
  const ProgramHandle loaded = read_program(program.call.file, config, &mistake);
  if (loaded == nullptr) return mistake;
  for (const std::string& label : program.call.labels()) {
    uint32_t address = 0;
    mistake = find_function(*loaded, program.call.file, label, &address);
    if (!mistake.empty()) return mistake;
  }
  return "";
}

std::string digest_of(const std::string& simulator, const std::string& program) {
  incore_sha sha;
  uint8_t digest[INCORE_SHA256_DIGEST_LEN];
  if (incore_sha_init(&sha, INCORE_SHA256) != INCORE_OK ||
      incore_sha_update(&sha, simulator.data(), simulator.size()) != INCORE_OK ||
      incore_sha_update(&sha, program.data(), program.size()) != INCORE_OK ||
      incore_sha_final(&sha, digest, sizeof digest) != INCORE_OK)
    throw std::logic_error("SHA-256 failed");
  std::string hex;
  for (size_t i = 0; i < 8; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string program_bytes(const SweepProgram& program, std::string* out_bytes) {
  if (const UserCall& call = program.call; !call.file.empty()) {
    std::string error = read_file(call.file, out_bytes);
    // What the call gets counts, too, and what it must leave.
    *out_bytes += program.name;
    for (const auto* list : {&call.inputs, &call.outputs})
      for (const UserBytes& one : *list)
        *out_bytes += fmt::format(" {} {} ", one.label, one.bytes.size()) + one.bytes;
    return error;
  }
  incore_vemicry_workload workload;
  for (size_t i = 0; incore_vemicry_get_workload(i, &workload) == INCORE_OK; ++i) {
    if (program.name != workload.name) continue;
    size_t len = 0;
    const uint8_t* const bytes = incore_vemicry_program_file(workload.program, &len);
    if (bytes == nullptr) break;
    out_bytes->assign(reinterpret_cast<const char*>(bytes), len);
    return "";
  }
  return fmt::format("the program of {} is not built in", program.name);
}

// What came of one point.
struct Measured {
  enum { pending, done, refused, wrong } state = pending;
  SweepOutcome outcome;
  std::string reason;  // refused, wrong
};

Measured measure(const SweepProgram& program, const SweepPoint& point, uint64_t max_instructions) {
  const incore_vemicry_config config = point.config();
  incore_vemicry_figures figures = {};
  std::string reason;
  incore_status status;
  if (program.call.file.empty()) {
    reason.resize(1024);
    status = incore_vemicry_measure(program.name.c_str(), &config, point.seed, &figures,
                                    reason.data(), reason.size());
    reason = reason.c_str();
  } else {
    status = measure_user_call(program.call, config, max_instructions, &figures, &reason);
  }
  if (status == INCORE_OK)
    return {Measured::done, {"", figures.instructions, figures.cycles, figures.num_bytes}, ""};
  if (status == INCORE_ERROR_RANGE) return {Measured::refused, {reason, 0, 0, 0}, reason};
  return {Measured::wrong, {}, reason};
}

// The threads' common work.
class Work {
 public:
  Work(const SweepPlan& plan, const std::vector<SweepPoint>& points,
       const std::vector<std::string>& fingerprints, const std::atomic<bool>& stop,
       SweepStore* store)
      : measured(points.size()),
        plan_(plan),
        points_(points),
        fingerprints_(fingerprints),
        stop_(stop),
        store_(store),
        progress_("sweep", points.size()) {
    for (size_t i = 0; i < points.size(); ++i) {
      const SweepPoint& point = points[i];
      if (std::string reason = impossible(point); !reason.empty()) {
        measured[i] = {Measured::refused, {}, std::move(reason)};
      } else if (const SweepOutcome* known =
                     store->find(plan, point, fingerprints[point.program])) {
        measured[i] = {known->refusal.empty() ? Measured::done : Measured::refused, *known,
                       known->refusal};
      } else {
        todo_.push_back(i);
      }
    }
    done_ = points.size() - todo_.size();
  }

  // One thread's share.
  void run() {
    for (;;) {
      const size_t next = next_++;
      if (next >= todo_.size() || stop_ || failed_) return;
      const SweepPoint& point = points_[todo_[next]];
      Measured result = measure(plan_.programs[point.program], point, plan_.max_instructions);
      const std::lock_guard<std::mutex> lock(mutex_);
      if (result.state != Measured::wrong)
        if (std::string text =
                store_->add(plan_, point, fingerprints_[point.program], result.outcome);
            !text.empty()) {
          error = std::move(text);
          failed_ = true;
        }
      measured[todo_[next]] = std::move(result);
      progress_.update_count(++done_, plan_.programs[point.program].name);
    }
  }

  size_t num_todo() const { return todo_.size(); }

  std::vector<Measured> measured;  // by point
  std::string error;               // of the store

 private:
  const SweepPlan& plan_;
  const std::vector<SweepPoint>& points_;
  const std::vector<std::string>& fingerprints_;
  const std::atomic<bool>& stop_;
  SweepStore* store_;
  Progress progress_;
  std::vector<size_t> todo_;  // numbers of points
  std::atomic<size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // of what follows, the store and the results
  size_t done_ = 0;
};

}  // namespace

std::string sweep_fingerprints(const SweepPlan& plan, std::vector<std::string>* out_fingerprints) {
  const FileHash simulator = hash_file("/proc/self/exe", *find_hash_by_name("sha256"));
  if (simulator.error != 0)
    return fmt::format("cannot read this program itself: {}", std::strerror(simulator.error));
  for (const SweepProgram& program : plan.programs) {
    std::string bytes;
    if (std::string error = program_bytes(program, &bytes); !error.empty()) return error;
    out_fingerprints->push_back(digest_of(simulator.digest, bytes));
  }
  return "";
}

std::string read_sweep_files(SweepPlan* inout_plan) {
  for (SweepProgram& program : inout_plan->programs)
    if (std::string error = read_call_files(&program.call); !error.empty()) return error;
  return "";
}

std::string sweep_program_mistake(const SweepPlan& plan) {
  for (const SweepProgram& program : plan.programs) {
    // It is read for every machine anew, which a pipe does not allow.
    std::error_code error;
    if (!program.call.file.empty() && std::filesystem::exists(program.call.file, error) &&
        !std::filesystem::is_regular_file(program.call.file, error))
      return quoted_if_needed(program.call.file) + ": is no regular file";
  }
  std::vector<std::string> mistakes(plan.programs.size());
  std::vector<bool> found(plan.programs.size());
  std::set<std::tuple<size_t, uint32_t, uint32_t, uint32_t>> tried;  // all that assembly depends on
  for (const SweepPoint& point : sweep_points(plan)) {
    const SweepProgram& program = plan.programs[point.program];
    if (program.call.file.empty() || found[point.program] || !impossible(point).empty()) continue;
    if (!tried.emplace(point.program, point.q, point.p, point.l).second) continue;
    std::string mistake = function_mistake(program, point.config());
    found[point.program] = mistake.empty();
    if (mistakes[point.program].empty()) mistakes[point.program] = std::move(mistake);
  }
  for (size_t i = 0; i < mistakes.size(); ++i)
    if (!found[i] && !mistakes[i].empty()) return mistakes[i];
  return "";
}

std::string run_sweep(const SweepPlan& plan, unsigned jobs, const std::atomic<bool>& stop,
                      SweepStore* store, SweepResult* out_result) {
  std::vector<std::string> fingerprints;
  if (std::string error = sweep_fingerprints(plan, &fingerprints); !error.empty()) return error;
  const std::vector<SweepPoint> points = sweep_points(plan);
  Work work(plan, points, fingerprints, stop, store);
  const size_t wanted = jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(wanted, work.num_todo()); ++i)
    threads.emplace_back([&work] { work.run(); });
  work.run();
  for (std::thread& thread : threads) thread.join();

  out_result->plan = plan;
  out_result->num_points = points.size();
  for (size_t i = 0; i < points.size(); ++i) {
    Measured& measured = work.measured[i];
    switch (measured.state) {
      case Measured::pending:
        break;
      case Measured::done:
        out_result->rows.push_back({points[i], measured.outcome});
        break;
      case Measured::refused:
        out_result->skipped.push_back({points[i], measured.reason});
        break;
      case Measured::wrong:
        out_result->failed.push_back({points[i], measured.reason});
        break;
    }
  }
  return work.error;
}

}  // namespace incore::tools
