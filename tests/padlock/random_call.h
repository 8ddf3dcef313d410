// One PadLock instruction with random operands, and a memory in which exactly the bytes that its
// documents name can be accessed. Used by property tests and fuzzers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "padlock/insn.h"
#include "padlock/processor.h"
#include "support/choices.h"
#include "support/hex.h"

namespace incore::padlock::test {

using incore::test::Bytes;
using incore::test::Choices;

// What may be done with a byte of memory.
inline constexpr uint8_t kCanRead = 1, kCanWrite = 2;
// Read only by an instruction that goes on after it was stopped: EAX has moved to the output, or
// ECB fetches its pairs from another block on.
inline constexpr uint8_t kCanReadAgain = 4;

// A byte in a page that is missing, or read-only.
struct Fault {
  size_t position;
  bool writes_only;
};

// Bytes from linear address |base| on. Addresses wrap after |linear_mask|.
class Arena final : public Memory {
 public:
  static constexpr size_t kLen = 0x12000;

  Arena(uint64_t base, uint64_t linear_mask, const Bytes& bytes, const Bytes& access)
      : bytes_(bytes), base_(base), linear_mask_(linear_mask), access_(&access) {}

  const Bytes& bytes() const { return bytes_; }
  Bytes& bytes() { return bytes_; }
  // kLen for an address that is not inside.
  size_t position(uint64_t address) const {
    const uint64_t at = (address - base_) & linear_mask_;
    return at < kLen ? static_cast<size_t>(at) : kLen;
  }

  std::vector<Fault> faults;
  bool direct = true;      // whether pointers are given
  bool restarted = false;  // kCanReadAgain counts

  Trap read(uint64_t address, void* out, size_t len) override;
  Trap write(uint64_t address, const void* in, size_t len) override;
  Trap probe_write(uint64_t address, size_t len) override;
  const uint8_t* readable(uint64_t address, size_t len) override;
  uint8_t* writable(uint64_t address, size_t len) override;

 private:
  Trap check(uint64_t address, size_t len, bool write) const;

  Bytes bytes_;
  uint64_t base_, linear_mask_;
  const Bytes* access_;  // per byte
};

// Noise without end, a function of the number of bits taken so far.
class EvenNoise final : public NoiseSource {
 public:
  size_t raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) override;
  void restart() override {}

 private:
  uint64_t state_[2] = {1, 2};
};

// What lies in the key RAM while EFLAGS bit 30 is set.
struct LoadedKeys {
  Bytes control_word, key;  // 16 and 256 bytes
};

struct RandomCall {
  explicit RandomCall(Choices& choices);

  const Model* model;
  HostKernels kernels;
  const Insn* insn;
  Bytes code;
  Decoded decoded;
  State state;  // registers at the start
  unsigned address_bits;
  std::optional<LoadedKeys> loaded_keys;
  uint64_t rng_msr = kRngEnable;

  uint64_t base, linear_mask, first_offset;  // of the arena; the offset in ES of its first byte
  Bytes memory, access;
  std::vector<size_t> fault_points;  // first and last bytes of blocks and of operands

  // Nothing is wrong with it: it completes.
  bool valid = true;
  // No operand that is read again after an interruption is changed by the instruction: stopped and
  // continued, it gives the uninterrupted result.
  bool restartable = true;

  // A register in the width of the address size, and the offset of a position in the arena.
  uint64_t mask() const { return ~uint64_t{0} >> (64 - address_bits); }
  uint64_t offset(size_t position) const { return (first_offset + position) & mask(); }
  ControlWord control_word() const;  // in memory at EDX
  std::string description() const;
};

// A processor in the midst of the call.
class Run {
 public:
  explicit Run(const RandomCall& call);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const RandomCall& call;
  EvenNoise noise;
  Processor cpu;
  Arena arena;
  Trap trap;

  Outcome issue(Interrupts* interrupts = nullptr);

 private:
  void load(const LoadedKeys& keys);
};

// Every model of models.def, and variants that fetch more blocks at a time.
const std::vector<const Model*>& all_models();

bool is_xcrypt(const Insn& insn);

// The hash instructions, and how they see their operands.
bool is_hash(const Insn& insn);
size_t hash_block_len(const Insn& insn);
size_t hash_state_len(const Insn& insn, const Model& model);
bool hash_counts_blocks(const RandomCall& call);  // EAX asks for whole blocks without padding

}  // namespace incore::padlock::test
