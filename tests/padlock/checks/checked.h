// What the checks say of an instruction that a Machine is about to execute, for their tests.
#pragma once

#include <string>
#include <vector>

#include "padlock/checks/checker.h"
#include "padlock/machine.h"

namespace incore::padlock::test {

using Reports = std::vector<std::string>;  // "name clause", in the order of the checks

class RecordingSink final : public ReportSink {
 public:
  void report(const Report& report) override {
    all.push_back(std::string(report.check->name) + " " + report.check->rules[report.rule].clause);
    operands.push_back(report.operand);
    last = report;
  }
  Reports all;
  std::vector<Operand> operands;
  Report last = {};
};

inline Decoded decode_on(const Machine& m, const Bytes& code) {
  return decode(code.data(), code.size(), m.processor.state.code_size);
}

// One Checker, which remembers.
class Checked {
 public:
  explicit Checked(Machine& machine) : m(machine) {}

  Reports look(const Bytes& code, const LoadedKey* loaded = nullptr) {
    m.state().rip = Machine::kCode;
    RecordingSink sink;
    checker.before_insn(m.processor, decode_on(m, code), m.memory, loaded, sink);
    operands = sink.operands;
    last = sink.last;
    return sink.all;
  }
  Reports wrmsr(uint32_t msr, uint64_t value) {
    RecordingSink sink;
    checker.before_wrmsr(m.processor, msr, value, sink);
    return sink.all;
  }

  Machine& m;
  Checker checker;
  std::vector<Operand> operands;  // of the last look
  Report last = {};               // of its reports
};

inline Reports reports(Machine& m, const Bytes& code) {
  return Checked(m).look(code);
}

}  // namespace incore::padlock::test
