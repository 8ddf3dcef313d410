// The common frame of the hash instructions.
#include "padlock/xsha.h"

#include <cstring>

namespace incore::padlock {
namespace {

constexpr size_t kMaxBlockLen = 128;
constexpr size_t kLengthLen = 8;  // the padding ends with the length in bits

class Xsha {
 public:
  Xsha(Execution& execution, const HashAlgorithm& hash_algorithm)
      : x(execution), algorithm(hash_algorithm), block_len_(hash_algorithm.block_len) {}
  Trap run();

 private:
  size_t state_len() const { return algorithm.state_len; }
  bool takes_whole_blocks(uint64_t eax) const;
  bool skips_empty() const {
    return algorithm.forms == HashAlgorithm::Forms::blocks_only || x.cpu.model().xsha_skips_empty;
  }
  // Compresses and stores the running hash. If the store fails, nothing has changed.
  Trap hash(const uint8_t* blocks, size_t num_blocks);
  Trap one_block();
  bool blocks_at_once(uint64_t num_blocks);
  void advance(uint64_t num_blocks);
  Trap finish();

  // EAX and ECX: 64 bits wide with 64-bit addresses, else 32, also with 16-bit addresses.
  uint64_t get_count(uint64_t reg) const { return reg & count_mask_; }
  void set_count(uint64_t& reg, uint64_t value) const { reg = value & count_mask_; }

  Execution& x;
  const HashAlgorithm& algorithm;
  const size_t block_len_;
  uint64_t count_mask_ = 0;
  bool whole_blocks_ = false;  // ECX counts blocks, and nothing is padded
  uint64_t state_at_ = 0;
  uint8_t state_[kMaxHashStateLen];
};

Trap Xsha::run() {
  if (Trap trap = x.require_usable(false)) return trap;
  count_mask_ = x.address_bits == 64 ? ~uint64_t{0} : 0xFFFFFFFF;
  const uint64_t done = get_count(x.s.rax), total = get_count(x.s.rcx);
  whole_blocks_ = takes_whole_blocks(done);
  if (Trap trap = x.aligned(x.get(x.s.rdi), state_len(), Access::write, &state_at_)) return trap;
  if (total == 0 && skips_empty()) return {};
  x.s.rflags &= ~kEflagsKeyLoaded;  // the control word logic of ACE selects the algorithm

  if (Trap trap = x.memory.read(state_at_, state_, state_len())) return trap;
  uint64_t num_blocks = total;
  if (!whole_blocks_) num_blocks = done < total ? (total - done) / block_len_ : 0;

  if (!blocks_at_once(num_blocks)) {
    for (uint64_t i = 0; i < num_blocks; ++i) {
      if (i != 0 && x.interrupt(i)) return {};
      if (Trap trap = one_block()) return trap;
    }
  }
  if (whole_blocks_) return {};
  if (num_blocks != 0 && x.interrupt(num_blocks)) return {};
  return finish();
}

bool Xsha::takes_whole_blocks(uint64_t eax) const {
  switch (algorithm.forms) {
    case HashAlgorithm::Forms::by_model:
      return x.cpu.model().xsha_partial && eax == count_mask_;
    case HashAlgorithm::Forms::both:
      return eax == count_mask_;
    case HashAlgorithm::Forms::blocks_only:
      break;
  }
  return true;
}

Trap Xsha::hash(const uint8_t* blocks, size_t num_blocks) {
  algorithm.compress(x.kernels(), state_, blocks, num_blocks);
  return x.memory.write(state_at_, state_, state_len());
}

Trap Xsha::one_block() {
  uint64_t message_at;
  uint8_t block[kMaxBlockLen];
  if (Trap trap = x.linear(x.get(x.s.rsi), block_len_, Access::read, &message_at)) return trap;
  if (Trap trap = x.memory.read(message_at, block, block_len_)) return trap;
  if (Trap trap = hash(block, 1)) return trap;
  advance(1);
  return {};
}

// All blocks with one call of the kernel, if nothing can stop it midway. The result is that of the
// loop.
bool Xsha::blocks_at_once(uint64_t num_blocks) {
  if (x.interrupts != nullptr || num_blocks < 2 || num_blocks > SIZE_MAX / block_len_) return false;
  const size_t len = static_cast<size_t>(num_blocks) * block_len_;
  const uint64_t esi = x.get(x.s.rsi);
  uint64_t message_at;
  if (len - 1 > x.address_mask - esi || x.linear(esi, len, Access::read, &message_at)) return false;
  const uint8_t* const message = x.memory.readable(message_at, len);
  uint8_t* const state = message == nullptr ? nullptr : x.memory.writable(state_at_, state_len());
  if (state == nullptr || ranges_overlap(message, len, state, state_len())) return false;

  algorithm.compress(x.kernels(), state_, message, len / block_len_);
  std::memcpy(state, state_, state_len());
  advance(num_blocks);
  return true;
}

void Xsha::advance(uint64_t num_blocks) {
  x.set(x.s.rsi, x.s.rsi + num_blocks * block_len_);
  if (whole_blocks_)
    set_count(x.s.rcx, x.s.rcx - num_blocks);
  else
    set_count(x.s.rax, x.s.rax + num_blocks * block_len_);
}

// The rest of the message and the padding, in one step.
Trap Xsha::finish() {
  const uint64_t done = get_count(x.s.rax), total = get_count(x.s.rcx);
  const size_t rest = done < total ? static_cast<size_t>(total - done) : 0;
  uint8_t padded[2 * kMaxBlockLen] = {};
  if (rest != 0) {
    uint64_t message_at;
    if (Trap trap = x.linear(x.get(x.s.rsi), rest, Access::read, &message_at)) return trap;
    if (Trap trap = x.memory.read(message_at, padded, rest)) return trap;
  }
  padded[rest] = 0x80;
  const size_t num_blocks = rest + 1 + kLengthLen <= block_len_ ? 1 : 2;
  store_be64(padded + num_blocks * block_len_ - kLengthLen, total * 8);
  if (Trap trap = hash(padded, num_blocks)) return trap;
  x.set(x.s.rsi, x.s.rsi + rest);
  set_count(x.s.rax, total);
  return {};
}

}  // namespace

Trap xsha(Execution& x, const HashAlgorithm& algorithm) {
  return Xsha(x, algorithm).run();
}

}  // namespace incore::padlock
