#include "crypto/rsa/rsa_vectors.h"

#include <cctype>
#include <fstream>
#include <map>
#include <stdexcept>

#include "crypto/mont/mont_testing.h"
#include "incore/sha.h"
#include "support/nist_vectors.h"

namespace incore::test {
namespace {

Bytes encode(const std::string& hash, const Bytes& message, size_t len) {
  static const std::map<std::string, std::pair<incore_sha_algorithm, const char*>> kHashes = {
      {"SHA1", {INCORE_SHA1, "3021300906052b0e03021a05000414"}},
      {"SHA224", {INCORE_SHA224, "302d300d06096086480165030402040500041c"}},
      {"SHA256", {INCORE_SHA256, "3031300d060960864801650304020105000420"}},
      {"SHA384", {INCORE_SHA384, "3041300d060960864801650304020205000430"}},
      {"SHA512", {INCORE_SHA512, "3051300d060960864801650304020305000440"}}};
  const auto& [algorithm, prefix] = kHashes.at(hash);
  Bytes digest(incore_sha_digest_len(algorithm));
  if (incore_sha_digest(algorithm, message.data(), message.size(), digest.data(), digest.size()) !=
      INCORE_OK)
    throw std::runtime_error("hash");
  Bytes info = from_hex(prefix);
  info.insert(info.end(), digest.begin(), digest.end());
  Bytes encoded(len, 0xFF);
  encoded[0] = 0;
  encoded[1] = 1;
  encoded[len - info.size() - 1] = 0;
  std::copy(info.begin(), info.end(), encoded.end() - static_cast<std::ptrdiff_t>(info.size()));
  return encoded;
}

#if INCORE_HAVE_GMP
Bytes bytes_of(const mpz_class& z) {
  return to_bytes(z, (mpz_sizeinbase(z.get_mpz_t(), 2) + 7) / 8);
}

// The primes from both exponents: e * d - 1 is a multiple of the order of every number, so that one
// of its halves gives a square root of 1 other than 1 and -1.
void add_primes(RsaVectors* key) {
  const mpz_class n = to_mpz(key->n), e = to_mpz(key->e), d = to_mpz(key->d), one = 1;
  mpz_class odd = e * d - 1;
  while (odd % 2 == 0) odd /= 2;
  for (unsigned base = 2; base < 100; ++base)
    for (mpz_class x = power_by_gmp(base, odd, n), square; x != 1 && x != n - 1; x = square) {
      square = x * x % n;
      if (square != 1) continue;
      mpz_class p, q, q_inv;
      mpz_gcd(p.get_mpz_t(), mpz_class(x - 1).get_mpz_t(), n.get_mpz_t());
      q = n / p;
      mpz_invert(q_inv.get_mpz_t(), q.get_mpz_t(), p.get_mpz_t());
      key->p = bytes_of(p);
      key->q = bytes_of(q);
      key->dp = bytes_of(d % (p - 1));
      key->dq = bytes_of(d % (q - 1));
      key->q_inv = bytes_of(q_inv);
      return;
    }
  throw std::runtime_error("no primes found");
}
#endif

}  // namespace

std::vector<RsaVectors> load_rsa_laboratories() {
  std::vector<RsaVectors> keys;
  std::ifstream in(
      "/usr/lib/python3/dist-packages/cryptography_vectors/asymmetric/RSA/"
      "pkcs1v15sign-vectors.txt");
  std::map<std::string, Bytes> fields;
  Bytes* field = nullptr;
  const auto finish_example = [&] {
    if (fields.count("Signature") == 0) return;
    RsaVectors& key = keys.back();
    key.n = fields["Modulus"];
    key.e = fields["Public exponent"];
    key.d = fields["Exponent"];
    key.p = fields["Prime 1"];
    key.q = fields["Prime 2"];
    key.dp = fields["Prime exponent 1"];
    key.dq = fields["Prime exponent 2"];
    key.q_inv = fields["Coefficient"];
    key.examples.push_back(
        {encode("SHA1", fields["Message to be signed"], key.n.size()), fields["Signature"]});
    fields.erase("Signature");
    fields.erase("Message to be signed");
  };
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && isspace(static_cast<unsigned char>(line.back())) != 0) line.pop_back();
    const size_t colon = line.find(':');
    if (line.rfind("# Example ", 0) == 0) {
      finish_example();
      fields.clear();
      keys.push_back({line.substr(2, colon - 2), {}, {}, {}, {}, {}, {}, {}, {}, {}});
    } else if (line.rfind("# PKCS#1 v1.5 Signature Example", 0) == 0) {
      finish_example();
    } else if (line.rfind("# ", 0) == 0 && colon != std::string::npos) {
      field = &fields[line.substr(2, colon - 2)];
      field->clear();
    } else if (!line.empty() && isxdigit(static_cast<unsigned char>(line[0])) != 0 &&
               (line.size() < 3 || line[2] == ' ') && field != nullptr) {
      const Bytes part = from_hex(line);
      field->insert(field->end(), part.begin(), part.end());
    }
  }
  finish_example();
  return keys;
}

std::vector<RsaVectors> load_cavp_rsa() {
  std::vector<RsaVectors> keys;
#if INCORE_HAVE_GMP
  const std::string file = "asymmetric/RSA/FIPS_186-2/SigGen15_186-2.txt";
  if (nist_files("asymmetric/RSA/FIPS_186-2").empty()) return keys;
  for (const NistCase& c : load_nist(file)) {
    const auto field = [&](const char* name) { return from_hex(c.fields.at(name)); };
    if (c.fields.count("n") != 0) {
      keys.push_back({c.section, field("n"), {}, {}, {}, {}, {}, {}, {}, {}});
    }
    if (c.fields.count("d") != 0) {
      keys.back().e = field("e");
      keys.back().d = field("d");
      add_primes(&keys.back());
    }
    if (c.fields.count("S") != 0)
      keys.back().examples.push_back(
          {encode(c.fields.at("SHAAlg"), field("Msg"), keys.back().n.size()), field("S")});
  }
#endif
  return keys;
}

}  // namespace incore::test
