// NIST's CAVP response files (.rsp), from the package cryptography_vectors.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace incore::test {

// One case: the section it stands in ("ENCRYPT", "L = 20") and its "NAME = value" lines.
struct NistCase {
  std::string section;
  std::map<std::string, std::string> fields;
  int line = 0;  // where it begins, for messages
};

// The cases of |file|, a path below the package's folder such as
// "ciphers/AES/CBC/CBCVarKey128.rsp". Throws if there are none. An empty file name list from
// nist_files() means that the package is not installed: skip with nist_missing().
std::vector<NistCase> load_nist(const std::string& file);

// The files below |folder| of the package whose names end in ".rsp", sorted; empty if the package
// is missing.
std::vector<std::string> nist_files(const std::string& folder);

// The reason to give to GTEST_SKIP.
std::string nist_missing();

}  // namespace incore::test
