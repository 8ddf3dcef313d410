// The figures of the VeMICry paper beside those of our programs on the paper's machine. The printed
// figures are data (vemicry_published.h), all else is run or computed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace incore::tools {

// All of them, with the clauses that they are about. What went wrong when programs ran is added to
// |out_mistakes|.
nlohmann::ordered_json paper_figures(std::vector<std::string>* out_mistakes);

// |figures| as tables.
void print_paper_figures(const nlohmann::ordered_json& figures);

// What is not as the paper demands.
std::vector<std::string> unmet_figures(const nlohmann::ordered_json& figures);

}  // namespace incore::tools
