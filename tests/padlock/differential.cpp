// See differential.h.
#include "padlock/differential.h"

#include <cstdlib>
#include <cstring>

#include "base/bytes.h"
#include "incore/sha.h"
#include "padlock/aes_oracle.h"
#include "padlock/insn.h"
#if INCORE_HAVE_GMP
#include <gmp.h>
#endif

namespace incore::padlock::test {

using incore::test::Choices;
using incore::test::to_hex;

struct Differential::Key {
  Bytes bytes;
  Bytes forward, inverse;  // schedules, 256 bytes
  incore_aes_key library;
};

// Addresses from 0 on; everything may be read and written.
class Differential::Flat final : public Memory {
 public:
  Trap read(uint64_t address, void* out, size_t len) override {
    if (!inside(address, len)) return Trap::pf(address, 4);
    std::memcpy(out, &bytes[address], len);
    return {};
  }
  Trap write(uint64_t address, const void* in, size_t len) override {
    if (!inside(address, len)) return Trap::pf(address, 6);
    std::memcpy(&bytes[address], in, len);
    return {};
  }
  Trap probe_write(uint64_t address, size_t len) override {
    return inside(address, len) ? Trap{} : Trap::pf(address, 6);
  }
  const uint8_t* readable(uint64_t address, size_t len) override {
    return direct && inside(address, len) ? &bytes[address] : nullptr;
  }
  uint8_t* writable(uint64_t address, size_t len) override {
    return direct && inside(address, len) ? &bytes[address] : nullptr;
  }

  Bytes bytes = Bytes(kLen);
  bool direct = true;

