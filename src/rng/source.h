// A source of random bytes: one file and one line in sources.def each. A source knows its
// instruction and when to give up; health tests and conditioning are others' work (stream.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/cpu.h"

namespace incore {

struct RngSource {
  const char* name;
  const char* summary;  // one line
  FeatureSet needs;
  const char* missing;  // what to say where it is not available
  // Puts |len| bytes into |out| and returns how many came: fewer than |len| if the source gave
  // nothing for as long as its manufacturer says to ask. Never waits without bound. |quality| is
  // XSTORE's. Null: not on this architecture or system.
  size_t (*fill)(unsigned quality, uint8_t* out, size_t len);
};

#define X(name) extern const RngSource rng_##name;
#include "rng/sources.def"
#undef X

inline constexpr const RngSource* kRngSources[] = {
#define X(name) &rng_##name,
#include "rng/sources.def"
#undef X
};

bool is_available(const RngSource& source);

// Fills |out| from a function that gives one word at a time, and no word when it gives up. What is
// left of the last word is dropped.
template <class Word, class Next>
size_t fill_by_words(Next next, uint8_t* out, size_t len) {
  size_t done = 0;
  Word word;
  for (; len - done >= sizeof word; done += sizeof word) {
    if (!next(&word)) return done;
    __builtin_memcpy(out + done, &word, sizeof word);
  }
  if (done < len && next(&word)) {
    __builtin_memcpy(out + done, &word, len - done);
    done = len;
  }
  return done;
}

}  // namespace incore
