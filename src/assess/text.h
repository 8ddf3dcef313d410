// Sentences with figures in them.
#pragma once

#include <string>

namespace incore::assess {

// As printf.
[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...);

}  // namespace incore::assess
