// What the benchmarks of the library have in common. A task is one operation on certain data; the
// library does it, and a peer does it if it can, so that their results can be compared before their
// speeds are. run_tasks() checks, measures and reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "incore/status.h"
#include "tools/base/json.h"
#include "tools/base/number.h"
#include "tools/base/require_ok.h"
#include "tools/bench/bench.h"
#include "tools/bench/measure.h"

namespace incore::tools {

struct Task {
  std::string operation;  // "aes-128-cbc-encrypt", "sha256", ...: chooses the code
  Bytes key, iv, aad;     // where the operation takes them; for XTS both keys and the tweak
  Bytes in;               // the data of one call
  Bytes out;              // room for the result of one call; in AEAD the tag is its end
  size_t messages = 1;    // |in| and |out| are this many messages of one length
  std::vector<Bytes> numbers = {};  // big-endian; which ones the operation's benchmark says
};

// A published result.
struct KnownAnswer {
  std::string operation;
  const char* source;                     // document and section
  std::string key, iv, aad, in, out;      // hex
  std::vector<std::string> numbers = {};  // hex
};

struct Row {
  Task task;
  size_t bytes;  // of data in one call, all messages together; 0: operations are counted
  // Computes what the task's data lack yet, such as a tag, before it is measured. Rows are also
  // made for their names alone, so making them computes nothing.
  void (*complete)(Task& task) = nullptr;
};

// One family of operations.
struct Family {
  std::vector<Row> (*rows)(const BenchOptions& options);
  // Makes the library ready for |task|, whose storage outlives the result. Every call does the
  // whole operation, anew from the same iv. Empty if the library cannot do it. Throws
  // std::runtime_error if the library refuses.
  Work (*prepare)(Task& task);
  std::string (*kernel)(const Task& task);  // that serves it, such as "vaes"
  const std::vector<KnownAnswer>& (*known_answers)();
};

// The whole of a benchmark: known answers, agreement with the peers, speeds, report. The exit code
// is kDiffers, and no speed is reported for an operation, if its results are wrong.
int run_tasks(const Bench& bench, const BenchOptions& options, Json* out_json,
              std::string* out_text);

// Whether |name| means |operation|: all of it, or its beginning up to a hyphen.
bool names_operation(const std::string& name, const std::string& operation);
// Whether one of |names| does, or there are none: then all operations are meant.
bool is_chosen(const std::vector<std::string>& names, const std::string& operation);

// Deterministic bytes that look random: the same on each run, so that figures can be compared.
Bytes test_bytes(size_t len, uint64_t seed);

// Does |call|, which returns an incore_status, as often as it is asked to.
template <class Call>
Work repeat(Call call) {
  return [call](size_t calls) {
    incore_status status = INCORE_OK;
    for (size_t i = 0; i < calls && status == INCORE_OK; ++i) status = call();
    require_ok(status);
  };
}

// "16 B", "8 KiB".
std::string size_text(size_t bytes);

// |options|.sizes, or else |preferred|, or else, in a brief report, 16 bytes and 8 KiB.
std::vector<size_t> sizes_or(const BenchOptions& options, std::vector<size_t> preferred);

// |options|.messages, or else 1 and, in a report that is not brief, 32.
std::vector<size_t> messages_of(const BenchOptions& options);

// The kernel that serves |algorithm|, a name of incore/cpu.h.
std::string kernel_of(const std::string& algorithm);

}  // namespace incore::tools