 private:
  static constexpr size_t kLen = 0x4000;
  static bool inside(uint64_t address, size_t len) {
    return address <= kLen && len <= kLen - address;
  }
};

namespace {

constexpr size_t kControlAt = 0, kIvAt = 0x80, kKeyAt = 0x100, kSourceAt = 0x400,
                 kDestinationAt = 0x1400;
constexpr size_t kNumKeys = 48, kMaxBlocks = 40;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

Differential::Differential() : keys_(kNumKeys), memory_(std::make_unique<Flat>()) {
  static const size_t kLens[] = {16, 24, 32};
  for (size_t i = 0; i < kNumKeys; ++i) {
    Key& key = keys_[i];
    key.bytes = incore::test::random_bytes(kLens[i % 3], i / 6);
    if (i % 2 != 0) key.bytes.back() ^= 1;  // pairs that differ in a bit
    key.forward = expand_key(key.bytes, static_cast<unsigned>(key.bytes.size() / 4 + 6));
    key.inverse = inverse_schedule(key.forward);
    key.forward.resize(256);
    key.inverse.resize(256);
    require(incore_aes_key_set(&key.library, key.bytes.data(), key.bytes.size()) == INCORE_OK);
  }
  for (const char* name : {"esther9", "nano", "host"})
    for (const HostKernels& kernels :
         {HostKernels::portable(), HostKernels::choose(detect_features())})
      processors_.push_back(std::make_unique<Processor>(*find_model(name), kernels));
}

Differential::~Differential() = default;

bool Differential::run(Processor& cpu, uint8_t second, uint8_t third) {
  const uint8_t code[] = {0xF3, 0x67, 0x0F, second, third};
  const bool prefixed = cpu.state.code_size == CodeSize::bits64 && second == 0xA6 && third == 0xC0;
  uint8_t plain[] = {0xF3, 0x0F, second, third};
  const Decoded decoded = prefixed ? decode(code, sizeof code, cpu.state.code_size)
                                   : decode(plain, sizeof plain, cpu.state.code_size);
  Trap trap;
  return cpu.step(decoded, *memory_, &trap) == Outcome::done;
}

std::string Differential::call(Choices& choices) {
  memory_->direct = !choices.chance(4);
  const uint64_t kind = choices.below(16);
  if (kind < 10) return xcrypt(choices);
  if (kind < 15 || !INCORE_HAVE_GMP) return xsha(choices);
  return montmul(choices);
}

std::string Differential::xcrypt(Choices& choices) {
  const Mode mode = choices.pick(kModes);
  const bool decrypt = choices.chance(2);
  const Key& key = choices.pick(keys_);
  const bool from_memory = key.bytes.size() != 16 || choices.chance(2);
  const size_t len =
      16 * (choices.chance(4) ? 1 + choices.below(kMaxBlocks) : 1 + choices.below(4));
  const bool align = mode != Mode::ecb && choices.chance(3);
  const size_t source_at = kSourceAt + (align ? choices.below(16) : 0);
  const size_t destination_at =
      choices.chance(3) ? source_at : kDestinationAt + (align ? choices.below(16) : 0);
  const Bytes source = choices.bytes(len), iv = choices.bytes(16);

  Bytes& m = memory_->bytes;
  uint32_t control = static_cast<uint32_t>(key.bytes.size() / 4 + 6);
  if (align) control |= kCwAlign;
  if (decrypt) control |= kCwCrypt;
  if (from_memory) control |= kCwKeygn;
  control |= static_cast<uint32_t>(key.bytes.size() / 8 - 2) << kCwKsizeShift;
  std::memset(&m[kControlAt], 0, kControlWordLen);
  store_le32(&m[kControlAt], control);
  std::memcpy(&m[kIvAt], iv.data(), 16);
  const bool inverse = decrypt && (mode == Mode::ecb || mode == Mode::cbc);
  if (from_memory)
    std::memcpy(&m[kKeyAt], inverse ? key.inverse.data() : key.forward.data(), 256);
  else
    std::memcpy(&m[kKeyAt], key.bytes.data(), 16);
  std::memcpy(&m[source_at], source.data(), len);

  Processor& cpu = *choices.pick(processors_);
  cpu.enter_user_mode(choices.chance(2) ? CodeSize::bits32 : CodeSize::bits64);
  cpu.store_flags();
  State& s = cpu.state;
  s.rax = kIvAt, s.rbx = kKeyAt, s.rcx = len / 16, s.rdx = kControlAt;
  s.rsi = source_at, s.rdi = destination_at;
  static const uint8_t kOpcodes[] = {0xC8, 0xD0, 0xD8, 0xE0, 0xE8};
  const bool done = run(cpu, 0xA7, kOpcodes[static_cast<size_t>(mode)]);

  Bytes expected(len), expected_iv = iv;
  const auto stream = [&](incore_aes_stream_mode stream_mode) {
    return incore_aes_crypt(&key.library, stream_mode, iv.data(), source.data(), len,
                            expected.data());
  };
  incore_status status = INCORE_OK;
  switch (mode) {
    case Mode::ecb:
      status = (decrypt ? incore_aes_ecb_decrypt : incore_aes_ecb_encrypt)(
          &key.library, source.data(), len, expected.data());
      break;
    case Mode::cbc:
      status = (decrypt ? incore_aes_cbc_decrypt : incore_aes_cbc_encrypt)(
          &key.library, expected_iv.data(), source.data(), len, expected.data());
      break;
    case Mode::ctr:
      status = stream(INCORE_AES_CTR16);
      break;
    case Mode::cfb:
      status = stream(decrypt ? INCORE_AES_CFB128_DECRYPT : INCORE_AES_CFB128_ENCRYPT);
      break;
    case Mode::ofb:
      status = stream(INCORE_AES_OFB);
      break;
  }
  require(status == INCORE_OK);
  const bool same_iv = mode != Mode::cbc || std::memcmp(&m[s.rax], expected_iv.data(), 16) == 0;
  if (done && same_iv && std::memcmp(&m[destination_at], expected.data(), len) == 0) return {};
  return std::string(name_of(mode)) + (decrypt ? " decrypt" : " encrypt") + ", key " +
         to_hex(key.bytes) + (from_memory ? " from memory" : "") + ", iv " + to_hex(iv) +
         ", source " + to_hex(source) + " at " + std::to_string(source_at) + " to " +
         std::to_string(destination_at) + (done ? ", result " : ", not done, ") +
         to_hex(&m[destination_at], len);
}

std::string Differential::xsha(Choices& choices) {
  static const uint32_t kSha1[] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  static const uint32_t kSha256[] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                     0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  const bool is_sha256 = choices.chance(2);
  const size_t num_words = is_sha256 ? 8 : 5;
  const Bytes message = choices.bytes(choices.chance(4) ? choices.below(2000) : choices.below(150));
  const size_t message_at = kSourceAt + choices.below(64);
  Bytes& m = memory_->bytes;
  for (size_t i = 0; i < num_words; ++i) store_le32(&m[4 * i], is_sha256 ? kSha256[i] : kSha1[i]);
  if (!message.empty()) std::memcpy(&m[message_at], message.data(), message.size());

  Processor& cpu = *choices.pick(processors_);
  cpu.enter_user_mode(choices.chance(2) ? CodeSize::bits32 : CodeSize::bits64);
  State& s = cpu.state;
  s.rax = 0, s.rcx = message.size(), s.rsi = message_at, s.rdi = 0;
  const bool done = run(cpu, 0xA6, is_sha256 ? 0xD0 : 0xC8);
  Bytes digest(4 * num_words), expected(4 * num_words);
  for (size_t i = 0; i < num_words; ++i) store_be32(&digest[4 * i], load_le32(&m[4 * i]));
  require(incore_sha_digest(is_sha256 ? INCORE_SHA256 : INCORE_SHA1, message.data(), message.size(),
                            expected.data(), expected.size()) == INCORE_OK);
  if (done && digest == expected) return {};
  return std::string(is_sha256 ? "sha256" : "sha1") + " of " + to_hex(message) +
         (done ? ": " : ", not done: ") + to_hex(digest);
}

#if INCORE_HAVE_GMP

// T < 2 M, and T * 2^bits = A * B modulo M.
std::string Differential::montmul(Choices& choices) {
  const size_t bits = 256 + 128 * choices.below(choices.chance(8) ? 25 : 4), len = bits / 8;
  constexpr size_t kAAt = 0x100, kBAt = 0x600, kMAt = 0xB00, kTAt = 0x1000, kScratchAt = 0x1600;
  Bytes& mem = memory_->bytes;
  Bytes modulus = choices.bytes(len);
  modulus[0] |= 1;
  if (choices.chance(3)) std::memset(&modulus[len / 2], 0xFF, len - len / 2);

  mpz_t a, b, m, t, left;
  mpz_inits(a, b, m, t, left, nullptr);
  mpz_import(m, len, -1, 1, 0, 0, modulus.data());
  const auto number_below_m = [&](mpz_t number, size_t at) {
    const Bytes bytes = choices.bytes(len);
    mpz_import(number, len, -1, 1, 0, 0, bytes.data());
    mpz_mod(number, number, m);
    std::memset(&mem[at], 0, len);
    mpz_export(&mem[at], nullptr, -1, 1, 0, 0, number);
  };
  number_below_m(a, kAAt);
  number_below_m(b, kBAt);
  std::memcpy(&mem[kMAt], modulus.data(), len);
  std::memset(&mem[kTAt], 0, len + 16);
  uint32_t inverse = 1;  // by Newton's iteration
  for (int i = 0; i < 5; ++i) inverse *= 2 - load_le32(modulus.data()) * inverse;
  store_le32(&mem[0], -inverse);
  static const size_t kPointers[] = {kAAt, kBAt, kTAt, kMAt, kScratchAt};
  for (size_t i = 0; i < 5; ++i) store_le32(&mem[4 + 4 * i], static_cast<uint32_t>(kPointers[i]));

  Processor& cpu = *choices.pick(processors_);
  cpu.enter_user_mode(choices.chance(2) ? CodeSize::bits32 : CodeSize::bits64);
  State& s = cpu.state;
  s.rax = 0, s.rcx = bits, s.rdx = choices.next(), s.rsi = 0;
  const bool done = run(cpu, 0xA6, 0xC0);

  mpz_import(t, len + 16, -1, 1, 0, 0, &mem[kTAt]);
  mpz_mul_2exp(left, m, 1);
  const bool small = mpz_cmp(t, left) < 0;
  mpz_mul_2exp(left, t, bits);
  mpz_mul(a, a, b);
  const bool right = mpz_congruent_p(left, a, m) != 0;
  mpz_clears(a, b, m, t, left, nullptr);
  if (done && small && right) return {};
  return "montmul of " + std::to_string(bits) + " bits, M = " + to_hex(modulus) + ", A at 0x100 " +
         to_hex(&mem[kAAt], len) + ", B " + to_hex(&mem[kBAt], len) + (done ? "" : ", not done");
}

#else

std::string Differential::montmul(Choices&) {
  return {};
}

#endif

}  // namespace incore::padlock::test
