// `incore rng bytes`: random bytes of a generator to a file or pipe, health-tested as they come.
// However it ends, a line on stderr says how many bytes were written, and whether all is well.
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <optional>

#include "cli/options/source_options.h"
#include "cli/rng/rng.h"
#include "incore/rng.h"
#include "tools/base/interrupt.h"
#include "tools/base/output_file.h"
#include "tools/base/progress.h"
#include "tools/base/quote.h"
#include "tools/base/sizes.h"
#include "tools/random/rng_source.h"

namespace incore::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Small enough that neither a reader nor the user waits long for a slow source.
constexpr size_t kMinChunk = 512, kMaxChunk = 64 << 10;
constexpr auto kChunkTime = std::chrono::milliseconds(2);
constexpr size_t kHexLineBytes = 32;

struct Options {
  SourceOptions source;
  std::optional<std::string> size;  // without it: endless
  std::string out;
  bool hex = false, quiet = false;
};

// Where the bytes go, as they are or in hexadecimal. Counts what has really been taken.
class Sink {
 public:
  Sink(OutputFile& file, bool hex) : file_(file), hex_(hex) {
    struct stat status = {};
    waits_ = fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode);
  }

  enum class Result { done, interrupted, closed, error };  // error: error()
  Result write(std::span<const uint8_t> bytes) {
    if (!hex_) return write_all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::string text;
    text.reserve(2 * bytes.size() + bytes.size() / kHexLineBytes);
    for (const uint8_t byte : bytes) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
      if (++in_line_ == kHexLineBytes) end_line(&text);
    }
    return write_all(text.data(), text.size());
  }
  // The end of the last line.
  Result finish() {
    std::string text;
    if (in_line_ != 0) end_line(&text);
    return write_all(text.data(), text.size());
  }

  const std::string& error() const { return error_; }
  // Random bytes that have been written.
  uint64_t bytes() const {
    if (!hex_) return num_written_;
    constexpr uint64_t kLine = 2 * kHexLineBytes + 1;
    return num_written_ / kLine * kHexLineBytes + num_written_ % kLine / 2;
  }

 private:
  void end_line(std::string* text) {
    *text += '\n';
    in_line_ = 0;
  }
  Result write_all(const char* data, size_t len) {
    // A pipe that is ready takes this much without making us wait (POSIX, write).
    const size_t most = waits_ ? PIPE_BUF : len;
    while (len != 0) {
      if (waits_ && wait_until_ready(file_.fd(), POLLOUT, 0) == Ready::interrupted)
        return Result::interrupted;
      const ssize_t n = ::write(file_.fd(), data, std::min(len, most));
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n < 0) {
        error_ = std::strerror(errno);
        return errno == EPIPE ? Result::closed : Result::error;
      }
      num_written_ += static_cast<uint64_t>(n);
      data += n;
      len -= static_cast<size_t>(n);
    }
    return Result::done;
  }

  OutputFile& file_;
  const bool hex_;
  bool waits_;
  size_t in_line_ = 0;
  uint64_t num_written_ = 0;
  std::string error_;
};

// "rdrand in 0.254 s, 412.8 MB/s; health tests passed: longest run 3 (fails at 31), ..."
std::string account(const ByteSource& source, uint64_t bytes, double seconds) {
  std::string text = fmt::format(" of {} in {:.3f} s", source.name(), seconds);
  if (seconds > 0 && bytes != 0)
    text += fmt::format(", {:.4g} MB/s", static_cast<double>(bytes) / seconds / 1e6);
  if (source.chip() != nullptr)
    text += fmt::format(
        ", by {}'s clock {:.4g} Mb/s", source.chip()->model(),
        8 * static_cast<double>(source.health()->bytes) / source.chip()->seconds() / 1e6);
  if (source.condition_bytes() != 0)
    text += fmt::format("; SHA-256 of {} bytes made each 32", source.condition_bytes());
  const incore_rng_health health = source.health().value_or(incore_rng_health{});
  if (health.first_failure == 0)
    text += fmt::format(
        "; health tests passed on {} bytes: longest run {} (fails at {}), largest count {} of {} "
        "(fails at {})",
        health.bytes, health.longest_repetition, health.repetition_cutoff, health.largest_count,
        health.window, health.proportion_cutoff);
  return text;
}

// Opens where the bytes go; what is wrong with it, or nothing.
std::string open_output(const Options& options, bool endless, OutputFile* out) {
  if (options.out.empty()) {
    if (isatty(STDOUT_FILENO) != 0 && !options.hex)
      return "standard output is a terminal: redirect it, or use --hex or --out FILE";
    return out->open_stdout();
  }
  struct stat status = {};
  const bool regular = stat(options.out.c_str(), &status) != 0 || S_ISREG(status.st_mode);
  if (regular && endless) return "--out FILE needs --size N, as a file must end somewhere";
  return out->open(options.out, OutputFile::Kind::secret);
}

