// Which AES kernel serves: aes_kernels.def lists them, crypto/kernel_choice.h chooses. And the one
// way in which it gets a key.
#include "crypto/aes/aes_kernel.h"

#include "base/wipe.h"

namespace incore {
namespace {

constexpr const KernelInfo* kKernels[] = {
#define X(kernel) &aes_##kernel.info,
#include "crypto/aes/aes_kernels.def"
#undef X
};

constinit TestedKernels tested;

}  // namespace

constinit const KernelList aes_kernel_list =
    kernel_list_of("aes", kKernels, aes_self_test, &tested);

namespace {
constinit ChosenKernel<AesKernel> chosen(aes_kernel_list);
}

const AesKernel* aes_kernel() {
  return chosen.kernel();
}

void aes_set_key(const AesKernel& kernel, const uint8_t* key, size_t key_len, AesKey* out_forward,
                 AesKey* out_inverse) {
  // FIPS 197 section 5: Nr = Nk + 6.
  const unsigned rounds = static_cast<unsigned>(key_len / 4 + 6);
  AesRoundKeys forward, inverse;
  kernel.expand_key(key, key_len, rounds, &forward);
  kernel.invert_key(forward, &inverse);
  kernel.load_key(forward, out_forward);
  kernel.load_key(inverse, out_inverse);
  wipe(forward);
  wipe(inverse);
}

}  // namespace incore
