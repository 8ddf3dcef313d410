// A part of a source, read from its beginning to its end, with its length and SHA-256. However
// reading ends, what has come is told.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/random/rng_source.h"

namespace incore::tools {

class SourcePart {
 public:
  // The bytes of |source| behind the first |skip|, at most |size| of them.
  SourcePart(ByteSource& source, uint64_t skip, std::optional<uint64_t> size);

  // Takes some bytes; what is wrong with them, or nothing.
  using Take = std::function<std::string(std::span<const uint8_t> bytes)>;
  // Hands all bytes on, with progress. What |take| found wrong, or that there is nothing behind
  // |skip|; empty: neither.
  std::string read(const Take& take);

  uint64_t bytes() const { return bytes_; }  // that came
  // How many should have come, if that is known.
  std::optional<uint64_t> expected() const { return expected_; }
  const std::string& sha256() const { return sha256_; }
  // Why not all came; empty: all did.
  const std::string& trouble() const { return trouble_; }

 private:
  size_t fill(uint64_t most);
  uint64_t pass_over(uint64_t num);

  ByteSource& source_;
  const uint64_t skip_;
  const std::optional<uint64_t> size_;
  std::vector<uint8_t> buffer_;
  std::optional<uint64_t> expected_;
  uint64_t bytes_ = 0;
  bool ended_ = false;
  std::string trouble_, sha256_;
};

}  // namespace incore::tools
