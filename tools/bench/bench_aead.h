// What `incore bench gcm` and `incore bench ccm` have in common: 16 bytes of aad, a tag of 16.
#pragma once

#include <memory>

#include "tools/base/require_ok.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {

template <class Key, auto key_set, auto encrypt, auto decrypt>
struct Aead {
  static constexpr size_t kTagLen = 16;

  static std::shared_ptr<Key> key_of(const Task& task) {
    const auto key = std::make_shared<Key>();
    require_ok(key_set(key.get(), task.key.data(), task.key.size()));
    return key;
  }

  static Row row(const std::string& mode, size_t iv_len, size_t key_bits, bool encrypts,
                 size_t size) {
    return {{"aes-" + std::to_string(key_bits) + "-" + mode + (encrypts ? "-encrypt" : "-decrypt"),
             test_bytes(key_bits / 8, key_bits), test_bytes(iv_len, 2), test_bytes(16, 3),
             test_bytes(size, size), Bytes(encrypts ? size + kTagLen : size)},
            size,
            encrypts ? nullptr : seal};
  }

  // Makes the data of a decryption a real ciphertext with its tag.
  static void seal(Task& task) {
    Task sealing = task;
    sealing.operation = "encrypt";
    sealing.out.resize(task.in.size() + kTagLen);
    prepare(sealing)(1);
    task.in = sealing.out;
  }

  static Work prepare(Task& task) {
    const auto key = key_of(task);
    if (task.operation.ends_with("encrypt"))
      return repeat([key, &task, len = task.in.size()] {
        return encrypt(key.get(), task.iv.data(), task.iv.size(), task.aad.data(), task.aad.size(),
                       task.in.data(), len, task.out.data(), task.out.data() + len,
                       task.out.size() - len);
      });
    return repeat([key, &task, len = task.out.size()] {
      return decrypt(key.get(), task.iv.data(), task.iv.size(), task.aad.data(), task.aad.size(),
                     task.in.data(), len, task.in.data() + len, task.in.size() - len,
                     task.out.data());
    });
  }
};

}  // namespace incore::tools
