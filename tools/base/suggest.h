// "Did you mean": the name that somebody has probably mistyped.
#pragma once

#include <string>
#include <vector>

namespace incore::tools {

// The one of |names| that |wrong| is nearest to, by letters that are missing, too many, wrong, or
// exchanged with their neighbours; empty if none is near: one such mistake for each three letters.
std::string nearest_name(const std::string& wrong, const std::vector<std::string>& names);

// "; did you mean 'NAME'?", or nothing.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& names);

}  // namespace incore::tools
