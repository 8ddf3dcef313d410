// XSTORE and REP XSTORE: PadLock guide 1.66, sections 2.1 and 2.3. The noise is the test's own,
// raw, so that each byte stored is known.
#include <gtest/gtest.h>

#include "padlock/insn.h"
#include "padlock/machine_rng.h"

namespace incore::padlock::test {
namespace {

constexpr uint64_t kBuffer = RngMachine::kBuffer;
constexpr uint32_t kRaw = kRngEnable | kRngRawBits;

// Bytes stored and random bytes among them, by EDX[1:0].
constexpr size_t kStored[4] = {8, 4, 4, 4};
constexpr size_t kRandom[4] = {8, 4, 2, 1};

Bytes first(const Bytes& bytes, size_t len) {
  return Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(len));
}

// What REP XSTORE delivers from full buffers that hold |stream|: the lowest bytes of each.
Bytes delivered(const Bytes& stream, unsigned edx, size_t len) {
  Bytes bytes;
  for (size_t buffer = 0; bytes.size() < len; buffer += 8)
    for (size_t i = 0; i < kRandom[edx] && bytes.size() < len; ++i)
      bytes.push_back(stream.at(buffer + i));
  return bytes;
}

// Source A makes this stream without end; a fresh buffer's worth whenever it is asked.
class StreamNoise final : public NoiseSource {
 public:
  explicit StreamNoise(Bytes stream) : stream_(std::move(stream)) {}
  size_t raw_bits(unsigned which, unsigned, uint8_t* out_bits, size_t max_bits) override {
    size_t num_bits = 0;
    if (which != 0) return 0;
    for (; num_bits < max_bits && position_ < 8 * stream_.size(); ++position_)
      out_bits[num_bits++] = stream_[position_ / 8] >> position_ % 8 & 1;
    return num_bits;
  }
  void restart() override {}

