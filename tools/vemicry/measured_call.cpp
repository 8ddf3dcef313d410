#include "tools/vemicry/measured_call.h"

#include "tools/vemicry/vemicry_program.h"

namespace incore::tools {
namespace {

std::vector<incore_vemicry_bytes> pointers_to(const std::vector<UserBytes>& list) {
  std::vector<incore_vemicry_bytes> pointers;
  for (const UserBytes& one : list)
    pointers.push_back(
        {one.label.c_str(), reinterpret_cast<const uint8_t*>(one.bytes.data()), one.bytes.size()});
  return pointers;
}

}  // namespace

incore_status measure_user_call(const UserCall& call, const incore_vemicry_config& config,
                                uint64_t limit, incore_vemicry_figures* out_figures,
                                std::string* out_reason) {
  const ProgramHandle program = read_program(call.file, config, out_reason);
  if (program == nullptr) return INCORE_ERROR_FORMAT;
  std::vector<uint32_t> arguments;
  for (const UserArgument& one : call.arguments) {
    arguments.push_back(one.number);
    if (one.label.empty()) continue;
    *out_reason = find_function(*program, call.file, one.label, &arguments.back());
    if (!out_reason->empty()) return INCORE_ERROR_RANGE;
  }
  const std::vector<incore_vemicry_bytes> inputs = pointers_to(call.inputs),
                                          outputs = pointers_to(call.outputs);
  incore_vemicry_call c_call = {};
  c_call.function = call.function.c_str();
  c_call.arguments = arguments.data();
  c_call.num_arguments = arguments.size();
  c_call.inputs = inputs.data();
  c_call.num_inputs = inputs.size();
  c_call.outputs = outputs.data();
  c_call.num_outputs = outputs.size();
  c_call.num_bytes = call.num_bytes;
  char reason[1024] = "";
  const incore_status status = incore_vemicry_measure_call(program.get(), &c_call, &config, limit,
                                                           out_figures, reason, sizeof reason);
  *out_reason = reason;
  return status;
}

}  // namespace incore::tools
