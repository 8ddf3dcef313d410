// Shows instructions to the checks: reads the operands once, for all of them.
#include "padlock/checks/checker.h"

namespace incore::padlock {
namespace {

const Check* const kChecks[] = {
#define X(name) &check_##name,
#include "padlock/checks/checks.def"
#undef X
};

constexpr uint64_t kPageLen = 4096;
// The instruction would start: its unit is usable, and nothing but undefined prefixes is wrong.
bool would_start(const Execution& x) {
  return !x.require_usable(x.decoded.insn->kind == Kind::montmul);
}

}  // namespace

const Check* const* checks(size_t* out_num_checks) {
  *out_num_checks = sizeof kChecks / sizeof kChecks[0];
  return kChecks;
}

const char* operand_name(Operand operand) {
  static const char* const kNames[] = {
      "",
      "the instruction",
      "the count in ECX",
      "the quality factor in EDX",
      "EAX",
      "the vector at EAX",
      "the key at EBX",
      "the control word at EDX",
      "the scratch space behind the control word",
      "the source at ESI",
      "the destination at EDI",
      "the state at EDI",
      "A in the context",
      "B in the context",
      "T in the context",
      "M in the context",
      "the scratch area in the context",
      "mZeroPrime in the context",
      "the value for the MSR",
  };
  static_assert(sizeof kNames / sizeof kNames[0] == static_cast<size_t>(Operand::count_));
  return operand < Operand::count_ ? kNames[static_cast<size_t>(operand)] : "";
}

bool Look::can_read(const Range& range) const {
  for (uint64_t at = range.begin; at < range.end(); at = (at | (kPageLen - 1)) + 1) {
    uint8_t byte;
    if (!read_range(x, {at, 1}, &byte)) return false;
  }
  return true;
}

bool Look::probe_write(const Range& range) const {
  return range.len != 0 && static_cast<bool>(x.memory.probe_write(range.begin, range.size()));
}

void Checker::before_insn(Processor& processor, const Decoded& decoded, Memory& memory,
                          const LoadedKey* loaded, ReportSink& sink) {
  if (decoded.insn == nullptr) return;
  Execution x(processor, decoded, memory, nullptr);
  XcryptOperands xcrypt;
  HashOperands hash;
  MontmulOperands mont;
  Look look = {x, nullptr, nullptr, nullptr, loaded, history_, nullptr, sink};
  if (would_start(x)) {
    const Kind kind = decoded.insn->kind;
    if (kind == Kind::xcrypt) {
      xcrypt = xcrypt_operands(x);
      look.xcrypt = &xcrypt;
    } else if (kind == Kind::hash) {
      hash = hash_operands(x);
      look.hash = &hash;
    } else if (kind == Kind::montmul && montmul_operands(x, &mont)) {
      look.montmul = &mont;
    }
  }
  for (const Check* check : kChecks) {
    look.check = check;
    if (check->before_insn != nullptr) check->before_insn(look);
  }
}

void Checker::before_wrmsr(const Processor& processor, uint32_t msr, uint64_t value,
                           ReportSink& sink) {
  MsrLook look = {processor, msr, static_cast<uint32_t>(value), nullptr, sink};
  for (const Check* check : kChecks) {
    look.check = check;
    if (check->before_wrmsr != nullptr) check->before_wrmsr(look);
  }
}

bool read_key_to_load(Processor& processor, const Decoded& decoded, Memory& memory,
                      LoadedKey* out_key) {
  if (decoded.insn == nullptr || decoded.insn->kind != Kind::xcrypt) return false;
  const Execution x(processor, decoded, memory, nullptr);
  if (!would_start(x) || x.get(x.s.rcx) == 0) return false;
  const XcryptOperands o = xcrypt_operands(x);
  if (!o.control_word_known) return false;
  out_key->control_word = o.control_word;
  return read_range(x, o.key, out_key->key);
}

bool clears_key_loaded(const uint8_t* code, size_t len, CodeSize code_size) {
  const Decoded decoded = decode(code, len, code_size);
  if (decoded.insn != nullptr)  // these set up the logic that ACE would find set up
    return decoded.insn->kind == Kind::hash || decoded.insn->kind == Kind::ccs_encrypt;
  size_t at = 0;
  const auto is_prefix = [&](uint8_t byte) {
    constexpr uint8_t kPrefixes[] = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65,
                                     0x66, 0x67, 0xF0, 0xF2, 0xF3};
    for (const uint8_t prefix : kPrefixes)
      if (byte == prefix) return true;
    return code_size == CodeSize::bits64 && (byte & 0xF0) == 0x40;
  };
  while (at < len && is_prefix(code[at])) ++at;
  if (at == len) return false;
  switch (code[at]) {
    case 0x9C:  // PUSHF
    case 0x9D:  // POPF
    case 0xCC:  // INT3
    case 0xCD:  // INT
    case 0xCE:  // INTO
    case 0xCF:  // IRET
    case 0xF1:  // INT1
      return true;
    case 0x0F:  // SYSCALL, SYSENTER
      return at + 1 < len && (code[at + 1] == 0x05 || code[at + 1] == 0x34);
    default:
      return false;
  }
}

}  // namespace incore::padlock
