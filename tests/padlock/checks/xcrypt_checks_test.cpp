// The checks of REP XCRYPT: control word, alignment, memory around the operands, keys and counters.
#include <gtest/gtest.h>

#include "padlock/checks/checked.h"
#include "padlock/machine_units.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

XcryptJob job_of(Mode mode, size_t blocks = 4, bool decrypt = false) {
  return XcryptJob::standard(mode, decrypt, random_bytes(16, 1), random_bytes(16 * blocks, 2),
                             concat(random_bytes(14, 3), {0, 1}));
}

// A job on a machine of its own, ready to be spoiled.
struct Prepared {
  explicit Prepared(const XcryptJob& wanted, const char* model = "nano")
      : job(wanted), m(model), checked(m) {
    job.prepare(m);
  }
  void set_control(uint32_t bits) {
    Bytes bytes(16);
    store_le32(bytes.data(), bits);
    m.put(job.control_at, bytes);
  }
  Reports look() { return checked.look(opcode_of(job.mode)); }

  XcryptJob job;
  Machine m;
  Checked checked;
};

uint32_t standard_control() {
  return ControlFields().value();
}

// ---- Control word ----

TEST(padlock_checks_control_word, undefined_fields) {
  Prepared p(job_of(Mode::cbc));
  p.set_control(standard_control());
  EXPECT_EQ(p.look(), Reports());
  p.set_control(standard_control() | kCwCiphr);
  // clause: PLK-ACE-095
  EXPECT_EQ(p.look(), Reports({"cipher-bit PLK-ACE-095"}));
  EXPECT_EQ(p.checked.operands, std::vector<Operand>{Operand::control_word});
  for (const uint32_t key_size : {1u, 2u}) {
    p.set_control(12 | key_size << kCwKsizeShift);
    // clause: PLK-ACE-097
    EXPECT_EQ(p.look(), Reports({"key-size PLK-ACE-097"})) << key_size;
    // clause: LJ-038
    p.set_control(12 | key_size << kCwKsizeShift | kCwKeygn);
    p.m.memory.map(p.job.key_at, 256);
    EXPECT_EQ(p.look(), Reports()) << key_size;
  }
  // clause: PLK-TOOL-114
  for (const uint32_t undefined : {0x40Cu, 0x80Eu}) {
    p.set_control(undefined);
    EXPECT_EQ(p.look(), Reports({"key-size PLK-ACE-097"}));
    p.set_control(undefined | kCwKeygn);
    EXPECT_EQ(p.look(), Reports());
  }
  for (const uint32_t keygn : {0u, kCwKeygn}) {
    p.set_control(10 | 3 << kCwKsizeShift | keygn);
    // clause: PLK-ACE-102
    EXPECT_EQ(p.look(), Reports({"key-size PLK-ACE-102"}));
  }
}

TEST(padlock_checks_control_word, reserved_bits) {
  for (unsigned bit = 12; bit < 128; ++bit) {
    Prepared p(job_of(Mode::ecb));
    Bytes word = p.job.control.bytes();
    word[bit / 8] = static_cast<uint8_t>(word[bit / 8] | 1 << bit % 8);
    p.m.put(p.job.control_at, word);
    // clause: PLK-ACE-103
    EXPECT_EQ(p.look(), Reports({"reserved-bits PLK-ACE-103"})) << bit;
  }
}

TEST(padlock_checks_control_word, bits_that_need_ace2) {
  Prepared c5p(job_of(Mode::cbc), "nehemiah"), c5j(job_of(Mode::cbc), "esther9");
  c5p.set_control(standard_control() | kCwDgest);
  // clause: PLK-ACE-090
  EXPECT_EQ(c5p.look(), Reports({"nehemiah-bits PLK-ACE-090"}));
  c5p.set_control(standard_control() | kCwAlign);
  // clause: PLK-ACE-093
  EXPECT_EQ(c5p.look(), Reports({"nehemiah-bits PLK-ACE-093"}));
  c5j.set_control(standard_control() | kCwAlign | kCwDgest);
  EXPECT_EQ(c5j.look(), Reports());
}

