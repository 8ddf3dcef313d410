// The calls of REP XCRYPTCTR that the sample CTR_ERRATA makes, with its key, counter block and
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/samples/padlock_chip.h"

namespace incore::tools {

// The processor could not do what was asked.
struct ChipError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr uint64_t kCtrLoopClocks = 9;  // a turn of the guide's loop: docs/timing.md

// The operands, aligned as the instruction wants them. Calls throw ChipError.
class CtrEncryption {
 public:
  CtrEncryption(PadlockChip& chip, size_t num_blocks);
  ~CtrEncryption();
  CtrEncryption(const CtrEncryption&) = delete;

  // All blocks in one instruction; two of them; one instruction for each.
  void run_whole() { run(1, num_blocks_); }
  void run_pair() { run(1, kBlocksOfPair); }
  void run_block_by_block() { run(num_blocks_, 1); }

  // The low half of the last counter word after the last call, and what it is after |blocks| of one
  // call that nothing interrupts.
  uint16_t counter() const;
  static uint16_t expected_counter(bool has_erratum, size_t blocks);

  void keep_as_reference() { reference_ = cipher_; }
  bool equals_reference() const;
  std::string first_block() const;  // in hexadecimal

 private:
  static constexpr size_t kBlocksOfPair = 2;
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  struct Fixed;
  // |num_instructions| of |blocks| each, one behind the other.
  void run(size_t num_instructions, size_t blocks);

  PadlockChip& chip_;
  const size_t num_blocks_;
  std::unique_ptr<Fixed> fixed_;
  std::vector<Block> plain_, cipher_, reference_;
};

}  // namespace incore::tools
