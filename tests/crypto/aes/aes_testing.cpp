#include "crypto/aes/aes_testing.h"

#include <stdexcept>

#include "crypto/aes/aes_steps.h"

namespace incore::test {
namespace {

using aes_steps::State;

void load_key(const AesRoundKeys& round_keys, AesKey* out_key) {
  static_assert(sizeof round_keys <= AesKey::kStorageLen);
  std::memcpy(out_key->storage, &round_keys, sizeof round_keys);
  out_key->kernel = &aes_steps_oracle;
  out_key->rounds = round_keys.rounds;
}

AesRoundKeys round_keys(const AesKey& key) {
  AesRoundKeys r;
  std::memcpy(&r, key.storage, sizeof r);
  return r;
}

State read(const uint8_t* p) {
  State s;
  std::memcpy(s.bytes, p, kAesBlockLen);
  return s;
}
void write(uint8_t* p, const State& s) {
  std::memcpy(p, s.bytes, kAesBlockLen);
}

State ciph(const AesKey& key, const State& in) {
  State out;
  aes_steps::cipher(round_keys(key), in.bytes, out.bytes);
  return out;
}
State ciph_inv(const AesKey& key, const State& in) {
  State out;
  aes_steps::eq_inv_cipher(round_keys(key), in.bytes, out.bytes);
  return out;
}
State operator^(State a, const State& b) {
  aes_steps::add_round_key(a, b.bytes);
  return a;
}

// Calls step(block, iv) for each block; it returns the output block and may change iv.
template <class Step>
void each_block(uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks, Step step) {
  State vector = iv == nullptr ? State{} : read(iv);
  for (size_t i = 0; i < blocks; ++i)
    write(out + kAesBlockLen * i, step(read(in + kAesBlockLen * i), vector));
  if (iv != nullptr) write(iv, vector);
}

void ecb_encrypt(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  each_block(nullptr, in, out, blocks, [&](State p, State&) { return ciph(key, p); });
}
void ecb_decrypt(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  each_block(nullptr, in, out, blocks, [&](State c, State&) { return ciph_inv(key, c); });
}
void cbc_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  each_block(iv, in, out, blocks, [&](State p, State& v) { return v = ciph(key, p ^ v); });
}
void cbc_decrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  each_block(iv, in, out, blocks, [&](State c, State& v) {
    const State p = ciph_inv(key, c) ^ v;
    v = c;
    return p;
  });
}
void cfb_encrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  each_block(iv, in, out, blocks, [&](State p, State& v) { return v = ciph(key, v) ^ p; });
}
void cfb_decrypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  each_block(iv, in, out, blocks, [&](State c, State& v) {
    const State p = ciph(key, v) ^ c;
    v = c;
    return p;
  });
}
void ofb(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  each_block(iv, in, out, blocks, [&](State p, State& v) { return (v = ciph(key, v)) ^ p; });
}
void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
         unsigned counter_bits) {
  each_block(iv, in, out, blocks, [&](State p, State& v) {
    const State c = ciph(key, v) ^ p;
    size_t i = kAesBlockLen;
    do {
      --i;
    } while (++v.bytes[i] == 0 && i > kAesBlockLen - counter_bits / 8);
    return c;
  });
}

// IEEE 1619 section 5.2: times alpha, byte by byte.
void multiply_by_alpha(State& tweak) {
  unsigned carry = 0;
  for (uint8_t& b : tweak.bytes) {
    const unsigned doubled = b * 2u + carry;
    b = static_cast<uint8_t>(doubled);
    carry = doubled >> 8;
  }
  if (carry != 0) tweak.bytes[0] ^= 0x87;
}
void xts_encrypt(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                 size_t blocks) {
  each_block(tweak, in, out, blocks, [&](State p, State& t) {
    const State c = ciph(key, p ^ t) ^ t;
    multiply_by_alpha(t);
    return c;
  });
}
void xts_decrypt(const AesKey& key, uint8_t* tweak, const uint8_t* in, uint8_t* out,
                 size_t blocks) {
  each_block(tweak, in, out, blocks, [&](State c, State& t) {
    const State p = ciph_inv(key, c ^ t) ^ t;
    multiply_by_alpha(t);
    return p;
  });
}
void cbc_encrypt_many(const AesChain* chains, size_t num_chains) {
  for (const AesChain* c = chains; c != chains + num_chains; ++c)
    cbc_encrypt(*c->key, c->iv, c->in, c->out, c->blocks);
}
void cfb_encrypt_many(const AesChain* chains, size_t num_chains) {
  for (const AesChain* c = chains; c != chains + num_chains; ++c)
    cfb_encrypt(*c->key, c->iv, c->in, c->out, c->blocks);
}

}  // namespace

const AesKernel aes_steps_oracle = {
    .info = {"steps", FeatureSet()},
    .expand_key = aes_steps::key_expansion,
    .invert_key = aes_steps::inverse_schedule,
    .load_key = load_key,
    .ecb_encrypt = ecb_encrypt,
    .ecb_decrypt = ecb_decrypt,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ofb = ofb,
    .ctr = ctr,
    .xts_encrypt = xts_encrypt,
    .xts_decrypt = xts_decrypt,
    .cbc_encrypt_many = cbc_encrypt_many,
    .cfb_encrypt_many = cfb_encrypt_many,
    .stack = 0,  // nothing is cleared behind it
};

