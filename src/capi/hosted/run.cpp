// incore/run.h.
#include "incore/run.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "capi/hosted/guard.h"
#include "padlock/checks/check.h"
#include "padlock/control_word.h"
#include "padlock/insn.h"
#include "padlock/model.h"
#include "padlock/timing.h"
#include "run/control_word_text.h"
#include "run/program.h"
#include "run/qemu/cpus.h"
#include "run/qemu/emulator.h"
#include "run/supervisor.h"

static_assert(incore::run::kNumStatKinds <= INCORE_RUN_MAX_INSNS);
static_assert(std::size(incore::scan::kPowerMnemonics) <= INCORE_RUN_MAX_INSNS);
static_assert(incore::run::kNumTactics <= INCORE_RUN_MAX_TACTICS);
static_assert(incore::run::kMaxFindings == INCORE_RUN_MAX_FINDINGS);

namespace incore::run {
namespace {

constexpr char kDefaultModel[] = "nano";

// What is too long, as by a long name, loses its middle.
void set_message(incore_run_report* report, const std::string& message) {
  constexpr size_t kRoom = sizeof report->message - 1, kHead = kRoom / 2, kTail = kRoom - kHead - 3;
  const std::string text = message.size() <= kRoom ? message
                                                   : message.substr(0, kHead) + "..." +
                                                         message.substr(message.size() - kTail);
  std::snprintf(report->message, sizeof report->message, "%s", text.c_str());
}

incore_status refuse(incore_run_report* report, incore_status status, const std::string& message) {
  set_message(report, message);
  return status;
}

void fill_report(const Stats& stats, incore_run_report* report) {
  size_t num_insns;
  const padlock::Insn* const* insns = padlock::insns(&num_insns);
  report->num_insns = static_cast<unsigned>(num_insns);
  for (size_t i = 0; i < num_insns; ++i) {
    const InsnStats& s = stats.insns[i];
    uint64_t one_block_calls = 0;
    for (const OneBlockStats& part : stats.one_block) one_block_calls += part.calls[i];
    const uint64_t patched_calls = s.patched_calls + one_block_calls;
    report->insns[i] = {insns[i]->mnemonic,
                        patched_calls + s.trapped_calls,
                        s.bytes + one_block_calls * kAesBlockLen,
                        s.traps,
                        patched_calls,
                        s.faults,
                        s.model_ticks / padlock::kTicksPerClock};
  }
  report->cpuid_sites = stats.cpuid_sites;
  report->cpuid_calls = stats.cpuid_calls;
  const auto add_tactic = [&](const char* name, bool is_jump, uint64_t sites) {
    report->tactics[report->num_tactics++] = {name, sites};
    (is_jump ? report->sites_patched : report->sites_unpatched) += sites;
  };
#define X(name, text, is_jump) \
  add_tactic(text, is_jump, stats.sites[static_cast<size_t>(Tactic::name)]);
#include "run/tactics.def"
#undef X
  report->images = stats.images;
}

const char* text_or_null(const std::string& s) {
  return s.empty() ? nullptr : s.c_str();
}

void tell_call(const incore_run_options& options, const TracedInsn& traced) {
  size_t num_insns;
  const TraceRecord& r = traced.record;
  const padlock::ControlWord control_word = {r.control_word};
  const bool has_control_word = (r.has & kHasControlWord) != 0;
  const CodePlace& place = traced.place;
  const incore_run_call call = {
      .seconds = traced.seconds,
      .pid = r.pid,
      .tid = r.tid,
      .mnemonic = padlock::insns(&num_insns)[r.insn]->mnemonic,
      .done = r.done,
      .bytes = r.bytes,
      .has_control_word = has_control_word ? 1 : 0,
      .decrypts = has_control_word && control_word.decrypt() ? 1 : 0,
      .rounds = has_control_word ? control_word.rounds() : 0,
      .expands = has_control_word && !control_word.keys_in_memory() ? 1 : 0,
      .key_bits = 8u * r.key_len,
      .key_digest = r.key,
      .key = options.with_keys != 0 && r.key_len != 0 ? r.key_bytes : nullptr,
      .vector = (r.has & kHasVector) != 0 ? r.vector : nullptr,
      .has_input = (r.has & kHasInput) != 0 ? 1 : 0,
      .has_output = (r.has & kHasOutput) != 0 ? 1 : 0,
      .input_digest = r.input,
      .output_digest = r.output,
      .result = (r.has & kHasResult) != 0 ? r.result : nullptr,
      .place = r.site,
      .address = traced.address,
      .module = text_or_null(place.module),
      .offset = place.offset,
      .function = text_or_null(place.function),
      .function_offset = place.function_offset,
      .source = text_or_null(place.source),
      .line = place.line,
  };
  options.on_call(options.call_context, &call);
}

void tell_findings(const incore_run_options& options, const Result& result) {
  size_t num_checks, num_insns;
  const padlock::Check* const* const checks = padlock::checks(&num_checks);
  const padlock::Insn* const* const insns = padlock::insns(&num_insns);
  for (size_t i = 0; i < result.findings.size(); ++i) {
    const Finding& f = result.findings[i];
    const CheckReport& r = f.report;
    if (r.check >= num_checks || r.insn >= num_insns || r.rule >= padlock::Check::kMaxRules ||
        checks[r.check]->rules[r.rule].clause == nullptr)
      continue;  // a program has written over the run-time
    const padlock::Check& check = *checks[r.check];
    const std::string control_word =
        r.has_control_word != 0 ? control_word_text(r.control_word) : "";
    const incore_run_finding finding = {
        .check = check.name,
        .clause = check.rules[r.rule].clause,
        .what = check.rules[r.rule].what,
        .remedy = check.remedy,
        .mnemonic = insns[r.insn]->mnemonic,
        .count = result.memory->stats()->finding_counts[i],
        .pid = f.pid,
        .address = r.rip,
        .module = text_or_null(f.place.module),
        .offset = f.place.offset,
        .function = text_or_null(f.place.function),
        .function_offset = f.place.function_offset,
        .source = text_or_null(f.place.source),
        .line = f.place.line,
        .operand = padlock::operand_name(static_cast<padlock::Operand>(r.operand)),
        .operand_address = r.operand_address,
        .registers = {r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi},
        .control_word = text_or_null(control_word),
    };
    options.on_finding(options.finding_context, &finding);
  }
}

std::optional<unsigned> find_check(const char* name) {
  size_t num_checks;
  const padlock::Check* const* const checks = padlock::checks(&num_checks);
  for (unsigned i = 0; i < num_checks; ++i)
    if (std::strcmp(checks[i]->name, name) == 0) return i;
  return std::nullopt;
}

std::string cpu_names() {
  std::string names;
  for (const qemu::Cpu& cpu : qemu::kCpus)
    names += std::string(names.empty() ? "" : ", ") + cpu.name;
  return names;
}

std::string model_names() {
  size_t num_models;
  const padlock::Model* const* const models = padlock::models(&num_models);
  std::string names;
  for (size_t i = 0; i < num_models; ++i)
    names += std::string(names.empty() ? "" : ", ") + models[i]->name;
  return names;
}

// What is the same in both kinds of run.
Request make_request(const incore_run_options& options, const Program& program,
                     const char* const* argv) {
  Request request = {};
  request.path = program.path;
  request.verbose = options.verbose != 0;
  for (; *argv != nullptr; ++argv) request.arguments.push_back(*argv);
  return request;
}

// Why a run on |cpu| may have ended as it did, where that is known; else "". |command| is that of a
// PowerPC program; null for a script.
std::string power_hint(int exit_code, const char* cpu, const qemu::Emulator& emulator,
                       const qemu::Emulator::Command* command) {
  constexpr int kIllegalInstruction = 128 + SIGILL, kLoaderFailed = 127;
  if (exit_code == kLoaderFailed && command != nullptr) return emulator.missing_libraries(*command);
  if (exit_code != kIllegalInstruction) return "";
  std::string later;
  for (const qemu::Cpu* at = qemu::find_cpu(cpu) + 1; at != std::end(qemu::kCpus); ++at)
    later += std::string(later.empty() ? "; later ones: --cpu " : ", ") + at->name;
  return std::string("it ended with SIGILL, as by an instruction that ") + cpu + " does not have" +
         later;
}

// A PowerPC program, or a script that may start some.
incore_status run_power(const incore_run_options& options, const Program& program,
                        const char* const* argv, incore_run_report* report) {
  const char* const cpu = options.model != nullptr ? options.model : qemu::kDefaultCpu;
  const std::string& path = program.path;
  if (options.debug != 0)
    return refuse(report, INCORE_ERROR_UNSUPPORTED,
                  "gdb is for x86 programs; '" + path + "' would run on " + cpu);
  if (options.on_finding != nullptr || options.rng_seed != nullptr || options.on_call != nullptr ||
      options.repeatable != 0)
    return refuse(report, INCORE_ERROR_UNSUPPORTED,
                  std::string(options.rng_seed != nullptr ? "seeded noise is XSTORE's"
                              : options.on_call != nullptr || options.repeatable != 0
                                  ? "a trace or comparison is of PadLock instructions"
                                  : "checks are of PadLock instructions") +
                      "; '" + path + "' would run on " + cpu + ", which has none");
  qemu::Emulator emulator(cpu);
  if (options.count_power_insns != 0)
    if (const std::string error = emulator.count_insns(); !error.empty())
      return refuse(report, INCORE_ERROR_UNSUPPORTED, error);

  Request request = make_request(options, program, argv);
  request.emulator = &emulator;
  const bool is_power_program = program.kind == ProgramKind::power;
  qemu::Emulator::Command command;
  if (is_power_program) {
    command = emulator.command(path, path, argv[0]);
    if (!command.error.empty()) return refuse(report, INCORE_ERROR_FORMAT, command.error);
    request.path = command.path;
    request.arguments.erase(request.arguments.begin());
    request.arguments.insert(request.arguments.begin(), command.arguments.begin(),
                             command.arguments.end());
  }
  const Result result = supervise(request);
  if (!result.error.empty()) return refuse(report, INCORE_ERROR_UNSUPPORTED, result.error);
  report->exit_code = result.exit_code;
  report->model = cpu;
  report->is_power = 1;
  report->images = result.memory->stats()->images + (is_power_program ? 1 : 0);
  if (const incore_power_counters* counters = emulator.counters(); counters != nullptr)
    for (unsigned i = 0; i < INCORE_POWER_NUM_INSNS; ++i) {
      report->insns[report->num_insns].mnemonic = scan::kPowerMnemonics[i];
      report->insns[report->num_insns++].calls = counters->executed[i];
    }
  set_message(report,
              power_hint(result.exit_code, cpu, emulator, is_power_program ? &command : nullptr));
  return INCORE_OK;
}

incore_status run_padlock(const incore_run_options& options, const Program& program,
                          const padlock::ModelSpec& model, const char* const* argv,
                          incore_run_report* report) {
  Request request = make_request(options, program, argv);
  request.model = &model;
  request.count_model_time = options.count_model_clocks != 0;
  request.check = options.on_finding != nullptr;
  for (const char* const* name = options.skipped_checks; name != nullptr && *name != nullptr;
       ++name) {
    const std::optional<unsigned> check = find_check(*name);
    if (!check)
      return refuse(report, INCORE_ERROR_RANGE, std::string("unknown check '") + *name + "'");
    request.skipped_checks |= uint64_t{1} << *check;
  }
  request.emulate_stale_key = options.emulate_stale_key != 0;
  if (options.rng_seed != nullptr) request.rng_seed = *options.rng_seed;
  if (options.on_call != nullptr)
    request.on_insn = [&](const TracedInsn& traced) { tell_call(options, traced); };
  request.trace_keys = options.with_keys != 0;
  if (options.on_memory != nullptr)
    request.on_memory = [&](std::span<const uint8_t> bytes) {
      return options.on_memory(options.memory_context, bytes.data(), bytes.size()) != 0;
    };
  request.repeatable = options.repeatable != 0;
  request.debug = options.debug != 0;
  const Result result = supervise(request);
  if (!result.error.empty()) return refuse(report, INCORE_ERROR_UNSUPPORTED, result.error);
  report->exit_code = result.exit_code;
  report->lost_calls = result.lost_insns;
  report->model = options.model != nullptr ? options.model : kDefaultModel;
  fill_report(*result.memory->stats(), report);
  report->clock_mhz = model.model.clock_mhz;
  tell_findings(options, result);
  return INCORE_OK;
}

incore_status run(const incore_run_options& options, const char* const* argv,
                  incore_run_report* report) {
  const std::string spec = options.model != nullptr ? options.model : kDefaultModel;
  const std::string name = spec.substr(0, spec.find(','));
  const bool is_power_model = qemu::find_cpu(name) != nullptr;
  if (is_power_model && name != spec)
    return refuse(report, INCORE_ERROR_MODEL, "model \"" + name + "\" has no fields to change");
  const auto model = std::make_unique<padlock::ModelSpec>();
  char model_error[sizeof report->message];
  if (!is_power_model && padlock::parse_model_spec(spec.c_str(), model.get(), model_error,
                                                   sizeof model_error) != nullptr)
    return refuse(report, INCORE_ERROR_MODEL,
                  padlock::find_model(name.c_str()) != nullptr
                      ? model_error
                      : std::string(model_error) + "; of PowerPC programs: " + cpu_names());

  const Program program = find_program(argv[0]);
  if (!program.error.empty()) return refuse(report, INCORE_ERROR_FORMAT, program.error);
  const bool is_power_program = program.kind == ProgramKind::power;
  if (is_power_program && options.model != nullptr && !is_power_model)
    return refuse(report, INCORE_ERROR_MODEL,
                  "'" + program.path + "' is a PowerPC program, which model \"" + name +
                      "\" does not run; accepted are: " + cpu_names());
  if (program.kind == ProgramKind::x86 && is_power_model)
    return refuse(report, INCORE_ERROR_MODEL,
                  "'" + program.path + "' is an x86 program, which model \"" + name +
                      "\" does not run (started by a script, it may start PowerPC programs); "
                      "accepted are: " +
                      model_names());
  return is_power_program || is_power_model ? run_power(options, program, argv, report)
                                            : run_padlock(options, program, *model, argv, report);
}

}  // namespace
}  // namespace incore::run

