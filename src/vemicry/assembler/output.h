// What has been assembled so far: sections, and the places in them that wait for addresses.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "vemicry/assembler/expression.h"
#include "vemicry/image.h"
#include "vemicry/operands.h"

namespace incore::vemicry {

struct Section {
  std::string name;
  bool is_loaded = true, is_executable = false, is_writable = false, is_zero = false;
  uint32_t alignment = 16;
  std::vector<uint8_t> bytes;  // of .bss too
};

class Output {
 public:
  explicit Output(bool little_endian);

  // Goes to the section |name|, which is made as its name tells if it is new.
  void select(std::string_view name);
  Section& section() { return sections_[static_cast<size_t>(current_)]; }
  int current() const { return current_; }
  const std::deque<Section>& sections() const { return sections_; }
  Value here() const { return {current_, sections_[static_cast<size_t>(current_)].bytes.size()}; }

  // These append; |size| bytes are 1, 2, 4 or 8. Throw if the program becomes too large.
  void put(uint64_t value, uint32_t size);
  void fill(uint64_t num_bytes, uint8_t byte);
  void replace(Value place, uint64_t value, uint32_t size);
  uint32_t word_at(Value place) const;

  // Addresses of the sections.
  std::vector<uint32_t> lay_out() const;
  Image image(const std::vector<uint32_t>& bases) const;

 private:
  const bool little_endian_;
  std::deque<Section> sections_;
  int current_ = 0;
  uint64_t num_bytes_ = 0;
};

}  // namespace incore::vemicry
