#include "capi/hosted/vemicry.h"

#include <algorithm>

namespace incore::vemicry {

Config config_of(const incore_vemicry_config* config) {
  Config result;
  if (config == nullptr) return result;
  if (config->q != 0) result.q = config->q;
  if (config->p != 0) result.p = config->p;
  result.r = config->r != 0 ? config->r : std::min(result.p, result.r);
  result.l = config->l;
  result.memory_latency = config->memory_latency;
  result.banks = config->banks;
  if (config->ports != 0) result.ports = config->ports;
  result.little_endian = config->little_endian != 0;
  result.load_delay = config->load_delay != 0;
  result.banked = config->banked != 0;
  result.car_accumulates = config->car_accumulates != 0;
  result.junk = config->junk != 0;
  result.junk_seed = config->junk_seed;
  return result;
}

Config config_for(const incore_vemicry_program& program, const incore_vemicry_config* config) {
  Config result = config_of(config);
  result.little_endian = program.image.little_endian;
  if (const std::string mistake = result.mistake(); !mistake.empty())
    refuse(INCORE_ERROR_RANGE, mistake);
  return result;
}

incore_vemicry_figures c_figures(const Figures& figures) {
  return {figures.instructions, figures.call_instructions, figures.cycles, figures.num_bytes};
}

void load(const Image& image, Machine* inout_machine) {
  if (std::none_of(image.segments.begin(), image.segments.end(), [](const Segment& segment) {
        return segment.executable && !segment.bytes.empty();
      }))
    refuse(INCORE_ERROR_RANGE, "the program has no instructions");
  if (!inout_machine->load(image))
    refuse(INCORE_ERROR_RANGE, "the program does not fit into the machine's memory");
}

uint32_t address_of(const Image& image, const std::string& label) {
  const Symbol* const symbol = image.find(label);
  if (symbol == nullptr) refuse(INCORE_ERROR_RANGE, "there is no label '" + label + "'");
  return symbol->address;
}

const Workload& workload_for(std::string_view name, const Config& config) {
  const Workload* const workload = find_workload(name);
  if (workload == nullptr) refuse(INCORE_ERROR_RANGE, "there is no such workload");
  std::string refusal = config.mistake();
  if (refusal.empty()) refusal = workload->refusal(config);
  if (!refusal.empty()) refuse(INCORE_ERROR_RANGE, refusal);
  return *workload;
}

}  // namespace incore::vemicry
