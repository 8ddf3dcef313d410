#include "tools/random/source_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "incore/sha.h"
#include "tools/base/progress.h"

namespace incore::tools {
namespace {

// What is handed on at a time: enough that the suites of an assessment can share the work.
constexpr size_t kChunk = 4 << 20;

}  // namespace

SourcePart::SourcePart(ByteSource& source, uint64_t skip, std::optional<uint64_t> size)
    : source_(source), skip_(skip), size_(size), buffer_(kChunk), expected_(size) {
  // All that a regular file has now should come.
  if (const std::optional<uint64_t> present = source.size(); present && !size)
    expected_ = *present - std::min(*present, skip);
}

std::string SourcePart::read(const Take& take) {
  incore_sha sha;
  if (incore_sha_init(&sha, INCORE_SHA256) != INCORE_OK) return "SHA-256 cannot be had";
  Progress progress(source_.name(), expected_.value_or(0));
  if (skip_ != 0 && pass_over(skip_) != skip_ && trouble_.empty())
    return fmt::format("nothing is left after --skip {}", skip_);
  while (trouble_.empty() && !ended_ && bytes_ < size_.value_or(UINT64_MAX)) {
    const size_t len = fill(size_.value_or(UINT64_MAX) - bytes_);
    if (incore_sha_update(&sha, buffer_.data(), len) != INCORE_OK) return "SHA-256 failed";
    if (std::string wrong = take({buffer_.data(), len}); !wrong.empty()) return wrong;
    bytes_ += len;
    progress.update(bytes_);
  }
  uint8_t digest[INCORE_SHA256_DIGEST_LEN];
  if (incore_sha_final(&sha, digest, sizeof digest) != INCORE_OK) return "SHA-256 failed";
  for (const uint8_t byte : digest) sha256_ += fmt::format("{:02x}", byte);
  if (ended_ && trouble_.empty() && expected_ && bytes_ < *expected_)
    trouble_ = size_ ? "ended early" : "became shorter while it was read";
  return "";
}

// Fills the buffer with |most| bytes, or fewer if there are not so many.
size_t SourcePart::fill(uint64_t most) {
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(most, buffer_.size()));
  size_t len = 0;
  while (len < wanted && !ended_ && trouble_.empty()) {
    const ByteSource::Read read = source_.read({buffer_.data() + len, wanted - len});
    len += read.len;
    ended_ = read.end == ByteSource::End::end;
    if (read.end == ByteSource::End::interrupted) trouble_ = "interrupted";
    if (read.end == ByteSource::End::error) trouble_ = read.error;
  }
  return len;
}

// Reads so many bytes and forgets them; how many came.
uint64_t SourcePart::pass_over(uint64_t num) {
  uint64_t done = 0;
  while (done < num && !ended_ && trouble_.empty()) done += fill(num - done);
  return done;
}

}  // namespace incore::tools
