// What workloads of GHASH share: the hash subkey as ghash.s wants it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "crypto/ghash/ghash_steps.h"
#include "vemicry/workloads/input.h"

namespace incore::vemicry {

using GhashBlock = std::array<uint8_t, kGhashBlockLen>;

// What ghash.s calls the prepared hash subkey.
std::vector<uint32_t> prepared_subkey(const GhashBlock& subkey);

// What ghash.s needs of a machine.
std::string ghash_refusal(const Config& config);

}  // namespace incore::vemicry
