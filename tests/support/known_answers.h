// Which kernel gave which known answers: what `make vectors` makes its table of. Tests of third
// parties' vectors call these at their ends; without INCORE_KNOWN_ANSWERS, which names the file
// that a line is added to, they do nothing.
#pragma once

#include <cstddef>
#include <string>

namespace incore::test {

// |kernel| of |algorithm|, as INCORE_KERNEL names them, gave |num| answers of |vectors| ("NIST CAVP
// AES-CBC"). A test that has failed or was skipped has given none.
void gave_answers(const std::string& algorithm, const std::string& kernel,
                  const std::string& vectors, size_t num);

// The kernel that serves |algorithm| in this process, asked where the C interface asks.
std::string serving_kernel(const std::string& algorithm);

}  // namespace incore::test