 private:
  Bytes stream_;
  size_t position_ = 0;
};

// A machine whose generator makes |stream| as fast as it is taken.
struct StreamMachine {
  explicit StreamMachine(const Bytes& stream, const char* model = "nehemiah")
      : noise(stream), m(model) {
    set_msr(m, kMsrRng, kRaw);
    m.processor.rng.use_noise(&noise);
    m.memory.map(kBuffer, 8192);
    m.state().rdi = kBuffer;
    m.state().rax = m.state().rdx = m.state().rcx = 0;
  }
  StreamNoise noise;
  Machine m;
};

// ---- XSTORE ----

TEST(padlock_rng, opcodes_are_those_of_the_guide) {
  const Bytes plain = {0x0F, 0xA7, 0xC0, 0x90}, rep = {0xF3, 0x0F, 0xA7, 0xC0};
  // clause: PLK-RNG-001
  EXPECT_EQ(decode(plain.data(), plain.size(), CodeSize::bits32).insn, &xstore);
  EXPECT_EQ(decode(plain.data(), plain.size(), CodeSize::bits32).length, 3u);
  // clause: PLK-RNG-002
  EXPECT_EQ(decode(rep.data(), rep.size(), CodeSize::bits32).insn, &rep_xstore);
  EXPECT_EQ(decode(rep.data(), rep.size(), CodeSize::bits32).length, 4u);
}

TEST(padlock_rng, quality_factor_sets_stores_and_bytes) {
  for (const char* model : {"c5xl", "nehemiah", "esther"}) {
    for (unsigned edx = 0; edx < 4; ++edx) {
      const Bytes stream = random_bytes(32, edx);
      StreamMachine rng(stream, model);
      Machine& m = rng.m;
      m.put(kBuffer, Bytes(64, 0xEE));
      m.state().rdx = edx;
      m.state().rax = 0xFFFFFFFF;
      m.state().rcx = 0x1234;
      ASSERT_TRUE(is_done(m.issue(kXstore)));
      // clause: PLK-RNG-006
      // clause: PLK-RNG-010
      // clause: PLK-RNG-011
      // clause: PLK-RNG-012
      // clause: PLK-RNG-013
      EXPECT_EQ(m.state().rax & 0x1F, kRandom[edx]) << model;
      // clause: PLK-RNG-025
      EXPECT_EQ(m.state().rdi, kBuffer + kRandom[edx]);
      // clause: PLK-RNG-014
      // clause: PLK-RNG-015
      Bytes expected = concat(first(stream, kRandom[edx]), Bytes(kStored[edx] - kRandom[edx]));
      EXPECT_EQ(m.get(kBuffer, 64), concat(expected, Bytes(64 - kStored[edx], 0xEE)))
          << model << " " << edx;
      // clause: PLK-RNG-005
      EXPECT_EQ(m.state().rax & ~uint64_t{0x1F}, kRaw);
      EXPECT_EQ(m.state().rdx, edx);
      EXPECT_EQ(m.state().rcx, 0x1234u);  // no operand of the plain form
      EXPECT_EQ(m.state().rip, Machine::kCode + 3);
    }
  }
}

TEST(padlock_rng, edx_counts_by_two_bits_and_stays) {
  for (uint64_t edx : {0xFFFFFFFCu, 0xABCD0001u, 0xABCD0002u, 0x00000007u}) {
    StreamMachine rng(random_bytes(32, 1));
    rng.m.state().rdx = edx;
    ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
    // clause: PLK-RNG-003
    EXPECT_EQ(rng.m.state().rdx, edx);
    // clause: PLK-RNG-007
    EXPECT_EQ(rng.m.state().rax & 0x1F, kRandom[edx & 3]);
  }
}

TEST(padlock_rng, stores_are_four_bytes_long) {
  for (unsigned edx = 0; edx < 4; ++edx) {
    StreamMachine rng(random_bytes(32, 1));
    rng.m.state().rdx = edx;
    const std::vector<Store> stores = stores_of(rng.m, kXstore);
    // clause: PLK-RNG-009
    ASSERT_EQ(stores.size(), edx == 0 ? 2u : 1u) << edx;
    for (size_t i = 0; i < stores.size(); ++i) {
      EXPECT_EQ(stores[i].address, kBuffer + 4 * i);
      EXPECT_EQ(stores[i].len, 4u);
    }
  }
}

TEST(padlock_rng, segment_overrides_are_ignored) {
  for (uint8_t prefix : {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65}) {
    const Bytes stream = random_bytes(32, prefix);
    StreamMachine rng(stream);
    rng.m.state().es.base = 0x1000000;
    rng.m.memory.map(0x1000000 + kBuffer, 4096);
    ASSERT_TRUE(is_done(rng.m.issue(with_prefix(prefix, kXstore))));
    // clause: PLK-RNG-004
    EXPECT_EQ(rng.m.get(0x1000000 + kBuffer, 8), first(stream, 8));
  }
}

TEST(padlock_rng, status_word_copies_the_msr) {
  RngMachine rng("nehemiah");
  for (uint32_t fields : {0x3F40u, 0x0040u, 0x1240u}) {
    set_msr(rng.m, kMsrRng, fields);
    ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
    // clause: PLK-RNG-005
    EXPECT_EQ(rng.m.state().rax & ~uint64_t{0x1F}, fields);
    EXPECT_EQ(rng.m.state().rax & ~uint64_t{0x1F}, rng_fields(rng.m));
  }
}

TEST(padlock_rng, too_few_bytes_store_nothing) {
  for (size_t len = 0; len < 8; ++len) {
    RngMachine rng;
    rng.make(random_bytes(len, len));
    rng.m.put(kBuffer, Bytes(16, 0xEE));
    rng.m.state().rax = 0xFFFFFFFF;
    ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
    // clause: PLK-RNG-008
    EXPECT_EQ(rng.m.get(kBuffer, 16), Bytes(16, 0xEE)) << len;
    EXPECT_EQ(rng.m.state().rdi, kBuffer);
    EXPECT_EQ(rng.m.state().rax, kRaw);
  }
}

TEST(padlock_rng, direction_flag_is_ignored) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    StreamMachine rng(random_bytes(64, 1));
    rng.m.state().rflags |= 1u << 10;
    rng.m.state().rcx = 8;
    ASSERT_TRUE(is_done(rng.m.issue(code)));
    // clause: PLK-RNG-025
    EXPECT_EQ(rng.m.state().rdi, kBuffer + 8);
  }
}

