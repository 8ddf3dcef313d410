// The names of the IID track's statistics, in the standard's order, as reports and data files have
// them.
#pragma once

namespace incore::test {

inline constexpr const char* kStatisticNames[] = {"excursion",
                                                  "number of directional runs",
                                                  "length of directional runs",
                                                  "number of increases and decreases",
                                                  "number of runs based on the median",
                                                  "length of runs based on the median",
                                                  "average collision",
                                                  "maximum collision",
                                                  "periodicity, lag 1",
                                                  "periodicity, lag 2",
                                                  "periodicity, lag 8",
                                                  "periodicity, lag 16",
                                                  "periodicity, lag 32",
                                                  "covariance, lag 1",
                                                  "covariance, lag 2",
                                                  "covariance, lag 8",
                                                  "covariance, lag 16",
                                                  "covariance, lag 32",
                                                  "compression"};

}  // namespace incore::test
