// Answers of the installed `openssl` program, for algorithms that have no other oracle here.
#pragma once

#include <string>

#include "support/hex.h"
#include "support/process.h"

namespace incore::test {

// Empty if `openssl` knows the digest or cipher; else why the test cannot run.
inline std::string missing_in_openssl(const std::string& kind, const std::string& name) {
  try {
    const ProcessResult list = run({"openssl", "list", "-" + kind + "-commands"});
    if (list.exit_code == 0 && list.out.find(name) != std::string::npos) return "";
    return "this openssl has no " + name;
  } catch (const std::exception& error) {
    return error.what();
  }
}

inline std::string text_of(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

inline Bytes openssl_digest(const std::string& name, const Bytes& message) {
  const std::string out = run({"openssl", "dgst", "-" + name, "-binary"}, text_of(message)).out;
  return {out.begin(), out.end()};
}

// Whole blocks, without padding. ECB takes no vector.
inline Bytes openssl_cipher(const std::string& name, bool decrypt, const Bytes& key,
                            const Bytes& vector, const Bytes& in) {
  std::vector<std::string> argv = {"openssl", "enc", "-" + name, "-nopad", "-K", to_hex(key)};
  if (decrypt) argv.push_back("-d");
  if (name.find("-ecb") == std::string::npos) argv.insert(argv.end(), {"-iv", to_hex(vector)});
  const std::string out = run(argv, text_of(in)).out;
  return {out.begin(), out.end()};
}

}  // namespace incore::test
