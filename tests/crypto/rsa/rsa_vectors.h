// RSA keys and signatures of third parties, from the package cryptography_vectors: the PKCS #1 v1.5
// examples of RSA Laboratories, which have all parts of the keys, and NIST's CAVP responses.
#pragma once

#include <string>
#include <vector>

#include "support/hex.h"

namespace incore::test {

struct RsaExample {
  Bytes encoded;  // EMSA-PKCS1-v1_5 (RFC 8017, section 9.2) of the message
  Bytes signature;
};

struct RsaVectors {
  std::string name;
  Bytes n, e, d, p, q, dp, dq, q_inv;  // as the file has them
  std::vector<RsaExample> examples;
};

// Keys of 1024 to 2048 bits, among them 1025 to 1031. Empty if the package is missing.
std::vector<RsaVectors> load_rsa_laboratories();

// Keys of 1024 to 4096 bits; p to q_inv are computed from n, e and d. Empty if the package or GMP
// is missing.
std::vector<RsaVectors> load_cavp_rsa();

}  // namespace incore::test
