// incore/run.h.
#include "incore/run.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>

#include "padlock/checks/check.h"
#include "padlock/insn.h"
#include "padlock/model.h"
#include "padlock/timing.h"
#include "run/program.h"
#include "run/supervisor.h"

static_assert(incore::run::kNumStatKinds <= INCORE_RUN_MAX_INSNS);
static_assert(incore::run::kMaxFindings == INCORE_RUN_MAX_FINDINGS);

namespace incore::run {
namespace {

incore_status refuse(incore_run_report* report, incore_status status, const std::string& message) {
  std::snprintf(report->message, sizeof report->message, "%s", message.c_str());
  return status;
}

void fill_report(const Stats& stats, incore_run_report* report) {
  size_t num_insns;
  const padlock::Insn* const* insns = padlock::insns(&num_insns);
  report->num_insns = static_cast<unsigned>(num_insns);
  for (size_t i = 0; i < num_insns; ++i) {
    const InsnStats& s = stats.insns[i];
    const uint64_t patched_calls = s.patched_calls;
    report->insns[i] = {
        insns[i]->mnemonic, patched_calls + s.trapped_calls,        s.bytes, s.traps, patched_calls,
        s.faults,           s.model_ticks / padlock::kTicksPerClock};
  }
  report->cpuid_sites = stats.cpuid_sites;
  report->cpuid_calls = stats.cpuid_calls;
  report->sites_patched = stats.sites_patched;
  report->sites_unpatched = stats.sites_unpatched;
  report->images = stats.images;
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
    const auto text = [](const std::string& s) { return s.empty() ? nullptr : s.c_str(); };
    const incore_run_finding finding = {
        .check = check.name,
        .clause = check.rules[r.rule].clause,
        .what = check.rules[r.rule].what,
        .remedy = check.remedy,
        .mnemonic = insns[r.insn]->mnemonic,
        .count = result.stats->finding_counts[i],
        .pid = f.pid,
        .address = r.rip,
        .module = text(f.place.module),
        .offset = f.place.offset,
        .function = text(f.place.function),
        .function_offset = f.place.function_offset,
        .source = text(f.place.source),
        .line = f.place.line,
        .operand = padlock::operand_name(static_cast<padlock::Operand>(r.operand)),
        .operand_address = r.operand_address,
        .registers = {r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi},
    };
    options.on_finding(options.finding_context, &finding);
  }
}

incore_status run(const incore_run_options& options, const char* const* argv,
                  incore_run_report* report) {
  const auto model = std::make_unique<padlock::ModelSpec>();
  char model_error[sizeof report->message];
  const char* spec = options.model != nullptr ? options.model : "nano";
  if (padlock::parse_model_spec(spec, model.get(), model_error, sizeof model_error) != nullptr)
    return refuse(report, INCORE_ERROR_MODEL, model_error);

  const Program program = find_program(argv[0]);
  if (!program.error.empty()) return refuse(report, INCORE_ERROR_FORMAT, program.error);

  Request request = {.path = program.path,
                     .arguments = {},
                     .model = model.get(),
                     .verbose = options.verbose != 0,
                     .count_model_time = options.count_model_clocks != 0,
                     .rng_seed = {},
                     .check = options.on_finding != nullptr};
  if (options.rng_seed != nullptr) request.rng_seed = *options.rng_seed;
  for (const char* const* argument = argv; *argument != nullptr; ++argument)
    request.arguments.push_back(*argument);
  const Result result = supervise(request);
  if (!result.error.empty()) return refuse(report, INCORE_ERROR_UNSUPPORTED, result.error);
  report->exit_code = result.exit_code;
  fill_report(*result.stats, report);
  report->clock_mhz = model->model.clock_mhz;
  tell_findings(options, result);
  return INCORE_OK;
}

}  // namespace
}  // namespace incore::run

incore_status incore_run(const incore_run_options* options, const char* const* argv,
                         incore_run_report* out_report) {
  if (argv == nullptr || argv[0] == nullptr || out_report == nullptr) return INCORE_ERROR_NULL;
  *out_report = {};
  try {
    return incore::run::run(options != nullptr ? *options : incore_run_options(), argv, out_report);
  } catch (const std::exception& error) {
    return incore::run::refuse(out_report, INCORE_ERROR_UNSUPPORTED, error.what());
  }
}

const char* incore_run_mnemonic(unsigned index) {
  size_t num_insns;
  const incore::padlock::Insn* const* insns = incore::padlock::insns(&num_insns);
  return index < num_insns ? insns[index]->mnemonic : nullptr;
}

const char* incore_run_model_name(unsigned index) {
  size_t num_models;
  const incore::padlock::Model* const* models = incore::padlock::models(&num_models);
  return index < num_models ? models[index]->name : nullptr;
}

const char* incore_run_model_description(unsigned index) {
  size_t num_models;
  const incore::padlock::Model* const* models = incore::padlock::models(&num_models);
  return index < num_models ? models[index]->description : nullptr;
}
