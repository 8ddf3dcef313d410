// What `incore run --compare` found, written for people or for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "incore/run.h"
#include "tools/base/json.h"
#include "tools/run/captured_run.h"

namespace incore::tools {

// The first difference of an output. Bytes and lines count from 1.
struct OutputDifference {
  const char* output;  // its name
  size_t byte, line;
  std::string with, without;  // an excerpt around it: with PadLock, without it
};

// A PadLock call whose result the program without PadLock never had.
struct MissedCall {
  uint64_t number;  // from 1 on
  const char* mnemonic;
  uint64_t bytes;
  unsigned key_bits;
  bool has_control_word, decrypts;
  std::string place;
  Json place_members;  // the same as members of an object
};

struct RunDifferences {
  std::string model;
  int exit_code = 0, exit_code_without = 0;
  std::vector<OutputDifference> outputs;
  uint64_t num_calls = 0;
  // Of the rest one is there if the runs differ and calls were made.
  std::string why_not_judged;
  struct Judgement {
    size_t num_judged = 0, num_missed = 0;
    std::optional<MissedCall> first_missed;
  };
  std::optional<Judgement> judgement;

  void set_outcomes(const CapturedRun& with, const CapturedRun& without);
  bool same() const { return exit_code == exit_code_without && outputs.empty(); }
  std::string text() const;
  std::string json() const;
};

}  // namespace incore::tools
