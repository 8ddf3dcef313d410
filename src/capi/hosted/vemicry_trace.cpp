// The section "Traces" of the C interface: a run with the pipeline model, instruction by
// instruction. An instruction is handed out when the next one begins, since one that traps is not
// executed.
#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>

#include "capi/hosted/vemicry.h"
#include "vemicry/disassemble.h"
#include "vemicry/pipeline.h"

static_assert(INCORE_VEMICRY_NUM_STALLS == incore::vemicry::kNumStalls);

namespace incore::vemicry {
namespace {

const char* class_name(Class insn_class) {
  switch (insn_class) {
    case Class::scalar:
      return "scalar";
    case Class::givi:
      return "GIVI";
    case Class::pivi:
      return "PIVI";
    case Class::mavi:
      return "MAVI";
  }
  return "";
}

class Tracer {
 public:
  Tracer(const incore_vemicry_trace_options& options, const Machine& machine, const Image& image)
      : options_(options),
        state_(machine.state()),
        image_(image),
        pipeline_(machine.state().config) {}

  void run(Machine& machine, incore_vemicry_trace_totals* out_totals);

 private:
  void add(const Step& step) {
    hand_out();
    step_ = step;
    timing_ = pipeline_.add(step, state_);
    waiting_ = true;
  }
  void hand_out();
  void fill_stages();
  void add_stage(const char* name, Cycle first, Cycle last, uint32_t iteration = 0);
  const char* text();

  incore_vemicry_trace_options options_;
  const State& state_;
  const Image& image_;
  Pipeline pipeline_;
  // The last instruction that began, if it has still to be handed out.
  bool waiting_ = false;
  Step step_ = {};
  Timing timing_;
  bool stopped_ = false;
  uint64_t number_ = 0;
  incore_vemicry_trace_totals totals_ = {};
  std::vector<incore_vemicry_stage> stages_;
  struct Text {
    uint32_t word;
    std::string text;
  };
  std::unordered_map<uint32_t, Text> texts_;  // by address
};

void Tracer::run(Machine& machine, incore_vemicry_trace_totals* out_totals) {
  constexpr uint64_t kSlice = 4096;  // instructions until a wish to stop is heard
  const uint64_t limit =
      options_.limit == 0 ? std::numeric_limits<uint64_t>::max() : options_.limit;
  Outcome outcome;
  uint64_t executed = 0;
  do {
    outcome = machine.run(std::min(kSlice, limit - executed), [this](const Step& s) { add(s); });
    executed += outcome.executed;
  } while (outcome.stop == Stop::limit && executed < limit && !stopped_);
  if (number_ < executed) hand_out();
  outcome.executed = executed;
  totals_.outcome = outcome_of(outcome);
  *out_totals = totals_;
}

void Tracer::hand_out() {
  if (!waiting_) return;
  waiting_ = false;
  totals_.cycles = static_cast<uint64_t>(timing_.issue);
  for (size_t i = 0; i < kNumStalls; ++i) totals_.stall_cycles[i] += timing_.stalls[i];
  const uint64_t number = number_++;
  if (stopped_ || options_.visit == nullptr) return;
  incore_vemicry_traced traced = {};
  traced.number = number;
  fill_stages();
  const Insn& insn = *step_.insn;
  const Class insn_class = class_of(insn, step_.word);
  traced.address = step_.address;
  traced.word = step_.word.bits;
  traced.mnemonic = insn.mnemonic;
  traced.text = text();
  traced.class_name = class_name(insn_class);
  traced.writes_sbi = insn_class != Class::scalar && (insn.reads & (kR | kRt)) != 0;
  traced.stages = stages_.data();
  traced.num_stages = stages_.size();
  std::copy(timing_.stalls.begin(), timing_.stalls.end(), traced.stall_cycles);
  traced.producers = timing_.producers.data();
  traced.num_producers = timing_.num_producers;
  stopped_ = options_.visit(options_.context, &traced) != 0;
}

const char* Tracer::text() {
  Text& text = texts_[step_.address];
  if (text.text.empty() || text.word != step_.word.bits)
    text = {step_.word.bits, disassemble(step_.word, step_.address, state_.config, &image_)};
  return text.text.c_str();
}

void Tracer::add_stage(const char* name, Cycle first, Cycle last, uint32_t iteration) {
  stages_.push_back(
      {name, static_cast<uint64_t>(first), static_cast<uint64_t>(last), 0, iteration, 0, 0});
}

void Tracer::fill_stages() {
  const Cycle issue = timing_.issue, wait = timing_.memory_wait;
  stages_.clear();
  add_stage("IF", timing_.fetch, timing_.decode - 1);
  add_stage("ID", timing_.decode, issue);
  if (timing_.iterations == 0) {
    add_stage("EX", issue + 1, issue + 1);
    add_stage("DC", issue + 2, issue + 2 + wait);
    add_stage("WB", issue + 3 + wait, issue + 3 + wait);
    return;
  }
  const Insn& insn = *step_.insn;
  const uint32_t r = state_.config.r, n = step_.word.n();
  for (uint32_t g = 0; g < timing_.iterations; ++g) {
    const size_t first = stages_.size();
    add_stage("DF", issue + 1 + g, issue + 1 + g, g);
    add_stage("EXM", issue + 2 + g, issue + 2 + g, g);
    stages_.back().idle = class_of(insn, step_.word) != Class::pivi;
    add_stage("EXC", issue + 3 + g, issue + 3 + g + wait, g);
    add_stage("WB", issue + 4 + g + wait, issue + 4 + g + wait, g);
    for (size_t i = first; i < stages_.size(); ++i) {
      const bool one_word = timing_.num_words == 0 && (insn.reads & kVj) != 0 && n > 0;
      stages_[i].first_word = one_word ? n - 1 : g * r;
      stages_[i].num_words = one_word                 ? 1
                             : timing_.num_words == 0 ? 0
                                                      : std::min(r, timing_.num_words - g * r);
    }
  }
}

std::string wrong_end(const incore_vemicry_outcome& outcome) {
  if (outcome.stop == INCORE_VEMICRY_LIMIT) return "it was cut short";
  return outcome.exception == nullptr ? "" : outcome.exception;
}

}  // namespace
}  // namespace incore::vemicry

