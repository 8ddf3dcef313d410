#include "tools/report/html_page.h"

#include <fmt/format.h>

namespace incore::tools {
namespace {

// Colours by Okabe and Ito, which the colour-blind can tell apart; the dark page has lighter ones.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #59636e; --grid: #e3e7eb; --page: #fff; --front: #c1121f; --band: #dcefe6; --soft: #f5f7f9;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b5569a; --c4: #a87b00; --c5: #2f8fc7; --c6: #555; --c7: #6a3d9a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --faint: #9aa4ae; --grid: #30363d; --page: #14181d; --front: #ff6b6b; --band: #1d3a2e; --soft: #1c2229;
  --c0: #56b4e9; --c1: #ff9a4d; --c2: #2ed3a2; --c3: #e89ccb; --c4: #f0c74a; --c5: #8fd0ff; --c6: #b8b8b8; --c7: #b99be8; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 72em;
  margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.25em; margin-top: 2em; border-top: 1px solid var(--grid); padding-top: 1em; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(30em, 100%), 1fr)); gap: 1em; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .plot-title { font-size: 15px; font-weight: 600; } svg .tick { fill: var(--faint); }
svg .middle { text-anchor: middle; } svg .end { text-anchor: end; }
.grid { stroke: var(--grid); fill: none; } .frame { stroke: var(--faint); fill: none; }
.line { fill: none; stroke-width: 1.5; } .front { fill: none; stroke: var(--front); stroke-width: 1.5; }
.c0 { fill: var(--c0); stroke: var(--c0); } .c1 { fill: var(--c1); stroke: var(--c1); }
.c2 { fill: var(--c2); stroke: var(--c2); } .c3 { fill: var(--c3); stroke: var(--c3); }
.c4 { fill: var(--c4); stroke: var(--c4); } .c5 { fill: var(--c5); stroke: var(--c5); }
.c6 { fill: var(--c6); stroke: var(--c6); } .c7 { fill: var(--c7); stroke: var(--c7); }
polyline.line { fill: none; }
table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .2em .8em; text-align: right; }
th { text-align: right; border-bottom: 2px solid var(--grid); } td { border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child { text-align: left; } .best { font-weight: 600; } .wide { overflow-x: auto; }
.band { fill: var(--band); } .guide { stroke: var(--faint); stroke-dasharray: 5 4; }
.dots { stroke-width: 3; stroke-linecap: round; } .bars { stroke: none; }
.note { color: var(--faint); } summary { cursor: pointer; }
)";

}  // namespace

std::string html_page(const std::string& title, const std::string& body, const std::string& style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      title, kStyle, style, body);
}

}  // namespace incore::tools
