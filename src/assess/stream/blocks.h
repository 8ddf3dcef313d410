// Cuts a stream into blocks of one size, however it arrives, so that no result depends on that.
// Before each block in memory are the last bytes of the one before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace incore::assess {

class Blocks {
 public:
  // The |history_len| bytes before a block may be read; those before the stream are zero.
  explicit Blocks(size_t block_len, size_t history_len = 0)
      : history_len_(history_len), buffer_(history_len + block_len) {}

  // Calls use(span) for each full block.
  template <class Use>
  void feed(std::span<const uint8_t> data, Use use) {
    num_bytes_ += data.size();
    while (!data.empty()) {
      const size_t taken = std::min(data.size(), buffer_.size() - history_len_ - filled_);
      std::memcpy(block() + filled_, data.data(), taken);
      data = data.subspan(taken);
      filled_ += taken;
      if (history_len_ + filled_ == buffer_.size()) finish(use);
    }
  }

  // Calls use(span) for what is left, if there is any.
  template <class Use>
  void finish(Use use) {
    if (filled_ == 0) return;
    use(std::span<const uint8_t>(block(), filled_));
    std::memmove(buffer_.data(), buffer_.data() + filled_, history_len_);
    filled_ = 0;
  }

  uint64_t num_bytes() const { return num_bytes_; }

 private:
  uint8_t* block() { return buffer_.data() + history_len_; }

  size_t history_len_, filled_ = 0;
  std::vector<uint8_t> buffer_;
  uint64_t num_bytes_ = 0;
};

}  // namespace incore::assess
