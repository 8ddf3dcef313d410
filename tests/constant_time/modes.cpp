// Runs XTS, CCM, CMAC and HMAC on a key and data that memcheck takes for undefined: see
// CMakeLists.txt. Nonces, tweaks, lengths and the verdict on a tag are not secret; a computed tag
// is, until it is given out.
#include <valgrind/memcheck.h>

#include <cstdio>
#include <cstring>

#include "base/equal.h"
#include "crypto/ccm/ccm.h"
#include "crypto/cmac/cmac.h"
#include "crypto/hmac/hmac.h"
#include "crypto/xts/xts.h"

namespace {

using namespace incore;

constexpr size_t kLen = 11 * 16 + 5;  // a batch, single blocks, and a part of one
int num_right = 0;

template <class T>
void make_secret(T& object) {
  VALGRIND_MAKE_MEM_UNDEFINED(&object, sizeof object);
}

void count(bool verdict) {
  VALGRIND_MAKE_MEM_DEFINED(&verdict, sizeof verdict);
  num_right += verdict;
}

void run_aes_modes(const AesKernel& kernel) {
  uint8_t key[64] = {}, data[kLen] = {}, out[kLen], tag[16];
  make_secret(key);
  make_secret(data);
  const uint8_t nonce[13] = {}, aad[20] = {}, tweak[16] = {};

  XtsKey xts;
  xts_set_key(kernel, key, sizeof key, &xts);
  xts_encrypt(xts, tweak, data, kLen, out);
  xts_decrypt(xts, tweak, out, kLen, out);
  xts_encrypt_units(xts, 0, 50, data, kLen, out);
  count(equal_in_constant_time(key, key + 32, 32));

  AesKey forward, inverse;
  aes_set_key(kernel, key, 32, &forward, &inverse);
  const CcmHead head = {nonce, sizeof nonce, aad, sizeof aad, sizeof tag};
  ccm_encrypt(forward, head, data, kLen, out, tag);
  count(ccm_verify(forward, head, out, kLen, tag));
  ccm_decrypt(forward, head, out, kLen, out);

  CbcMac mac;
  mac.start();
  mac.update(forward, data, 7);
  mac.update(forward, data, kLen);
  cmac_finish(mac, forward, out);
  count(equal_in_constant_time(out, tag, sizeof tag));
}

void run_hmac(ShaAlgorithm algorithm, const KernelInfo* kernel) {
  uint8_t key[200] = {}, data[kLen] = {}, tag[kShaMaxDigestLen];
  make_secret(key);
  make_secret(data);
  for (size_t key_len : {size_t{20}, sizeof key}) {
    Hmac hmac(algorithm, kernel, key, key_len);
    hmac.update(data, kLen);
    hmac.final(tag);
    count(equal_in_constant_time(tag, data, sha_digest_len(algorithm)));
  }
}

}  // namespace

int main() {
  const FeatureSet features = detect_features();
  for (size_t i = 0; i < aes_kernel_list.num_kernels; ++i) {
    const KernelInfo* info = aes_kernel_list.kernels[i];
    const bool runs = features.has_all(info->needs);
    if (runs) run_aes_modes(*reinterpret_cast<const AesKernel*>(info));
    std::printf("modes on aes:%s %s\n", info->name,
                runs ? "ran" : "skipped: valgrind or this CPU lacks its features");
  }
  for (size_t a = 0; a < static_cast<size_t>(ShaAlgorithm::count_); ++a) {
    const auto algorithm = static_cast<ShaAlgorithm>(a);
    run_hmac(algorithm, sha_kernel(algorithm));
  }
  std::printf("hmac ran on sha1:%s, sha256:%s, sha512:%s; %d verdicts\n",
              sha_kernel(ShaAlgorithm::sha1)->name, sha_kernel(ShaAlgorithm::sha256)->name,
              sha_kernel(ShaAlgorithm::sha512)->name, num_right);
  return 0;
}
