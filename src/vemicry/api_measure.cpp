// The C interface of what results and sweeps need beside incore_vemicry_measure: profiles,
// functions of a user's program, and the bytes of the programs that come with Incore.
#include <algorithm>

#include "vemicry/api.h"
#include "vemicry/workload.h"

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

incore_status refuse(incore_status status, const std::string& text, char* reason,
                     size_t reason_len) {
  give_reason(text, reason, reason_len);
  return status;
}

}  // namespace
}  // namespace incore::vemicry

using namespace incore::vemicry;

incore_status incore_vemicry_measure_function(const incore_vemicry_program* program,
                                              const char* function,
                                              const incore_vemicry_config* config, uint64_t limit,
                                              incore_vemicry_figures* out_figures, char* reason,
                                              size_t reason_len) {
  if (program == nullptr || function == nullptr || out_figures == nullptr) return INCORE_ERROR_NULL;
  Config machine_config = config_of(config);
  machine_config.little_endian = program->image.little_endian;
  if (const std::string mistake = machine_config.mistake(); !mistake.empty())
    return refuse(INCORE_ERROR_RANGE, mistake, reason, reason_len);
  const Symbol* const symbol = program->image.find(function);
  if (symbol == nullptr)
    return refuse(INCORE_ERROR_RANGE, std::string("there is no label '") + function + "'", reason,
                  reason_len);
  Machine machine(machine_config);
  if (const std::string mistake = load(program->image, &machine); !mistake.empty())
    return refuse(INCORE_ERROR_RANGE, mistake, reason, reason_len);
  Figures figures;
  if (const std::string wrong = measure_call(machine, symbol->address, {}, limit, &figures);
      !wrong.empty())
    return refuse(INCORE_ERROR_FAULT, wrong, reason, reason_len);
  *out_figures = c_figures(figures);
  return INCORE_OK;
}

incore_status incore_vemicry_profile(const char* name, const incore_vemicry_config* config,
                                     uint64_t seed,
                                     void (*on_function)(void* context, const char* label,
                                                         uint64_t entered, uint64_t instructions,
                                                         uint64_t return_instructions),
                                     void* context, char* reason, size_t reason_len) {
  if (name == nullptr || on_function == nullptr) return INCORE_ERROR_NULL;
  const Config machine = config_of(config);
  std::string refusal;
  const Workload* const workload = workload_for(name, machine, &refusal);
  if (workload == nullptr) return refuse(INCORE_ERROR_RANGE, refusal, reason, reason_len);
  Profile profile;
  Figures figures;
  const std::string wrong =
      measure(*workload, machine, seed, &figures,
              [&profile](const Image& image, const Step& step) { profile.add(image, step); });
  if (!wrong.empty()) return refuse(INCORE_ERROR_FAULT, wrong, reason, reason_len);
  profile.for_each([&](const Profile::Function& function) {
    on_function(context, function.label.c_str(), function.entered, function.instructions,
                function.return_instructions);
  });
  return INCORE_OK;
}

incore_status incore_vemicry_measure_with_keys(const char* keys, const char* block,
                                               const incore_vemicry_config* config, uint64_t seed,
                                               incore_vemicry_figures* out_keys,
                                               incore_vemicry_figures* out_block, char* reason,
                                               size_t reason_len) {
  if (keys == nullptr || block == nullptr || out_keys == nullptr || out_block == nullptr)
    return INCORE_ERROR_NULL;
  const Config machine = config_of(config);
  const Workload* workloads[2] = {};
  for (size_t i = 0; i < 2; ++i) {
    std::string refusal;
    workloads[i] = workload_for(i == 0 ? keys : block, machine, &refusal);
    if (workloads[i] == nullptr) return refuse(INCORE_ERROR_RANGE, refusal, reason, reason_len);
    if (workloads[i]->round_keys != (i == 0 ? RoundKeys::makes : RoundKeys::takes))
      return refuse(INCORE_ERROR_RANGE,
                    std::string(workloads[i]->name) +
                        (i == 0 ? " makes no round keys" : " takes no round keys"),
                    reason, reason_len);
  }
  Figures keys_figures, block_figures;
  if (const std::string wrong = measure_with_keys(*workloads[0], *workloads[1], machine, seed,
                                                  &keys_figures, &block_figures);
      !wrong.empty())
    return refuse(INCORE_ERROR_FAULT, wrong, reason, reason_len);
  *out_keys = c_figures(keys_figures);
  *out_block = c_figures(block_figures);
  return INCORE_OK;
}

const uint8_t* incore_vemicry_program_file(const char* name, size_t* out_len) {
  const ProgramFile* const file =
      name == nullptr || out_len == nullptr ? nullptr : find_program(name);
  if (file == nullptr) return nullptr;
  *out_len = file->len;
  return file->bytes;
}
