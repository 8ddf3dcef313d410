// incore/padlock.h: each instruction of insns.def by its known answer, on emulated models and, in
// tests/run, on the units of a CPU that has them; traps, MSRs, interrupts and the model's time.
#include "incore/padlock.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "padlock/vectors.h"
#include "support/hex.h"

namespace incore::test {
namespace {

using padlock::test::kSpCounter;
using padlock::test::kSpIv;
using padlock::test::kSpKey128;
using padlock::test::kSpPlain;

// Operands lie here, aligned and within the reach of 32-bit pointers.
class Room {
 public:
  static constexpr size_t kLen = 1 << 20;
  Room() {
#ifdef MAP_32BIT
    constexpr int kWhere = MAP_32BIT;
#else
    constexpr int kWhere = 0;
#endif
    void* const kWish = reinterpret_cast<void*>(0x60000000);  // for where there is no such flag
    memory_ = static_cast<uint8_t*>(
        mmap(kWish, kLen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | kWhere, -1, 0));
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~Room() {
    munmap(memory_, kLen);
  }
  Room(const Room&) = delete;

  uint64_t put(size_t at, const Bytes& bytes) {
    std::copy(bytes.begin(), bytes.end(), memory_ + at);
    return address(at);
  }
  Bytes get(size_t at, size_t len) const {
    return Bytes(memory_ + at, memory_ + at + len);
  }
  uint64_t address(size_t at) const {
    return reinterpret_cast<uintptr_t>(memory_ + at);
  }
  bool is_low() const {
    return address(kLen) <= uint64_t{1} << 32;
  }

 private:
  uint8_t* memory_;
};

// One processor, and what a test wants of it.
class Chip {
 public:
  explicit Chip(const char* model, uint64_t seed = 1) {
    char reason[200] = "";
    EXPECT_EQ(incore_padlock_init_emulated(&padlock_, model, seed, reason, sizeof reason),
              INCORE_OK)
        << reason;
  }
  struct Native {};
  explicit Chip(Native) { status_ = incore_padlock_init_native(&padlock_); }
  ~Chip() { incore_padlock_wipe(&padlock_); }
  Chip(const Chip&) = delete;

  incore_padlock* get() { return &padlock_; }
  incore_status status() const { return status_; }

  incore_status run(const char* mnemonic, incore_padlock_registers& registers) {
    trap = {};
    ran.insert(mnemonic);
    return incore_padlock_execute(&padlock_, mnemonic, &registers, &trap);
  }

  incore_padlock_trap trap = {};
  std::set<std::string> ran;

