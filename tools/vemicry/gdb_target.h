// A VeMICry machine as GDB's target: its registers and memory, breakpoints and runs.
#pragma once

#include <set>

#include "incore/vemicry.h"
#include "tools/vemicry/gdb_protocol.h"

namespace incore::tools {

class GdbMachine : public GdbTarget {
 public:
  // |machine| in the byte order of its program, made with |config|.
  GdbMachine(incore_vemicry_machine* machine, const incore_vemicry_config& config,
             bool little_endian);

  const std::string& description() const override { return description_; }
  size_t num_registers() const override;
  std::vector<uint8_t> read_register(size_t number) const override;
  bool write_register(size_t number, std::span<const uint8_t> bytes) override;
  std::vector<uint8_t> read_memory(uint32_t address, size_t len) const override;
  bool write_memory(uint32_t address, std::span<const uint8_t> bytes) override;
  bool set_breakpoint(uint32_t address, bool is_set) override;
  GdbStop run(uint64_t limit, bool passes) override;

  // Runs to the end, past all breakpoints.
  void run_alone();
  // How the last run ended, with the instructions of all.
  const incore_vemicry_outcome& outcome() const { return outcome_; }

 private:
  uint32_t word_register(uint32_t number) const;
  uint32_t value_of(size_t number) const;
  // All words of the vector that register |number| is a word of.
  std::vector<uint32_t> vector_of(size_t number) const;
  uint32_t cause() const;

  incore_vemicry_machine* const machine_;
  const uint32_t q_, p_;
  const bool little_endian_;
  const std::string description_;
  std::set<uint32_t> breakpoints_;
  incore_vemicry_outcome outcome_ = {};
};

}  // namespace incore::tools
