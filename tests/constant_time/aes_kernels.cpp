// Runs the AES kernels on a key and data that memcheck takes for undefined: see CMakeLists.txt. The
// iv is not secret.
#include <valgrind/memcheck.h>

#include <cstdio>
#include <cstring>

#include "crypto/aes/aes_kernel.h"
#include "crypto/aes/aes_steps.h"

namespace {

using namespace incore;

constexpr size_t kBlocks = 11;  // a batch and single blocks

void run_kernel(const AesKernel& k) {
  for (size_t key_len : {16, 24, 32}) {
    uint8_t key[32] = {}, data[16 * kBlocks] = {}, iv[16] = {};
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof data);
    AesRoundKeys forward, inverse;
    AesKey encrypt, decrypt;
    k.expand_key(key, key_len, static_cast<unsigned>(key_len / 4 + 6), &forward);
    k.invert_key(forward, &inverse);
    k.load_key(forward, &encrypt);
    k.load_key(inverse, &decrypt);
    k.ecb_encrypt(encrypt, data, data, kBlocks);
    k.ecb_decrypt(decrypt, data, data, kBlocks);
    for (unsigned bits : {16u, 32u, 64u, 128u}) k.ctr(encrypt, iv, data, data, kBlocks, bits);
    k.cbc_encrypt(encrypt, iv, data, data, kBlocks);
    k.cbc_decrypt(decrypt, iv, data, data, kBlocks);
    k.cfb_encrypt(encrypt, iv, data, data, kBlocks);
    k.cfb_decrypt(encrypt, iv, data, data, kBlocks);
    k.ofb(encrypt, iv, data, data, kBlocks);
    k.xts_encrypt(encrypt, iv, data, data, kBlocks);
    k.xts_decrypt(decrypt, iv, data, data, kBlocks);
    uint8_t other_iv[16] = {};
    const AesChain chains[] = {{&encrypt, iv, data, data, 3},
                               {&encrypt, other_iv, data + 48, data + 48, 5}};
    k.cbc_encrypt_many(chains, 2);
    k.cfb_encrypt_many(chains, 2);
  }
}

int run_steps() {
  uint8_t key[16] = {}, block[16] = {};
  VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
  AesRoundKeys forward;
  aes_steps::key_expansion(key, sizeof key, 10, &forward);
  aes_steps::cipher(forward, block, block);
  VALGRIND_MAKE_MEM_DEFINED(block, sizeof block);
  return block[0] == 0x66 ? 0 : 2;  // so that nothing is optimised away
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc == 2 ? argv[1] : "all";
  if (std::strcmp(name, "steps") == 0) return run_steps();
  const FeatureSet features = detect_features();
  for (size_t i = 0; i < aes_kernel_list.num_kernels; ++i) {
    const KernelInfo* info = aes_kernel_list.kernels[i];
    if (std::strcmp(name, "all") != 0 && std::strcmp(name, info->name) != 0) continue;
    if (!features.has_all(info->needs)) {
      std::printf("aes:%s skipped: valgrind or this CPU lacks its features\n", info->name);
      continue;
    }
    run_kernel(*reinterpret_cast<const AesKernel*>(info));
    std::printf("aes:%s ran\n", info->name);
  }
  return 0;
}
