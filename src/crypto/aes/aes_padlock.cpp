// AES with VIA's PadLock, REP XCRYPT (PadLock guide 1.66, chapter 3; clauses PLK-ACE, PLK-MULTI and
// PLK-ERR). The schedule is that of FIPS 197 in sixteen slots of memory, whatever the key size.
//
// Peculiar: the processor keeps the last key until EFLAGS is stored, so each call asks for a
// reload; it faults on data that are not aligned to 16 bytes, so those go through a buffer, and so
// do blocks near the end of a page, behind which it would read ahead. ALIGN = 1 is never set: it
// does not serve ECB nor the first parts, and where the guide has figures (Esther, CBC: 63 clocks a
// block) the buffer costs less.
#if defined(__x86_64__) || defined(__i386__)

#include <atomic>
#include <cstring>

#include "base/bytes.h"
#include "base/wipe.h"
#include "crypto/aes/aes_kernel.h"
#include "crypto/aes/aes_plain_modes.h"

namespace incore {
namespace {

constexpr size_t kSlots = 16;  // round keys that the processor loads
constexpr unsigned kMaxRounds = kSlots - 1;
constexpr size_t kBounceBlocks = 32;
constexpr size_t kFetchBlocks = 8;  // loaded at once by the most eager part, the first Nano
constexpr size_t kPageLen = 4096;

enum Opcode : uint8_t { kEcb = 0xC8, kCbc = 0xD0, kCtr = 0xD8, kCfb = 0xE0, kOfb = 0xE8 };
enum class Direction : uint8_t { encrypt, decrypt };

// The fields that are used: rounds, keys from memory, decryption, key size.
struct alignas(16) ControlWord {
  uint32_t bits;
  uint32_t reserved[3];