TEST(padlock_checks_control_word, intermediate_results_of_decryption_need_keys_in_memory) {
  Prepared p(job_of(Mode::ecb));
  p.m.memory.map(p.job.key_at, 256);
  p.set_control(standard_control() | kCwInter | kCwCrypt);
  // clause: PLK-ACE-077
  EXPECT_EQ(p.look(), Reports({"intermediate-keys PLK-ACE-077"}));
  p.set_control(standard_control() | kCwInter | kCwCrypt | kCwKeygn);
  EXPECT_EQ(p.look(), Reports());
  p.set_control(standard_control() | kCwInter);
  EXPECT_EQ(p.look(), Reports());
}

TEST(padlock_checks_control_word, sixteen_rounds_of_keys_in_memory) {
  Prepared p(job_of(Mode::ecb));
  p.m.memory.map(p.job.key_at, 256);
  p.set_control(kCwKeygn);
  // clause: PLK-ACE-086
  EXPECT_EQ(p.look(), Reports({"sixteen-rounds PLK-ACE-086"}));
  p.set_control(0);
  EXPECT_EQ(p.look(), Reports());
}

TEST(padlock_checks_control_word, digest_in_place) {
  for (const Mode mode : {Mode::cbc, Mode::cfb}) {
    XcryptJob job = job_of(mode);
    job.control.digest = true;
    EXPECT_EQ(Prepared(job).look(), Reports());
    job.dest_at = job.source_at;
    // clause: PLK-ACE-040
    EXPECT_EQ(Prepared(job).look(), Reports({"digest-in-place PLK-ACE-040"}));
  }
}

// ---- Alignment ----

TEST(padlock_checks_alignment, data) {
  XcryptJob job = job_of(Mode::cbc);
  job.source_at += 4;
  EXPECT_EQ(Prepared(job).look(), Reports({"misaligned-data PLK-ACE-037"}));
  job.dest_at += 8;
  EXPECT_EQ(Prepared(job).look(),
            Reports({"misaligned-data PLK-ACE-037", "misaligned-data PLK-ACE-037"}));
  job.control.align = true;
  EXPECT_EQ(Prepared(job).look(), Reports());
  job.mode = Mode::ecb;
  EXPECT_EQ(Prepared(job).look().front(), "misaligned-data PLK-ACE-092");
  job.mode = Mode::cbc;
  EXPECT_EQ(Prepared(job, "nehemiah").look().front(), "misaligned-data PLK-ACE-034");
}

// Addresses are linear ones: base and offset in 32-bit code, the offset alone in 64-bit code.
TEST(padlock_checks_alignment, counts_in_linear_addresses) {
  Prepared p(job_of(Mode::cbc));
  p.m.state().es.base = 8;
  // clause: PLK-ACE-038
  EXPECT_NE(p.look(), Reports());
  for (uint64_t State::*reg : {&State::rax, &State::rbx, &State::rdx, &State::rsi, &State::rdi})
    p.m.state().*reg -= 8;
  EXPECT_EQ(p.look(), Reports());
  Machine long_mode("nano", CodeSize::bits64);
  p.job.prepare(long_mode);
  long_mode.state().es.base = 8;
  EXPECT_EQ(reports(long_mode, kXcryptCbc), Reports());
}

TEST(padlock_checks_alignment, other_operands) {
  const auto spoiled = [](uint64_t XcryptJob::*member) {
    XcryptJob job = job_of(Mode::cbc);
    job.*member += 8;
    return Prepared(job).look();
  };
  EXPECT_EQ(spoiled(&XcryptJob::control_at), Reports({"misaligned-operand PLK-ACE-078"}));
  EXPECT_EQ(spoiled(&XcryptJob::key_at), Reports({"misaligned-operand PLK-ACE-043"}));
  EXPECT_EQ(spoiled(&XcryptJob::iv_at), Reports({"misaligned-operand PLK-ACE-048"}));
}

// ---- Memory ----

