#include "tools/vemicry/asm_listing.h"

#include <fmt/format.h>

#include <algorithm>

namespace incore::tools {
namespace {

constexpr size_t kMaxRows = 4;  // of words, for one line of the source

}  // namespace

void AsmListing::add(uint32_t number, uint32_t address, const uint8_t* bytes, size_t len) {
  while (listed_ + 1 < number) put("", take_line());
  std::string text = listed_ + 1 == number ? take_line() : "";
  for (size_t i = 0; i < len && i < 4 * kMaxRows; i += 4) {
    std::string row = fmt::format("{:08x} ", address + i);
    for (size_t k = i; k < std::min(len, i + 4); ++k) row += fmt::format("{:02x}", bytes[k]);
    put(row, text);
    text.clear();
  }
  if (len > 4 * kMaxRows) put(fmt::format("... {} bytes", len), "");
}

const std::string& AsmListing::finish() {
  while (!rest_.empty()) put("", take_line());
  return text_;
}

std::string AsmListing::take_line() {
  const size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string line = fmt::format("{:5}  {}", ++listed_, rest_.substr(0, end));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return line;
}

void AsmListing::put(const std::string& row, const std::string& line) {
  std::string text = fmt::format("{:<17}  {}", row, line);
  text.erase(text.find_last_not_of(" \t\r") + 1);
  text_ += text + "\n";
}

}  // namespace incore::tools
