#include "tools/samples/ctr_encryption.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tools/samples/execute_padlock.h"

namespace incore::tools {
namespace {

constexpr uint8_t kKey[16] = {0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6,  // SP 800-38A
                              0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C};
constexpr uint8_t kCounterBlock[16] = {0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7,
                                       0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF};
constexpr uint8_t kControlWord = 0x0A;  // encrypt, ten rounds, keys by the hardware
constexpr size_t kReadAhead = 8;        // blocks that some parts load behind the last

uint16_t counter_of(const uint8_t block[16]) {
  return static_cast<uint16_t>(block[14] << 8 | block[15]);
}

}  // namespace

struct CtrEncryption::Fixed {
  Block vector, key;
  Block control[8];  // with the scratch space behind the word
};

CtrEncryption::CtrEncryption(PadlockChip& chip, size_t num_blocks)
    : chip_(chip),
      num_blocks_(num_blocks),
      fixed_(std::make_unique<Fixed>()),
      plain_(num_blocks + kReadAhead),
      cipher_(std::max(num_blocks, kBlocksOfPair)),
      reference_(cipher_.size()) {
  std::memcpy(fixed_->key.bytes, kKey, sizeof kKey);
  fixed_->control[0].bytes[0] = kControlWord;
  incore_padlock_reload_key(chip.get());
}

CtrEncryption::~CtrEncryption() = default;

void CtrEncryption::run(size_t num_instructions, size_t blocks) {
  std::memcpy(fixed_->vector.bytes, kCounterBlock, sizeof kCounterBlock);
  incore_padlock_registers r = {
      address_of(&fixed_->vector), address_of(&fixed_->key),  0,
      address_of(fixed_->control), address_of(plain_.data()), address_of(cipher_.data())};
  for (size_t i = 0; i < num_instructions; ++i) {
    r.rcx = blocks;
    if (const std::string error = chip_.execute("xcrypt-ctr", &r); !error.empty())
      throw ChipError(error);
    incore_padlock_wait(chip_.get(), kCtrLoopClocks);
  }
}

uint16_t CtrEncryption::counter() const {
  return counter_of(fixed_->vector.bytes);
}

uint16_t CtrEncryption::expected_counter(bool has_erratum, size_t blocks) {
  const bool one_too_high = has_erratum && blocks % 2 == 0;
  return static_cast<uint16_t>(counter_of(kCounterBlock) + blocks + (one_too_high ? 1 : 0));
}

bool CtrEncryption::equals_reference() const {
  return std::memcmp(cipher_.data(), reference_.data(), num_blocks_ * sizeof(Block)) == 0;
}

std::string CtrEncryption::first_block() const {
  std::string text;
  for (const uint8_t byte : cipher_[0].bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace incore::tools
