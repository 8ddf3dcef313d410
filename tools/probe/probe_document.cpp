#include "tools/probe/probe_document.h"

#include <charconv>

namespace incore::tools {
namespace {

using Kind = Json::Kind;

constexpr size_t kMaxLen = 16 << 20;  // the probe's own have half a megabyte

struct Member {
  const char* name;
  Kind kind;
};

// What |object| lacks of |members|, or nothing.
std::string lacks(const Json& object, std::initializer_list<Member> members) {
  if (object.kind() != Kind::object) return "is no object";
  for (const Member& member : members)
    if (object[member.name].kind() != member.kind)
      return std::string("has no ") +
             (member.kind == Kind::array     ? "list"
              : member.kind == Kind::object  ? "object"
              : member.kind == Kind::natural ? "number"
              : member.kind == Kind::boolean ? "true or false"
                                             : "text") +
             " '" + member.name + "'";
  return "";
}

std::string lacks_in_each(const Json& list, const char* name,
                          std::initializer_list<Member> members) {
  for (size_t i = 0; i < list.size(); ++i)
    if (const std::string lack = lacks(list[i], members); !lack.empty())
      return std::string(name) + " " + std::to_string(i) + " " + lack;
  return "";
}

std::string wrong_outcomes(const Json& experiment, size_t number) {
  const std::string which = "experiment " + std::to_string(number);
  const Json& outcomes = experiment["outcomes"];
  if (outcomes.is_null())
    return experiment["not_run"].kind() == Kind::text
               ? ""
               : which + " has neither outcomes nor 'not_run'";
  if (outcomes.kind() != Kind::array || outcomes.empty()) return which + " has no list 'outcomes'";
  if (experiment["times"].size() != outcomes.size())
    return which + " does not say how often each outcome came ('times')";
  for (const Json& outcome : outcomes) {
    if (outcome.kind() != Kind::array) return which + " has an outcome that is no list";
    for (const Json& step : outcome)
      if (step.kind() != Kind::object) return which + " has a step that is no object";
  }
  return "";
}

std::string wrong_shape(const Json& document) {
  if (std::string lack = lacks(document, {{"environment", Kind::object},
                                          {"cpuid", Kind::array},
                                          {"msrs", Kind::object},
                                          {"experiments", Kind::array}});
      !lack.empty())
    return "it " + lack;
  if (std::string lack = lacks_in_each(document["cpuid"], "CPUID row",
                                       {{"leaf", Kind::text},
                                        {"subleaf", Kind::natural},
                                        {"eax", Kind::text},
                                        {"ebx", Kind::text},
                                        {"ecx", Kind::text},
                                        {"edx", Kind::text}});
      !lack.empty())
    return lack;
  const Json& experiments = document["experiments"];
  if (std::string lack =
          lacks_in_each(experiments, "experiment",
                        {{"clause", Kind::text}, {"name", Kind::text}, {"steps", Kind::array}});
      !lack.empty())
    return lack;
  for (size_t i = 0; i < experiments.size(); ++i)
    if (std::string wrong = wrong_outcomes(experiments[i], i); !wrong.empty()) return wrong;
  return lacks_in_each(document["timings"]["rows"], "row of timings",
                       {{"insn", Kind::text}, {"samples", Kind::natural}});
}

}  // namespace

std::string read_probe_document(std::string_view text, Json* out) {
  if (text.size() > kMaxLen) return "it has more than 16 MiB; a document of incore-probe has less";
  *out = Json::parse(text);
  if (out->kind() != Kind::object) return "it is no JSON object, as incore-probe writes it";
  if (!((*out)["format"] == "incore-probe"))
    return "it is no document of incore-probe ('format' says so)";
  if ((*out)["version"].natural() != 1)
    return "its version is not 1, the only one that this program knows";
  return wrong_shape(*out);
}

bool probe_was_emulated(const Json& document) {
  return document["environment"]["incore_run"].boolean();
}

uint64_t hex_number(const Json& text) {
  std::string_view digits = text.text();
  if (!digits.starts_with("0x")) return 0;
  digits.remove_prefix(2);
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return error == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

bool same_json(const Json& a, const Json& b) {
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  switch (a.kind()) {
    case Kind::object:
      for (const std::string& name : a.names())
        if (!b.contains(name) || !same_json(a[name], b[name])) return false;
      return true;
    case Kind::array:
      for (size_t i = 0; i < a.size(); ++i)
        if (!same_json(a[i], b[i])) return false;
      return true;
    default:
      return a.line() == b.line();
  }
}

std::string hex_bytes(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 2 <= digits.size(); i += 2) {
    uint8_t byte = 0;
    const char* const end = digits.data() + i + 2;
    if (std::from_chars(digits.data() + i, end, byte, 16).ptr != end) break;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace incore::tools
