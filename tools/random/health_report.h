// What `incore rng health` prints: the generators of this machine with their speed, and what the
// health tests of SP 800-90B found in one source.
#pragma once

#include <cstdint>
#include <string>

#include "tools/random/rng_source.h"

namespace incore::tools {

// Prints a line for each generator, or all as JSON, with its speed by |options|, tests included. An
// exit code: kDiffers if one failed.
int print_source_table(const SourceOptions& options, bool json);

// What was tested, and how far that came.
struct HealthCheck {
  std::string source;  // as the user wrote it
  std::string title;   // for people
  incore_rng_health health = {};
  uint64_t bytes = 0;  // that the source gave
  double seconds = 0;
  bool is_interrupted = false;
  std::string error = {};  // of the source

  bool has_failed() const { return health.first_failure != 0; }
  bool is_partial() const { return is_interrupted || !error.empty(); }
};

// Ends with a line feed; the text is empty if nothing was tested.
std::string health_text(const HealthCheck& check);
std::string health_json(const HealthCheck& check);

}  // namespace incore::tools
