// FFTW makes and destroys plans in one thread at a time; it executes them in any.
#pragma once

#include <mutex>

namespace incore::assess {

inline std::mutex fftw_planner;  // held while a plan is made or destroyed

}  // namespace incore::assess
