// `--check` inside the program: shows each PadLock instruction to the checks before it executes,
// and takes what they report to the supervisor, once for each place; then it only counts. Sites are
// not patched, so every instruction comes through the signal handler.
#include "padlock/insn.h"
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

INCORE_LARGE constinit padlock::Checker checker = {};  // used with Lock held

// Reports already made: a tag of place, rule and operand, and the index of its counter.
constexpr size_t kNumKnown = 1024;
struct KnownReport {
  uint64_t tag;  // 0: free
  uint64_t index;
};
INCORE_LARGE constinit KnownReport known_reports[kNumKnown] = {};

unsigned index_of(const padlock::Check* check) {
  size_t num_checks;
  const padlock::Check* const* const all = padlock::checks(&num_checks);
  unsigned index = 0;
  while (index + 1 < num_checks && all[index] != check) ++index;
  return index;
}

class SupervisorSink final : public padlock::ReportSink {
 public:
  SupervisorSink(const padlock::Decoded& decoded, const padlock::State& state)
      : decoded_(decoded), s_(state) {}

  void report(const padlock::Report& report) override {
    const unsigned check = index_of(report.check);
    if ((config().skipped_checks >> check & 1) != 0) return;
    CheckReport found = {
        .rip = s_.rip,
        .operand_address = report.address,
        .rax = s_.rax,
        .rbx = s_.rbx,
        .rcx = s_.rcx,
        .rdx = s_.rdx,
        .rsi = s_.rsi,
        .rdi = s_.rdi,
        .check = static_cast<uint8_t>(check),
        .rule = static_cast<uint8_t>(report.rule),
        .operand = static_cast<uint8_t>(report.operand),
        .insn = decoded_.index,
        .has_control_word = report.control_word != nullptr,
        .control_word = {},
    };
    if (report.control_word != nullptr)
      std::memcpy(found.control_word, report.control_word, sizeof found.control_word);
    const uint64_t tag =
        (found.rip << 16 ^ uint64_t{found.check} << 8 ^ uint64_t{found.operand} << 3 ^ found.rule) *
            0x9E3779B97F4A7C15u |
        1;
    KnownReport* known = &known_reports[tag >> 54];
    for (size_t tried = 0; known->tag != tag; ++tried) {
      if (known->tag == 0 || tried == kNumKnown) {  // a full table forgets one
        const long index = call_supervisor(Call::report, &found, config().group);
        if (is_error(index)) return;
        *known = {tag, static_cast<uint64_t>(index)};
        break;
      }
      if (++known == known_reports + kNumKnown) known = known_reports;
    }
    if (known->index < kMaxFindings)  // else there is no room: remembered, so as not to ask again
      stats().finding_counts[known->index].fetch_add(1, std::memory_order_relaxed);
  }

 private:
  const padlock::Decoded& decoded_;
  const padlock::State& s_;
};

}  // namespace

void check_before(padlock::Processor& processor, const padlock::Decoded& decoded,
                  LiveMemory& memory, const padlock::LoadedKey* held) {
  if (config().check == 0) return;
  SupervisorSink sink(decoded, processor.state);
  const Lock lock;
  checker.before_insn(processor, decoded, memory, held, sink);
}

}  // namespace incore::run
