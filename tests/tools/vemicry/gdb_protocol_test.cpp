// What a debugger asks of a VeMICry machine, packet by packet.
#include "tools/vemicry/gdb_protocol.h"

#include <gtest/gtest.h>

#include "tools/base/hex.h"
#include "tools/vemicry/gdb_target.h"

namespace incore::tools {
namespace {

constexpr char kProgram[] = R"(
main:   li      $4, 1
        li      $5, 2
loop:   addu    $6, $4, $5
        j       end
        addiu   $6, $6, 1
        nop
end:    vload   v1, ($29), 0
        lw      $8, 1($0)
)";

std::string packet(std::string_view text) {
  unsigned sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  const auto check = static_cast<uint8_t>(sum);
  return "$" + std::string(text) + "#" + to_hex(&check, 1);
}

// A session on |source|, without acknowledgements.
class Debugged {
 public:
  explicit Debugged(const std::string& source = kProgram, incore_vemicry_config config = {}) {
    char reason[256] = "";
    EXPECT_EQ(incore_vemicry_assemble("f.s", source.data(), source.size(), &config, &program_,
                                      reason, sizeof reason),
              INCORE_OK)
        << reason;
    EXPECT_EQ(incore_vemicry_machine_new(&config, program_, &machine_, nullptr, 0), INCORE_OK);
    target_ = std::make_unique<GdbMachine>(machine_, config, config.little_endian != 0);
    session_ = std::make_unique<GdbSession>(target_.get());
    session_->receive(packet("QStartNoAckMode"));
    (void)session_->take_output();
  }
  ~Debugged() {
    incore_vemicry_machine_free(machine_);
    incore_vemicry_program_free(program_);
  }
  Debugged(const Debugged&) = delete;

  // The content of the packets that answer |text|, until the program stops.
  std::string ask(std::string_view text) {
    session_->receive(packet(text));
    for (int i = 0; i < 10 && session_->is_running(); ++i) session_->run_some();
    const std::string answer = session_->take_output();
    const size_t hash = answer.rfind('#');
    if (answer.empty() || answer[0] != '$' || hash == std::string::npos) return "no packet";
    const std::string content = answer.substr(1, hash - 1);
    EXPECT_EQ(packet(content), answer);
    return content;
  }
  GdbSession& session() { return *session_; }
  GdbMachine& target() { return *target_; }
  std::string pc() { return ask("p25"); }

