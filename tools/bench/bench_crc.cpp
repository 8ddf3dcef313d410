// `incore bench crc`: CRC-32 and CRC-32C.
#include "incore/crc.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  for (const size_t size : sizes_or(options, {16, 64, 256, 1024, 8192, 65536}))
    for (const char* name : {"crc32", "crc32c"})
      list.push_back({{name, {}, {}, {}, test_bytes(size, size), Bytes(4)}, size});
  return list;
}

using CrcFunction = incore_status (*)(uint32_t*, const void*, size_t);

// The result is big-endian, as the published values are written.
template <CrcFunction function>
Work crc(Task& task) {
  return repeat([&task] {
    uint32_t value = 0;
    const incore_status status = function(&value, task.in.data(), task.in.size());
    for (size_t i = 0; i < 4; ++i) task.out[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
    return status;
  });
}

Work prepare(Task& task) {
  if (task.operation == "crc32") return crc<incore_crc32>(task);
  if (task.operation == "crc32c") return crc<incore_crc32c>(task);
  return nullptr;
}

std::string kernel(const Task& task) {
  return kernel_of(task.operation);
}

const std::vector<KnownAnswer>& known_answers() {
  static const std::string digits = "313233343536373839";  // "123456789"
  static const std::vector<KnownAnswer> answers = {
      {"crc32", "the check value of ISO 3309", "", "", "", digits, "cbf43926"},
      {"crc32c", "the check value of RFC 3720's CRC", "", "", "", digits, "e3069283"},
      {"crc32c", "RFC 3720 B.4", "", "", "",
       "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "46dd794e"},
  };
  return answers;
}

constexpr Family kFamily = {rows, prepare, kernel, known_answers};

}  // namespace

extern const Bench bench_crc = {"crc", "CRC-32 and CRC-32C", nullptr, &kFamily};

}  // namespace incore::tools
