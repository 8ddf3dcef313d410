// The table of operations. AES, GCM and GHASH take the first bytes of the key; the hashes are their
// compression functions, the state being that of the standard's start.
#include "operations.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "crypto/crc/crc_kernel.h"
#include "crypto/sha/sha_kernel.h"
#include "published.h"

extern "C" void sha256_block_p8(uint32_t* state, const uint8_t* input, size_t num_blocks);
extern "C" void sha512_block_p8(uint64_t* state, const uint8_t* input, size_t num_blocks);

namespace incore::bench {
namespace {

template <class Kernel>
const Kernel& kernel_of(const Call& c) {
  return *reinterpret_cast<const Kernel*>(c.kernel);
}

void nothing(Call&) {}
size_t whole_output(Call& c) {
  return c.len;
}

// AES. The key's length in bytes; the direction of the schedule; a function of the kernel.
template <size_t key_len>
void set_aes_key(Call& c) {
  aes_set_key(kernel_of<AesKernel>(c), c.key, key_len, &c.forward, &c.inverse);
}
template <auto key, auto function>
void call_ecb(Call& c) {
  (kernel_of<AesKernel>(c).*function)(c.*key, c.in.bytes, c.out.bytes, c.len / 16);
}
template <auto key, auto function>
void call_chained(Call& c) {
  (kernel_of<AesKernel>(c).*function)(c.*key, c.iv, c.in.bytes, c.out.bytes, c.len / 16);
}
void call_ctr(Call& c) {
  kernel_of<AesKernel>(c).ctr(c.forward, c.iv, c.in.bytes, c.out.bytes, c.len / 16, 128);
}
void call_expand_key(Call& c) {
  kernel_of<AesKernel>(c).expand_key(c.key, 16, 10, &c.round_keys);
}
size_t last_round_key(Call& c) {
  std::memcpy(c.out.bytes, c.round_keys.bytes + 160, 16);
  return 16;
}

// GCM of an AES kernel with the GHASH kernel of the same name, if there is one.
void prepare_gcm(Call& c) {
  const KernelInfo* ghash = find_kernel(ghash_kernel_list, c.kernel->name);
  if (ghash == nullptr) ghash = find_kernel(ghash_kernel_list, "portable");
  gcm_set_key(kernel_of<AesKernel>(c), *reinterpret_cast<const GhashKernel*>(ghash), c.key, 16,
              &c.gcm_key);
}
void call_gcm(Call& c) {
  gcm_encrypt(c.gcm_key, {c.iv, kGcmIvLen, nullptr, 0, c.in.bytes, c.len, c.out.bytes},
              c.out.bytes + c.len);
}
size_t text_and_tag(Call& c) {
  return c.len + kGcmTagLen;
}

void prepare_ghash(Call& c) {
  kernel_of<GhashKernel>(c).set_key(c.key, &c.hash_key);
  std::memset(c.iv, 0, sizeof c.iv);  // Y
}
void call_ghash(Call& c) {
  kernel_of<GhashKernel>(c).update(c.hash_key, c.iv, c.in.bytes, c.len / 16);
}
size_t hash_state(Call& c) {
  std::memcpy(c.out.bytes, c.iv, 16);
  return 16;
}

// The hashes begin with the values of FIPS 180-4, section 5.3.
void start_sha1(Call& c) {
  constexpr uint32_t kStart[8] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::memcpy(c.state32, kStart, sizeof kStart);
}
void start_sha256(Call& c) {
  constexpr uint32_t kStart[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::memcpy(c.state32, kStart, sizeof kStart);
}
void start_sha512(Call& c) {
  constexpr uint64_t kStart[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                  0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                  0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
  std::memcpy(c.state64, kStart, sizeof kStart);
}
template <class Kernel, auto state, size_t block_len>
void call_sha(Call& c) {
  kernel_of<Kernel>(c).compress(c.*state, c.in.bytes, c.len / block_len);
}
constexpr Sha256Kernel kSha256Assembly = {{"assembly", FeatureSet(Feature::vcrypto)},
                                          sha256_block_p8};
constexpr Sha512Kernel kSha512Assembly = {{"assembly", FeatureSet(Feature::vcrypto)},
                                          sha512_block_p8};
template <auto state, size_t words>
size_t words_of_state(Call& c) {
  constexpr size_t kLen = sizeof((c.*state)[0]);
  for (size_t i = 0; i < words * kLen; ++i)
    c.out.bytes[i] = static_cast<uint8_t>((c.*state)[i / kLen] >> (8 * (kLen - 1 - i % kLen)));
  return words * kLen;
}

void start_crc(Call& c) {
  c.state32[0] = ~uint32_t{0};
}
void call_crc(Call& c) {
  c.state32[0] = kernel_of<CrcKernel>(c).update(c.state32[0], c.in.bytes, c.len);
}
size_t end_crc(Call& c) {
  c.state32[0] = ~c.state32[0];
  return words_of_state<&Call::state32, 1>(c);
}

// Carry-less multiplication of the first half of |in| by the second. The bytes of its numbers come
// lowest first, whatever the machine's order.
void swap_words(uint8_t* bytes, size_t len) {
  if constexpr (std::endian::native == std::endian::little) return;
  for (size_t i = 0; i < len; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    word = __builtin_bswap64(word);
    std::memcpy(bytes + i, &word, 8);
  }
}
void prepare_gf2(Call& c) {
  swap_words(c.in.bytes, c.len);
}
size_t gf2_result(Call& c, size_t len) {
  swap_words(c.out.bytes, len);
  return len;
}
void call_gf2(Call& c) {
  const uint64_t* in = reinterpret_cast<const uint64_t*>(c.in.bytes);
  const size_t words = c.len / 16;
  kernel_of<Gf2Kernel>(c).multiply(in, in + words, words, reinterpret_cast<uint64_t*>(c.out.bytes));
}
size_t whole_product(Call& c) {
  return gf2_result(c, c.len);
}

// The same modulo a polynomial with elements of that many words: that of FIPS 197, and those of the
// fields of FIPS 186-4.
struct Polynomial {
  size_t words;
  unsigned exponents[5];  // zeros behind the last
};
constexpr Polynomial kPolynomials[] = {
    {1, {8, 4, 3, 1, 0}}, {3, {163, 7, 6, 3, 0}}, {4, {233, 74, 0, 0, 0}}, {9, {571, 10, 5, 2, 0}}};

void prepare_field(Call& c) {
  swap_words(c.in.bytes, c.len);
  const size_t words = c.len / 16;
  uint64_t* in = reinterpret_cast<uint64_t*>(c.in.bytes);
  for (const Polynomial& polynomial : kPolynomials) {
    if (polynomial.words != words) continue;
    uint64_t f[kGf2MaxWords + 1] = {1};
    for (unsigned e : polynomial.exponents)
      if (e != 0) f[e / 64] |= uint64_t{1} << (e % 64);
    gf2_set_field(&kernel_of<Gf2Kernel>(c), f, polynomial.exponents[0] + 1, &c.field);
    in[words - 1] &= c.field.last_mask;
    in[2 * words - 1] &= c.field.last_mask;
    return;
  }
  std::fprintf(stderr, "power8_kernel_calls: no field has elements of %zu words\n", words);
  std::exit(2);
}
void call_field(Call& c) {
  const uint64_t* in = reinterpret_cast<const uint64_t*>(c.in.bytes);
  c.field.multiply(c.field, in, in + c.len / 16, reinterpret_cast<uint64_t*>(c.out.bytes));
}
size_t element(Call& c) {
  return gf2_result(c, c.len / 2);
}

constexpr auto kForward = &Call::forward;
constexpr auto kInverse = &Call::inverse;
using Aes = AesKernel;

constexpr Operation aes_operation(const char* name, Answer answer, void (*call)(Call&)) {
  return {name, &aes_kernel_list, 16, answer, set_aes_key<16>, call, whole_output};
}

}  // namespace

constexpr Operation kOperations[] = {
    // FIPS 197, A.1: the last round key of the schedule.
    {"aes-128-key",
     &aes_kernel_list,
     16,
     {KEY, IV, ZEROS_16, "d014f9a8c9ee2589e13f0cc8b6630ca6"},
     nothing,
     call_expand_key,
     last_round_key},
    aes_operation("aes-128-ecb-encrypt", {KEY, IV, TEXT, ECB_TEXT},
                  call_ecb<kForward, &Aes::ecb_encrypt>),
    aes_operation("aes-128-ecb-decrypt", {KEY, IV, ECB_TEXT, TEXT},
                  call_ecb<kInverse, &Aes::ecb_decrypt>),
    aes_operation("aes-128-cbc-encrypt", {KEY, IV, TEXT, CBC_TEXT},
                  call_chained<kForward, &Aes::cbc_encrypt>),
    aes_operation("aes-128-cbc-decrypt", {KEY, IV, CBC_TEXT, TEXT},
                  call_chained<kInverse, &Aes::cbc_decrypt>),
    aes_operation("aes-128-cfb-encrypt", {KEY, IV, TEXT, CFB_TEXT},
                  call_chained<kForward, &Aes::cfb_encrypt>),
    aes_operation("aes-128-cfb-decrypt", {KEY, IV, CFB_TEXT, TEXT},
                  call_chained<kForward, &Aes::cfb_decrypt>),
    aes_operation("aes-128-ofb", {KEY, IV, TEXT, OFB_TEXT}, call_chained<kForward, &Aes::ofb>),
    aes_operation("aes-128-ctr", {KEY, COUNTER, TEXT, CTR_TEXT}, call_ctr),
    {"aes-256-ctr",
     &aes_kernel_list,
     16,
     {KEY_256, COUNTER, TEXT, CTR_TEXT_256},
     set_aes_key<32>,
     call_ctr,
     whole_output},
    aes_operation("aes-128-xts-encrypt", {ZEROS_16, TWEAK, ZEROS_32, XTS_TEXT},
                  call_chained<kForward, &Aes::xts_encrypt>),
    aes_operation("aes-128-xts-decrypt", {ZEROS_16, TWEAK, XTS_TEXT, ZEROS_32},
                  call_chained<kInverse, &Aes::xts_decrypt>),
    // The specification of GCM, test case 2; first all, then GHASH alone.
    {"aes-128-gcm",
     &aes_kernel_list,
     16,
     {ZEROS_16, ZEROS_16, ZEROS_16,
      "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"},
     prepare_gcm,
     call_gcm,
     text_and_tag},
    {"ghash",
     &ghash_kernel_list,
     16,
     {TWEAK, IV, "0388dace60b6a392f328c2b971b2fe7800000000000000000000000000000080",
      "f38cbb1ad69223dcc3457ae5b6b0f885"},
     prepare_ghash,
     call_ghash,
     hash_state},
    // FIPS 180-2, appendices A to C: "abc".
    {"sha1",
     &sha1_kernel_list,
     64,
     {KEY, IV, ABC_64, "a9993e364706816aba3e25717850c26c9cd0d89d"},
     start_sha1,
     call_sha<Sha1Kernel, &Call::state32, 64>,
     words_of_state<&Call::state32, 5>},
    {"sha256",
     &sha256_kernel_list,
     64,
     {KEY, IV, ABC_64, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
     start_sha256,
     call_sha<Sha256Kernel, &Call::state32, 64>,
     words_of_state<&Call::state32, 8>,
     &kSha256Assembly.info},
    {"sha512",
     &sha512_kernel_list,
     128,
     {KEY, IV, ABC_128,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
     start_sha512,
     call_sha<Sha512Kernel, &Call::state64, 128>,
     words_of_state<&Call::state64, 8>,
     &kSha512Assembly.info},
    // The check values of both CRCs: those of "123456789".
    {"crc32",
     &crc32_kernel_list,
     1,
     {KEY, IV, "313233343536373839", "cbf43926"},
     start_crc,
     call_crc,
     end_crc},
    {"crc32c",
     &crc32c_kernel_list,
     1,
     {KEY, IV, "313233343536373839", "e3069283"},
     start_crc,
     call_crc,
     end_crc},
    // Intel's paper on PCLMULQDQ: its example's product of the low halves. The length is that of
    // both operands, and of the product.
    {"gf2-multiply",
     &gf2_kernel_list,
     16,
     {KEY, IV, "5d47535d726f74635d6e6f726575475b", "51046fd3d5339692c040345cc8844d1d"},
     prepare_gf2,
     call_gf2,
     whole_product},
    // FIPS 197, section 4.2: {57} {83} = {c1}. Lengths are 16, 48, 64 and 144.
    {"gf2-field-multiply",
     &gf2_kernel_list,
     16,
     {KEY, IV,
      "5700000000000000"
      "8300000000000000",
      "c100000000000000"},
     prepare_field,
     call_field,
     element},
};
const size_t kNumOperations = sizeof kOperations / sizeof kOperations[0];

const KernelInfo* find_kernel(const KernelList& list, const char* name) {
  for (size_t i = 0; i < list.num_kernels; ++i)
    if (std::strcmp(list.kernels[i]->name, name) == 0) return list.kernels[i];
  return nullptr;
}

const KernelInfo* find_kernel(const Operation& operation, const char* name) {
  if (operation.assembly != nullptr && std::strcmp(name, "assembly") == 0)
    return operation.assembly;
  return find_kernel(*operation.kernels, name);
}

}  // namespace incore::bench
