#include "tools/probe/probe_facts.h"

#include <fmt/format.h>

#include <map>

#include "tools/probe/probe_document.h"

namespace incore::tools {
namespace {

// A value of a step, under the name that people know.
struct Field {
  const char* name;
  const char* shown;
};
constexpr Field kRegisters[] = {{"eax", "EAX"}, {"ebx", "EBX"}, {"ecx", "ECX"},
                                {"edx", "EDX"}, {"esi", "ESI"}, {"edi", "EDI"}};

const Json& usual_outcome(const Json& experiment) {
  const Json& outcomes = experiment["outcomes"];
  const Json& times = experiment["times"];
  size_t best = 0;
  for (size_t i = 1; i < outcomes.size(); ++i)
    if (times[i].natural() > times[best].natural()) best = i;
  return outcomes[best];
}

std::string signal_in_words(const Json& step) {
  std::string text;
  switch (step["signal"].natural()) {
    case 0:
      return "no signal";
    case 4:
      text = "SIGILL";
      break;
    case 7:
      text = "SIGBUS";
      break;
    case 11:
      text = "SIGSEGV";
      break;
    case 14:
      return "no end within seconds";
    default:
      text = fmt::format("signal {}", step["signal"].natural());
  }
  switch (step["vector"].natural()) {
    case 6:
      break;
    case 13:
      text += ", #GP";
      break;
    case 14:
      text += fmt::format(", #PF at {}, error {}", step["address"].text(), step["error"].text());
      break;
    default:
      text += fmt::format(", exception {}", step["vector"].natural());
  }
  if (step["offset"].natural() != 0) text += fmt::format(", {} bytes on", step["offset"].natural());
  return text;
}

// Bytes by their address; of random ones the value does not matter.
std::map<uint64_t, int> written_bytes(const Json& step) {
  uint64_t left = 1 << 18;  // there is not more memory
  std::map<uint64_t, int> bytes;
  for (const Json& piece : step["written"]) {
    const uint64_t at = hex_number(piece["at"]);
    const std::string values = hex_bytes(piece["bytes"].text());
    for (uint64_t i = 0; i < piece["len"].natural() && left != 0; ++i, --left)
      bytes[at + i] = i < values.size() ? static_cast<unsigned char>(values[i]) : -1;
  }
  return bytes;
}

std::string bytes_from(const std::map<uint64_t, int>& bytes, uint64_t at) {
  constexpr uint64_t kMostShown = 8;
  std::string text;
  for (uint64_t i = at; i < at + kMostShown; ++i) {
    const auto byte = bytes.find(i);
    if (byte == bytes.end()) break;
    text += byte->second < 0 ? "??" : fmt::format("{:02x}", byte->second);
  }
  return text.empty() ? fmt::format("writes nothing at {:#x}", at)
                      : fmt::format("writes {} at {:#x}", text, at);
}

void compare_memory(const Json& silicon, const Json& model, const std::string& where,
                    std::vector<FactDifference>* out) {
  const std::map<uint64_t, int> a = written_bytes(silicon), b = written_bytes(model);
  uint64_t first = UINT64_MAX;
  for (const auto& [at, value] : a)
    if (const auto other = b.find(at); other == b.end() || other->second != value) {
      first = at;
      break;
    }
  for (const auto& [at, value] : b)
    if (at < first && !a.contains(at)) {
      first = at;
      break;
    }
  if (first != UINT64_MAX)
    out->push_back({where + bytes_from(a, first), where + bytes_from(b, first)});
}

std::string shown(const Json& value) {
  return value.kind() == Json::Kind::text      ? value.text()
         : value.kind() == Json::Kind::natural ? std::to_string(value.natural())
                                               : "nothing";
}

void compare_field(const Json& silicon, const Json& model, Field field, const std::string& where,
                   std::vector<FactDifference>* out) {
  const std::string a = shown(silicon[field.name]), b = shown(model[field.name]);
  if (a == b) return;
  out->push_back({fmt::format("{}{} is {}", where, field.shown, a),
                  fmt::format("{}{} is {}", where, field.shown, b)});
}

// Of a step that reads or writes a model specific register; of others always the same.
std::string msr_in_words(const Json& step) {
  return step.contains("errno") ? "refused, errno " + shown(step["errno"])
                                : "the MSR has " + shown(step["value"]);
}

// Without bit 30: whether a pushed image has it is for one experiment to tell, not for all.
std::string eflags_in_words(const Json& step) {
  constexpr uint64_t kKeyLoaded = 1 << 30;
  if (!step.contains("eflags")) return "no EFLAGS";
  return fmt::format("EFLAGS is {:#010x}", hex_number(step["eflags"]) & ~kKeyLoaded);
}

void compare_step(const Json& silicon, const Json& model, const std::string& where,
                  std::vector<FactDifference>* out) {
  const std::string a = signal_in_words(silicon), b = signal_in_words(model);
  if (a != b) {
    out->push_back({where + a, where + b});
    return;
  }
  for (const Field& field : kRegisters) {
    compare_field(silicon["after"], model["after"], field, where, out);
    compare_field(silicon, model, field, where, out);  // of CPUID
  }
  const std::string e = eflags_in_words(silicon), f = eflags_in_words(model);
  if (e != f) out->push_back({where + e, where + f});
  if (const std::string x = msr_in_words(silicon), y = msr_in_words(model); x != y)
    out->push_back({where + x, where + y});
  compare_memory(silicon, model, where, out);
}

}  // namespace

std::vector<FactDifference> differences_of(const Json& silicon, const Json& model) {
  const Json &a = usual_outcome(silicon), &b = usual_outcome(model);
  std::vector<FactDifference> found;
  if (a.size() != b.size())
    found.push_back({fmt::format("{} results", a.size()), fmt::format("{} results", b.size())});
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    compare_step(a[i], b[i], a.size() > 1 ? fmt::format("step {}: ", i + 1) : "", &found);
  return found;
}

}  // namespace incore::tools
