#include <fmt/format.h>

#include "tools/base/colour.h"
#include "tools/base/json.h"
#include "tools/vemicry/paper_figures.h"
#include "tools/vemicry/vemicry_published.h"

namespace incore::tools {
namespace {

std::string cell(const Json& number, int digits = 0) {
  return number.is_null() ? "-" : fmt::format("{:.{}f}", number.real(), digits);
}

// Whether the paper's figure is met. What is approached is neither right nor wrong.
std::string status_of(const Json& figure) {
  const std::string& status = figure["status"].text();
  if (status == "approached") return status;
  const bool is_wrong = status == "NOT MET" || status == "missing";
  return coloured(is_wrong ? Verdict::wrong : Verdict::right, status);
}

void print_table(const Json& table) {
  fmt::print(
      "Table 1: steps of scalar AES-128, instructions without call and return\n"
      "  {:<14}{:>9}{:>7}{:>7}{:>7}  {:>9}{:>7}{:>7}  {}\n",
      "", "paper", "calls", "total", "%", "ours", "calls", "total", "");
  for (const Json& row : table["rows"]) {
    const Json& ours = row["ours"];
    fmt::print("  {:<14}{:>9}{:>7}{:>7}{:>7}  {:>9}{:>7}{:>7}  {}\n", row["what"].text(),
               cell(row["paper"]), cell(row["calls"]), cell(row["total"]), row["percent"].real(),
               cell(ours["body"]), cell(ours["calls"]), cell(ours["total"]), status_of(row));
  }
  const Json& whole = table["whole_by_percentages"];
  fmt::print("  {:<14}{:>23}{:>32}\n", "sum", cell(table["sum"]["paper"]),
             cell(table["sum"]["ours"]));
  fmt::print(
      "  The paper's totals add up to {}; its percentages contradict each other: 16 % and 8.5 %\n"
      "  ask for a whole of at least {} and at most {}; section 5.3 has 3283 and 519.\n"
      "  Of the rest: {}.\n\n",
      cell(table["sum"]["paper"]), cell(whole["at_least"]), cell(whole["at_most"]), kScalarWhy);
}

void print_figures(const Json& figures) {
  fmt::print(
      "Sections 5.3 and 5.4: instructions; * marks which of ours the paper's seems to be\n"
      "  with call: and those of a caller, which stores the arguments that go on the stack\n"
      "  {:<36}{:>7}{:>11}{:>11}{:>8}  {}\n",
      "", "paper", "function", "with call", "best", "");
  for (const Json& figure : figures) {
    const bool call = figure["call_is_counted"].boolean(), is_scalar = figure.contains("in_c");
    fmt::print("  {:<36}{:>7}{:>10}{}{:>10}{}{:>7}  {}\n      {}\n", figure["what"].text(),
               cell(figure["paper"]), cell(figure["ours"]["function"]), call ? " " : "*",
               cell(figure["ours"]["with_call"]), call ? "*" : " ",
               is_scalar ? "" : cell(figure["best"]["function"]), status_of(figure),
               figure["why"].text());
    if (is_scalar) fmt::print("      compiled from C: {}\n", cell(figure["in_c"]["function"]));
  }
}

void print_pairs(const Json& pairs) {
  fmt::print(
      "\nAES-128, round keys and one block, by programs that go together: instructions\n"
      "  {:<60}{:>6}{:>7}{:>6}\n  {:<60}{:>6}{:>7}{:>6}\n",
      "", "keys", "block", "sum", "paper", cell(pairs["paper"]["keys"]),
      cell(pairs["paper"]["block"]), cell(pairs["paper"]["sum"]));
  for (const Json& pair : pairs["ours"])
    fmt::print("  {:<60}{:>6}{:>7}{:>6}\n", pair["keys"].text() + ", " + pair["block"].text(),
               cell(pair["keys_instructions"]), cell(pair["block_instructions"]),
               cell(pair["sum"]));
}

void print_derived(const Json& derived, const Json& registers) {
  fmt::print(
      "\nWorked out of them: ratios of instructions, not of time\n  {:<36}{:>18}{:>18}{:>18}\n", "",
      "paper", "ours", "best");
  for (const Json& row : derived) {
    fmt::print("  {:<36}", fmt::format("{} ({})", row["what"].text(), row["section"].text()));
    for (const char* const which : {"paper", "ours", "best"})
      fmt::print("{:>18}", fmt::format("{}: {}/{}", cell(row[which]["value"], 1),
                                       cell(row[which]["from"]), cell(row[which]["to"])));
    fmt::print("\n      {}\n", row["why"].text());
    if (row.contains("rolled"))
      fmt::print("      short loops: {} and {} instructions\n", cell(row["rolled"]["from"]),
                 cell(row["rolled"]["to"]));
  }
  fmt::print("  {:<46}{:>8}{:>18}  {}\n", registers["what"].text(), registers["paper"].text(),
             fmt::format("{} and {}", cell(registers["ours"][0]), cell(registers["ours"][1])),
             status_of(registers));
}

}  // namespace

void print_paper_figures(const Json& figures) {
  fmt::print(
      "The VeMICry paper's machine: q = p = r = 8, one cycle for each instruction.\n"
      "Products are modulo {}.\n\n",
      figures["field"]["polynomial"].text());
  print_table(figures["table_1"]);
  print_figures(figures["figures"]);
  print_pairs(figures["pairs"]);
  print_derived(figures["derived"], figures["registers"]);
}

}  // namespace incore::tools
