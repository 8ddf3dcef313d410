// Tells instructions from data in a range of x86 code by following the flow of control from known
// starts.
#pragma once

#include <Zydis/Decoder.h>

#include <cstdint>
#include <span>
#include <vector>

#include "scan/elf_image.h"

namespace incore::scan {

// What follows an instruction.
enum class Flow : uint8_t { next, call, branch, jump, indirect_jump, stop };

struct Instruction {
  uint8_t length;
  Flow flow;
  bool has_target;   // call, branch and jump: |target| is known
  bool implausible;  // programs do not use it: I/O ports, far calls, privileged instructions
  uint64_t target;
  uint64_t
      reference;  // the address it reads or takes (RIP-relative, absolute, immediate); 0 if none
};

// Decodes instructions until its allowance is used up, which bounds the time that a hostile file
// can cost.
class InstructionDecoder {
 public:
  InstructionDecoder(bool is_64bit, uint64_t allowance);

  // False: no valid instruction, or the allowance is used up.
  bool decode(std::span<const uint8_t> bytes, uint64_t address, Instruction* out_instruction);

  // Takes |cost| instructions off the allowance; false if it is used up.
  bool spend(uint64_t cost);

 private:
  ZydisDecoder decoder_;
  bool is_64bit_;
  uint64_t allowance_;
};

class CodeWalk {
 public:
  // |bytes| lie at |start|.
  CodeWalk(InstructionDecoder& decoder, std::span<const uint8_t> bytes, uint64_t start);

  Range range() const { return {start_, start_ + length_at_.size()}; }

  // Marks all that is reachable from |address| by falling through, direct jumps, branches and
  // calls.
  void descend(uint64_t address);

  // Marks what lies between if there are indirect jumps, whose targets (the cases of a switch) are
  // not known: it must decode without a flaw up to what is marked already, no branch may lead into
  // the middle of an instruction, and nothing may refer to it as data.
  void add_islands();

  // Like descend(), but marks nothing and returns false if anything on the way does not decode, is
  // implausible, or leads into the middle of an instruction.
  bool try_function(uint64_t address);

  // The length of the instruction that begins at |address|, 0 if none does.
  uint8_t instruction_length(uint64_t address) const;

  // True if |address| is in an instruction, but not its first byte.
  bool is_inside_instruction(uint64_t address) const;

  // Targets of direct jumps and calls outside the range, found since the last call.
  std::vector<uint64_t> take_exits();

 private:
  bool decode_at(uint64_t address, Instruction* out_instruction);
  void unmark(uint64_t from, uint64_t to);
  void follow_run(uint64_t address, std::vector<uint64_t>& work);
  void mark(uint64_t address, const Instruction& insn);
  bool is_marked_inside(uint64_t address, uint8_t length) const;
  bool try_island(uint64_t from, uint64_t* out_end);

  InstructionDecoder& decoder_;
  std::span<const uint8_t> bytes_;
  uint64_t start_;
  std::vector<uint8_t>
      length_at_;  // per byte: the length of the instruction that begins there, or 0
  bool has_indirect_jump_ = false;
  std::vector<uint64_t> exits_;
  std::vector<uint64_t>
      references_;  // addresses inside the range that its instructions refer to as data
};

}  // namespace incore::scan
