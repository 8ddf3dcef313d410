// Random Excursions Test, SP 800-22 sections 2.14 and 3.14.
#include <array>

#include "assess/sp800_22/excursions.h"
#include "assess/sp800_22/statistics.h"
#include "assess/special.h"

namespace incore::assess::sp800_22 {
namespace {

constexpr int kStates = 4;   // -4 to 4
constexpr size_t kMost = 5;  // visits to a state in a cycle: 0 to 4, and 5 or more

// The probabilities of so many visits to a state x (section 3.14).
std::array<double, kMost + 1> pi_of(int x) {
  const double leaves = 1 / (2.0 * std::abs(x));  // for 0, before it comes back to x
  std::array<double, kMost + 1> pi = {1 - leaves};
  double visited = leaves;  // k times or more
  for (size_t k = 1; k < kMost; ++k) {
    pi[k] = visited * leaves;
    visited *= 1 - leaves;
  }
  pi[kMost] = visited;
  return pi;
}

}  // namespace

Outcomes random_excursions(const Sequence& epsilon) {
  constexpr size_t kIndexes = 2 * kStates + 1;
  std::array<std::array<uint64_t, kMost + 1>, kIndexes> nu{};
  std::array<size_t, kIndexes> visits{};
  uint64_t J = 0;
  const auto end_cycle = [&] {
    ++J;
    for (size_t x = 0; x < kIndexes; ++x) ++nu[x][std::min(visits[x], kMost)];
    visits.fill(0);
  };
  const int64_t end = walk_near_zero(epsilon, kStates, [&](int64_t S) {
    if (S == 0)
      end_cycle();
    else
      ++visits[static_cast<size_t>(S + kStates)];
  });
  if (end != 0) end_cycle();  // by the zero that is put behind the sums
  Outcomes out;
  for (int x = -kStates; x <= kStates; ++x) {
    if (x == 0) continue;
    const double statistic = chi_square(nu[static_cast<size_t>(x + kStates)], pi_of(x));
    out.push_back({"x = " + std::to_string(x),
                   chi_square_p(statistic, kMost),
                   statistic,
                   {{"J", static_cast<double>(J)}}});
  }
  return out;
}

extern const Test test_random_excursions = {
    .name = "Random Excursions",
    .section = "2.14",
    .looks_at = "visits of the random walk to the state, in each cycle",
    .least_n = 1'000'000,
    .run =
        [](const Sequence& epsilon, const Parameters&, Outcomes& out) {
          Outcomes made = random_excursions(epsilon);
          if (enough_cycles(made[0].figures[0].value, epsilon.n())) out = std::move(made);
        },
    .not_applicable = kTooFewCycles,
    .exact_tail = false};

}  // namespace incore::assess::sp800_22
