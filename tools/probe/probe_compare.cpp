#include "tools/probe/probe_compare.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "tools/probe/model_chip.h"
#include "tools/probe/probe_document.h"
#include "tools/probe/probe_msrs.h"
#include "tools/probe/probe_program.h"

namespace incore::tools {
namespace {

using ExperimentName = std::pair<std::string, std::string>;  // clause, name

std::map<ExperimentName, const Json*> experiments_of(const Json& document) {
  std::map<ExperimentName, const Json*> found;
  for (const Json& e : document["experiments"])
    found.emplace(ExperimentName{e["clause"].text(), e["name"].text()}, &e);
  return found;
}

std::string outcomes_in_words(const Json& times) {
  std::string text;
  for (const Json& count : times)
    text += (text.empty() ? "" : ", ") + std::to_string(count.natural());
  return "outcomes came " + text + " times";
}

// Why the two cannot be compared, or nothing.
std::string gap_between(const Json* silicon, const Json* model) {
  if (silicon == nullptr) return "it is not in the file";
  if (model == nullptr) return "this program does not know it";
  if ((*silicon)["outcomes"].is_null()) return "in the file: " + (*silicon)["not_run"].text();
  if ((*model)["outcomes"].is_null()) return "on the model: " + (*model)["not_run"].text();
  if (!same_json((*silicon)["steps"], (*model)["steps"]))
    return "the file's program did something else";
  return "";
}

void compare_experiments(const Json& silicon, const Json& model, ProbeBehaviour* out) {
  const auto recorded = experiments_of(silicon), ours = experiments_of(model);
  const auto find = [](const auto& all, const ExperimentName& name) {
    const auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
  };
  const auto compare = [&](const ExperimentName& name) {
    const Json *const a = find(recorded, name), *const b = find(ours, name);
    if (const std::string gap = gap_between(a, b); !gap.empty()) {
      out->not_compared.push_back({name.first, name.second, gap});
      return;
    }
    ++out->num_experiments;
    if ((*a)["outcomes"].size() > 1)
      out->unsteady.push_back({name.first, name.second, outcomes_in_words((*a)["times"])});
    if (std::vector<FactDifference> facts = differences_of(*a, *b); !facts.empty())
      out->differences.push_back({name.first, name.second, std::move(facts)});
  };
  for (const Json& e : model["experiments"]) compare({e["clause"].text(), e["name"].text()});
  for (const Json& e : silicon["experiments"])
    if (const ExperimentName name{e["clause"].text(), e["name"].text()};
        find(ours, name) == nullptr)
      compare(name);
}

// --- CPUID

// Bits that tell of the moment or the machine, not of the kind of processor; leaves that the
// experiments have (EBX, ECX, EDX of leaf 0 and the flags) are compared there.
struct Ignored {
  uint32_t leaf;
  uint32_t bits[4];  // of EAX, EBX, ECX, EDX
};
constexpr uint32_t kAll = 0xFFFFFFFF;
constexpr Ignored kIgnored[] = {
    {0x00000000, {0, kAll, kAll, kAll}},     // the vendor: PLK-CPUID-028
    {0x00000001, {kAll, 0xFF000000, 0, 0}},  // signature: PLK-CPUID-034; which core
    {0x0000000B, {0, 0, 0, kAll}},           // which core
    {0x0000000D, {kAll, kAll, kAll, kAll}},  // what the operating system saves
    {0x8000001E, {kAll, kAll, kAll, kAll}},  // which core
    {0xC0000000, {kAll, 0, 0, 0}},           // PLK-CPUID-001
    {0xC0000001, {0, 0, 0, kAll}},           // PLK-CPUID-002
    {0xC0000002, {kAll, kAll, kAll, kAll}},  // temperature, clock and voltage
    {0xC0000004, {kAll, kAll, kAll, kAll}},  // the same on later parts
};

using Leaf = std::pair<uint32_t, uint64_t>;  // leaf, subleaf
using Registers = std::array<uint32_t, 4>;
constexpr const char* kNames[4] = {"eax", "ebx", "ecx", "edx"};
constexpr const char* kShown[4] = {"EAX", "EBX", "ECX", "EDX"};

std::map<Leaf, Registers> leaves_of(const Json& document) {
  std::map<Leaf, Registers> leaves;
  for (const Json& row : document["cpuid"]) {
    Registers& registers =
        leaves[{static_cast<uint32_t>(hex_number(row["leaf"])), row["subleaf"].natural()}];
    for (size_t i = 0; i < 4; ++i) registers[i] = static_cast<uint32_t>(hex_number(row[kNames[i]]));
  }
  return leaves;
}

// What the model itself says. Under `incore run` a machine that has less shows less.
uint32_t models_own(const ModelChip& chip, Leaf leaf, size_t reg) {
  uint32_t registers[4] = {};
  if (leaf.second > UINT32_MAX ||
      incore_padlock_cpuid(chip.get(), leaf.first, static_cast<uint32_t>(leaf.second), registers) !=
          INCORE_OK)
    return 0;
  return registers[reg];
}

uint32_t compared_bits(uint32_t leaf, size_t reg) {
  for (const Ignored& row : kIgnored)
    if (row.leaf == leaf) return ~row.bits[reg];
  return kAll;
}

std::string register_in_words(const std::optional<Registers>& registers, size_t reg,
                              uint32_t bits) {
  if (!registers) return "no such leaf";
  return fmt::format("{} is {:#010x}", kShown[reg], (*registers)[reg] & bits);
}

void compare_cpuid(const Json& silicon, const Json& model_run, const std::string& model,
                   ProbeBehaviour* out) {
  const std::map<Leaf, Registers> recorded = leaves_of(silicon), ours = leaves_of(model_run);
  const ModelChip chip(model);
  std::map<Leaf, Registers> all = recorded;
  all.insert(ours.begin(), ours.end());
  for (const auto& [leaf, unused] : all) {
    const auto find = [&leaf = leaf](const std::map<Leaf, Registers>& leaves) {
      const auto found = leaves.find(leaf);
      return found == leaves.end() ? std::nullopt : std::optional(found->second);
    };
    const std::optional<Registers> a = find(recorded), b = find(ours);
    std::vector<FactDifference> facts;
    ++out->num_leaves;
    for (size_t i = 0; i < 4; ++i) {
      const uint32_t bits = compared_bits(leaf.first, i);
      if (bits == 0) continue;
      const bool same = a && b && (((*a)[i] ^ (*b)[i]) & bits) == 0;
      const bool is_models_own = a && (((*a)[i] ^ models_own(chip, leaf, i)) & bits) == 0;
      if (same) continue;
      if (is_models_own) {
        ++out->num_limited;
        continue;
      }
      facts.push_back({register_in_words(a, i, bits), register_in_words(b, i, bits)});
      if (!a || !b) break;
    }
    if (!facts.empty())
      out->differences.push_back(
          {"CPUID", fmt::format("leaf {:#x}, subleaf {}", leaf.first, leaf.second), facts});
  }
}

// XCRYPT, another key in memory, and XCRYPT: tells whether `incore run` loaded each key anew.
constexpr const char* kTellsOfKeys = "PLK-MULTI-007";

// Whether the two have all experiments of |clause|, without a signal and with the same outcomes.
bool agree_in(const Json& silicon, const Json& model, const char* clause) {
  const auto recorded = experiments_of(silicon), ours = experiments_of(model);
  for (const auto& [name, experiment] : ours) {
    if (name.first != clause) continue;
    const auto other = recorded.find(name);
    if (other == recorded.end() || !gap_between(other->second, experiment).empty() ||
        !differences_of(*other->second, *experiment).empty() ||
        (*experiment)["outcomes"][0][0].contains("signal"))
      return false;
  }
  return true;
}

std::string probe_model(const std::string& model, bool emulates_stale_keys,
                        const std::vector<std::string>& arguments, Json* out) {
  std::string text;
  std::string error;
  if (!run_probe(model, emulates_stale_keys, arguments, &text, &error))
    return error.empty() ? "the probe did not end on " + model : error;
  const std::string wrong = read_probe_document(text, out);
  return wrong.empty() ? "" : "the probe's own document: " + wrong;
}

}  // namespace

ProbeBehaviour compare_behaviour(const Json& silicon, const Json& model_run,
                                 const std::string& model) {
  ProbeBehaviour found;
  compare_experiments(silicon, model_run, &found);
  compare_cpuid(silicon, model_run, model, &found);
  return found;
}

std::string probe_model_like(const Json& silicon, const std::string& model, Json* out,
                             bool* out_reloads) {
  *out_reloads = false;
  if (probe_was_emulated(silicon)) {
    if (std::string error = probe_model(model, false, {"--clause", kTellsOfKeys}, out);
        !error.empty())
      return error;
    *out_reloads = agree_in(silicon, *out, kTellsOfKeys);
  }
  std::string error = probe_model(model, !*out_reloads, {"--no-timings"}, out);
  if (error.empty()) add_msr_outcomes(model, true, out);
  return error;
}

}  // namespace incore::tools
