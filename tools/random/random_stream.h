// Random bytes from a source to where they are wanted.
#pragma once

#include <cstdint>
#include <string>

#include "tools/random/random_sink.h"
#include "tools/random/rng_source.h"

namespace incore::tools {

// How a stream ended.
struct RandomStream {
  uint64_t bytes = 0;  // that were written
  double seconds = 0;
  RandomSink::Result sent = RandomSink::Result::done;
  ByteSource::End read = ByteSource::End::none;
  std::string error = {};  // of the sink or the source

  bool is_complete() const {
    return sent == RandomSink::Result::done && read == ByteSource::End::none;
  }
};

// |size| bytes of |source| to |sink|, UINT64_MAX for all until something ends it; with progress.
RandomStream stream_random(ByteSource& source, RandomSink& sink, uint64_t size);

// How fast that was, and what the health tests saw: " of rdrand in 0.254 s, 412.8 MB/s; health
// tests passed on 1048576 bytes: longest run 3 (fails at 31), ...".
std::string stream_account(const ByteSource& source, const RandomStream& stream);

}  // namespace incore::tools
