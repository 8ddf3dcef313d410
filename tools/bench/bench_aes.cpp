// `incore bench aes`: ECB, CBC, CFB128, OFB and CTR, one message a call, and many messages side by
// side.
#include <memory>

#include "incore/aes.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

constexpr const char* kModes[] = {"ecb-encrypt", "ecb-decrypt", "cbc-encrypt", "cbc-decrypt",
                                  "cfb-encrypt", "cfb-decrypt", "ofb",         "ctr"};

bool takes_whole_blocks(const std::string& mode) {
  return mode.starts_with("ecb") || mode.starts_with("cbc");
}

bool takes_many(const std::string& mode) {
  return mode == "cbc-encrypt" || mode == "cfb-encrypt";
}

Row row(size_t key_bits, const std::string& mode, size_t size, size_t messages) {
  const size_t len = size * messages;
  return {{"aes-" + std::to_string(key_bits) + "-" + mode,
           test_bytes(key_bits / 8, key_bits),
           test_bytes(16, 1),
           {},
           test_bytes(len, len),
           Bytes(len),
           messages},
          len};
}

std::vector<Row> rows(const BenchOptions& options) {
  std::vector<Row> list;
  const std::vector<size_t> sizes = sizes_or(options, {16, 256, 1024, 8192, 65536});
  for (const size_t messages : messages_of(options))
    for (const size_t size : sizes)
      for (const size_t key_bits : {128, 256}) {
        if (options.brief && key_bits == 256) continue;
        for (const char* mode : kModes)
          if ((messages == 1 || takes_many(mode)) &&
              (size % INCORE_AES_BLOCK_LEN == 0 || !takes_whole_blocks(mode)))
            list.push_back(row(key_bits, mode, size, messages));
      }
  return list;
}

using CbcFunction = incore_status (*)(const incore_aes_key*, uint8_t*, const void*, size_t, void*);
using EcbFunction = incore_status (*)(const incore_aes_key*, const void*, size_t, void*);

template <EcbFunction function>
Work ecb(std::shared_ptr<incore_aes_key> key, Task& task) {
  return repeat([key = std::move(key), in = task.in.data(), len = task.in.size(),
                 out = task.out.data()] { return function(key.get(), in, len, out); });
}

template <CbcFunction function>
Work cbc(std::shared_ptr<incore_aes_key> key, Task& task) {
  return repeat([key = std::move(key), iv = task.iv.data(), in = task.in.data(),
                 len = task.in.size(), out = task.out.data()] {
    uint8_t vector[INCORE_AES_BLOCK_LEN];
    std::copy_n(iv, sizeof vector, vector);
    return function(key.get(), vector, in, len, out);
  });
}

using ManyFunction = incore_status (*)(const incore_aes_message*, size_t);

// All messages with the same key and iv: each call begins anew with copies of the iv.
template <ManyFunction function>
Work many(std::shared_ptr<incore_aes_key> key, Task& task) {
  const size_t len = task.in.size() / task.messages;
  auto ivs = std::make_shared<Bytes>(task.messages * INCORE_AES_BLOCK_LEN);
  std::vector<incore_aes_message> messages;
  for (size_t i = 0; i < task.messages; ++i)
    messages.push_back({key.get(), ivs->data() + i * INCORE_AES_BLOCK_LEN, task.in.data() + i * len,
                        len, task.out.data() + i * len});
  return repeat(
      [key = std::move(key), ivs = std::move(ivs), iv = task.iv, messages = std::move(messages)] {
        for (const incore_aes_message& message : messages)
          std::copy(iv.begin(), iv.end(), message.iv);
        return function(messages.data(), messages.size());
      });
}

template <incore_aes_stream_mode mode>
Work stream(std::shared_ptr<incore_aes_key> key, Task& task) {
  return repeat(
      [key = std::move(key), iv = task.iv.data(), in = task.in.data(), len = task.in.size(),
       out = task.out.data()] { return incore_aes_crypt(key.get(), mode, iv, in, len, out); });
}

