// The processes of one `incore run`: their configuration, counters and findings. One `incore run`
// inside another has a group of its own, which the outer one supervises.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "base/descriptor.h"
#include "run/findings.h"
#include "run/protocol.h"

namespace incore::run {

// Memory that processes share by a descriptor: see kGroupMemoryLen.
class GroupMemory {
 public:
  // Takes |fd|, which is its descriptor. stats() is null if that did not work.
  explicit GroupMemory(Descriptor& fd) : fd_(fd.release()) { map(); }
  ~GroupMemory();
  GroupMemory(const GroupMemory&) = delete;
  GroupMemory& operator=(const GroupMemory&) = delete;
  // A descriptor of new memory; negative if there is none.
  static int create();

  Stats* stats() const { return stats_; }
  int fd() const { return fd_.get(); }
  // Tells its processes where CPUID is in a file, if there is room.
  void tell(const FileIdentity& file, std::span<const uint64_t> sites);
  // The image for programs of a word size, with |config|; here when it has been asked for.
  const std::vector<uint8_t>& image(bool is_32bit, const Config& config);

 private:
  void map();

  Descriptor fd_;
  Stats* stats_ = nullptr;
  KnownFiles* known_files_ = nullptr;
  std::set<FileIdentity> told_;
  uint32_t num_told_sites_ = 0;
  std::vector<uint8_t> images_[2];
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
  int memory_fd() const;
  std::vector<Finding> findings() const;

 private:
  long group_;
};

struct Group {
  // Its memory is new, or what an |outer| run has for it.
  explicit Group(const Config& config, const OuterRun* outer = nullptr);

  Config config;
  std::shared_ptr<GroupMemory> memory;  // null: closed
  Findings findings;
};

}  // namespace incore::run
