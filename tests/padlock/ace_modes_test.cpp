// The five modes of REP XCRYPT against published vectors and the oracle. PadLock guide 1.66,
// chapter 3; SP 800-38A.
#include "padlock/vectors.h"
#include "padlock/xcrypt_job.h"

namespace incore::padlock::test {
namespace {

// Runs |in| through the processor both ways of giving a 128-bit key, and compares.
void expect_output(Mode mode, bool decrypt, const Bytes& key, const Bytes& iv, const Bytes& in,
                   const Bytes& expected) {
  for (const char* model : {"esther9", "nano"}) {
    for (bool memory : {false, true}) {
      SCOPED_TRACE(std::string(model) + " " + name_of(mode) + (decrypt ? " decrypt" : " encrypt") +
                   (memory ? ", keys from memory" : ""));
      const XcryptJob job = memory ? XcryptJob::from_memory(mode, decrypt, key, in, iv)
                                   : XcryptJob::standard(mode, decrypt, key, in, iv);
      for (bool at_once : {true, false}) {  // or block by block
        Machine m(model);
        m.memory.allow_direct(at_once);
        ASSERT_TRUE(is_done(job.run(m)));
        EXPECT_EQ(to_hex(job.output(m)), to_hex(expected)) << at_once;
      }
    }
  }
}

TEST(padlock_ace_modes, oracle_knows_the_published_vectors) {
  for (const FipsVector* v : kFipsVectors) {
    const unsigned rounds = static_cast<unsigned>(v->key.size() / 4 + 6);
    EXPECT_EQ(apply_mode(Mode::ecb, false, v->key, rounds, Bytes(16), kFipsPlain).data, v->cipher);
    EXPECT_EQ(apply_mode(Mode::ecb, true, v->key, rounds, Bytes(16), v->cipher).data, kFipsPlain);
  }
  const struct {
    Mode mode;
    const Bytes &iv, &cipher;
  } rows[] = {{Mode::ecb, kSpIv, kSpEcb128},
              {Mode::cbc, kSpIv, kSpCbc128},
              {Mode::ctr, kSpCounter, kSpCtr128},
              {Mode::cfb, kSpIv, kSpCfb128},
              {Mode::ofb, kSpIv, kSpOfb128}};
  for (const auto& row : rows) {
    EXPECT_EQ(apply_mode(row.mode, false, kSpKey128, 10, row.iv, kSpPlain).data, row.cipher);
    EXPECT_EQ(apply_mode(row.mode, true, kSpKey128, 10, row.iv, row.cipher).data, kSpPlain);
  }
}

TEST(padlock_ace_modes, ecb_goes_from_esi_to_edi_in_both_directions) {
  Machine m("esther9");
  XcryptJob::standard(Mode::ecb, false, kFips128.key, kFipsPlain).prepare(m);
  m.put(0x40000, kFips128.cipher);
  ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
  // clause: PLK-ACE-006
  // clause: PLK-ACE-016
  EXPECT_EQ(to_hex(m.get(0x300000, 16)), to_hex(kFips128.cipher));

  XcryptJob back = XcryptJob::standard(Mode::ecb, true, kFips128.key, kFips128.cipher);
  back.source_at = 0x40000, back.dest_at = 0x50000;
  ASSERT_TRUE(is_done(back.run(m)));
  // clause: PLK-ACE-007
  EXPECT_EQ(to_hex(m.get(0x50000, 16)), to_hex(kFipsPlain));
  EXPECT_EQ(m.get(0x40000, 16), kFips128.cipher);
}

TEST(padlock_ace_modes, byte_0_is_at_the_lowest_address) {
  Machine m("esther9");
  XcryptJob job = XcryptJob::standard(Mode::ecb, false, Bytes(16), Bytes(16));
  job.prepare(m);
  for (uint64_t i = 0; i < 16; ++i) {
    m.put(job.key_at + i, {static_cast<uint8_t>(i)});
    m.put(job.source_at + i, {static_cast<uint8_t>(0x11 * i)});
  }
  ASSERT_TRUE(is_done(m.issue(kXcryptEcb)));
  // clause: PLK-ACE-033
  for (size_t i = 0; i < 16; ++i)
    EXPECT_EQ(m.get(job.dest_at + i, 1)[0], kFips128.cipher[i]) << "byte " << i;
}

TEST(padlock_ace_modes, ecb_treats_each_block_by_itself) {
  // clause: PLK-ACE-016
  expect_output(Mode::ecb, false, kFips128.key, kSpIv, kFipsPlain, kFips128.cipher);
  expect_output(Mode::ecb, false, kSpKey128, kSpIv, kSpPlain, kSpEcb128);
  expect_output(Mode::ecb, true, kSpKey128, kSpIv, kSpEcb128, kSpPlain);
}

TEST(padlock_ace_modes, cbc_encrypts_as_sp_800_38a) {
  // clause: PLK-ACE-012
  // clause: PLK-ACE-018
  expect_output(Mode::cbc, false, kSpKey128, kSpIv, kSpPlain, kSpCbc128);
  expect_output(Mode::cbc, false, kSpKey192, kSpIv, kSpPlain, kSpCbc192);
  expect_output(Mode::cbc, false, kSpKey256, kSpIv, kSpPlain, kSpCbc256);
}

TEST(padlock_ace_modes, cbc_decrypts_as_sp_800_38a) {
  // clause: PLK-ACE-019
  expect_output(Mode::cbc, true, kSpKey128, kSpIv, kSpCbc128, kSpPlain);
  expect_output(Mode::cbc, true, kSpKey192, kSpIv, kSpCbc192, kSpPlain);
  expect_output(Mode::cbc, true, kSpKey256, kSpIv, kSpCbc256, kSpPlain);
}

TEST(padlock_ace_modes, ctr_agrees_with_sp_800_38a_in_both_directions) {
  // clause: PLK-ACE-014
  // clause: PLK-ACE-020
  expect_output(Mode::ctr, false, kSpKey128, kSpCounter, kSpPlain, kSpCtr128);
  expect_output(Mode::ctr, false, kSpKey128, kSpCounter, kSpCtr128, kSpPlain);
}

TEST(padlock_ace_modes, cfb_agrees_with_sp_800_38a) {
  // clause: PLK-ACE-026
  expect_output(Mode::cfb, false, kSpKey128, kSpIv, kSpPlain, kSpCfb128);
  // clause: PLK-ACE-027
  // clause: PLK-ACE-031
  expect_output(Mode::cfb, true, kSpKey128, kSpIv, kSpCfb128, kSpPlain);
}

TEST(padlock_ace_modes, ofb_agrees_with_sp_800_38a) {
  // clause: PLK-ACE-028
  expect_output(Mode::ofb, false, kSpKey128, kSpIv, kSpPlain, kSpOfb128);
  expect_output(Mode::ofb, true, kSpKey128, kSpIv, kSpOfb128, kSpPlain);
}

TEST(padlock_ace_modes, ofb_and_ctr_do_not_depend_on_the_direction_bit) {
  // clause: PLK-ACE-030
  for (bool decrypt : {false, true}) {
    expect_output(Mode::ofb, decrypt, kSpKey128, kSpIv, kSpPlain, kSpOfb128);
    expect_output(Mode::ctr, decrypt, kSpKey128, kSpCounter, kSpPlain, kSpCtr128);
  }
  // In CFB the bit picks the feedback only: the first block is the same.
  const Bytes first(kSpPlain.begin(), kSpPlain.begin() + 16);
  const Bytes first_cipher(kSpCfb128.begin(), kSpCfb128.begin() + 16);
  expect_output(Mode::cfb, true, kSpKey128, kSpIv, first, first_cipher);
}

TEST(padlock_ace_modes, forward_schedule_serves_the_stream_modes_in_both_directions) {
  for (Mode mode : {Mode::ctr, Mode::cfb, Mode::ofb}) {
    for (size_t key_len : {16, 24, 32}) {
      SCOPED_TRACE(name_of(mode));
      const Bytes key = random_bytes(key_len, key_len), in = random_bytes(80, 5);
      Machine m("esther9");
      XcryptJob job = XcryptJob::from_memory(mode, true, key, in, kSpIv);
      job.key_area = expand_key(key, job.control.rounds);
      job.key_area.resize(256);
      ASSERT_TRUE(is_done(job.run(m)));
      // clause: PLK-ACE-031
      EXPECT_EQ(job.output(m), apply_mode(mode, true, key, job.control.rounds, kSpIv, in).data);
    }
  }
}

// The counter block that |blocks| blocks leave at EAX.
Bytes counter_after(const Bytes& counter, size_t blocks, Bytes* out_data = nullptr) {
  const XcryptJob job =
      XcryptJob::standard(Mode::ctr, false, kSpKey128, random_bytes(16 * blocks, blocks), counter);
  Machine by_blocks("esther9"), m("esther9");
  by_blocks.memory.allow_direct(false);
  EXPECT_TRUE(is_done(job.run(by_blocks)));
  EXPECT_TRUE(is_done(job.run(m)));
  EXPECT_EQ(by_blocks.get(job.iv_at, 16), m.get(job.iv_at, 16));
  EXPECT_EQ(job.output(by_blocks), job.output(m));
  EXPECT_EQ(m.state().rax, job.iv_at);
  if (out_data) *out_data = job.output(m);
  return m.get(job.iv_at, 16);
}

TEST(padlock_ace_modes, ctr_counts_blocks_in_bytes_14_and_15_big_endian) {
  Bytes counter = random_bytes(16, 9);
  counter[14] = 0x00, counter[15] = 0xFF;
  Bytes expected = counter;
  expected[14] = 0x01, expected[15] = 0x00;
  // clause: PLK-ACE-022
  // clause: PLK-ACE-056
  EXPECT_EQ(to_hex(counter_after(counter, 1)), to_hex(expected));
  expected[15] = 0xFF;
  EXPECT_EQ(to_hex(counter_after(counter, 256)), to_hex(expected));
  expected[14] = 0x04, expected[15] = 0xE6;  // 0x00FF + 999
  // clause: PLK-ACE-054
  EXPECT_EQ(to_hex(counter_after(counter, 999)), to_hex(expected));
}

TEST(padlock_ace_modes, ctr_counter_wraps_within_16_bits) {
  Bytes counter = random_bytes(16, 10);
  counter[14] = counter[15] = 0xFF;
  Bytes expected = counter;
  expected[14] = expected[15] = 0x00;
  // clause: PLK-ACE-023
  EXPECT_EQ(to_hex(counter_after(counter, 1)), to_hex(expected));
  Bytes data;
  expected[15] = 0x05;
  EXPECT_EQ(to_hex(counter_after(counter, 6, &data)), to_hex(expected));
  EXPECT_EQ(data, apply_mode(Mode::ctr, false, kSpKey128, 10, counter, random_bytes(96, 6)).data);
}

TEST(padlock_ace_modes, ctr_never_changes_the_nonce) {
  const Bytes counter = random_bytes(16, 11);
  // clause: PLK-ACE-021
  EXPECT_EQ(to_hex(counter_after(counter, 65536)), to_hex(counter));
}

TEST(padlock_ace_modes, random_data_agrees_with_the_oracle_in_every_mode) {
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      for (size_t key_len : {16, 24, 32}) {
        for (size_t blocks : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 300}) {
          SCOPED_TRACE(std::string(name_of(mode)) + (decrypt ? " decrypt " : " encrypt ") +
                       std::to_string(8 * key_len) + ", blocks " + std::to_string(blocks));
          const Bytes key = random_bytes(key_len, blocks), iv = random_bytes(16, blocks + 1);
          const Bytes in = random_bytes(16 * blocks, blocks + 2);
          Machine m("esther9");
          m.memory.allow_direct(blocks % 2 == 0);
          const XcryptJob job = XcryptJob::standard(mode, decrypt, key, in, iv);
          job.prepare(m);
          m.memory.take_snapshot();
          ASSERT_TRUE(is_done(m.issue(opcode_of(mode))));
          const ModeResult expected = apply_mode(mode, decrypt, key, job.control.rounds, iv, in);
          ASSERT_EQ(job.output(m), expected.data);
          // The vector for going on is at EAX; nothing else was touched.
          if (mode != Mode::ecb) {
            ASSERT_EQ(m.get(m.state().rax, 16), expected.next_iv);
          }
          ASSERT_TRUE(m.memory
                          .changes_outside({{job.dest_at, in.size()},
                                            {job.iv_at, 16},
                                            {Machine::kCode, TestMemory::kPageLen}})
                          .empty());
        }
      }
    }
  }
}

