// Where an instruction is, as reports show it. |Place| is incore_run_finding or incore_run_call.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tools/base/json.h"
#include "tools/base/quote.h"

namespace incore::tools {

template <class Place>
std::string place_text(const Place& place) {
  std::string text = fmt::format("{:#x}", place.address);
  if (place.function != nullptr)
    text += fmt::format(" in {}+{:#x}", one_line(place.function), place.function_offset);
  if (place.source != nullptr) text += fmt::format(" {}:{}", one_line(place.source), place.line);
  if (place.module != nullptr)
    text += fmt::format(" ({}+{:#x})", one_line(place.module), place.offset);
  return text;
}

// Adds the members that are known.
template <class Place>
void add_place(const Place& place, Json* inout_entry) {
  Json& entry = *inout_entry;
  if (place.module != nullptr) {
    entry["module"] = place.module;
    entry["offset"] = place.offset;
  }
  if (place.function != nullptr) {
    entry["function"] = place.function;
    entry["function_offset"] = place.function_offset;
  }
  if (place.source != nullptr) {
    entry["source"] = place.source;
    entry["line"] = place.line;
  }
}

}  // namespace incore::tools
