// Checks of the control word: fields and combinations that are undefined. PadLock guide 1.66,
// section 3.2.
#include "padlock/checks/check.h"

namespace incore::padlock {
namespace {

void report_control_word(const Look& look, unsigned rule) {
  look.report(rule, Operand::control_word, look.xcrypt->control.begin);
}

void look_at_cipher(const Look& look) {
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o != nullptr && (o->control_word.bits & kCwCiphr) != 0) report_control_word(look, 0);
}

void look_at_key_size(const Look& look) {
  enum { kThree, kHardware };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr) return;
  if (o->control_word.key_size() == 3)
    report_control_word(look, kThree);
  else if (o->control_word.key_size() != 0 && !o->control_word.keys_in_memory())
    report_control_word(look, kHardware);
}

void look_at_reserved(const Look& look) {
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr) return;
  uint32_t set = o->control_word.bits & ~kCwDefined;
  for (size_t i = 4; i < kControlWordLen; ++i) set |= o->control_word_bytes[i];
  if (set != 0) report_control_word(look, 0);
}

void look_at_ace2_bits(const Look& look) {
  enum { kDigest, kAlign };
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr || look.x.cpu.model().ace2) return;
  if (o->control_word.digest()) report_control_word(look, kDigest);
  if (o->control_word.align()) report_control_word(look, kAlign);
}

void look_at_intermediate(const Look& look) {
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr) return;
  const ControlWord cw = o->control_word;
  if (cw.intermediate() && cw.decrypt() && !cw.keys_in_memory()) report_control_word(look, 0);
}

void look_at_rounds(const Look& look) {
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o != nullptr && o->control_word.rounds() == 16 && o->control_word.keys_in_memory())
    report_control_word(look, 0);
}

void look_at_digest(const Look& look) {
  const XcryptOperands* o = look.xcrypt_with_control_word();
  if (o == nullptr || !o->control_word.digest() || o->is_ecb || o->is_ctr || o->is_ofb) return;
  if (o->blocks != 0 && o->source.begin == o->destination.begin)
    look.report(0, Operand::destination, o->destination.begin);
}

}  // namespace

const Check check_cipher_bit = {.name = "cipher-bit",
                                .remedy = "clear bit 6 of the control word",
                                .rules = {{"PLK-ACE-095", "CIPHR = 1 (bit 6) is undefined"}},
                                .before_insn = look_at_cipher};

const Check check_key_size = {
    .name = "key-size",
    .remedy = "for 192 and 256 bits expand the key in software, set KEYGN, and KSIZE to 1 or 2",
    .rules = {{"PLK-ACE-102", "key size 3 (bits 11:10) is undefined"},
              {"PLK-ACE-097",
               "KEYGN = 0 with a key size other than 128 bits is undefined: the "
               "hardware cannot expand such keys"}},
    .before_insn = look_at_key_size};

const Check check_reserved_bits = {
    .name = "reserved-bits",
    .remedy =
        "clear all 16 bytes of the control word before setting its fields; a PUSHF of inline "
        "assembly must not write into it (-mno-red-zone)",
    .rules = {{"PLK-ACE-103", "reserved bits of the control word (127:12) are not 0"}},
    .before_insn = look_at_reserved};

const Check check_nehemiah_bits = {
    .name = "nehemiah-bits",
    .remedy = "set DGEST and ALIGN only where CPUID shows ACE2",
    .rules = {{"PLK-ACE-090", "DGEST (bit 4) is undefined without ACE2"},
              {"PLK-ACE-093", "ALIGN (bit 5) is undefined without ACE2"}},
    .before_insn = look_at_ace2_bits};

const Check check_intermediate_keys = {
    .name = "intermediate-keys",
    .remedy = "load the schedule from memory (KEYGN = 1) for intermediate results of decryption",
    .rules = {{"PLK-ACE-077", "INTER = 1 and CRYPT = 1 with a schedule made by the hardware"}},
    .before_insn = look_at_intermediate};

const Check check_sixteen_rounds = {
    .name = "sixteen-rounds",
    .remedy = "set ROUND to 10, 12 or 14, as FIPS 197 asks for the key size",
    .rules = {{"PLK-ACE-086",
               "ROUND = 0 means 16 rounds, whose 17 round keys do not fit into the "
               "16 slots loaded from memory"}},
    .before_insn = look_at_rounds};

const Check check_digest_in_place = {
    .name = "digest-in-place",
    .remedy = "give the digest a destination of its own",
    .rules = {{"PLK-ACE-040",
               "DGEST = 1 with source and destination in one place: the message is "
               "overwritten"}},
    .before_insn = look_at_digest};

}  // namespace incore::padlock
