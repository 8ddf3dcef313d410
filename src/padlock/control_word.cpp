// Loading the key RAM. PadLock guide 1.66, section 3.2 (Extended Keys); clauses PLK-ACE-065 to
// -075, -086.
#include "padlock/control_word.h"

#include "base/wipe.h"

namespace incore::padlock {
namespace {

// What of the control word decides how a schedule is made.
constexpr uint32_t kScheduleBits = kCwKeygn | kCwRoundMask;

// In constant time: the bytes are keys. |len| is a multiple of 8.
bool equal(const uint8_t* a, const uint8_t* b, size_t len) {
  uint64_t difference = 0;
  for (size_t i = 0; i < len; i += 8) difference |= load_le64(a + i) ^ load_le64(b + i);
  return difference == 0;
}

}  // namespace

void KeyRam::load(ControlWord control_word, const uint8_t* key, const AesKernel& kernel) {
  const bool same_kind =
      kernel_ == &kernel && ((control_word.bits ^ control_word_.bits) & kScheduleBits) == 0;
  control_word_ = control_word;
  if (same_kind && equal(loaded_, key, control_word.key_bytes())) return;

  kernel_ = &kernel;
  inverse_made_ = false;
  std::memcpy(loaded_, key, control_word.key_bytes());  // it may be in memory that changes
  if (control_word.keys_in_memory()) {
    // Sixteen slots hold the round keys of up to 15 rounds. For a seventeenth the index wraps to
    // the first slot.
    forward_.rounds = control_word.rounds();
    std::memcpy(forward_.bytes, loaded_, kMemoryKeyLen);
    std::memcpy(forward_.bytes + kMemoryKeyLen, loaded_, kAesBlockLen);
  } else {
    kernel.expand_key(loaded_, kHardwareKeyLen, control_word.rounds(), &forward_);
  }
  kernel.load_key(forward_, &forward_key_);
}

bool KeyRam::needs_inverse(bool decrypt) {
  if (!decrypt || control_word_.keys_in_memory()) return false;
  if (!inverse_made_) {
    kernel_->invert_key(forward_, &inverse_);
    kernel_->load_key(inverse_, &inverse_key_);
    inverse_made_ = true;
  }
  return true;
}

bool KeyRam::holds(ControlWord control_word, const uint8_t* key) const {
  return loaded() && control_word.bits == control_word_.bits &&
         equal(loaded_, key, control_word.key_bytes());
}

const AesKey* KeyRam::made_key(bool decrypt) const {
  if (!decrypt || control_word_.keys_in_memory()) return &forward_key_;
  return inverse_made_ ? &inverse_key_ : nullptr;
}

const AesKey& KeyRam::key(bool decrypt) {
  return needs_inverse(decrypt) ? inverse_key_ : forward_key_;
}

const AesRoundKeys& KeyRam::round_keys(bool decrypt) {
  return needs_inverse(decrypt) ? inverse_ : forward_;
}

void KeyRam::clear() {
  if (kernel_ == nullptr) return;
  wipe(*this);
}

void KeyRam::exchange(Snapshot& snapshot, const AesKernel& kernel) {
  bool has_key = loaded();
  ControlWord control_word = control_word_;
  uint8_t key[kMemoryKeyLen] = {};
  if (has_key) std::memcpy(key, loaded_, control_word.key_bytes());
  snapshot.flag(&has_key);
  snapshot.number(&control_word.bits);
  snapshot.bytes(key, sizeof key);
  if (snapshot.loading()) {
    clear();
    if (has_key) load(control_word, key, kernel);
  }
  wipe(key);
}

}  // namespace incore::padlock
