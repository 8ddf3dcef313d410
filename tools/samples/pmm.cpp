#include "tools/samples/pmm.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tools/samples/execute_padlock.h"

namespace incore::tools {
namespace {

constexpr size_t kMaxWords = 32768 / 32;

uint32_t pointer_of(const void* p) {
  return little_endian(static_cast<uint32_t>(address_of(p)));
}

void execute(incore_padlock* padlock, const char* mnemonic, incore_padlock_registers* registers) {
  const std::string wrong = execute_padlock(padlock, mnemonic, registers);
  if (!wrong.empty()) throw std::runtime_error(std::string(mnemonic) + ": " + wrong);
}

// -1 / m modulo 2^32, bit by bit; |m| is odd. With x m = -1 modulo 2^i, the next bit of x mends
// what is wrong modulo 2^(i + 1).
uint32_t m_zero_prime(uint32_t m) {
  uint32_t x = 1, product = m;
  for (uint32_t bit = 2; bit != 0; bit <<= 1)
    if ((product & bit) == 0) {
      x |= bit;
      product += m * bit;
    }
  return x;
}

// Whether |a|, which has |a_words| words, is |b| or more.
bool reaches(const uint32_t* a, size_t a_words, const std::vector<uint32_t>& b) {
  for (size_t i = a_words; i-- > 0;) {
    const uint32_t other = i < b.size() ? b[i] : 0;
    if (a[i] != other) return a[i] > other;
  }
  return true;
}

// a -= b, in the words of b and the borrow beyond.
void subtract(uint32_t* a, size_t a_words, const std::vector<uint32_t>& b) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < a_words; ++i) {
    const uint64_t difference = uint64_t{a[i]} - (i < b.size() ? b[i] : 0) - borrow;
    a[i] = static_cast<uint32_t>(difference);
    borrow = difference >> 63;
  }
}

// Memory that pointers of 32 bits reach. Where there is no flag for it, a hint makes the system
// choose such memory, as long as nothing is there.
void* map_low(size_t len) {
#if defined(MAP_32BIT)
  constexpr int kLow = MAP_32BIT;
#else
  constexpr int kLow = 0;
#endif
  for (uintptr_t hint = 0x20000000; hint < 0xF0000000; hint += 0x1000000) {
    void* const memory = mmap(reinterpret_cast<void*>(hint), len, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | kLow, -1, 0);
    if (memory == MAP_FAILED) break;
    if (address_of(memory) + len <= UINT32_MAX) return memory;
    munmap(memory, len);
  }
  throw std::runtime_error("no memory below 4 GiB, which MONTMUL's pointers need");
}

}  // namespace

// What the instruction works on, in memory that pointers of 32 bits reach.
struct PmmModulus::Memory {
  struct {
    uint32_t m_zero_prime, a, b, t, m, scratch;
  } context;
  alignas(16) uint32_t scratch[8];
  alignas(16) uint32_t a[kMaxWords];
  alignas(16) uint32_t b[kMaxWords];
  alignas(16) uint32_t m[kMaxWords];
  alignas(16) uint32_t t[kMaxWords + 2];
};

PmmModulus::PmmModulus(incore_padlock* padlock, const Bytes& modulus)
    : padlock_(padlock), num_words_(modulus.size() / 4), modulus_(to_words(modulus)) {
  memory_ = static_cast<Memory*>(map_low(sizeof(Memory)));
  memory_->context = {little_endian(m_zero_prime(modulus_[0])),
                      pointer_of(memory_->a),
                      pointer_of(memory_->b),
                      pointer_of(memory_->t),
                      pointer_of(memory_->m),
                      pointer_of(memory_->scratch)};
  std::transform(modulus_.begin(), modulus_.end(), memory_->m, little_endian);
  // R^2 = 2^(2 * bits) modulo m, by doubling.
  Words power(num_words_ + 1);
  power[0] = 1;
  for (size_t i = 0; i < 64 * num_words_; ++i) {
    for (size_t k = num_words_; k > 0; --k) power[k] = power[k] << 1 | power[k - 1] >> 31;
    power[0] <<= 1;
    if (reaches(power.data(), power.size(), modulus_))
      subtract(power.data(), power.size(), modulus_);
  }
  power.pop_back();
  r_squared_ = power;
}

PmmModulus::~PmmModulus() {
  munmap(memory_, sizeof(Memory));
}

PmmModulus::Words PmmModulus::to_words(const Bytes& number) const {
  const Bytes all = padded(number, 4 * num_words_);
  Words words(num_words_);
  for (size_t i = 0; i < all.size(); ++i)
    words[(all.size() - 1 - i) / 4] |= uint32_t{all[i]} << 8 * ((all.size() - 1 - i) % 4);
  return words;
}

PmmModulus::Words PmmModulus::montmul(const Words& a, const Words& b) {
  std::transform(a.begin(), a.end(), memory_->a, little_endian);
  std::transform(b.begin(), b.end(), memory_->b, little_endian);
  std::fill_n(memory_->t, num_words_ + 2, 0);
  incore_padlock_registers registers = {.rax = 0,
                                        .rbx = 0,
                                        .rcx = 32 * num_words_,
                                        .rdx = 0,
                                        .rsi = address_of(&memory_->context),
                                        .rdi = 0};
  execute(padlock_, "montmul", &registers);
  Words t(num_words_ + 2);
  std::transform(memory_->t, memory_->t + t.size(), t.begin(), little_endian);
  if (reaches(t.data(), t.size(), modulus_)) subtract(t.data(), t.size(), modulus_);
  t.resize(num_words_);
  return t;
}

Bytes PmmModulus::power(const Bytes& base, const Bytes& exponent) {
  Words one(num_words_);
  one[0] = 1;
  const Words x = montmul(to_words(base), r_squared_);
  Words result = montmul(one, r_squared_);
  bool begun = false;  // until the highest 1 there is nothing to square
  for (const uint8_t byte : exponent)
    for (unsigned mask = 0x80; mask != 0; mask >>= 1) {
      if (begun) result = montmul(result, result);
      if ((byte & mask) == 0) continue;
      result = begun ? montmul(result, x) : x;
      begun = true;
    }
  result = montmul(result, one);
  Bytes number(4 * num_words_);
  for (size_t i = 0; i < number.size(); ++i)
    number[number.size() - 1 - i] = static_cast<uint8_t>(result[i / 4] >> 8 * (i % 4));
  return number;
}

Bytes xstore_bytes(incore_padlock* padlock, size_t len) {
  constexpr size_t kOverrun = 8;  // the last store may be of a whole buffer
  Bytes bytes(len + kOverrun);
  incore_padlock_registers registers = {
      .rax = 0, .rbx = 0, .rcx = len, .rdx = 3, .rsi = 0, .rdi = address_of(bytes.data())};
  execute(padlock, "rep-xstore", &registers);
  bytes.resize(len);
  return bytes;
}

}  // namespace incore::tools
