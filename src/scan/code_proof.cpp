#include "scan/code_proof.h"

#include <algorithm>

#include "scan/code_map.h"

namespace incore::scan {

bool are_instructions(const uint8_t* image, size_t len, uint64_t file_offset,
                      std::span<const uint8_t> lengths) {
  ElfImage elf;
  if (!elf.parse(image, len).empty() || elf.is_power()) return false;
  const auto segment =
      std::find_if(elf.segments().begin(), elf.segments().end(), [file_offset](const Segment& s) {
        return s.executable && file_offset >= s.file_offset &&
               file_offset - s.file_offset < s.bytes.size();
      });
  if (segment == elf.segments().end()) return false;
  uint64_t address = segment->address + (file_offset - segment->file_offset);
  if (elf.is_in_data_section(address)) return false;
  const std::vector<Symbol> symbols = elf.functions();
  CodeMap map(elf, symbols, static_cast<uint64_t>(len));
  const std::vector<Function> functions = map.functions_around(address);
  return std::any_of(functions.begin(), functions.end(), [&](const Function& function) {
    const CodeWalk& walk = map.walk_function(function);
    uint64_t at = address;
    return std::all_of(lengths.begin(), lengths.end(), [&](uint8_t length) {
      const bool is_one = walk.instruction_length(at) == length;
      at += length;
      return is_one;
    });
  });
}

}  // namespace incore::scan
