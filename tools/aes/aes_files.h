// Files, secrets and signals of `incore aes`.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "incore/status.h"

namespace incore::tools {

// What is thrown as std::runtime_error ends the command with kBadInput, this with kDiffers.
struct CannotDecrypt : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// stop_signal came.
struct Interrupted {};

extern volatile std::sig_atomic_t stop_signal;

// While this lives, a signal that would end the program lets it remove its temporary file first.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  static constexpr size_t kNumSignals = sizeof kSignals / sizeof kSignals[0];
  struct sigaction before_[kNumSignals];
};

// |error| is what OutputFile returned.
void require_written(const std::string& error);

void wipe(std::vector<uint8_t>& bytes);

// Bytes that are wiped at the end.
struct Secret {
  explicit Secret(size_t len) : bytes(len) {}
  ~Secret();
  Secret(const Secret&) = delete;
  void grow(size_t len);
  uint8_t* data() { return bytes.data(); }
  std::vector<uint8_t> bytes;
};

class InputFile {
 public:
  explicit InputFile(const std::string& path, bool dash_is_stdin = true);
  ~InputFile();
  InputFile(const InputFile&) = delete;

  uint64_t size() const { return size_; }  // 0 if not known

  // 0 at the end of the file only.
  size_t read(uint8_t* out, size_t out_len) const;
  // Less than |out_len| at the end of the file only.
  size_t read_full(uint8_t* out, size_t out_len) const;

 private:
  [[noreturn]] void fail_to_read() const;

  std::string name_;
  int fd_;
  uint64_t size_ = 0;
};

}  // namespace incore::tools
