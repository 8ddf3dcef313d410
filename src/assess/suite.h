// A suite: a group of tests that reads the stream once. suites/<name>.cpp holds one each,
// suites.def lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "assess/report.h"

namespace incore::assess {

// The options of the C interface with defaults filled in.
struct Options {
  unsigned symbol_bits = 8;        // known when a suite is made
  bool symbol_bits_given = false;  // by the user
  uint64_t sequence_bits = 1'000'000, sequences = 100, samples = 1'000'000;
  double min_entropy = 0;
  unsigned threads = 1;
  uint64_t seed = 0;
};

// How long work is followed and stopped. Only in the thread that runs the suite.
class Progress {
 public:
  // |share| of |what| is done, 0 to 1. False: stop, and skip what is not done.
  virtual bool update(const char* what, double share) = 0;

 protected:
  ~Progress() = default;
};

class Suite {
 public:
  virtual ~Suite() = default;
  // The next bytes. What a suite keeps of them does not grow without bound.
  virtual void update(std::span<const uint8_t> data) = 0;
  virtual void finish(Report& out, Progress& progress) = 0;
  // How many of the bytes it has looked at; some suites read the beginning only.
  virtual uint64_t bytes_read() const = 0;
};

// What a suite is fed with.
enum class Input : uint8_t {
  symbols,  // one in each byte, in its low symbol_bits bits
  packed,   // the bits of all symbols, each symbol's highest first, eight in a byte, the first on
            // top
};

struct SuiteInfo {
  const char* name;
  const char* title;
  const char* source;
  bool by_default;
  Input input;
  std::unique_ptr<Suite> (*make)(const Options& options);
  bool judges_entropy = false;  // whether it judges Options::min_entropy
};

#define X(name) extern const SuiteInfo suite_##name;
#include "assess/suites.def"
#undef X

std::span<const SuiteInfo* const> suites();

}  // namespace incore::assess
