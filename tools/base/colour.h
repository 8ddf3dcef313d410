// Colour for verdicts, on a terminal only; NO_COLOR (no-color.org) and TERM=dumb forbid it.
#pragma once

#include <string>

namespace incore::tools {

enum class Verdict { right, wrong, doubtful };

// Whether standard output shows colours.
bool stdout_has_colours();

// |text| in the colour of |verdict|: green, red, yellow; or as it is.
std::string coloured(Verdict verdict, const std::string& text,
                     bool has_colours = stdout_has_colours());

}  // namespace incore::tools
