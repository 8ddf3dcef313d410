// The code of a PowerPC file: which words are reached, and from where (Power ISA 2.07B, Book I,
// chapter 2: branch instructions).
#pragma once

#include <cstdint>
#include <vector>

#include "scan/elf_image.h"
#include "scan/site.h"

namespace incore::scan {

class PowerCodeWalk {
 public:
  // |image| must outlive the walk.
  explicit PowerCodeWalk(const ElfImage& image);

  // Marks what is reached inside |function| from its start. Where it jumps to a computed address
  // (the cases of a switch), also each stretch of it that decodes without a flaw.
  void add_function(const Range& function, Proof proof);

  // Marks what is reached from |address| on, wherever it leads.
  void follow(uint64_t address);
  // The same from where the functions and walks so far lead outside of them.
  void follow_exits();

  // How |address| was reached; Proof::none if it was not.
  Proof proof_at(uint64_t address) const;

  // True if the words around |address|, from the end of other code on and up to a jump or return,
  // are instructions.
  bool looks_like_code(uint64_t address);

 private:
  struct Insn {
    bool is_valid = false;
    bool falls_through = true;      // the next word may be executed after it
    bool is_computed_jump = false;  // to an address that only the program knows
    bool has_target = false;        // a direct branch or call
    uint64_t target = 0;
  };
  struct Code {
    Range range;  // whole words
    std::span<const uint8_t> bytes;
    std::vector<Proof> proofs;  // of each word
  };

  bool spend(uint64_t num_words);
  const Code* code_at(uint64_t address) const;
  Code* code_at(uint64_t address);
  uint32_t word_at(const Code& code, uint64_t address) const;
  Insn decode(const Code& code, uint64_t address) const;
  bool walk(const Range& within, uint64_t start, Proof proof);
  void add_islands(const Range& function, Proof proof);

  const ElfImage& image_;
  std::vector<Code> codes_;  // executable segments, by ascending address
  std::vector<uint64_t> exits_;
  uint64_t allowance_ = 1'000'000;  // words that may be read more than once, whatever the file says
};

}  // namespace incore::scan
