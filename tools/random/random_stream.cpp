#include "tools/random/random_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "tools/base/progress.h"

namespace incore::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Small enough that neither a reader nor the user waits long for a slow source.
constexpr size_t kMinChunk = 512, kMaxChunk = 64 << 10;
constexpr auto kChunkTime = std::chrono::milliseconds(2);

}  // namespace

RandomStream stream_random(ByteSource& source, RandomSink& sink, uint64_t size) {
  RandomStream stream;
  Progress progress(source.name(), size == UINT64_MAX ? 0 : size);
  std::vector<uint8_t> buffer(kMaxChunk);
  size_t chunk = kMinChunk;
  const auto start = Clock::now();
  while (sink.bytes() < size && stream.is_complete()) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(chunk, size - sink.bytes()));
    const auto chunk_start = Clock::now();
    const ByteSource::Read read = source.read({buffer.data(), n});
    const bool slow = Clock::now() - chunk_start > kChunkTime;
    chunk = std::clamp(slow ? chunk / 2 : chunk * 2, kMinChunk, kMaxChunk);
    stream.read = read.end;
    stream.error = read.error;
    stream.sent = sink.write({buffer.data(), read.len});
    progress.update(sink.bytes());
  }
  if (stream.sent == RandomSink::Result::done) stream.sent = sink.finish();
  if (stream.sent == RandomSink::Result::error) stream.error = sink.error();
  explicit_bzero(buffer.data(), buffer.size());
  stream.bytes = sink.bytes();
  stream.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return stream;
}

std::string stream_account(const ByteSource& source, const RandomStream& stream) {
  std::string text = fmt::format(" of {} in {:.3f} s", source.name(), stream.seconds);
  if (stream.seconds > 0 && stream.bytes != 0)
    text += fmt::format(", {:.4g} MB/s", static_cast<double>(stream.bytes) / stream.seconds / 1e6);
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

}  // namespace incore::tools
