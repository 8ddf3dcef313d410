// incore/mont.h with its workspace: a modulus that owns its memory.
#pragma once

#include "incore/mont.h"
#include "tools/base/number.h"

namespace incore::tools {

class Modulus {
 public:
  // Throws std::invalid_argument, with what is accepted, if the library does not take |modulus|.
  explicit Modulus(const Bytes& modulus);
  ~Modulus();
  Modulus(const Modulus&) = delete;

  // Operands are below the modulus, else std::invalid_argument.
  Bytes multiply(const Bytes& a, const Bytes& b);
  Bytes power(const Bytes& base, const Bytes& exponent);

  size_t len() const { return len_; }  // in bytes
  incore_mont* context() { return &context_; }

 private:
  size_t len_;
  incore_mont context_;
  std::vector<uint8_t> workspace_;
};

}  // namespace incore::tools
