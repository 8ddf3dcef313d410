#include "cli/vemicry/machine_options.h"

#include <fmt/format.h>

#include "tools/base/quote.h"

namespace incore::cli {

std::vector<Option> size_options(uint32_t* out_q, uint32_t* out_p) {
  return {
      number("--q", "N", out_q, 1, kMaxRegisters, "vector registers").usually("8"),
      number("--p", "N", out_p, 1, kMaxWords, "words of 32 bits in a vector register").usually("8"),
  };
}

Option lanes_option(std::vector<unsigned>* out_r, bool* out_chosen) {
  return number("--r", "LIST", out_r, 1, kMaxWords, "numbers of lanes, p at most, with commas")
      .separated_by(',')
      .taking_several()
      .usually("1,2,4,8")
      .marks(out_chosen);
}

std::string choose_lanes(uint32_t p, bool chosen, std::vector<unsigned>* inout_r) {
  if (!chosen) std::erase_if(*inout_r, [&](unsigned r) { return r > p; });
  for (const unsigned r : *inout_r)
    if (r < 1 || r > p) return fmt::format("--r is {}; accepted: 1 to {} (p)", r, p);
  return "";
}

std::vector<Option> machine_options(incore_vemicry_config* out_config) {
  incore_vemicry_config& c = *out_config;
  return joined(
      {size_options(&c.q, &c.p),
       {
           number("--r", "N", &c.r, 1, kMaxWords, "lanes, p at most")
               .usually("8, or p if that is less"),
           number("--l", "N", &c.l, 1, kMaxWords, "vector length at the start, p at most")
               .usually("p"),
           flag("--little-endian", &c.little_endian, "words begin with their least byte"),
           flag("--load-delay", &c.load_delay,
                "the instruction behind a load sees the old value, as on MIPS-I hardware"),
           flag("--banked", &c.banked, "every lane has memory of its own for VBYTELD"),
           flag("--car-accumulates", &c.car_accumulates,
                "products are added to CAR, and VWSHR clears it"),
           number("--junk", "N", &c.junk_seed,
                  "registers and stack hold junk at the start, made from this number")
               .usually("")
               .marks(&c.junk),
       }});
}

std::vector<Option> memory_options(incore_vemicry_config* out_config) {
  incore_vemicry_config& c = *out_config;
  return {
      number("--memory-latency", "N", &c.memory_latency, 0, 1000,
             "cycles that memory needs beyond one"),
      number("--banks", "N", &c.banks, 1, kMaxWords, "banks of memory, a power of two")
          .usually("as many as lanes"),
      number("--ports", "N", &c.ports, 1, 2, "ports of a bank").usually("2"),
  };
}

std::string read_arguments(const std::vector<std::string>& texts,
                           const incore_vemicry_program& program,
                           std::vector<uint32_t>* out_values) {
  for (const std::string& given : texts) {
    uint32_t address;
    if (incore_vemicry_program_symbol(&program, given.c_str(), &address) == INCORE_OK) {
      out_values->push_back(address);
      continue;
    }
    const std::optional<uint32_t> number = word_number(given);
    if (!number)
      return fmt::format(
          "--arg: {} is no label, and no number of 32 bits (decimal, or 0x and hexadecimal)",
          tools::in_quotes(given));
    out_values->push_back(*number);
  }
  return "";
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  incore_vemicry_workload workload;
  for (size_t i = 0; incore_vemicry_get_workload(i, &workload) == INCORE_OK; ++i)
    names.push_back(workload.name);
  return names;
}

}  // namespace incore::cli
