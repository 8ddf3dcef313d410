// `incore bench mac`: CMAC and HMAC, one message a call.
#include <memory>

#include "incore/cmac.h"
#include "incore/hmac.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

struct Hmac {
  const char* name;
  incore_sha_algorithm id;
};

constexpr Hmac kHmacs[] = {
    {"hmac-sha1", INCORE_SHA1}, {"hmac-sha256", INCORE_SHA256}, {"hmac-sha512", INCORE_SHA512}};

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  for (const size_t size : sizes_or(options, {16, 256, 1024, 8192, 65536})) {
    for (const size_t key_bits : {128, 256})
      if (!options.brief || key_bits == 128)
        list.push_back({{"aes-" + std::to_string(key_bits) + "-cmac",
                         test_bytes(key_bits / 8, key_bits),
                         {},
                         {},
                         test_bytes(size, size),
                         Bytes(16)},
                        size});
    for (const Hmac& hmac : kHmacs)
      list.push_back({{hmac.name,
                       test_bytes(32, 5),
                       {},
                       {},
                       test_bytes(size, size),
                       Bytes(incore_sha_digest_len(hmac.id))},
                      size});
  }
  return list;
}

Work prepare(Task& task) {
  for (const Hmac& hmac : kHmacs) {
    if (task.operation == hmac.name) {
      // The key is taken once; each message goes on with a copy.
      const auto started = std::make_shared<incore_hmac>();
      require_ok(incore_hmac_start(started.get(), hmac.id, task.key.data(), task.key.size()));
      return repeat([started, &task] {
        incore_hmac each = *started;
        const incore_status status = incore_hmac_update(&each, task.in.data(), task.in.size());
        return status != INCORE_OK ? status
                                   : incore_hmac_final(&each, task.out.data(), task.out.size());
      });
    }
  }
  const auto key = std::make_shared<incore_aes_key>();
  require_ok(incore_aes_key_set(key.get(), task.key.data(), task.key.size()));
  return repeat([key, &task] {
    return incore_cmac_tag(key.get(), task.in.data(), task.in.size(), task.out.data(),
                           task.out.size());
  });
}

std::string kernel(const Task& task) {
  return kernel_of(task.operation.starts_with("hmac-") ? task.operation.substr(5) : "aes");
}

const std::vector<KnownAnswer>& known_answers() {
  static const std::string message =
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
  static const std::string key = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b";
  static const std::string hi_there = "4869205468657265";
  static const std::vector<KnownAnswer> answers = {
      {"aes-128-cmac", "SP 800-38B", "2b7e151628aed2a6abf7158809cf4f3c", "", "", message,
       "51f0bebf7e3b9d92fc49741779363cfe"},
      {"aes-256-cmac", "SP 800-38B",
       "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "", "", message,
       "e1992190549f6ed5696a2c056c315410"},
      {"hmac-sha1", "RFC 2202", key, "", "", hi_there, "b617318655057264e28bc0b6fb378c8ef146be00"},
      {"hmac-sha256", "RFC 4231", key, "", "", hi_there,
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"hmac-sha512", "RFC 4231", key, "", "", hi_there,
       "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
       "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"},
  };
  return answers;
}

constexpr Family kFamily = {rows, prepare, kernel, known_answers};

}  // namespace

extern const Bench bench_mac = {"mac", "CMAC and HMAC", nullptr, &kFamily};

}  // namespace incore::tools