  ControlWord(unsigned rounds, Direction direction)
      : bits(rounds | 1u << 7 | (direction == Direction::decrypt ? 1u << 9 : 0) |
             (rounds >= 14   ? 2u << 10
              : rounds >= 12 ? 1u << 10
                             : 0)),
        reserved{} {}
};

// Clears EFLAGS bit 30: the next XCRYPT loads its key and control word. Keeps off the red zone.
inline void reload_key() {
#ifdef __x86_64__
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushf\n\tpopf\n\tlea 128(%%rsp), %%rsp" ::
                       : "memory", "cc");
#else
  __asm__ volatile("pushf\n\tpopf" ::: "memory", "cc");
#endif
}

// Returns where the vector to go on with is.
template <Opcode kOpcode>
const uint8_t* xcrypt(const AesKey& key, const ControlWord& control, uint8_t* iv, const uint8_t* in,
                      uint8_t* out, size_t blocks) {
  __asm__ volatile(".byte 0xF3, 0x0F, 0xA7, %c[opcode]"
                   : "+a"(iv), "+c"(blocks), "+S"(in), "+D"(out)
                   : "b"(key.storage), "d"(&control), [opcode] "i"(kOpcode)
                   : "memory", "cc");
  return iv;
}

struct alignas(16) Vector {
  uint8_t bytes[kAesBlockLen];
};

bool aligned(const void* p) {
  return reinterpret_cast<uintptr_t>(p) % 16 == 0;
}

// Of |blocks| at |in|, how many at the end must not be read where they are, because loading ahead
// would leave their page.
size_t blocks_at_page_end(const uint8_t* in, size_t blocks) {
  const uintptr_t end = reinterpret_cast<uintptr_t>(in) + blocks * kAesBlockLen;
  const size_t left_in_page = (0 - end) % kPageLen;
  if (left_in_page >= kFetchBlocks * kAesBlockLen) return 0;
  return blocks < kFetchBlocks ? blocks : kFetchBlocks;
}

// One message, or a part of it, in one mode. The first instruction loads the key, the others find
// it there.
template <Opcode kOpcode, Direction kDirection>
void crypt(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  if (blocks == 0) return;
  const ControlWord control(key.rounds, kDirection);
  Vector vector;
  if (kOpcode != kEcb) std::memcpy(vector.bytes, iv, kAesBlockLen);
  const auto go = [&](const uint8_t* from, uint8_t* to, size_t n) {
    const uint8_t* next = xcrypt<kOpcode>(key, control, vector.bytes, from, to, n);
    if (next != vector.bytes) std::memcpy(vector.bytes, next, kAesBlockLen);
  };

  reload_key();
  if (aligned(in) && aligned(out)) {
    const size_t direct = blocks - blocks_at_page_end(in, blocks);
    if (direct != 0) go(in, out, direct);
    in += direct * kAesBlockLen, out += direct * kAesBlockLen, blocks -= direct;
  }
  if (blocks != 0) {
    alignas(16) uint8_t bounce[(kBounceBlocks + kFetchBlocks) * kAesBlockLen];
    const size_t used = (blocks < kBounceBlocks ? blocks : kBounceBlocks) * kAesBlockLen;
    while (blocks != 0) {
      const size_t n = blocks < kBounceBlocks ? blocks : kBounceBlocks, len = n * kAesBlockLen;
      std::memcpy(bounce, in, len);
      go(bounce, bounce, n);
      std::memcpy(out, bounce, len);
      in += len, out += len, blocks -= n;
    }
    wipe(bounce, used);
  }
  if (kOpcode != kEcb) std::memcpy(iv, vector.bytes, kAesBlockLen);
  wipe(vector);
}

// As crypt; for 16 rounds, whose last round key has no slot, as the portable kernel does it.
template <Opcode kOpcode, Direction kDirection, auto kPortable>
void crypt_chained(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks) {
  if (key.rounds > kMaxRounds) return (aes_portable.*kPortable)(key, iv, in, out, blocks);
  crypt<kOpcode, kDirection>(key, iv, in, out, blocks);
}
template <Direction kDirection, auto kPortable>
void crypt_ecb(const AesKey& key, const uint8_t* in, uint8_t* out, size_t blocks) {
  if (key.rounds > kMaxRounds) return (aes_portable.*kPortable)(key, in, out, blocks);
  crypt<kEcb, kDirection>(key, nullptr, in, out, blocks);
}

void expand_key(const uint8_t* key, size_t key_len, unsigned rounds, AesRoundKeys* out_forward) {
  aes_portable.expand_key(key, key_len, rounds, out_forward);
}
void invert_key(const AesRoundKeys& forward, AesRoundKeys* out_inverse) {
  aes_portable.invert_key(forward, out_inverse);
}

void load_key(const AesRoundKeys& round_keys, AesKey* out_key) {
  if (round_keys.rounds > kMaxRounds) {
    aes_portable.load_key(round_keys, out_key);
  } else {
    const size_t len = (round_keys.rounds + 1) * kAesBlockLen;
    std::memcpy(out_key->storage, round_keys.bytes, len);
    std::memset(out_key->storage + len, 0, kSlots * kAesBlockLen - len);
  }
  out_key->kernel = &aes_padlock;
  out_key->rounds = round_keys.rounds;
}

// Whether REP XCRYPTCTR is there and right; asked once.
bool has_ctr_unit() {
  enum : int8_t { kUnknown, kNo, kYes };
  static constinit std::atomic<int8_t> known = kUnknown;
  int8_t answer = known.load(std::memory_order_relaxed);
  if (answer == kUnknown) {
    answer = detect_features().has(Feature::padlock_ctr) ? kYes : kNo;
    known.store(answer, std::memory_order_relaxed);
  }
  return answer == kYes;
}

// Adds |n| to the counter, the last |bits| bits of |iv|, and wraps within them.
void add_to_counter(uint8_t* iv, unsigned bits, uint64_t n) {
  const uint64_t low = load_be64(iv + 8), sum = low + n;
  const uint64_t mask = bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
  store_be64(iv + 8, (low & ~mask) | (sum & mask));
  if (bits == 128) store_be64(iv, load_be64(iv) + (sum < low));
}

// REP XCRYPTCTR counts in 16 bits and carries no further: an instruction ends where they do.
void ctr_by_unit(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
                 unsigned counter_bits) {
  while (blocks != 0) {
    const size_t until_carry = 0x10000 - load_be16(iv + 14);
    const size_t n = blocks < until_carry ? blocks : until_carry, len = n * kAesBlockLen;
    Vector counter;
    std::memcpy(counter.bytes, iv, kAesBlockLen);
    crypt<kCtr, Direction::encrypt>(key, counter.bytes, in, out, n);
    add_to_counter(iv, counter_bits, n);
    in += len, out += len, blocks -= n;
  }
}

// Without the unit: ECB of the counters.
void ctr_by_ecb(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
                unsigned counter_bits) {
  alignas(16) uint8_t keystream[(kBounceBlocks + kFetchBlocks) * kAesBlockLen];
  const size_t used = (blocks < kBounceBlocks ? blocks : kBounceBlocks) * kAesBlockLen;
  const ControlWord control(key.rounds, Direction::encrypt);
  if (blocks != 0) reload_key();
  while (blocks != 0) {
    const size_t n = blocks < kBounceBlocks ? blocks : kBounceBlocks, len = n * kAesBlockLen;
    for (size_t i = 0; i < len; i += kAesBlockLen) {
      std::memcpy(keystream + i, iv, kAesBlockLen);
      add_to_counter(iv, counter_bits, 1);
    }
    xcrypt<kEcb>(key, control, keystream, keystream, keystream, n);
    for (size_t i = 0; i < len; ++i) out[i] = in[i] ^ keystream[i];
    in += len, out += len, blocks -= n;
  }
  wipe(keystream, used);
}

void ctr(const AesKey& key, uint8_t* iv, const uint8_t* in, uint8_t* out, size_t blocks,
         unsigned counter_bits) {
  if (key.rounds > kMaxRounds) return aes_portable.ctr(key, iv, in, out, blocks, counter_bits);
  if (has_ctr_unit())
    ctr_by_unit(key, iv, in, out, blocks, counter_bits);
  else
    ctr_by_ecb(key, iv, in, out, blocks, counter_bits);
}

}  // namespace

constinit const AesKernel aes_padlock = {
    .info = {"padlock", FeatureSet(Feature::padlock_ace)},
    .expand_key = expand_key,
    .invert_key = invert_key,
    .load_key = load_key,
    .ecb_encrypt = crypt_ecb<Direction::encrypt, &AesKernel::ecb_encrypt>,
    .ecb_decrypt = crypt_ecb<Direction::decrypt, &AesKernel::ecb_decrypt>,
    .cbc_encrypt = crypt_chained<kCbc, Direction::encrypt, &AesKernel::cbc_encrypt>,
    .cbc_decrypt = crypt_chained<kCbc, Direction::decrypt, &AesKernel::cbc_decrypt>,
    .cfb_encrypt = crypt_chained<kCfb, Direction::encrypt, &AesKernel::cfb_encrypt>,
    .cfb_decrypt = crypt_chained<kCfb, Direction::decrypt, &AesKernel::cfb_decrypt>,
    .ofb = crypt_chained<kOfb, Direction::encrypt, &AesKernel::ofb>,
    .ctr = ctr,
    .xts_encrypt = aes_xts_encrypt_by_ecb,
    .xts_decrypt = aes_xts_decrypt_by_ecb,
    .cbc_encrypt_many = aes_cbc_encrypt_one_by_one,
    .cfb_encrypt_many = aes_cfb_encrypt_one_by_one,
    .stack = 4096,
};

}  // namespace incore

#endif