TEST(padlock_rng, address_size_selects_di_or_edi) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    const Bytes stream = random_bytes(64, 1);
    {
      StreamMachine rng(stream);
      rng.m.memory.map(0x5000, 4096);
      rng.m.state().rdi = 0xDEAD5000;
      rng.m.state().rcx = 8;
      ASSERT_TRUE(is_done(rng.m.issue(with_prefix(0x67, code))));
      // clause: PLK-RNG-026
      // clause: PLK-RNG-035
      EXPECT_EQ(rng.m.state().rdi, 0xDEAD5008u);
      EXPECT_EQ(rng.m.get(0x5000, 8), first(stream, 8));
    }
    {
      StreamMachine rng(stream);
      rng.m.state().code_size = CodeSize::bits16;
      rng.m.state().rcx = 8;
      ASSERT_TRUE(is_done(rng.m.issue(with_prefix(0x67, code))));
      // clause: PLK-RNG-026
      EXPECT_EQ(rng.m.state().rdi, kBuffer + 8);
    }
  }
}

TEST(padlock_rng, sixteen_bit_code_writes_all_of_eax) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    StreamMachine rng(random_bytes(64, 1));
    rng.m.memory.map(0x5000, 4096);
    rng.m.state().code_size = CodeSize::bits16;
    rng.m.state().rdi = 0x5000;
    rng.m.state().rcx = 8;
    rng.m.state().rax = 0xFFFFFFFF;
    ASSERT_TRUE(is_done(rng.m.issue(code)));
    // clause: PLK-RNG-029
    EXPECT_EQ(rng.m.state().rax & ~uint64_t{0x1F}, kRaw);
  }
}

TEST(padlock_rng, operand_size_prefix_is_ignored) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    const Bytes stream = random_bytes(64, 1);
    StreamMachine rng(stream);
    rng.m.state().rcx = 8;
    rng.m.state().rax = 0xFFFFFFFF;
    ASSERT_TRUE(is_done(rng.m.issue(with_prefix(0x66, code))));
    // clause: PLK-RNG-037
    EXPECT_EQ(rng.m.get(kBuffer, 8), first(stream, 8));
    EXPECT_EQ(rng.m.state().rax & ~uint64_t{0x1F}, kRaw);
    EXPECT_EQ(rng.m.state().rdi, kBuffer + 8);
  }
}

// ---- Faults ----

TEST(padlock_rng, the_buffer_must_hold_the_whole_stores) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    for (uint64_t left = 1; left <= 3; ++left) {
      const Bytes stream = random_bytes(64, 1);
      StreamMachine rng(stream);
      const uint64_t page = kBuffer + 0x1000;
      rng.m.memory.map(page, 1, Access::read_only);
      rng.m.state().rdi = page - left;
      rng.m.state().rdx = 3;
      rng.m.state().rcx = 1;
      rng.m.state().rax = 0x77;
      // clause: PLK-RNG-024
      // clause: PLK-RNG-027
      // clause: PLK-RNG-035
      EXPECT_TRUE(is_page_fault(rng.m.issue(code), page, true)) << left;
      EXPECT_EQ(rng.m.state().rdi, page - left);
      EXPECT_EQ(rng.m.state().rcx, 1u);
      EXPECT_EQ(rng.m.state().rip, Machine::kCode);
      // With the page writable the instruction is issued again and completes; no buffer was lost.
      rng.m.memory.map(page, 1);
      EXPECT_TRUE(is_done(rng.m.issue_again()));
      EXPECT_EQ(rng.m.get(page - left, 1), first(stream, 1));
      EXPECT_EQ(rng.m.state().rdi, page - left + 1);
    }
  }
}

TEST(padlock_rng, rep_keeps_what_it_stored_before_a_fault) {
  const Bytes stream = random_bytes(400, 1);
  for (unsigned edx = 0; edx < 4; ++edx) {
    StreamMachine rng(stream);
    Machine& m = rng.m;
    const uint64_t page = kBuffer + 0x1000;
    m.memory.unmap(page, 1);
    m.state().rdi = page - 40;
    m.state().rdx = edx;
    m.state().rcx = 48;
    EXPECT_TRUE(is_page_fault(m.issue(kRepXstore), page, true)) << edx;
    // The last steps that fit: whole stores below the page.
    const size_t stored = (40 - kStored[edx]) / kRandom[edx] * kRandom[edx] + kRandom[edx];
    // clause: PLK-RNG-025
    EXPECT_EQ(m.state().rdi, page - 40 + stored) << edx;
    // clause: PLK-RNG-032
    EXPECT_EQ(m.state().rax & ~uint64_t{0x1F}, kRaw);
    EXPECT_EQ(m.state().rcx, 48 - stored) << edx;
    EXPECT_EQ(m.get(page - 40, stored), delivered(stream, edx, stored)) << edx;
    m.memory.map(page, 1);
    ASSERT_TRUE(is_done(m.issue_again()));
    EXPECT_EQ(m.get(page - 40, 48), delivered(stream, edx, 48)) << edx;
  }
}

TEST(padlock_rng, segment_limit_counts_four_bytes) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    for (uint64_t left = 0; left <= 4; ++left) {
      StreamMachine rng(random_bytes(64, 1));
      rng.m.state().es.limit = kBuffer + left - 1;
      rng.m.state().rdx = 3;
      rng.m.state().rcx = 1;
      const Step step = rng.m.issue(code);
      // clause: PLK-RNG-027
      // clause: PLK-RNG-035
      EXPECT_TRUE(left == 4 ? is_done(step) : is_trap(step, Vector::general_protection)) << left;
      EXPECT_EQ(rng.m.state().rdi, kBuffer + (left == 4 ? 1 : 0));
    }
  }
}

TEST(padlock_rng, alignment_check_sees_four_byte_stores) {
  const auto set_up = [](Machine& m) {
    m.state().cpl = 3;
    m.state().cr0 |= kCr0Am;
    m.state().rflags |= kEflagsAc;
  };
  {
    StreamMachine rng(random_bytes(64, 1));
    set_up(rng.m);
    rng.m.state().rdx = 3;
    rng.m.state().rcx = 2;
    // clause: PLK-RNG-021
    // clause: PLK-RNG-035
    EXPECT_TRUE(is_trap(rng.m.issue(kRepXstore), Vector::alignment_check));
    EXPECT_EQ(rng.m.state().rdi, kBuffer + 1);  // the first step was aligned
    EXPECT_EQ(rng.m.state().rcx, 1u);
  }
  for (const Bytes& code : {kXstore, kRepXstore}) {
    StreamMachine rng(random_bytes(400, 1));
    set_up(rng.m);
    rng.m.state().rcx = 16;
    // clause: PLK-RNG-021
    EXPECT_TRUE(is_done(rng.m.issue(code)));
    rng.m.state().rdi = kBuffer + 4;
    rng.m.state().rcx = 16;
    EXPECT_TRUE(is_done(rng.m.issue(code)));
    rng.m.state().rdi = kBuffer + 2;
    rng.m.state().rcx = 16;
    EXPECT_TRUE(is_trap(rng.m.issue(code), Vector::alignment_check));
    // Each of the three conditions is needed.
    rng.m.state().cpl = 0;
    EXPECT_TRUE(is_done(rng.m.issue(code)));
    set_up(rng.m);
    rng.m.state().cr0 = 0;
    rng.m.state().rdi = kBuffer + 2;
    rng.m.state().rcx = 16;
    EXPECT_TRUE(is_done(rng.m.issue(code)));
    set_up(rng.m);
    rng.m.state().rflags &= ~kEflagsAc;
    rng.m.state().rdi = kBuffer + 2;
    rng.m.state().rcx = 16;
    EXPECT_TRUE(is_done(rng.m.issue(code)));
  }
}

// ---- REP XSTORE ----

