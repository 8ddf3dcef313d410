// Measures whether the kernels' time depends on their secrets, after "dudect" (Reparaz, Balasch,
// Verbauwhede, 2017): each call gets either a fixed secret or a random one, by a coin; if the means
// of the two times differ by many standard errors, time depends on the secret. It sees what
// memcheck cannot run, and what no reading of instructions shows; it proves nothing, it may find
// something. usage: timing [--samples N] [--seconds S] [PART OF A NAME...] Exit code 1: a kernel's
// time depends on its secret, or a control that leaks was not found.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "crypto/aes/aes_kernel.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/ghash/ghash_kernel.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many_kernel.h"
#include "welch.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace {

using namespace incore;

// Beyond this many standard errors it is no chance. The paper takes 10 for certain, 4.5 for likely;
// what lies beyond is measured again, and has to lie there each time.
constexpr double kThreshold = 10;
constexpr int kTries = 4;

struct Subject {
  std::string name;
  size_t secret_len;
  std::function<void(const uint8_t* secret)> run;
  bool leaks = false;  // a control, which must be found
};

inline uint64_t now() {
#if defined(__x86_64__)
  unsigned cpu;
  _mm_lfence();
  const uint64_t ticks = __rdtscp(&cpu);
  _mm_lfence();
  return ticks;
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// |t| of |num_samples| calls. Secrets of both kinds are made beforehand. Each is copied to the same
// place before its call: where it lay, the kernel may have to fetch its page first, and a page of
// nothing but zeros comes faster.
double measure(const Subject& subject, size_t num_samples, std::mt19937_64& random) {
  std::vector<uint8_t> secrets(num_samples * subject.secret_len);
  std::vector<uint8_t> kinds(num_samples);
  for (size_t i = 0; i < num_samples; ++i) {
    kinds[i] = static_cast<uint8_t>(random() >> 63);
    uint8_t* const secret = &secrets[i * subject.secret_len];
    for (size_t j = 0; kinds[i] != 0 && j < subject.secret_len; ++j)
      secret[j] = static_cast<uint8_t>(random() >> 56);
  }
  std::vector<uint8_t> secret(subject.secret_len);
  std::vector<double> times[2];
  for (size_t i = 0; i < num_samples; ++i) {
    std::memcpy(secret.data(), &secrets[i * subject.secret_len], secret.size());
    const uint64_t start = now();
    subject.run(secret.data());
    const uint64_t end = now();
    if (i >= num_samples / 20) times[kinds[i]].push_back(static_cast<double>(end - start));
  }
  return test::greatest_t(times[0], times[1]);
}

struct Effort {
  size_t max_samples;
  double seconds;  // of one subject's measurement
};

// How many calls fit.
size_t samples_for(const Subject& subject, const Effort& effort) {
  const std::vector<uint8_t> secret(subject.secret_len);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 8; ++i) subject.run(secret.data());
  const double each =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 8;
  const auto fit = static_cast<size_t>(effort.seconds / (each + 1e-7));
  return std::clamp<size_t>(fit, 1000, effort.max_samples);
}

// Whether |subject| is as it should be.
bool judge(const Subject& subject, const Effort& effort, std::mt19937_64& random) {
  const size_t num_samples = samples_for(subject, effort);
  double least = measure(subject, num_samples, random);
  for (int i = 1; i < kTries && least > kThreshold; ++i)
    least = std::min(least, measure(subject, num_samples, random));
  const bool depends = least > kThreshold;
  std::printf("%-38s %8zu calls  t = %6.1f  %s\n", subject.name.c_str(), num_samples, least,
              depends ? "DEPENDS ON THE SECRET" : "no difference found");
  if (depends != subject.leaks && subject.leaks)
    std::printf("%s: the control should have been found\n", subject.name.c_str());
  return depends == subject.leaks;
}

template <class Kernel, class Add>
void for_each_kernel(const KernelList& list, Add add) {
  for (size_t i = 0; i < list.num_kernels; ++i)
    if (detect_features().has_all(list.kernels[i]->needs))
      add(*reinterpret_cast<const Kernel*>(list.kernels[i]),
          std::string(list.algorithm) + ":" + list.kernels[i]->name + " ");
}

