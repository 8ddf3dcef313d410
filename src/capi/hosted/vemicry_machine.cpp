// The machine, as the C interface has it (include/incore/vemicry.h).
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <unordered_map>

#include "capi/hosted/vemicry.h"
#include "vemicry/disassemble.h"
#include "vemicry/pipeline.h"
#include "vemicry/profile.h"

using namespace incore::vemicry;

struct incore_vemicry_machine {
  explicit incore_vemicry_machine(const Config& config) : machine(config) {}

  Machine machine;
  Image labels;  // the program's symbols and lines, without its bytes
  bool counts = false;
  std::unordered_map<const Insn*, uint64_t> executed;
  std::unique_ptr<Pipeline> pipeline;  // null: runs are not timed
  std::unique_ptr<Profile> profile;    // null: they are not profiled
  uint64_t cycles = 0;
  std::array<uint64_t, kNumStalls> stalls = {};
};

namespace {

// What a reserved word would be on a larger machine tells why it is reserved.
const Config kWidest = {.q = kMaxRegisters, .p = kMaxWords};
// Codes of BREAK by which compilers report a failed check of their own, and Linux a SIGFPE.
constexpr uint32_t kOverflowCode = 6, kDivisionCode = 7;

// The signal that Linux sends for an exception, by this host's numbers.
int signal_of(const Outcome& outcome) {
  switch (outcome.trap.exception) {
    case Exception::none:
      return 0;
    case Exception::address_error_load:
    case Exception::address_error_store:
      return SIGBUS;
    case Exception::bus_error_fetch:
    case Exception::bus_error_data:
      return SIGSEGV;
    case Exception::breakpoint: {
      // Assemblers put the code into the upper half of its field.
      const uint32_t field = Word{outcome.word}.field(6, 20);
      const uint32_t code = field >= 1024 ? field >> 10 : field;
      return code == kOverflowCode || code == kDivisionCode ? SIGFPE : SIGTRAP;
    }
    case Exception::overflow:
      return SIGFPE;
    case Exception::syscall:
    case Exception::reserved_instruction:
    case Exception::coprocessor_unusable:
      break;
  }
  return SIGILL;
}

Outcome run(incore_vemicry_machine& m, uint64_t limit) {
  if (limit == 0) limit = ~uint64_t{0};
  if (!m.counts && m.pipeline == nullptr) return m.machine.run(limit);
  Pipeline* const pipeline = m.pipeline.get();
  const State& state = m.machine.state();
  const Insn* last = nullptr;
  uint64_t begun = 0, cycles_before = m.cycles;
  const Timing* timing = nullptr;  // of the last one that began
  const Outcome outcome = m.machine.run(limit, [&](const Step& step) {
    ++begun;
    if (m.counts) {
      last = step.insn;
      ++m.executed[last];
    }
    if (pipeline == nullptr) return;
    cycles_before = pipeline->cycles();
    timing = &pipeline->add(step, state);
    if (m.profile != nullptr) m.profile->add(step, pipeline->cycles() - cycles_before);
  });
  const bool trapped = begun != outcome.executed;  // the last one, which was not executed then
  if (trapped && m.counts) --m.executed[last];
  if (pipeline == nullptr || begun == 0) return outcome;
  m.cycles = trapped ? cycles_before : pipeline->cycles();
  m.stalls = pipeline->stalls();
  if (trapped)
    for (size_t i = 0; i < kNumStalls; ++i) m.stalls[i] -= timing->stalls[i];
  if (trapped && m.profile != nullptr) m.profile->take_back();
  return outcome;
}

// The word that |number| names; null: there is none.
uint32_t* find_register(State& s, uint32_t number) {
  if (number < 32) return &s.gpr[number];
  switch (number) {
    case INCORE_VEMICRY_HI:
      return &s.hi;
    case INCORE_VEMICRY_LO:
      return &s.lo;
    case INCORE_VEMICRY_PC:
      return &s.pc;
    case INCORE_VEMICRY_VCR:
      return &s.vcr;
    case INCORE_VEMICRY_CAR:
      return &s.car;
    case INCORE_VEMICRY_LENGTH:
      return &s.l;
    default:
      return nullptr;
  }
}

bool has_words(const State& s, uint32_t number, size_t num_words) {
  return number < s.config.q && num_words <= s.config.p;
}

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(value));
  return text;
}

