// OpenSSL's libcrypto, version 3, through its interface EVP. Setting an iv costs it some 600
// cycles, so that in the plain modes only the first call has one, and the others go on with its
// message: the fastest that its users can have.
#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "tools/bench/peer_openssl_numbers.h"

namespace incore::tools {
namespace {

// Our own declarations of what libcrypto.so.3 exports.
struct EvpCipher;
struct EvpCipherCtx;
struct EvpMd;
struct EvpMdCtx;
struct EvpMac;
struct EvpMacCtx;
struct Param {  // OSSL_PARAM
  const char* key;
  unsigned type;
  const void* data;
  size_t size, returned;
};
constexpr unsigned kText = 4;    // OSSL_PARAM_UTF8_STRING
constexpr int kVersionText = 6;  // OPENSSL_FULL_VERSION_STRING
constexpr int kSetIvLen = 0x9;   // EVP_CTRL_AEAD_SET_IVLEN
constexpr int kGetTag = 0x10;    // EVP_CTRL_AEAD_GET_TAG
constexpr int kSetTag = 0x11;    // EVP_CTRL_AEAD_SET_TAG

const char* (*version)(int);
EvpCipher* (*cipher_fetch)(void*, const char*, const char*);
void (*cipher_free)(EvpCipher*);
EvpCipherCtx* (*cipher_ctx_new)();
void (*cipher_ctx_free)(EvpCipherCtx*);
int (*cipher_ctx_set_padding)(EvpCipherCtx*, int);
int (*cipher_ctx_ctrl)(EvpCipherCtx*, int, int, void*);
int (*cipher_init)(EvpCipherCtx*, const EvpCipher*, const uint8_t*, const uint8_t*, int, void*);
int (*cipher_update)(EvpCipherCtx*, uint8_t*, int*, const uint8_t*, int);
int (*cipher_final)(EvpCipherCtx*, uint8_t*, int*);
EvpMd* (*md_fetch)(void*, const char*, const char*);
void (*md_free)(EvpMd*);
EvpMdCtx* (*md_ctx_new)();
void (*md_ctx_free)(EvpMdCtx*);
int (*digest_init)(EvpMdCtx*, const EvpMd*, void*);
int (*digest_update)(EvpMdCtx*, const void*, size_t);
int (*digest_final)(EvpMdCtx*, uint8_t*, unsigned*);
EvpMac* (*mac_fetch)(void*, const char*, const char*);
void (*mac_free)(EvpMac*);
EvpMacCtx* (*mac_ctx_new)(EvpMac*);
void (*mac_ctx_free)(EvpMacCtx*);
int (*mac_init)(EvpMacCtx*, const uint8_t*, size_t, const Param*);
int (*mac_update)(EvpMacCtx*, const uint8_t*, size_t);
int (*mac_final)(EvpMacCtx*, uint8_t*, size_t*, size_t);

std::string open() {
  static SharedLibrary library;
  library.open({"libcrypto.so.3"});
  library.find("OpenSSL_version", &version);
  library.find("EVP_CIPHER_fetch", &cipher_fetch);
  library.find("EVP_CIPHER_free", &cipher_free);
  library.find("EVP_CIPHER_CTX_new", &cipher_ctx_new);
  library.find("EVP_CIPHER_CTX_free", &cipher_ctx_free);
  library.find("EVP_CIPHER_CTX_set_padding", &cipher_ctx_set_padding);
  library.find("EVP_CIPHER_CTX_ctrl", &cipher_ctx_ctrl);
  library.find("EVP_CipherInit_ex2", &cipher_init);
  library.find("EVP_CipherUpdate", &cipher_update);
  library.find("EVP_CipherFinal_ex", &cipher_final);
  library.find("EVP_MD_fetch", &md_fetch);
  library.find("EVP_MD_free", &md_free);
  library.find("EVP_MD_CTX_new", &md_ctx_new);
  library.find("EVP_MD_CTX_free", &md_ctx_free);
  library.find("EVP_DigestInit_ex2", &digest_init);
  library.find("EVP_DigestUpdate", &digest_update);
  library.find("EVP_DigestFinal_ex", &digest_final);
  library.find("EVP_MAC_fetch", &mac_fetch);
  library.find("EVP_MAC_free", &mac_free);
  library.find("EVP_MAC_CTX_new", &mac_ctx_new);
  library.find("EVP_MAC_CTX_free", &mac_ctx_free);
  library.find("EVP_MAC_init", &mac_init);
  library.find("EVP_MAC_update", &mac_update);
  library.find("EVP_MAC_final", &mac_final);
  open_openssl_numbers(library);
  return version(kVersionText);
}

void require_done(int result) {
  if (result <= 0) throw std::runtime_error("OpenSSL refuses the operation");
}

template <class Call>
Work repeat_done(Call call) {
  return [call](size_t calls) {
    int result = 1;
    for (size_t i = 0; i < calls && result > 0; ++i) result = call();
    require_done(result);
  };
}

std::shared_ptr<EvpCipherCtx> cipher_context(const std::string& name, const Task& task,
                                             bool encrypt) {
  const std::shared_ptr<EvpCipher> cipher(cipher_fetch(nullptr, name.c_str(), nullptr),
                                          cipher_free);
  if (!cipher) return nullptr;
  std::shared_ptr<EvpCipherCtx> context(cipher_ctx_new(), cipher_ctx_free);
  require_done(cipher_init(context.get(), cipher.get(), nullptr, nullptr, encrypt, nullptr));
  if (name.ends_with("GCM") || name.ends_with("CCM"))
    require_done(
        cipher_ctx_ctrl(context.get(), kSetIvLen, static_cast<int>(task.iv.size()), nullptr));
  if (name.ends_with("CCM")) require_done(cipher_ctx_ctrl(context.get(), kSetTag, 16, nullptr));
  require_done(cipher_init(context.get(), nullptr, task.key.data(),
                           task.iv.empty() ? nullptr : task.iv.data(), encrypt, nullptr));
  require_done(cipher_ctx_set_padding(context.get(), 0));
  return context;
}

// The modes without a tag.
Work plain_cipher(Task& task, const std::string& name, bool encrypt) {
  const auto context = cipher_context(name, task, encrypt);
  if (!context) return nullptr;
  const int len = static_cast<int>(task.in.size());
  return repeat_done([context, &task, len] {
    int out_len;
    return cipher_update(context.get(), task.out.data(), &out_len, task.in.data(), len);
  });
}

constexpr int kTagLen = 16;

// GCM and CCM; the tag is the end of the ciphertext. CCM wants the tag, or its length, and the
// length of the text first.
Work aead(Task& task, const std::string& name, bool encrypt) {
  const auto context = cipher_context(name, task, encrypt);
  if (!context) return nullptr;
  const bool ccm = name.ends_with("CCM");
  const int len = static_cast<int>(std::min(task.in.size(), task.out.size()));
  return repeat_done([context, &task, len, ccm, encrypt] {
    EvpCipherCtx* const c = context.get();
    int ignored;
    uint8_t* const tag = (encrypt ? task.out.data() : task.in.data()) + len;
    bool ok = true;
    if (ccm && !encrypt) ok = cipher_ctx_ctrl(c, kSetTag, kTagLen, tag) > 0;
    ok = ok &&
         cipher_init(c, nullptr, ccm ? task.key.data() : nullptr, task.iv.data(), -1, nullptr) > 0;
    if (ccm) ok = ok && cipher_update(c, nullptr, &ignored, nullptr, len) > 0;
    if (!task.aad.empty())
      ok = ok && cipher_update(c, nullptr, &ignored, task.aad.data(),
                               static_cast<int>(task.aad.size())) > 0;
    ok = ok && cipher_update(c, task.out.data(), &ignored, task.in.data(), len) > 0;
    if (!ccm && !encrypt) ok = ok && cipher_ctx_ctrl(c, kSetTag, kTagLen, tag) > 0;
    if (!ccm || encrypt) ok = ok && cipher_final(c, task.out.data() + len, &ignored) > 0;
    if (encrypt) ok = ok && cipher_ctx_ctrl(c, kGetTag, kTagLen, tag) > 0;
    return ok ? 1 : 0;
  });
}

Work digest(Task& task, const char* name) {
  const std::shared_ptr<EvpMd> md(md_fetch(nullptr, name, nullptr), md_free);
  if (!md) return nullptr;
  const std::shared_ptr<EvpMdCtx> context(md_ctx_new(), md_ctx_free);
  const size_t len = task.in.size() / task.messages;
  const size_t digest_len = task.out.size() / task.messages;
  return repeat_done([md, context, &task, len, digest_len] {
    bool ok = true;
    for (size_t i = 0; i < task.messages; ++i)
      ok = ok && digest_init(context.get(), md.get(), nullptr) > 0 &&
           digest_update(context.get(), task.in.data() + i * len, len) > 0 &&
           digest_final(context.get(), task.out.data() + i * digest_len, nullptr) > 0;
    return ok ? 1 : 0;
  });
}

// HMAC and CMAC: |what| is "digest" or "cipher". The key is set once; later messages go on with it.
Work mac(Task& task, const char* name, const char* what, const std::string& algorithm) {
  const std::shared_ptr<EvpMac> mac(mac_fetch(nullptr, name, nullptr), mac_free);
  if (!mac) return nullptr;
  const std::shared_ptr<EvpMacCtx> context(mac_ctx_new(mac.get()), mac_ctx_free);
  const Param params[] = {{what, kText, algorithm.c_str(), algorithm.size(), 0}, {}};
  require_done(mac_init(context.get(), task.key.data(), task.key.size(), params));
  return repeat_done([context, &task] {
    size_t len;
    const bool ok = mac_init(context.get(), nullptr, 0, nullptr) > 0 &&
                    mac_update(context.get(), task.in.data(), task.in.size()) > 0 &&
                    mac_final(context.get(), task.out.data(), &len, task.out.size()) > 0;
    return ok ? 1 : 0;
  });
}

// "aes-128-cbc-encrypt" as OpenSSL names it: "AES-128-CBC"; the direction is cut off.
std::string cipher_name(const std::string& operation) {
  const size_t third_hyphen = operation.find('-', operation.find('-', 4) + 1);
  std::string name = operation.substr(0, third_hyphen);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

Work prepare(Task& task) {
  const std::string& operation = task.operation;
  if (operation == "sha1") return digest(task, "SHA1");
  if (operation == "sha256") return digest(task, "SHA256");
  if (operation == "sha512") return digest(task, "SHA512");
  if (operation.starts_with("hmac-")) return mac(task, "HMAC", "digest", operation.substr(5));
  if (operation.ends_with("-cmac"))
    return mac(task, "CMAC", "cipher", cipher_name(operation).substr(0, 7) + "-CBC");
  if (!operation.starts_with("aes-")) return prepare_openssl_numbers(task);
  if (task.messages != 1) return nullptr;
  const std::string name = cipher_name(operation);
  const bool encrypt = !operation.ends_with("-decrypt");
  if (name.ends_with("GCM") || name.ends_with("CCM")) return aead(task, name, encrypt);
  return plain_cipher(task, name, encrypt);
}

}  // namespace

extern const Peer peer_openssl = {"openssl", open, prepare};

}  // namespace incore::tools
