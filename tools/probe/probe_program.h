// The program incore-probe, which `incore` carries inside: given out, or run on this processor or
// on a model.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace incore::tools {

// Its bytes: an ELF image for 32-bit x86.
std::span<const char> probe_image();

// Runs it with |arguments| on |model|, as --cpu of incore run has it, or, if that is empty, on this
// processor. |emulates_stale_keys|: REP XCRYPT keeps its key as silicon does. What the program says
// on standard error goes there; |out_document| gets its standard output. On failure |out_error|
// gets what is wrong, in words, or nothing where the program has said it.
bool run_probe(const std::string& model, bool emulates_stale_keys,
               const std::vector<std::string>& arguments, std::string* out_document,
               std::string* out_error);

}  // namespace incore::tools
