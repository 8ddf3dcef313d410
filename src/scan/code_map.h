// The code of an ELF image: its functions, the gaps between them, and walks through both. Nothing
// is walked before it is asked for.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "scan/code_walk.h"
#include "scan/elf_image.h"
#include "scan/site.h"

namespace incore::scan {

struct Function {
  Range range;
  Proof proof;  // unwind_table or symbol: who says that it is one
};

class CodeMap {
 public:
  // |image| and |symbols| must outlive the map. |allowance| bounds the instructions that all walks
  // together decode.
  CodeMap(const ElfImage& image, const std::vector<Symbol>& symbols, uint64_t allowance);

  // The functions that contain |address|: those of the unwind table first, then nearest start
  // first.
  std::vector<Function> functions_around(uint64_t address) const;

  // The walk through |function| from its start and from the starts of those inside it.
  CodeWalk& walk_function(const Function& function);

  // Follows the flow of control into the gaps between functions and into functions that hold one of
  // |wanted| (ascending addresses): from the entry point, the init and fini arrays, IFUNC
  // resolvers, symbols without a size, and from direct jumps and calls of functions that a byte
  // search suggests and a walk confirms.
  void follow_control_flow(std::span<const uint64_t> wanted);

  // Adds to the walks of the gaps what looks like a function around one of |wanted|: it begins
  // aligned and behind padding, and all that is reached from there decodes without a flaw.
  // Functions that nothing calls are found so. This is no proof.
  void guess_functions(std::span<const uint64_t> wanted);

  // The walks that exist and contain |address|.
  std::vector<const CodeWalk*> walks_around(uint64_t address) const;

 private:
  struct Destination {  // code into which the flow of control is to be followed
    Range range;
    bool is_gap;
  };

  std::span<const uint8_t> bytes_of(const Range& range) const;
  std::vector<Range> covered_ranges() const;
  void find_destinations(const std::vector<Range>& covered, std::span<const uint64_t> wanted);
  const Destination* destination_of(uint64_t address) const;
  void add_start_code();
  void add_callers(const Range& covered);
  void add_neighbours(std::span<const uint64_t> wanted);
  void add_exits_of_functions_around(uint64_t address);
  void enter(uint64_t address);
  CodeWalk& walk_gap(const Range& gap);
  bool is_behind_padding(const Range& range, uint64_t address) const;

  const ElfImage& image_;
  const std::vector<Symbol>& symbols_;
  InstructionDecoder decoder_;
  std::vector<Function> functions_;                          // by ascending start
  std::map<std::pair<uint64_t, uint64_t>, CodeWalk> walks_;  // of functions, by start and end
  std::map<uint64_t, CodeWalk> gap_walks_;                   // by start
  std::vector<Destination> destinations_;                    // by ascending start
  std::vector<uint64_t> to_enter_;
};

}  // namespace incore::scan
