// One thing that `incore bench` can measure: one file bench_<name>.cpp, one line in benches.def.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.h"

namespace incore::cli {

struct BenchOptions {
  std::vector<std::string> tables;  // padlock-model: only these; empty: all
};

struct Bench {
  const char* name;
  const char* summary;  // one line
  // Does the work, leaves its report in *out_json, and in *out_text if that is wanted. Returns an
  // exit code; an error has been said on stderr.
  int (*run)(const BenchOptions& options, nlohmann::ordered_json* out_json, std::string* out_text);
};

#define X(name) extern const Bench bench_##name;
#include "benches.def"
#undef X

}  // namespace incore::cli
