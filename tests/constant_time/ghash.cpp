// Runs the GHASH kernels, and GCM over them, on keys and data that memcheck takes for undefined:
// see CMakeLists.txt. Of GCM's inputs the iv and the lengths are not secret; but the counter that
// GHASH makes of an iv of another length than 12 bytes is.
#include <valgrind/memcheck.h>

#include <cstdio>
#include <cstring>

#include "crypto/gcm/gcm.h"

namespace {

using namespace incore;

constexpr size_t kLen = 16 * 41 + 5;  // batches, blocks and a part of one

void run_kernel(const GhashKernel& k) {
  uint8_t h[16] = {}, state[16] = {}, data[kLen] = {};
  VALGRIND_MAKE_MEM_UNDEFINED(h, sizeof h);
  VALGRIND_MAKE_MEM_UNDEFINED(state, sizeof state);
  VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof data);
  GhashKey key;
  k.set_key(h, &key);
  k.update(key, state, data, sizeof data / 16);
}

void run_gcm(const AesKernel& aes, const GhashKernel& ghash) {
  for (size_t iv_len : {12, 16}) {
    uint8_t key_bytes[32] = {}, iv[16] = {}, data[kLen] = {}, tag[kGcmTagLen];
    VALGRIND_MAKE_MEM_UNDEFINED(key_bytes, sizeof key_bytes);
    VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof data);
    GcmKey key;
    gcm_set_key(aes, ghash, key_bytes, sizeof key_bytes, &key);
    gcm_encrypt(key, {iv, iv_len, data, 21, data, sizeof data, data}, tag);
    GcmStream stream(key, iv, iv_len);
    stream.add_aad(key, data, 21);
    stream.decrypt(key, data, 100, data);
    stream.decrypt(key, data + 100, sizeof data - 100, data + 100);
    stream.tag(key, tag);  // whether it is right is no secret: gcm_decrypt may branch on that
  }
}

// True if the kernel is asked for and can run.
bool is_asked_for(const KernelInfo& info, const char* name) {
  if (std::strcmp(name, "all") != 0 && std::strcmp(name, info.name) != 0) return false;
  if (detect_features().has_all(info.needs)) return true;
  std::printf("%s skipped: valgrind or this CPU lacks its features\n", info.name);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc == 2 ? argv[1] : "all";
  for (size_t i = 0; i < ghash_kernel_list.num_kernels; ++i) {
    const auto* ghash = reinterpret_cast<const GhashKernel*>(ghash_kernel_list.kernels[i]);
    if (!is_asked_for(ghash->info, name)) continue;
    run_kernel(*ghash);
    for (size_t j = 0; j < aes_kernel_list.num_kernels; ++j) {
      const auto* aes = reinterpret_cast<const AesKernel*>(aes_kernel_list.kernels[j]);
      if (!is_asked_for(aes->info, "all")) continue;
      run_gcm(*aes, *ghash);
      std::printf("gcm over aes:%s and ghash:%s ran\n", aes->info.name, ghash->info.name);
    }
  }
  return 0;
}
