// The suites of tests, as a user names them.
#pragma once

#include <string>
#include <vector>

namespace incore::tools {

std::vector<std::string> assess_suite_names();

// Two lines for each suite: its name and title, and where it comes from.
std::string assess_suites_text();

// Whether a suite whose name begins with |name| is in |list|, which is names separated by commas,
// "all", or empty for those by default.
bool takes_suite(const std::string& list, const std::string& name);

}  // namespace incore::tools
