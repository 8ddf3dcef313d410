// Workloads of incore/vemicry.h: the programs that come with Incore, measured and profiled; and
// functions of a user's program.
#include <algorithm>
#include <cstdio>
#include <span>

#include "capi/hosted/vemicry.h"

namespace incore::vemicry {
namespace {

// Counts by function: what lies between two function symbols belongs to the first.
class Profile {
 public:
  void add(const Image& image, const Step& step) {
    if (functions_.empty()) start(image);
    const auto behind = std::upper_bound(
        functions_.begin(), functions_.end(), step.address,
        [](uint32_t address, const Function& function) { return address < function.address; });
    if (behind == functions_.begin()) return;
    Function& function = *(behind - 1);
    ++function.instructions;
    if (step.address == function.address && &function != last_) ++function.entered;
    last_ = &function;
    const bool returns = step.word.bits == kJumpToReturnAddress;
    if (returns || (was_return_ && step.word.bits == kNop)) ++function.return_instructions;
    was_return_ = returns;
  }

  template <class OnFunction>
  void for_each(OnFunction on_function) const {
    for (const Function& function : functions_)
      if (function.instructions != 0) on_function(function);
  }

  struct Function {
    std::string label;
    uint32_t address = 0;
    uint64_t entered = 0, instructions = 0, return_instructions = 0;
  };

 private:
  void start(const Image& image) {
    for (const Symbol& symbol : image.symbols)
      if (symbol.is_function) functions_.push_back({symbol.name, symbol.address});
    std::sort(functions_.begin(), functions_.end(),
              [](const Function& a, const Function& b) { return a.address < b.address; });
  }

  std::vector<Function> functions_;
  static constexpr uint32_t kJumpToReturnAddress = 0x03E00008;  // jr $31
  static constexpr uint32_t kNop = 0;
  const Function* last_ = nullptr;
  bool was_return_ = false;  // the last instruction
};

// What was left is wrong, unless |wrong| is empty.
void require_right(const std::string& wrong) {
  if (!wrong.empty()) refuse(INCORE_ERROR_FAULT, wrong);
}

bool lacks_pointers(const incore_vemicry_bytes* list, size_t num) {
  if (list == nullptr) return num != 0;
  return std::any_of(list, list + num, [](const incore_vemicry_bytes& bytes) {
    return bytes.label == nullptr || (bytes.bytes == nullptr && bytes.len != 0);
  });
}

// How memory differs from |expected|; empty if it does not.
std::string difference(const Image& image, const Memory& memory,
                       const incore_vemicry_bytes& expected) {
  const uint32_t address = address_of(image, expected.label);
  std::vector<uint8_t> found(expected.len);
  if (!memory.read(address, found.data(), found.size()))
    return std::string(expected.label) + " has not so much memory behind it";
  const auto [at, of] = std::mismatch(found.begin(), found.end(), expected.bytes);
  if (at == found.end()) return "";
  char text[80];
  snprintf(text, sizeof text, "byte %zu is 0x%02x, expected 0x%02x",
           static_cast<size_t>(at - found.begin()), *at, *of);
  return std::string(expected.label) + ": " + text;
}

// |workload|, which must do with round keys what |role| says.
const Workload& with_role(const Workload& workload, RoundKeys role) {
  if (workload.round_keys != role)
    refuse(INCORE_ERROR_RANGE,
           std::string(workload.name) +
               (role == RoundKeys::makes ? " makes no round keys" : " takes no round keys"));
  return workload;
}

}  // namespace
}  // namespace incore::vemicry

using namespace incore::vemicry;

size_t incore_vemicry_num_workloads() {
  return workloads().size();
}

incore_status incore_vemicry_get_workload(size_t workload, incore_vemicry_workload* out_workload) {
  if (out_workload == nullptr) return INCORE_ERROR_NULL;
  if (workload >= workloads().size()) return INCORE_ERROR_RANGE;
  const Workload& found = *workloads()[workload];
  *out_workload = {found.name,
                   found.summary,
                   found.program,
                   found.function,
                   found.round_keys == RoundKeys::makes ? 1 : 0,
                   found.round_keys == RoundKeys::takes ? 1 : 0};
  return INCORE_OK;
}

