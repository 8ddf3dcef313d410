#include "vemicry/workload.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "vemicry/assemble.h"
#include "vemicry/caller.h"
#include "vemicry/elf.h"
#include "vemicry/pipeline.h"
#include "vemicry/workloads/input.h"

namespace incore::vemicry {
namespace {

constexpr uint64_t kLimit = 2'000'000'000;  // instructions: a program that goes on is wrong

std::string read_program(const char* names, const Config& config, Image* out_image) {
  const std::string text = program_text(names);
  if (text.empty()) return std::string("the program ") + names + " is not built in";
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  if (is_elf(bytes)) return read_elf(bytes, out_image);
  AssembleOptions options;
  options.little_endian = config.little_endian;
  options.q = config.q;
  options.p = config.p;
  options.symbols = {{"P", config.p}, {"L", config.length()}};
  Assembly assembly = assemble(text, options);
  if (!assembly.errors.empty()) {
    const Diagnostic& error = assembly.errors.front();
    return std::string(names) + ":" + std::to_string(error.line) + ":" +
           std::to_string(error.column) + ": " + error.text;
  }
  *out_image = std::move(assembly.image);
  return "";
}

}  // namespace

uint32_t Run::address(const char* label) const {
  const Symbol* const symbol = image.find(label);
  if (symbol != nullptr) return symbol->address;
  note(std::string("its program has no label ") + label);
  return 0;
}

void Run::note(const std::string& text) const {
  if (mistake.empty()) mistake = text;
}

void Run::write_bytes(uint32_t address, const void* bytes, size_t len) {
  if (!machine.memory().write(address, bytes, len)) note("it writes beyond memory");
}

void Run::write_words(uint32_t address, const std::vector<uint32_t>& words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (machine.memory().store<uint32_t>(address + 4 * static_cast<uint32_t>(i), words[i]))
      note("it writes beyond memory");
}

std::vector<uint8_t> Run::read_bytes(uint32_t address, size_t len) const {
  std::vector<uint8_t> bytes(len);
  if (!machine.memory().read(address, bytes.data(), len)) note("it reads beyond memory");
  return bytes;
}

std::vector<uint32_t> Run::read_words(uint32_t address, size_t num_words) const {
  std::vector<uint32_t> words(num_words);
  for (size_t i = 0; i < num_words; ++i)
    if (machine.memory().load<uint32_t>(address + 4 * static_cast<uint32_t>(i), &words[i]))
      note("it reads beyond memory");
  return words;
}

std::span<const Workload* const> workloads() {
  static constexpr const Workload* kAll[] = {
#define X(name) &name##_workload,
#include "vemicry/workloads.def"
#undef X
  };
  return kAll;
}

const Workload* find_workload(std::string_view name) {
  for (const Workload* workload : workloads())
    if (name == workload->name) return workload;
  return nullptr;
}

std::string run_workload(const Workload& workload, const Config& config, uint64_t seed,
                         const std::function<std::string(Run& run)>& execute) {
  Image image;
  if (std::string text = read_program(workload.program, config, &image); !text.empty()) return text;
  Machine machine(config);
  if (!machine.load(image)) return "the program does not fit into memory";
  Run run{machine, image, seed, {}, {}};
  workload.prepare(run);
  machine.begin_call(run.address(workload.function), run.arguments);
  if (!run.mistake.empty()) return run.mistake;
  if (std::string text = execute(run); !text.empty()) return text;
  std::string wrong = workload.check(run);
  return run.mistake.empty() ? wrong : run.mistake;
}

std::string measure_call(Machine& machine, uint32_t address, std::span<const uint32_t> arguments,
                         uint64_t limit, Figures* out_figures,
                         const std::function<void(const Step&)>& observe) {
  Caller caller;
  if (std::string text = caller.begin(address, arguments, &machine); !text.empty()) return text;
  Pipeline pipeline(machine.state().config);
  uint64_t begun = 0;
  const Outcome outcome = machine.run(limit == 0 ? ~uint64_t{0} : limit, [&](const Step& step) {
    ++begun;
    if (caller.calls(step.address)) ++out_figures->call_instructions;
    if (caller.has(step.address)) return;
    ++out_figures->instructions;
    pipeline.add(step, machine.state());
    if (observe) observe(step);
  });
  if (begun != outcome.executed) --out_figures->instructions;  // it trapped
  out_figures->cycles = pipeline.cycles();
  if (outcome.stop == Stop::trapped) return exception_text(outcome.trap.exception);
  return outcome.stop == Stop::limit
             ? "it is not at its end after " + std::to_string(limit) + " instructions"
             : "";
}

namespace {

std::string measure_run(const Workload& workload, Run& run, Figures* out_figures,
                        const Observer& observe) {
  std::function<void(const Step&)> observe_step;
  if (observe) observe_step = [&](const Step& step) { observe(run.image, step); };
  out_figures->num_bytes = workload.num_bytes(run.machine.state().config);
  return measure_call(run.machine, run.address(workload.function), run.arguments, kLimit,
                      out_figures, observe_step);
}

}  // namespace

std::string measure(const Workload& workload, const Config& config, uint64_t seed,
                    Figures* out_figures, const Observer& observe) {
  return run_workload(workload, config, seed,
                      [&](Run& run) { return measure_run(workload, run, out_figures, observe); });
}

std::string measure_with_keys(const Workload& keys, const Workload& block, const Config& config,
                              uint64_t seed, Figures* out_keys, Figures* out_block) {
  std::vector<uint8_t> made;
  std::string wrong = run_workload(keys, config, seed, [&](Run& run) {
    std::string text = measure_run(keys, run, out_keys, {});
    made = run.read_bytes(kKeysAddress, kMaxKeysLen);
    return text;
  });
  if (!wrong.empty()) return wrong;
  return run_workload(block, config, seed, [&](Run& run) {
    run.write_bytes(kKeysAddress, made.data(), made.size());
    return measure_run(block, run, out_block, {});
  });
}

}  // namespace incore::vemicry
