#include "vemicry/rtl_program.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "vemicry/pipeline.h"
#include "vemicry/rtl_bench.h"

namespace incore::vemicry {
namespace {

using Ranges = std::vector<std::pair<uint32_t, uint32_t>>;

Ranges all_of(const Memory& memory) {
  Ranges ranges;
  for (uint64_t page = 0; page < uint64_t{1} << 32; page += Memory::kPageLen)
    if (const auto address = static_cast<uint32_t>(page); memory.at(address) != nullptr)
      ranges.emplace_back(address, address + Memory::kPageLen);
  return ranges;
}

std::map<uint32_t, uint32_t> words_of(const Memory& memory, const Ranges& ranges) {
  std::map<uint32_t, uint32_t> words;
  for (const auto& [begin, end] : ranges)
    for (uint32_t address = begin; address != end; address += 4)
      (void)memory.load<uint32_t>(address, &words[address]);
  return words;
}

}  // namespace

std::string ProgramRecords::add(Machine& machine, Ranges ranges) {
  constexpr uint64_t kLimit = 100'000'000;
  const State& s = machine.state();
  if (ranges.empty()) ranges = all_of(machine.memory());
  std::string record;
  append(&record, s.config.memory_latency);
  append(&record, s.pc);
  for (uint32_t i = 1; i < 32; ++i) append(&record, s.gpr[i]);
  std::map<uint32_t, uint32_t> before = words_of(machine.memory(), ranges);
  for (const auto& [address, word] : held_) before.try_emplace(address, 0);
  std::erase_if(before, [&](const auto& word) { return held(word.first) == word.second; });
  append_words(&record, before);

  Pipeline pipeline(s.config);
  std::string steps;
  const Outcome outcome = machine.run(kLimit, [&](const Step& step) {
    append(&steps, step.address);
    append(&steps, static_cast<uint64_t>(pipeline.add(step, s).issue) - 1, '\n');
  });
  if (outcome.stop == Stop::trapped)
    return std::string(exception_text(outcome.trap.exception)) + " at instruction " +
           std::to_string(outcome.executed);
  if (outcome.stop == Stop::limit) return "it does not end";
  append(&record, outcome.executed, '\n');
  record += steps;
  for (uint32_t i = 1; i < 32; ++i) append(&record, s.gpr[i]);
  for (const uint32_t word : {s.hi, s.lo, s.vcr, s.car, s.l}) append(&record, word);
  for (uint32_t q = 0; q < s.config.q; ++q)
    for (uint32_t i = 0; i < s.config.p; ++i) append(&record, s.v[q][i]);
  held_ = words_of(machine.memory(), ranges);
  std::erase_if(
      held_, [&](const auto& word) { return word.second == 0 && before.count(word.first) == 0; });
  append_words(&record, held_);
  records_ += record;
  ++num_;
  return "";
}

uint32_t ProgramRecords::held(uint32_t address) const {
  const auto found = held_.find(address);
  return found == held_.end() ? 0 : found->second;
}

std::string ProgramRecords::text() const {
  std::string text;
  append(&text, num_, '\n');
  return text + records_;
}

bool use_verilator() {
  const char* const name = std::getenv("INCORE_RTL_SIMULATOR");
  return name != nullptr && std::string(name) == "verilator";
}

std::string no_program_bench() {
  return use_verilator() ? no_simulator("verilator", "--version") : no_bench();
}

ProgramBench::ProgramBench(const Config& config, const std::string& folder, uint32_t num_words) {
  const std::string sources = folder.empty() ? INCORE_SOURCE_DIR "/rtl/vemicry" : folder;
  const std::string top = "rtl_program_bench", program = directory_.path() + "/" + top;
  std::map<std::string, uint32_t> parameters = {
      {"Q", config.q}, {"P", config.p}, {"R", config.r}, {"L", config.length()}};
  if (config.banked) {
    parameters["BANKS"] = config.num_banks();
    parameters["PORTS"] = config.ports;
    parameters["WORDS"] = num_words / config.num_banks();
  }
  if (!use_verilator()) {
    mistake_ = compile_verilog(sources, top, parameters, program);
    command_ = {"vvp", "-n", program};
    return;
  }
  std::vector<std::string> command = {"verilator",    "--binary",   "--timing",  "-O3",
                                      "-I" + sources, "-Wno-fatal", "-Wno-lint", "-Wno-style",
                                      "--top-module", top,          "--Mdir",    directory_.path(),
                                      "-o",           top};
  for (const auto& [name, value] : parameters)
    command.push_back("-G" + name + "=" + std::to_string(value));
  for (const std::string& file : verilog_files(sources, top)) command.push_back(file);
  const test::ProcessResult result = test::run(command);
  if (result.exit_code != 0) mistake_ = "verilator: " + result.out + result.err;
  command_ = {program};
}

ProgramResult ProgramBench::run(const ProgramRecords& programs) const {
  std::vector<std::string> command = command_;
  command.push_back("+programs=" + directory_.write("programs", programs.text()));
  const test::ProcessResult result = test::run(command);
  ProgramResult ran;
  std::istringstream out(result.out);
  std::string verdict;
  size_t num = 0;
  out >> verdict >> num;
  if (verdict == "AGREE" && num == programs.size()) {
    out >> ran.num_instructions >> ran.num_cycles;
    return ran;
  }
  ran.difference = result.out + result.err + " (program, instruction, what, where, got, expected)";
  return ran;
}

}  // namespace incore::vemicry
