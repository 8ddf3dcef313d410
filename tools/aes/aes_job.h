// What `incore aes` is to do, its options read and checked; and the functions that do it, one for
// each kind of mode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "incore/aes.h"
#include "tools/aes/aes_files.h"

namespace incore::tools {

struct AesJob;

struct AesMode {
  const char* name;
  void (*crypt)(const AesJob& job);
  const char* iv;                           // what --iv takes; null: the mode has none
  bool pads;                                // takes whole blocks: the last one is padded
  bool seals;                               // has associated data and a tag
  bool two_keys;                            // XTS
  incore_aes_stream_mode encrypt, decrypt;  // of a stream mode
};

struct AesJob {
  const AesMode* mode;
  bool encrypts;
  std::string in, out;  // "-": standard input, standard output
  bool no_padding;
  std::vector<uint8_t> key;
  std::vector<uint8_t> iv;  // for XTS the tweak
  std::vector<uint8_t> aad;
  size_t tag_len;
  size_t unit_len;      // of XTS; 0: the file is one data unit
  uint64_t first_unit;  // if |unit_len| is not 0

  AesJob() = default;
  AesJob(const AesJob&) = delete;
  ~AesJob();
};

// Large enough that system calls do not count, small enough for the second-level cache.
inline constexpr size_t kAesReadLen = 256 << 10;

void crypt_message(const AesJob& job);  // ecb, cbc, cfb, ofb, ctr
void crypt_ccm(const AesJob& job);
void crypt_gcm(const AesJob& job);
void crypt_xts(const AesJob& job);

}  // namespace incore::tools
