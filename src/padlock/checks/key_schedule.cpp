// Check of the round keys that a program supplies (KEYGN = 1): they must be FIPS 197's, or for the
// inverse cipher those of its equivalent form, last round key first. PadLock guide 1.66, section
// 3.2 ("Extended Keys"). If they are not, the check looks for the mistake that explains them.
// Schedules found right are remembered by a hash: this is a tool for tests, not for secrets.
#include <cstring>
#include <utility>

#include "base/wipe.h"
#include "crypto/aes/aes_steps.h"
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

constexpr unsigned kWordLen = 4;

// How a schedule lies in memory, beside the sequence of words of FIPS 197, section 5.2.
struct Form {
  bool mixed;     // InvMixColumns has been applied to the inner round keys
  bool reversed;  // the last round key comes first
  bool swapped;   // the bytes of each word are in the opposite order
  bool operator==(const Form&) const = default;
};

constexpr Form kEncryption = {false, false, false}, kDecryption = {true, true, false};

// The words of FIPS 197, if |bytes| has them in |form|.
AesRoundKeys straightened(const uint8_t* bytes, unsigned rounds, Form form) {
  AesRoundKeys keys = {};
  keys.rounds = rounds;
  for (unsigned i = 0; i <= rounds; ++i) {
    aes_steps::State key;
    std::memcpy(key.bytes, bytes + kAesBlockLen * (form.reversed ? rounds - i : i), kAesBlockLen);
    if (form.swapped)
      for (unsigned j = 0; j < kAesBlockLen; j += kWordLen)
        for (unsigned k = 0; k < kWordLen / 2; ++k)
          std::swap(key.bytes[j + k], key.bytes[j + kWordLen - 1 - k]);
    if (form.mixed && i != 0 && i != rounds) aes_steps::mix_columns(key);
    std::memcpy(keys.bytes + kAesBlockLen * i, key.bytes, kAesBlockLen);
    wipe(key);
  }
  return keys;
}

// Which words do not follow from those before them, a bit for each.
uint64_t wrong_words(const AesRoundKeys& keys, unsigned nk) {
  uint64_t wrong = 0;
  const unsigned num_words = 4 * (keys.rounds + 1);
  for (unsigned i = nk; i < num_words; ++i) {
    uint8_t word[kWordLen];
    aes_steps::next_word(keys.bytes + kWordLen * (i - nk), nk, i, word);
    if (std::memcmp(word, keys.bytes + kWordLen * i, kWordLen) != 0) wrong |= uint64_t{1} << i;
    wipe(word);
  }
  return wrong;
}

bool is_schedule(const uint8_t* bytes, unsigned rounds, Form form, unsigned nk) {
  AesRoundKeys keys = straightened(bytes, rounds, form);
  const uint64_t wrong = wrong_words(keys, nk);
  wipe(keys);
  return wrong == 0;
}

// The only wrong word, or the number of words if there is none such. Word i is seen in what should
// follow: itself, word i + 1 and word i + Nk.
unsigned only_wrong_word(const uint8_t* bytes, unsigned rounds, Form form, unsigned nk) {
  AesRoundKeys keys = straightened(bytes, rounds, form);
  const uint64_t wrong = wrong_words(keys, nk);
  wipe(keys);
  const unsigned num_words = 4 * (rounds + 1);
  const uint64_t checked = ~uint64_t{0} >> (64 - num_words) & ~uint64_t{0} << nk;
  unsigned i = 0;
  while (i < num_words && ((uint64_t{1} | 2 | uint64_t{1} << nk) << i & checked) != wrong) ++i;
  if (i == num_words || !form.reversed) return i;
  return 4 * (rounds - i / 4) + i % 4;
}

enum {
  kSwapped,
  kReversed,
  kOfEncryption,
  kOfDecryption,
  kOtherKey,
  kOtherRounds,
  kOneWord,
  kNone
};

