// The processes of one `incore run`: their configuration, counters and findings. One `incore run`
// inside another has a group of its own, which the outer one supervises.
#pragma once

#include <memory>
#include <vector>

#include "base/descriptor.h"
#include "run/findings.h"
#include "run/protocol.h"

namespace incore::run {

// Counters in memory that processes share by a descriptor.
class SharedStats {
 public:
  // Takes |fd|, which is theirs. get() is null if that did not work.
  explicit SharedStats(Descriptor& fd) : fd_(fd.release()) { map(); }
  ~SharedStats();
  SharedStats(const SharedStats&) = delete;
  SharedStats& operator=(const SharedStats&) = delete;
  // For new counters; negative if there is none.
  static int new_memory();

  Stats* get() const { return stats_; }
  int fd() const { return fd_.get(); }

 private:
  void map();

  Descriptor fd_;
  Stats* stats_ = nullptr;
};

// From an `incore run` inside another one.
class OuterRun {
 public:
  // Opens a group there. Its number is 0 if there is no outer run, and a negative errno if that
  // refuses.
  explicit OuterRun(const Config& config);
  ~OuterRun();
  OuterRun(const OuterRun&) = delete;
  OuterRun& operator=(const OuterRun&) = delete;

  long group() const { return group_; }
  bool enter() const;  // what the calling process executes next is in the group
  int stats_fd() const;
  std::vector<Finding> findings() const;

 private:
  long group_;
};

struct Group {
  // Its counters are new ones, or those that an |outer| run has for it.
  explicit Group(const Config& config, const OuterRun* outer = nullptr);

  Config config;
  std::shared_ptr<SharedStats> stats;  // null: closed
  Findings findings;
};

}  // namespace incore::run
