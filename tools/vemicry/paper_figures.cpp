#include "tools/vemicry/paper_figures.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <sstream>

#include "tools/base/json.h"
#include "tools/vemicry/vemicry_counts.h"
#include "tools/vemicry/vemicry_published.h"

namespace incore::tools {
namespace {

Json clauses(const char* ids) {
  Json list = Json::array();
  std::istringstream words(ids);
  for (std::string id; words >> id;) list.push_back(id);
  return list;
}

Json count_json(const std::string& workload, const std::optional<Count>& count) {
  Json json = {{"workload", workload}};
  json["function"] = count ? Json(count->function) : Json();
  if (!count || count->with_call) json["with_call"] = count ? Json(*count->with_call) : Json();
  return json;
}

std::string status_of(PublishedKind kind, uint64_t published, std::optional<uint64_t> ours,
                      bool call_is_counted = false) {
  if (!ours) return "missing";
  if (*ours == published) return call_is_counted ? "exact with call" : "exact";
  if (kind == PublishedKind::must_be_exact) return "NOT MET";
  return kind == PublishedKind::may_be_beaten && *ours < published ? "beaten" : "approached";
}

Json figure_json(const PublishedFigure& figure, WorkloadCounter& counter) {
  const std::optional<Count> ours = counter.of(figure.workload), other = counter.of(figure.other);
  std::optional<uint64_t> compared;
  if (ours) compared = figure.call_is_counted ? ours->with_call : ours->function;
  return {{"clauses", clauses(figure.clauses)},
          {"section", figure.section},
          {"what", figure.what},
          {"paper", figure.instructions},
          {"call_is_counted", figure.call_is_counted},
          {"ours", count_json(figure.workload, ours)},
          {figure.kind == PublishedKind::scalar ? "in_c" : "best", count_json(figure.other, other)},
          {"status", status_of(figure.kind, figure.instructions, compared, figure.call_is_counted)},
          {"why", figure.why}};
}

// Table 1. The percentages say within which bounds the whole must lie that they are parts of.
Json table_json(WorkloadCounter& counter) {
  Json rows = Json::array();
  unsigned sum = 0;
  uint64_t our_sum = 0;
  double least = 0, most = HUGE_VAL;
  for (const PublishedStep& step : kPublishedSteps) {
    const unsigned total = step.instructions * step.calls;
    sum += total;
    least = std::max(least, total * 100 / (step.percent + step.half_digit));
    most = std::min(most, total * 100 / (step.percent - step.half_digit));
    const std::optional<Count> ours = counter.of(step.workload, step.function);
    Json our_json = count_json(step.workload, ours);
    if (ours) {
      our_json["calls"] = ours->entered;
      our_json["body"] = ours->body;
      our_json["total"] = ours->body * ours->entered;
      our_sum += ours->body * ours->entered;
    }
    rows.push_back(
        {{"clauses", clauses(step.clause)},
         {"what", step.name},
         {"paper", step.instructions},
         {"calls", step.calls},
         {"total", total},
         {"percent", step.percent},
         {"ours", our_json},
         {"status",
          status_of(step.must_be_exact ? PublishedKind::must_be_exact : PublishedKind::scalar,
                    step.instructions, ours ? std::optional(ours->body) : std::nullopt)}});
  }
  return {{"rows", rows},
          {"sum", {{"clauses", clauses("VM-RES-006")}, {"paper", sum}, {"ours", our_sum}}},
          {"whole_by_percentages",
           {{"clauses", clauses("VM-RES-006")},
            {"at_least", std::ceil(least)},
            {"at_most", std::floor(most)}}}};
}

double paper_of(const Json& figures, const char* what) {
  for (const Json& figure : figures)
    if (figure["what"] == what) return figure["paper"].real();
  return 0;
}

// What goes together: a shortest encryption may want round keys that take long to make.
Json pairs_json(const Json& figures, WorkloadCounter& counter) {
  Json pairs = Json::array();
  for (const KeyedPair& pair : counter.pairs_of_one_block())
    pairs.push_back({{"keys", pair.keys},
                     {"block", pair.block},
                     {"keys_instructions", pair.keys_instructions},
                     {"block_instructions", pair.block_instructions},
                     {"sum", pair.sum()}});
  const double keys = paper_of(figures, "AES-128 key schedule"),
               block = paper_of(figures, "AES-128 encryption, 16 bytes");
  return {{"paper", {{"keys", keys}, {"block", block}, {"sum", keys + block}}}, {"ours", pairs}};
}

// Ours, as the paper compares it, of the figure called |what|; of our best programs the function
// alone. Nothing if it could not be counted.
std::optional<double> ours_of(const Json& figures, const char* what, bool best) {
  for (const Json& figure : figures) {
    if (figure["what"] != what) continue;
    const bool with_call = !best && figure["call_is_counted"].boolean();
    const Json& count = figure[best ? "best" : "ours"][with_call ? "with_call" : "function"];
    if (!count.is_null()) return count.real();
  }
  return {};
}

// Figures that the paper works out of two others. |difference|: (a - b) / a in percent, else a / b.
struct Derived {
  const char* clauses;
  const char* section;
  const char* what;
  const char* a;
  const char* b;
  bool difference;
  const char* why;
  // Workloads that are a third pair, or null.
  const char* rolled_a = nullptr;
  const char* rolled_b = nullptr;
};

constexpr Derived kDerived[] = {
    {"VM-RES-014", "5.3", "gain of AES-128 encryption", "scalar AES-128 encryption",
     "AES-128 encryption, 16 bytes", false, "scalar over vector; our scalar code takes less"},
    {"VM-RES-014", "5.3", "gain of AES-128 key schedule", "scalar AES-128 key schedule",
     "AES-128 key schedule, skewed", false, "scalar over vector; our scalar code takes less"},
    {"VM-RES-021 VM-RES-022", "5.4", "gain of 64-bit reduction, %",
     "GF(2^191) product, 32-bit reduction", "GF(2^191) product, 64-bit reduction", true,
     "it is loop overhead: in short loops and without loops (best), 64 bits are slower",
     "gf2-191-product-rolled", "gf2-191-product-64-rolled"},
    {"VM-RES-025", "7", "gain of AES-128 encryption", "scalar AES-128 encryption",
     "AES-128 encryption, 16 bytes", false, "from 3283 to 160"},
    {"VM-RES-025", "7", "gain of the GF(2^191) product", "scalar GF(2^191) product",
     "GF(2^191) product, 64-bit reduction", false, "from 22331 to 84"},
};

Json derived_json(const Json& figures, WorkloadCounter& counter) {
  Json list = Json::array();
  for (const Derived& derived : kDerived) {
    const auto value = [&](std::optional<double> a, std::optional<double> b) {
      if (!a || !b) return Json();
      return Json(derived.difference ? 100 * (*a - *b) / *a : *a / *b);
    };
    const auto pair = [&](bool best_a, bool best_b) {
      const std::optional<double> a = ours_of(figures, derived.a, best_a),
                                  b = ours_of(figures, derived.b, best_b);
      Json json = {{"from", a ? Json(*a) : Json()}, {"to", b ? Json(*b) : Json()}};
      json["value"] = value(a, b);
      return json;
    };
    const double a = paper_of(figures, derived.a), b = paper_of(figures, derived.b);
    Json row = {{"clauses", clauses(derived.clauses)},
                {"section", derived.section},
                {"what", derived.what},
                {"paper", {{"from", a}, {"to", b}, {"value", value(a, b)}}},
                {"ours", pair(false, false)},
                // A gain over scalar code is that of our best vector program over it.
                {"best", pair(derived.difference, true)},
                {"why", derived.why}};
    if (derived.rolled_a != nullptr) {
      const std::optional<Count> from = counter.of(derived.rolled_a),
                                 to = counter.of(derived.rolled_b);
      if (from && to)
        row["rolled"] = {{"from", from->function},
                         {"to", to->function},
                         {"value", value(static_cast<double>(from->function),
                                         static_cast<double>(to->function))}};
    }
    list.push_back(std::move(row));
  }
  return list;
}

// Section 5.4: 64-bit reduction needs one vector register more.
Json registers_json(WorkloadCounter& counter) {
  const size_t narrow = counter.registers_of("gf2-191-product"),
               wide = counter.registers_of("gf2-191-product-64");
  return {{"clauses", clauses("VM-RES-023")},
          {"section", "5.4"},
          {"what", "vector registers, 32-bit and 64-bit reduction"},
          {"paper", "one more"},
          {"ours", {narrow, wide}},
          {"status", narrow == 0 || wide == 0 ? "missing"
                     : wide == narrow + 1     ? "exact"
                                              : "NOT MET"}};
}

}  // namespace

Json paper_figures(std::vector<std::string>* out_mistakes) {
  WorkloadCounter counter;
  Json figures = Json::array();
  const Json table = table_json(counter);
  for (const PublishedFigure& figure : kPublishedFigures)
    figures.push_back(figure_json(figure, counter));
  const Json derived = derived_json(figures, counter), registers = registers_json(counter),
             pairs = pairs_json(figures, counter);
  *out_mistakes = counter.mistakes();
  return {{"machine", {{"q", 8}, {"p", 8}, {"r", 8}, {"l", 8}}},
          {"field",
           {{"clauses", clauses("VM-RES-024")},
            {"bits", 191},
            {"polynomial", "x^191 + x^9 + 1"}}},  // the paper's test field
          {"table_1", table},
          {"figures", figures},
          {"pairs", pairs},
          {"derived", derived},
          {"registers", registers}};
}

std::vector<std::string> unmet_figures(const Json& figures) {
  std::vector<std::string> unmet;
  for (const Json* list : {&figures["table_1"]["rows"], &figures["figures"]})
    for (const Json& row : *list)
      if (row["status"] == "NOT MET")
        unmet.push_back(fmt::format("{} is not {:.0f}", row["what"].text(), row["paper"].real()));
  if (figures["registers"]["status"] != "exact")
    unmet.push_back("64-bit reduction does not take one vector register more");
  return unmet;
}

}  // namespace incore::tools
