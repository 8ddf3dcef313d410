// Types of CLI11 by name: its own header costs seconds in each file that includes it, and most only
// hand these on.
#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI
