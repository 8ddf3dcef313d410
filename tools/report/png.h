// Small pictures as PNG (W3C recommendation, second edition), and bytes as base64 for data URIs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace incore::tools {

// |values| are row by row, 0 (white) to 1 (black): one bit for each if all are 0 or 1, else four.
// Not compressed.
std::string png_gray(size_t rows, size_t columns, const std::vector<double>& values);

// RFC 4648, section 4.
std::string base64(const std::string& bytes);

}  // namespace incore::tools