Work prepare(Task& task) {
  const auto key = std::make_shared<incore_aes_key>();
  require_ok(incore_aes_key_set(key.get(), task.key.data(), task.key.size()));
  const std::string mode = task.operation.substr(std::string("aes-128-").size());
  if (task.messages > 1)
    return mode == "cbc-encrypt" ? many<incore_aes_cbc_encrypt_many>(key, task)
                                 : many<incore_aes_cfb_encrypt_many>(key, task);
  if (mode == "ecb-encrypt") return ecb<incore_aes_ecb_encrypt>(key, task);
  if (mode == "ecb-decrypt") return ecb<incore_aes_ecb_decrypt>(key, task);
  if (mode == "cbc-encrypt") return cbc<incore_aes_cbc_encrypt>(key, task);
  if (mode == "cbc-decrypt") return cbc<incore_aes_cbc_decrypt>(key, task);
  if (mode == "cfb-encrypt") return stream<INCORE_AES_CFB128_ENCRYPT>(key, task);
  if (mode == "cfb-decrypt") return stream<INCORE_AES_CFB128_DECRYPT>(key, task);
  if (mode == "ofb") return stream<INCORE_AES_OFB>(key, task);
  if (mode == "ctr") return stream<INCORE_AES_CTR128>(key, task);
  return nullptr;
}

// SP 800-38A, appendix F: one message of four blocks in all modes.
const std::string kPlaintext =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
const std::string kKey128 = "2b7e151628aed2a6abf7158809cf4f3c";
const std::string kKey256 = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
const std::string kIv = "000102030405060708090a0b0c0d0e0f";
const std::string kCounter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

struct Published {
  size_t key_bits;
  const char* mode;
  std::string ciphertext;
};

const Published kPublished[] = {
    {128, "ecb",
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
     "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4"},
    {128, "cbc",
     "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
     "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"},
    {128, "cfb",
     "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
     "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6"},
    {128, "ofb",
     "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
     "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"},
    {128, "ctr",
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
    {256, "ecb",
     "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"
     "b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7"},
    {256, "cbc",
     "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
     "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"},
    {256, "cfb",
     "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b"
     "df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471"},
    {256, "ofb",
     "dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d"
     "71ab47a086e86eedf39d1c5bba97c4080126141d67f37be8538f5a8be740e484"},
    {256, "ctr",
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
};

// OFB and CTR have one operation, the others one for each direction.
const std::vector<KnownAnswer>& known_answers() {
  static std::vector<KnownAnswer> answers;
  if (!answers.empty()) return answers;
  const auto add = [](const std::string& name, const Published& published, bool decrypt) {
    const std::string mode = published.mode;
    answers.push_back({name, "SP 800-38A", published.key_bits == 128 ? kKey128 : kKey256,
                       mode == "ecb"   ? ""
                       : mode == "ctr" ? kCounter
                                       : kIv,
                       "", decrypt ? published.ciphertext : kPlaintext,
                       decrypt ? kPlaintext : published.ciphertext});
  };
  for (const Published& each : kPublished) {
    const std::string name = "aes-" + std::to_string(each.key_bits) + "-" + each.mode;
    const bool both_ways = name.ends_with("ecb") || name.ends_with("cbc") || name.ends_with("cfb");
    add(both_ways ? name + "-encrypt" : name, each, false);
    if (both_ways) add(name + "-decrypt", each, true);
  }
  return answers;
}

std::string kernel(const Task&) {
  return kernel_of("aes");
}

constexpr Family kFamily = {rows, prepare, kernel, known_answers};

}  // namespace

extern const Bench bench_aes = {"aes", "AES in ECB, CBC, CFB128, OFB and CTR mode", nullptr,
                                &kFamily};

}  // namespace incore::tools
