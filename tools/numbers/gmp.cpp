#include "tools/numbers/gmp.h"

#include <stdexcept>

#include "tools/base/shared_library.h"

namespace incore::tools {
namespace {

// Our own declaration of GMP's mpz_t, which is part of its binary interface, and of its functions.
struct Mpz {
  int alloc, size;
  void* limbs;
};

void (*init)(Mpz*);
void (*clear)(Mpz*);
void (*import)(Mpz*, size_t, int, size_t, int, size_t, const void*);
void* (*do_export)(void*, size_t*, int, size_t, int, size_t, const Mpz*);
size_t (*size_in_base)(const Mpz*, int);
void (*mul)(Mpz*, const Mpz*, const Mpz*);
void (*mod)(Mpz*, const Mpz*, const Mpz*);
void (*powm)(Mpz*, const Mpz*, const Mpz*, const Mpz*);

class Integer {
 public:
  Integer() { init(&value_); }
  explicit Integer(const Bytes& number) : Integer() {
    import(&value_, number.size(), 1, 1, 0, 0, number.data());
  }
  ~Integer() { clear(&value_); }
  Integer(const Integer&) = delete;

  Mpz* operator*() { return &value_; }
  Bytes bytes() const {
    Bytes number((size_in_base(&value_, 2) + 7) / 8);
    size_t len = 0;
    do_export(number.data(), &len, 1, 1, 0, 0, &value_);
    number.resize(len);
    return number;
  }

 private:
  Mpz value_;
};

}  // namespace

std::unique_ptr<Gmp> Gmp::open(std::string* out_reason) {
  static SharedLibrary library;
  try {
    library.open({"libgmp.so.10"});
    library.find("__gmpz_init", &init);
    library.find("__gmpz_clear", &clear);
    library.find("__gmpz_import", &import);
    library.find("__gmpz_export", &do_export);
    library.find("__gmpz_sizeinbase", &size_in_base);
    library.find("__gmpz_mul", &mul);
    library.find("__gmpz_mod", &mod);
    library.find("__gmpz_powm", &powm);
    std::unique_ptr<Gmp> gmp(new Gmp);
    gmp->version_ = *static_cast<const char* const*>(library.symbol("__gmp_version"));
    return gmp;
  } catch (const std::runtime_error& error) {
    if (out_reason != nullptr) *out_reason = error.what();
    return nullptr;
  }
}

Bytes Gmp::multiply(const Bytes& a, const Bytes& b, const Bytes& modulus) const {
  Integer x(a), y(b), m(modulus);
  mul(*x, *x, *y);
  mod(*x, *x, *m);
  return x.bytes();
}

Bytes Gmp::power(const Bytes& base, const Bytes& exponent, const Bytes& modulus) const {
  Integer x(base), e(exponent), m(modulus);
  powm(*x, *x, *e, *m);
  return x.bytes();
}

void Gmp::repeat_power(const Bytes& base, const Bytes& exponent, const Bytes& modulus,
                       size_t times) const {
  Integer x(base), e(exponent), m(modulus), result;
  for (size_t i = 0; i < times; ++i) powm(*result, *x, *e, *m);
}

}  // namespace incore::tools