// "0x00400010 (main+0x10)"
std::string place(const Image& labels, uint32_t address) {
  const Symbol* nearest = nullptr;
  for (const Symbol& symbol : labels.symbols)
    if (symbol.address <= address && (nearest == nullptr || symbol.address > nearest->address))
      nearest = &symbol;
  std::string text = hex(address);
  if (nearest == nullptr) return text;
  text += " (" + nearest->name;
  char offset[16];
  std::snprintf(offset, sizeof offset, "+0x%x", static_cast<unsigned>(address - nearest->address));
  return text + (address == nearest->address ? ")" : std::string(offset) + ")");
}

bool is_fetch_fault(const incore_vemicry_outcome& outcome) {
  return outcome.word == 0 && outcome.bad_address == outcome.address;
}

std::string explanation(const Image& labels, const incore_vemicry_outcome& outcome) {
  std::string text = outcome.exception;
  if (outcome.signal == SIGBUS || outcome.signal == SIGSEGV)
    text += " of " + hex(outcome.bad_address);
  else if (outcome.exception == std::string_view(exception_text(Exception::syscall)))
    text += " " + std::to_string(outcome.bad_address);
  text += " at " + place(labels, outcome.address);
  if (!is_fetch_fault(outcome)) {
    std::string insn = disassemble(Word{outcome.word}, outcome.address, kWidest, &labels);
    insn.erase(std::unique(insn.begin(), insn.end(),  // columns are for lists
                           [](char a, char b) { return a == ' ' && b == ' '; }),
               insn.end());
    text += ": " + insn;
  }
  if (outcome.in_delay_slot != 0)
    text += ", in the delay slot of the branch at " + hex(outcome.address - 4);
  return text;
}

}  // namespace

incore_vemicry_outcome incore::vemicry::outcome_of(const Outcome& outcome) {
  const bool trapped = outcome.stop == Stop::trapped;
  return {.stop = trapped                            ? INCORE_VEMICRY_TRAPPED
                  : outcome.stop == Stop::exited     ? INCORE_VEMICRY_EXITED
                  : outcome.stop == Stop::breakpoint ? INCORE_VEMICRY_BREAKPOINT
                                                     : INCORE_VEMICRY_LIMIT,
          .value = outcome.value,
          .exception = trapped ? exception_text(outcome.trap.exception) : nullptr,
          .exception_code = trapped ? static_cast<uint32_t>(outcome.trap.exception) : 0,
          .bad_address = outcome.trap.address,
          .address = outcome.address,
          .word = outcome.word,
          .in_delay_slot = outcome.in_delay_slot ? 1 : 0,
          .signal = signal_of(outcome),
          .instructions = outcome.executed};
}

incore_status incore_vemicry_machine_new(const incore_vemicry_config* config,
                                         const incore_vemicry_program* program,
                                         incore_vemicry_machine** out_machine, char* reason,
                                         size_t reason_len) {
  if (program == nullptr || out_machine == nullptr) return INCORE_ERROR_NULL;
  *out_machine = nullptr;
  return incore::guarded(reason, reason_len, [&] {
    auto machine = std::make_unique<incore_vemicry_machine>(config_for(*program, config));
    load(program->image, &machine->machine);
    machine->machine.on_time = [] {
      const auto time = std::chrono::system_clock::now().time_since_epoch();
      return static_cast<uint64_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
    };
    machine->labels.symbols = program->image.symbols;
    machine->labels.files = program->image.files;
    machine->labels.places = program->image.places;
    *out_machine = machine.release();
  });
}

void incore_vemicry_machine_free(incore_vemicry_machine* machine) {
  delete machine;
}

