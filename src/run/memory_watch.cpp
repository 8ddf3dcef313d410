#include "run/memory_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "run/mappings.h"
#include "run/process_image.h"
#include "run/protocol.h"

namespace incore::run {
namespace {

constexpr uint64_t kPage = 4096, kPiece = 256 * kPage, kOverlap = 15, kMostOfMapping = 1ull << 32;

bool is_runtime(const Mapping& mapping) {
  return mapping.begin >> 32 == kRuntimeHighWord ||
         (mapping.begin >= kRuntimeBase32 && mapping.begin < kRuntimeBase32 + kRuntimeLen);
}

bool is_watched(const Mapping& mapping) {
  return mapping.permissions[0] == 'r' && mapping.permissions[1] == 'w' &&
         mapping.permissions[3] == 'p' && mapping.end - mapping.begin <= kMostOfMapping &&
         !is_runtime(mapping);
}

class Shower {
 public:
  Shower(pid_t pid, const OnMemory& on_memory)
      : pid_(pid),
        on_memory_(on_memory),
        page_map_(
            open(("/proc/" + std::to_string(pid) + "/pagemap").c_str(), O_RDONLY | O_CLOEXEC)),
        bytes_(kPiece + kOverlap) {}

  // False: no more is wanted.
  bool show(const Mapping& mapping) {
    for (uint64_t at = mapping.begin; at < mapping.end; at += kPiece)
      if (!show_piece(mapping, at, std::min(at + kPiece, mapping.end))) return false;
    return true;
  }

 private:
  // The runs of used pages in [begin, end).
  bool show_piece(const Mapping& mapping, uint64_t begin, uint64_t end) {
    look_up_pages(begin, (end - begin) / kPage);
    for (size_t i = 0; i < entries_.size();) {
      size_t behind = i;
      while (behind < entries_.size() && is_used(entries_[behind])) ++behind;
      if (behind == i) {
        ++i;
        continue;
      }
      const uint64_t from = begin + i * kPage;
      const uint64_t to = std::min(begin + behind * kPage + kOverlap, mapping.end);
      if (read_process(pid_, from, bytes_.data(), to - from) &&
          !on_memory_({bytes_.data(), static_cast<size_t>(to - from)}))
        return false;
      i = behind;
    }
    return true;
  }

  // Linux Documentation/admin-guide/mm/pagemap.rst: in memory, or swapped out.
  static bool is_used(uint64_t entry) { return entry >> 62 != 0; }

  void look_up_pages(uint64_t begin, size_t count) {
    entries_.assign(count, ~uint64_t{0});
    const size_t len = count * sizeof entries_[0];
    if (pread(page_map_.get(), entries_.data(), len,
              static_cast<off_t>(begin / kPage * sizeof entries_[0])) != static_cast<ssize_t>(len))
      entries_.assign(count, ~uint64_t{0});
  }

  const pid_t pid_;
  const OnMemory& on_memory_;
  const Descriptor page_map_;
  std::vector<uint64_t> entries_;
  std::vector<uint8_t> bytes_;
};

}  // namespace

void show_memory(pid_t pid, const OnMemory& on_memory) {
  Shower shower(pid, on_memory);
  for (const Mapping& mapping : read_mappings(pid))
    if (is_watched(mapping) && !shower.show(mapping)) return;
}

}  // namespace incore::run
