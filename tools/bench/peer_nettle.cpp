// Nettle: AES modes and SHA. Its modes take the block cipher as a function and replace the iv, of
// which each call gets a copy.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/bench/peer.h"

namespace incore::tools {
namespace {

// Our own declarations of what libnettle.so exports. Contexts are ours to allocate; these are
// larger than any.
struct Context {
  alignas(64) uint8_t bytes[1024];
};
using SetKey = void(Context*, const uint8_t*);
using Cipher = void(const Context*, size_t, uint8_t*, const uint8_t*);
using Chain = void(const Context*, Cipher*, size_t, uint8_t*, size_t, uint8_t*, const uint8_t*);

struct Aes {
  SetKey *set_encrypt_key, *set_decrypt_key;
  Cipher *encrypt, *decrypt;
};
struct Hash {
  void (*init)(Context*);
  void (*update)(Context*, size_t, const uint8_t*);
  void (*digest)(Context*, size_t, uint8_t*);
};

Aes aes_128, aes_256;
Chain *cbc_encrypt, *cbc_decrypt, *cfb_encrypt, *cfb_decrypt, *ctr_crypt;
Hash sha1, sha256, sha512;
int (*version_major)(), (*version_minor)();

std::string open() {
  static SharedLibrary library;
  library.open({"libnettle.so.8"});
  const auto find_aes = [&](const std::string& name, Aes* out) {
    library.find(("nettle_" + name + "_set_encrypt_key").c_str(), &out->set_encrypt_key);
    library.find(("nettle_" + name + "_set_decrypt_key").c_str(), &out->set_decrypt_key);
    library.find(("nettle_" + name + "_encrypt").c_str(), &out->encrypt);
    library.find(("nettle_" + name + "_decrypt").c_str(), &out->decrypt);
  };
  const auto find_hash = [&](const std::string& name, Hash* out) {
    library.find(("nettle_" + name + "_init").c_str(), &out->init);
    library.find(("nettle_" + name + "_update").c_str(), &out->update);
    library.find(("nettle_" + name + "_digest").c_str(), &out->digest);
  };
  find_aes("aes128", &aes_128);
  find_aes("aes256", &aes_256);
  find_hash("sha1", &sha1);
  find_hash("sha256", &sha256);
  find_hash("sha512", &sha512);
  library.find("nettle_cbc_encrypt", &cbc_encrypt);
  library.find("nettle_cbc_decrypt", &cbc_decrypt);
  library.find("nettle_cfb_encrypt", &cfb_encrypt);
  library.find("nettle_cfb_decrypt", &cfb_decrypt);
  library.find("nettle_ctr_crypt", &ctr_crypt);
  library.find("nettle_version_major", &version_major);
  library.find("nettle_version_minor", &version_minor);
  return fmt::format("{}.{}", version_major(), version_minor());
}

Work chained(std::shared_ptr<Context> context, Task& task, Chain* chain, Cipher* block) {
  return [=, &task](size_t calls) {
    for (size_t i = 0; i < calls; ++i) {
      uint8_t iv[16];
      std::copy_n(task.iv.data(), sizeof iv, iv);
      chain(context.get(), block, sizeof iv, iv, task.in.size(), task.out.data(), task.in.data());
    }
  };
}

Work cipher(Task& task) {
  const Aes& aes = task.operation.starts_with("aes-128-") ? aes_128 : aes_256;
  const std::string mode = task.operation.substr(8);
  const auto context = std::make_shared<Context>();
  const bool inverse = mode == "ecb-decrypt" || mode == "cbc-decrypt";
  (inverse ? aes.set_decrypt_key : aes.set_encrypt_key)(context.get(), task.key.data());
  if (mode.starts_with("ecb"))
    return [context, block = inverse ? aes.decrypt : aes.encrypt, &task](size_t calls) {
      for (size_t i = 0; i < calls; ++i)
        block(context.get(), task.in.size(), task.out.data(), task.in.data());
    };
  if (mode == "cbc-encrypt") return chained(context, task, cbc_encrypt, aes.encrypt);
  if (mode == "cbc-decrypt") return chained(context, task, cbc_decrypt, aes.decrypt);
  if (mode == "cfb-encrypt") return chained(context, task, cfb_encrypt, aes.encrypt);
  if (mode == "cfb-decrypt") return chained(context, task, cfb_decrypt, aes.encrypt);
  if (mode == "ctr") return chained(context, task, ctr_crypt, aes.encrypt);
  return nullptr;
}

Work digest(Task& task, const Hash& hash) {
  return [&task, &hash](size_t calls) {
    const size_t len = task.in.size() / task.messages, out_len = task.out.size() / task.messages;
    Context context;
    for (size_t i = 0; i < calls; ++i)
      for (size_t m = 0; m < task.messages; ++m) {
        hash.init(&context);
        hash.update(&context, len, task.in.data() + m * len);
        hash.digest(&context, out_len, task.out.data() + m * out_len);
      }
  };
}

Work prepare(Task& task) {
  if (task.operation == "sha1") return digest(task, sha1);
  if (task.operation == "sha256") return digest(task, sha256);
  if (task.operation == "sha512") return digest(task, sha512);
  if (task.operation.starts_with("aes-") && task.messages == 1) return cipher(task);
  return nullptr;
}

}  // namespace

extern const Peer peer_nettle = {"nettle", open, prepare};

}  // namespace incore::tools
