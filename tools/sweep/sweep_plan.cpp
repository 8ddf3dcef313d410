#include "tools/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <optional>
#include <stdexcept>

// toml++ holds some wrong texts, such as "a = [}", for impossible: that is an assertion, or without
// assertions undefined behaviour. Here it is an error.
namespace {
[[noreturn]] void give_text_up() {
  throw std::logic_error("impossible TOML");
}
}  // namespace
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : give_text_up())
#include <toml++/toml.h>

namespace incore::tools {
namespace {

constexpr const char* kKeys =
    "title, programs, q, p, r, l, banks, ports, memory_latency, gates_per_bit, seeds, "
    "max_instructions";

// Thrown and caught in this file alone.
struct Mistake {
  toml::source_position where;
  std::string text;
};

[[noreturn]] void refuse(const toml::node& node, std::string text) {
  throw Mistake{node.source().begin, std::move(text)};
}

// Whether |keys|, "a, b, c", has |key|.
bool has_key(const std::string& keys, std::string_view key) {
  return key.find_first_of(", ") == std::string_view::npos &&
         fmt::format(", {},", keys).find(fmt::format(" {},", key)) != std::string::npos;
}

// What a list of numbers may hold.
struct Bounds {
  const char* key;
  int64_t low, high;
  const char* same_as = nullptr;  // "p" or "r", which is accepted too

