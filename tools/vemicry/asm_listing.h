// An assembly source with what its lines made: addresses and words beside the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace incore::tools {

class AsmListing {
 public:
  explicit AsmListing(std::string_view source) : rest_(source) {}

  // The bytes that line |number| made; lines before it that made none are listed first.
  void add(uint32_t number, uint32_t address, const uint8_t* bytes, size_t len);
  // All of it.
  const std::string& finish();

 private:
  std::string take_line();
  void put(const std::string& row, const std::string& line);

  std::string_view rest_;
  std::string text_;
  uint32_t listed_ = 0;  // lines
};

}  // namespace incore::tools
