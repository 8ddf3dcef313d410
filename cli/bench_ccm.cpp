// `incore bench ccm`: AES-CCM, one message a call with a nonce of 13 bytes, 16 bytes of aad and a
// tag of 16.
#include <memory>

#include "bench_answers.h"
#include "bench_task.h"
#include "incore/ccm.h"

namespace incore::cli {
namespace {

constexpr size_t kTagLen = 16;

// For decryption the data are a real ciphertext with its tag.
Row row(size_t key_bits, bool encrypt, size_t size) {
  const std::string name = "aes-" + std::to_string(key_bits) + "-ccm-";
  Task task{name + "encrypt",       test_bytes(key_bits / 8, key_bits),
            test_bytes(13, 2),      test_bytes(16, 3),
            test_bytes(size, size), Bytes(size + kTagLen)};
  if (encrypt) return {task, size};
  incore_aes_key key;
  require(incore_aes_key_set(&key, task.key.data(), task.key.size()));
  require(incore_ccm_encrypt(&key, task.iv.data(), task.iv.size(), task.aad.data(), task.aad.size(),
                             task.in.data(), size, task.out.data(), task.out.data() + size,
                             kTagLen));
  task.operation = name + "decrypt";
  task.in = task.out;
  task.out = Bytes(size);
  return {task, size};
}

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  for (const size_t size : sizes_or(options, {16, 1024, 8192})) {
    if (size >= 65536) continue;  // a nonce of 13 bytes leaves 2 for the length
    for (const size_t key_bits : {128, 256}) {
      if (options.brief && key_bits == 256) continue;
      list.push_back(row(key_bits, true, size));
      list.push_back(row(key_bits, false, size));
    }
  }
  return list;
}

Work prepare(Task& task) {
  const auto key = std::make_shared<incore_aes_key>();
  require(incore_aes_key_set(key.get(), task.key.data(), task.key.size()));
  if (task.operation.ends_with("encrypt"))
    return repeat([key, &task, len = task.in.size()] {
      return incore_ccm_encrypt(key.get(), task.iv.data(), task.iv.size(), task.aad.data(),
                                task.aad.size(), task.in.data(), len, task.out.data(),
                                task.out.data() + len, task.out.size() - len);
    });
  return repeat([key, &task, len = task.out.size()] {
    return incore_ccm_decrypt(key.get(), task.iv.data(), task.iv.size(), task.aad.data(),
                              task.aad.size(), task.in.data(), len, task.in.data() + len,
                              task.in.size() - len, task.out.data());
  });
}

std::string kernel(const Task&) {
  return kernel_of("aes");
}

constexpr Family kFamily = {rows, prepare, kernel, long_known_answers};

}  // namespace

extern const Bench bench_ccm = {"ccm", "AES-CCM", nullptr, &kFamily};

}  // namespace incore::cli
