// Runs the kernels of Montgomery multiplication and RSA on numbers that memcheck takes for
// undefined: see CMakeLists.txt. Moduli, bases and exponents are secret, lengths are not.
#include "crypto/mont/mont_kernel.h"

#include <valgrind/memcheck.h>

#include <cstdio>
#include <cstring>

#include "crypto/rsa/rsa.h"

namespace {

using namespace incore;

constexpr size_t kMaxWords = 24;

// A modulus whose value is undefined, with its arrays.
struct SecretModulus {
  uint64_t m[kMaxWords], rr[kMaxWords];
  MontModulus view;

  SecretModulus(const MontKernel& kernel, size_t words, uint64_t seed, uint64_t* scratch) {
    for (size_t i = 0; i < words; ++i) m[i] = (i + seed) * 0x9E3779B97F4A7C15;
    m[0] |= 1;
    m[words - 1] |= uint64_t{1} << 63;
    VALGRIND_MAKE_MEM_UNDEFINED(m, words * sizeof *m);
    view = {m, rr, mont_m_prime(m[0]), words};
    mont_compute_rr(kernel, view, 64 * words, rr, scratch);
  }
};

alignas(64) uint64_t scratch[rsa_private_scratch_words(64 * kMaxWords)];

// Which entry of its table a power takes follows from the exponent; no address may.
// clause: P8-DET-032
void run_power(const MontKernel& kernel, size_t words) {
  const SecretModulus modulus(kernel, words, words, scratch);
  uint64_t base[kMaxWords] = {}, out[kMaxWords];
  uint8_t exponent[40] = {};
  VALGRIND_MAKE_MEM_UNDEFINED(base, (words - 1) * sizeof *base);
  VALGRIND_MAKE_MEM_UNDEFINED(exponent, sizeof exponent);
  for (size_t exponent_len : {size_t{1}, size_t{5}, sizeof exponent}) {
    const MontPower power = {&modulus.view, base, exponent, exponent_len, out, false};
    mont_power(kernel, &power, 1, scratch);
  }
}

void run_rsa(const MontKernel& kernel, size_t p_words, size_t q_words) {
  const SecretModulus p(kernel, p_words, 1, scratch), q(kernel, q_words, 2, scratch);
  const SecretModulus n(kernel, p_words + q_words, 3, scratch);
  uint64_t in[kMaxWords] = {}, out[kMaxWords], q_inv[kMaxWords] = {};
  uint8_t d_p[8 * kMaxWords], d_q[8 * kMaxWords];
  const uint8_t e[] = {1, 0, 1};
  in[0] = 5;
  VALGRIND_MAKE_MEM_UNDEFINED(in, (n.view.words - 1) * sizeof *in);
  VALGRIND_MAKE_MEM_UNDEFINED(q_inv, (p_words - 1) * sizeof *q_inv);
  VALGRIND_MAKE_MEM_UNDEFINED(d_p, sizeof d_p);
  VALGRIND_MAKE_MEM_UNDEFINED(d_q, sizeof d_q);
  const RsaKey key = {&kernel, n.view, p.view, q.view,      q_inv,      e,
                      d_p,     d_q,    3,      8 * p_words, 8 * q_words};
  uint64_t wrong = rsa_private(key, out, in, scratch);
  VALGRIND_MAKE_MEM_DEFINED(&wrong, sizeof wrong);  // whether the key is right is no secret
  std::printf("rsa:%s %zu and %zu words, check says %d\n", kernel.info.name, p_words, q_words,
              wrong == 0);
}

// Memcheck knows ADCX and ADOX, but its CPUID does not tell.
bool runs_in_valgrind([[maybe_unused]] const KernelInfo* kernel,
                      [[maybe_unused]] FeatureSet features) {
#if defined(__x86_64__)
  return kernel == &mont_adx.info && features.has(Feature::bmi2);
#else
  return false;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc == 2 ? argv[1] : "all";
  const FeatureSet features = detect_features();
  for (size_t i = 0; i < mont_kernel_list.num_kernels; ++i) {
    const KernelInfo* info = mont_kernel_list.kernels[i];
    if (std::strcmp(name, "all") != 0 && std::strcmp(name, info->name) != 0) continue;
    if (!features.has_all(info->needs) && !runs_in_valgrind(info, features)) {
      std::printf("mont:%s skipped: valgrind or this CPU lacks its features\n", info->name);
      continue;
    }
    const MontKernel& kernel = *reinterpret_cast<const MontKernel*>(info);
    for (size_t words : {4, 5, 8, 16}) run_power(kernel, words);
    run_rsa(kernel, 8, 8);
    run_rsa(kernel, 5, 4);
    std::printf("mont:%s ran\n", info->name);
  }
  return 0;
}
