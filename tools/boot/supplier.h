// Supplies the PadLock instructions of a guest in an unmodified QEMU. There they are invalid
// opcodes. A plugin (site_plugin.c) tells before one executes; the guest is asked to stop; the
// instruction raises #UD, and QEMU stops at the first instruction of the guest's handler. Then the
// instruction is done on the emulated processor, and the CPU put behind it as if nothing had been;
// or, if it has ended in an exception, into the handler of that one. RDMSR and WRMSR, which QEMU
// executes, get breakpoints while one of PadLock's registers may come: from the moment when code
// has named its number. Breakpoints make all code of their pages slow.
#pragma once

#include <time.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "incore/processor.h"
#include "tools/boot/guest_cpu.h"
#include "tools/boot/guest_memory.h"
#include "tools/boot/site_message.h"

namespace incore::tools {

// What became of one instruction.
struct InsnCounters {
  uint64_t calls = 0;   // executed to the end
  uint64_t bytes = 0;   // of data
  uint64_t faults = 0;  // ended in an exception
  uint64_t clocks = 0;  // that the modelled processor would have spent
};
inline constexpr unsigned kMaxInsns = 32;

struct SupplierCounters {
  InsnCounters insns[kMaxInsns];
  uint64_t msr_reads = 0, msr_writes = 0;
  uint64_t missed = 0;  // instructions that were over before the guest had stopped
};

// A finding of incore_processor_check that outlives it.
struct SupplierFinding : incore_processor_finding {
  explicit SupplierFinding(const incore_processor_finding& finding);
  uint8_t control_word_bytes[16] = {};  // if control_word is not null
};

class Supplier {
 public:
  struct Options {
    std::string model;
    uint64_t rng_seed = 0;
    unsigned num_cpus = 1;
    bool verbose = false;
    // Not null: each finding, with the registers before the instruction and its name.
    std::function<void(const SupplierFinding&, const incore_processor_state&, const char* mnemonic)>
        on_finding;
  };

  // |channel| is the other end of the plugin's socket, |remote| QEMU of process |qemu|, stopped
  // before the guest's first instruction. Throws std::invalid_argument for an unknown model.
  Supplier(GdbRemote& remote, const GuestRam& ram, int channel, int qemu, const Options& options);
  ~Supplier();
  Supplier(const Supplier&) = delete;

  void start();
  // What has come from the plugin; from the remote.
  void take_message();
  void take_stop();
  // As often as patience_ms() says.
  void look_at_clock();
  // The whole machine has had a RESET.
  void reset();
  int patience_ms() const { return armed_ ? 2 : 100; }

  const SupplierCounters& counters() const { return counters_; }

 private:
  struct Context;  // a CPU that stands at the handler of #UD

  void ask_for_stop();
  bool stop_is_under_way();
  void answer();
  void finish_stop(unsigned stopped_cpu);
  void supply(unsigned cpu, uint64_t site);
  bool find_context(GuestCpu& cpu, unsigned index, uint64_t site, Context* out);
  bool is_handler(const GuestCpu& cpu, unsigned index);
  void execute(GuestCpu& cpu, unsigned index, Context& context);
  void resume_behind(GuestCpu& cpu, const Context& context);
  void raise(GuestCpu& cpu, unsigned index, Context& context, const incore_processor_trap& trap);
  bool supply_msr(unsigned cpu);
  double cpu_seconds() const;
  void arm();
  void disarm();
  void set_breakpoint(uint64_t address);
  void remove_breakpoint(uint64_t address);
  void step_over(unsigned cpu, uint64_t site);
  void raise_in_place(GuestCpu& cpu, unsigned index, const incore_processor_trap& trap);
  void wait_for_stop();
  void let_time_pass();
  void note(const std::string& message) const;

  GdbRemote& remote_;
  const GuestRam& ram_;
  const int channel_;
  const Options options_;
  int wait_state_ = -1;  // of QEMU's main thread: /proc/PID/syscall
  std::vector<std::unique_ptr<incore_processor>> processors_;
  std::unique_ptr<incore_processor_checker> checker_;
  SupplierCounters counters_;

  bool stopping_ = false;                      // asked for, and not yet there
  std::string early_stop_;                     // it came before it was waited for
  std::vector<incore_site_message> messages_;  // since then
  std::map<uint64_t, bool> msr_sites_;         // and whether their breakpoints stay
  std::set<uint64_t> breakpoints_;             // those that are set
  bool armed_ = false;                         // all sites have one
  double armed_since_ = 0;                     // of cpu_seconds()
  clockid_t qemu_clock_ = CLOCK_MONOTONIC;     // QEMU's processor time
  unsigned num_foreign_ = 0;                   // accesses to other registers since then
  std::set<uint64_t> handlers_;  // addresses of handlers of #UD that were seen in an IDT
  double last_seconds_ = 0;      // when time passed for the generators
};

}  // namespace incore::tools
