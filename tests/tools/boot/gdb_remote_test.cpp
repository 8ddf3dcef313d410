// The client of QEMU's stub for gdb, against a stub that this test plays.
#include "tools/boot/gdb_remote.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/boot/guest_cpu.h"

namespace incore::tools {
namespace {

// Both ends; what the client sends can be read, and answers put there before it asks.
struct Stub {
  Stub() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw std::bad_alloc();
    remote = std::make_unique<GdbRemote>(ends[0]);
    fd = ends[1];
  }
  ~Stub() {
    if (fd >= 0) close(fd);
  }
  Stub(const Stub&) = delete;

  void say(const std::string& text) {
    EXPECT_EQ(write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string heard() {
    char buffer[4096];
    const ssize_t n = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    return n > 0 ? std::string(buffer, static_cast<size_t>(n)) : "";
  }

  std::unique_ptr<GdbRemote> remote;
  int fd;
};

TEST(boot_gdb_remote, packets_have_their_sum_and_queued_ones_go_first) {
  Stub stub;
  stub.say("+$OK#9a+$OK#9a+$abc#26");
  stub.remote->queue("P10=00");
  stub.remote->queue("Z0,10,1");
  EXPECT_EQ(stub.remote->ask("g"), "abc");
  EXPECT_EQ(stub.heard(), "$P10=00#4e$Z0,10,1#74$g#67");
}

TEST(boot_gdb_remote, a_running_guest_is_sent_nothing_but_the_wish_to_stop) {
  Stub stub;
  stub.say("+$OK#9a+");
  stub.remote->queue("P1=0");
  stub.remote->resume();
  stub.remote->interrupt();
  EXPECT_EQ(stub.heard(), "$P1=0#ee$c#63\003");
  std::string stop;
  EXPECT_FALSE(stub.remote->take_stop(&stop));
  stub.say("$T05thre");
  EXPECT_FALSE(stub.remote->take_stop(&stop));
  stub.say("ad:02;#08");
  EXPECT_TRUE(stub.remote->take_stop(&stop));
  EXPECT_EQ(stop, "T05thread:02;");
}

TEST(boot_gdb_remote, what_the_monitor_prints_comes_in_pieces) {
  Stub stub;
  stub.say("+$O4142#00$O430a#00$OK#9a");
  EXPECT_EQ(stub.remote->monitor("info"), "ABC\n");
  EXPECT_EQ(stub.heard(), "$qRcmd,696e666f#35");
}

TEST(boot_gdb_remote, refusals_and_ends_are_lost_connections) {
  Stub stub;
  stub.say("+$E22#a9+$x#78");
  stub.remote->queue("z0,10,1");
  EXPECT_THROW(stub.remote->ask("g"), ConnectionLost);
  Stub gone;
  close(gone.fd);
  gone.fd = -1;
  std::string stop;
  EXPECT_THROW(gone.remote->take_stop(&stop), ConnectionLost);
  Stub ended;
  ended.say("$W00#b7");
  EXPECT_THROW(ended.remote->take_stop(&stop), ConnectionLost);
}

TEST(boot_gdb_remote, any_bytes_are_survived) {
  uint32_t random = 1;
  for (int i = 0; i < 2000; ++i) {
    Stub stub;
    std::string bytes;
    for (unsigned n = 0; n < 40; ++n) {
      random = random * 1664525 + 1013904223;
      bytes += "$#+OTEW0a:;x\0\xFF"[random >> 24 & 13];
    }
    stub.say(bytes);
    close(stub.fd);
    stub.fd = -1;
    try {
      (void)stub.remote->monitor("x");
    } catch (const ConnectionLost&) {
    }
  }
}

TEST(boot_guest_cpu, registers_lie_as_qemu_sends_them) {
  Stub stub;
  std::string digits(2 * 640, '0');
  digits.replace(0, 4, "3412");                       // RAX
  digits.replace(2 * (16 * 8), 4, "7856");            // RIP
  digits.replace(2 * (17 * 8), 2, "02");              // EFLAGS
  digits.replace(2 * (17 * 8 + 4), 2, "10");          // CS
  digits.replace(2 * (17 * 8 + 28 + 24), 2, "11");    // CR0
  digits.replace(2 * (17 * 8 + 28 + 64), 4, "0005");  // EFER
  stub.say("+$OK#9a+$" + digits + "#00");
  GuestCpu cpu(*stub.remote, 1);
  EXPECT_EQ(stub.heard(), "$Hg2#e1$g#67");
  EXPECT_EQ(cpu.get(Register::rax), 0x1234u);
  EXPECT_EQ(cpu.get(Register::rip), 0x5678u);
  EXPECT_EQ(cpu.get(Register::rflags), 2u);
  EXPECT_EQ(cpu.get(Register::cs), 0x10u);
  EXPECT_EQ(cpu.get(Register::cr0), 0x11u);
  EXPECT_TRUE(cpu.is_protected());
  EXPECT_TRUE(cpu.is_long_mode());
  stub.say("+$OK#9a+$OK#9a+$OK#9a");
  cpu.set(Register::cs, 0x33);
  cpu.set(Register::rip, 0x11);
  EXPECT_EQ(stub.remote->ask("x"), "OK");
  EXPECT_EQ(stub.heard().substr(0, 40), "$P12=33000000#76$P10=1100000000000000#f0");
}

TEST(boot_guest_cpu, tables_are_read_from_what_the_monitor_prints) {
  const GuestTables t = parse_tables(
      "\nRAX=0000\nES =0033 00001000 00ffffff 00cff300 DPL=3 DS   [-WA]\n"
      "CS =0010 0000000000000000 ffffffff 00af9b00 DPL=0 CS64 [-RA]\n"
      "GDT=     fffffe0000001000 0000007f\nIDT=     fffffe0000000000 00000fff\nCR0=80050033\n");
  EXPECT_EQ(t.es.base, 0x1000u);
  EXPECT_EQ(t.es.limit, 0xFFFFFFu);
  EXPECT_TRUE(t.es.present());
  EXPECT_TRUE(t.es.readable_or_writable());
  EXPECT_FALSE(t.es.is_code());
  EXPECT_TRUE(t.cs.is_long());
  EXPECT_TRUE(t.cs.is_code());
  EXPECT_EQ(t.gdt_base, 0xFFFFFE0000001000);
  EXPECT_EQ(t.idt_base, 0xFFFFFE0000000000);
  EXPECT_EQ(t.idt_limit, 0xFFFu);
  EXPECT_EQ(parse_tables("nonsense").idt_base, 0u);
}

}  // namespace
}  // namespace incore::tools
