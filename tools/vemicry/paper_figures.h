// The figures of the VeMICry paper beside those of our programs on the paper's machine. The printed
// figures are data (vemicry_published.h), all else is run or computed.
#pragma once

#include <string>
#include <vector>

#include "tools/base/json.h"

namespace incore::tools {

// All of them, with the clauses that they are about. What went wrong when programs ran is added to
// |out_mistakes|.
Json paper_figures(std::vector<std::string>* out_mistakes);

// |figures| as tables.
void print_paper_figures(const Json& figures);

// What is not as the paper demands.
std::vector<std::string> unmet_figures(const Json& figures);

}  // namespace incore::tools
