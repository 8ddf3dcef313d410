#include "vemicry/workloads/ghash_input.h"

namespace incore::vemicry {
namespace {

// a / x: bits move towards the left, and 1 / x is 1 + x + x^6 + x^127.
GhashBlock divide_by_x(const GhashBlock& a) {
  GhashBlock result;
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = static_cast<uint8_t>(a[i] << 1 | (i + 1 < a.size() ? a[i + 1] >> 7 : 0));
  if (a[0] >> 7 != 0) {
    result[0] ^= 0xC2;
    result[15] ^= 0x01;
  }
  return result;
}

}  // namespace

std::vector<uint32_t> prepared_subkey(const GhashBlock& subkey) {
  std::vector<uint32_t> words = {1, 0, 0, 0xC2000000, 1};
  GhashBlock power = subkey;
  for (int i = 0; i < 4; ++i) {
    const GhashBlock divided = divide_by_x(power);
    for (size_t word = 4; word-- > 0;) words.push_back(load_be32(&divided[4 * word]));
    ghash_steps::multiply(power.data(), subkey.data(), power.data());
  }
  return words;
}

std::string ghash_refusal(const Config& config) {
  if (config.length() < 5) return "the vector length must be at least 5";
  if (config.length() != config.p) return "the vector length must be p: it uses CAR";
  if (config.car_accumulates) return "it is written for a CAR that products do not add to";
  if (std::string text = no_delay_refusal(config); !text.empty()) return text;
  return big_endian_refusal(config);
}

}  // namespace incore::vemicry
