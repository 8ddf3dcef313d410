#include "scan/site_pattern.h"

#include <algorithm>

namespace incore::scan {
namespace {

constexpr uint8_t kRep = 0xf3;
constexpr uint8_t kRepne = 0xf2;

// By ModRM bits 5:3.
constexpr const char* kOpcodeA6[8] = {"montmul", "xsha1",    "xsha256",  "xsha384",
                                      "xsha512", "ccs-hash", "montmul2", "xmodexp"};
constexpr const char* kOpcodeA7[8] = {"rep-xstore", "xcrypt-ecb", "xcrypt-cbc",  "xcrypt-ctr",
                                      "xcrypt-cfb", "xcrypt-ofb", "ccs-encrypt", "xrng2"};

}  // namespace

bool is_padlock_opcode(uint8_t opcode, uint8_t modrm) {
  return (opcode == 0xa6 || opcode == 0xa7) && modrm >= 0xc0;
}

const char* padlock_mnemonic(std::span<const uint8_t> insn) {
  const std::span<const uint8_t> prefixes = insn.first(insn.size() - 3);
  const bool rep = std::find(prefixes.begin(), prefixes.end(), kRep) != prefixes.end();
  const bool repne = !rep && std::find(prefixes.begin(), prefixes.end(), kRepne) != prefixes.end();
  const unsigned unit = insn.back() >> 3 & 7;
  if (insn[insn.size() - 2] == 0xa7) return unit == 0 && !rep ? "xstore" : kOpcodeA7[unit];
  if (repne && unit == 0) return "sm2";
  if (repne && unit == 2) return "zxpause";
  return kOpcodeA6[unit];
}

bool is_prefix(uint8_t byte, bool is_64bit) {
  switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:  // segments
    case 0x66:
    case 0x67:
    case 0xf0:
    case kRepne:
    case kRep:
      return true;
    default:
      return is_64bit && (byte & 0xf0) == 0x40;
  }
}

size_t padlock_length(std::span<const uint8_t> bytes, bool is_64bit) {
  size_t p = 0;
  while (p < bytes.size() && is_prefix(bytes[p], is_64bit)) ++p;
  if (p + 3 > bytes.size() || p + 3 > kMaxInstructionLen || bytes[p] != 0x0f) return 0;
  return is_padlock_opcode(bytes[p + 1], bytes[p + 2]) ? p + 3 : 0;
}

}  // namespace incore::scan
