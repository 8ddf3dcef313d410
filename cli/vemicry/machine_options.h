// Options that commands of `incore vemicry` share.
#pragma once

#include <string>
#include <vector>

#include "cli/option.h"
#include "tools/vemicry/vemicry_program.h"

namespace incore::cli {

inline constexpr uint32_t kMaxRegisters = 16, kMaxWords = 256;  // of --q and --p

// Those that tell which words and registers there are: --q and --p.
std::vector<Option> size_options(uint32_t* out_q, uint32_t* out_p);
// --r of commands that look at several machines, and what is wrong with what it took, in words, or
// empty. What was not chosen keeps no more lanes than p.
Option lanes_option(std::vector<unsigned>* out_r, bool* out_chosen);
std::string choose_lanes(uint32_t p, bool chosen, std::vector<unsigned>* inout_r);
// Those of a whole machine: --q, --p, --r, --l and so on.
std::vector<Option> machine_options(incore_vemicry_config* out_config);
// Those of its memory, where the pipeline is modelled.
std::vector<Option> memory_options(incore_vemicry_config* out_config);

// The arguments of a function: numbers of 32 bits, or addresses of labels of |program|. Returns
// what is wrong, in words, or empty.
std::string read_arguments(const std::vector<std::string>& texts,
                           const incore_vemicry_program& program,
                           std::vector<uint32_t>* out_values);

// The programs that come with Incore.
std::vector<std::string> workload_names();

}  // namespace incore::cli