// The rule that |bytes| break in place of |wanted|, and for kOneWord the word; false: none.
bool find_mistake(const uint8_t* bytes, unsigned rounds, Form wanted, unsigned nk, unsigned* rule,
                  unsigned* word) {
  constexpr unsigned kKeyWords[] = {4, 6, 8}, kMoreRounds = 6;
  *word = 0;
  *rule = kOtherRounds;
  if (is_schedule(bytes, rounds, wanted, nk)) return rounds != nk + kMoreRounds;
  for (unsigned i = 1; i < 8; ++i) {
    const bool swapped = i & 1, reversed = i & 2, mixed = i & 4;
    const Form form = {mixed != wanted.mixed, reversed != wanted.reversed, swapped};
    if (!is_schedule(bytes, rounds, form, nk)) continue;
    *rule = mixed      ? (wanted.mixed ? kOfEncryption : kOfDecryption)
            : reversed ? kReversed
                       : kSwapped;
    return true;
  }
  *rule = kOtherKey;
  for (const unsigned other : kKeyWords)
    if (other != nk && is_schedule(bytes, rounds, wanted, other)) return true;
  const unsigned wrong = only_wrong_word(bytes, rounds, wanted, nk);
  const bool is_one = wrong <= 4 * rounds + 3;
  *rule = is_one ? kOneWord : kNone;
  if (is_one) *word = wrong;
  return true;
}

void look_at_schedule(const Look& look) {
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr || o->blocks == 0) return;
  const ControlWord cw = o->control_word;
  if (!cw.keys_in_memory() || cw.intermediate() || cw.key_size() == 3) return;
  // Other numbers of rounds are somebody's experiment.
  if (cw.rounds() != 10 && cw.rounds() != 12 && cw.rounds() != 14) return;
  if ((cw.bits & kCwCiphr) != 0) return;
  uint8_t bytes[kMemoryKeyLen];
  if (look.x.memory.read(o->key.begin, bytes, o->key.size())) return;

  const Form wanted = cw.decrypt() && o->inverse_cipher ? kDecryption : kEncryption;
  const uint8_t kind[] = {static_cast<uint8_t>(cw.rounds()), static_cast<uint8_t>(cw.key_size()),
                          static_cast<uint8_t>(wanted == kDecryption)};
  const uint64_t tag =
      hash_bytes(hash_bytes(kHashSeed, kind, sizeof kind), bytes, o->used_key_len());
  uint64_t& right = look.history.right_schedules[(tag >> 32) % CheckHistory::kNumSchedules];
  if (right != tag) {
    unsigned rule, word;
    if (find_mistake(bytes, cw.rounds(), wanted, 4 + 2 * cw.key_size(), &rule, &word))
      look.report(rule, Operand::key, o->key.begin + kWordLen * word);
    else
      right = tag;
  }
  wipe(bytes);
}

}  // namespace

const Check check_key_schedule = {
    .name = "key-schedule",
    .remedy =
        "to encrypt, and for CFB, OFB and CTR, give w[0], w[1], ... of FIPS 197 byte by byte; "
        "to decrypt, those of the equivalent inverse cipher, last round key first",
    .rules = {{"PLK-ACE-071", "the bytes of each word of the round keys are in the wrong order"},
              {"PLK-ACE-073", "the round keys are in reverse order"},
              {"PLK-ACE-072",
               "the round keys are those of encryption, without InvMixColumns, and this decrypts"},
              {"PLK-ACE-031",
               "the round keys are those of decryption, and this mode uses the cipher forwards"},
              {"PLK-ACE-045",
               "the round keys are those of a key of another length than KSIZE says"},
              {"PLK-ACE-084", "the number of rounds is that of another key length"},
              {"PLK-ACE-071", "one word of the round keys is wrong, the one at this address"},
              {"PLK-ACE-071", "the round keys are no schedule of FIPS 197, in whatever order"}},
    .before_insn = look_at_schedule};

}  // namespace incore::padlock
