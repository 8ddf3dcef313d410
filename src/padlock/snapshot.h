// Hidden state as bytes, the same on every host, for machines that are saved and go on elsewhere.
// Each class says once, in its exchange(), what of it goes there, for both directions.
#pragma once

#include <limits>

#include "base/bytes.h"

namespace incore::padlock {

class Snapshot {
 public:
  enum class Mode : uint8_t { save, check, load };  // load only what check has found ok()

  Snapshot(Mode mode, uint8_t* bytes, const uint8_t* end) : mode_(mode), at_(bytes), end_(end) {}

  bool loading() const { return mode_ == Mode::load; }
  // All bytes were used, and none holds what cannot be.
  bool ok() const { return ok_ && at_ == end_; }

  // A number, |most| at most.
  template <class T>
  void number(T* value, T most = std::numeric_limits<T>::max()) {
    exchange(value, [most](T read) { return read <= most; });
  }
  // Bits, of which there are those of |mask|.
  template <class T>
  void bits(T* value, T mask) {
    exchange(value, [mask](T read) { return (read & ~mask) == 0; });
  }
  void flag(bool* value) {
    uint8_t number_of = *value ? 1 : 0;
    number<uint8_t>(&number_of, 1);
    if (loading()) *value = number_of != 0;
  }
  void bytes(uint8_t* value, size_t len) {
    uint8_t* const at = take(len);
    if (at == nullptr) return;
    if (mode_ == Mode::save) std::memcpy(at, value, len);
    if (mode_ == Mode::load) std::memcpy(value, at, len);
  }
  // What must be the same where it is loaded.
  void constant(const uint8_t* value, size_t len) {
    uint8_t* const at = take(len);
    if (at == nullptr) return;
    if (mode_ == Mode::save) std::memcpy(at, value, len);
    if (std::memcmp(at, value, len) != 0) ok_ = false;
  }

 private:
  template <class T, class Valid>
  void exchange(T* value, Valid valid) {
    uint8_t* const at = take(sizeof(T));
    if (at == nullptr) return;
    if (mode_ == Mode::save) return store_le(at, *value);
    const T read = load_le<T>(at);
    if (!valid(read)) ok_ = false;
    if (mode_ == Mode::load) *value = read;
  }
  uint8_t* take(size_t len) {
    if (static_cast<size_t>(end_ - at_) < len) {
      ok_ = false;
      return nullptr;
    }
    uint8_t* const at = at_;
    at_ += len;
    return at;
  }

  Mode mode_;
  uint8_t* at_;
  const uint8_t* end_;
  bool ok_ = true;
};

}  // namespace incore::padlock
