#include "run/seeded_random.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "padlock/chacha20.h"
#include "run/text.h"

namespace incore::run {
namespace {

enum class Use : uint32_t { bytes = 1, stream_of_thread, stream_of_process };

// ChaCha20's block |counter|; seeded noise has a zero where its key has |use|.
void make_block(uint64_t seed, uint64_t stream, uint64_t number, Use use, uint32_t counter,
                uint8_t out[padlock::kChacha20BlockLen]) {
  const auto low = [](uint64_t word) { return static_cast<uint32_t>(word); };
  const uint32_t key[8] = {low(seed),   low(seed >> 32),   low(stream), low(stream >> 32),
                           low(number), low(number >> 32), 0,           static_cast<uint32_t>(use)};
  constexpr uint32_t kNonce[3] = {};
  padlock::chacha20_block(key, counter, kNonce, out);
}

// The number behind |name| in /proc/TID/status; 0 if there is none.
pid_t status_number(std::string_view status, std::string_view name) {
  pid_t number = 0;
  for (const std::string_view line : split(status, '\n'))
    if (line.starts_with(name))
      std::from_chars(line.data() + name.size() + 1, line.data() + line.size(), number);
  return number;
}

std::string task_folder(pid_t pid) {
  return "/proc/" + std::to_string(pid) + "/task";
}

std::vector<pid_t> threads_of(pid_t pid) {
  std::vector<pid_t> tids;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator(task_folder(pid), error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error))
    tids.push_back(std::stoi(at->path().filename()));
  return tids;
}

// Where Linux was built to tell.
std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  for (const pid_t tid : threads_of(pid)) {
    const std::string list = read_text(task_folder(pid) + "/" + std::to_string(tid) + "/children");
    for (const std::string_view word : split(list, ' '))
      if (pid_t child; std::from_chars(word.begin(), word.end(), child).ec == std::errc())
        children.push_back(child);
  }
  return children;
}

}  // namespace

std::vector<uint8_t> SeededRandom::draw(pid_t tid, size_t len) {
  constexpr size_t kBlockLen = padlock::kChacha20BlockLen;
  Task& drawing = task(tid);
  const uint64_t number = drawing.num_draws++;
  std::vector<uint8_t> bytes((len + kBlockLen - 1) / kBlockLen * kBlockLen);
  for (size_t i = 0; i < bytes.size(); i += kBlockLen)
    make_block(seed_, drawing.stream, number, Use::bytes, static_cast<uint32_t>(i / kBlockLen),
               &bytes[i]);
  bytes.resize(len);
  return bytes;
}

SeededRandom::Task& SeededRandom::task(pid_t tid) {
  if (const auto known = tasks_.find(tid); known != tasks_.end()) return known->second;
  const std::string status = read_text("/proc/" + std::to_string(tid) + "/status");
  const pid_t process = status_number(status, "Tgid:"), parent = status_number(status, "PPid:");
  if (process != 0 && process != tid)
    add_tasks(task(process), true, threads_of(process));
  else if (parent > 1 && parent != getpid())
    add_tasks(task(parent), false, children_of(parent));
  if (!tasks_.contains(tid)) add_tasks(root_, false, {tid});
  return tasks_[tid];
}

void SeededRandom::add_tasks(Task& parent, bool are_threads, std::vector<pid_t> tids) {
  std::sort(tids.begin(), tids.end());
  for (const pid_t tid : tids) {
    const auto [entry, is_new] = tasks_.try_emplace(tid);
    if (!is_new) continue;
    uint64_t& number = are_threads ? parent.num_threads : parent.num_processes;
    uint8_t block[padlock::kChacha20BlockLen];
    make_block(seed_, parent.stream, number++,
               are_threads ? Use::stream_of_thread : Use::stream_of_process, 0, block);
    entry->second.stream = load_le64(block);
  }
}

}  // namespace incore::run
