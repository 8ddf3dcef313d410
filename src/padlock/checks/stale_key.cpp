// Check of the key reload: while EFLAGS bit 30 is set, REP XCRYPT uses the key and the control word
// that it loaded before, whatever memory says now. PadLock guide 1.66, section 3.2 (EFLAGS[30]).
#include <cstring>

#include "base/wipe.h"
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

constexpr uint32_t kFieldMask = 0xFFF;

void look_at_key(const Look& look) {
  enum { kControlWord, kKey };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (look.loaded == nullptr || o == nullptr || o->blocks == 0) return;
  if (((look.loaded->control_word.bits ^ o->control_word.bits) & kFieldMask) != 0)
    return look.report(kControlWord, Operand::control_word, o->control.begin);
  uint8_t key[kMemoryKeyLen];
  if (look.x.memory.read(o->key.begin, key, o->key.size())) return;
  const size_t used = o->used_key_len();
  if (std::memcmp(look.loaded->key, key, used) != 0) look.report(kKey, Operand::key, o->key.begin);
  wipe(key);
}

}  // namespace

const Check check_stale_key = {
    .name = "stale-key",
    .remedy = "PUSHF and POPF before the first XCRYPT with a new key or control word",
    .rules = {{"PLK-MULTI-007",
               "the control word has changed since the last XCRYPT, and nothing "
               "has cleared EFLAGS bit 30: the old one and the old key are used"},
              {"PLK-MULTI-007",
               "the key has changed since the last XCRYPT, and nothing has cleared "
               "EFLAGS bit 30: the old one is used"}},
    .before_insn = look_at_key};

}  // namespace incore::padlock