TEST(padlock_rng, rep_stores_ecx_bytes_without_gaps) {
  const Bytes stream = random_bytes(2000, 9);
  for (unsigned edx = 0; edx < 4; ++edx) {
    for (size_t len : {1u, 2u, 5u, 8u, 16u, 100u}) {
      StreamMachine rng(stream);
      Machine& m = rng.m;
      m.put(kBuffer, Bytes(128, 0xEE));
      m.state().rdx = edx;
      m.state().rcx = len;
      ASSERT_TRUE(is_done(m.issue(kRepXstore)));
      // clause: PLK-RNG-016
      // clause: PLK-RNG-019
      // clause: PLK-RNG-040
      EXPECT_EQ(m.get(kBuffer, len), delivered(stream, edx, len)) << edx << " " << len;
      // clause: PLK-RNG-017
      EXPECT_EQ(m.state().rcx, 0u);
      // clause: PLK-RNG-025
      // clause: PLK-RNG-039
      EXPECT_EQ(m.state().rdi, kBuffer + len);
      // clause: PLK-RNG-032
      EXPECT_EQ(m.state().rax & ~uint64_t{0x1F}, kRaw);
      EXPECT_EQ(m.state().rdx, edx);
      EXPECT_EQ(m.state().rip, Machine::kCode + 4);
    }
  }
}

TEST(padlock_rng, rep_writes_at_most_7_bytes_behind_the_last) {
  constexpr size_t kLargest[4] = {7, 3, 3, 3};
  for (unsigned edx = 0; edx < 4; ++edx) {
    size_t largest = 0;
    for (size_t len = 1; len <= 16; ++len) {
      StreamMachine rng(random_bytes(400, edx));
      rng.m.state().rdx = edx;
      rng.m.state().rcx = len;
      uint64_t end = 0;
      for (const Store& store : stores_of(rng.m, kRepXstore))
        end = std::max(end, store.address + store.len);
      ASSERT_GE(end, kBuffer + len);
      const size_t overrun = end - kBuffer - len;
      largest = std::max(largest, overrun);
      // clause: PLK-RNG-023
      EXPECT_LE(overrun, kLargest[edx]) << edx << " " << len;
      if (edx == 3) {
        EXPECT_EQ(overrun, 3u) << len;
      }
      // clause: PLK-RNG-022
      // clause: PLK-RNG-039
      if (edx == 0) {
        EXPECT_EQ(overrun, (8 - len % 8) % 8) << len;
      }
    }
    EXPECT_EQ(largest, kLargest[edx]);
  }
}

TEST(padlock_rng, rep_with_few_bytes_a_step_stores_unaligned) {
  StreamMachine rng(random_bytes(400, 1));
  rng.m.state().rdx = 3;
  rng.m.state().rcx = 6;
  const std::vector<Store> stores = stores_of(rng.m, kRepXstore);
  // clause: PLK-RNG-020
  ASSERT_EQ(stores.size(), 6u);
  for (size_t i = 0; i < stores.size(); ++i) EXPECT_EQ(stores[i].address, kBuffer + i);

  StreamMachine two(random_bytes(400, 1));
  two.m.state().rdx = 2;
  two.m.state().rcx = 6;
  const std::vector<Store> by_two = stores_of(two.m, kRepXstore);
  ASSERT_EQ(by_two.size(), 3u);
  for (size_t i = 0; i < by_two.size(); ++i) EXPECT_EQ(by_two[i].address, kBuffer + 2 * i);
}

TEST(padlock_rng, rep_waits_for_a_slow_generator) {
  EndlessNoise noise(1000);
  Machine m("esther");
  set_msr(m, kMsrRng, kRaw);
  m.processor.rng.use_noise(&noise);
  m.memory.map(kBuffer, 4096);
  m.state().rdi = kBuffer;
  m.state().rdx = 0;
  m.state().rcx = 24;
  // clause: PLK-RNG-018
  ASSERT_TRUE(is_done(m.issue(kRepXstore)));
  EXPECT_EQ(m.state().rcx, 0u);
  EXPECT_EQ(m.state().rdi, kBuffer + 24);
  EXPECT_NE(m.get(kBuffer, 8), Bytes(8));
  EXPECT_NE(m.get(kBuffer + 16, 8), Bytes(8));
}

// Lets the instruction ask many times before it is stopped.
class Patient final : public Interrupts {
 public:
  bool pending(uint64_t done) override {
    last_done = done;
    return ++asked >= 1000;
  }
  unsigned asked = 0;
  uint64_t last_done = 0;
};