 private:
  incore_vemicry_program* program_ = nullptr;
  incore_vemicry_machine* machine_ = nullptr;
  std::unique_ptr<GdbMachine> target_;
  std::unique_ptr<GdbSession> session_;
};

TEST(vemicry_gdb, packets_are_acknowledged_until_that_is_switched_off) {
  Debugged debugged;
  GdbSession session(&debugged.target());
  session.receive("+$?#00");  // a wrong sum
  EXPECT_EQ(session.take_output(), "-");
  session.receive("$?#3");
  EXPECT_EQ(session.take_output(), "");
  session.receive("f");
  EXPECT_EQ(session.take_output(), "+" + packet("S05"));
  session.receive("$cut off" + packet("?"));
  EXPECT_EQ(session.take_output(), "+" + packet("S05"));
  session.receive(packet("QStartNoAckMode"));
  EXPECT_EQ(session.take_output(), "+" + packet("OK"));
  session.receive(packet("?") + "$?#00");
  EXPECT_EQ(session.take_output(), packet("S05"));
}

TEST(vemicry_gdb, it_says_what_it_can_and_describes_its_registers) {
  Debugged debugged;
  EXPECT_EQ(debugged.ask("qSupported:swbreak+;xmlRegisters=i386"),
            "PacketSize=20000;qXfer:features:read+;QStartNoAckMode+;vContSupported+");
  EXPECT_EQ(debugged.ask("vMustReplyEmpty"), "");
  EXPECT_EQ(debugged.ask("vCont?"), "vCont;c;C;s;S");
  const std::string begin = debugged.ask("qXfer:features:read:target.xml:0,15");
  EXPECT_EQ(begin, "m<?xml version=\"1.0\"?>");
  const std::string all = debugged.ask("qXfer:features:read:target.xml:0,8000");
  EXPECT_EQ(all[0], 'l');
  for (const char* part : {"<architecture>mips</architecture>", "org.gnu.gdb.mips.cpu",
                           "org.gnu.gdb.mips.cp0", "name=\"vec7_7\" bitsize=\"32\" regnum=\"138\""})
    EXPECT_NE(all.find(part), std::string::npos) << part;
  EXPECT_EQ(debugged.ask("qXfer:features:read:target.xml:100000,8"), "l");
  EXPECT_EQ(debugged.ask("qXfer:features:read:other.xml:0,8"), "E00");
}

TEST(vemicry_gdb, registers_are_read_and_written) {
  for (const int little_endian : {0, 1}) {
    incore_vemicry_config config = {};
    config.p = 4;
    config.little_endian = little_endian;
    Debugged debugged(kProgram, config);
    const std::string value = little_endian != 0 ? "78563412" : "12345678";
    EXPECT_EQ(debugged.ask("P4=" + value), "OK");
    EXPECT_EQ(debugged.ask("p4"), value);
    EXPECT_EQ(debugged.ask("P0=" + value), "OK");
    EXPECT_EQ(debugged.ask("p0"), "00000000");
    EXPECT_EQ(debugged.ask("P51=" + value), "OK");  // word 2 of v1
    EXPECT_EQ(debugged.ask("p51"), value);
    EXPECT_EQ(debugged.ask("p50"), "00000000");
    EXPECT_EQ(debugged.ask("p4a"), little_endian != 0 ? "04000000" : "00000004");  // the length
    EXPECT_EQ(debugged.ask("P4a=00000000"), "E01");
    EXPECT_EQ(debugged.ask("P4=12"), "E01");
    EXPECT_EQ(debugged.ask("p1000"), "E01");
    EXPECT_EQ(debugged.ask("p"), "E01");
    const std::string all = debugged.ask("g");
    EXPECT_EQ(all.size(), 2 * 4 * (75 + 8 * 4u));
    EXPECT_EQ(debugged.ask("G" + all), "OK");
    EXPECT_EQ(debugged.ask("g"), all);
    EXPECT_EQ(debugged.ask("G" + all.substr(8)), "E01");
  }
}

TEST(vemicry_gdb, memory_is_read_and_written) {
  Debugged debugged;
  EXPECT_EQ(debugged.ask("m400000,8"), "2404000124050002");
  EXPECT_EQ(debugged.ask("m7fffeffe,8"), "0000");  // as far as there is any
  EXPECT_EQ(debugged.ask("m0,4"), "E01");
  EXPECT_EQ(debugged.ask("m400000,ffffffff"), "E01");
  EXPECT_EQ(debugged.ask("mxyz"), "E01");
  EXPECT_EQ(debugged.ask("M400004,4:24050007"), "OK");
  EXPECT_EQ(debugged.ask("X7fffe000,4:}\x03}\x04}]*"), "OK");
  EXPECT_EQ(debugged.ask("m7fffe000,4"), "23247d2a");
  EXPECT_EQ(debugged.ask("M400004,5:24050007"), "E01");
  EXPECT_EQ(debugged.ask("M0,1:00"), "E01");
  EXPECT_EQ(debugged.ask("s"), "S05");
  EXPECT_EQ(debugged.ask("s"), "S05");
  EXPECT_EQ(debugged.ask("p5"), "00000007");  // the instruction as it was changed
}

TEST(vemicry_gdb, it_steps_through_delay_slots) {
  Debugged debugged;
  for (const char* pc : {"00400004", "00400008", "0040000c", "00400010", "00400018", "0040001c"}) {
    EXPECT_EQ(debugged.ask("vCont;s:1;c"), "S05");
    EXPECT_EQ(debugged.pc(), pc);
    EXPECT_EQ(debugged.ask("P25=" + std::string(pc)), "OK");  // where it is: nothing changes
  }
  EXPECT_EQ(debugged.ask("p6"), "00000004");
}

TEST(vemicry_gdb, breakpoints_stop_and_are_passed) {
  Debugged debugged;
  EXPECT_EQ(debugged.ask("Z0,400008,4"), "OK");
  EXPECT_EQ(debugged.ask("Z0,400010,4"), "OK");
  EXPECT_EQ(debugged.ask("m400008,4"), "00853021");  // what the program itself would read
  EXPECT_EQ(debugged.ask("c"), "S05");
  EXPECT_EQ(debugged.pc(), "00400008");
  EXPECT_EQ(debugged.ask("vCont;c"), "S05");
  EXPECT_EQ(debugged.pc(), "00400010");  // a delay slot
  EXPECT_EQ(debugged.ask("z0,400010,4"), "OK");
  EXPECT_EQ(debugged.ask("c"), "S0a");  // SIGBUS: the load
  EXPECT_EQ(debugged.pc(), "0040001c");
  EXPECT_EQ(debugged.ask("p23"), "00000001");  // BadVAddr
  EXPECT_EQ(debugged.ask("p24"), "00000010");  // Cause: AdEL
  EXPECT_EQ(debugged.ask("p6"), "00000004");
  EXPECT_EQ(debugged.ask("?"), "S0a");
  EXPECT_EQ(debugged.ask("Z0,400002,4"), "E01");
  EXPECT_EQ(debugged.ask("Z0,0,4"), "E01");
  EXPECT_EQ(debugged.ask("Z2,400000,4"), "");  // watchpoints
  EXPECT_EQ(debugged.ask("C0a"), "X0a");
  EXPECT_EQ(debugged.session().end(), GdbSession::End::trapped);
}

TEST(vemicry_gdb, a_running_program_is_interrupted) {
  Debugged debugged("main: b main\n nop\n");
  debugged.session().receive(packet("c"));
  debugged.session().run_some();
  EXPECT_TRUE(debugged.session().is_running());
  EXPECT_EQ(debugged.session().take_output(), "");
  debugged.session().receive("\003");
  EXPECT_FALSE(debugged.session().is_running());
  EXPECT_EQ(debugged.session().take_output(), packet("S02"));
  EXPECT_GT(debugged.target().outcome().instructions, 1000u);
}

// A breakpoint that execution meets at the first instruction after a while counts, too.
TEST(vemicry_gdb, no_breakpoint_is_passed_between_two_turns) {
  Debugged debugged("main: li $4, 3\n nop\n nop\n");
  EXPECT_EQ(debugged.ask("Z0,400004,4"), "OK");
  EXPECT_EQ(debugged.target().run(1, true).kind, GdbStop::Kind::none);
  EXPECT_EQ(debugged.target().run(10, false).kind, GdbStop::Kind::signal);
  EXPECT_EQ(debugged.pc(), "00400004");
}

TEST(vemicry_gdb, the_end_is_told) {
  Debugged exits("main: li $4, 7\n li $2, 4001\n syscall\n");
  EXPECT_EQ(exits.ask("c"), "W07");
  EXPECT_EQ(exits.session().end(), GdbSession::End::exited);
  EXPECT_EQ(exits.target().outcome().instructions, 3u);
  Debugged killed;
  killed.session().receive(packet("k"));
  EXPECT_EQ(killed.session().end(), GdbSession::End::killed);
  Debugged detached;
  EXPECT_EQ(detached.ask("D"), "OK");
  EXPECT_EQ(detached.session().end(), GdbSession::End::detached);
}

TEST(vemicry_gdb, any_bytes_are_survived) {
  uint32_t random = 1;
  const std::string_view alphabet = "$#+-}\003cCsSgGpPmMXzZkDqvHT?0123456789abcdef,:;=QXfer";
  for (int i = 0; i < 300; ++i) {
    Debugged debugged;
    for (int k = 0; k < 20; ++k) {
      std::string text;
      for (int c = 0; c < 12; ++c) {
        random = random * 1664525 + 1013904223;
        text += alphabet[(random >> 16) % alphabet.size()];
      }
      debugged.session().receive(k % 2 == 0 ? text : packet(text));
      if (debugged.session().is_running()) debugged.session().run_some();
    }
  }
}

}  // namespace
}  // namespace incore::tools
