// GMP, opened at run time where it is installed: what the big-number commands compare with.
#pragma once

#include <memory>
#include <string>

#include "tools/base/number.h"

namespace incore::tools {

class Gmp {
 public:
  // Null if GMP cannot be used; |out_reason| says why, if it is not null.
  static std::unique_ptr<Gmp> open(std::string* out_reason = nullptr);

  const std::string& version() const { return version_; }
  Bytes multiply(const Bytes& a, const Bytes& b, const Bytes& modulus) const;
  Bytes power(const Bytes& base, const Bytes& exponent, const Bytes& modulus) const;
  // Computes the power |times| over and throws the results away.
  void repeat_power(const Bytes& base, const Bytes& exponent, const Bytes& modulus,
                    size_t times) const;

 private:
  Gmp() = default;
  std::string version_;
};

}  // namespace incore::tools
