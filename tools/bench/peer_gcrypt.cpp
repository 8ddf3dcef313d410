// libgcrypt: AES modes, SHA and CRC-32. Each call sets the iv anew, as each of ours does.
#include <memory>
#include <stdexcept>

#include "tools/bench/peer.h"

namespace incore::tools {
namespace {

// Our own declarations of what libgcrypt.so.20 exports, and its numbers.
struct CipherHandle;
constexpr int kInitializationFinished = 38;
constexpr int kAes128 = 7, kAes256 = 9;
constexpr int kSha1 = 2, kSha256 = 8, kSha512 = 10, kCrc32 = 302;
constexpr size_t kTagLen = 16;

const char* (*check_version)(const char*);
unsigned (*control)(int, ...);
unsigned (*cipher_open)(CipherHandle**, int, int, unsigned);
void (*cipher_close)(CipherHandle*);
unsigned (*set_key)(CipherHandle*, const void*, size_t);
unsigned (*set_iv)(CipherHandle*, const void*, size_t);
unsigned (*set_counter)(CipherHandle*, const void*, size_t);
unsigned (*encrypt)(CipherHandle*, void*, size_t, const void*, size_t);
unsigned (*decrypt)(CipherHandle*, void*, size_t, const void*, size_t);
unsigned (*authenticate)(CipherHandle*, const void*, size_t);
unsigned (*get_tag)(CipherHandle*, void*, size_t);
unsigned (*check_tag)(CipherHandle*, const void*, size_t);
void (*hash_buffer)(int, void*, const void*, size_t);

std::string open() {
  static SharedLibrary library;
  library.open({"libgcrypt.so.20"});
  library.find("gcry_check_version", &check_version);
  library.find("gcry_control", &control);
  library.find("gcry_cipher_open", &cipher_open);
  library.find("gcry_cipher_close", &cipher_close);
  library.find("gcry_cipher_setkey", &set_key);
  library.find("gcry_cipher_setiv", &set_iv);
  library.find("gcry_cipher_setctr", &set_counter);
  library.find("gcry_cipher_encrypt", &encrypt);
  library.find("gcry_cipher_decrypt", &decrypt);
  library.find("gcry_cipher_authenticate", &authenticate);
  library.find("gcry_cipher_gettag", &get_tag);
  library.find("gcry_cipher_checktag", &check_tag);
  library.find("gcry_md_hash_buffer", &hash_buffer);
  const std::string version = check_version(nullptr);
  control(kInitializationFinished, 0);
  return version;
}

struct Mode {
  const char* name;
  int number;
};
constexpr Mode kModes[] = {{"ecb", 1}, {"cfb", 2}, {"cbc", 3}, {"ofb", 5},
                           {"ctr", 6}, {"gcm", 9}, {"xts", 13}};

template <class Call>
Work repeat_done(Call call) {
  return [call](size_t calls) {
    unsigned error = 0;
    for (size_t i = 0; i < calls && error == 0; ++i) error = call();
    if (error != 0) throw std::runtime_error("libgcrypt refuses the operation");
  };
}

unsigned gcm(CipherHandle* h, Task& task, bool encrypts) {
  const size_t len = std::min(task.in.size(), task.out.size());
  unsigned error =
      set_iv(h, task.iv.data(), task.iv.size()) | authenticate(h, task.aad.data(), task.aad.size());
  error |= (encrypts ? encrypt : decrypt)(h, task.out.data(), len, task.in.data(), len);
  return error | (encrypts ? get_tag(h, task.out.data() + len, kTagLen)
                           : check_tag(h, task.in.data() + len, kTagLen));
}

Work cipher(Task& task) {
  const std::string mode = task.operation.substr(8, 3);
  const bool encrypts = !task.operation.ends_with("-decrypt");
  for (const Mode& each : kModes) {
    if (mode != each.name) continue;
    CipherHandle* opened = nullptr;
    const bool is_128 = task.operation.starts_with("aes-128-");
    if (cipher_open(&opened, is_128 ? kAes128 : kAes256, each.number, 0) != 0) return nullptr;
    const std::shared_ptr<CipherHandle> handle(opened, cipher_close);
    if (set_key(opened, task.key.data(), task.key.size()) != 0) return nullptr;
    if (mode == "gcm")
      return repeat_done([handle, &task, encrypts] { return gcm(handle.get(), task, encrypts); });
    const auto set = mode == "ctr" ? set_counter : set_iv;
    const auto crypt = encrypts ? encrypt : decrypt;
    return repeat_done([handle, &task, set, crypt] {
      unsigned error = 0;
      if (!task.iv.empty()) error = set(handle.get(), task.iv.data(), task.iv.size());
      return error |
             crypt(handle.get(), task.out.data(), task.out.size(), task.in.data(), task.in.size());
    });
  }
  return nullptr;
}

Work digest(Task& task, int algorithm) {
  return [&task, algorithm](size_t calls) {
    const size_t len = task.in.size() / task.messages, out_len = task.out.size() / task.messages;
    for (size_t i = 0; i < calls; ++i)
      for (size_t m = 0; m < task.messages; ++m)
        hash_buffer(algorithm, task.out.data() + m * out_len, task.in.data() + m * len, len);
  };
}

Work prepare(Task& task) {
  const std::string& operation = task.operation;
  if (operation == "sha1") return digest(task, kSha1);
  if (operation == "sha256") return digest(task, kSha256);
  if (operation == "sha512") return digest(task, kSha512);
  if (operation == "crc32") return digest(task, kCrc32);
  if (operation.starts_with("aes-") && task.messages == 1) return cipher(task);
  return nullptr;
}

}  // namespace

extern const Peer peer_gcrypt = {"gcrypt", open, prepare};

}  // namespace incore::tools
