// Checks of two messages under one key and one vector. In OFB and CTR they share their key stream
// (PadLock guide 1.66, section 3.1); in CBC and CFB equal beginnings show, and a message in several
// calls goes wrong if each begins with the first vector: the instruction moves EAX to the next one.
// Decrypting what was encrypted, or encrypting the same again, is no second message. Only the first
// block of each call is looked at, and a table of limited size remembers it, so some go unnoticed.
// The table is indexed by a hash of the key: this is a tool for tests, not for secrets.
#include <cstring>

#include "base/wipe.h"
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

// What a call encrypts, and under which key.
struct Message {
  uint8_t key[kMemoryKeyLen], vector[kAesBlockLen], first_block[kAesBlockLen];
  uint64_t tag;  // of all but the block; not 0

  ~Message() { wipe(key); }
};

// False: an operand cannot be read, or it is no message.
bool read_message(const Look& look, const XcryptOperands& o, Message* out) {
  if (o.blocks == 0 || o.control_word.intermediate()) return false;
  Memory& memory = look.x.memory;
  if (memory.read(o.key.begin, out->key, o.key.size()) ||
      memory.read(o.vector.begin, out->vector, kAesBlockLen) ||
      memory.read(o.source.begin, out->first_block, kAesBlockLen))
    return false;
  // OFB and CTR begin with the same key stream.
  const bool has_keystream = o.is_ctr || o.is_ofb;
  const uint8_t kind[] = {static_cast<uint8_t>(o.control_word.rounds()),
                          static_cast<uint8_t>(o.control_word.keys_in_memory()),
                          has_keystream ? uint8_t{0xFF} : look.x.decoded.index};
  const uint64_t tag =
      hash_bytes(hash_bytes(kHashSeed, kind, sizeof kind), out->key, o.used_key_len());
  out->tag = hash_bytes(tag, out->vector, kAesBlockLen) | 1;
  return true;
}

// The first block of another message under this key and vector; null: there was none. Remembers the
// message if it is the first.
const uint8_t* block_of_another(CheckHistory& history, const Message& message) {
  CheckHistory::Message& seen = history.messages[(message.tag >> 32) % CheckHistory::kNumMessages];
  if (seen.tag != message.tag) {
    seen.tag = message.tag;
    std::memcpy(seen.first_block, message.first_block, kAesBlockLen);
    return nullptr;
  }
  const bool is_same = std::memcmp(seen.first_block, message.first_block, kAesBlockLen) == 0;
  return is_same ? nullptr : seen.first_block;
}

void look_at_keystream(const Look& look) {
  enum { kOfb, kCtr };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  Message message;
  if (o == nullptr || !(o->is_ofb || o->is_ctr) || !read_message(look, *o, &message)) return;
  const uint8_t* const other = block_of_another(look.history, message);
  if (other == nullptr) return;
  KeyRam key_ram;
  key_ram.load(o->control_word, message.key, *look.x.kernels().aes);
  const AesKey& forward = key_ram.key(false);
  uint8_t decrypted[kAesBlockLen];
  forward.kernel->ecb_encrypt(forward, message.vector, decrypted, 1);
  for (size_t i = 0; i < kAesBlockLen; ++i) decrypted[i] ^= message.first_block[i];
  if (std::memcmp(other, decrypted, kAesBlockLen) != 0)
    look.report(o->is_ofb ? kOfb : kCtr, Operand::vector, o->vector.begin);
  key_ram.clear();
}

// A message digest begins with one vector always.
void look_at_vector(const Look& look) {
  enum { kCbc, kCfb };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr || o->is_ecb || o->is_ofb || o->is_ctr) return;
  Message message;
  if (o->control_word.decrypt() || o->control_word.digest() || !read_message(look, *o, &message))
    return;
  if (block_of_another(look.history, message) != nullptr)
    look.report(o->inverse_cipher ? kCbc : kCfb, Operand::vector, o->vector.begin);
}

}  // namespace

const Check check_keystream_reuse = {
    .name = "keystream-reuse",
    .remedy = "take a new vector for every message",
    .rules = {{"PLK-ACE-029",
               "this key and vector have already encrypted another message: their "
               "XOR is that of the plaintexts"},
              {"PLK-ACE-024",
               "this key and counter have already encrypted another message: their "
               "XOR is that of the plaintexts"}},
    .before_insn = look_at_keystream};

const Check check_vector_reuse = {
    .name = "vector-reuse",
    .remedy =
        "take a new vector for every message; go on with one from the vector at EAX as the "
        "instruction left it",
    .rules = {{"PLK-ACE-049",
               "CBC has already encrypted another message with this key and vector: the "
               "instruction leaves the vector in memory as it was, and EAX at the next one"},
              {"PLK-ACE-050",
               "CFB has already encrypted another message with this key and vector: the "
               "instruction leaves the vector in memory as it was, and EAX at the next one"}},
    .before_insn = look_at_vector};

}  // namespace incore::padlock
