#include "rng/stream.h"

#include <algorithm>
#include <cstring>

#include "base/wipe.h"

namespace incore {
namespace {

constexpr size_t kChunk = 4096;  // stays in the first-level cache between source, tests and hash
constexpr size_t kDigestLen = 32;

}  // namespace

uint32_t bytes_for_full_entropy(double min_entropy) {
  const double exact = kFullEntropyBits / min_entropy;
  const auto whole = static_cast<uint32_t>(exact);
  return whole + (whole < exact ? 1 : 0);
}

RngStream::Status RngStream::raw(uint8_t* out, size_t len) {
  while (len != 0) {
    if (!health_.ok()) return Status::unhealthy;
    const size_t n = std::min(len, kChunk);
    const size_t got = input_.source != nullptr ? input_.source->fill(input_.quality, out, n)
                                                : input_.read(input_.context, out, n);
    if (!health_.update(out, std::min(got, n))) return Status::unhealthy;
    if (got < n) return Status::dead;
    out += n;
    len -= n;
  }
  return health_.ok() ? Status::ok : Status::unhealthy;
}

RngStream::Status RngStream::conditioned(uint8_t* out, size_t len) {
  uint8_t input[kChunk], digest[kDigestLen];
  // The messages for several digests at once, or one message in parts.
  const size_t messages_in_chunk = std::max<size_t>(1, kChunk / condition_bytes_);
  Status status = raw(input, 0);
  while (len != 0 && status == Status::ok) {
    const size_t digests = std::min(messages_in_chunk, (len + kDigestLen - 1) / kDigestLen);
    const size_t message_part = std::min<size_t>(condition_bytes_, kChunk);
    status = raw(input, digests * message_part);
    for (size_t i = 0; i < digests && status == Status::ok; ++i) {
      ShaStream sha(ShaAlgorithm::sha256, sha256_);
      sha.update(input + i * message_part, message_part);
      for (size_t done = message_part; done < condition_bytes_ && status == Status::ok;) {
        const size_t n = std::min<size_t>(condition_bytes_ - done, kChunk);
        status = raw(input, n);
        sha.update(input, n);
        done += n;
      }
      sha.final(digest);
      wipe(sha);
      const size_t n = std::min(len, kDigestLen);
      std::memcpy(out, digest, n);
      out += n;
      len -= n;
    }
  }
  wipe(input);
  wipe(digest);
  return status;
}

RngStream::Status RngStream::start() {
  uint8_t samples[kStartupSamples];
  const Status status = raw(samples, sizeof samples);
  wipe(samples);
  return status;
}

RngStream::Status RngStream::bytes(uint8_t* out, size_t len) {
  const Status status = condition_bytes_ != 0 ? conditioned(out, len) : raw(out, len);
  if (status != Status::ok) wipe(out, len);
  return status;
}

}  // namespace incore
