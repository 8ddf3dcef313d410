// How much an instruction has done, where its addresses begin again at 0.
#include "padlock/work.h"

#include <gtest/gtest.h>

namespace incore::padlock {
namespace {

Decoded decoded_of(const Insn& insn, bool address_size) {
  Decoded decoded = {};
  decoded.insn = &insn;
  decoded.address_size = address_size;
  return decoded;
}

// clause: PLK-RNG-025
TEST(padlock_work, addresses_that_wrap_do_not_make_the_count_huge) {
  const struct {
    CodeSize code_size;
    bool prefix;
    uint64_t before, after;
  } kWraps[] = {
      {CodeSize::bits32, true, 0x1234FFFC, 0x12340004},
      {CodeSize::bits32, false, 0xFFFFFFFC, 4},
      {CodeSize::bits16, false, 0xFFFC, 4},
      {CodeSize::bits16, true, 0xFFFFFFFC, 4},
      {CodeSize::bits64, true, 0xFFFFFFFC, 4},
      {CodeSize::bits64, false, ~uint64_t{3}, 4},
      {CodeSize::bits32, false, 0x1000, 0x1008},
  };
  for (const auto& wrap : kWraps) {
    State before, after;
    after.code_size = wrap.code_size;
    before.rdi = before.rsi = wrap.before;
    after.rdi = after.rsi = wrap.after;
    for (const Insn* const insn : {&xstore, &rep_xstore, &xsha1, &ccs_hash}) {
      const Decoded decoded = decoded_of(*insn, wrap.prefix);
      EXPECT_EQ(bytes_done(decoded, before, after), 8u) << insn->mnemonic << wrap.before;
      EXPECT_EQ(work_done(decoded, before, after), insn->unit == Unit::rng ? 8u : 1u);
    }
  }
}

}  // namespace
}  // namespace incore::padlock
