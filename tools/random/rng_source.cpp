#include "tools/random/rng_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "tools/base/interrupt.h"
#include "tools/base/quote.h"

namespace incore::tools {
namespace {

// Between two looks whether the user has had enough.
constexpr size_t kLiveChunk = 4096;

std::string failed_test(const incore_rng_health& health) {
  const bool repetition = health.repetition_failures != 0;
  return repetition ? fmt::format("repetition count test: {} equal bytes, at byte {}",
                                  health.repetition_cutoff, health.first_failure)
                    : fmt::format("adaptive proportion test: {} equal bytes of {}, at byte {}",
                                  health.proportion_cutoff, health.window, health.first_failure);
}

std::string title_of_file(const std::string& path) {
  return path == "-" ? "standard input" : in_quotes(path);
}

}  // namespace

// A generator of this processor, or of an emulated one.
class ByteSource::Live {
 public:
  ~Live() { incore_rng_wipe(&rng_); }

  std::string open(size_t source, const SourceOptions& options) {
    incore_rng_source about;
    if (incore_rng_get_source(source, &about) != INCORE_OK) return "no such source";
    const bool is_xstore = std::strcmp(about.name, "xstore") == 0;
    if (!is_xstore && (options.quality != 0 || !options.chip.model.empty()))
      return fmt::format("{}: --quality and --cpu are for xstore", about.name);
    if (options.chip.model.empty() && options.chip.asks_for_emulation())
      return fmt::format("{}: --raw, --bias, --noise-source and --seed need --cpu MODEL",
                         about.name);
    if (options.chip.model.empty() && about.available == 0)
      return fmt::format("{} is not available: {}", about.name, about.missing);
    const incore_rng_options given = {.quality = options.quality,
                                      .conditioned = options.condition.has_value(),
                                      .condition_bytes = options.condition.value_or(0),
                                      .min_entropy = options.min_entropy};
    if (options.chip.model.empty()) {
      started_ = true;
      return error_of(incore_rng_init(&rng_, source, &given));
    }
    chip_ = std::make_unique<EmulatedRng>();
    const std::string error = chip_->open(options.chip, options.quality);
    if (!error.empty()) return fmt::format("{}: {}", about.name, error);
    started_ = true;
    return error_of(incore_rng_init_custom(&rng_, EmulatedRng::read, chip_.get(), &given));
  }

  Read read(std::span<uint8_t> buffer) {
    size_t done = 0;
    while (done < buffer.size()) {
      if (interrupted()) return {done, End::interrupted};
      const size_t n = std::min(buffer.size() - done, kLiveChunk);
      const incore_status status = incore_rng_bytes(&rng_, buffer.data() + done, n);
      if (status != INCORE_OK) return {done, End::error, error_of(status)};
      done += n;
    }
    return {done, End::none};
  }

  incore_rng_health health() const {
    incore_rng_health health = {};
    if (incore_rng_get_health(&rng_, &health) != INCORE_OK) return {};
    return health;
  }
  uint32_t condition_bytes() const { return incore_rng_condition_bytes(&rng_); }
  const EmulatedRng* chip() const { return chip_.get(); }
  // Whether what went wrong is the source's own fault.
  bool started() const { return started_; }

 private:
  std::string error_of(incore_status status) const {
    switch (status) {
      case INCORE_OK:
        return "";
      case INCORE_ERROR_IO:
        return "gave no more bytes within the time that its manufacturer grants";
      case INCORE_ERROR_FAULT:
        return "failed the " + failed_test(health());
      default:
        return incore_status_message(status);
    }
  }