TEST(padlock_checks_memory, scratch_space) {
  XcryptJob job = job_of(Mode::cbc);
  job.control.align = true;
  job.control_at = 0x30F80;  // 128 bytes to the end of the page
  Prepared fits(job);
  fits.m.memory.unmap(0x31000, 1);
  // clause: PLK-ACE-079
  EXPECT_EQ(fits.look(), Reports());
  job.control_at = 0x30F90;
  Prepared too_small(job);
  too_small.m.memory.unmap(0x31000, 1);
  EXPECT_EQ(too_small.look(), Reports({"scratch-space PLK-ACE-079"}));
  job.control.align = false;
  Prepared unused(job);
  unused.m.memory.unmap(0x31000, 1);
  EXPECT_EQ(unused.look(), Reports());
}

TEST(padlock_checks_memory, scratch_space_holds_no_operand) {
  XcryptJob job = job_of(Mode::cbc);
  job.control.align = true;
  job.key_at = job.control_at + 112;
  // clause: PLK-ACE-080
  EXPECT_EQ(Prepared(job).look(), Reports({"scratch-space PLK-ACE-080"}));
  job.key_at = job.control_at + 128;
  EXPECT_EQ(Prepared(job).look(), Reports());
  job.iv_at = job.control_at + 32;
  EXPECT_EQ(Prepared(job).look(), Reports({"scratch-space PLK-ACE-080"}));
  job.iv_at = job.control_at + 16;  // where the instruction itself leaves it
  EXPECT_EQ(Prepared(job).look(), Reports());
}

TEST(padlock_checks_memory, key_slots) {
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, random_bytes(32, 1), random_bytes(64, 2));
  job.key_at = 0x20F00;
  Prepared fits(job);
  fits.m.memory.unmap(0x21000, 1);
  EXPECT_EQ(fits.look(), Reports());
  job.key_at = 0x20F10;  // the 240 bytes of the schedule fit, the 256 that are read do not
  Prepared too_small(job);
  too_small.m.memory.unmap(0x21000, 1);
  // clause: PLK-ACE-076
  EXPECT_EQ(too_small.look(), Reports({"key-slots PLK-ACE-076"}));
}

// The source ends with a page that nothing follows.
Reports at_page_end(Mode mode, size_t blocks, const char* model = "nano") {
  XcryptJob job = job_of(mode, blocks);
  job.source_at = 0x101000 - 16 * blocks;
  SpecifiedMachine m(model);
  job.prepare(*m);
  m->memory.unmap(0x101000, 1);
  return reports(*m, opcode_of(mode));
}

TEST(padlock_checks_memory, over_read) {
  // clause: PLK-ACE-062
  EXPECT_EQ(at_page_end(Mode::ecb, 3), Reports({"over-read PLK-ACE-062"}));
  EXPECT_EQ(at_page_end(Mode::ecb, 4), Reports());
  EXPECT_EQ(at_page_end(Mode::cbc, 3), Reports());
  EXPECT_EQ(at_page_end(Mode::ctr, 3), Reports({"over-read PLK-EXC-003"}));
  EXPECT_EQ(at_page_end(Mode::ctr, 4), Reports());
  EXPECT_EQ(at_page_end(Mode::ecb, 4, "nano,ecb-fetch=8"), Reports({"over-read PLK-ACE-062"}));
  EXPECT_EQ(at_page_end(Mode::cbc, 6, "nano,cbc-fetch=4"), Reports({"over-read PLK-EXC-003"}));
  EXPECT_EQ(at_page_end(Mode::cbc, 8, "nano,cbc-fetch=4"), Reports());
  // clause: PLK-EXC-010
  EXPECT_EQ(at_page_end(Mode::ecb, 0), Reports({"over-read PLK-EXC-010"}));
}

TEST(padlock_checks_memory, short_destination) {
  XcryptJob job = job_of(Mode::cbc, 8);
  job.dest_at = 0x300FC0;
  EXPECT_EQ(Prepared(job).look(), Reports());
  Prepared p(job);
  p.m.memory.unmap(0x301000, 1);
  // clause: LJ-036
  EXPECT_EQ(p.look(), Reports({"short-destination LJ-036"}));
}

