// The frame of reports: one HTML page that needs nothing else. It is XML too, so that any parser
// reads it.
#pragma once

#include <string>

namespace incore::tools {

// |title| and |body| are markup already; |style| is added to what plots and tables have.
std::string html_page(const std::string& title, const std::string& body,
                      const std::string& style = "");

}  // namespace incore::tools
