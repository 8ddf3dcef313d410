// The Verilog model beside the simulator: instructions are executed by the simulator and written
// down with the state that they leave; then the model executes them under Icarus Verilog, and
// rtl_bench.v compares.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/process.h"
#include "vemicry/machine.h"

namespace incore::vemicry {

// Addresses of the bench's memory are those modulo this.
inline constexpr uint32_t kBenchMemoryLen = 0x10000;

// What both benches of the model share, this one and that of rtl_program.h.

// A machine of this size, and its size in words. |l| = 0: as p.
Config machine_of(uint32_t q, uint32_t p, uint32_t r, uint32_t l = 0);
std::string name_of(const Config& config);
// What is wrong with |simulator|, which |version| asks for its version, for a skip; empty if it can
// run.
std::string no_simulator(const std::string& simulator, const std::string& version);
// What is compiled: the model in |folder| with tests/vemicry/<bench>.v.
std::vector<std::string> verilog_files(const std::string& folder, const std::string& bench);
// Has Icarus Verilog compile them to |program|. Returns what it says: nothing, if all is well.
std::string compile_verilog(const std::string& folder, const std::string& bench,
                            const std::map<std::string, uint32_t>& parameters,
                            const std::string& program);
// Appends |value| in hexadecimal.
void append(std::string* out, uint64_t value, char end = ' ');
// Appends the number of |words|, and of each its address and itself.
void append_words(std::string* out, const std::map<uint32_t, uint32_t>& words);

// What is wrong with the bench on this machine, for a skip; empty if it can run.
std::string no_bench();

// A mistake of one line in the model.
struct Mutation {
  const char *file, *old_text, *new_text;
};
// Copies the model to |folder|, with |mutation|. False: it does not have that text.
bool copy_model(const Mutation& mutation, const incore::test::TemporaryDirectory& folder);

// A sequence of instructions, with all that rtl_bench.v needs. A record is, in hexadecimal:
//   word, scalar operand, trap (1 reserved, 2 address error), idle cycles before it, number of
//   pokes kind (1 a result for a scalar register, 2 a store), address or number of that register,
//   result,
//     VCR, CAR, vector length
//   pokes: address and word, put into memory before
//   all vector registers; for a store the P + 1 words at its address
class Stimulus {
 public:
  // |machine| executes the instructions.
  explicit Stimulus(Machine& machine) : machine_(machine) {}

  // A word that memory must hold before the next instruction.
  void poke(uint32_t address, uint32_t word) { pokes_.emplace_back(address, word); }
  // Executes |word|, with |scalar| as the value of the scalar register that it reads; the unit gets
  // it after |gap| idle cycles.
  void add(Word word, uint32_t scalar, uint32_t gap = 0);

  size_t size() const { return words_.size(); }
  Word word(size_t i) const { return words_[i]; }
  size_t num_traps() const { return num_traps_; }
  std::string text() const;

 private:
  Machine& machine_;
  std::vector<Word> words_;
  std::vector<std::pair<uint32_t, uint32_t>> pokes_;
  std::string records_;
  size_t num_traps_ = 0;
};

struct BenchResult {
  std::string difference;   // empty: none
  uint64_t num_ended = 0;   // instructions that the unit accepted and ended
  uint64_t num_cycles = 0;  // from the first instruction's issue to the last one's
};

// The Verilog model, compiled for machines of one kind.
class Bench {
 public:
  // The files of |folder|, by default those of rtl/vemicry. |mistake|: why it could not be
  // compiled.
  explicit Bench(const Config& config, const std::string& folder = "");
  const std::string& mistake() const { return mistake_; }
  BenchResult run(const Stimulus& stimulus) const;

 private:
  incore::test::TemporaryDirectory directory_;
  std::string program_, mistake_;
};

}  // namespace incore::vemicry
