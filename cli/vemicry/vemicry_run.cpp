// `incore vemicry run`: a program, or one function of it, on a machine of your choice.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options/number_option.h"
#include "cli/vemicry/vemicry.h"
#include "tools/base/quote.h"
#include "tools/vemicry/vemicry_machine.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file;
  std::string label;  // of the function to call; empty: the program from its entry
  std::vector<std::string> arguments;
  uint64_t limit = 0;
  bool stats = false, registers = false, json = false;
};

Json counts_json(const incore_vemicry_machine& machine) {
  Json counts = Json::object();
  incore_vemicry_machine_instruction_counts(
      &machine,
      [](void* context, const char* mnemonic, int, uint64_t count) {
        Json& entry = (*static_cast<Json*>(context))[mnemonic];
        entry = count + (entry.is_null() ? 0 : entry.get<uint64_t>());
      },
      &counts);
  return counts;
}

Json registers_json(const incore_vemicry_machine& machine, const incore_vemicry_config& config) {
  const auto value = [&](uint32_t number) {
    uint32_t word = 0;
    (void)!incore_vemicry_machine_get_register(&machine, number, &word);  // they all exist
    return word;
  };
  Json scalar = Json::array(), vector = Json::array();
  for (uint32_t i = 0; i < 32; ++i) scalar.push_back(value(i));
  std::vector<uint32_t> words(config.p == 0 ? 8 : config.p);
  for (uint32_t i = 0;
       incore_vemicry_machine_get_vector(&machine, i, words.data(), words.size()) == INCORE_OK; ++i)
    vector.push_back(words);
  return {{"scalar", scalar},
          {"hi", value(INCORE_VEMICRY_HI)},
          {"lo", value(INCORE_VEMICRY_LO)},
          {"pc", value(INCORE_VEMICRY_PC)},
          {"vcr", value(INCORE_VEMICRY_VCR)},
          {"car", value(INCORE_VEMICRY_CAR)},
          {"length", value(INCORE_VEMICRY_LENGTH)},
          {"vector", vector}};
}

std::string registers_text(const Json& registers) {
  std::string text;
  for (uint32_t i = 0; i < 32; ++i)
    text += fmt::format("{:>4} {:08x}{}", fmt::format("${}", i),
                        registers["scalar"][i].get<uint32_t>(), i % 6 == 5 || i == 31 ? "\n" : " ");
  for (const char* name : {"hi", "lo", "pc", "vcr", "car"})
    text += fmt::format("{:>4} {:08x} ", name, registers[name].get<uint32_t>());
  text += fmt::format("length {}\n", registers["length"].get<uint32_t>());
  for (size_t i = 0; i < registers["vector"].size(); ++i) {
    const std::vector<uint32_t> words = registers["vector"][i];
    for (size_t k = 0; k < words.size(); ++k) {
      if (k % 8 == 0) text += fmt::format("{:>4}", k == 0 ? fmt::format("v{}", i) : "");
      text += fmt::format(" {:08x}{}", words[k], k % 8 == 7 || k + 1 == words.size() ? "\n" : "");
    }
  }
  return text;
}

// The figures that were asked for.
Json report_json(const Options& options, const incore_vemicry_machine& machine,
                 const incore_vemicry_config& config, const incore_vemicry_outcome& outcome,
                 double seconds) {
  Json report;
  if (outcome.stop == INCORE_VEMICRY_TRAPPED)
    report["trap"] = trap_text(machine, outcome);
  else if (outcome.stop == INCORE_VEMICRY_EXITED)
    report[options.label.empty() ? "exit_code" : "value"] = outcome.value;
  report["instructions"] = outcome.instructions;
  if (options.stats) {
    report["seconds"] = seconds;
    report["counts"] = counts_json(machine);
  }
  if (options.registers) report["registers"] = registers_json(machine, config);
  return report;
}

