// A PadLock processor with memory around it, for tests: pages with permissions, faults at any byte,
// interrupts at any boundary, a guard against stray writes. It uses the contract of src/padlock/*.h
// only.
//
//   Machine m("esther9");
//   m.put(0x20000, source);
//   m.state().rsi = 0x20000; ...
//   EXPECT_TRUE(is_done(m.issue(kXcryptEcb)));
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "padlock/processor.h"
#include "support/hex.h"

namespace incore::padlock::test {

using incore::test::Bytes;
using incore::test::from_hex;
using incore::test::random_bytes;
using incore::test::to_hex;

enum class Access : uint8_t { absent, read_only, read_write };

// A range of linear addresses.
struct Range {
  uint64_t address;
  uint64_t len;
};

class TestMemory final : public Memory {
 public:
  static constexpr uint64_t kPageLen = 4096;

  // Gives the pages that [address, address + len) touches this permission. Their bytes are kept,
  // also while absent; fresh ones are zero.
  void map(uint64_t address, uint64_t len, Access access = Access::read_write);
  void unmap(uint64_t address, uint64_t len) { map(address, len, Access::absent); }

  // The test's own access: ignores permissions and injected faults. put maps pages that are not yet
  // there.
  void put(uint64_t address, const Bytes& bytes);
  Bytes get(uint64_t address, size_t len) const;

  // Any access that touches the byte faults, whatever its page allows.
  void fault_reads_at(uint64_t address) { bad_reads_.insert(address); }
  void fault_writes_at(uint64_t address) { bad_writes_.insert(address); }
  void clear_faults() { bad_reads_.clear(), bad_writes_.clear(); }

  // Whether readable and writable may hand out pointers (the default) or always answer null.
  void allow_direct(bool allow) { direct_ = allow; }

  // All bytes that now differ from the last call of take_snapshot, outside |allowed|: addresses, at
  // most 16 of them.
  void take_snapshot();
  std::vector<uint64_t> changes_outside(const std::vector<Range>& allowed) const;

  Trap read(uint64_t address, void* out, size_t len) override;
  Trap write(uint64_t address, const void* in, size_t len) override;
  Trap probe_write(uint64_t address, size_t len) override;
  const uint8_t* readable(uint64_t address, size_t len) override;
  uint8_t* writable(uint64_t address, size_t len) override;

 private:
  // Bytes live in windows, so that neighbouring pages are neighbours in the host too and direct
  // access spans them.
  static constexpr uint64_t kWindowLen = 4 << 20;
  using Window = std::unique_ptr<uint8_t[], void (*)(void*)>;

  uint8_t* host(uint64_t address);
  Trap check(uint64_t address, size_t len, bool write) const;

  std::map<uint64_t, Window> windows_;
  std::map<uint64_t, Access> pages_;  // by page number
  std::map<uint64_t, Bytes> snapshot_;
  std::set<uint64_t> bad_reads_, bad_writes_;
  bool direct_ = true;
};

// Pending from the moment that |first| blocks (bytes) are done since the issue; keeps a record of
// when it was asked.
class InterruptAfter final : public Interrupts {
 public:
  explicit InterruptAfter(uint64_t first) : first_(first) {}
  bool pending(uint64_t done) override {
    asked.push_back(done);
    return done >= first_;
  }
  std::vector<uint64_t> asked;

 private:
  uint64_t first_;
};

// What became of one issue of an instruction.
struct Step {
  Outcome outcome;
  Trap trap;
  bool recognised;  // decode() found a PadLock instruction
};

::testing::AssertionResult is_done(const Step& step);
::testing::AssertionResult is_interrupted(const Step& step);
::testing::AssertionResult is_trap(const Step& step, Vector vector);
// The first inaccessible byte is |address|; |write| as in the error code.
::testing::AssertionResult is_page_fault(const Step& step, uint64_t address, bool write);

class Machine {
 public:
  static constexpr uint64_t kCode = 0x1000;  // where issue() assembles

  // After RESET, then set up as by an operating system: CPL 3, CR4.OSFXSR set.
  explicit Machine(const char* model_name, CodeSize code_size = CodeSize::bits32);
  Machine(const Model& model, CodeSize code_size, const HostKernels& kernels);

  Processor processor;
  TestMemory memory;

  State& state() { return processor.state; }
  bool keys_loaded() const { return (processor.state.rflags & kEflagsKeyLoaded) != 0; }

  void put(uint64_t address, const Bytes& bytes) { memory.put(address, bytes); }
  Bytes get(uint64_t address, size_t len) const { return memory.get(address, len); }

  // Puts |code| at kCode, points RIP to it and runs the one instruction there.
  Step issue(const Bytes& code, Interrupts* interrupts = nullptr);
  // Runs the instruction that RIP points to: a restart after a trap or an interrupt.
  Step issue_again(Interrupts* interrupts = nullptr);
};

// Opcodes as programs write them.
inline const Bytes kXstore = {0x0F, 0xA7, 0xC0};
inline const Bytes kRepXstore = {0xF3, 0x0F, 0xA7, 0xC0};
inline const Bytes kXcryptEcb = {0xF3, 0x0F, 0xA7, 0xC8};
inline const Bytes kXcryptCbc = {0xF3, 0x0F, 0xA7, 0xD0};
inline const Bytes kXcryptCtr = {0xF3, 0x0F, 0xA7, 0xD8};
inline const Bytes kXcryptCfb = {0xF3, 0x0F, 0xA7, 0xE0};
inline const Bytes kXcryptOfb = {0xF3, 0x0F, 0xA7, 0xE8};
inline const Bytes kMontmul = {0xF3, 0x0F, 0xA6, 0xC0};
inline const Bytes kXsha1 = {0xF3, 0x0F, 0xA6, 0xC8};
inline const Bytes kXsha256 = {0xF3, 0x0F, 0xA6, 0xD0};

Bytes with_prefix(uint8_t prefix, const Bytes& code);
Bytes concat(const Bytes& a, const Bytes& b);

}  // namespace incore::padlock::test