TEST(padlock_rng, rep_on_a_dead_generator_stays_interruptible) {
  Machine m("esther");  // no noise at all
  m.memory.map(kBuffer, 4096);
  for (int issue = 0; issue < 3; ++issue) {
    m.state().rdi = kBuffer;
    m.state().rcx = 8;
    Patient patient;
    // clause: PLK-RNG-036
    ASSERT_TRUE(is_interrupted(m.issue(kRepXstore, &patient)));
    EXPECT_GE(patient.asked, 1000u);
    EXPECT_EQ(m.state().rcx, 8u);
    EXPECT_EQ(m.state().rdi, kBuffer);
    EXPECT_EQ(m.state().rip, Machine::kCode);
  }
}

TEST(padlock_rng, rep_may_be_interrupted) {
  const Bytes stream = random_bytes(2000, 4);
  StreamMachine rng(stream);
  Machine& m = rng.m;
  m.state().rcx = 100;
  InterruptAfter forty(40);
  ASSERT_TRUE(is_interrupted(m.issue(kRepXstore, &forty)));
  // clause: PLK-RNG-030
  EXPECT_EQ(m.state().rdi, kBuffer + 40);
  // clause: PLK-RNG-031
  EXPECT_EQ(m.state().rcx, 60u);
  // clause: PLK-RNG-032
  EXPECT_EQ(m.state().rax & ~uint64_t{0x1F}, kRaw);
  EXPECT_EQ(m.state().rip, Machine::kCode);
  EXPECT_EQ(m.get(kBuffer, 40), first(stream, 40));
  ASSERT_TRUE(is_done(m.issue_again()));
  EXPECT_EQ(m.get(kBuffer, 100), first(stream, 100));
  EXPECT_EQ(m.state().rdi, kBuffer + 100);
}

TEST(padlock_rng, status_shows_what_an_interrupt_handler_wrote) {
  EndlessNoise noise;
  Machine m("nehemiah");
  m.processor.rng.use_noise(&noise);
  set_msr(m, kMsrRng, kRaw);
  m.memory.map(kBuffer, 4096);
  m.state().rdi = kBuffer;
  m.state().rdx = 0;
  m.state().rcx = 100;
  InterruptAfter forty(40);
  ASSERT_TRUE(is_interrupted(m.issue(kRepXstore, &forty)));
  EXPECT_EQ(m.state().rax & ~uint64_t{0x1F}, kRaw);
  set_msr(m, kMsrRng, kRaw | 5u << kRngBiasShift);
  ASSERT_TRUE(is_done(m.issue_again()));
  // clause: PLK-RNG-034
  // clause: PLK-RNG-041
  EXPECT_EQ(m.state().rax & ~uint64_t{0x1F}, kRaw | 5u << kRngBiasShift);
  EXPECT_EQ(m.state().rcx, 0u);
}

TEST(padlock_rng, rep_with_ecx_0_stores_nothing) {
  StreamMachine rng(random_bytes(64, 1));
  rng.m.put(kBuffer, Bytes(16, 0xEE));
  rng.m.state().rax = 0xFFFFFFFF;
  // clause: PLK-RNG-038
  ASSERT_TRUE(is_done(rng.m.issue(kRepXstore)));
  EXPECT_EQ(rng.m.get(kBuffer, 16), Bytes(16, 0xEE));
  EXPECT_EQ(rng.m.state().rdi, kBuffer);
  EXPECT_EQ(rng.m.state().rcx, 0u);
  EXPECT_EQ(rng.m.state().rax, kRaw);
}

TEST(padlock_rng, rep_counts_in_cx_with_16_bit_addresses) {
  StreamMachine rng(random_bytes(64, 1));
  rng.m.memory.map(0x5000, 4096);
  rng.m.put(0x5000, Bytes(16, 0xEE));
  rng.m.state().rdi = 0x5000;
  rng.m.state().rdx = 1;
  rng.m.state().rcx = 0x10004;
  ASSERT_TRUE(is_done(rng.m.issue(with_prefix(0x67, kRepXstore))));
  // clause: PLK-RNG-042
  EXPECT_EQ(rng.m.state().rcx, 0x10000u);
  EXPECT_EQ(rng.m.state().rdi, 0x5004u);
  EXPECT_EQ(rng.m.get(0x5004, 12), Bytes(12, 0xEE));
}

// ---- Buffers ----

