// Messages and hash buffers for the tests of REP XSHA, and their known answers from data files.
#pragma once

#include <string>
#include <vector>

#include "padlock/machine.h"

namespace incore::padlock::test {

// One of the two hash instructions.
struct Hash {
  const char* name;
  Bytes code;
  size_t num_words;  // of 32 bits, in the running value and the digest
  Bytes initial;     // the 20 or 32 bytes that a program puts at EDI
};

const Hash& sha1_hash();
const Hash& sha256_hash();
std::vector<const Hash*> both_hashes();

inline constexpr uint64_t kHashAt = 0x20000;     // EDI
inline constexpr uint64_t kMessageAt = 0x40000;  // ESI
inline constexpr size_t kHashBufferLen = 128;

// The models that have PHE.
inline const std::vector<const char*> kPheModels = {"esther", "esther9", "nano", "host"};

// Byte i is (7 * i + 3) mod 256: the message of the data files.
Bytes pattern(size_t len);

// EAX = 0, ECX = the length, ESI and EDI as above, the initial values in the buffer.
void set_up_hash(Machine& m, const Hash& hash, const Bytes& message);

// The words at |address| as a digest is written: each as eight hex digits.
std::string digest_at(const Machine& m, const Hash& hash, uint64_t address = kHashAt);

// The digest of |message| on a machine of its own.
std::string hash_on(const char* model, const Hash& hash, const Bytes& message);

// The rows of tests/data/padlock/xsha_lengths.txt (by message length) and xsha_states.txt (by
// number of blocks).
struct HashRow {
  size_t number;
  std::string sha1, sha256;
  const std::string& of(const Hash& hash) const { return hash.num_words == 5 ? sha1 : sha256; }
};
std::vector<HashRow> hash_rows(const std::string& file);

}  // namespace incore::padlock::test
