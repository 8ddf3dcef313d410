// The model zhaoxin: identity, MSR 0x1257, and where its older instructions differ from Nano's.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "padlock/machine_units.h"

namespace incore::padlock::test {
namespace {

const char kModel[] = "zhaoxin";
constexpr uint32_t kMsrZhaoxinFcr = 0x1257;
constexpr uint64_t kAceBit = 1u << 7, kRngBit = 1u << 8;
const Bytes kXsha512 = {0xF3, 0x0F, 0xA6, 0xE0};
const Bytes kCcsHash = {0xF3, 0x0F, 0xA6, 0xE8};
const Bytes kCcsEncrypt = {0xF3, 0x0F, 0xA7, 0xF0};

// The characters in registers, lowest first.
std::string text_of(std::initializer_list<uint32_t> registers) {
  std::string text;
  for (const uint32_t value : registers) {
    uint8_t characters[4];
    store_le32(characters, value);
    text.append(characters, characters + sizeof characters);
  }
  return text;
}

std::string text_of_leaves(Machine& m, uint32_t first, uint32_t last) {
  std::string text;
  for (uint32_t leaf = first; leaf <= last; ++leaf) {
    const CpuidAnswer a = m.processor.cpuid(leaf, 0);
    text += text_of({a.eax, a.ebx, a.ecx, a.edx});
  }
  return text;
}

std::string vendor_of(Machine& m) {
  const CpuidAnswer a = m.processor.cpuid(0, 0);
  return text_of({a.ebx, a.edx, a.ecx});
}

Step try_ccs_hash(Machine& m) {
  m.memory.map(0x20000, 128);
  m.memory.map(0x40000, 64);
  m.state().rax = 0, m.state().rbx = 0x20, m.state().rcx = 3;
  m.state().rsi = 0x40000, m.state().rdi = 0x20000;
  return m.issue(kCcsHash);
}
Step try_ccs_encrypt(Machine& m) {
  m.memory.map(0x20000, 0x4000);
  m.state().rax = 0x60, m.state().rbx = 0x20000, m.state().rcx = 1, m.state().rdx = 0x21000;
  m.state().rsi = 0x22000, m.state().rdi = 0x23000;
  return m.issue(kCcsEncrypt);
}
bool ccs_works(Machine& m) {
  return works({try_ccs_hash(m), try_ccs_encrypt(m)});
}
Step try_xsha512(Machine& m) {
  m.memory.map(0x20000, 128);
  m.memory.map(0x40000, 128);
  m.state().rcx = 1, m.state().rsi = 0x40000, m.state().rdi = 0x20000;
  return m.issue(kXsha512);
}

// ---- Identity ----

TEST(padlock_zhaoxin, identity_of_the_dump) {
  Machine m(kModel);
  // clause: PLK-ZX-001
  EXPECT_EQ(m.processor.cpuid(1, 0).eax, 0x307B1u);
  EXPECT_EQ(vendor_of(m), "CentaurHauls");
  EXPECT_EQ(text_of_leaves(m, 0x80000002, 0x80000004),
            std::string(15, ' ') + "ZHAOXIN KaiXian KX-U6780A@2.7GHz" + '\0');
  // clause: PLK-ZX-003
  EXPECT_EQ(padlock_flags(m), 0x06033DFCu);
  SpecifiedMachine renamed("zhaoxin,vendor=shanghai");
  // clause: PLK-ZX-002
  EXPECT_EQ(vendor_of(*renamed), "  Shanghai  ");
  EXPECT_EQ(padlock_flags(*renamed), 0x06033DFCu);
}

TEST(padlock_zhaoxin, cache_leaves_end) {
  Machine m(kModel);
  const auto level = [&m](uint32_t subleaf) { return m.processor.cpuid(4, subleaf).eax >> 5 & 7; };
  const auto type = [&m](uint32_t subleaf) { return m.processor.cpuid(4, subleaf).eax & 0x1F; };
  // clause: PLK-ZX-012
  EXPECT_TRUE(level(0) == 1 && level(1) == 1 && level(2) == 2);
  EXPECT_TRUE(type(0) != 0 && type(1) != 0 && type(2) != 0 && type(3) == 0);
}

TEST(padlock_zhaoxin, ccs_is_announced_where_it_runs) {
  for (const char* spec : {"c5xl", "nehemiah", "esther", "nano", "host", "zhaoxin",
                           "zhaoxin,ccs=off", "nano,ccs=on"}) {
    SpecifiedMachine m(spec);
    const bool has_ccs = m->processor.model().ccs;
    // clause: PLK-ZX-004
    EXPECT_EQ(ccs_works(*m), has_ccs) << spec;
    // Nehemiah has other things at bits 4 and 5.
    if (m->processor.cpuid(1, 0).eax >= 0x6A0) {
      // clause: PLK-ZX-004
      EXPECT_EQ(flag(*m, 4), has_ccs) << spec;
      EXPECT_EQ(flag(*m, 5), has_ccs) << spec;
    }
  }
  Machine zhaoxin(kModel), nano("nano");
  // clause: PLK-ZX-004
  EXPECT_TRUE(ccs_works(zhaoxin) && !ccs_works(nano));
}

TEST(padlock_zhaoxin, what_is_not_emulated_is_an_invalid_opcode) {
  Machine m(kModel);
  // clause: PLK-ZX-005
  EXPECT_FALSE(flag(m, 0));
  EXPECT_FALSE(flag(m, 1));
  // clause: PLK-ZX-005
  EXPECT_TRUE(is_trap(m.issue(from_hex("f20fa6c0")), Vector::invalid_opcode));
  for (const char* code : {"f30fa7f8", "f30fa6f0", "f30fa6f8"})
    // clause: PLK-ZX-013
    EXPECT_TRUE(is_trap(m.issue(from_hex(code)), Vector::invalid_opcode)) << code;
}

// ---- MSR 0x1257 ----

TEST(padlock_zhaoxin, msr_1257_enables_ace_and_rng) {
  Machine m(kModel);
  // clause: PLK-ZX-007
  EXPECT_EQ(msr_of(m, kMsrZhaoxinFcr) & (kAceBit | kRngBit), kAceBit | kRngBit);
  EXPECT_TRUE(rng_works(m) && ace_works(m, true) && phe_works(m) && pmm_works(m));

  set_msr(m, kMsrZhaoxinFcr, kRngBit);
  // clause: PLK-ZX-006
  EXPECT_FALSE(flag(m, 7));
  EXPECT_FALSE(ace_works(m, true));
  EXPECT_TRUE(flag(m, 6) && flag(m, 3) && rng_works(m));
  // clause: PLK-ZX-007
  EXPECT_FALSE(flag(m, 11) || flag(m, 13) || phe_works(m) || pmm_works(m));

  set_msr(m, kMsrZhaoxinFcr, kAceBit);
  // clause: PLK-ZX-006
  EXPECT_FALSE(flag(m, 3));
  EXPECT_FALSE(rng_works(m));
  EXPECT_TRUE(flag(m, 2) && flag(m, 7) && ace_works(m, true));

  m.processor.reset();
  m.processor.enter_user_mode(CodeSize::bits32);
  // clause: PLK-ZX-007
  EXPECT_TRUE(rng_works(m) && ace_works(m, true) && phe_works(m) && pmm_works(m));
}

TEST(padlock_zhaoxin, the_older_msrs_do_not_exist) {
  Machine m(kModel), nano("nano");
  uint64_t value;
  for (const uint32_t msr : {kMsrFcr, kMsrRng}) {
    // clause: PLK-ZX-007
    EXPECT_EQ(try_rdmsr(m, msr, &value).vector, Vector::general_protection) << msr;
    EXPECT_EQ(try_wrmsr(m, msr, 0).vector, Vector::general_protection) << msr;
  }
  EXPECT_EQ(try_rdmsr(nano, kMsrZhaoxinFcr, &value).vector, Vector::general_protection);
}

TEST(padlock_zhaoxin, no_msr_switches_ccs_and_phe2) {
  Machine m(kModel);
  set_msr(m, kMsrZhaoxinFcr, 0);
  // clause: PLK-ZX-008
  EXPECT_TRUE(ccs_works(m));
  EXPECT_TRUE(is_done(try_xsha512(m)));
  EXPECT_TRUE(flag(m, 4) && flag(m, 5) && flag(m, 25) && flag(m, 26));
}

// ---- XSHA1 and XSHA256 ----

TEST(padlock_zhaoxin, xsha1_uses_32_bytes) {
  const uint64_t page_end = 0x21000;
  for (const char* model : {kModel, "nano"}) {
    const bool is_zhaoxin = model == kModel;
    Machine m(model);
    set_up_hash(m, sha1_hash(), {'a', 'b', 'c'});
    m.put(kHashAt, Bytes(128, 0xEE));
    m.put(kHashAt, sha1_hash().initial);
    ASSERT_TRUE(is_done(m.issue(kXsha1)));
    EXPECT_EQ(digest_at(m, sha1_hash()), "a9993e364706816aba3e25717850c26c9cd0d89d");
    // clause: PLK-ZX-010
    EXPECT_EQ(m.get(kHashAt + 20, 12), Bytes(12, is_zhaoxin ? 0 : 0xEE));
    EXPECT_EQ(m.get(kHashAt + 32, 96), Bytes(96, 0xEE));

    // 31 bytes before a missing page do on a Nano, but not here.
    Machine near_end(model);
    set_up_hash(near_end, sha1_hash(), {'a', 'b', 'c'});
    near_end.put(page_end - 32, sha1_hash().initial);
    near_end.memory.fault_reads_at(page_end - 1);
    near_end.state().rdi = page_end - 32;
    const Step step = near_end.issue(kXsha1);
    // clause: PLK-ZX-009
    EXPECT_TRUE(is_zhaoxin ? is_page_fault(step, page_end - 1, false) : is_done(step)) << model;
  }
  Machine m(kModel);
  set_up_hash(m, sha256_hash(), {'a', 'b', 'c'});
  m.put(kHashAt + 32, Bytes(96, 0xEE));
  ASSERT_TRUE(is_done(m.issue(kXsha256)));
  // clause: PLK-ZX-010
  EXPECT_EQ(m.get(kHashAt + 32, 96), Bytes(96, 0xEE));
}

TEST(padlock_zhaoxin, xsha_does_nothing_with_nothing) {
  for (const Hash* hash : both_hashes()) {
    for (const uint64_t eax : {0u, 0xFFFFFFFFu}) {
      Machine m(kModel);
      set_up_hash(m, *hash, {});
      m.state().rax = eax;
      ASSERT_TRUE(is_done(m.issue(hash->code)));
      // clause: PLK-ZX-011
      EXPECT_EQ(m.get(kHashAt, hash->initial.size()), hash->initial);
      EXPECT_EQ(m.state().rax, eax);
      EXPECT_EQ(m.state().rsi, kMessageAt);
    }
  }
}

TEST(padlock_zhaoxin, xsha_hashes_lengths_and_blocks_as_a_nano) {
  for (const Hash* hash : both_hashes()) {
    for (const size_t len : {1, 55, 64, 200})
      EXPECT_EQ(hash_on(kModel, *hash, pattern(len)), hash_on("nano", *hash, pattern(len))) << len;
    for (const char* model : {kModel, "nano"}) {
      Machine m(model);
      set_up_hash(m, *hash, pattern(192));
      m.state().rax = 0xFFFFFFFF;
      m.state().rcx = 3;
      ASSERT_TRUE(is_done(m.issue(hash->code)));
      EXPECT_EQ(digest_at(m, *hash), hash_rows("xsha_states.txt")[3].of(*hash)) << model;
    }
  }
}

}  // namespace
}  // namespace incore::padlock::test
