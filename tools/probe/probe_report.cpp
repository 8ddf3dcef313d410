#include "tools/probe/probe_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/base/quote.h"

namespace incore::tools {
namespace {

std::string joined(const std::vector<FactDifference>& facts, std::string FactDifference::*side) {
  constexpr size_t kMostShown = 3;
  std::string text;
  for (size_t i = 0; i < facts.size() && i < kMostShown; ++i)
    text += (i == 0 ? "" : ", ") + facts[i].*side;
  if (facts.size() > kMostShown) text += fmt::format(" and {} more", facts.size() - kMostShown);
  return text;
}

std::string difference_line(const ProbeDifference& d) {
  return one_line(fmt::format("{} ({}): silicon: {}; model: {}", d.clause, d.name,
                              joined(d.facts, &FactDifference::silicon),
                              joined(d.facts, &FactDifference::model)));
}

// Reasons, and how many experiments each keeps from being compared.
std::string gaps_text(const std::vector<ProbeGap>& gaps) {
  std::map<std::string, size_t> reasons;
  for (const ProbeGap& gap : gaps) ++reasons[gap.reason];
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += one_line(fmt::format("not compared: {} experiments; {}", count, reason)) + "\n";
  return text;
}

std::string timings_text(const ProbeComparison& c) {
  if (c.was_emulated)
    return "clocks: none to judge; incore run recorded the file, whose times are this machine's\n";
  if (c.timings.empty()) return "clocks: none that both have\n";
  constexpr size_t kMostShown = 10;
  std::vector<ProbeTiming> others;
  size_t num_judged = 0;
  for (const ProbeTiming& t : c.timings) {
    if (t.is_judged) ++num_judged;
    if (t.is_judged && !t.fits) others.push_back(t);
  }
  const auto error = [](const ProbeTiming& t) { return (t.silicon - t.model) / t.model; };
  std::stable_sort(others.begin(), others.end(), [&](const ProbeTiming& a, const ProbeTiming& b) {
    return std::abs(error(a)) > std::abs(error(b));
  });
  std::string text = fmt::format(
      "clocks: {} of {} as the timing model says, within {:.0f} % or {:.0f} clocks\n",
      num_judged - others.size(), num_judged, 100 * kTimingTolerance, kTimingToleranceClocks);
  for (size_t i = 0; i < others.size() && i < kMostShown; ++i)
    text += one_line(fmt::format("  {}: silicon {:.0f}, model {:.0f}, {:+.0f} %", others[i].what,
                                 others[i].silicon, others[i].model, 100 * error(others[i]))) +
            "\n";
  if (others.size() > kMostShown)
    text += fmt::format("  and {} more (--json has all)\n", others.size() - kMostShown);
  return text;
}

std::string noise_line(const char* what, double a, double error_a, double b, double error_b) {
  return fmt::format("  {}: silicon {:.5f}, model {:.5f}, error {:.5f}{}\n", what, a, b,
                     std::hypot(error_a, error_b),
                     noise_fits(a, error_a, b, error_b) ? "" : ", apart");
}

std::string noise_text(const ProbeComparison& c) {
  const NoiseFigures &a = c.silicon_noise, &b = c.model_noise;
  if (a.bits == 0 || b.bits == 0) return "noise: not on both sides\n";
  return fmt::format("noise: {} bits of silicon, {} of the model\n", a.bits, b.bits) +
         noise_line("share of ones", a.ones, a.ones_error, b.ones, b.ones_error) +
         noise_line("correlation of neighbours", a.correlation, a.correlation_error, b.correlation,
                    b.correlation_error) +
         fmt::format("  chi square of bytes (255 expected): silicon {:.0f}, model {:.0f}\n",
                     a.chi_square, b.chi_square);
}

Json gaps_json(const std::vector<ProbeGap>& gaps) {
  Json list = Json::array();
  for (const ProbeGap& gap : gaps)
    list.push_back({{"clause", gap.clause}, {"name", gap.name}, {"reason", gap.reason}});
  return list;
}

Json noise_json(const NoiseFigures& n) {
  return {{"bits", n.bits},
          {"ones", n.ones},
          {"ones_error", n.ones_error},
          {"correlation", n.correlation},
          {"correlation_error", n.correlation_error},
          {"chi_square", n.chi_square}};
}

}  // namespace

std::string probe_comparison_text(const ProbeComparison& c) {
  const ProbeBehaviour& b = c.behaviour;
  std::string text;
  for (const ProbeDifference& d : b.differences) text += difference_line(d) + "\n";
  text += one_line(fmt::format("{} and {}: {} differences in {} experiments and {} leaves of CPUID",
                               c.file, c.model, b.differences.size(), b.num_experiments,
                               b.num_leaves)) +
          "\n";
  if (c.reloads_keys)
    text += "incore run recorded the file without --stale-key=emulate; the model ran so too\n";
  if (b.num_limited != 0)
    text += fmt::format("{} CPUID registers are the model's, but less on this machine\n",
                        b.num_limited);
  for (const ProbeGap& gap : b.unsteady)
    text += one_line(fmt::format("unsteady: {} ({}): {}", gap.clause, gap.name, gap.reason)) + "\n";
  return text + gaps_text(b.not_compared) + timings_text(c) + noise_text(c);
}

Json probe_comparison_json(const ProbeComparison& c) {
  const ProbeBehaviour& b = c.behaviour;
  Json differences = Json::array(), timings = Json::array();
  for (const ProbeDifference& d : b.differences) {
    Json facts = Json::array();
    for (const FactDifference& f : d.facts)
      facts.push_back({{"silicon", f.silicon}, {"model", f.model}});
    differences.push_back({{"clause", d.clause}, {"name", d.name}, {"facts", facts}});
  }
  for (const ProbeTiming& t : c.timings)
    timings.push_back({{"what", t.what},
                       {"silicon", t.silicon},
                       {"model", t.model},
                       {"judged", t.is_judged},
                       {"fits", t.fits}});
  return {
      {"file", c.file},
      {"model", c.model},
      {"same", b.differences.empty()},
      {"differences", differences},
      {"experiments", b.num_experiments},
      {"cpuid_leaves", b.num_leaves},
      {"limited_by_this_machine", b.num_limited},
      {"keys_reloaded", c.reloads_keys},
      {"not_compared", gaps_json(b.not_compared)},
      {"unsteady", gaps_json(b.unsteady)},
      {"recorded_by_incore_run", c.was_emulated},
      {"clocks", timings},
      {"noise", {{"silicon", noise_json(c.silicon_noise)}, {"model", noise_json(c.model_noise)}}}};
}

}  // namespace incore::tools
