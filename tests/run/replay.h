// Replays states of the processor in a program under `incore run`, and compares what becomes of
// them with the emulated processor on the same state: registers, flags, signals and memory.
//
//   Replay replay({.bits = 64, .model = "nano", .path = Replay::Path::patched}, seed);
//   const uint32_t site = replay.add_site({0xF3, 0x0F, 0xA7, 0xC8});
//   replay_record& record = replay.add_record(site);
//   record.registers[kRcx] = ...
//   replay.run();
//
// Nothing of the run-time serves here: what Linux makes of an exception and what a segment
// descriptor means are written down anew.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "guest/replay.h"
#include "padlock/processor.h"
#include "support/hex.h"

namespace incore::test {

// What must become of a record.
struct ReplayOutcome {
  replay_result result;
  Bytes arena;
  padlock::Trap trap;
};

class Replay {
 public:
  // How the instructions come to the run-time.
  enum class Path : uint8_t { trapped, patched, checked, traced, stale_keys };
  static constexpr Path kPaths[] = {Path::trapped, Path::patched, Path::checked, Path::traced,
                                    Path::stale_keys};
  static const char* name_of(Path path);

  struct Setting {
    unsigned bits = 64;  // of the code: 32 or 64
    std::string model = "nano";
    Path path = Path::trapped;
  };

  Replay(const Setting& setting, uint64_t seed);

  const Setting& setting() const { return setting_; }
  const padlock::Model& model() const { return spec_.model; }
  padlock::CodeSize code_size() const;
  uint64_t arena_at() const { return batch_.arena_at; }
  const Bytes& pristine() const { return pristine_; }  // the arena before a record's pokes

  // |behind|: instructions without effect, which a patch may have to borrow.
  uint32_t add_site(const Bytes& instruction, const Bytes& behind = {});
  const Bytes& instruction(uint32_t site) const { return instructions_[site]; }
  // All registers 0, all pages writable, ES flat. To be filled before the next is added.
  replay_record& add_record(uint32_t site);
  size_t num_records() const { return records_.size(); }

  // Runs the guest, and reports the first record that ended otherwise. |look| sees how each ended.
  using Look = std::function<void(size_t record, const ReplayOutcome& outcome)>;
  void run(const Look& look = nullptr);

 private:
  Bytes arena_before(const replay_record& record) const;
  ReplayOutcome outcome_of(const replay_record& record);
  void compare(const std::string& answer, const Look& look);
  void check_counts(const std::string& statistics);
  std::string description(const replay_record& record) const;

  Setting setting_;
  padlock::ModelSpec spec_;
  uint64_t num_random_buffers_ = 0;  // that XSTORE has taken
  replay_batch batch_ = {};
  std::vector<replay_site> sites_;
  std::vector<Bytes> instructions_;
  std::vector<replay_record> records_;
  Bytes pristine_;
  uint64_t num_done_ = 0;  // records that completed
};

// A segment as the processor holds it.
padlock::Segment segment_of(const replay_es& es);

}  // namespace incore::test