using namespace incore::vemicry;

const char* incore_vemicry_stall_text(size_t stall) {
  return stall < kNumStalls ? stall_text(static_cast<Stall>(stall)) : nullptr;
}

incore_status incore_vemicry_trace_workload(const char* name, uint64_t seed,
                                            const incore_vemicry_trace_options* options,
                                            incore_vemicry_trace_totals* out_totals, char* reason,
                                            size_t reason_len) {
  if (name == nullptr || options == nullptr || out_totals == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    const Config config = config_of(options->config);
    incore_vemicry_trace_totals totals = {};
    const std::string wrong = run_workload(workload_for(name, config), config, seed, [&](Run& run) {
      Tracer(*options, run.machine, run.image).run(run.machine, &totals);
      return wrong_end(totals.outcome);
    });
    *out_totals = totals;
    if (!wrong.empty() && totals.outcome.stop != INCORE_VEMICRY_LIMIT)
      incore::refuse(INCORE_ERROR_FAULT, wrong);
  });
}

incore_status incore_vemicry_trace_program(const incore_vemicry_program* program,
                                           const char* function, const uint32_t* arguments,
                                           size_t num_arguments,
                                           const incore_vemicry_trace_options* options,
                                           incore_vemicry_trace_totals* out_totals, char* reason,
                                           size_t reason_len) {
  if (program == nullptr || options == nullptr || out_totals == nullptr ||
      (arguments == nullptr && num_arguments != 0))
    return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    Machine machine(config_for(*program, options->config));
    load(program->image, &machine);
    if (function != nullptr)
      machine.begin_call(address_of(program->image, function), {arguments, num_arguments});
    Tracer(*options, machine, program->image).run(machine, out_totals);
  });
}