incore_status incore_run(const incore_run_options* options, const char* const* argv,
                         incore_run_report* out_report) {
  if (argv == nullptr || argv[0] == nullptr || out_report == nullptr) return INCORE_ERROR_NULL;
  *out_report = {};
  return incore::guarded(out_report->message, sizeof out_report->message, [&] {
    return incore::run::run(options != nullptr ? *options : incore_run_options(), argv, out_report);
  });
}

const char* incore_run_mnemonic(unsigned index) {
  size_t num_insns;
  const incore::padlock::Insn* const* insns = incore::padlock::insns(&num_insns);
  if (index < num_insns) return insns[index]->mnemonic;
  index -= static_cast<unsigned>(num_insns);
  return index < INCORE_POWER_NUM_INSNS ? incore::scan::kPowerMnemonics[index] : nullptr;
}

const char* incore_run_check_name(unsigned index) {
  size_t num_checks;
  const incore::padlock::Check* const* const checks = incore::padlock::checks(&num_checks);
  return index < num_checks ? checks[index]->name : nullptr;
}

const char* incore_run_model_name(unsigned index) {
  size_t num_models;
  const incore::padlock::Model* const* models = incore::padlock::models(&num_models);
  if (index < num_models) return models[index]->name;
  const incore::run::qemu::Cpu* cpu = incore::run::qemu::cpu(index - num_models);
  return cpu != nullptr ? cpu->name : nullptr;
}

const char* incore_run_model_description(unsigned index) {
  size_t num_models;
  const incore::padlock::Model* const* models = incore::padlock::models(&num_models);
  if (index < num_models) return models[index]->description;
  const incore::run::qemu::Cpu* cpu = incore::run::qemu::cpu(index - num_models);
  return cpu != nullptr ? cpu->description : nullptr;
}

const char* incore_run_model_alias(unsigned index, unsigned number) {
  size_t num_models, num_aliases;
  const incore::padlock::Model* const* models = incore::padlock::models(&num_models);
  const incore::padlock::ModelAlias* aliases = incore::padlock::model_aliases(&num_aliases);
  if (index >= num_models) return nullptr;
  for (size_t i = 0; i < num_aliases; ++i)
    if (aliases[i].model == models[index] && number-- == 0) return aliases[i].name;
  return nullptr;
}

int incore_run_model_is_power(unsigned index) {
  size_t num_models;
  incore::padlock::models(&num_models);
  return index >= num_models && incore::run::qemu::cpu(index - num_models) != nullptr ? 1 : 0;
}