 private:
  incore_padlock padlock_ = {};
  incore_status status_ = INCORE_OK;
};

constexpr size_t kVectorAt = 0x100, kKeyAt = 0x200, kControlAt = 0x300, kInAt = 0x1000,
                 kOutAt = 0x9000, kStateAt = 0x11000;

// REP XCRYPT of |in| with the key of SP 800-38A.
incore_padlock_registers prepare(Room& room, const Bytes& vector, const Bytes& in,
                                 uint8_t control = 0x0A) {
  Bytes word(128);
  word[0] = control;
  incore_padlock_registers r = {};
  r.rax = room.put(kVectorAt, vector);
  r.rbx = room.put(kKeyAt, kSpKey128);
  r.rcx = in.size() / 16;
  r.rdx = room.put(kControlAt, word);
  r.rsi = room.put(kInAt, in);
  r.rdi = room.address(kOutAt);
  return r;
}

void expect_xcrypt(Chip& chip) {
  const struct {
    const char* mnemonic;
    const Bytes& vector;
    const Bytes& cipher;
  } cases[] = {
      {"xcrypt-ecb", kSpIv, padlock::test::kSpEcb128},
      {"xcrypt-cbc", kSpIv, padlock::test::kSpCbc128},
      {"xcrypt-cfb", kSpIv, padlock::test::kSpCfb128},
      {"xcrypt-ofb", kSpIv, padlock::test::kSpOfb128},
      {"xcrypt-ctr", kSpCounter, padlock::test::kSpCtr128},
  };
  for (const auto& c : cases) {
    Room room;
    incore_padlock_registers r = prepare(room, c.vector, kSpPlain);
    incore_padlock_reload_key(chip.get());
    ASSERT_EQ(chip.run(c.mnemonic, r), INCORE_OK) << c.mnemonic;
    EXPECT_EQ(room.get(kOutAt, kSpPlain.size()), c.cipher) << c.mnemonic;
    EXPECT_EQ(r.rcx, 0u);
    EXPECT_EQ(r.rsi, room.address(kInAt + 64));
    EXPECT_EQ(r.rdi, room.address(kOutAt + 64));
    EXPECT_EQ(r.rbx, room.address(kKeyAt));
  }
}

Bytes words_swapped(Bytes bytes, size_t word) {
  for (size_t i = 0; i < bytes.size(); i += word)
    std::reverse(bytes.begin() + static_cast<long>(i), bytes.begin() + static_cast<long>(i + word));
  return bytes;
}

// FIPS 180-4: "abc", its initial values and digests; PHE2 takes padded blocks.
void expect_xsha(Chip& chip) {
  Bytes padded(128);
  padded[0] = 'a', padded[1] = 'b', padded[2] = 'c', padded[3] = 0x80, padded[127] = 24;
  const struct {
    const char* mnemonic;
    const char* initial;
    const char* digest;
    size_t word;
    uint64_t count;
  } cases[] = {
      {"xsha1", "67452301efcdab8998badcfe10325476c3d2e1f0",
       "a9993e364706816aba3e25717850c26c9cd0d89d", 4, 3},
      {"xsha256", "6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19",
       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 4, 3},
      {"xsha384",
       "cbbb9d5dc1059ed8629a292a367cd5079159015a3070dd17152fecd8f70e5939"
       "67332667ffc00b318eb44a8768581511db0c2e0d64f98fa747b5481dbefa4fa4",
       "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
       "8086072ba1e7cc2358baeca134c825a7",
       8, 1},
      {"xsha512",
       "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1"
       "510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179",
       "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
       8, 1},
  };
  for (const auto& c : cases) {
    Room room;
    incore_padlock_registers r = {};
    r.rcx = c.count;
    r.rsi = room.put(kInAt, padded);
    r.rdi = room.put(kStateAt, words_swapped(from_hex(c.initial), c.word));
    ASSERT_EQ(chip.run(c.mnemonic, r), INCORE_OK) << c.mnemonic;
    const Bytes digest = from_hex(c.digest);
    Bytes state = words_swapped(room.get(kStateAt, 64), c.word);
    state.resize(digest.size());
    EXPECT_EQ(to_hex(state), to_hex(digest)) << c.mnemonic;
  }
}

// GB/T 32907 appendix A (SM4) and GB/T 32905 section 4.1 (SM3 of "abc").
void expect_ccs(Chip& chip) {
  Room room;
  const Bytes example = from_hex("0123456789abcdeffedcba9876543210");
  constexpr uint64_t kSm4Ecb = 0x10 << 1 | 1 << 6, kSm3 = 0x20;
  incore_padlock_registers r = {};
  r.rax = kSm4Ecb;
  r.rbx = room.put(kKeyAt, example);
  r.rcx = 1;
  r.rdx = room.address(kVectorAt);
  r.rsi = room.put(kInAt, example);
  r.rdi = room.address(kOutAt);
  ASSERT_EQ(chip.run("ccs-encrypt", r), INCORE_OK);
  EXPECT_EQ(to_hex(room.get(kOutAt, 16)), "681edf34d206965e86b3e94f536e4246");

  r = {};
  r.rbx = kSm3;
  r.rcx = 3;
  r.rsi = room.put(kInAt, {'a', 'b', 'c'});
  r.rdi = room.put(kStateAt,
                   from_hex("7380166f4914b2b9172442d7da8a0600a96f30bc163138aae38dee4db0fb0e4e"));
  ASSERT_EQ(chip.run("ccs-hash", r), INCORE_OK);
  EXPECT_EQ(to_hex(room.get(kStateAt, 32)),
            "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
}

// The worked example of tests/padlock/pmm_test.cpp: 256 bits.
void expect_montmul(Chip& chip) {
  Room room;
  if (!room.is_low()) GTEST_SKIP() << "no memory below 4 GiB for MONTMUL's 32-bit pointers";
  const auto number = [](std::string hex) {
    Bytes bytes = from_hex(hex);
    std::reverse(bytes.begin(), bytes.end());
    return bytes;
  };
  const uint64_t words[6] = {0xEA53FA95,
                             room.put(0x1000, number("8" + std::string(62, '0') + "1")),
                             room.put(0x2000, number(std::string(63, '0') + "3")),
                             room.address(0x3000),
                             room.put(0x4000, number(std::string(62, 'f') + "43")),
                             room.address(0x5000)};
  Bytes context;
  for (const uint64_t word : words)
    for (int shift = 0; shift < 32; shift += 8)
      context.push_back(static_cast<uint8_t>(word >> shift));
  incore_padlock_registers r = {};
  r.rcx = 256;
  r.rsi = room.put(0x6000, context);
  ASSERT_EQ(chip.run("montmul", r), INCORE_OK) << chip.trap.reason;
  EXPECT_EQ(room.get(0x3000, 32),
            number("6fbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbef6e"));
  EXPECT_EQ(r.rcx, 0u);
}

void expect_xstore(Chip& chip) {
  Room room;
  incore_padlock_registers r = {};
  r.rcx = 1000, r.rdx = 3, r.rdi = room.address(kOutAt);
  ASSERT_EQ(chip.run("rep-xstore", r), INCORE_OK);
  EXPECT_EQ(r.rcx, 0u);
  EXPECT_EQ(r.rdi, room.address(kOutAt + 1000));
  const Bytes random = room.get(kOutAt, 1000);
  EXPECT_GT(std::set<uint8_t>(random.begin(), random.end()).size(), 200u);
  EXPECT_EQ(room.get(kOutAt + 1007, 100), Bytes(100));
  for (int tries = 0; tries < 1000; ++tries) {
    r = {};
    r.rdx = 1, r.rdi = room.address(kOutAt);
    ASSERT_EQ(chip.run("xstore", r), INCORE_OK);
    if ((r.rax & 0x1F) != 0) break;
  }
  EXPECT_EQ(r.rax & 0x1F, 4u);
  EXPECT_EQ(r.rdi, room.address(kOutAt + 4));
}

void expect_known_answers(Chip& chip) {
  expect_xcrypt(chip);
  expect_xsha(chip);
  expect_ccs(chip);
  expect_montmul(chip);
  expect_xstore(chip);
  for (size_t i = 0; incore_padlock_mnemonic(i) != nullptr; ++i)
    EXPECT_EQ(chip.ran.count(incore_padlock_mnemonic(i)), 1u) << incore_padlock_mnemonic(i);
}

TEST(capi_padlock, each_instruction_gives_its_known_answer) {
  Chip chip("zhaoxin");
  expect_known_answers(chip);
  EXPECT_EQ(incore_padlock_is_native(chip.get()), 0);
  EXPECT_STREQ(incore_padlock_name(chip.get()), "zhaoxin");
}

TEST(capi_padlock, each_model_that_is_named_can_be_emulated) {
  std::set<std::string> names;
  for (size_t i = 0; incore_padlock_model_name(i) != nullptr; ++i) {
    const std::string name = incore_padlock_model_name(i);
    EXPECT_TRUE(names.insert(name).second) << name;
    Chip chip(name.c_str());
    EXPECT_EQ(chip.status(), INCORE_OK) << name;
    EXPECT_EQ(incore_padlock_name(chip.get()), name);
  }
  EXPECT_EQ(names.count("nehemiah") + names.count("esther") + names.count("zhaoxin"), 3u);
}

// Where there is a PadLock: tests/run/padlock_chip_test.cpp lends one.
TEST(capi_padlock_native, each_instruction_gives_its_known_answer) {
  Chip chip(Chip::Native{});
  if (chip.status() == INCORE_ERROR_UNSUPPORTED) GTEST_SKIP() << "this CPU has no PadLock";
  expect_known_answers(chip);
  EXPECT_EQ(incore_padlock_is_native(chip.get()), 1);
  EXPECT_STREQ(incore_padlock_name(chip.get()), "native");
  EXPECT_EQ(incore_padlock_seconds(chip.get()), 0);
  EXPECT_EQ(incore_padlock_set_interrupts(chip.get(), 10, 1), INCORE_ERROR_UNSUPPORTED);
}

TEST(capi_padlock, the_key_stays_until_a_reload_is_asked_for) {
  for (const bool reload : {false, true}) {
    Room room;
    Chip chip("esther9");
    incore_padlock_registers r = prepare(room, kSpIv, kSpPlain);
    ASSERT_EQ(chip.run("xcrypt-ecb", r), INCORE_OK);
    const Bytes first = room.get(kOutAt, 64);
    r = prepare(room, kSpIv, kSpPlain);
    room.put(kKeyAt, Bytes(16));
    if (reload) incore_padlock_reload_key(chip.get());
    ASSERT_EQ(chip.run("xcrypt-ecb", r), INCORE_OK);
    EXPECT_EQ(room.get(kOutAt, 64) == first, !reload);
  }
}

TEST(capi_padlock, traps_are_told_and_leave_the_registers) {
  Room room;
  Chip chip("esther9");
  incore_padlock_registers r = prepare(room, kSpIv, kSpPlain);
  r.rsi += 1;
  // clause: PLK-TOOL-112
  EXPECT_EQ(chip.run("xcrypt-cbc", r), INCORE_ERROR_FAULT);
  EXPECT_EQ(chip.trap.vector, 13);
  EXPECT_STREQ(chip.trap.reason, "the source or destination is not aligned to 16 bytes");
  EXPECT_EQ(r.rcx, 4u);

  Chip old("c5xl");
  r = prepare(room, kSpIv, kSpPlain);
  EXPECT_EQ(old.run("xcrypt-cbc", r), INCORE_ERROR_FAULT);
  EXPECT_EQ(old.trap.vector, 6);
  EXPECT_STREQ(old.trap.reason, "this processor has no ACE");
}

// Which pages may be accessed is asked of the kernel; QEMU's user mode has no such call.
bool kernel_tells_of_pages() {
  char byte = 0, copy;
  iovec local = {&copy, 1}, remote = {&byte, 1};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

TEST(capi_padlock, pages_that_may_not_be_accessed_trap_where_the_blocks_before_are_done) {
  if (!kernel_tells_of_pages()) GTEST_SKIP() << "this kernel has no process_vm_readv";
  Room room;
  Chip chip("esther9");
  // Two of four blocks lie before a page that may not be read.
  incore_padlock_registers r = prepare(room, kSpIv, kSpPlain);
  const uint64_t source = r.rsi;
  ASSERT_EQ(mprotect(reinterpret_cast<void*>(room.address(0x8000)), 0x1000, PROT_NONE), 0);
  r.rsi = room.address(0x8000 - 32);
  EXPECT_EQ(chip.run("xcrypt-cbc", r), INCORE_ERROR_FAULT);
  EXPECT_EQ(chip.trap.vector, 14);
  EXPECT_EQ(chip.trap.address, room.address(0x8000));
  EXPECT_EQ(r.rcx, 2u);
  EXPECT_EQ(r.rsi, room.address(0x8000));
  // ... and a destination that may be read but not written.
  ASSERT_EQ(mprotect(reinterpret_cast<void*>(room.address(0x8000)), 0x1000, PROT_READ), 0);
  Chip fresh("esther9");
  r = prepare(room, kSpIv, kSpPlain);
  r.rdi = room.address(0x8000 - 16);
  EXPECT_EQ(fresh.run("xcrypt-cbc", r), INCORE_ERROR_FAULT);
  EXPECT_EQ(fresh.trap.vector, 14);
  EXPECT_EQ(fresh.trap.address, room.address(0x8000));
  EXPECT_EQ(r.rcx, 3u);
  EXPECT_EQ(r.rsi, source + 16);
}

TEST(capi_padlock, mistakes_of_the_caller_have_statuses) {
  Chip chip("esther");
  incore_padlock_registers r = {};
  EXPECT_EQ(incore_padlock_execute(chip.get(), "xcrypt-xts", &r, nullptr), INCORE_ERROR_ALGORITHM);
  EXPECT_EQ(incore_padlock_execute(nullptr, "xsha1", &r, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_padlock_execute(chip.get(), nullptr, &r, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_padlock_execute(chip.get(), "xsha1", nullptr, nullptr), INCORE_ERROR_NULL);
  incore_padlock unmade = {};
  EXPECT_EQ(incore_padlock_execute(&unmade, "xsha1", &r, nullptr), INCORE_ERROR_STATE);
  EXPECT_EQ(incore_padlock_write_msr(&unmade, 0x110B, 0), INCORE_ERROR_STATE);
  EXPECT_STREQ(incore_padlock_name(&unmade), "none");
  char reason[24];
  EXPECT_EQ(incore_padlock_init_emulated(&unmade, "pentium", 1, reason, sizeof reason),
            INCORE_ERROR_MODEL);
  EXPECT_EQ(std::strlen(reason), sizeof reason - 1);
  EXPECT_EQ(incore_padlock_init_emulated(&unmade, "pentium", 1, nullptr, 0), INCORE_ERROR_MODEL);
  incore_padlock_wipe(nullptr);
}

// A context may stand anywhere that its type may.
TEST(capi_padlock, needs_no_alignment_beyond_its_own) {
  std::vector<uint64_t> storage(2 * sizeof(incore_padlock) / sizeof(uint64_t));
  for (size_t at : {0u, 1u}) {
    auto* const padlock = reinterpret_cast<incore_padlock*>(storage.data() + at);
    ASSERT_EQ(incore_padlock_init_emulated(padlock, "nano,stepping=3", 1, nullptr, 0), INCORE_OK);
    uint32_t registers[4] = {};
    ASSERT_EQ(incore_padlock_cpuid(padlock, 1, 0, registers), INCORE_OK);
    EXPECT_EQ(registers[0] & 0xF, 3u);
  }
}

TEST(capi_padlock, msrs_switch_the_units) {
  Chip chip("esther");
  uint64_t value = 0;
  ASSERT_EQ(incore_padlock_read_msr(chip.get(), 0x110B, &value), INCORE_OK);
  EXPECT_EQ(value & ~uint64_t{0x1F}, 0x40u);
  ASSERT_EQ(incore_padlock_write_msr(chip.get(), 0x110B, 0x3640), INCORE_OK);
  ASSERT_EQ(incore_padlock_read_msr(chip.get(), 0x110B, &value), INCORE_OK);
  EXPECT_EQ(value & ~uint64_t{0x1F}, 0x3640u);
  EXPECT_EQ(incore_padlock_read_msr(chip.get(), 0x10, &value), INCORE_ERROR_UNSUPPORTED);

  uint32_t registers[4];
  ASSERT_EQ(incore_padlock_write_msr(chip.get(), 0x1107, 0), INCORE_OK);
  ASSERT_EQ(incore_padlock_cpuid(chip.get(), 0xC0000001, 0, registers), INCORE_OK);
  EXPECT_EQ(registers[3] & 0xC0, 0x40u);  // ACE exists and is off
  Room room;
  incore_padlock_registers r = prepare(room, kSpIv, kSpPlain);
  EXPECT_EQ(chip.run("xcrypt-ecb", r), INCORE_ERROR_FAULT);
  EXPECT_EQ(chip.trap.vector, 6);
}

// The counter after |blocks| blocks with interrupts, and how many came.
struct Interrupted {
  Bytes text;
  unsigned counter;
  uint64_t num_interrupts;
};
Interrupted ctr(const char* model, size_t blocks, uint64_t mean, uint64_t seed) {
  Room room;
  Chip chip(model);
  incore_padlock_registers r = prepare(room, kSpCounter, Bytes(16 * blocks));
  EXPECT_EQ(incore_padlock_set_interrupts(chip.get(), mean, seed), INCORE_OK);
  EXPECT_EQ(chip.run("xcrypt-ctr", r), INCORE_OK);
  EXPECT_EQ(r.rcx, 0u);
  const Bytes counter = room.get(kVectorAt + 14, 2);
  return {room.get(kOutAt, 16 * blocks), unsigned{counter[0]} << 8 | counter[1],
          incore_padlock_num_interrupts(chip.get())};
}

TEST(capi_padlock, interrupts_bring_out_the_erratum_of_esther_and_harm_no_other_part) {
  constexpr unsigned kStart = 0xFEFF;
  const Interrupted quiet = ctr("esther", 200, 0, 1);
  EXPECT_EQ(quiet.num_interrupts, 0u);
  EXPECT_EQ(quiet.counter, kStart + 201);
  const Interrupted harmed = ctr("esther", 200, 20, 1);
  EXPECT_GT(harmed.num_interrupts, 3u);
  EXPECT_GT(harmed.counter, kStart + 203);
  EXPECT_NE(harmed.text, quiet.text);
  for (const uint64_t mean : {1u, 3u, 20u}) {
    const Interrupted sound = ctr("esther9", 200, mean, 1);
    EXPECT_GT(sound.num_interrupts, 3u);
    EXPECT_EQ(sound.counter, kStart + 200);
    EXPECT_EQ(sound.text, quiet.text);
  }
  EXPECT_EQ(ctr("esther", 200, 20, 7).text, ctr("esther", 200, 20, 7).text);
  EXPECT_NE(ctr("esther", 200, 20, 7).text, ctr("esther", 200, 20, 8).text);
}

TEST(capi_padlock, interrupts_come_as_often_as_was_said) {
  Room room;
  Chip chip("esther9");
  ASSERT_EQ(incore_padlock_set_interrupts(chip.get(), 1000, 1), INCORE_OK);
  for (int call = 0; call < 10000; ++call) {
    incore_padlock_registers r = prepare(room, kSpCounter, Bytes(16 * 100));
    ASSERT_EQ(chip.run("xcrypt-ctr", r), INCORE_OK);
  }
  // 1000 of a million blocks; the distance's standard deviation is 577, so that 1000 have 18.
  EXPECT_NEAR(static_cast<double>(incore_padlock_num_interrupts(chip.get())), 1000, 90);
}

TEST(capi_padlock, interrupted_instructions_of_all_units_end_as_others) {
  Chip chip("zhaoxin");
  ASSERT_EQ(incore_padlock_set_interrupts(chip.get(), 1, 1), INCORE_OK);
  expect_known_answers(chip);
  EXPECT_GT(incore_padlock_num_interrupts(chip.get()), 100u);
}

// Clocks that |mnemonic| takes on an Esther at 1600 MHz.
double clocks_of(Chip& chip, const char* mnemonic, incore_padlock_registers r) {
  const double before = incore_padlock_seconds(chip.get());
  EXPECT_EQ(chip.run(mnemonic, r), INCORE_OK) << mnemonic;
  return (incore_padlock_seconds(chip.get()) - before) * 1600e6;
}

TEST(capi_padlock, time_is_that_of_the_guide) {
  Room room;
  Chip chip("esther");
  EXPECT_EQ(incore_padlock_clock_mhz(chip.get()), 1600u);
  EXPECT_EQ(incore_padlock_seconds(chip.get()), 0);
  // Section 3.3: a key made by the hardware takes 36 clocks more.
  const auto r = prepare(room, kSpIv, Bytes(16 * 2));
  const double first = clocks_of(chip, "xcrypt-ecb", r);
  const double second = clocks_of(chip, "xcrypt-ecb", r);
  EXPECT_NEAR(first - second, 36, 0.01);
  EXPECT_NEAR(second, 11 + 4 + 20, 0.01);
  // Section 4.2: SHA-1 takes 192.5 clocks a block of 64 bytes.
  incore_padlock_registers sha = {};
  sha.rsi = room.address(kInAt), sha.rdi = room.address(kStateAt);
  sha.rcx = 64 * 100;
  const double hundred = clocks_of(chip, "xsha1", sha);
  sha.rcx = 64 * 200;
  EXPECT_NEAR(clocks_of(chip, "xsha1", sha) - hundred, 19250, 0.01);
  // Section 2.3: XSTORE that finds nothing takes 30 clocks.
  uint64_t fields;
  ASSERT_EQ(incore_padlock_write_msr(chip.get(), 0x110B, 0x40), INCORE_OK);  // empties the buffers
  ASSERT_EQ(incore_padlock_read_msr(chip.get(), 0x110B, &fields), INCORE_OK);
  incore_padlock_registers store = {};
  store.rdi = room.address(kOutAt);
  EXPECT_NEAR(clocks_of(chip, "xstore", store), 30, 0.01);
  incore_padlock_wait(chip.get(), 100000);
  EXPECT_NEAR(clocks_of(chip, "xstore", store), 55, 0.01);
}

// What REP XSTORE delivers, in kbit/s.
double xstore_rate(const char* model, unsigned quality, uint64_t msr, size_t bytes) {
  Room room;
  Chip chip(model);
  EXPECT_EQ(incore_padlock_write_msr(chip.get(), 0x110B, msr), INCORE_OK);
  incore_padlock_registers r = {};
  r.rcx = bytes, r.rdx = quality, r.rdi = room.address(kOutAt);
  EXPECT_EQ(chip.run("rep-xstore", r), INCORE_OK);
  return static_cast<double>(8 * bytes) / incore_padlock_seconds(chip.get()) / 1000;
}

TEST(capi_padlock, xstore_delivers_at_the_rates_of_the_guide) {
  // Section 6.1: source A, whitened, one byte of each buffer: 1632 to 1671.
  // clause: PLK-TOOL-039
  const double sample = xstore_rate("esther", 3, 0x40, 32768);
  EXPECT_GT(sample, 1620);
  EXPECT_LT(sample, 1680);
  EXPECT_NEAR(xstore_rate("esther", 0, 0x40, 65536), 8 * sample, 200);
  // Both sources, raw, BIAS 0: 150 to 200 Mb/s; whitened twice that of one.
  EXPECT_NEAR(xstore_rate("esther", 0, 0x2240, 262144), 175000, 500);
  EXPECT_NEAR(xstore_rate("esther", 0, 0x240, 131072), 26400, 400);
  // Nehemiah: 6 to 10 Mb/s from one source.
  EXPECT_NEAR(xstore_rate("nehemiah", 0, 0x40, 65536), 8000, 100);
}

TEST(capi_padlock, noise_follows_from_the_seed) {
  Room room;
  const auto noise = [&](uint64_t seed) {
    Chip chip("esther", seed);
    incore_padlock_registers r = {};
    r.rcx = 64, r.rdi = room.address(kOutAt);
    EXPECT_EQ(chip.run("rep-xstore", r), INCORE_OK);
    return room.get(kOutAt, 64);
  };
  EXPECT_EQ(noise(1), noise(1));
  EXPECT_NE(noise(1), noise(2));
}

TEST(capi_padlock, xstore_without_time_delivers_nothing_and_a_dead_generator_is_an_error) {
  Room room;
  Chip chip("nehemiah");
  // A string filter that lets no bit pass.
  ASSERT_EQ(incore_padlock_write_msr(chip.get(), 0x110B, 0x4040), INCORE_OK);
  incore_padlock_registers r = {};
  r.rdi = room.address(kOutAt);
  ASSERT_EQ(chip.run("xstore", r), INCORE_OK);
  EXPECT_EQ(r.rax & 0x1F, 0u);
  r.rcx = 8;
  EXPECT_EQ(chip.run("rep-xstore", r), INCORE_ERROR_IO);
  EXPECT_EQ(r.rcx, 8u);
}

}  // namespace
}  // namespace incore::test
