// The random bytes that Linux would give to the programs of a run, made from a seed instead.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <vector>

namespace incore::run {

// Each thread has a stream of its own, which its parents and the order of its creation tell, and
// each call in it another part: so neither scheduling nor the length of an earlier call matters.
// The order is that of the numbers of those alive when the first of them draws.
class SeededRandom {
 public:
  explicit SeededRandom(uint64_t seed) : seed_(seed) {}

  // For the next call of thread |tid|.
  std::vector<uint8_t> draw(pid_t tid, size_t len);

 private:
  struct Task {
    uint64_t stream = 0;
    uint64_t num_draws = 0, num_threads = 0, num_processes = 0;
  };

  Task& task(pid_t tid);
  void add_tasks(Task& parent, bool are_threads, std::vector<pid_t> tids);

  const uint64_t seed_;
  Task root_;  // the parent of the program, and of those whose parent has ended
  std::map<pid_t, Task> tasks_;
};

}  // namespace incore::run