incore_status incore_vemicry_measure(const char* name, const incore_vemicry_config* config,
                                     uint64_t seed, incore_vemicry_figures* out_figures,
                                     char* reason, size_t reason_len) {
  if (name == nullptr || out_figures == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    const Config machine = config_of(config);
    Figures figures;
    const std::string wrong = measure(workload_for(name, machine), machine, seed, &figures);
    // Where nothing was executed, the program cannot be had for such a machine.
    if (!wrong.empty() && figures.instructions == 0) incore::refuse(INCORE_ERROR_RANGE, wrong);
    require_right(wrong);
    *out_figures = c_figures(figures);
  });
}

incore_status incore_vemicry_measure_function(const incore_vemicry_program* program,
                                              const char* function,
                                              const incore_vemicry_config* config, uint64_t limit,
                                              incore_vemicry_figures* out_figures, char* reason,
                                              size_t reason_len) {
  incore_vemicry_call call = {};
  call.function = function;
  return incore_vemicry_measure_call(program, &call, config, limit, out_figures, reason,
                                     reason_len);
}

incore_status incore_vemicry_measure_call(const incore_vemicry_program* program,
                                          const incore_vemicry_call* call,
                                          const incore_vemicry_config* config, uint64_t limit,
                                          incore_vemicry_figures* out_figures, char* reason,
                                          size_t reason_len) {
  if (program == nullptr || call == nullptr || call->function == nullptr ||
      out_figures == nullptr || (call->arguments == nullptr && call->num_arguments != 0) ||
      lacks_pointers(call->inputs, call->num_inputs) ||
      lacks_pointers(call->outputs, call->num_outputs))
    return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    if (call->num_arguments > kMaxArguments)
      incore::refuse(INCORE_ERROR_RANGE,
                     "there are more than " + std::to_string(kMaxArguments) + " arguments");
    Machine machine(config_for(*program, config));
    const uint32_t address = address_of(program->image, call->function);
    load(program->image, &machine);
    for (const incore_vemicry_bytes& input : std::span(call->inputs, call->num_inputs))
      if (!machine.memory().write(address_of(program->image, input.label), input.bytes, input.len))
        incore::refuse(INCORE_ERROR_LENGTH,
                       std::string(input.label) + " has not so much memory behind it");
    Figures figures;
    require_right(
        measure_call(machine, address, {call->arguments, call->num_arguments}, limit, &figures));
    for (const incore_vemicry_bytes& output : std::span(call->outputs, call->num_outputs))
      require_right(difference(program->image, machine.memory(), output));
    figures.num_bytes = call->num_bytes;
    *out_figures = c_figures(figures);
  });
}

incore_status incore_vemicry_profile(const char* name, const incore_vemicry_config* config,
                                     uint64_t seed,
                                     void (*on_function)(void* context, const char* label,
                                                         uint64_t entered, uint64_t instructions,
                                                         uint64_t return_instructions),
                                     void* context, char* reason, size_t reason_len) {
  if (name == nullptr || on_function == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    const Config machine = config_of(config);
    Profile profile;
    Figures figures;
    require_right(
        measure(workload_for(name, machine), machine, seed, &figures,
                [&profile](const Image& image, const Step& step) { profile.add(image, step); }));
    profile.for_each([&](const Profile::Function& function) {
      on_function(context, function.label.c_str(), function.entered, function.instructions,
                  function.return_instructions);
    });
  });
}

incore_status incore_vemicry_measure_with_keys(const char* keys, const char* block,
                                               const incore_vemicry_config* config, uint64_t seed,
                                               incore_vemicry_figures* out_keys,
                                               incore_vemicry_figures* out_block, char* reason,
                                               size_t reason_len) {
  if (keys == nullptr || block == nullptr || out_keys == nullptr || out_block == nullptr)
    return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    const Config machine = config_of(config);
    const Workload& makes = with_role(workload_for(keys, machine), RoundKeys::makes);
    const Workload& takes = with_role(workload_for(block, machine), RoundKeys::takes);
    Figures keys_figures, block_figures;
    require_right(measure_with_keys(makes, takes, machine, seed, &keys_figures, &block_figures));
    *out_keys = c_figures(keys_figures);
    *out_block = c_figures(block_figures);
  });
}

const uint8_t* incore_vemicry_program_file(const char* name, size_t* out_len) {
  const ProgramFile* const file =
      name == nullptr || out_len == nullptr ? nullptr : find_program(name);
  if (file == nullptr) return nullptr;
  *out_len = file->len;
  return file->bytes;
}
