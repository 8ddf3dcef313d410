// Text in lines of a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace incore::tools {

// |begin| and the words of |text| in lines of at most |columns| characters, as far as words allow,
// each with a line feed; all but the first begin with |indent| blanks.
std::string wrapped(const std::string& begin, const std::string& text, size_t indent,
                    size_t columns);

}  // namespace incore::tools