TEST(padlock_checks_memory, partial_overlap) {
  XcryptJob job = job_of(Mode::cbc, 8);
  job.dest_at = job.source_at + 16;
  EXPECT_EQ(Prepared(job).look(), Reports({"partial-overlap PLK-ACE-039"}));
  for (const uint64_t allowed : {job.source_at, job.source_at + 128, job.source_at - 32}) {
    job.dest_at = allowed;
    EXPECT_EQ(Prepared(job).look(), Reports());
  }
  XcryptJob ofb = job_of(Mode::ofb);
  ofb.iv_at = ofb.dest_at + 16;
  EXPECT_EQ(Prepared(ofb).look(), Reports({"partial-overlap PLK-ACE-055"}));
  XcryptJob chained = job_of(Mode::cbc);  // EAX as the last call has left it
  chained.iv_at = chained.dest_at + 48;
  EXPECT_EQ(Prepared(chained).look(), Reports());
}

TEST(padlock_checks_memory, overwritten_key) {
  XcryptJob job = job_of(Mode::ecb);
  job.key_at = job.dest_at + 32;
  EXPECT_EQ(Prepared(job).look(), Reports({"overwritten-key PLK-MULTI-019"}));
  job.key_at = job.dest_at + 64;
  EXPECT_EQ(Prepared(job).look(), Reports());
  job.control_at = job.dest_at;
  job.key_at = 0x20000;
  EXPECT_EQ(Prepared(job).look(), Reports({"overwritten-key PLK-MULTI-019"}));
}

// ---- The key in the hardware ----

TEST(padlock_checks_key, stale_key_or_control_word) {
  Prepared p(job_of(Mode::cbc));
  LoadedKey loaded;
  ASSERT_TRUE(read_key_to_load(p.m.processor, decode_on(p.m, kXcryptCbc), p.m.memory, &loaded));
  const auto look = [&] { return p.checked.look(kXcryptCbc, &loaded); };
  EXPECT_EQ(look(), Reports());
  p.m.put(0x28000, p.job.key_area);  // the same key elsewhere is the same key
  p.m.state().rbx = 0x28000;
  EXPECT_EQ(look(), Reports());
  p.m.put(0x28000, random_bytes(16, 9));
  // clause: PLK-MULTI-007
  EXPECT_EQ(look(), Reports({"stale-key PLK-MULTI-007"}));
  EXPECT_EQ(p.checked.operands, std::vector<Operand>{Operand::key});
  EXPECT_EQ(p.checked.look(kXcryptCbc), Reports());  // bit 30 clear: it will be loaded
  p.m.put(0x28000, p.job.key_area);
  p.set_control(standard_control() | kCwCrypt);
  EXPECT_EQ(look(), Reports({"stale-key PLK-MULTI-007"}));
  EXPECT_EQ(p.checked.operands, std::vector<Operand>{Operand::control_word});
}

// Only the round keys count, not what else lies in the 256 bytes that are loaded.
TEST(padlock_checks_key, slots_behind_the_schedule_do_not_matter) {
  XcryptJob job =
      XcryptJob::from_memory(Mode::ofb, false, random_bytes(16, 1), random_bytes(64, 2));
  Prepared p(job);
  LoadedKey loaded;
  ASSERT_TRUE(read_key_to_load(p.m.processor, decode_on(p.m, kXcryptOfb), p.m.memory, &loaded));
  const auto look = [&] { return p.checked.look(kXcryptOfb, &loaded); };
  EXPECT_EQ(look(), Reports());
  p.m.put(job.key_at + 176, Bytes(80, 0x55));
  EXPECT_EQ(look(), Reports());
  p.m.put(job.source_at, random_bytes(16, 9));  // the key stream is the same, whatever lies there
  EXPECT_EQ(look(), Reports({"keystream-reuse PLK-ACE-029"}));
  p.m.put(job.source_at, random_bytes(16, 2));
  p.m.put(job.key_at + 175, Bytes(1, 0x55));
  EXPECT_EQ(look(), Reports({"stale-key PLK-MULTI-007"}));
}

