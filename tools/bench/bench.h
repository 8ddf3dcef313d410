// One thing that `incore bench` can measure: one file bench_<name>.cpp, one line in benches.def.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tools/base/exit.h"
#include "tools/base/json.h"

namespace incore::tools {

struct Family;
struct Peer;

struct BenchOptions {
  std::vector<std::string> tables;      // padlock-model: only these; empty: all
  std::vector<std::string> operations;  // of a family: only these; empty: all
  std::vector<size_t> sizes;           // bytes of data in a call; empty: what the benchmark prefers
  std::vector<size_t> messages;        // in a call; empty: what the benchmark prefers
  std::vector<const Peer*> peers;      // opened; measured beside us
  std::chrono::milliseconds time{50};  // of one figure
  std::string sysfs = "/sys";          // tests have one of their own
  bool brief = false;  // part of the report on everything: some sizes and operations only
};

struct Bench {
  const char* name;
  const char* summary;  // one line
  // Does the work, leaves its report in *out_json, and in *out_text if that is wanted. Returns an
  // exit code; an error has been said on stderr.
  int (*run)(const BenchOptions& options, Json* out_json, std::string* out_text);
  // A family of the library's operations, part of the report on everything: |run| is null then, as
  // all families are run alike.
  const Family* family = nullptr;
  // Of --vs, --sizes, --time and --table those that |run| reads.
  std::vector<std::string> options = {};
};

#define X(name) extern const Bench bench_##name;
#include "tools/bench/benches.def"
#undef X

}  // namespace incore::tools