TEST(padlock_rng, one_buffer_serves_one_xstore) {
  const Bytes stream = random_bytes(64, 5);
  StreamMachine rng(stream);
  rng.m.state().rdx = 3;
  ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
  ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
  // clause: PLK-RNG-040
  EXPECT_EQ(rng.m.get(kBuffer, 2), (Bytes{stream[0], stream[8]}));
}

TEST(padlock_rng, there_are_four_buffers) {
  for (const char* model : {"c5xl", "nehemiah", "esther"}) {
    RngMachine rng(model);
    const Bytes stream = random_bytes(32, 6);
    rng.make(stream);
    // clause: PLK-RNG-043
    for (size_t i = 0; i < 4; ++i) {
      ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
      EXPECT_EQ(rng.m.state().rax & 0x1F, 8u) << model << " " << i;
    }
    EXPECT_EQ(rng.m.get(kBuffer, 32), stream);
    ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
    EXPECT_EQ(rng.m.state().rax & 0x1F, 0u) << model;
    EXPECT_EQ(rng.m.state().rdi, kBuffer + 32);
  }
}

TEST(padlock_rng, full_buffers_stop_the_generator) {
  RngMachine rng("nehemiah");
  const Bytes kept = random_bytes(32, 7), never = random_bytes(200, 8), later = random_bytes(8, 9);
  rng.make(kept);
  EXPECT_EQ(rng_count(rng.m), 31u);
  rng.make(never);  // time passes
  for (size_t i = 0; i < 4; ++i) ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
  // clause: PLK-RNG-044
  EXPECT_EQ(rng.m.get(kBuffer, 32), kept);
  ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
  EXPECT_EQ(rng.m.state().rax & 0x1F, 0u);
  rng.make(later);
  ASSERT_TRUE(is_done(rng.m.issue(kXstore)));
  EXPECT_EQ(rng.m.get(kBuffer + 32, 8), later);
}

TEST(padlock_rng, both_sources_fill_the_buffers) {
  for (const char* model : {"nehemiah", "esther"}) {
    for (unsigned source : {0u, 1u, 2u, 3u}) {
      RngMachine rng(model);
      set_msr(rng.m, kMsrRng, kRaw | source << kRngSourceShift);
      // In the same time each source makes eight bytes.
      rng.noise.make(0, bits_of(random_bytes(8, 1)));
      rng.noise.make(1, bits_of(random_bytes(8, 2)));
      // clause: PLK-RNG-045
      EXPECT_EQ(rng.m.processor.rng.bytes_available(), source < 2 ? 8u : 16u)
          << model << " " << source;
    }
  }
}

// A front-end that has random bytes at hand fills each buffer as it is taken.
TEST(padlock_rng, bytes_of_a_front_end_are_always_there) {
  static uint8_t next;
  for (const char* model : {"esther", "nano", "host"}) {
    next = 1;
    Machine m(model);
    m.processor.rng.use_bytes([](void*, uint8_t out[Rng::kBufferLen]) {
      for (unsigned i = 0; i < Rng::kBufferLen; ++i) out[i] = next++;
    });
    m.memory.map(kBuffer, 4096);
    m.state().rdi = kBuffer;
    m.state().rdx = 0;
    m.state().rcx = 100;
    ASSERT_TRUE(is_done(m.issue(kRepXstore)));
    Bytes expected(100);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<uint8_t>(i + 1);
    EXPECT_EQ(m.get(kBuffer, 100), expected);
    if (!m.processor.model().rng_msr) continue;
    EXPECT_NE(rng_count(m), 0u);
    set_msr(m, kMsrRng, 0);
    EXPECT_EQ(rng_count(m), 0u);
  }
}

// A filter for runs longer than 0 drops every bit of a generator that never rests. The guide calls
// lengths below 8 undefined.
TEST(padlock_rng, a_filter_that_drops_all_leaves_the_buffers_empty) {
  Machine m("nehemiah");
  EndlessNoise noise;
  m.processor.rng.use_noise(&noise);
  set_msr(m, kMsrRng, kRngEnable | kRngFilter);
  EXPECT_EQ(rng_count(m), 0u);
  EXPECT_NE(rng_fields(m) & kRngFail, 0u);
  EXPECT_TRUE(is_done(try_xstore(m)));
  EXPECT_EQ(m.state().rax & kRngBcntMask, 0u);
}

}  // namespace
}  // namespace incore::padlock::test