incore_status incore_vemicry_machine_run(incore_vemicry_machine* machine, uint64_t limit,
                                         incore_vemicry_outcome* out_outcome) {
  if (machine == nullptr || out_outcome == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded([&] { *out_outcome = outcome_of(run(*machine, limit)); });
}

incore_status incore_vemicry_machine_run_timed(incore_vemicry_machine* machine, uint64_t limit,
                                               incore_vemicry_outcome* out_outcome,
                                               uint64_t* out_cycles) {
  if (machine == nullptr || out_outcome == nullptr || out_cycles == nullptr)
    return INCORE_ERROR_NULL;
  if (const incore_status status = incore_vemicry_machine_time(machine, INCORE_VEMICRY_TIMED);
      status != INCORE_OK)
    return status;
  const incore_status status = incore_vemicry_machine_run(machine, limit, out_outcome);
  *out_cycles = machine->cycles;
  machine->pipeline.reset();
  return status;
}

incore_status incore_vemicry_machine_call(incore_vemicry_machine* machine, uint32_t address,
                                          const uint32_t* arguments, size_t num_arguments,
                                          uint64_t limit, incore_vemicry_outcome* out_outcome) {
  if (machine == nullptr || out_outcome == nullptr || (arguments == nullptr && num_arguments != 0))
    return INCORE_ERROR_NULL;
  if (const incore_status status =
          incore_vemicry_machine_begin_call(machine, address, arguments, num_arguments);
      status != INCORE_OK)
    return status;
  return incore_vemicry_machine_run(machine, limit, out_outcome);
}

incore_status incore_vemicry_machine_begin_call(incore_vemicry_machine* machine, uint32_t address,
                                                const uint32_t* arguments, size_t num_arguments) {
  if (machine == nullptr || (arguments == nullptr && num_arguments != 0)) return INCORE_ERROR_NULL;
  if (num_arguments > kMaxArguments) return INCORE_ERROR_RANGE;
  return incore::guarded([&] { machine->machine.begin_call(address, {arguments, num_arguments}); });
}

incore_status incore_vemicry_machine_set_breakpoint(incore_vemicry_machine* machine,
                                                    uint32_t address, int is_set) {
  if (machine == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded([&] {
    if (!machine->machine.set_breakpoint(address, is_set != 0)) incore::refuse(INCORE_ERROR_RANGE);
  });
}

incore_status incore_vemicry_machine_read(const incore_vemicry_machine* machine, uint32_t address,
                                          uint8_t* out_bytes, size_t len) {
  if (machine == nullptr || (out_bytes == nullptr && len != 0)) return INCORE_ERROR_NULL;
  return incore::guarded([&] {
    if (!machine->machine.memory().read(address, out_bytes, len))
      incore::refuse(INCORE_ERROR_RANGE);
  });
}

incore_status incore_vemicry_machine_write(incore_vemicry_machine* machine, uint32_t address,
                                           const uint8_t* bytes, size_t len) {
  if (machine == nullptr || (bytes == nullptr && len != 0)) return INCORE_ERROR_NULL;
  return incore::guarded([&] {
    if (!machine->machine.memory().write(address, bytes, len)) incore::refuse(INCORE_ERROR_RANGE);
  });
}

incore_status incore_vemicry_machine_get_register(const incore_vemicry_machine* machine,
                                                  uint32_t number, uint32_t* out_value) {
  if (machine == nullptr || out_value == nullptr) return INCORE_ERROR_NULL;
  const uint32_t* const found = find_register(const_cast<State&>(machine->machine.state()), number);
  if (found == nullptr) return INCORE_ERROR_RANGE;
  *out_value = *found;
  return INCORE_OK;
}

incore_status incore_vemicry_machine_set_register(incore_vemicry_machine* machine, uint32_t number,
                                                  uint32_t value) {
  if (machine == nullptr) return INCORE_ERROR_NULL;
  State& s = machine->machine.state();
  uint32_t* const found = find_register(s, number);
  if (found == nullptr) return INCORE_ERROR_RANGE;
  if (number == INCORE_VEMICRY_LENGTH && (value == 0 || value > s.config.p))
    return INCORE_ERROR_RANGE;
  if (number != 0) *found = value;
  if (number == INCORE_VEMICRY_PC) s.next_pc = value + 4;
  return INCORE_OK;
}

incore_status incore_vemicry_machine_get_vector(const incore_vemicry_machine* machine,
                                                uint32_t number, uint32_t* out_words,
                                                size_t num_words) {
  if (machine == nullptr || (out_words == nullptr && num_words != 0)) return INCORE_ERROR_NULL;
  const State& s = machine->machine.state();
  if (!has_words(s, number, num_words)) return INCORE_ERROR_RANGE;
  std::copy_n(s.v[number], num_words, out_words);
  return INCORE_OK;
}

incore_status incore_vemicry_machine_set_vector(incore_vemicry_machine* machine, uint32_t number,
                                                const uint32_t* words, size_t num_words) {
  if (machine == nullptr || (words == nullptr && num_words != 0)) return INCORE_ERROR_NULL;
  State& s = machine->machine.state();
  if (!has_words(s, number, num_words)) return INCORE_ERROR_RANGE;
  std::copy_n(words, num_words, s.v[number]);
  return INCORE_OK;
}

incore_status incore_vemicry_machine_place_table(incore_vemicry_machine* machine, uint32_t address,
                                                 const uint8_t* table) {
  if (machine == nullptr || table == nullptr) return INCORE_ERROR_NULL;
  Banks* const banks = machine->machine.memory().banks();
  if (banks == nullptr) return INCORE_ERROR_UNSUPPORTED;
  return incore::guarded([&] {
    if (!banks->place(address, Banks::Table(table, Banks::kTableLen)))
      incore::refuse(INCORE_ERROR_RANGE);
  });
}

void incore_vemicry_machine_on_io(
    incore_vemicry_machine* machine,
    int64_t (*read)(void* context, int fd, uint8_t* out_bytes, size_t len),
    int64_t (*write)(void* context, int fd, const uint8_t* bytes, size_t len), void* context) {
  Machine& m = machine->machine;
  m.on_read = nullptr;
  m.on_write = nullptr;
  if (read != nullptr)
    m.on_read = [=](int fd, uint8_t* out_bytes, size_t len) {
      return read(context, fd, out_bytes, len);
    };
  if (write != nullptr)
    m.on_write = [=](int fd, const uint8_t* bytes, size_t len) {
      return write(context, fd, bytes, len);
    };
}

void incore_vemicry_machine_count_instructions(incore_vemicry_machine* machine, int counts) {
  machine->counts = counts != 0;
}

void incore_vemicry_machine_instruction_counts(const incore_vemicry_machine* machine,
                                               void (*each)(void* context, const char* mnemonic,
                                                            int is_vector, uint64_t count),
                                               void* context) {
  size_t num_insns = 0;
  const Insn* const* const all = insns(&num_insns);
  for (size_t i = 0; i < num_insns; ++i)
    if (const auto found = machine->executed.find(all[i]);
        found != machine->executed.end() && found->second != 0)
      each(context, found->first->mnemonic, i < kNumVectorInsns ? 1 : 0, found->second);
}

incore_status incore_vemicry_machine_time(incore_vemicry_machine* machine,
                                          incore_vemicry_timing timing) {
  if (machine == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded([&] {
    if (timing < INCORE_VEMICRY_UNTIMED || timing > INCORE_VEMICRY_PROFILED)
      incore::refuse(INCORE_ERROR_RANGE);
    std::unique_ptr<Pipeline> pipeline;
    std::unique_ptr<Profile> profile;
    if (timing != INCORE_VEMICRY_UNTIMED)
      pipeline = std::make_unique<Pipeline>(machine->machine.state().config);
    if (timing == INCORE_VEMICRY_PROFILED) profile = std::make_unique<Profile>();
    machine->pipeline = std::move(pipeline);
    machine->profile = std::move(profile);
    machine->cycles = 0;
    machine->stalls = {};
  });
}

incore_status incore_vemicry_machine_times(const incore_vemicry_machine* machine,
                                           uint64_t* out_cycles, uint64_t* out_stall_cycles) {
  if (machine == nullptr || out_cycles == nullptr || out_stall_cycles == nullptr)
    return INCORE_ERROR_NULL;
  if (machine->pipeline == nullptr) return INCORE_ERROR_UNSUPPORTED;
  *out_cycles = machine->cycles;
  std::copy(machine->stalls.begin(), machine->stalls.end(), out_stall_cycles);
  return INCORE_OK;
}

incore_status incore_vemicry_machine_profile(const incore_vemicry_machine* machine, int by_lines,
                                             void (*each)(void* context,
                                                          const incore_vemicry_profile_row* row),
                                             void* context) {
  if (machine == nullptr || each == nullptr) return INCORE_ERROR_NULL;
  if (machine->profile == nullptr) return INCORE_ERROR_UNSUPPORTED;
  return incore::guarded([&] {
    const std::vector<Profile::Row> rows = by_lines != 0
                                               ? machine->profile->lines(machine->labels)
                                               : machine->profile->functions(machine->labels);
    for (const Profile::Row& row : rows) {
      const incore_vemicry_profile_row c_row = {row.name.c_str(), row.line, row.instructions,
                                                row.cycles};
      each(context, &c_row);
    }
  });
}

void incore_vemicry_machine_explain(const incore_vemicry_machine* machine,
                                    const incore_vemicry_outcome* outcome, char* out_text,
                                    size_t text_len) {
  if (outcome->stop != INCORE_VEMICRY_TRAPPED) return incore::give_reason("", out_text, text_len);
  const incore_status status = incore::guarded(
      [&] { incore::give_reason(explanation(machine->labels, *outcome), out_text, text_len); });
  if (status != INCORE_OK) incore::give_reason(outcome->exception, out_text, text_len);
}
