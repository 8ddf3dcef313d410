// What a check is: one rule of use that an emulator could let pass, while silicon fails or does
// what no document defines. A check looks at an instruction that is about to execute and reports
// what is wrong; it changes nothing. No system call, no allocation; safe in a signal handler.
#pragma once

#include "padlock/operands.h"

namespace incore::padlock {

// What a report points at, with the register that leads there.
enum class Operand : uint8_t {
  none,
  instruction,
  count,         // ECX
  quality,       // EDX of XSTORE
  start,         // EAX of hashes and MONTMUL
  vector,        // EAX
  key,           // EBX
  control_word,  // EDX
  scratch,       // behind the control word
  source,        // ESI
  destination,   // EDI
  hash_state,    // EDI of hashes
  mont_a,        // the pointers in the context of MONTMUL
  mont_b,
  mont_t,
  mont_m,
  mont_scratch,
  mont_prime,
  msr,
  count_,
};
const char* operand_name(Operand operand);

// FNV-1a, to tell what has been seen before.
inline constexpr uint64_t kHashSeed = 0xCBF29CE484222325;
inline uint64_t hash_bytes(uint64_t seed, const uint8_t* bytes, size_t len) {
  for (size_t i = 0; i < len; ++i) seed = (seed ^ bytes[i]) * 0x100000001B3;
  return seed;
}

// What has been seen before: the beginnings of messages, round keys, and the counter that an
// erratum has left.
struct CheckHistory {
  static constexpr size_t kNumMessages = 1024;
  struct Message {
    uint64_t tag;  // of mode, key and vector; 0: none
    uint8_t first_block[kAesBlockLen];
  };
  Message messages[kNumMessages] = {};
  static constexpr size_t kNumSchedules = 64;
  uint64_t right_schedules[kNumSchedules] = {};  // tags of round keys
  bool ctr_was_even = false;
  uint8_t ctr_left[kAesBlockLen] = {};
};

struct Check;

struct Report {
  const Check* check;
  unsigned rule;  // index into check->rules
  Operand operand;
  uint64_t address;  // of the operand, or its value
  // The control word of REP XCRYPT where it can be read, else null. Valid during the report.
  const uint8_t* control_word;
};

class ReportSink {
 public:
  virtual void report(const Report& report) = 0;

 protected:
  ~ReportSink() = default;
};

// What a check sees. |x| gives registers, prefixes and address rules; its memory is only read and
// probed. The operands are null for other instructions, and where the unit or the prefixes forbid
// the instruction altogether.
struct Look {
  Execution& x;
  const XcryptOperands* xcrypt;
  const HashOperands* hash;
  const MontmulOperands* montmul;
  const LoadedKey* loaded;  // null: EFLAGS bit 30 is clear, or nobody knows
  CheckHistory& history;

  void report(unsigned rule, Operand operand, uint64_t address) const {
    const XcryptOperands* o = xcrypt_with_control_word();
    sink.report({check, rule, operand, address, o != nullptr ? o->control_word_bytes : nullptr});
  }
  // The operands of REP XCRYPT if its control word can be read, else null.
  const XcryptOperands* xcrypt_with_control_word() const {
    return xcrypt != nullptr && xcrypt->control_word_known ? xcrypt : nullptr;
  }
  bool can_read(const Range& range) const;
  bool can_write(const Range& range) const { return !probe_write(range); }

  const Check* check;
  ReportSink& sink;

 private:
  bool probe_write(const Range& range) const;
};

// The same for WRMSR, which programs at level 0 alone can reach.
struct MsrLook {
  const Processor& cpu;
  uint32_t msr;
  uint32_t value;

  void report(unsigned rule) const { sink.report({check, rule, Operand::msr, value, nullptr}); }

  const Check* check;
  ReportSink& sink;
};

struct Rule {
  const char* clause;  // of docs/clauses
  const char* what;    // a sentence for people, without a full stop
};

struct Check {
  static constexpr unsigned kMaxRules = 8;
  const char* name;    // as reports show it
  const char* remedy;  // how to mend it, without a full stop
  Rule rules[kMaxRules];
  void (*before_insn)(const Look& look) = nullptr;
  void (*before_wrmsr)(const MsrLook& look) = nullptr;
};

#define X(name) extern const Check check_##name;
#include "padlock/checks/checks.def"
#undef X

const Check* const* checks(size_t* out_num_checks);

}  // namespace incore::padlock
