// The machine: state, memory, and the loop that executes instructions. Every instruction takes one
// cycle here (VeMICry paper, section 5.2); pipeline.h has the times.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vemicry/image.h"
#include "vemicry/insn.h"

namespace incore::vemicry {

// Why a run ended.
enum class Stop : uint8_t {
  exited,  // exit, or a return from the first function
  trapped,
  limit,       // as many instructions as allowed were executed
  breakpoint,  // the next one has a breakpoint
};

struct Outcome {
  Stop stop = Stop::limit;
  uint32_t value = 0;          // exited: the exit code, or what the function returned
  Trap trap;                   // trapped: why
  uint32_t address = 0;        // trapped: of the instruction
  uint32_t word = 0;           // trapped: the instruction, if it could be fetched
  bool in_delay_slot = false;  // trapped: of the branch at address - 4, where MIPS-I would have EPC
  uint64_t executed = 0;       // instructions, those in delay slots included
};

// An instruction about to be executed.
struct Step {
  uint32_t address;
  Word word;
  const Insn* insn;
};

// xorshift64*: numbers that look random, the same ones for the same seed.
class Junk {
 public:
  explicit Junk(uint64_t number = 0) { seed(number); }
  void seed(uint64_t number) { state_ = number * 0x9E3779B97F4A7C15 | 1; }
  uint32_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<uint32_t>((state_ * 0x2545F4914F6CDD1D) >> 32);
  }

 private:
  uint64_t state_;
};

class Machine {
 public:
  // |config| without mistakes.
  explicit Machine(const Config& config);

  // Maps the program and a stack, and starts at the entry; returning from there ends the run.
  // False: a segment does not fit.
  bool load(const Image& image);
  // As at reset, but memory stays; the banks are emptied.
  void reset();

  State& state() { return *state_; }
  const State& state() const { return *state_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

  // Executes |limit| instructions at most. |visit| is called as visit(step) before each.
  Outcome run(uint64_t limit) {
    return run(limit, [](const Step&) {});
  }
  template <class Visit>
  Outcome run(uint64_t limit, Visit&& visit);

  // Prepares a call of the function at |address| by the o32 convention: four arguments in
  // registers, more at 16 above the stack pointer. run() then ends when it returns, with its
  // result.
  void begin_call(uint32_t address, std::span<const uint32_t> arguments);

  // A run stops before the instruction at |address|, unless it begins there. False: there is no
  // instruction.
  bool set_breakpoint(uint32_t address, bool is_set);

  // What the system calls read and write do; by default input is empty and output is dropped. They
  // return the number of bytes, or a negative error number.
  std::function<int64_t(int fd, uint8_t* out_bytes, size_t len)> on_read;
  std::function<int64_t(int fd, const uint8_t* bytes, size_t len)> on_write;
  // Milliseconds since 1970, for the system call time; by default always 0.
  std::function<uint64_t()> on_time;

 private:
  // Decodes the instruction at |address|, which is mapped.
  void decode_at(uint32_t address, Decoded* out_decoded) const;
  // Does a system call. |*out_ends| becomes true if the program ended, with |*outcome|.
  Trap do_system_call(Outcome* outcome, bool* out_ends);
  int64_t read(uint32_t fd, uint32_t address, uint32_t len);
  int64_t write(uint32_t fd, uint32_t address, uint32_t len);
  void print(std::string_view text);
  Trap print_string(uint32_t address);
  int read_char();
  uint32_t read_int();
  Trap read_string(uint32_t address, uint32_t len);
  uint32_t sbrk(uint32_t num_bytes);
  // What a load delay does around one instruction.
  Trap execute_with_load_delay(const Decoded& decoded);
  // True if the instruction at |address| has a delay slot.
  bool is_branch(uint32_t address) const;

  std::unique_ptr<State> state_;
  Memory memory_;
  uint32_t entry_ = 0;
  uint32_t heap_ = 0, break_ = 0;  // what sbrk gives: from and up to where
  Junk random_;
  uint32_t previous_ = kReturnAddress;  // address of the instruction executed last
  std::unordered_set<uint32_t> breakpoints_;
};

template <class Visit>
Outcome Machine::run(uint64_t limit, Visit&& visit) {
  State& s = *state_;
  const bool load_delay = s.config.load_delay;
  Outcome outcome;
  Decoded* page = nullptr;
  uint32_t page_address = 1;  // of |page|; odd: none
  uint32_t previous = previous_;
  uint64_t executed = 0;
  Decoded beneath;  // the breakpoint where the run begins
  for (; executed < limit; ++executed) {
    const uint32_t address = s.pc, next = s.next_pc;
    Trap trap;
    Decoded* decoded = nullptr;
    if ((address & (~(Memory::kPageLen - 1) | 3)) != page_address) [[unlikely]] {
      if (address == kReturnAddress) {
        outcome.stop = Stop::exited;
        outcome.value = s.gpr[2];
        break;
      }
      page = address % 4 == 0 ? memory_.decoded(address) : nullptr;
      page_address = page == nullptr ? 1 : address & ~(Memory::kPageLen - 1);
    }
    if (page == nullptr) [[unlikely]] {
      trap = {address % 4 != 0 ? Exception::address_error_load : Exception::bus_error_fetch,
              address};
    } else {
      decoded = &page[address % Memory::kPageLen / 4];
      if (decoded->execute == nullptr) [[unlikely]] {
        if (breakpoints_.count(address) != 0) {  // never kept as decoded
          if (executed != 0) {
            outcome.stop = Stop::breakpoint;
            break;
          }
          decoded = &beneath;
        }
        decode_at(address, decoded);
      }
      if (decoded->insn != nullptr) visit(Step{address, decoded->word, decoded->insn});
      s.pc = next;
      s.next_pc = next + 4;
      trap = load_delay ? execute_with_load_delay(*decoded)
                        : decoded->execute(s, memory_, decoded->word);
    }
    if (!trap) [[likely]] {
      previous = address;
      continue;
    }
    if (trap.exception == Exception::syscall) {
      bool ends = false;
      trap = do_system_call(&outcome, &ends);
      if (!trap) {
        previous = address;
        if (!ends) continue;
        ++executed;
        break;
      }
    }
    s.pc = address;
    s.next_pc = next;
    outcome.stop = Stop::trapped;
    outcome.trap = trap;
    outcome.address = address;
    outcome.word = decoded == nullptr ? 0 : decoded->word.bits;
    outcome.in_delay_slot = previous + 4 == address && is_branch(previous);
    break;
  }
  previous_ = previous;
  outcome.executed = executed;
  return outcome;
}

}  // namespace incore::vemicry