// What a front-end remembers is what the processor does: the first result with a stale key is that
// of the old key.
TEST(padlock_checks_key, is_stale_where_the_processor_uses_the_old_one) {
  Prepared p(job_of(Mode::ecb));
  ASSERT_TRUE(is_done(p.m.issue(kXcryptEcb)));
  const Bytes with_old_key = p.job.output(p.m);
  ASSERT_TRUE(p.m.keys_loaded());
  p.m.put(p.job.key_at, random_bytes(16, 9));
  p.job.set_registers(p.m);
  p.m.state().rflags |= kEflagsKeyLoaded;
  ASSERT_TRUE(is_done(p.m.issue(kXcryptEcb)));
  EXPECT_EQ(p.job.output(p.m), with_old_key);
}

TEST(padlock_checks_key, nothing_is_loaded_without_blocks_or_by_other_instructions) {
  Prepared p(job_of(Mode::cbc));
  LoadedKey loaded;
  p.m.state().rcx = 0;
  EXPECT_FALSE(read_key_to_load(p.m.processor, decode_on(p.m, kXcryptCbc), p.m.memory, &loaded));
  p.m.state().rcx = 1;
  EXPECT_FALSE(read_key_to_load(p.m.processor, decode_on(p.m, kXsha1), p.m.memory, &loaded));
}

// ---- Counters and key streams ----

Reports ctr(uint16_t counter, size_t blocks, const char* model = "nano") {
  XcryptJob job = job_of(Mode::ctr, blocks);
  store_be16(&job.iv[14], counter);
  return Prepared(job, model).look();
}

TEST(padlock_checks_counter, wraps_within_16_bits) {
  EXPECT_EQ(ctr(0xFFF0, 16), Reports());
  EXPECT_EQ(ctr(0xFFF0, 17), Reports({"counter-wrap PLK-ACE-023"}));
  EXPECT_EQ(ctr(0, 65536), Reports());
  // clause: PLK-ACE-024
  EXPECT_EQ(ctr(0, 65537), Reports({"counter-wrap PLK-ACE-024"}));
}

TEST(padlock_checks_counter, erratum_of_esther_stepping_8) {
  EXPECT_EQ(ctr(0, 4096, "esther"), Reports());
  // clause: PLK-ERR-014
  EXPECT_EQ(ctr(0, 4097, "esther"), Reports({"ctr-erratum PLK-ERR-014"}));
  EXPECT_EQ(ctr(0, 4097, "esther9"), Reports());
}

TEST(padlock_checks_counter, erratum_harms_who_goes_on_with_the_counter_left) {
  for (const size_t blocks : {2u, 3u})
    for (const char* model : {"esther", "esther9"}) {
      Prepared p(job_of(Mode::ctr, blocks), model);
      EXPECT_EQ(p.look(), Reports());
      ASSERT_TRUE(is_done(p.m.issue(kXcryptCtr)));
      p.m.state().rcx = 1;
      const bool harmed = blocks == 2 && p.m.processor.model().ctr_erratum;
      // clause: PLK-ERR-006
      EXPECT_EQ(p.look(), harmed ? Reports({"ctr-erratum PLK-ERR-006"}) : Reports()) << blocks;
    }
}

TEST(padlock_checks_keystream, serves_one_message) {
  for (const Mode mode : {Mode::ofb, Mode::ctr}) {
    const std::string clause = mode == Mode::ofb ? "PLK-ACE-029" : "PLK-ACE-024";
    Prepared p(job_of(mode));
    EXPECT_EQ(p.look(), Reports());
    EXPECT_EQ(p.look(), Reports());  // the same message again
    ASSERT_TRUE(is_done(p.m.issue(opcode_of(mode))));
    const Bytes ciphertext = p.job.output(p.m);
    p.job.prepare(p.m);
    p.m.put(p.job.source_at, ciphertext);  // decryption
    EXPECT_EQ(p.look(), Reports());
    p.m.put(p.job.source_at, random_bytes(64, 77));
    // clause: PLK-ACE-029
    // clause: PLK-ACE-024
    EXPECT_EQ(p.look(), Reports({"keystream-reuse " + clause}));
    p.m.put(p.job.iv_at, concat(random_bytes(14, 78), {0, 0}));
    EXPECT_EQ(p.look(), Reports());
  }
}

}  // namespace
}  // namespace incore::padlock::test