TEST(padlock_ace_modes, in_place_gives_the_same_result) {
  for (Mode mode : kModes) {
    for (bool decrypt : {false, true}) {
      for (size_t blocks : {1, 2, 3, 4, 9, 64}) {
        SCOPED_TRACE(std::string(name_of(mode)) + (decrypt ? " decrypt " : " encrypt ") +
                     std::to_string(blocks));
        const Bytes in = random_bytes(16 * blocks, 77), iv = random_bytes(16, 78);
        Machine m("esther9");
        XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey256, in, iv);
        job.dest_at = job.source_at;
        ASSERT_TRUE(is_done(job.run(m)));
        const ModeResult expected = apply_mode(mode, decrypt, kSpKey256, 14, iv, in);
        // clause: PLK-ACE-039
        EXPECT_EQ(job.output(m), expected.data);
        if (mode != Mode::ecb) {
          EXPECT_EQ(m.get(m.state().rax, 16), expected.next_iv);
        }
        EXPECT_EQ(m.state().rsi, m.state().rdi);
      }
    }
  }
}

TEST(padlock_ace_modes, message_goes_on_with_the_vector_that_eax_points_to) {
  for (Mode mode : kChainingModes) {
    for (bool decrypt : {false, true}) {
      for (bool unaligned : {false, true}) {
        for (size_t cut : {1, 2, 3, 6}) {
          SCOPED_TRACE(std::string(name_of(mode)) + (decrypt ? " decrypt" : " encrypt") +
                       (unaligned ? " unaligned" : ""));
          const Bytes in = random_bytes(7 * 16, 20);
          Machine m("esther9");
          XcryptJob job = XcryptJob::standard(mode, decrypt, kSpKey128, in, kSpIv);
          job.control.align = unaligned;
          if (unaligned) job.source_at += 3, job.dest_at += 5;
          job.prepare(m);
          m.state().rcx = cut;
          ASSERT_TRUE(is_done(m.issue(opcode_of(mode))));
          m.state().rcx = 7 - cut;
          ASSERT_TRUE(is_done(m.issue(opcode_of(mode))));
          // clause: PLK-ACE-015
          EXPECT_EQ(job.output(m), apply_mode(mode, decrypt, kSpKey128, 10, kSpIv, in).data);
        }
      }
    }
  }
}

TEST(padlock_ace_modes, result_is_the_same_whether_or_not_the_keys_are_loaded) {
  for (Mode mode : kModes) {
    SCOPED_TRACE(name_of(mode));
    const Bytes in = random_bytes(80, 21);
    Machine m("esther9");
    const XcryptJob job = XcryptJob::standard(mode, true, kSpKey192, in, kSpIv);
    ASSERT_TRUE(is_done(job.run(m)));
    const Bytes first = job.output(m);
    const uint64_t loads = m.processor.num_key_loads();
    ASSERT_TRUE(m.keys_loaded());
    if (mode != Mode::ecb) m.put(job.iv_at, kSpIv);
    job.set_registers(m);
    ASSERT_TRUE(is_done(m.issue(opcode_of(mode))));
    EXPECT_EQ(m.processor.num_key_loads(), loads);
    // clause: PLK-ACE-105
    EXPECT_EQ(job.output(m), first);
    EXPECT_EQ(first, apply_mode(mode, true, kSpKey192, 12, kSpIv, in).data);
  }
}

}  // namespace
}  // namespace incore::padlock::test