void add_controls(std::vector<Subject>* out) {
  out->push_back({"control: comparison that stops early", 64,
                  [](const uint8_t* secret) {
                    volatile bool equal = true;
                    for (size_t i = 0; i < 64 && equal; ++i) equal = secret[i] == 0;
                  },
                  true});
  out->push_back({"control: a product for each 1 bit", 16,
                  [](const uint8_t* secret) {
                    volatile uint64_t power = 3;
                    for (size_t i = 0; i < 128; ++i) {
                      power = power * power;
                      if ((secret[i / 8] >> i % 8 & 1) != 0) power = power * 3;
                    }
                  },
                  true});
  out->push_back({"control: sum of all bytes", 64, [](const uint8_t* secret) {
                    volatile uint8_t sum = 0;
                    for (size_t i = 0; i < 64; ++i) sum = static_cast<uint8_t>(sum + secret[i]);
                  }});
}

void add_aes(std::vector<Subject>* out) {
  static constexpr size_t kBlocks = 17;
  static uint8_t buffer[16 * kBlocks], iv[16];
  for_each_kernel<AesKernel>(aes_kernel_list, [&](const AesKernel& k, const std::string& name) {
    out->push_back({name + "key", 32, [&k](const uint8_t* secret) {
                      static AesRoundKeys forward, inverse;
                      static AesKey key;
                      k.expand_key(secret, 32, 14, &forward);
                      k.invert_key(forward, &inverse);
                      k.load_key(inverse, &key);
                      k.ecb_decrypt(key, buffer, buffer, 1);
                    }});
    auto key = std::make_shared<std::pair<AesKey, AesKey>>();
    AesRoundKeys forward, inverse;
    const uint8_t key_bytes[16] = {0x2b, 0x7e, 0x15, 0x16};
    k.expand_key(key_bytes, 16, 10, &forward);
    k.invert_key(forward, &inverse);
    k.load_key(forward, &key->first);
    k.load_key(inverse, &key->second);
    out->push_back({name + "ecb, cbc, ctr, xts", 16 * kBlocks, [&k, key](const uint8_t* secret) {
                      k.ecb_encrypt(key->first, secret, buffer, kBlocks);
                      k.ecb_decrypt(key->second, secret, buffer, kBlocks);
                      k.cbc_encrypt(key->first, iv, secret, buffer, kBlocks);
                      k.cbc_decrypt(key->second, iv, secret, buffer, kBlocks);
                      k.ctr(key->first, iv, secret, buffer, kBlocks, 32);
                      k.xts_encrypt(key->first, iv, secret, buffer, kBlocks);
                    }});
    out->push_back({name + "many messages", 16 * kBlocks, [&k, key](const uint8_t* secret) {
                      static uint8_t ivs[kBlocks][16];
                      AesChain chains[kBlocks];
                      for (size_t i = 0; i < kBlocks; ++i)
                        chains[i] = {&key->first, ivs[i], secret + 16 * i, buffer + 16 * i, 1};
                      k.cbc_encrypt_many(chains, kBlocks);
                      k.cfb_encrypt_many(chains, kBlocks);
                    }});
  });
}

// All lanes take the same secret blocks.
template <class Word>
void add_sha_many(const KernelList& list, std::vector<Subject>* out) {
  for_each_kernel<ShaManyKernel<Word>>(
      list, [&](const ShaManyKernel<Word>& k, const std::string& name) {
        out->push_back({name + "4 blocks in all lanes", 4 * ShaLanes<Word>::kBlockLen,
                        [&k](const uint8_t* secret) {
                          static ShaLanes<Word> lanes;
                          for (const uint8_t*& data : lanes.data) data = secret;
                          k.compress(&lanes, 0, k.max_lanes, 4);
                        }});
      });
}

void add_hashes(std::vector<Subject>* out) {
  add_sha_many<uint32_t>(sha1_many_kernel_list, out);
  add_sha_many<uint32_t>(sha256_many_kernel_list, out);
  add_sha_many<uint64_t>(sha512_many_kernel_list, out);
  static uint32_t words[8];
  static uint64_t long_words[8];
  for_each_kernel<Sha1Kernel>(sha1_kernel_list, [&](const Sha1Kernel& k, const std::string& name) {
    out->push_back(
        {name + "4 blocks", 256, [&k](const uint8_t* secret) { k.compress(words, secret, 4); }});
  });
  for_each_kernel<Sha256Kernel>(
      sha256_kernel_list, [&](const Sha256Kernel& k, const std::string& name) {
        out->push_back({name + "4 blocks", 256,
                        [&k](const uint8_t* secret) { k.compress(words, secret, 4); }});
      });
  for_each_kernel<Sha512Kernel>(
      sha512_kernel_list, [&](const Sha512Kernel& k, const std::string& name) {
        out->push_back({name + "4 blocks", 512,
                        [&k](const uint8_t* secret) { k.compress(long_words, secret, 4); }});
      });
  for_each_kernel<GhashKernel>(
      ghash_kernel_list, [&](const GhashKernel& k, const std::string& name) {
        static uint8_t state[16];
        out->push_back({name + "key and 40 blocks", 656, [&k](const uint8_t* secret) {
                          static GhashKey key;
                          k.set_key(secret, &key);
                          k.update(key, state, secret + 16, 40);
                        }});
      });
}

