#include "assess/sp800_90b/tasks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace incore::assess::sp800_90b {

bool run_tasks(const std::vector<Task>& tasks, unsigned num_threads, Progress& progress,
               std::atomic<bool>* stop) {
  std::mutex mutex;
  std::condition_variable changed;
  size_t begun = 0, ended = 0, working = std::clamp<size_t>(num_threads, 1, tasks.size());
  std::exception_ptr thrown;

  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (begun < tasks.size() && !*stop) {
      const Task& task = tasks[begun++];
      lock.unlock();
      std::exception_ptr failure;
      try {
        task.run();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      ++ended;
      if (failure) {
        thrown = failure;
        *stop = true;
      }
    }
    --working;
    changed.notify_one();
  };

  bool stopped = false;
  {
    std::vector<std::jthread> threads;
    const size_t wanted = working;
    for (size_t i = 0; i < wanted; ++i) {
      try {
        threads.emplace_back(work);
      } catch (const std::system_error&) {  // no more threads are to be had
        const std::lock_guard lock(mutex);
        --working;
      }
    }
    if (threads.empty()) {
      working = 1;
      work();
    }
    std::unique_lock lock(mutex);
    while (working != 0) {
      changed.wait_for(lock, std::chrono::milliseconds(100));
      const char* const name = tasks[begun == 0 ? 0 : begun - 1].name;
      const double share = static_cast<double>(ended) / static_cast<double>(tasks.size());
      lock.unlock();
      if (!stopped && !progress.update(name, share)) *stop = stopped = true;
      lock.lock();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  return !stopped;
}

}  // namespace incore::assess::sp800_90b
