// Addresses that instructions add up wrap at the address size: what begins just below the end of 64
// KB, or of 4 GB, goes on at 0. Every instruction that moves a pointer, or looks behind an operand.
#include <functional>

#include "padlock/machine_rng.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

// A code segment and a prefix, or none, that make addresses of |mask|'s width.
struct AddressSize {
  const char* name;
  CodeSize code_size;
  bool prefix;
  uint64_t mask;
  uint64_t junk;  // in registers, above the width
};
constexpr AddressSize kAddressSizes[] = {
    {"16-bit code", CodeSize::bits16, false, 0xFFFF, 0xABCD0000},
    {"67h in 32-bit code", CodeSize::bits32, true, 0xFFFF, 0xABCD0000},
    {"32-bit code", CodeSize::bits32, false, 0xFFFFFFFF, 0},
    {"67h in 16-bit code", CodeSize::bits16, true, 0xFFFFFFFF, 0},
    {"67h in 64-bit code", CodeSize::bits64, true, 0xFFFFFFFF, 0x123400000000},
};

Bytes code_for(const AddressSize& size, const Bytes& code) {
  return size.prefix ? with_prefix(0x67, code) : code;
}

// Memory as the instruction sees it, byte by byte.
void put_wrapping(Machine& m, uint64_t mask, uint64_t at, const Bytes& bytes) {
  for (size_t i = 0; i < bytes.size(); ++i) m.put((at + i) & mask, {bytes[i]});
}
Bytes get_wrapping(const Machine& m, uint64_t mask, uint64_t at, size_t len) {
  Bytes bytes;
  for (size_t i = 0; i < len; ++i) bytes.push_back(m.get((at + i) & mask, 1)[0]);
  return bytes;
}

// Everything that does not wrap lies here, below 64 KB and above the code.
constexpr uint64_t kVectorAt = 0x2000, kKeyAt = 0x3000, kControlAt = 0x4000, kSourceAt = 0x5000,
                   kDestAt = 0x6000;

// An instruction that goes through |source| in steps of |step| bytes, and writes |out_len| bytes.
struct Stream {
  const char* name;
  const char* model;
  Bytes code;
  Bytes source;
  size_t step, out_len;
  bool writes_along;  // EDI moves with ESI
  std::function<void(Machine&)> set_up;
};

std::vector<Stream> streams() {
  std::vector<Stream> all;
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      const auto set_up = [mode, decrypt](Machine& m) {
        XcryptJob job =
            XcryptJob::standard(mode, decrypt, random_bytes(16, 1), Bytes(64), random_bytes(16, 2));
        job.iv_at = kVectorAt, job.key_at = kKeyAt, job.control_at = kControlAt;
        job.source_at = kSourceAt, job.dest_at = kDestAt;
        job.prepare(m);
      };
      all.push_back(
          {name_of(mode), "esther9", opcode_of(mode), random_bytes(64, 3), 16, 64, true, set_up});
    }
  }
  const auto hash = [](uint64_t eax, uint64_t ecx, uint64_t ebx) {
    return [=](Machine& m) {
      m.put(kDestAt, random_bytes(128, 4));
      m.state().rax = eax, m.state().rcx = ecx, m.state().rbx = ebx;
    };
  };
  all.push_back({"xsha1", "esther9", kXsha1, random_bytes(200, 5), 64, 20, false, hash(0, 200, 0)});
  all.push_back(
      {"xsha256", "esther9", kXsha256, random_bytes(200, 6), 64, 32, false, hash(0, 200, 0)});
  const Bytes xsha384 = {0xF3, 0x0F, 0xA6, 0xD8}, xsha512 = {0xF3, 0x0F, 0xA6, 0xE0};
  all.push_back({"xsha384", "nano", xsha384, random_bytes(384, 7), 128, 64, false, hash(0, 3, 0)});
  all.push_back({"xsha512", "nano", xsha512, random_bytes(384, 8), 128, 64, false, hash(0, 3, 0)});
  const Bytes ccs_hash = {0xF3, 0x0F, 0xA6, 0xE8}, ccs_encrypt = {0xF3, 0x0F, 0xA7, 0xF0};
  all.push_back(
      {"ccs-hash", "zhaoxin", ccs_hash, random_bytes(200, 9), 64, 32, false, hash(0, 200, 0x20)});
  for (uint64_t mode : {0x40, 0x80, 0x100, 0x200, 0x400}) {
    const auto set_up = [mode](Machine& m) {
      m.put(kKeyAt, random_bytes(16, 10));
      m.put(kVectorAt, random_bytes(16, 11));
      m.memory.map(kDestAt, 64);
      State& s = m.state();
      s.rax = mode | 0x20, s.rbx = kKeyAt, s.rcx = 4, s.rdx = kVectorAt;
    };
    all.push_back(
        {"ccs-encrypt", "zhaoxin", ccs_encrypt, random_bytes(64, 12), 16, 64, true, set_up});
  }
  return all;
}

// Runs |stream| with ESI and EDI as given; what it wrote.
Bytes run(const Stream& stream, const AddressSize& size, uint64_t source_at, uint64_t dest_at,
          bool direct) {
  Machine m(stream.model, size.code_size);
  m.memory.allow_direct(direct);
  stream.set_up(m);
  m.put(size.mask + 1, random_bytes(1024, 18));  // there, but not what is meant
  put_wrapping(m, size.mask, source_at, stream.source);
  if (stream.writes_along) put_wrapping(m, size.mask, dest_at, Bytes(stream.out_len, 0xEE));
  State& s = m.state();
  s.rsi = source_at | size.junk;
  s.rdi = dest_at | size.junk;
  EXPECT_TRUE(is_done(m.issue(code_for(size, stream.code))));
  EXPECT_EQ(s.rsi & size.mask, (source_at + stream.source.size()) & size.mask);
  if (stream.writes_along) {
    EXPECT_EQ(s.rdi & size.mask, (dest_at + stream.out_len) & size.mask);
  }
  return get_wrapping(m, size.mask, dest_at, stream.out_len);
}

