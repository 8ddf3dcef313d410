// The side of the debugged program in GDB's Remote Serial Protocol (GDB manual, appendix E): bytes
// that a debugger sent to what a target is asked for, and its answers to bytes. What comes is
// doubted: packets that are damaged are asked for again or refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace incore::tools {

// Why a target does not run on.
struct GdbStop {
  enum class Kind {
    none,  // it could
    signal,
    exited,
  };
  Kind kind = Kind::none;
  uint8_t number = 0;  // GDB's number of the signal, or the exit code
};

// What is debugged. Registers are numbered as its description says, and have their bytes in the
// target's order.
class GdbTarget {
 public:
  virtual ~GdbTarget() = default;

  virtual const std::string& description() const = 0;  // XML (GDB manual, appendix G)
  virtual size_t num_registers() const = 0;
  virtual std::vector<uint8_t> read_register(size_t number) const = 0;
  // False: the number of bytes is wrong, or the register does not take this value.
  virtual bool write_register(size_t number, std::span<const uint8_t> bytes) = 0;
  // As many as can be read.
  virtual std::vector<uint8_t> read_memory(uint32_t address, size_t len) const = 0;
  virtual bool write_memory(uint32_t address, std::span<const uint8_t> bytes) = 0;
  virtual bool set_breakpoint(uint32_t address, bool is_set) = 0;
  // Executes |limit| instructions at most. The first one even at a breakpoint, if it |passes| that.
  virtual GdbStop run(uint64_t limit, bool passes) = 0;
};

class GdbSession {
 public:
  static constexpr size_t kMaxPacketLen = 0x20000;

  explicit GdbSession(GdbTarget* target) : target_(*target) {}

  enum class End {
    none,
    exited,    // the program
    killed,    // by the debugger
    detached,  // it goes on alone
    trapped,   // the debugger handed it the signal of its trap
  };
  End end() const { return end_; }
  // The program runs: run_some() wants to be called, beside receive() for what comes meanwhile.
  bool is_running() const { return is_running_; }

  // What the debugger sent.
  void receive(std::string_view bytes);
  // Runs the program for a while.
  void run_some();
  // What the debugger gets: all since the last call.
  std::string take_output() { return std::exchange(output_, {}); }

 private:
  void take_packets();
  void handle(std::string_view packet);
  bool handle_resuming(std::string_view packet);
  std::string answer_to(std::string_view packet);
  std::string answer_to_query(std::string_view packet);
  std::string read_description(std::string_view range) const;
  std::string read_registers() const;
  bool write_registers(std::string_view digits);
  std::string read_memory(std::string_view range) const;
  bool write_memory(std::string_view packet, bool is_binary);
  bool set_breakpoint(std::string_view packet, bool is_set);
  // "c", "C05", "s", "S05", without an address.
  void resume(std::string_view action);
  void send(std::string_view packet);
  void stop(GdbStop stop);

  GdbTarget& target_;
  std::string input_, output_;
  bool acknowledges_ = true, is_running_ = false, steps_ = false, passes_ = false;
  std::string last_stop_ = "S05";
  uint8_t last_signal_ = 5;  // SIGTRAP
  End end_ = End::none;
};

}  // namespace incore::tools
