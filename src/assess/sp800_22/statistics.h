// The tests' computations for any parameters, so that the small worked examples of SP 800-22 can be
// checked. Each is defined in the file of its test.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "assess/sp800_22/test.h"

namespace incore::assess::sp800_22 {

// The name of a figure: the P-value that the probabilities give with which NIST computed its
// examples, where better ones are known.
inline constexpr const char* kByPrintedPi = "P-value by printed pi";

// chi-square of counts nu against probabilities pi.
double chi_square(std::span<const uint64_t> nu, std::span<const double> pi);

// Counts of all values of |width| consecutive bits, the sequence closed to a ring; width <= 16.
std::vector<uint32_t> ring_counts(const Sequence& epsilon, unsigned width);

Outcome frequency(const Sequence& epsilon);                    // 2.1
double frequency_share(uint64_t n, double p);                  // Test::share of 2.1
Outcome block_frequency(const Sequence& epsilon, unsigned M);  // 2.2
Outcome runs(const Sequence& epsilon);                         // 2.3
Outcome longest_run(const Sequence& epsilon);                  // 2.4
unsigned rank_of(std::array<uint32_t, 32> rows);               // 2.5, of a 32 x 32 matrix
Outcome rank(const Sequence& epsilon);                         // 2.5
Outcome fourier_transform(const Sequence& epsilon);            // 2.6
std::vector<uint32_t> aperiodic_templates(unsigned m);         // 2.7
Outcomes non_overlapping_template(const Sequence& epsilon, unsigned m, unsigned N);  // 2.7

// 2.8: matches of m ones in each block of M bits, counted as 0, 1, ... 5 or more, against the
// probabilities of that.
using OverlappingPi = std::array<double, 6>;
OverlappingPi overlapping_pi(unsigned m, unsigned M);             // exact (section 3.8)
OverlappingPi overlapping_pi_asymptotic(unsigned m, unsigned M);  // as NIST's program has them
std::array<uint64_t, 6> overlapping_nu(const Sequence& epsilon, unsigned m, unsigned M);

double universal_f_n(const Sequence& epsilon, unsigned L, uint64_t Q);             // 2.9
Outcome universal(const Sequence& epsilon);                                        // 2.9
unsigned linear_complexity_of(const Sequence& epsilon, size_t first, unsigned M);  // 2.10
Outcome linear_complexity(const Sequence& epsilon, unsigned M);                    // 2.10
Outcomes serial(const Sequence& epsilon, unsigned m);                              // 2.11
Outcome approximate_entropy(const Sequence& epsilon, unsigned m);                  // 2.12
Outcomes cumulative_sums(const Sequence& epsilon);  // 2.13: forward, backward

// 2.14, 2.15: for any number J of cycles.
Outcomes random_excursions(const Sequence& epsilon);
Outcomes random_excursions_variant(const Sequence& epsilon);

}  // namespace incore::assess::sp800_22
