#include "tools/bench/peer_openssl_numbers.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace incore::tools {
namespace {

// Our own declarations of what libcrypto.so.3 exports.
struct BigNum;
struct BigNumCtx;
struct MontCtx;
struct Rsa;
constexpr int kNoPadding = 3;  // RSA_NO_PADDING

BigNum* (*bn_new)();
void (*bn_free)(BigNum*);
BigNum* (*bn_from_bytes)(const uint8_t*, int, BigNum*);
int (*bn_to_bytes)(const BigNum*, uint8_t*, int);
BigNumCtx* (*ctx_new)();
void (*ctx_free)(BigNumCtx*);
MontCtx* (*mont_new)();
void (*mont_free)(MontCtx*);
int (*mont_set)(MontCtx*, const BigNum*, BigNumCtx*);
int (*mod_exp)(BigNum*, const BigNum*, const BigNum*, const BigNum*, BigNumCtx*, MontCtx*);
int (*gf2m_mul)(BigNum*, const BigNum*, const BigNum*, const int*, BigNumCtx*);
Rsa* (*rsa_new)();
void (*rsa_free)(Rsa*);
int (*rsa_set_key)(Rsa*, BigNum*, BigNum*, BigNum*);
int (*rsa_set_factors)(Rsa*, BigNum*, BigNum*);
int (*rsa_set_crt)(Rsa*, BigNum*, BigNum*, BigNum*);
int (*rsa_private)(int, const uint8_t*, uint8_t*, Rsa*, int);
int (*rsa_public)(int, const uint8_t*, uint8_t*, Rsa*, int);

void require_done(bool done) {
  if (!done) throw std::runtime_error("OpenSSL refuses the operation");
}

template <class Call>
Work repeat_done(Call call) {
  return [call](size_t calls) {
    bool done = true;
    for (size_t i = 0; i < calls && done; ++i) done = call();
    require_done(done);
  };
}

using Number = std::shared_ptr<BigNum>;

Number number(const Bytes& bytes) {
  return {bn_from_bytes(bytes.data(), static_cast<int>(bytes.size()), nullptr), bn_free};
}

void write(const Number& from, Bytes* out) {
  require_done(bn_to_bytes(from.get(), out->data(), static_cast<int>(out->size())) >= 0);
}

// In constant time, as the library does it.
Work power(Task& task) {
  const Number base = number(task.in), exponent = number(task.numbers.at(0)),
               modulus = number(task.numbers.at(1)), result(bn_new(), bn_free);
  const std::shared_ptr<BigNumCtx> ctx(ctx_new(), ctx_free);
  const std::shared_ptr<MontCtx> mont(mont_new(), mont_free);
  require_done(mont_set(mont.get(), modulus.get(), ctx.get()) > 0);
  return repeat_done([=, &task] {
    const bool done =
        mod_exp(result.get(), base.get(), exponent.get(), modulus.get(), ctx.get(), mont.get()) > 0;
    write(result, &task.out);
    return done;
  });
}

Work gf2_product(Task& task) {
  std::vector<int> exponents;
  for (const Bytes& each : task.numbers) exponents.push_back(each.at(0) << 8 | each.at(1));
  exponents.push_back(-1);
  const auto half = static_cast<std::ptrdiff_t>(task.in.size() / 2);
  const Number a = number(Bytes(task.in.begin(), task.in.begin() + half)),
               b = number(Bytes(task.in.begin() + half, task.in.end())), c(bn_new(), bn_free);
  const std::shared_ptr<BigNumCtx> ctx(ctx_new(), ctx_free);
  const Work multiply = repeat_done(
      [=] { return gf2m_mul(c.get(), a.get(), b.get(), exponents.data(), ctx.get()) > 0; });
  return [c, multiply, &task](size_t calls) {
    multiply(calls);
    write(c, &task.out);
  };
}

// A number that a key takes over.
BigNum* given(const Bytes& bytes) {
  return bn_from_bytes(bytes.data(), static_cast<int>(bytes.size()), nullptr);
}

Work rsa(Task& task) {
  const std::shared_ptr<Rsa> key(rsa_new(), rsa_free);
  const std::vector<Bytes>& n = task.numbers;
  const bool is_private = task.operation.ends_with("private");
  // With CRT it does not compute with d, but wants one.
  require_done(rsa_set_key(key.get(), given(n.at(0)), given(n.at(1)),
                           is_private ? given(n.at(1)) : nullptr) > 0);
  if (is_private)
    require_done(rsa_set_factors(key.get(), given(n.at(2)), given(n.at(3))) > 0 &&
                 rsa_set_crt(key.get(), given(n.at(4)), given(n.at(5)), given(n.at(6))) > 0);
  const auto function = is_private ? rsa_private : rsa_public;
  return repeat_done([key, function, &task] {
    return function(static_cast<int>(task.in.size()), task.in.data(), task.out.data(), key.get(),
                    kNoPadding) > 0;
  });
}

}  // namespace

void open_openssl_numbers(SharedLibrary& library) {
  library.find("BN_new", &bn_new);
  library.find("BN_free", &bn_free);
  library.find("BN_bin2bn", &bn_from_bytes);
  library.find("BN_bn2binpad", &bn_to_bytes);
  library.find("BN_CTX_new", &ctx_new);
  library.find("BN_CTX_free", &ctx_free);
  library.find("BN_MONT_CTX_new", &mont_new);
  library.find("BN_MONT_CTX_free", &mont_free);
  library.find("BN_MONT_CTX_set", &mont_set);
  library.find("BN_mod_exp_mont_consttime", &mod_exp);
  library.find("BN_GF2m_mod_mul_arr", &gf2m_mul);
  library.find("RSA_new", &rsa_new);
  library.find("RSA_free", &rsa_free);
  library.find("RSA_set0_key", &rsa_set_key);
  library.find("RSA_set0_factors", &rsa_set_factors);
  library.find("RSA_set0_crt_params", &rsa_set_crt);
  library.find("RSA_private_decrypt", &rsa_private);
  library.find("RSA_public_encrypt", &rsa_public);
}

Work prepare_openssl_numbers(Task& task) {
  if (task.operation.starts_with("modexp-")) return power(task);
  if (task.operation.starts_with("gf2-")) return gf2_product(task);
  if (task.operation.starts_with("rsa-")) return rsa(task);
  return nullptr;
}

}  // namespace incore::tools
