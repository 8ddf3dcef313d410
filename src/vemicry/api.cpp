#include "vemicry/api.h"

#include <algorithm>
#include <cstring>

#include "vemicry/workload.h"

namespace incore::vemicry {

Config config_of(const incore_vemicry_config* config) {
  Config result;
  if (config == nullptr) return result;
  if (config->q != 0) result.q = config->q;
  if (config->p != 0) result.p = config->p;
  result.r = config->r != 0 ? config->r : std::min(result.p, result.r);
  result.l = config->l;
  result.memory_latency = config->memory_latency;
  result.little_endian = config->little_endian != 0;
  result.load_delay = config->load_delay != 0;
  result.banked = config->banked != 0;
  result.car_accumulates = config->car_accumulates != 0;
  result.junk = config->junk != 0;
  result.junk_seed = config->junk_seed;
  return result;
}

incore_vemicry_figures c_figures(const Figures& figures) {
  return {figures.instructions, figures.call_instructions, figures.cycles, figures.num_bytes};
}

std::string load(const Image& image, Machine* inout_machine) {
  if (std::none_of(image.segments.begin(), image.segments.end(), [](const Segment& segment) {
        return segment.executable && !segment.bytes.empty();
      }))
    return "the program has no instructions";
  return inout_machine->load(image) ? "" : "the program does not fit into the machine's memory";
}

const Workload* workload_for(const char* name, const Config& config, std::string* out_refusal) {
  const Workload* const workload = find_workload(name);
  *out_refusal = workload == nullptr ? "there is no such workload" : config.mistake();
  if (out_refusal->empty()) *out_refusal = workload->refusal(config);
  return out_refusal->empty() ? workload : nullptr;
}

void give_reason(std::string_view text, char* reason, size_t reason_len) {
  if (reason == nullptr || reason_len == 0) return;
  const size_t len = std::min(text.size(), reason_len - 1);
  std::memcpy(reason, text.data(), len);
  reason[len] = '\0';
}

}  // namespace incore::vemicry

using namespace incore::vemicry;

size_t incore_vemicry_num_workloads() {
  return workloads().size();
}

incore_status incore_vemicry_get_workload(size_t workload, incore_vemicry_workload* out_workload) {
  if (out_workload == nullptr) return INCORE_ERROR_NULL;
  const std::vector<const Workload*> all = workloads();
  if (workload >= all.size()) return INCORE_ERROR_RANGE;
  const Workload& found = *all[workload];
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
  const Config machine = config_of(config);
  std::string refusal;
  const Workload* const workload = workload_for(name, machine, &refusal);
  if (workload == nullptr) {
    give_reason(refusal, reason, reason_len);
    return INCORE_ERROR_RANGE;
  }
  Figures figures;
  if (const std::string wrong = measure(*workload, machine, seed, &figures); !wrong.empty()) {
    give_reason(wrong, reason, reason_len);
    // Where nothing was executed, the program cannot be had for such a machine.
    return figures.instructions == 0 ? INCORE_ERROR_RANGE : INCORE_ERROR_FAULT;
  }
  *out_figures = c_figures(figures);
  return INCORE_OK;
}
