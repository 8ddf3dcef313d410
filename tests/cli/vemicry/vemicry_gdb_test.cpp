// `incore vemicry run --gdb`, with a client of our own and with GDB.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "support/process.h"

namespace incore::test {
namespace {

constexpr char kProgram[] = R"(
        .text
main:   jal     triple
        li      $4, 14
        move    $4, $2
        li      $2, 4001
        syscall
        .ent    triple
triple: sll     $2, $4, 1
        vsmove  v3, $4, 0
inner:  jr      $31
        addu    $2, $2, $4
        .end    triple
)";

// A program that waits for a debugger.
class Waiting {
 public:
  Waiting(const TemporaryDirectory& folder, const std::string& options, const std::string& file)
      : said_(folder.path() + "/said") {
    const std::string command = std::string(INCORE_PROGRAM) + " vemicry run --gdb 0 " + options +
                                " " + file + " 2>" + said_;
    ended_ = std::async(std::launch::async, [command] { return run({"/bin/sh", "-c", command}); });
    for (int i = 0; i < 1000 && port_ == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      const std::string text = said(), before = "waiting for GDB at 127.0.0.1:";
      const size_t found = text.find(before);
      if (found != std::string::npos && text.back() == '\n')
        port_ = static_cast<uint16_t>(std::stoi(text.substr(found + before.size())));
    }
    EXPECT_NE(port_, 0) << said();
  }

  uint16_t port() const { return port_; }
  // All on standard error, but for the first line.
  std::string rest() const {
    const std::string text = said();
    return text.substr(std::min(text.size(), text.find('\n') + 1));
  }
  int exit_code() { return ended_.get().exit_code; }

 private:
  std::string said() const {
    std::ostringstream text;
    text << std::ifstream(said_).rdbuf();
    return text.str();
  }

  std::string said_;
  std::future<ProcessResult> ended_;
  uint16_t port_ = 0;
};

class Client {
 public:
  explicit Client(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;

  void send(const std::string& text) {
    EXPECT_EQ(write(fd_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // What comes until it ends with |end|.
  std::string heard(const std::string& end) {
    std::string text;
    char c;
    while (!text.ends_with(end) && read(fd_, &c, 1) == 1) text += c;
    return text;
  }

 private:
  const int fd_;
};

class cli_vemicry_gdb : public testing::Test {
 protected:
  TemporaryDirectory folder_;
  std::string file_ = folder_.write("f.s", kProgram);
};

TEST_F(cli_vemicry_gdb, a_program_runs_to_its_end) {
  Waiting waiting(folder_, "--stats", file_);
  Client client(waiting.port());
  client.send("$c#63");
  EXPECT_EQ(client.heard("#ea"), "+$W2a#ea");
  EXPECT_EQ(waiting.exit_code(), 42);
  EXPECT_NE(waiting.rest().find("9 instructions in "), std::string::npos) << waiting.rest();
}

TEST_F(cli_vemicry_gdb, a_detached_program_goes_on_alone) {
  Waiting waiting(folder_, "--call triple --arg 5", file_);
  {
    Client client(waiting.port());
    client.send("$D#44");
    EXPECT_EQ(client.heard("#9a"), "+$OK#9a");
  }
  EXPECT_EQ(waiting.exit_code(), 0);
  EXPECT_EQ(waiting.rest(), "");
}

TEST_F(cli_vemicry_gdb, a_client_that_leaves_or_kills_ends_the_program) {
  for (const char* last : {"$?#3f", "$c", "junk", "$k#6b"}) {
    Waiting waiting(folder_, "", folder_.write("loop.s", "main: b main\n nop\n"));
    {
      Client client(waiting.port());
      client.send(last);
    }
    EXPECT_EQ(waiting.exit_code(), 1) << last;
    EXPECT_EQ(waiting.rest(), "incore vemicry: the debugger ended the program\n") << last;
  }
}

TEST_F(cli_vemicry_gdb, a_port_that_is_taken_is_told) {
  Waiting waiting(folder_, "", file_);
  const ProcessResult second =
      run({INCORE_PROGRAM, "vemicry", "run", "--gdb", std::to_string(waiting.port()), file_});
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_EQ(second.err,
            "incore vemicry: --gdb: cannot listen on 127.0.0.1: Address already in use\n");
  Client client(waiting.port());
  client.send("$k#6b");
  EXPECT_EQ(waiting.exit_code(), 1);
}

// What gdb-multiarch prints for |commands|.
class cli_vemicry_gdb_itself : public cli_vemicry_gdb {
 protected:
  void SetUp() override {
    if (run({"/bin/sh", "-c", "command -v gdb-multiarch"}).exit_code != 0)
      GTEST_SKIP() << "gdb-multiarch is not installed";
  }
  std::string debug(uint16_t port, const std::vector<std::string>& commands) {
    const std::string elf = folder_.path() + "/f.elf";
    EXPECT_EQ(run({INCORE_PROGRAM, "vemicry", "asm", file_, "-o", elf}).exit_code, 0);
    std::vector<std::string> arguments = {"gdb-multiarch", "-nx", "-batch", "-ex",
                                          "target remote 127.0.0.1:" + std::to_string(port)};
    for (const std::string& command : commands) {
      arguments.push_back("-ex");
      arguments.push_back(command);
    }
    arguments.push_back(elf);
    const ProcessResult result = run(arguments, "", {"DEBUGINFOD_URLS="});
    return result.out + result.err;
  }
};

TEST_F(cli_vemicry_gdb_itself, it_breaks_steps_and_shows_registers) {
  Waiting waiting(folder_, "", file_);
  const std::string said =
      debug(waiting.port(), {"break *inner", "continue", "info symbol $pc", "print $v0",
                             "print $a0", "print/x $vec3_7", "set $v0 = 70", "stepi", "stepi",
                             "info symbol $pc", "x/i $pc", "print/x $l", "continue"});
  for (const char* part :
       {"triple + 8 in section .text", "= 28", "= 14", "= 0xe", "main + 8 in section .text",
        "move\ta0,v0", "= 0x8", "exited with code 0124"})
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
  EXPECT_EQ(waiting.exit_code(), 84) << said;
}

TEST_F(cli_vemicry_gdb_itself, a_trap_is_a_signal) {
  file_ = folder_.write("f.s", "main: li $4, 3\n lw $5, 0($4)\n");
  Waiting waiting(folder_, "", file_);
  const std::string said = debug(waiting.port(), {"continue", "print/x $badvaddr", "kill"});
  EXPECT_NE(said.find("received signal SIGBUS"), std::string::npos) << said;
  EXPECT_NE(said.find("= 0x3"), std::string::npos) << said;
  EXPECT_EQ(waiting.exit_code(), 1);
}

}  // namespace
}  // namespace incore::test
