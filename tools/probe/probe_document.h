// The document that incore-probe writes, read without trust. probe.md describes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/base/json.h"

namespace incore::tools {

// Puts the document in |text| into |*out|. Returns what is wrong with it, in words, or nothing:
// then what the functions below read is there and of the right kind.
std::string read_probe_document(std::string_view text, Json* out);

// Whether `incore run` emulated the processor.
bool probe_was_emulated(const Json& document);

// The number in a text such as "0x0000000a"; 0 if it is none.
uint64_t hex_number(const Json& text);

// Whether the two are the same, in whatever order their members stand.
bool same_json(const Json& a, const Json& b);

// The bytes that hexadecimal digits spell; what is none ends them.
std::string hex_bytes(std::string_view digits);

}  // namespace incore::tools
