// Tasks that do not depend on each other, run by a few threads and followed by one.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "assess/suite.h"

namespace incore::assess::sp800_90b {

struct Task {
  const char* name;
  std::function<void()> run;  // gives up soon after |stop| of run_tasks is set
};

// run_tasks runs |tasks|, begun in their order, |num_threads| at a time, and tells |progress|.
// Returns false if progress stopped them; tasks that were not begun then are not. What a task
// throws is thrown here when all have ended.
bool run_tasks(const std::vector<Task>& tasks, unsigned num_threads, Progress& progress,
               std::atomic<bool>* stop);

}  // namespace incore::assess::sp800_90b