std::string report_text(const Options& options, const Json& report) {
  std::string text;
  if (report.contains("value"))
    text += fmt::format("{} returned 0x{:08x} after {} instructions\n", options.label,
                        report["value"].get<uint32_t>(), report["instructions"].get<uint64_t>());
  if (options.stats) {
    text += fmt::format("{} instructions in {:.3f} s\n", report["instructions"].get<uint64_t>(),
                        report["seconds"].get<double>());
    for (const auto& [mnemonic, count] : report["counts"].items())
      text += fmt::format("  {:<10} {:>14}\n", mnemonic, count.get<uint64_t>());
  }
  if (options.registers) text += registers_text(report["registers"]);
  return text;
}

int run(const Options& options, const incore_vemicry_config& config) {
  const ProgramHandle program = load_program(options.file, config);
  if (program == nullptr) return kBadInput;
  uint32_t address = 0;
  std::vector<uint32_t> arguments;
  if (!options.label.empty())
    if (const std::string mistake = find_function(*program, options.file, options.label, &address);
        !mistake.empty())
      return fail(kBadInput, "--call: " + mistake);
  for (const std::string& text : options.arguments) {
    arguments.emplace_back();
    if (const std::string mistake = read_argument(text, *program, &arguments.back());
        !mistake.empty())
      return fail(kBadInput, mistake);
  }
  const MachineHandle machine = make_machine(config, *program);
  if (machine == nullptr) return kBadInput;
  incore_vemicry_machine_count_instructions(machine.get(), options.stats ? 1 : 0);

  incore_vemicry_outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  const incore_status status =
      options.label.empty()
          ? incore_vemicry_machine_run(machine.get(), options.limit, &outcome)
          : incore_vemicry_machine_call(machine.get(), address, arguments.data(), arguments.size(),
                                        options.limit, &outcome);
  if (status == INCORE_ERROR_RANGE) return fail(kBadInput, "--arg: accepted are 64 at most");
  if (status != INCORE_OK) return fail(kBadInput, incore_status_message(status));
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

  const Json report = report_json(options, *machine, config, outcome, time.count());
  const std::string text = options.json ? report.dump(2) + "\n" : report_text(options, report);
  std::fputs(text.c_str(), options.label.empty() ? stderr : stdout);
  if (outcome.stop == INCORE_VEMICRY_TRAPPED) return fail(kDiffers, trap_text(*machine, outcome));
  if (outcome.stop == INCORE_VEMICRY_LIMIT)
    return fail(kDiffers, fmt::format("--limit: {} instructions were executed, and it goes on",
                                      outcome.instructions));
  return options.label.empty() ? static_cast<int>(outcome.value & 0xFF) : kDone;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "an ELF executable for MIPS-I, or else assembly")
      ->required();
  CLI::Option* const call =
      app.add_option("--call", options->label, "call the function at this label");
  app.add_option("--arg", options->arguments, "an argument for it, number or label; repeatable")
      ->allow_extra_args(false)
      ->needs(call);
  add_number_option(app, "--limit", &options->limit, 1, UINT64_MAX,
                    "stop after so many instructions (never)");
  app.add_flag("--stats", options->stats, "count the instructions that are executed");
  app.add_flag("--regs", options->registers, "show the registers at the end");
  app.add_flag("--json", options->json, "report in JSON");
  const auto config = add_machine_options(app);
  return [options, config] { return run(*options, *config); };
}

}  // namespace

extern const Subcommand vemicry_run_command = {
    "run", "run a program, or one function of it",
    "The program's standard input and output are ours; reports come on stderr, with --call on "
    "stdout.\n"
    "Examples:\n"
    "  incore vemicry run hello.s\n"
    "  incore vemicry run --stats --regs sort.elf < numbers\n"
    "  incore vemicry run --call gcd --arg 12 --arg 0x1e gcd.s\n"
    "Exit code: the program's, or 0 when --call returned; 1 at a trap or the --limit; 2 bad usage.",
    configure};

}  // namespace incore::cli
