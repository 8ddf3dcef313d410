#include "vemicry/config.h"

namespace incore::vemicry {
namespace {

std::string range_mistake(const char* name, uint32_t value, uint32_t low, uint32_t high) {
  if (value >= low && value <= high) return "";
  return std::string(name) + " is " + std::to_string(value) + "; accepted: " + std::to_string(low) +
         " to " + std::to_string(high);
}

}  // namespace

std::string Config::mistake() const {
  if (std::string text = range_mistake("q", q, 1, kMaxRegisters); !text.empty()) return text;
  if (std::string text = range_mistake("p", p, 1, kMaxWords); !text.empty()) return text;
  if (std::string text = range_mistake("r", r, 1, p); !text.empty()) return text + " (p)";
  if (std::string text = range_mistake("l", length(), 1, p); !text.empty()) return text + " (p)";
  if (banks != 0 && (banks > kMaxWords || !std::has_single_bit(banks)))
    return "the number of banks is " + std::to_string(banks) + "; accepted: powers of two up to " +
           std::to_string(kMaxWords);
  if (std::string text = range_mistake("the number of ports", ports, 1, 2); !text.empty())
    return text;
  return range_mistake("the memory latency", memory_latency, 0, 1000);
}

}  // namespace incore::vemicry
