// The machine around the instructions: parameters, reset, delay slots, traps, system calls, code
// that changes.
#include "vemicry/machine.h"

#include "vemicry/rig.h"

namespace incore::vemicry::test {
namespace {

constexpr uint32_t kJal = 3, kJ = 2;

TEST(vemicry_machine_config, the_default_is_the_papers) {
  const Config config;
  // clause: VM-TOOL-005
  // clause: VM-ARCH-005
  EXPECT_EQ(config.q, 8u);
  // clause: VM-TOOL-006
  EXPECT_EQ(config.p, 8u);
  // clause: VM-TOOL-007
  EXPECT_EQ(config.r, 8u);
  // clause: VM-ARCH-010
  EXPECT_EQ(config.length(), 8u);
  EXPECT_EQ(config.mistake(), "");
  // clause: VM-ARCH-004
  static_assert(sizeof State{}.v[0][0] * 8 == 32);
}

TEST(vemicry_machine_config, mistakes_are_told) {
  const auto mistake = [](auto change) {
    Config config;
    change(config);
    return config.mistake();
  };
  // clause: VM-TOOL-012
  EXPECT_EQ(mistake([](Config& c) { c.q = 17; }), "q is 17; accepted: 1 to 16");
  EXPECT_EQ(mistake([](Config& c) { c.p = 257; }), "p is 257; accepted: 1 to 256");
  // clause: VM-ARCH-007
  EXPECT_EQ(mistake([](Config& c) { c.r = 9; }), "r is 9; accepted: 1 to 8 (p)");
  EXPECT_EQ(mistake([](Config& c) { c.l = 9; }), "l is 9; accepted: 1 to 8 (p)");
  EXPECT_NE(mistake([](Config& c) { c.memory_latency = 1001; }), "");
  EXPECT_NE(mistake([](Config& c) { c.q = 0; }), "");
}

TEST(vemicry_machine_config, q_says_which_registers_exist) {
  for (const uint32_t q : {1u, 8u, 16u}) {
    Config config;
    config.q = q;
    Rig rig(config);
    rig.done({vxor(q - 1, q - 1, q - 1)});
    if (q == 16) continue;  // the encoding has no more
    // clause: VM-ARCH-005
    // clause: VM-TOOL-005
    EXPECT_EQ(rig.exception({vxor(q, 0, 0)}), Exception::reserved_instruction);
    EXPECT_EQ(rig.exception({vxor(0, q, 0)}), Exception::reserved_instruction);
    EXPECT_EQ(rig.exception({vxor(0, 0, q)}), Exception::reserved_instruction);
    for (const uint32_t word :
         {vbcrotr(q, 0, 1), vmpmul(0, q), vsaddu(q, 0, 8), vaddu(0, 0, q), vspmult(q, 0, 8),
          vsamult(0, q, 8), vtransp(q, 0, 4), vwshl(0, q, 1), vwshr(q, 0, 1), vload(q, 8, 1),
          vstore(8, q, 1), vbyteld(q, 8, 1), vsmove(q, 8, 1), vextract(8, q, 1)}) {
      rig.s.gpr[8] = kData;
      EXPECT_EQ(rig.exception({word}), Exception::reserved_instruction) << std::hex << word;
    }
  }
}

TEST(vemicry_machine_config, results_do_not_depend_on_the_lanes) {
  Random random(5);
  const Words a = random.words(16), b = random.words(16);
  std::vector<Words> first;
  for (const uint32_t r : {16u, 8u, 4u, 3u, 1u}) {
    Config config;
    config.p = 16;
    config.r = r;
    Rig rig(config);
    rig.set_v(1, a);
    rig.set_v(2, b);
    rig.s.gpr[8] = a[3];
    rig.s.vcr = b[5];
    rig.done({vspmult(3, 1, 8), vtransp(4, 3, 2), vaddu(5, 4, 2), vbcrotr(6, 5, 7), cfc2(9, 5)});
    EXPECT_EQ(rig.s.gpr[9], r);
    const std::vector<Words> now = {rig.v(3), rig.v(4), rig.v(5), rig.v(6), {rig.s.car}};
    if (first.empty()) first = now;
    // clause: VM-ARCH-007
    EXPECT_EQ(now, first) << r;
  }
}

TEST(vemicry_machine_reset, all_is_0_or_junk) {
  const auto vector_words = [](const Rig& rig) {
    Words all;
    for (uint32_t i = 0; i < 8; ++i)
      for (const uint32_t word : rig.v(i)) all.push_back(word);
    all.insert(all.end(), {rig.s.vcr, rig.s.car, rig.s.hi, rig.s.lo, rig.s.gpr[8]});
    return all;
  };
  // clause: VM-ARCH-019
  EXPECT_EQ(vector_words(Rig()), Words(8 * 8 + 5, 0));
  Config config;
  config.junk = true;
  const Words junk = vector_words(Rig(config));
  EXPECT_EQ(std::count(junk.begin(), junk.end(), 0u), 0);
  EXPECT_EQ(vector_words(Rig(config)), junk);  // the same seed, the same junk
  config.junk_seed = 2;
  EXPECT_NE(vector_words(Rig(config)), junk);
  Rig rig(config);
  EXPECT_EQ(rig.s.gpr[0], 0u);
  EXPECT_EQ(rig.s.l, 8u);
  EXPECT_NE(rig.read(kStackTop - 16, 1)[0], 0u);
}

TEST(vemicry_machine_control, registers_tell_the_parameters_and_set_the_length) {
  Config config;
  config.q = 4;
  config.p = 16;
  config.r = 2;
  Rig rig(config);
  rig.s.car = 77;
  rig.done({cfc2(8, 1), cfc2(9, 2), cfc2(10, 3), cfc2(11, 4), cfc2(12, 5)});
  EXPECT_EQ(Words(rig.s.gpr + 8, rig.s.gpr + 13), (Words{77, 16, 16, 4, 2}));
  rig.s.gpr[8] = 5;
  // clause: VM-ARCH-009
  rig.done({ctc2(8, 2), cfc2(9, 2)});
  EXPECT_EQ(rig.s.gpr[9], 5u);
  for (const uint32_t out_of_range : {0u, 17u, 0xFFFFFFFFu}) {
    rig.s.gpr[8] = out_of_range;
    rig.done({ctc2(8, 2)});
    EXPECT_EQ(rig.s.l, 16u);
  }
  config.l = 7;  // a machine may begin with a shorter one
  EXPECT_EQ(Rig(config).s.l, 7u);
  for (const uint32_t number : {1u, 3u, 4u, 5u, 6u, 31u})
    EXPECT_EQ(rig.exception({ctc2(8, number)}), Exception::reserved_instruction) << number;
  EXPECT_EQ(rig.exception({cfc2(8, 6)}), Exception::reserved_instruction);
}

TEST(vemicry_machine_style, only_three_vector_instructions_touch_memory) {
  size_t num = 0;
  const Insn* const* const all = insns(&num);
  Rig rig;
  // The page of code is all that is left: an instruction that touches memory at 0 would trap.
  for (uint32_t funct = 0; funct < 64; ++funct) {
    const Insn* const insn = decode(Word{vector(funct, 0, 0, 0, 0)});
    if (insn == nullptr) continue;
    // clause: VM-ARCH-002
    const bool touches = funct == 0x20 || funct == 0x21 || funct == 0x22;
    EXPECT_EQ(rig.execute({vector(funct, 0, 0, 0, 0)}).stop, touches ? Stop::trapped : Stop::limit)
        << insn->mnemonic;
    EXPECT_EQ(insn->insn_class == Class::mavi, touches) << insn->mnemonic;
  }
  for (size_t i = 0; i < num; ++i)
    EXPECT_EQ(i < kNumVectorInsns && ((all[i]->reads | all[i]->writes) & kMemory) != 0,
              all[i]->insn_class == Class::mavi)
        << all[i]->mnemonic;
}

TEST(vemicry_machine_byte_order, a_row_moves_left_by_a_rotation_of_24_on_big_endian_only) {
  // Bytes 0 1 2 3 in memory, moved one place to the left: 1 2 3 0.
  const uint8_t row[] = {0, 1, 2, 3};
  for (const bool little_endian : {false, true}) {
    Config config;
    config.little_endian = little_endian;
    Rig rig(config);
    ASSERT_TRUE(rig.machine.memory().write(kData, row, sizeof row));
    rig.s.gpr[8] = kData;
    rig.s.vcr = 1;
    rig.done({vload(0, 8, 1), vbcrotr(0, 0, 24), vstore(8, 0, 1)});
    uint8_t moved[4];
    ASSERT_TRUE(rig.machine.memory().read(kData, moved, sizeof moved));
    const std::vector<uint8_t> left = {1, 2, 3, 0}, right = {3, 0, 1, 2};
    // clause: VM-ARCH-020
    EXPECT_EQ(std::vector<uint8_t>(moved, moved + 4), little_endian ? right : left);
  }
}

TEST(vemicry_machine_run, every_instruction_is_a_cycle) {
  Rig rig;
  // clause: VM-TOOL-008
  rig.write(kCode, {addiu(8, 0, 3), addiu(8, 8, -1), bne(8, 0, -2), vxor(0, 0, 0), jr(31), kNop});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  const Outcome outcome = rig.machine.run(1000);
  EXPECT_EQ(outcome.stop, Stop::exited);
  EXPECT_EQ(outcome.executed, 1u + 3 * 3 + 2);  // delay slots included
}

TEST(vemicry_machine_run, goes_on_where_the_limit_stopped_it) {
  Rig rig;
  rig.write(kCode, {addiu(8, 0, 5), beq(0, 0, 2), addiu(8, 8, 1), addiu(8, 8, 16), addiu(2, 8, 32),
                    jr(31), kNop});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  uint64_t executed = 0;
  Outcome outcome;
  do {
    outcome = rig.machine.run(1);
    executed += outcome.executed;
  } while (outcome.stop == Stop::limit);
  EXPECT_EQ(outcome.value, 5u + 1 + 32);
  EXPECT_EQ(executed, 6u);
}

TEST(vemicry_machine_run, a_visitor_sees_each_instruction_before_it) {
  Rig rig;
  rig.write(kCode, {addiu(8, 0, 5), vxor(1, 1, 1), jr(31), addiu(8, 8, 1)});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  std::vector<std::string> seen;
  const Outcome outcome = rig.machine.run(10, [&](const Step& step) {
    EXPECT_EQ(step.address, rig.s.pc);
    EXPECT_EQ(rig.s.gpr[8], seen.empty() ? 0u : 5u);
    seen.push_back(step.insn->mnemonic);
  });
  EXPECT_EQ(outcome.stop, Stop::exited);
  EXPECT_EQ(seen, (std::vector<std::string>{"addiu", "vxor", "jr", "addiu"}));
}

TEST(vemicry_machine_run, code_may_change_itself) {
  // The instruction behind the store is the one that it changes.
  Rig rig;
  rig.s.gpr[8] = kCode;
  rig.s.gpr[9] = addiu(2, 0, 77);
  const Words program = {addiu(2, 0, 1), sw(9, 8, 8), addiu(2, 2, 5), jr(31), kNop};
  for (int pass = 0; pass < 2; ++pass) {
    rig.write(kCode, program);
    rig.s.pc = kCode;
    rig.s.next_pc = kCode + 4;
    const Outcome outcome = rig.machine.run(100);
    EXPECT_EQ(outcome.stop, Stop::exited);
    EXPECT_EQ(outcome.value, 77u) << pass;
  }
  // By bytes and by vectors too.
  rig.s.gpr[9] = 9;
  rig.write(kCode, {i_type(0x28, 9, 8, 7), addiu(2, 0, 1)});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  (void)rig.machine.run(2);
  EXPECT_EQ(rig.s.gpr[2], 9u);
  rig.set_v(0, {addiu(2, 0, 55), addiu(2, 2, 1)});
  rig.s.gpr[8] = kCode + 4;
  rig.write(kCode, {vstore(8, 0, 2)});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  (void)rig.machine.run(3);
  EXPECT_EQ(rig.s.gpr[2], 56u);
}

TEST(vemicry_machine_run, code_read_from_input_is_executed) {
  Rig rig;
  rig.machine.on_read = [](int, uint8_t* out_bytes, size_t len) -> int64_t {
    EXPECT_EQ(len, 4u);
    store_be32(out_bytes, addiu(2, 0, 42));
    return 4;
  };
  rig.done({kNop, addiu(2, 0, 1)});  // what is overwritten was executed before
  rig.write(kCode, {kSyscall});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  rig.s.gpr[2] = 4003;
  rig.s.gpr[5] = kCode + 4;
  rig.s.gpr[6] = 4;
  EXPECT_EQ(rig.machine.run(2).stop, Stop::limit);
  EXPECT_EQ(rig.s.gpr[2], 42u);
}

TEST(vemicry_machine_call, arguments_go_by_o32) {
  Rig rig;
  // f(a, b, c, d, e, f) = e + f; the callee may store the first four above its stack pointer.
  rig.write(kCode,
            {sw(4, 0, 29), sw(7, 12, 29), lw(8, 16, 29), lw(9, 20, 29), jr(31), addu(2, 8, 9)});
  const Words arguments = {1, 2, 3, 4, 50, 600};
  rig.machine.begin_call(kCode, arguments);
  EXPECT_EQ(rig.s.gpr[29] % 8, 0u);
  EXPECT_EQ(Words(rig.s.gpr + 4, rig.s.gpr + 8), (Words{1, 2, 3, 4}));
  const Outcome outcome = rig.machine.run(100);
  EXPECT_EQ(outcome.stop, Stop::exited);
  EXPECT_EQ(outcome.value, 650u);
}

TEST(vemicry_machine_trap, says_where_and_nothing_has_changed) {
  Rig rig;
  rig.s.gpr[8] = 0x7FFFFFFF;
  rig.s.gpr[9] = 1;
  rig.s.gpr[10] = 1234;
  const Outcome outcome = rig.execute({kNop, r_type(0x20, 10, 8, 9)});
  EXPECT_EQ(outcome.stop, Stop::trapped);
  EXPECT_EQ(outcome.trap.exception, Exception::overflow);
  EXPECT_EQ(outcome.address, kCode + 4);
  EXPECT_EQ(outcome.word, r_type(0x20, 10, 8, 9));
  EXPECT_FALSE(outcome.in_delay_slot);
  EXPECT_EQ(outcome.executed, 1u);
  EXPECT_EQ(rig.s.gpr[10], 1234u);
  EXPECT_EQ(rig.s.pc, kCode + 4);
  rig.s.gpr[8] = 1;  // mended, it goes on
  EXPECT_EQ(rig.machine.run(1).stop, Stop::limit);
  EXPECT_EQ(rig.s.gpr[10], 2u);
}

TEST(vemicry_machine_trap, in_a_delay_slot_it_says_so_and_can_go_on) {
  for (const bool taken : {true, false}) {
    Rig rig;
    rig.write(kCode, {taken ? beq(0, 0, 3) : bne(0, 0, 3), lw(8, 2, 9), addiu(2, 0, 1), kBreak,
                      addiu(2, 0, 2), kBreak});
    rig.s.gpr[9] = kData;
    rig.s.pc = kCode;
    rig.s.next_pc = kCode + 4;
    const Outcome outcome = rig.machine.run(100);
    EXPECT_EQ(outcome.trap.exception, Exception::address_error_load);
    EXPECT_EQ(outcome.trap.address, kData + 2);
    EXPECT_EQ(outcome.address, kCode + 4);
    EXPECT_TRUE(outcome.in_delay_slot);
    rig.s.gpr[9] = kData + 2;
    EXPECT_EQ(rig.machine.run(100).trap.exception, Exception::breakpoint);
    EXPECT_EQ(rig.s.gpr[2], taken ? 2u : 1u);
  }
}

TEST(vemicry_machine_trap, a_delay_slot_is_known_across_runs) {
  Rig rig;
  rig.write(kCode, {beq(0, 0, 3), kBreak});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  EXPECT_EQ(rig.machine.run(1).stop, Stop::limit);
  EXPECT_TRUE(rig.machine.run(1).in_delay_slot);
  rig.machine.begin_call(kCode + 4, {});
  EXPECT_FALSE(rig.machine.run(1).in_delay_slot);
}

TEST(vemicry_machine_trap, jumps_to_nowhere_trap_at_the_target) {
  for (const auto& [target, exception] : {std::pair{kData + 2, Exception::address_error_load},
                                          std::pair{0x90000000u, Exception::bus_error_fetch}}) {
    Rig rig;
    rig.s.gpr[8] = target;
    rig.write(kCode, {jr(8), addiu(2, 0, 3)});
    rig.s.pc = kCode;
    rig.s.next_pc = kCode + 4;
    const Outcome outcome = rig.machine.run(100);
    EXPECT_EQ(outcome.trap.exception, exception);
    EXPECT_EQ(outcome.trap.address, target);
    EXPECT_EQ(outcome.address, target);
    EXPECT_EQ(outcome.executed, 2u);
    EXPECT_EQ(rig.s.gpr[2], 3u);
  }
}

TEST(vemicry_machine_trap, other_coprocessors_are_unusable_and_the_rest_is_reserved) {
  Rig rig;
  for (const uint32_t opcode : {0x10u, 0x11u, 0x13u, 0x30u, 0x31u, 0x33u, 0x38u, 0x39u, 0x3Bu})
    EXPECT_EQ(rig.exception({opcode << 26}), Exception::coprocessor_unusable) << opcode;
  for (const uint32_t opcode :
       {0x14u, 0x17u, 0x18u, 0x1Fu, 0x27u, 0x2Cu, 0x2Fu, 0x32u, 0x3Au, 0x34u})
    EXPECT_EQ(rig.exception({opcode << 26}), Exception::reserved_instruction) << opcode;
  EXPECT_EQ(rig.exception({0x48000000}), Exception::reserved_instruction);  // MFC2
  EXPECT_EQ(rig.exception({kBreak}), Exception::breakpoint);
  for (uint32_t funct : {1u, 5u, 10u, 14u, 15u, 20u, 28u, 40u, 44u, 63u})
    EXPECT_EQ(rig.exception({funct}), Exception::reserved_instruction) << funct;
}

TEST(vemicry_machine_system_calls, exit_read_write) {
  Rig rig;
  std::string written;
  rig.machine.on_write = [&](int fd, const uint8_t* bytes, size_t len) -> int64_t {
    EXPECT_EQ(fd, 1);
    written.append(reinterpret_cast<const char*>(bytes), len);
    return static_cast<int64_t>(len);
  };
  rig.machine.on_read = [](int fd, uint8_t* out_bytes, size_t len) -> int64_t {
    if (fd != 0) return -9;
    std::fill_n(out_bytes, std::min<size_t>(len, 3), 'x');
    return 3;
  };
  const auto call = [&](uint32_t number, uint32_t a0, uint32_t a1, uint32_t a2) {
    rig.s.gpr[2] = number;
    rig.s.gpr[4] = a0;
    rig.s.gpr[5] = a1;
    rig.s.gpr[6] = a2;
    return rig.execute({kSyscall});
  };
  EXPECT_EQ(call(4003, 0, kData, 10).stop, Stop::limit);
  EXPECT_EQ(rig.s.gpr[2], 3u);
  EXPECT_EQ(rig.s.gpr[7], 0u);
  (void)call(4004, 1, kData, 3);
  EXPECT_EQ(written, "xxx");
  EXPECT_EQ(rig.s.gpr[2], 3u);
  (void)call(4003, 5, kData, 1);
  EXPECT_EQ(rig.s.gpr[2], 9u);  // EBADF
  EXPECT_EQ(rig.s.gpr[7], 1u);
  (void)call(4004, 1, kData + kDataLen - 1, 2);
  EXPECT_EQ(rig.s.gpr[2], 14u);  // EFAULT
  (void)call(4003, 0, 0, 4);
  EXPECT_EQ(rig.s.gpr[2], 14u);
  (void)call(4000, 0, 0, 0);
  EXPECT_EQ(rig.s.gpr[2], 89u);  // ENOSYS
  EXPECT_EQ(rig.s.gpr[7], 1u);
  EXPECT_EQ(written, "xxx");
  const Outcome outcome = call(4001, 0x1FF, 0, 0);
  EXPECT_EQ(outcome.stop, Stop::exited);
  EXPECT_EQ(outcome.value, 0xFFu);
  EXPECT_EQ(outcome.executed, 1u);
}

TEST(vemicry_machine_load_delay, the_next_instruction_sees_the_old_value) {
  const Words program = {lw(8, 0, 9), addiu(10, 8, 0), addiu(11, 8, 0)};
  for (const bool delays : {false, true}) {
    Config config;
    config.load_delay = delays;
    Rig rig(config);
    rig.write(kData, {50});
    rig.s.gpr[9] = kData;
    rig.s.gpr[8] = 7;
    // clause: VM-TOOL-012
    rig.done(program);
    EXPECT_EQ(rig.s.gpr[10], delays ? 7u : 50u);
    EXPECT_EQ(rig.s.gpr[11], 50u);
  }
}

TEST(vemicry_machine_load_delay, corner_cases) {
  Config config;
  config.load_delay = true;
  Rig rig(config);
  rig.write(kData, {50, 60, 0x11223344, 0x55667788});
  rig.s.gpr[9] = kData;
  // What the next instruction writes wins.
  rig.done({lw(8, 0, 9), addiu(8, 0, 3), kNop});
  EXPECT_EQ(rig.s.gpr[8], 3u);
  // So does a second load of the register; the first value is never seen.
  rig.s.gpr[8] = 7;
  rig.done({lw(8, 0, 9), lw(8, 4, 9), addiu(10, 8, 0), addiu(11, 8, 0)});
  EXPECT_EQ(rig.s.gpr[10], 7u);
  EXPECT_EQ(rig.s.gpr[11], 60u);
  // Loads of different registers follow each other.
  rig.done({lw(8, 0, 9), lw(10, 4, 9), addiu(11, 8, 0), addiu(12, 10, 0)});
  EXPECT_EQ(rig.s.gpr[11], 50u);
  EXPECT_EQ(rig.s.gpr[12], 60u);
  // LWL and LWR of one register need no instruction between them.
  rig.done({i_type(0x22, 8, 9, 10), i_type(0x26, 8, 9, 13), kNop});
  EXPECT_EQ(rig.s.gpr[8], 0x33445566u);
  // Nothing comes to register 0.
  rig.done({lw(0, 0, 9), kNop, kNop});
  EXPECT_EQ(rig.s.gpr[0], 0u);
  // A trap behind a load, and a system call, see it done.
  rig.s.gpr[8] = 0;
  EXPECT_EQ(rig.exception({lw(8, 0, 9), kBreak}), Exception::breakpoint);
  EXPECT_EQ(rig.s.gpr[8], 50u);
  rig.s.gpr[2] = 4001;
  const Outcome outcome = rig.execute({lw(4, 4, 9), kSyscall});
  EXPECT_EQ(outcome.value, 60u);
  // A jump behind a load has the old register.
  rig.write(kData + 32, {kCode + 0x100});
  rig.s.gpr[8] = kCode + 0x200;
  rig.write(kCode + 0x200, {addiu(2, 0, 9), kBreak});
  rig.write(kCode, {lw(8, 32, 9), jr(8), kNop});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  (void)rig.machine.run(100);
  EXPECT_EQ(rig.s.gpr[2], 9u);
}

TEST(vemicry_machine_memory, refuses_what_does_not_fit) {
  Memory memory(false);
  EXPECT_FALSE(memory.map(0xFFFFE001, 4096));  // the last page stays free
  EXPECT_TRUE(memory.map(0xFFFFE000, 4096));
  EXPECT_FALSE(memory.map(0, Memory::kMaxLen));
  EXPECT_EQ(memory.at(0), nullptr);
  EXPECT_TRUE(memory.map(0, Memory::kMaxLen / 64));
  const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint8_t back[8] = {};
  EXPECT_FALSE(memory.write(0xFFFFEFFC, bytes, 8));
  EXPECT_TRUE(memory.write(0xFFFFEFF8, bytes, 8));
  EXPECT_TRUE(memory.read(0xFFFFEFF8, back, 8));
  EXPECT_EQ(std::vector<uint8_t>(back, back + 8), std::vector<uint8_t>(bytes, bytes + 8));
  EXPECT_FALSE(memory.read(0xFFFFEFF9, back, 8));
  EXPECT_TRUE(memory.write(0xFFC, bytes, 8));  // across pages
  EXPECT_TRUE(memory.read(0xFFC, back, 8));
  EXPECT_EQ(back[7], 8);
}

TEST(vemicry_machine_jumps, keep_the_upper_bits_of_the_delay_slot) {
  Rig rig;
  rig.write(kCode,
            {j_type(kJal, kCode + 16), kNop, kBreak, kBreak, j_type(kJ, kCode + 24), kNop, kBreak});
  rig.s.pc = kCode;
  rig.s.next_pc = kCode + 4;
  const Outcome outcome = rig.machine.run(100);
  EXPECT_EQ(outcome.address, kCode + 24);
  EXPECT_EQ(rig.s.gpr[31], kCode + 8);
}

}  // namespace
}  // namespace incore::vemicry::test