TEST(padlock_address_wrap, data_goes_on_at_0_behind_each_block) {
  for (const Stream& stream : streams()) {
    for (const AddressSize& size : kAddressSizes) {
      for (bool direct : {false, true}) {
        SCOPED_TRACE(std::string(stream.name) + ", " + size.name);
        const Bytes expected = run(stream, size, kSourceAt, kDestAt, direct);
        for (size_t before = stream.step; before <= 2 * stream.step; before += stream.step) {
          const uint64_t at = size.mask + 1 - before;
          // clause: PLK-EXC-021
          EXPECT_EQ(run(stream, size, at, kDestAt, direct), expected);
          if (stream.writes_along) {
            EXPECT_EQ(run(stream, size, kSourceAt, at, direct), expected);
          }
        }
      }
    }
  }
}

TEST(padlock_address_wrap, the_second_store_of_xstore_goes_to_0) {
  for (const Bytes& code : {kXstore, kRepXstore}) {
    for (const AddressSize& size : kAddressSizes) {
      SCOPED_TRACE(std::string(size.name) + ", " + to_hex(code));
      const uint64_t end = size.mask - 3;
      const Bytes random = random_bytes(16, 13);
      RngMachine rng("nehemiah", size.code_size);
      rng.make(random);
      Machine& m = rng.m;
      m.memory.map(end, 4);
      m.state().rdi = end | size.junk;
      m.state().rcx = 8 | size.junk;
      // clause: PLK-EXC-021
      EXPECT_TRUE(is_page_fault(m.issue(code_for(size, code)), 0, true));
      EXPECT_EQ(m.state().rdi, end | size.junk);
      EXPECT_EQ(m.get(end, 4), Bytes(4));
      m.memory.map(0, 8);
      ASSERT_TRUE(is_done(m.issue_again()));
      EXPECT_EQ(get_wrapping(m, size.mask, end, 12),
                concat(Bytes(random.begin(), random.begin() + 8), Bytes(4)));
      EXPECT_EQ(m.state().rdi & size.mask, 4u);
    }
  }
}

TEST(padlock_address_wrap, the_scratch_space_of_a_control_word_at_the_end_lies_at_0) {
  for (Mode mode : kChainingModes) {
    for (bool decrypt : {false, true}) {
      for (const AddressSize& size : kAddressSizes) {
        SCOPED_TRACE(std::string(name_of(mode)) + ", " + size.name);
        const Bytes source = random_bytes(48, 14);
        XcryptJob job =
            XcryptJob::standard(mode, decrypt, random_bytes(16, 15), source, random_bytes(16, 16));
        job.control.align = true;
        job.iv_at = kVectorAt, job.key_at = kKeyAt, job.source_at = kSourceAt;
        job.dest_at = kDestAt + 4;
        job.control_at = kControlAt;
        Machine plain("esther9", size.code_size);
        job.prepare(plain);
        ASSERT_TRUE(is_done(plain.issue(code_for(size, opcode_of(mode)))));

        Machine m("esther9", size.code_size);
        job.control_at = size.mask - 15;
        job.prepare(m);
        m.memory.unmap(0, 1);
        m.memory.unmap(size.mask + 1, 112);
        m.state().rdx = job.control_at | size.junk;
        // clause: PLK-EXC-021
        EXPECT_TRUE(is_page_fault(m.issue(code_for(size, opcode_of(mode))), 0, true));
        m.memory.map(0, 112);
        ASSERT_TRUE(is_done(m.issue_again()));
        EXPECT_EQ(job.output(m), job.output(plain));
        const bool copied = !decrypt && (mode == Mode::cbc || mode == Mode::cfb);
        EXPECT_EQ(m.state().rax & size.mask, copied ? 0 : kVectorAt);
        EXPECT_EQ(m.get(m.state().rax & size.mask, 16),
                  plain.get(plain.state().rax & size.mask, 16));
      }
    }
  }
}

TEST(padlock_address_wrap, one_block_does_not_wrap_within) {
  for (const AddressSize& size : kAddressSizes) {
    SCOPED_TRACE(size.name);
    XcryptJob job = XcryptJob::standard(Mode::cbc, true, random_bytes(16, 17), Bytes(16));
    job.control.align = true;
    job.iv_at = kVectorAt, job.key_at = kKeyAt, job.control_at = kControlAt, job.dest_at = kDestAt;
    Machine m("esther9", size.code_size);
    job.source_at = kSourceAt;
    job.prepare(m);
    m.memory.map(size.mask - 7, 8);
    m.memory.map(0, 8);
    m.memory.unmap(size.mask + 1, 1);
    m.state().rsi = (size.mask - 7) | size.junk;
    const Step step = m.issue(code_for(size, kXcryptCbc));
    const bool at_limit = size.mask == 0xFFFFFFFF && size.code_size != CodeSize::bits64;
    // clause: PLK-EXC-021
    EXPECT_TRUE(at_limit ? is_trap(step, Vector::general_protection)
                         : is_page_fault(step, size.mask + 1, false));
  }
}

}  // namespace
}  // namespace incore::padlock::test
