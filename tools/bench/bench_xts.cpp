// `incore bench xts`: AES-XTS, one data unit a call.
#include <memory>

#include "incore/xts.h"
#include "tools/bench/bench_answers.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  for (const size_t size : sizes_or(options, {16, 512, 4096, 8192, 65536}))
    for (const size_t key_bits : {128, 256}) {
      if (size < 16 || (options.brief && key_bits == 256)) continue;
      for (const char* direction : {"-xts-encrypt", "-xts-decrypt"})
        list.push_back({{"aes-" + std::to_string(key_bits) + direction,
                         test_bytes(2 * key_bits / 8, key_bits),
                         test_bytes(16, 1),
                         {},
                         test_bytes(size, size),
                         Bytes(size)},
                        size});
    }
  return list;
}

using Function = incore_status (*)(const incore_xts_key*, const uint8_t*, const void*, size_t,
                                   void*);

template <Function function>
Work unit(std::shared_ptr<incore_xts_key> key, Task& task) {
  return repeat([key = std::move(key), &task] {
    return function(key.get(), task.iv.data(), task.in.data(), task.in.size(), task.out.data());
  });
}

Work prepare(Task& task) {
  const auto key = std::make_shared<incore_xts_key>();
  require_ok(incore_xts_key_set(key.get(), task.key.data(), task.key.size()));
  return task.operation.ends_with("encrypt") ? unit<incore_xts_encrypt>(key, task)
                                             : unit<incore_xts_decrypt>(key, task);
}

std::string kernel(const Task&) {
  return kernel_of("aes");
}

constexpr Family kFamily = {rows, prepare, kernel, long_known_answers};

}  // namespace

extern const Bench bench_xts = {"xts", "AES-XTS", nullptr, &kFamily};

}  // namespace incore::tools