  std::string accepted() const {
    return fmt::format("numbers from {} to {}", low, high) +
           (same_as != nullptr ? fmt::format(", or \"{0}\" for as many as {0}", same_as) : "");
  }
};

int64_t read_number(const toml::node& node, const Bounds& bounds, const std::string& what) {
  const toml::value<int64_t>* const number = node.as_integer();
  if (number == nullptr || number->get() < bounds.low || number->get() > bounds.high)
    refuse(node, fmt::format("{} is {}; accepted: {}", what,
                             number != nullptr ? std::to_string(number->get()) : "no number",
                             bounds.accepted()));
  return number->get();
}

// { from = 1, to = 16, step = 1 } or { from = 1, to = 16, factor = 2 }
std::vector<int64_t> read_range(const toml::table& table, const Bounds& bounds) {
  const std::string key = bounds.key;
  for (const auto& [name, node] : table)
    if (name != "from" && name != "to" && name != "step" && name != "factor")
      refuse(node, fmt::format("a range of {} has no '{}'; accepted: from, to, and step or factor",
                               key, name.str()));
  const toml::node* const from = table.get("from");
  const toml::node* const to = table.get("to");
  const toml::node* const step = table.get("step");
  const toml::node* const factor = table.get("factor");
  if (from == nullptr || to == nullptr || (step != nullptr && factor != nullptr))
    refuse(table, fmt::format("a range of {} has from, to, and step or factor", key));
  const int64_t first = read_number(*from, bounds, key + ".from");
  const int64_t last = read_number(*to, bounds, key + ".to");
  if (last < first) refuse(*to, fmt::format("{}.to is less than {}.from", key, key));
  const Bounds increments{bounds.key, 1, 1'000'000}, factors{bounds.key, 2, 1'000'000};
  const int64_t increment = step == nullptr ? 1 : read_number(*step, increments, key + ".step");
  const int64_t multiplier = factor == nullptr ? 1 : read_number(*factor, factors, key + ".factor");
  if (factor != nullptr && first == 0) refuse(*from, key + ".from is 0, and factor is given");

  std::vector<int64_t> numbers;
  for (int64_t number = first;;) {
    numbers.push_back(number);
    if (numbers.size() > kMaxSweepPoints)
      refuse(table, fmt::format("{} has more than {} values", key, kMaxSweepPoints));
    if (factor != nullptr ? number > last / multiplier : number > last - increment) return numbers;
    number = factor != nullptr ? number * multiplier : number + increment;
  }
}

void read_numbers(const toml::node& node, const Bounds& bounds, std::vector<int64_t>* out_numbers) {
  if (const toml::table* const table = node.as_table()) {
    const std::vector<int64_t> range = read_range(*table, bounds);
    out_numbers->insert(out_numbers->end(), range.begin(), range.end());
  } else if (const toml::value<std::string>* const text = node.as_string();
             text != nullptr && bounds.same_as != nullptr && text->get() == bounds.same_as) {
    out_numbers->push_back(0);
  } else {
    out_numbers->push_back(read_number(node, bounds, bounds.key));
  }
}

// A number, a range, or an array of them.
template <class Number>
void read_list(const toml::table& table, const Bounds& bounds, std::vector<Number>* out_list) {
  const toml::node* const node = table.get(bounds.key);
  if (node == nullptr) return;
  std::vector<int64_t> numbers;
  if (const toml::array* const array = node->as_array()) {
    if (array->empty()) refuse(*node, fmt::format("{} is empty", bounds.key));
    for (const toml::node& element : *array) read_numbers(element, bounds, &numbers);
  } else {
    read_numbers(*node, bounds, &numbers);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  out_list->assign(numbers.begin(), numbers.end());
}

bool is_workload(const std::string& name) {
  incore_vemicry_workload workload;
  for (size_t i = 0; incore_vemicry_get_workload(i, &workload) == INCORE_OK; ++i)
    if (name == workload.name) return true;
  return false;
}

std::string read_text(const toml::node& node, const std::string& what) {
  const toml::value<std::string>* const text = node.as_string();
  if (text == nullptr || text->get().empty() || text->get().find('\0') != std::string::npos)
    refuse(node, what);
  return text->get();
}

// Files at labels: { label = "FILE" }.
std::vector<UserBytes> read_bytes(const toml::table& program, const char* key,
                                  const std::string& folder) {
  std::vector<UserBytes> list;
  const toml::node* const node = program.get(key);
  if (node == nullptr) return list;
  const std::string accepted = fmt::format("{} is {{ LABEL = \"FILE\" }}", key);
  const toml::table* const table = node->as_table();
  if (table == nullptr) refuse(*node, accepted);
  for (const auto& [label, file] : *table)
    list.push_back({std::string(label.str()),
                    (std::filesystem::path(folder) / read_text(file, accepted)).string()});
  return list;
}

std::vector<UserArgument> read_arguments(const toml::table& program) {
  std::vector<UserArgument> arguments;
  const toml::node* const node = program.get("arguments");
  if (node == nullptr) return arguments;
  constexpr const char* kAccepted = "arguments is a list of numbers and labels";
  const toml::array* const array = node->as_array();
  if (array == nullptr) refuse(*node, kAccepted);
  constexpr Bounds kWord{"an argument", INT32_MIN, UINT32_MAX};
  for (const toml::node& element : *array) {
    if (element.is_string())
      arguments.push_back({read_text(element, kAccepted)});
    else
      arguments.push_back({"", static_cast<uint32_t>(read_number(element, kWord, kWord.key))});
  }
  return arguments;
}

SweepProgram read_program(const toml::node& node, const std::string& folder) {
  constexpr const char* kAccepted =
      "a program is the name of a workload ('incore vemicry measure' lists them) or "
      "{ file = \"FILE\", function = \"LABEL\" }";
  const toml::table* const table = node.as_table();
  if (table == nullptr) {
    SweepProgram program{read_text(node, kAccepted), {}};
    if (!is_workload(program.name))
      refuse(node, fmt::format("there is no workload '{}'; {}", program.name, kAccepted));
    return program;
  }
  constexpr const char* kProgramKeys = "file, function, arguments, input, expected, bytes";
  for (const auto& [name, value] : *table)
    if (!has_key(kProgramKeys, name.str()))
      refuse(value, fmt::format("a program has no '{}'; accepted: {}", name.str(), kProgramKeys));
  if (!table->contains("file") || !table->contains("function")) refuse(node, kAccepted);
  UserCall call;
  call.file = read_text(*table->get("file"), kAccepted);
  call.function = read_text(*table->get("function"), kAccepted);
  call.arguments = read_arguments(*table);
  call.inputs = read_bytes(*table, "input", folder);
  call.outputs = read_bytes(*table, "expected", folder);
  constexpr Bounds kBytes{"bytes", 1, UINT32_MAX};
  if (const toml::node* const bytes = table->get(kBytes.key))
    call.num_bytes = static_cast<uint64_t>(read_number(*bytes, kBytes, kBytes.key));
  const std::string name = call.name();
  call.file = (std::filesystem::path(folder) / call.file).string();
  return {name, std::move(call)};
}

void read_programs(const toml::table& table, const std::string& folder, SweepPlan* out_plan) {
  const toml::node* const node = table.get("programs");
  if (node == nullptr) refuse(table, "programs is missing: the list of what is measured");
  const toml::array* const array = node->as_array();
  if (array == nullptr || array->empty())
    refuse(*node, "programs is a list, such as [\"aes128-encrypt-16\"]");
  for (const toml::node& element : *array) {
    SweepProgram program = read_program(element, folder);
    for (const SweepProgram& other : out_plan->programs)
      if (other.name == program.name) refuse(element, program.name + " stands there twice");
    out_plan->programs.push_back(std::move(program));
  }
}

void read(const toml::table& table, const std::string& folder, SweepPlan* out_plan) {
  static constexpr Bounds kQ{"q", 1, 16}, kP{"p", 1, 256}, kR{"r", 1, 256, "p"},
      kL{"l", 1, 256, "p"}, kBanks{"banks", 1, 256, "r"}, kPorts{"ports", 1, 2},
      kLatency{"memory_latency", 0, 1000}, kSeeds{"seeds", 0, INT64_MAX},
      kLimit{"max_instructions", 1, INT64_MAX};
  for (const auto& [name, node] : table)
    if (!has_key(kKeys, name.str()))
      throw Mistake{name.source().begin,
                    fmt::format("there is no key '{}'; accepted: {}", name.str(), kKeys)};
  if (const toml::node* const title = table.get("title"))
    out_plan->title = read_text(*title, "title is a text");
  read_programs(table, folder, out_plan);
  read_list(table, kQ, &out_plan->q);
  read_list(table, kP, &out_plan->p);
  read_list(table, kR, &out_plan->r);
  read_list(table, kL, &out_plan->l);
  read_list(table, kBanks, &out_plan->banks);
  read_list(table, kPorts, &out_plan->ports);
  for (const uint32_t banks : out_plan->banks)
    if (banks != kAsLanes && !std::has_single_bit(banks))
      refuse(*table.get(kBanks.key), fmt::format("banks is {}; accepted: powers of two", banks));
  if (const toml::node* const gates = table.get("gates_per_bit")) {
    const std::optional<double> value = gates->value<double>();
    if (!value || !(*value >= 0 && *value <= 100))
      refuse(*gates, "gates_per_bit is a number from 0 to 100");
    out_plan->gates_per_bit = *value;
  }
  read_list(table, kLatency, &out_plan->memory_latency);
  read_list(table, kSeeds, &out_plan->seeds);
  if (const toml::node* const limit = table.get(kLimit.key))
    out_plan->max_instructions = static_cast<uint64_t>(read_number(*limit, kLimit, kLimit.key));
  double points = static_cast<double>(out_plan->programs.size() * out_plan->seeds.size());
  for (const auto* list : {&out_plan->q, &out_plan->p, &out_plan->r, &out_plan->l, &out_plan->banks,
                           &out_plan->ports, &out_plan->memory_latency})
    points *= static_cast<double>(list->size());
  if (points > static_cast<double>(kMaxSweepPoints))
    refuse(table, fmt::format("{:.0f} combinations are more than {}", points, kMaxSweepPoints));
}

std::string located(const std::string& name, const toml::source_position& where,
                    std::string_view text) {
  return fmt::format("{}:{}:{}: {}", name, std::max<uint32_t>(where.line, 1),
                     std::max<uint32_t>(where.column, 1), text);
}

// Where the first character outside ASCII stands; line 0: nowhere. toml++ 3.3 shifts too far on
// some that stand behind a broken value, so none is let through.
toml::source_position foreign_character(const std::string& text) {
  toml::source_position where{1, 0};
  for (const char c : text) {
    ++where.column;
    if ((static_cast<unsigned char>(c) & 0x80) != 0) return where;
    if (c == '\n') where = {where.line + 1, 0};
  }
  return {0, 0};
}

// The line at which toml++ gives up |text|: the last of the shortest beginning that it gives up.
uint32_t line_given_up(const std::string& text) {
  std::vector<size_t> ends;  // of lines
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') ends.push_back(i + 1);
  const auto given_up = [&text](size_t len) {
    try {
      static_cast<void>(toml::parse(std::string_view(text).substr(0, len)));
    } catch (const toml::parse_error&) {
    } catch (const std::logic_error&) {
      return true;
    }
    return false;
  };
  const auto end =
      std::partition_point(ends.begin(), ends.end(), [&](size_t len) { return !given_up(len); });
  return static_cast<uint32_t>(end - ends.begin() + 1);
}

}  // namespace

std::string read_sweep_plan(const std::string& text, const std::string& name,
                            const std::string& folder, SweepPlan* out_plan) {
  *out_plan = {};
  if (const toml::source_position where = foreign_character(text); where.line != 0)
    return located(name, where, "only ASCII characters are accepted");
  try {
    read(toml::parse(std::string_view(text)), folder, out_plan);
  } catch (const toml::parse_error& error) {
    return located(name, error.source().begin, error.description());
  } catch (const Mistake& mistake) {
    return located(name, mistake.where, mistake.text);
  } catch (const std::logic_error&) {
    return located(name, {line_given_up(text), 1}, "brackets or values are missing or misplaced");
  }
  return "";
}

incore_vemicry_config SweepPoint::config() const {
  incore_vemicry_config config = {};
  config.q = q;
  config.p = p;
  config.r = r;
  config.l = l;
  config.banks = banks;
  config.ports = ports;
  config.memory_latency = memory_latency;
  return config;
}

std::string impossible(const SweepPoint& point) {
  if (point.r > point.p) return "r is above p";
  if (point.l > point.p) return "l is above p";
  if (point.banks > std::bit_ceil(point.r)) return "there are more banks than lanes";
  return "";
}

std::vector<SweepPoint> sweep_points(const SweepPlan& plan) {
  const auto resolved = [](const std::vector<uint32_t>& list, uint32_t same) {
    std::vector<uint32_t> values;
    for (const uint32_t value : list) {
      const uint32_t number = value == 0 ? same : value;
      if (std::find(values.begin(), values.end(), number) == values.end()) values.push_back(number);
    }
    std::sort(values.begin(), values.end());
    return values;
  };
  std::vector<SweepPoint> points;
  for (size_t program = 0; program < plan.programs.size(); ++program)
    for (const uint32_t p : plan.p)
      for (const uint32_t r : resolved(plan.r, p))
        for (const uint32_t l : resolved(plan.l, p))
          for (const uint32_t q : plan.q)
            for (const uint32_t banks : resolved(plan.banks, std::bit_ceil(r)))
              for (const uint32_t ports : plan.ports)
                for (const uint32_t latency : plan.memory_latency)
                  for (const uint64_t seed : plan.seeds)
                    points.push_back({program, q, p, r, l, banks, ports, latency, seed});
  return points;
}

}  // namespace incore::tools
