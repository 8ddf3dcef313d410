// Whole programs on the Verilog model: the simulator and the pipeline model execute a program and
// write down when each instruction leaves ID and what is left at the end; then rtl_program_bench.v
// has the Verilog execute it, and compares.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/process.h"
#include "vemicry/machine.h"

namespace incore::vemicry {

// Programs for machines of one kind (latency apart). A record is, in hexadecimal:
//   memory latency, address of the first instruction, registers 1 to 31
//   number of words in memory that are not what the program before left; address and word of each
//   number of instructions; of each its address, and the cycle in which it leaves ID, the first 0
//   at the end: registers 1 to 31, HI, LO, VCR, CAR, length, all vector registers;
//   number of words in memory; address and word of each
class ProgramRecords {
 public:
  // Executes what |machine|, with nothing in its vector registers, has been prepared to call, until
  // it returns. Its memory is that from first to second of each of |ranges|, or all if there are
  // none. Returns what went wrong, in words.
  std::string add(Machine& machine, std::vector<std::pair<uint32_t, uint32_t>> ranges = {});

  size_t size() const { return num_; }
  std::string text() const;

 private:
  // The word of the bench's memory, which begins as zeros.
  uint32_t held(uint32_t address) const;

  size_t num_ = 0;
  std::map<uint32_t, uint32_t> held_;  // what the last program leaves, by address
  std::string records_;
};

struct ProgramResult {
  std::string difference;                         // empty: none
  uint64_t num_instructions = 0, num_cycles = 0;  // of all programs
};

// Icarus Verilog compiles in a second, Verilator in a minute; the latter's programs run a hundred
// times faster. INCORE_RTL_SIMULATOR=verilator chooses it.
class ProgramBench {
 public:
  // The files of |folder|, by default those of rtl/vemicry. A banked machine has the memories of
  // the lanes in Verilog, of |num_words| words of data, which addresses are modulo of; others have
  // the bench's. |mistake|: why it could not be compiled.
  explicit ProgramBench(const Config& config, const std::string& folder = "",
                        uint32_t num_words = 1 << 14);
  const std::string& mistake() const { return mistake_; }
  ProgramResult run(const ProgramRecords& programs) const;

 private:
  test::TemporaryDirectory directory_;
  std::vector<std::string> command_;
  std::string mistake_;
};

// Whether Verilator is to be used.
bool use_verilator();
// What is wrong with the simulator to be used, for a skip; empty if it can run.
std::string no_program_bench();

}  // namespace incore::vemicry