std::vector<const AesKernel*> aes_kernels() {
  return {
#define X(kernel) &aes_##kernel,
#include "crypto/aes/aes_kernels.def"
#undef X
  };
}

std::vector<const AesKernel*> aes_kernels_and_oracle() {
  std::vector<const AesKernel*> all = aes_kernels();
  all.insert(all.begin(), &aes_steps_oracle);
  return all;
}

void AesKernelTest::SetUp() {
  const FeatureSet missing = GetParam()->info.needs.missing_from(detect_features());
  for (unsigned f = 0; f < kNumFeatures; ++f)
    if (missing.has(static_cast<Feature>(f)))
      GTEST_SKIP() << "kernel " << GetParam()->info.name << ": this CPU has no "
                   << feature_name(static_cast<Feature>(f));
}

AesKeys load_keys(const AesKernel& kernel, const AesRoundKeys& forward) {
  AesRoundKeys inverse;
  kernel.invert_key(forward, &inverse);
  AesKeys keys;
  kernel.load_key(forward, &keys.forward);
  kernel.load_key(inverse, &keys.inverse);
  return keys;
}

AesKeys make_keys(const AesKernel& kernel, const Bytes& key, unsigned rounds) {
  AesRoundKeys forward;
  kernel.expand_key(key.data(), key.size(), rounds, &forward);
  return load_keys(kernel, forward);
}

namespace {

using EncryptMany = decltype(AesKernel::cbc_encrypt_many);

// The message among others of other lengths, which go to a place of their own.
void run_among_others(EncryptMany encrypt_many, const AesKey& key, uint8_t* iv, const uint8_t* in,
                      uint8_t* out, size_t blocks) {
  constexpr size_t kOthers = 2, kBlocks = 5;
  uint8_t other_ivs[kOthers][kAesBlockLen] = {}, data[kOthers][kBlocks * kAesBlockLen] = {};
  const AesChain chains[] = {{&key, other_ivs[0], data[0], data[0], kBlocks},
                             {&key, iv, in, out, blocks},
                             {&key, other_ivs[1], data[1], data[1], 1}};
  encrypt_many(chains, std::size(chains));
}

}  // namespace

#define RUN(direction, call)                                                     \
  [](const AesKernel& kernel, const AesKeys& keys, [[maybe_unused]] uint8_t* iv, \
     const uint8_t* in, uint8_t* out, size_t blocks) {                           \
    const AesKey& key = keys.direction;                                          \
    kernel.call;                                                                 \
  }

const std::vector<AesMode>& aes_modes() {
  static const std::vector<AesMode> modes = {
      {"ecb_encrypt", RUN(forward, ecb_encrypt(key, in, out, blocks))},
      {"ecb_decrypt", RUN(inverse, ecb_decrypt(key, in, out, blocks))},
      {"cbc_encrypt", RUN(forward, cbc_encrypt(key, iv, in, out, blocks))},
      {"cbc_decrypt", RUN(inverse, cbc_decrypt(key, iv, in, out, blocks))},
      {"cfb_encrypt", RUN(forward, cfb_encrypt(key, iv, in, out, blocks))},
      {"cfb_decrypt", RUN(forward, cfb_decrypt(key, iv, in, out, blocks))},
      {"ofb", RUN(forward, ofb(key, iv, in, out, blocks))},
      {"ctr16", RUN(forward, ctr(key, iv, in, out, blocks, 16))},
      {"ctr32", RUN(forward, ctr(key, iv, in, out, blocks, 32))},
      {"ctr64", RUN(forward, ctr(key, iv, in, out, blocks, 64))},
      {"ctr128", RUN(forward, ctr(key, iv, in, out, blocks, 128))},
      {"xts_encrypt", RUN(forward, xts_encrypt(key, iv, in, out, blocks))},
      {"xts_decrypt", RUN(inverse, xts_decrypt(key, iv, in, out, blocks))},
      {"cbc_encrypt_many",
       [](const AesKernel& kernel, const AesKeys& keys, uint8_t* iv, const uint8_t* in,
          uint8_t* out, size_t blocks) {
         run_among_others(kernel.cbc_encrypt_many, keys.forward, iv, in, out, blocks);
       }},
      {"cfb_encrypt_many",
       [](const AesKernel& kernel, const AesKeys& keys, uint8_t* iv, const uint8_t* in,
          uint8_t* out, size_t blocks) {
         run_among_others(kernel.cfb_encrypt_many, keys.forward, iv, in, out, blocks);
       }},
  };
  return modes;
}

#undef RUN

const AesMode& aes_mode(const std::string& name) {
  for (const AesMode& mode : aes_modes())
    if (mode.name == name) return mode;
  throw std::invalid_argument("no mode " + name);
}

Bytes run_mode(const AesMode& mode, const AesKernel& kernel, const AesKeys& keys, Bytes iv,
               const Bytes& in) {
  Bytes out(in.size());
  mode.run(kernel, keys, iv.data(), in.data(), out.data(), in.size() / kAesBlockLen);
  return out;
}

}  // namespace incore::test
