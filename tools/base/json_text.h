// JSON as every command prints and writes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace incore::tools {

// Indented, with a line feed at its end. Names of files need not be UTF-8, JSON must: what is not,
// is replaced.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace incore::tools