  incore_rng rng_ = {};
  std::unique_ptr<EmulatedRng> chip_;
  bool started_ = false;
};

ByteSource::ByteSource() = default;
ByteSource::~ByteSource() {
  if (fd_ > STDIN_FILENO) close(fd_);
}

std::string ByteSource::open(const SourceOptions& options) {
  size_t source;
  if (incore_rng_find_source(options.name.c_str(), &source) == INCORE_OK) {
    name_ = options.name;
    if (options.stall_timeout != 0)
      return "--stall-timeout is for a pipe or device, not for " + name_;
    live_ = std::make_unique<Live>();
    const std::string error = live_->open(source, options);
    return error.empty() || error.starts_with(name_) ? error : name_ + " " + error;
  }
  if (const std::string given = options.options_of_generators(); !given.empty())
    return fmt::format("{} is for a generator, not for {}", given, title_of_file(options.name));
  stall_timeout_ = options.stall_timeout;
  return open_file(options.name);
}

std::string ByteSource::open_file(const std::string& path) {
  name_ = title_of_file(path);
  const auto failure = [this](int error) {
    return fmt::format("cannot read {}: {}", name_, std::strerror(error));
  };
  // Without O_NONBLOCK a FIFO that nobody writes to would hold us here.
  fd_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) {
    const int error = errno;
    return error == ENOENT
               ? fmt::format("{}, nor is it a source: {}", failure(error), known_sources())
               : failure(error);
  }
  struct stat status = {};
  if (fstat(fd_, &status) != 0) return failure(errno);
  if (S_ISDIR(status.st_mode)) return failure(EISDIR);
  waits_ = !S_ISREG(status.st_mode);
  if (!waits_) {
    const off_t position = std::max<off_t>(0, lseek(fd_, 0, SEEK_CUR));
    size_ = static_cast<uint64_t>(std::max<off_t>(0, status.st_size - position));
    posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  return "";
}

ByteSource::Read ByteSource::read(std::span<uint8_t> buffer) {
  return live_ != nullptr ? live_->read(buffer) : read_file(buffer);
}

ByteSource::Read ByteSource::read_file(std::span<uint8_t> buffer) {
  const auto failure = [this](int error) -> Read {
    return {0, End::error, fmt::format("cannot read {}: {}", name_, std::strerror(error))};
  };
  for (;;) {
    if (interrupted()) return {0, End::interrupted};
    if (waits_) {
      switch (wait_until_ready(fd_, POLLIN, stall_timeout_)) {
        case Ready::yes:
          break;
        case Ready::timeout:
          return {0, End::error,
                  fmt::format("{} gave nothing for {} s (--stall-timeout)", name_, stall_timeout_)};
        case Ready::interrupted:
          return {0, End::interrupted};
        case Ready::error:
          return failure(errno);
      }
    }
    const ssize_t len = ::read(fd_, buffer.data(), buffer.size());
    if (len > 0) return {static_cast<size_t>(len), End::none};
    if (len == 0) return {0, End::end};
    if (errno != EINTR && errno != EAGAIN) return failure(errno);
  }
}

bool ByteSource::is_live() const {
  return live_ != nullptr;
}
std::optional<incore_rng_health> ByteSource::health() const {
  if (live_ == nullptr || !live_->started()) return std::nullopt;
  return live_->health();
}
const EmulatedRng* ByteSource::chip() const {
  return live_ != nullptr ? live_->chip() : nullptr;
}
uint32_t ByteSource::condition_bytes() const {
  return live_ != nullptr ? live_->condition_bytes() : 0;
}

std::string SourceOptions::options_of_xstore() const {
  const std::pair<bool, const char*> options[] = {
      {quality != 0, "--quality"},
      {!chip.model.empty(), "--cpu"},
      {chip.raw, "--raw"},
      {chip.bias.has_value(), "--bias"},
      {chip.seed.has_value(), "--seed"},
      {chip.noise_source.has_value(), "--noise-source"}};
  for (const auto& [given, option] : options)
    if (given) return option;
  return "";
}

std::string SourceOptions::options_of_generators() const {
  return condition ? "--condition" : options_of_xstore();
}

std::vector<std::string> source_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < incore_rng_num_sources(); ++i) {
    incore_rng_source about;
    if (incore_rng_get_source(i, &about) == INCORE_OK) names.push_back(about.name);
  }
  return names;
}

std::string known_sources() {
  return fmt::format("{}", fmt::join(source_names(), ", "));
}

}  // namespace incore::tools
