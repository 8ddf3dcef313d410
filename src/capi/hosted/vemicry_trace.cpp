// The section "Traces" of the C interface: a run with the pipeline model, instruction by
// instruction. An instruction is handed out when its last cycle is known, and not before the next
// one begins, since one that traps is not executed.
#include <algorithm>
#include <deque>
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
        pipeline_(machine.state().config, true) {}

  void run(Machine& machine, incore_vemicry_trace_totals* out_totals);

 private:
  // An instruction that began.
  struct Begun {
    Step step;
    Timing timing;
  };
  void add(const Step& step) {
    while (!begun_.empty() && begun_.front().timing.last_tick() <= pipeline_.known_tick())
      hand_out();
    begun_.push_back({step, pipeline_.add(step, state_)});
  }
  void hand_out();
  void fill_stages(const Begun& begun);
  void add_stage(const char* name, Cycle tick, uint32_t iteration = 0);
  const char* text(const Step& step);

  incore_vemicry_trace_options options_;
  const State& state_;
  const Image& image_;
  Pipeline pipeline_;
  std::deque<Begun> begun_;  // those that have still to be handed out
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
  if (!begun_.empty()) pipeline_.drain(begun_.back().timing.last_tick());
  while (number_ < executed) hand_out();
  outcome.executed = executed;
  totals_.outcome = outcome_of(outcome);
  *out_totals = totals_;
}

void Tracer::hand_out() {
  const Begun begun = begun_.front();
  begun_.pop_front();
  const Timing& timing = begun.timing;
  totals_.cycles = static_cast<uint64_t>(timing.issue);
  for (size_t i = 0; i < kNumStalls; ++i) totals_.stall_cycles[i] += timing.stalls[i];
  const uint64_t number = number_++;
  if (stopped_ || options_.visit == nullptr) return;
  incore_vemicry_traced traced = {};
  traced.number = number;
  fill_stages(begun);
  const Step& step = begun.step;
  const Class insn_class = class_of(*step.insn, step.word);
  traced.address = step.address;
  traced.word = step.word.bits;
  traced.mnemonic = step.insn->mnemonic;
  traced.text = text(step);
  traced.class_name = class_name(insn_class);
  traced.writes_sbi = insn_class != Class::scalar && (step.insn->reads & (kR | kRt)) != 0;
  traced.stages = stages_.data();
  traced.num_stages = stages_.size();
  std::copy(timing.stalls.begin(), timing.stalls.end(), traced.stall_cycles);
  traced.producers = timing.producers.data();
  traced.num_producers = timing.num_producers;
  stopped_ = options_.visit(options_.context, &traced) != 0;
}

const char* Tracer::text(const Step& step) {
  Text& text = texts_[step.address];
  if (text.text.empty() || text.word != step.word.bits)
    text = {step.word.bits, disassemble(step.word, step.address, state_.config, &image_)};
  return text.text.c_str();
}

void Tracer::add_stage(const char* name, Cycle tick, uint32_t iteration) {
  stages_.push_back({name, static_cast<uint64_t>(pipeline_.last_cycle(tick - 1) + 1),
                     static_cast<uint64_t>(pipeline_.last_cycle(tick)), 0, iteration, 0, 0});
}

void Tracer::fill_stages(const Begun& begun) {
  const Timing& timing = begun.timing;
  const Cycle issue = timing.issue_tick;
  const auto cycle = [](Cycle number) { return static_cast<uint64_t>(number); };
  stages_.clear();
  stages_.push_back({"IF", cycle(timing.fetch), cycle(timing.decode - 1), 0, 0, 0, 0});
  stages_.push_back({"ID", cycle(timing.decode), cycle(timing.issue), 0, 0, 0, 0});
  if (timing.iterations == 0) {
    add_stage("EX", issue + 1);
    add_stage("DC", issue + 2);
    add_stage("WB", issue + 3);
    return;
  }
  const Insn& insn = *begun.step.insn;
  const uint32_t r = state_.config.r, n = begun.step.word.n();
  for (uint32_t g = 0; g < timing.iterations; ++g) {
    const size_t first = stages_.size();
    add_stage("DF", issue + 1 + g, g);
    add_stage("EXM", issue + 2 + g, g);
    stages_.back().idle = class_of(insn, begun.step.word) != Class::pivi;
    add_stage("EXC", issue + 3 + g, g);
    add_stage("WB", issue + 4 + g, g);
    for (size_t i = first; i < stages_.size(); ++i) {
      const bool one_word = timing.num_words == 0 && (insn.reads & kVj) != 0 && n > 0;
      stages_[i].first_word = one_word ? n - 1 : g * r;
      stages_[i].num_words = one_word                ? 1
                             : timing.num_words == 0 ? 0
                                                     : std::min(r, timing.num_words - g * r);
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
