// Hashing in pieces on processors whose REP XSHA always pads, by way of a page fault: each piece
// ends where a missing page begins, ECX promises more, and the handler steps over the instruction.
// The running value of all whole blocks is then in memory. Known from programs for the C7; PadLock
// guide 1.66, section 4.1, promises what it needs.
#include "incore/sha.h"
#include "padlock/machine_xsha.h"
#include "support/choices.h"
#include "support/property.h"

namespace incore::padlock::test {
namespace {

using incore::test::for_each_seed;
using incore::test::SeededChoices;

constexpr uint64_t kPage = 0x80000;  // always missing
constexpr uint64_t kPromised = 1 << 20;

std::string sha_of(const Hash& hash, const Bytes& message) {
  Bytes digest(hash.num_words * 4);
  EXPECT_EQ(incore_sha_digest(hash.num_words == 5 ? INCORE_SHA1 : INCORE_SHA256, message.data(),
                              message.size(), digest.data(), digest.size()),
            INCORE_OK);
  return to_hex(digest);
}

// Hashes the whole blocks of |piece| and returns their length; the rest of it is left.
size_t hash_piece(Machine& m, const Hash& hash, const Bytes& piece) {
  const uint64_t piece_at = kPage - piece.size();
  m.put(piece_at, piece);
  m.state().rax = 0;
  m.state().rcx = kPromised;
  m.state().rsi = piece_at;
  const Step step = m.issue(hash.code);
  EXPECT_TRUE(is_page_fault(step, kPage, false));
  const size_t done = piece.size() / 64 * 64;
  // clause: PLK-PHE-018
  EXPECT_EQ(m.state().rax, done);
  // clause: PLK-PHE-020
  EXPECT_EQ(m.state().rsi, piece_at + done);
  EXPECT_EQ(m.state().rcx, kPromised);
  m.state().rip += hash.code.size();  // the handler
  return done;
}

TEST(padlock_page_fault_hash, pieces_of_any_length_give_the_hash_of_the_whole) {
  for_each_seed(200, [](uint64_t seed) {
    SeededChoices choices(seed);
    const Hash& hash = choices.chance(2) ? sha1_hash() : sha256_hash();
    Machine m(choices.pick(kPheModels), choices.chance(2) ? CodeSize::bits32 : CodeSize::bits64);
    set_up_hash(m, hash, {});
    Bytes message, left;
    uint64_t hashed = 0;
    for (size_t pieces = choices.below(5); pieces > 0; --pieces) {
      const Bytes fresh = choices.bytes(choices.below(700));
      message = concat(message, fresh);
      left = concat(left, fresh);
      const size_t done = hash_piece(m, hash, left);
      hashed += done;
      left.erase(left.begin(), left.begin() + static_cast<ptrdiff_t>(done));
    }
    // The last piece is hashed as a restart, with the padding of the whole message.
    m.put(kMessageAt, concat(left, Bytes(1)));
    m.state().rax = hashed;
    m.state().rcx = message.size();
    m.state().rsi = kMessageAt;
    ASSERT_TRUE(is_done(m.issue(hash.code)));
    // clause: PLK-PHE-021
    // clause: PLK-PHE-029
    EXPECT_EQ(digest_at(m, hash), sha_of(hash, message));
  });
}

}  // namespace
}  // namespace incore::padlock::test
