// The algorithms of `incore hash`, and the digest of one file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "incore/sha.h"

namespace incore::tools {

struct HashAlgorithm {
  const char* name;          // as after -a
  const char* tag;           // as in lines of the BSD form
  size_t digest_len;         // bytes
  incore_sha_algorithm sha;  // if |crc| is null
  incore_status (*crc)(uint32_t* inout_crc, const void* data, size_t data_len);
};

inline constexpr size_t kNumHashAlgorithms = 7;
extern const HashAlgorithm kHashAlgorithms[kNumHashAlgorithms];

std::vector<std::string> hash_names();

// Null if there is none. Digest lengths are all different but those of the two CRCs, of which crc32
// is taken.
const HashAlgorithm* find_hash_by_name(const std::string& name);
const HashAlgorithm* find_hash_by_tag(const std::string& tag);
const HashAlgorithm* find_hash_by_len(size_t digest_len);

struct FileHash {
  std::string digest;  // lower-case hex
  int error = 0;       // errno, if the file could not be read to its end
};

// |name| "-" is standard input. Throws if the library refuses to work, as with a wrong
// INCORE_KERNEL.
FileHash hash_file(const std::string& name, const HashAlgorithm& algorithm);

}  // namespace incore::tools