int run(const Options& options) {
  const bool endless = !options.size;
  const uint64_t size = endless ? UINT64_MAX : parse_byte_count("--size", *options.size);
  size_t known;
  if (incore_rng_find_source(options.source.name.c_str(), &known) != INCORE_OK)
    return fail(kBadInput,
                fmt::format("no source '{}'; there are: {}", options.source.name, known_sources()));
  OutputFile out;
  std::string error = open_output(options, endless, &out);
  if (!error.empty()) return fail(kBadInput, error);

  const InterruptGuard guard;
  ByteSource source;
  error = source.open(options.source);
  if (!error.empty()) return fail(source.health() ? kDiffers : kBadInput, error);

  Sink sink(out, options.hex);
  Sink::Result sent = Sink::Result::done;
  ByteSource::Read read = {0, ByteSource::End::none};
  const auto start = Clock::now();
  {
    Progress progress(source.name(), endless ? 0 : size);
    std::vector<uint8_t> buffer(kMaxChunk);
    size_t chunk = kMinChunk;
    while (sink.bytes() < size && sent == Sink::Result::done && read.end == ByteSource::End::none) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(chunk, size - sink.bytes()));
      const auto chunk_start = Clock::now();
      read = source.read({buffer.data(), n});
      const bool slow = Clock::now() - chunk_start > kChunkTime;
      chunk = std::clamp(slow ? chunk / 2 : chunk * 2, kMinChunk, kMaxChunk);
      sent = sink.write({buffer.data(), read.len});
      progress.update(sink.bytes());
    }
    if (sent == Sink::Result::done) sent = sink.finish();
    error = sent == Sink::Result::error ? sink.error() : read.error;
    explicit_bzero(buffer.data(), buffer.size());
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();

  const bool complete = sent == Sink::Result::done && read.end == ByteSource::End::none;
  std::string kept;
  const std::string close_error = complete ? out.commit() : out.keep_partial(&kept);
  std::string line = fmt::format("wrote {} bytes", sink.bytes());
  if (!endless && !complete) line += fmt::format(" of {}", size);
  line += account(source, sink.bytes(), seconds);
  if (!kept.empty()) line += "; they are in " + in_quotes(kept);
  const auto say = [&](int code, const std::string& why) {
    if (code != kDone || !options.quiet) fail(code, why.empty() ? line : line + "; " + why);
    return code;
  };
  if (!close_error.empty()) return say(kBadInput, close_error);
  if (complete) return say(kDone, "");
  if (interrupted()) return say(interrupt_exit_code(), "interrupted");
  if (sent == Sink::Result::closed)  // how a reader says that it has enough
    return say(endless ? kDone : kDiffers, "the reader closed the pipe");
  return say(sent == Sink::Result::error ? kBadInput : kDiffers, error);
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  size_t best = 0;
  incore_rng_source about = {};
  if (incore_rng_find_source(nullptr, &best) == INCORE_OK &&
      incore_rng_get_source(best, &about) == INCORE_OK)
    options->source.name = about.name;
  app.add_option(
      "SOURCE", options->source.name,
      fmt::format("one of {}; usually the first of these that there is", known_sources()));
  app.add_option("-n,--size", options->size,
                 "how many bytes, such as 32, 64k, 10M, 2G; without it, until stopped")
      ->type_name("BYTES");
  app.add_option("-o,--out", options->out,
                 "the file to write, complete or, if stopped midway, as FILE.partial; a new one is "
                 "readable by its owner only")
      ->type_name("FILE");
  app.add_flag("--hex", options->hex, "in hexadecimal, 32 bytes a line");
  app.add_flag("-q,--quiet", options->quiet, "no line on stderr if all went well");
  add_source_options(app, &options->source, false);
  return [options] { return run(*options); };
}

}  // namespace

extern const Subcommand rng_bytes_command = {
    "bytes", "random bytes of a generator, health-tested, to a file or pipe",
    "Examples:\n"
    "  incore rng bytes --hex --size 32\n"
    "  incore rng bytes rdseed --size 10M --out capture.bin\n"
    "  incore rng bytes xstore --quality 3 --condition | head -c 1M > seed\n"
    "Exit code: 0 written; 1 a health test failed, the source died or the reader left; 2 bad "
    "usage, or the output failed; "
    "128 + signal if interrupted.",
    configure};

}  // namespace incore::cli
