// `incore bench ccm`: AES-CCM, one message a call with a nonce of 13 bytes, 16 bytes of aad and a
// tag of 16.
#include "incore/ccm.h"
#include "tools/bench/bench_aead.h"
#include "tools/bench/bench_answers.h"

namespace incore::tools {
namespace {

using Ccm = Aead<incore_aes_key, incore_aes_key_set, incore_ccm_encrypt, incore_ccm_decrypt>;

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  for (const size_t size : sizes_or(options, {16, 1024, 8192})) {
    if (size >= 65536) continue;  // a nonce of 13 bytes leaves 2 for the length
    for (const size_t key_bits : {128, 256}) {
      if (options.brief && key_bits == 256) continue;
      list.push_back(Ccm::row("ccm", 13, key_bits, true, size));
      list.push_back(Ccm::row("ccm", 13, key_bits, false, size));
    }
  }
  return list;
}

std::string kernel(const Task&) {
  return kernel_of("aes");
}

constexpr Family kFamily = {rows, Ccm::prepare, kernel, long_known_answers};

}  // namespace

extern const Bench bench_ccm = {"ccm", "AES-CCM", nullptr, &kFamily};

}  // namespace incore::tools
