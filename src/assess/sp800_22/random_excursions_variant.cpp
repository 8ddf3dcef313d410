// Random Excursions Variant Test, SP 800-22 sections 2.15 and 3.15.
#include <array>
#include <cmath>

#include "assess/sp800_22/excursions.h"
#include "assess/sp800_22/statistics.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr int kStates = 9;  // -9 to 9

}  // namespace

Outcomes random_excursions_variant(const Sequence& epsilon) {
  std::array<uint64_t, 2 * kStates + 1> xi{};  // visits to each state
  const int64_t end =
      walk_near_zero(epsilon, kStates, [&](int64_t S) { ++xi[static_cast<size_t>(S + kStates)]; });
  const double J = static_cast<double>(xi[kStates]) + (end != 0);
  Outcomes out;
  for (int x = -kStates; x <= kStates; ++x) {
    if (x == 0) continue;
    const double visits = static_cast<double>(xi[static_cast<size_t>(x + kStates)]);
    const double p = std::erfc(std::fabs(visits - J) / std::sqrt(2 * J * (4.0 * std::abs(x) - 2)));
    out.push_back({"x = " + std::to_string(x), p, visits, {{"J", J}, {"xi", visits}}});
  }
  return out;
}

extern const Test test_random_excursions_variant = {
    .name = "Random Excursions Variant",
    .section = "2.15",
    .looks_at = "visits of the random walk to the state, in all",
    .least_n = 1'000'000,
    .run =
        [](const Sequence& epsilon, const Parameters&, Outcomes& out) {
          Outcomes made = random_excursions_variant(epsilon);
          if (enough_cycles(made[0].figures[0].value, epsilon.n())) out = std::move(made);
        },
    .not_applicable = kTooFewCycles,
    .exact_tail = false};

}  // namespace incore::assess::sp800_22
