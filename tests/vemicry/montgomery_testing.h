// What the tests of Montgomery programs share: a program of programs/vemicry on a machine, whose
// functions are called with operands of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vemicry/assemble.h"
#include "vemicry/machine.h"
#include "vemicry/workload.h"
#include "vemicry/workloads/numbers.h"

namespace incore::test {

using vemicry::Config;
using vemicry::Number;

inline Config registers_of(uint32_t p) {
  Config config;
  config.p = p;
  config.r = p < 8 ? p : 8;
  return config;
}

class Program {
 public:
  // |file| of programs/vemicry; |more| is assembled with it.
  explicit Program(const std::string& file, const Config& config = {}, const std::string& more = "")
      : machine_(config) {
    const vemicry::ProgramFile* const text = vemicry::find_program(file);
    if (text == nullptr) throw std::runtime_error("no program " + file);
    vemicry::AssembleOptions options;
    options.little_endian = config.little_endian;
    options.q = config.q;
    options.p = config.p;
    options.symbols = {{"P", config.p}, {"L", config.length()}};
    vemicry::Assembly assembly = vemicry::assemble(
        std::string(reinterpret_cast<const char*>(text->bytes), text->len) + more, options);
    if (!assembly.errors.empty())
      throw std::runtime_error(file + ":" + std::to_string(assembly.errors[0].line) + ": " +
                               assembly.errors[0].text);
    image_ = std::move(assembly.image);
    if (!machine_.load(image_)) throw std::runtime_error(file + " does not fit");
    machine_.memory().map(kData, 1 << 20);
  }

  static constexpr uint32_t kData = vemicry::kDataAddress + 0x100000;

  vemicry::Machine& machine() { return machine_; }

  void write(uint32_t address, const Number& words) {
    for (size_t i = 0; i < words.size(); ++i)
      ASSERT_FALSE(
          machine_.memory().store<uint32_t>(address + 4 * static_cast<uint32_t>(i), words[i]));
  }
  Number read(uint32_t address, size_t num_words) const {
    Number words(num_words);
    for (size_t i = 0; i < num_words; ++i)
      EXPECT_FALSE(
          machine_.memory().load<uint32_t>(address + 4 * static_cast<uint32_t>(i), &words[i]));
    return words;
  }

  // Calls |function|; |visit| sees each step before it is executed. A trap is a failure.
  template <class Visit>
  vemicry::Outcome call(const std::string& function, const std::vector<uint32_t>& arguments,
                        Visit&& visit) {
    const vemicry::Symbol* const symbol = image_.find(function);
    if (symbol == nullptr) throw std::runtime_error("no function " + function);
    machine_.begin_call(symbol->address, arguments);
    const vemicry::Outcome outcome = machine_.run(100'000'000, visit);
    EXPECT_EQ(outcome.stop, vemicry::Stop::exited)
        << function << ": " << exception_text(outcome.trap.exception);
    return outcome;
  }
  vemicry::Outcome call(const std::string& function, const std::vector<uint32_t>& arguments) {
    return call(function, arguments, [](const vemicry::Step&) {});
  }

 private:
  vemicry::Image image_;
  vemicry::Machine machine_;
};

// What |workload| takes, right results included.
inline vemicry::Figures figures_of(const std::string& workload, const Config& config = {},
                                   uint64_t seed = 1) {
  vemicry::Figures figures;
  const vemicry::Workload* const found = vemicry::find_workload(workload);
  if (found == nullptr) throw std::runtime_error("no workload " + workload);
  EXPECT_EQ(vemicry::measure(*found, config, seed, &figures), "") << workload;
  return figures;
}
inline uint64_t instructions_of(const std::string& workload, const Config& config = {}) {
  return figures_of(workload, config).instructions;
}

}  // namespace incore::test
