// REP XSHA384 and REP XSHA512 of later VIA and Zhaoxin parts.
#include <gtest/gtest.h>

#include "padlock/machine_units.h"
#include "padlock/openssl_oracle.h"

namespace incore::padlock::test {
namespace {

const Bytes kXsha384 = {0xF3, 0x0F, 0xA6, 0xD8};
const Bytes kXsha512 = {0xF3, 0x0F, 0xA6, 0xE0};

constexpr uint64_t kStateAt = 0x20000;
constexpr uint64_t kTextAt = 0x40000;
constexpr size_t kStateLen = 64;

struct Hash512 {
  const char* name;
  Bytes code;
  size_t digest_len;
  Bytes initial;  // FIPS 180-4 sections 5.3.4 and 5.3.5, each word with its low byte first
};
const Hash512 kHashes[] = {
    {"sha384", kXsha384, 48,
     from_hex("d89e05c15d9dbbcb 07d57c362a299a62 17dd70305a015991 39590ef7d8ec2f15"
              "310bc0ff67263367 11155868874ab48e a78ff9640d2e0cdb a44ffabe1d48b547")},
    {"sha512", kXsha512, 64,
     from_hex("08c9bcf367e6096a 3ba7ca8485ae67bb 2bf894fe72f36e3c f1361d5f3af54fa5"
              "d182e6ad7f520e51 1f6c3e2b8c68059b 6bbd41fbabd9831f 79217e1319cde05b")},
};

// FIPS 180-4 section 5.1.2.
Bytes padded(Bytes message) {
  const uint64_t bits = 8 * message.size();
  message.push_back(0x80);
  while (message.size() % 128 != 112) message.push_back(0);
  message.resize(message.size() + 8);  // the upper half of the length
  for (int shift = 56; shift >= 0; shift -= 8)
    message.push_back(static_cast<uint8_t>(bits >> shift));
  return message;
}

void set_up(Machine& m, const Hash512& hash, const Bytes& blocks, uint64_t text_at = kTextAt) {
  m.memory.map(kStateAt, 128);
  m.put(kStateAt, hash.initial);
  m.put(text_at, blocks);
  m.state().rax = 0;
  m.state().rcx = blocks.size() / 128;
  m.state().rsi = text_at;
  m.state().rdi = kStateAt;
}

// The words at EDI, high byte first.
Bytes state_of(const Machine& m) {
  const Bytes bytes = m.get(kStateAt, kStateLen);
  Bytes out;
  for (size_t word = 0; word < kStateLen; word += 8)
    for (size_t i = 8; i-- > 0;) out.push_back(bytes[word + i]);
  return out;
}
Bytes digest_of(const Machine& m, const Hash512& hash) {
  Bytes state = state_of(m);
  state.resize(hash.digest_len);
  return state;
}

Bytes text(const char* characters) {
  return Bytes(characters, characters + strlen(characters));
}

TEST(padlock_phe2, examples_of_fips_180) {
  const Bytes two_blocks = text(
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
      "lmnopqrsmnopqrstnopqrstu");
  const struct {
    const Hash512& hash;
    Bytes message;
    const char* digest;
  } examples[] = {
      {kHashes[0], text("abc"),
       "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
       "8086072ba1e7cc2358baeca134c825a7"},
      {kHashes[0], two_blocks,
       "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
       "fcc7c71a557e2db966c3e9fa91746039"},
      {kHashes[1], text("abc"),
       "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
      {kHashes[1], two_blocks,
       "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
       "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"},
  };
  for (const char* model : {"nano", "zhaoxin", "host"}) {
    for (const auto& example : examples) {
      Machine m(model);
      set_up(m, example.hash, padded(example.message));
      // clause: PLK-PHE-039
      ASSERT_TRUE(is_done(m.issue(example.hash.code)));
      // clause: PLK-PHE-040
      // clause: PLK-PHE-041
      EXPECT_EQ(to_hex(digest_of(m, example.hash)), example.digest) << model;
    }
  }
}

TEST(padlock_phe2, lengths_around_the_block_agree_with_openssl) {
  if (const std::string why = incore::test::missing_in_openssl("digest", "sha512"); !why.empty())
    GTEST_SKIP() << why;
  for (const Hash512& hash : kHashes) {
    for (size_t len : {0, 1, 111, 112, 127, 128, 129, 239, 240, 1000}) {
      const Bytes message = random_bytes(len, len);
      Machine m("nano");
      set_up(m, hash, padded(message));
      ASSERT_TRUE(is_done(m.issue(hash.code)));
      // clause: PLK-PHE-040
      EXPECT_EQ(to_hex(digest_of(m, hash)),
                to_hex(incore::test::openssl_digest(hash.name, message)))
          << hash.name << ", " << len;
    }
  }
}

TEST(padlock_phe2, all_64_bytes_are_written_and_no_more) {
  for (const Hash512& hash : kHashes) {
    Machine m("nano");
    set_up(m, hash, padded(text("abc")));
    m.put(kStateAt + kStateLen, Bytes(64, 0xEE));
    const Bytes before = m.get(kStateAt, kStateLen);
    ASSERT_TRUE(is_done(m.issue(hash.code)));
    const Bytes after = m.get(kStateAt, kStateLen);
    for (size_t word = 0; word < kStateLen; word += 8)
      // clause: PLK-PHE-041
      EXPECT_NE(Bytes(&before[word], &before[word] + 8), Bytes(&after[word], &after[word] + 8));
    EXPECT_EQ(m.get(kStateAt + kStateLen, 64), Bytes(64, 0xEE));
  }
  // The two differ in nothing but their initial values.
  Machine a("nano"), b("nano");
  set_up(a, kHashes[0], padded(text("abc")));
  set_up(b, kHashes[0], padded(text("abc")));
  ASSERT_TRUE(is_done(a.issue(kXsha384)) && is_done(b.issue(kXsha512)));
  EXPECT_EQ(state_of(a), state_of(b));
}

TEST(padlock_phe2, eax_is_no_input_and_registers_end_as_decided) {
  for (const Hash512& hash : kHashes) {
    Bytes expected;
    for (const uint64_t eax : {uint64_t{0}, uint64_t{5}, ~uint64_t{0}, uint64_t{0xFFFFFFFF}}) {
      Machine m("nano", CodeSize::bits64);
      set_up(m, hash, random_bytes(5 * 128, 1));
      m.state().rax = eax;
      ASSERT_TRUE(is_done(m.issue(hash.code)));
      if (expected.empty()) expected = state_of(m);
      // clause: PLK-PHE-043
      EXPECT_EQ(state_of(m), expected) << eax;
      // clause: PLK-PHE-044
      EXPECT_EQ(m.state().rax, eax);
      EXPECT_EQ(m.state().rcx, 0u);
      EXPECT_EQ(m.state().rsi, kTextAt + 5 * 128);
      EXPECT_EQ(m.state().rdi, kStateAt);
    }
  }
}

TEST(padlock_phe2, no_blocks_are_nothing_to_do) {
  for (const Hash512& hash : kHashes) {
    Machine m("nano");
    m.state().rax = 7;
    m.state().rcx = 0;
    m.state().rsi = kTextAt;
    m.state().rdi = kStateAt;
    // clause: PLK-PHE-042
    ASSERT_TRUE(is_done(m.issue(hash.code)));
    EXPECT_EQ(m.state().rax, 7u);
    EXPECT_EQ(m.state().rsi, kTextAt);
    EXPECT_EQ(m.state().rdi, kStateAt);
  }
}

TEST(padlock_phe2, interrupts_and_faults_leave_whole_blocks_done) {
  for (const Hash512& hash : kHashes) {
    const Bytes blocks = random_bytes(3 * 128, 2);
    Machine one("nano"), all("nano");
    set_up(one, hash, Bytes(blocks.begin(), blocks.begin() + 128));
    set_up(all, hash, blocks);
    ASSERT_TRUE(is_done(one.issue(hash.code)) && is_done(all.issue(hash.code)));

    Machine m("nano");
    set_up(m, hash, blocks);
    InterruptAfter first(1);
    ASSERT_TRUE(is_interrupted(m.issue(hash.code, &first)));
    // clause: PLK-PHE-044
    EXPECT_EQ(m.state().rcx, 2u);
    EXPECT_EQ(m.state().rsi, kTextAt + 128);
    EXPECT_EQ(state_of(m), state_of(one));
    ASSERT_TRUE(is_done(m.issue_again()));
    EXPECT_EQ(state_of(m), state_of(all));

    Machine f("nano");
    set_up(f, hash, blocks);
    f.memory.fault_reads_at(kTextAt + 128 + 77);
    ASSERT_TRUE(is_page_fault(f.issue(hash.code), kTextAt + 128 + 77, false));
    EXPECT_EQ(f.state().rcx, 2u);
    EXPECT_EQ(f.state().rsi, kTextAt + 128);
    EXPECT_EQ(state_of(f), state_of(one));
    f.memory.clear_faults();
    ASSERT_TRUE(is_done(f.issue_again()));
    // clause: PLK-PHE-044
    EXPECT_EQ(state_of(f), state_of(all));
  }
}

TEST(padlock_phe2, only_the_state_must_be_aligned) {
  for (const Hash512& hash : kHashes) {
    const Bytes blocks = padded(text("abc"));
    Machine expected("nano");
    set_up(expected, hash, blocks);
    ASSERT_TRUE(is_done(expected.issue(hash.code)));
    for (uint64_t offset = 1; offset < 16; ++offset) {
      Machine m("nano");
      set_up(m, hash, blocks, kTextAt + offset);
      m.state().rdi += offset;
      // clause: PLK-PHE-045
      EXPECT_TRUE(is_trap(m.issue(hash.code), Vector::general_protection)) << offset;
      m.state().rdi -= offset;
      // clause: PLK-PHE-045
      EXPECT_TRUE(is_done(m.issue_again()));
      EXPECT_EQ(state_of(m), state_of(expected)) << offset;
    }
  }
}

TEST(padlock_phe2, prefixes_as_for_the_older_hashes) {
  for (const Hash512& hash : kHashes) {
    Machine m("nano");
    set_up(m, hash, padded(text("abc")));
    const Bytes no_rep(hash.code.begin() + 1, hash.code.end());
    for (const Bytes& code : {with_prefix(0x66, hash.code), with_prefix(0xF0, hash.code), no_rep,
                              with_prefix(0xF2, no_rep)})
      // clause: PLK-PHE-046
      EXPECT_TRUE(is_trap(m.issue(code), Vector::invalid_opcode)) << to_hex(code);
    EXPECT_EQ(m.get(kStateAt, kStateLen), hash.initial);
  }
}

TEST(padlock_phe2, announced_where_it_runs) {
  for (const char* model : {"c5xl", "nehemiah", "esther", "esther9", "nano", "zhaoxin", "host"}) {
    Machine m(model);
    std::vector<Step> steps;
    for (const Hash512& hash : kHashes) {
      set_up(m, hash, padded(text("abc")));
      steps.push_back(m.issue(hash.code));
    }
    // clause: PLK-CPUID-036
    EXPECT_EQ(works(steps), flag(m, 25)) << model;
    // clause: PLK-CPUID-037
    EXPECT_EQ(flag(m, 26), flag(m, 25)) << model;
  }
  EXPECT_FALSE(flag(*SpecifiedMachine("nano,phe2=off"), 25));
  Machine esther("esther"), nano("nano"), host("host");
  // clause: PLK-CPUID-036
  EXPECT_TRUE(!flag(esther, 25) && flag(nano, 25) && flag(host, 25));
}

TEST(padlock_phe2, no_msr_switches_it_off) {
  Machine m("nano");
  set_msr(m, kMsrFcr, 0);
  EXPECT_FALSE(phe_works(m));
  set_up(m, kHashes[1], padded(text("abc")));
  // clause: PLK-CPUID-037
  EXPECT_TRUE(is_done(m.issue(kXsha512)));
  EXPECT_TRUE(flag(m, 25) && flag(m, 26));
}

TEST(padlock_cpuid, units_that_are_not_emulated_are_never_announced) {
  for (const char* model : {"nano", "zhaoxin", "host"}) {
    Machine m(model);
    for (const unsigned bit : {22u, 23u, 27u, 28u})
      // clause: PLK-CPUID-038
      EXPECT_FALSE(flag(m, bit)) << model << ", " << bit;
  }
}

}  // namespace
}  // namespace incore::padlock::test
