// Prints the chosen kernels, the features that were found, and answers of the library, for
// tests/power8/fallback_test.py to compare between processors. "answers probe" prints what the
// SIGILL probe finds instead.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cpu/probe_power.h"
#include "incore/aes.h"
#include "incore/cpu.h"
#include "incore/crc.h"
#include "incore/gcm.h"
#include "incore/gf2.h"
#include "incore/sha.h"

namespace {

uint8_t data[1000], out[1000];

void require(incore_status status) {
  if (status == INCORE_OK) return;
  std::fprintf(stderr, "answers: %s\n", incore_status_message(status));
  std::exit(1);
}

void print(const char* name, const void* bytes, size_t len) {
  std::printf("answer %s ", name);
  for (size_t i = 0; i < len; ++i) std::printf("%02x", static_cast<const uint8_t*>(bytes)[i]);
  std::printf("\n");
}

void print_kernels_and_features() {
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i)
    for (size_t j = 0; j < incore_cpu_num_kernels(i); ++j) {
      incore_cpu_kernel kernel;
      require(incore_cpu_get_kernel(i, j, &kernel));
      std::printf("%s %s %s\n", kernel.chosen != 0 ? "chosen" : "other",
                  incore_cpu_algorithm_name(i), kernel.name);
    }
  for (size_t i = 0; i < incore_cpu_num_features(); ++i) {
    incore_cpu_feature feature;
    require(incore_cpu_get_feature(i, &feature));
    if (feature.present != 0) std::printf("feature %s yes\n", feature.name);
  }
}

void print_aes() {
  for (size_t key_len = 16; key_len <= 32; key_len += 8) {
    incore_aes_key key;
    uint8_t iv[16] = {};
    char name[32];
    require(incore_aes_key_set(&key, data, key_len));
    require(incore_aes_ecb_encrypt(&key, data, 992, out));
    std::snprintf(name, sizeof name, "aes%zu_ecb", 8 * key_len);
    print(name, out, 992);
    require(incore_aes_cbc_decrypt(&key, iv, data, 992, out));
    std::snprintf(name, sizeof name, "aes%zu_cbc_decrypt", 8 * key_len);
    print(name, out, 992);
    require(incore_aes_crypt(&key, INCORE_AES_CTR128, iv, data, sizeof data, out));
    std::snprintf(name, sizeof name, "aes%zu_ctr", 8 * key_len);
    print(name, out, sizeof data);
  }
  incore_gcm_key key;
  const uint8_t iv[12] = {1}, additional[20] = {2};
  uint8_t tag[16];
  require(incore_gcm_key_set(&key, data, 16));
  require(incore_gcm_encrypt(&key, iv, sizeof iv, additional, sizeof additional, data, sizeof data,
                             out, tag, sizeof tag));
  print("gcm", out, sizeof data);
  print("gcm_tag", tag, sizeof tag);
}

void print_sha() {
  const struct {
    const char* name;
    incore_sha_algorithm algorithm;
  } all[] = {{"sha1", INCORE_SHA1},
             {"sha224", INCORE_SHA224},
             {"sha256", INCORE_SHA256},
             {"sha384", INCORE_SHA384},
             {"sha512", INCORE_SHA512}};
  for (const auto& a : all) {
    uint8_t digest[INCORE_SHA_MAX_DIGEST_LEN];
    const size_t len = incore_sha_digest_len(a.algorithm);
    require(incore_sha_digest(a.algorithm, data, sizeof data, digest, len));
    print(a.name, digest, len);
  }
}

void print_polynomials() {
  uint32_t crc = 0, crc_c = 0;
  require(incore_crc32(&crc, data, sizeof data));
  require(incore_crc32c(&crc_c, data, sizeof data));
  std::printf("answer crc32 %08x\nanswer crc32c %08x\n", crc, crc_c);
  crc_c = 0;
  require(incore_crc32c(&crc_c, "123456789", 9));
  std::printf("answer crc32c_check %08x\n", crc_c);
  uint64_t a[8], b[8], product[16];
  for (uint64_t i = 0; i < 8; ++i) {
    a[i] = 0x0123456789ABCDEF * (2 * i + 1);
    b[i] = 0xFEDCBA9876543210 + i;
  }
  require(incore_gf2_multiply(a, b, 8, product));
  std::printf("answer gf2 ");
  for (const uint64_t word : product) std::printf("%016llx", static_cast<unsigned long long>(word));
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "probe") == 0) {
    std::printf("%u\n", incore::probed_power_units());
    return 0;
  }
  const char* part = nullptr;
  size_t part_len = 0, algorithm = 0;
  const incore_status status =
      incore_cpu_check_environment(std::getenv("INCORE_KERNEL"), &part, &part_len, &algorithm);
  if (status != INCORE_OK) {
    std::fprintf(stderr, "answers: INCORE_KERNEL: %.*s of %s: %s\n", static_cast<int>(part_len),
                 part, incore_cpu_algorithm_name(algorithm), incore_status_name(status));
    return 2;
  }
  for (size_t i = 0; i < sizeof data; ++i) data[i] = static_cast<uint8_t>(i);
  print_kernels_and_features();
  print_aes();
  print_sha();
  print_polynomials();
  return 0;
}
