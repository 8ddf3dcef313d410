// Any bytes as code of each size: what decode() finds lies within them, does not depend on what
// follows, and agrees with Zydis where that speaks for the guide too.
#include <Zydis/Zydis.h>

#include <cstring>
#include <vector>

#include "check.h"
#include "padlock/decode.h"
#include "padlock/insn.h"

namespace {

using incore::padlock::CodeSize;
using incore::padlock::Decoded;
using incore::padlock::Insn;

const Insn* insn_of(ZydisMnemonic mnemonic, bool rep) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_XSTORE:
      return rep ? &incore::padlock::rep_xstore : &incore::padlock::xstore;
    case ZYDIS_MNEMONIC_XCRYPT_ECB:
      return &incore::padlock::xcrypt_ecb;
    case ZYDIS_MNEMONIC_XCRYPT_CBC:
      return &incore::padlock::xcrypt_cbc;
    case ZYDIS_MNEMONIC_XCRYPT_CTR:
      return &incore::padlock::xcrypt_ctr;
    case ZYDIS_MNEMONIC_XCRYPT_CFB:
      return &incore::padlock::xcrypt_cfb;
    case ZYDIS_MNEMONIC_XCRYPT_OFB:
      return &incore::padlock::xcrypt_ofb;
    case ZYDIS_MNEMONIC_XSHA1:
      return &incore::padlock::xsha1;
    case ZYDIS_MNEMONIC_XSHA256:
      return &incore::padlock::xsha256;
    case ZYDIS_MNEMONIC_MONTMUL:
      return &incore::padlock::montmul;
    default:
      return nullptr;
  }
}

void check(const uint8_t* data, size_t len, CodeSize code_size) {
  const Decoded d = incore::padlock::decode(data, len, code_size);
  FUZZ_CHECK(!d.too_long || len >= incore::padlock::kMaxInsnLen);
  if (d.insn == nullptr) {
    FUZZ_CHECK(d.length == 0);
  } else {
    FUZZ_CHECK(!d.too_long && !d.cut_short);
    FUZZ_CHECK(d.length >= 3 && d.length <= 15 && d.length <= len);
    // One byte less is cut short, and no byte behind it counts.
    const Decoded shorter = incore::padlock::decode(data, d.length - 1u, code_size);
    FUZZ_CHECK(shorter.insn == nullptr && shorter.cut_short);
    const std::vector<uint8_t> exact(data, data + d.length);
    FUZZ_CHECK(incore::padlock::decode(exact.data(), exact.size(), code_size).insn == d.insn);
    size_t num_insns;
    FUZZ_CHECK(incore::padlock::insns(&num_insns)[d.index] == d.insn && d.index < num_insns);
    FUZZ_CHECK(data[d.length - 3] == 0x0F && data[d.length - 2] == d.insn->opcode[1]);
  }

  static const ZydisMachineMode kModes[] = {
      ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_MACHINE_MODE_LONG_64};
  static const ZydisStackWidth kWidths[] = {ZYDIS_STACK_WIDTH_16, ZYDIS_STACK_WIDTH_32,
                                            ZYDIS_STACK_WIDTH_64};
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, kModes[static_cast<size_t>(code_size)],
                   kWidths[static_cast<size_t>(code_size)]);
  ZydisDecodedInstruction z;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, nullptr, data, len, &z))) return;
  // Zydis refuses more than the processor does (LOCK, low bits of ModRM): what it accepts counts.
  const Insn* const expected = insn_of(z.mnemonic, d.rep);
  FUZZ_CHECK(d.insn == expected);
  FUZZ_CHECK(expected == nullptr || d.length == z.length);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  for (CodeSize code_size : {CodeSize::bits16, CodeSize::bits32, CodeSize::bits64})
    check(data, len, code_size);
  return 0;
}
