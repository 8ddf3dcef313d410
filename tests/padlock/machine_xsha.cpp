// See machine_xsha.h.
#include "padlock/machine_xsha.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace incore::padlock::test {

// FIPS 180-2 section 5.3, each word with its low byte first.
const Hash& sha1_hash() {
  static const Hash hash = {"xsha1", kXsha1, 5,
                            from_hex("01234567 89abcdef fedcba98 76543210 f0e1d2c3")};
  return hash;
}

const Hash& sha256_hash() {
  static const Hash hash = {
      "xsha256", kXsha256, 8,
      from_hex("67e6096a 85ae67bb 72f36e3c 3af54fa5 7f520e51 8c68059b abd9831f 19cde05b")};
  return hash;
}

std::vector<const Hash*> both_hashes() {
  return {&sha1_hash(), &sha256_hash()};
}

Bytes pattern(size_t len) {
  Bytes message(len);
  for (size_t i = 0; i < len; ++i) message[i] = static_cast<uint8_t>(7 * i + 3);
  return message;
}

void set_up_hash(Machine& m, const Hash& hash, const Bytes& message) {
  m.memory.map(kHashAt, kHashBufferLen);
  m.put(kHashAt, hash.initial);
  m.memory.map(kMessageAt, 1);
  m.put(kMessageAt, message);
  m.state().rax = 0;
  m.state().rcx = message.size();
  m.state().rsi = kMessageAt;
  m.state().rdi = kHashAt;
}

std::string digest_at(const Machine& m, const Hash& hash, uint64_t address) {
  const Bytes bytes = m.get(address, 4 * hash.num_words);
  Bytes big_endian;
  for (size_t word = 0; word < bytes.size(); word += 4)
    for (size_t i = 4; i-- > 0;) big_endian.push_back(bytes[word + i]);
  return to_hex(big_endian);
}

std::string hash_on(const char* model, const Hash& hash, const Bytes& message) {
  Machine m(model);
  set_up_hash(m, hash, message);
  EXPECT_TRUE(is_done(m.issue(hash.code)));
  return digest_at(m, hash);
}

std::vector<HashRow> hash_rows(const std::string& file) {
  const std::string path = INCORE_TEST_DATA "/padlock/" + file;
  std::ifstream in(path);
  std::vector<HashRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    HashRow row;
    std::string extra;
    if (!(fields >> row.number >> row.sha1 >> row.sha256) || fields >> extra)
      throw std::runtime_error(path + ": not a row: " + line);
    rows.push_back(row);
  }
  if (rows.empty()) throw std::runtime_error("no rows in " + path);
  return rows;
}

}  // namespace incore::padlock::test
