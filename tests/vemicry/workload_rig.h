// What tests of the workloads share: a program assembled and in a machine, with a workload's input,
// ready to be called, watched and looked at.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/hex.h"
#include "vemicry/assemble.h"
#include "vemicry/elf.h"
#include "vemicry/workload.h"

namespace incore::vemicry::test {

using incore::test::Bytes;
using incore::test::from_hex;
using incore::test::to_hex;

// The program of a workload, in a machine, with the workload's input.
class Call {
 public:
  explicit Call(const std::string& name, uint64_t seed = 1, const Config& config = {})
      : workload_(find_workload(name)) {
    if (workload_ == nullptr) throw std::runtime_error("no workload " + name);
    const std::string text = program_text(workload_->program);
    if (text.empty()) throw std::runtime_error("not built in");
    load(text, seed, config);
  }
  // The same with other text as its program.
  Call(const std::string& name, const std::string& text, uint64_t seed = 1)
      : workload_(find_workload(name)) {
    load(text, seed, {});
  }

  Machine& machine() { return *machine_; }
  State& state() { return machine_->state(); }
  Run& run() { return *run_; }
  uint32_t argument(size_t i) const { return run_->arguments.at(i); }

  void write(uint32_t address, const Bytes& bytes) {
    run_->write_bytes(address, bytes.data(), bytes.size());
  }
  Bytes read(uint32_t address, size_t len) const { return run_->read_bytes(address, len); }

  // Calls |function|, the workload's own by default; returns how many instructions were executed.
  template <class Visit>
  uint64_t execute(const std::string& function, Visit&& visit) {
    machine_->begin_call(run_->address(function.c_str()), run_->arguments);
    const Outcome outcome = machine_->run(1'000'000, [&](const Step& step) {
      ++counts_[step.insn->mnemonic];
      visit(step);
    });
    EXPECT_EQ(outcome.stop, Stop::exited) << exception_text(outcome.trap.exception);
    return outcome.executed;
  }
  uint64_t execute(const std::string& function) {
    return execute(function, [](const Step&) {});
  }
  uint64_t execute() { return execute(workload_->function); }

  // Executed so far, by mnemonic.
  uint64_t count(const std::string& mnemonic) { return counts_[mnemonic]; }
  // What is wrong with what the function left.
  std::string check() const { return workload_->check(*run_); }

  // A vector's first |num_words| words as bytes.
  Bytes vector(uint32_t number, uint32_t first = 0, uint32_t num_words = 4) {
    Bytes bytes;
    for (uint32_t i = first; i < first + num_words; ++i)
      for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<uint8_t>(state().v[number][i] >> shift));
    return bytes;
  }
  void set_vector(uint32_t number, const Bytes& bytes) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      uint32_t& word = state().v[number][i / 4];
      word = word << 8 | bytes[i];
    }
  }

  // The labels of the program that begin with |prefix|, by address.
  std::map<uint32_t, std::string> labels(const std::string& prefix) const {
    std::map<uint32_t, std::string> found;
    for (const Symbol& symbol : image_.symbols)
      if (symbol.name.compare(0, prefix.size(), prefix) == 0) found[symbol.address] = symbol.name;
    return found;
  }

 private:
  void load(const std::string& text, uint64_t seed, const Config& config) {
    AssembleOptions options;
    options.q = config.q;
    options.p = config.p;
    options.symbols = {{"P", config.p}, {"L", config.length()}};
    Assembly assembly = assemble(text, options);
    if (!assembly.errors.empty()) throw std::runtime_error(assembly.errors.front().text);
    image_ = assembly.image;
    machine_ = std::make_unique<Machine>(config);
    EXPECT_TRUE(machine_->load(image_));
    run_ = std::make_unique<Run>(Run{*machine_, image_, seed, {}, {}});
    workload_->prepare(*run_);
  }

  const Workload* workload_;
  Image image_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Run> run_;
  std::map<std::string, uint64_t> counts_;
};

// What measure() says; the number of instructions goes to |*out_instructions| if not null.
inline std::string measured(const std::string& name, uint64_t seed = 1, const Config& config = {},
                            uint64_t* out_instructions = nullptr) {
  const Workload* const workload = find_workload(name);
  if (workload == nullptr) return "no workload " + name;
  Figures figures;
  const std::string wrong = measure(*workload, config, seed, &figures);
  if (out_instructions != nullptr) *out_instructions = figures.instructions;
  return wrong;
}

inline uint64_t instructions(const std::string& name) {
  uint64_t result = 0;
  EXPECT_EQ(measured(name, 1, {}, &result), "") << name;
  return result;
}

}  // namespace incore::vemicry::test
