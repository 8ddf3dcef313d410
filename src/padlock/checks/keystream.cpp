// Check of key stream that is used for two messages: OFB or CTR with one key, one vector, and two
// plaintexts. PadLock guide 1.66, section 3.1 (CTR, OFB). Decrypting what was encrypted, or
// encrypting the same again, is no second message. Only the first block of each call is looked at,
// and a table of limited size remembers it, so some go unnoticed. The table is indexed by a hash of
// the key: this is a tool for tests, not for secrets.
#include <cstring>

#include "base/wipe.h"
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

void look_at_keystream(const Look& look) {
  enum { kOfb, kCtr };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr || !(o->is_ofb || o->is_ctr)) return;
  if (o->blocks == 0 || o->control_word.intermediate()) return;
  uint8_t key[kMemoryKeyLen], vector[kAesBlockLen], first[kAesBlockLen], keystream[kAesBlockLen];
  Memory& memory = look.x.memory;
  if (memory.read(o->key.begin, key, static_cast<size_t>(o->key.len)) ||
      memory.read(o->vector.begin, vector, sizeof vector) ||
      memory.read(o->source.begin, first, sizeof first))
    return;

  const uint8_t kind[] = {static_cast<uint8_t>(o->control_word.rounds()),
                          static_cast<uint8_t>(o->control_word.keys_in_memory())};
  uint64_t tag = hash_bytes(hash_bytes(kHashSeed, kind, sizeof kind), key, o->used_key_len());
  tag = hash_bytes(tag, vector, sizeof vector) | 1;
  CheckHistory::Keystream& seen =
      look.history.keystreams[(tag >> 32) % CheckHistory::kNumKeystreams];
  if (seen.tag != tag) {
    seen.tag = tag;
    std::memcpy(seen.first_block, first, sizeof first);
  } else if (std::memcmp(seen.first_block, first, sizeof first) != 0) {
    KeyRam key_ram;
    key_ram.load(o->control_word, key, *look.x.kernels().aes);
    const AesKey& forward = key_ram.key(false);
    forward.kernel->ecb_encrypt(forward, vector, keystream, 1);
    for (size_t i = 0; i < kAesBlockLen; ++i) keystream[i] ^= first[i];
    if (std::memcmp(seen.first_block, keystream, sizeof keystream) != 0)
      look.report(o->is_ofb ? kOfb : kCtr, Operand::vector, o->vector.begin);
    key_ram.clear();
  }
  wipe(key);
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

}  // namespace incore::padlock