void add_gf2(std::vector<Subject>* out) {
  for_each_kernel<Gf2Kernel>(gf2_kernel_list, [&](const Gf2Kernel& k, const std::string& name) {
    auto field = std::make_shared<Gf2Field>();
    uint64_t f[kGf2MaxWords + 1] = {uint64_t{1} | 1 << 5 | 1 << 7 | 1 << 12};
    f[283 / 64] |= uint64_t{1} << 283 % 64;
    gf2_set_field(&k, f, 284, field.get());
    out->push_back({name + "product, m = 283", 80, [field](const uint8_t* secret) {
                      static uint64_t a[5], b[5];
                      std::memcpy(a, secret, 40);
                      std::memcpy(b, secret + 40, 40);
                      a[4] &= field->last_mask;
                      b[4] &= field->last_mask;
                      field->multiply(*field, a, b, a);
                      field->montmul(*field, a, b, a);
                    }});
  });
}

// A modulus of 1024 bits and what the kernels need beside it.
struct MontFixture {
  static constexpr size_t kWords = 16;
  uint64_t m[kWords], rr[kWords];
  std::vector<uint64_t> memory = std::vector<uint64_t>(mont_power_scratch_words(kWords) + 8);
  uint64_t* scratch =
      memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64 / 8;
  MontModulus modulus;

  explicit MontFixture(const MontKernel& k) {
    std::memset(m, 0xa5, sizeof m);
    modulus = {m, rr, mont_m_prime(m[0]), kWords};
    mont_compute_rr(k, modulus, 64 * kWords, rr, scratch);
  }
};

// |len| bytes at |secret| as a number below a modulus whose highest byte is 0xa5.
void load_below(uint64_t* out, const uint8_t* secret, size_t len) {
  std::memcpy(out, secret, len);
  out[len / 8 - 1] >>= 1;
}

void add_mont(std::vector<Subject>* out) {
  for_each_kernel<MontKernel>(mont_kernel_list, [&](const MontKernel& k, const std::string& name) {
    const auto fixture = std::make_shared<MontFixture>(k);
    out->push_back({name + "product, 1024 bits", 256, [&k, fixture](const uint8_t* secret) {
                      static uint64_t a[16], b[16];
                      load_below(a, secret, 128);
                      load_below(b, secret + 128, 128);
                      k.mul(a, a, b, fixture->modulus, fixture->scratch);
                    }});
    out->push_back({name + "power, 1024 bits", 192, [&k, fixture](const uint8_t* secret) {
                      static uint64_t base[16];
                      load_below(base, secret, 128);
                      const MontPower power = {
                          &fixture->modulus, base, secret + 128, 64, base, false};
                      mont_power(k, &power, 1, fixture->scratch);
                    }});
  });
}

}  // namespace

int main(int argc, char** argv) {
  Effort effort = {20'000, 0.05};
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--samples") == 0 && i + 1 < argc)
      effort.max_samples = std::strtoull(argv[++i], nullptr, 10);
    else if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
      effort.seconds = std::strtod(argv[++i], nullptr);
    else
      names.emplace_back(argv[i]);
  }
  std::vector<Subject> subjects;
  add_controls(&subjects);
  add_aes(&subjects);
  add_hashes(&subjects);
  add_gf2(&subjects);
  add_mont(&subjects);

  const uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  bool good = true;
  for (const Subject& subject : subjects) {
    const bool wanted = names.empty() || std::any_of(names.begin(), names.end(), [&](auto& name) {
                          return subject.name.find(name) != std::string::npos;
                        });
    if (wanted && !judge(subject, effort, random)) good = false;
  }
  std::printf(good ? "no kernel's time was seen to depend on its secret\n" : "FAILED\n");
  return good ? 0 : 1;
}
