// Noise that the test chooses bit by bit, and a memory that writes down each store, for the tests
// of the RNG.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "padlock/machine_units.h"

namespace incore::padlock::test {

// Bits stand as text of '0' and '1', the oldest first.
class ScriptedNoise final : public NoiseSource {
 public:
  // Time passes in which source |which| makes these bits.
  void make(unsigned which, const std::string& bits) { made_[which] += bits; }

  size_t raw_bits(unsigned which, unsigned bias, uint8_t* out_bits, size_t max_bits) override {
    biases.push_back(bias);
    const size_t num_bits = std::min(max_bits, made_[which].size());
    for (size_t i = 0; i < num_bits; ++i) out_bits[i] = made_[which][i] == '1';
    made_[which].erase(0, num_bits);
    return num_bits;
  }
  void restart() override { made_[0].clear(), made_[1].clear(); }

  std::vector<unsigned> biases;  // as asked for

 private:
  std::string made_[2];
};

// Never runs dry: both sources make pseudo-random bits, a few now and then.
class EndlessNoise final : public NoiseSource {
 public:
  explicit EndlessNoise(unsigned calls_per_bit = 1) : calls_per_bit_(calls_per_bit) {}
  size_t raw_bits(unsigned which, unsigned, uint8_t* out_bits, size_t max_bits) override {
    if (++calls_ % calls_per_bit_ != 0 || max_bits == 0) return 0;
    out_bits[0] = random_bytes(1, ++made_ * 2 + which)[0] & 1;
    return 1;
  }
  void restart() override {}

 private:
  unsigned calls_per_bit_;
  uint64_t calls_ = 0, made_ = 0;
};

// The bits of |bytes| in the order in which they enter a buffer: bit 0 of the first byte is the
// oldest.
inline std::string bits_of(const Bytes& bytes) {
  std::string bits;
  for (uint8_t byte : bytes)
    for (unsigned bit = 0; bit < 8; ++bit) bits.push_back(byte >> bit & 1 ? '1' : '0');
  return bits;
}

// The same, as raw bits that the whitener turns into |bytes|, with pairs in between that it drops.
inline std::string unwhitened(const Bytes& bytes) {
  std::string raw;
  for (char bit : bits_of(bytes)) {
    raw += bit == '1' ? "10" : "01";
    if (raw.size() % 3 == 0) raw += raw.size() % 2 == 0 ? "11" : "00";
  }
  return raw;
}

// A machine whose RNG passes raw bits of source A from a script; the buffers are empty.
struct RngMachine {
  explicit RngMachine(const char* model = "nehemiah", CodeSize code_size = CodeSize::bits32)
      : m(model, code_size) {
    m.processor.rng.use_noise(&noise);
    if (m.processor.model().rng_msr) set_msr(m, kMsrRng, kRngEnable | kRngRawBits);
    m.memory.map(kBuffer, 4096);
    m.state().rdi = kBuffer;
    m.state().rax = m.state().rdx = m.state().rcx = 0;
  }
  // Fills buffers with these bytes.
  void make(const Bytes& bytes) { noise.make(0, bits_of(bytes)); }

  static constexpr uint64_t kBuffer = 0x50000;
  ScriptedNoise noise;
  Machine m;
};

struct Store {
  uint64_t address;
  size_t len;
};

// Passes every access on and writes down the stores. Gives no pointers.
class RecordingMemory final : public Memory {
 public:
  explicit RecordingMemory(TestMemory& memory) : memory_(memory) {}
  Trap read(uint64_t address, void* out, size_t len) override {
    return memory_.read(address, out, len);
  }
  Trap write(uint64_t address, const void* in, size_t len) override {
    const Trap trap = memory_.write(address, in, len);
    if (!trap) stores.push_back({address, len});
    return trap;
  }
  Trap probe_write(uint64_t address, size_t len) override {
    return memory_.probe_write(address, len);
  }

  std::vector<Store> stores;

 private:
  TestMemory& memory_;
};

// The stores that the instruction |code| makes on |m|; it must complete.
inline std::vector<Store> stores_of(Machine& m, const Bytes& code) {
  m.put(Machine::kCode, concat(code, Bytes(28, 0x90)));
  m.state().rip = Machine::kCode;
  RecordingMemory memory(m.memory);
  Trap trap;
  const Decoded decoded =
      decode(concat(code, Bytes(8, 0x90)).data(), code.size(), m.state().code_size);
  EXPECT_EQ(m.processor.step(decoded, memory, &trap), Outcome::done);
  return memory.stores;
}

}  // namespace incore::padlock::test
