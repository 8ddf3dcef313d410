#include "tools/boot/supplier.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "tools/base/exit.h"
#include "tools/base/hex.h"
#include "tools/base/require_ok.h"

namespace incore::tools {
namespace {

constexpr uint64_t kRf = 1u << 16, kIf = 1u << 9, kVm = 1u << 17, kAc = 1u << 18;
constexpr unsigned kUd = 6, kGp = 13;
constexpr size_t kMaxInsnLen = 15;
// So much of QEMU's processor time, and so many accesses to other registers, until the one whose
// number was named has come or will not come. The guest's clock goes on while its code is slow.
constexpr double kArmedSeconds = 0.01;
constexpr unsigned kMaxForeign = 64;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool has_error_code(int vector) {
  return vector == 8 || (vector >= 10 && vector <= 14) || vector == 17;
}

// What an IDT says of a vector (Intel SDM volume 3, section 6.11).
struct Gate {
  uint64_t handler = 0;
  unsigned stack = 0;           // IST
  bool interrupts_off = false;  // an interrupt gate
  bool is_wide = false;         // of 32 or 64 bits
};

bool read_gate(GuestMemory& memory, const GuestTables& tables, unsigned vector, bool long_mode,
               Gate* out) {
  const unsigned len = long_mode ? 16 : 8;
  uint8_t bytes[16] = {};
  if ((vector + 1) * len > tables.idt_limit + 1) return false;
  if (!memory.read(tables.idt_base + vector * len, bytes, len)) return false;
  const unsigned type = bytes[5] & 15;
  *out = {};
  out->handler =
      bytes[0] | uint64_t{bytes[1]} << 8 | uint64_t{bytes[6]} << 16 | uint64_t{bytes[7]} << 24;
  if (long_mode)
    for (unsigned i = 0; i < 4; ++i) out->handler |= uint64_t{bytes[8 + i]} << (32 + 8 * i);
  out->stack = long_mode ? bytes[4] & 7 : 0;
  out->interrupts_off = (type & 1) == 0;
  out->is_wide = (type & 14) == 14;
  return (bytes[5] & 0x80) != 0;
}

Paging paging_of(const GuestCpu& cpu, bool user, uint64_t rflags) {
  return {cpu.get(Register::cr0),
          cpu.get(Register::cr3),
          cpu.get(Register::cr4),
          cpu.get(Register::efer),
          user,
          (rflags & kAc) != 0};
}

// Of the GDT; of others nothing.
GuestSegment read_segment(GuestMemory& memory, const GuestTables& tables, uint64_t selector) {
  uint64_t entry = 0;
  if ((selector & 4) != 0 || !memory.read(tables.gdt_base + (selector & ~uint64_t{7}), &entry, 8))
    return {};
  const auto base = static_cast<uint32_t>((entry >> 16 & 0xFFFFFF) | (entry >> 56 & 0xFF) << 24);
  return {base, 0, static_cast<uint32_t>(entry >> 32)};
}

incore_processor_segment segment_of(const GuestSegment& s) {
  const bool code = s.is_code();
  incore_processor_segment out = {s.base, s.limit, 0, 1, 1};
  out.readable = s.present() && (!code || s.readable_or_writable()) ? 1 : 0;
  out.writable = !code && s.readable_or_writable() ? 1 : 0;
  if (s.expands_down()) {
    out.first = s.limit + 1;
    out.limit = s.is_big() ? 0xFFFFFFFF : 0xFFFF;
  }
  return out;
}

}  // namespace

// What the CPU has saved at the handler's stack, and what it was in the midst of.
struct Supplier::Context {
  uint64_t frame = 0;  // address of the first saved value
  unsigned word = 8;   // bytes of each
  uint64_t site = 0;   // linear address of the instruction
  uint64_t rip = 0, cs = 0, rflags = 0, rsp = 0, ss = 0;
  bool to_other_level = false;  // the frame has RSP and SS
  incore_processor_state state = {};
};

SupplierFinding::SupplierFinding(const incore_processor_finding& finding)
    : incore_processor_finding(finding) {
  if (control_word != nullptr)
    std::memcpy(control_word_bytes, control_word, sizeof control_word_bytes);
}

Supplier::Supplier(GdbRemote& remote, const GuestRam& ram, int channel, int qemu,
                   const Options& options)
    : remote_(remote), ram_(ram), channel_(channel), options_(options) {
  for (unsigned i = 0; i < options.num_cpus; ++i) {
    char reason[512];
    processors_.push_back(std::make_unique<incore_processor>());
    if (incore_processor_init(processors_.back().get(), options.model.c_str(), options.rng_seed + i,
                              reason, sizeof reason) != INCORE_OK)
      throw std::invalid_argument(reason);
  }
  if (options.on_finding) {
    checker_ = std::make_unique<incore_processor_checker>();
    incore_processor_checker_init(checker_.get());
  }
  wait_state_ = open(fmt::format("/proc/{}/syscall", qemu).c_str(), O_RDONLY | O_CLOEXEC);
  if (clock_getcpuclockid(qemu, &qemu_clock_) != 0) qemu_clock_ = CLOCK_MONOTONIC;
  last_seconds_ = seconds();
}

Supplier::~Supplier() {
  for (const auto& processor : processors_) incore_processor_wipe(processor.get());
  if (checker_) incore_processor_checker_wipe(checker_.get());
  if (wait_state_ >= 0) close(wait_state_);
}

void Supplier::note(const std::string& message) const {
  if (options_.verbose) fail(kDone, message);
}

void Supplier::start() {
  // QEMU lets single registers be written only after its description of them was asked for.
  remote_.ask("qXfer:features:read:target.xml:0,ffb");
  remote_.resume();
}

// ---- How the guest is stopped ----

void Supplier::take_message() {
  incore_site_message message;
  const ssize_t n = recv(channel_, &message, sizeof message, MSG_DONTWAIT);
  if (n == 0) throw ConnectionLost("QEMU has ended");
  if (n != static_cast<ssize_t>(sizeof message)) return;
  if (message.kind == INCORE_SITE_MSR && !armed_ && !stopping_) {
    msr_sites_.emplace(message.address, false);
  } else {
    messages_.push_back(message);
    if (!stopping_) ask_for_stop();
  }
  answer();
  if (!early_stop_.empty()) take_stop();
}

void Supplier::answer() {
  const char go_on = 1;
  (void)!send(channel_, &go_on, 1, MSG_NOSIGNAL);
}

// The plugin may not go on before each CPU has been told to stop. QEMU's main thread does that, and
// then waits on a condition variable until they have: a futex with a clock, which a wait for a
// mutex has not.
bool Supplier::stop_is_under_way() {
  char text[128];
  const ssize_t n = pread(wait_state_, text, sizeof text - 1, 0);
  if (n <= 0) return false;
  text[n] = '\0';
  unsigned call = 0, operation = 0;
  constexpr unsigned kFutex = 202, kWaitBitset = 9, kOperationMask = 0x7F;
  if (std::sscanf(text, "%u %*x %x", &call, &operation) != 2) return false;
  return call == kFutex && (operation & kOperationMask) == kWaitBitset;
}

void Supplier::ask_for_stop() {
  stopping_ = true;
  remote_.interrupt();
  constexpr double kPatience = 2;
  for (const double until = seconds() + kPatience; seconds() < until;) {
    if (stop_is_under_way()) return;
    if (remote_.take_stop(&early_stop_)) return;  // at a breakpoint, before it could be asked
    sched_yield();
  }
}

void Supplier::take_stop() {
  std::string packet = std::exchange(early_stop_, "");
  if (packet.empty() && !remote_.take_stop(&packet)) return;
  unsigned cpu = 1;
  if (const size_t at = packet.find("thread:"); at != std::string::npos) {
    const size_t number = packet.find_first_not_of("p0", at + 7);
    std::sscanf(packet.c_str() + std::min(number, packet.size()), "%x", &cpu);
  }
  finish_stop(std::max(cpu, 1u) - 1);
}

void Supplier::finish_stop(unsigned stopped_cpu) {
  // What was sent while the guest came to its stop.
  for (pollfd more = {channel_, POLLIN, 0}; poll(&more, 1, 0) > 0;) take_message();
  stopping_ = false;
  const std::vector<incore_site_message> messages = std::move(messages_);
  messages_.clear();
  for (const incore_site_message& message : messages) {
    if (message.kind == INCORE_SITE_PADLOCK) supply(message.cpu, message.address);
    if (message.kind == INCORE_SITE_MSR_NUMBER) arm();
    if (message.kind != INCORE_SITE_MSR && message.kind != INCORE_SITE_OWN_MSR) continue;
    const bool stays = message.kind == INCORE_SITE_OWN_MSR;
    msr_sites_.emplace(message.address, stays);
    if (armed_ || stays) set_breakpoint(message.address);
  }
  if (cpu_seconds() > armed_since_ + kArmedSeconds) disarm();
  if (!supply_msr(stopped_cpu)) remote_.resume();
}

// Waits for a stop that a single step brings; the plugin may speak up meanwhile.
void Supplier::wait_for_stop() {
  constexpr int kPatienceMs = 10000;
  for (std::string packet; !remote_.take_stop(&packet);) {
    pollfd ready[] = {{remote_.fd(), POLLIN, 0}, {channel_, POLLIN, 0}};
    const int n = poll(ready, 2, kPatienceMs);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw ConnectionLost("QEMU does not stop");
    if (ready[1].revents != 0) {
      incore_site_message message;
      if (recv(channel_, &message, sizeof message, MSG_DONTWAIT) <= 0) continue;
      answer();  // for one step: what it is about comes again, or does no harm
    }
  }
}

// ---- PadLock ----

// Whether the CPU stands at the handler of #UD.
bool Supplier::is_handler(const GuestCpu& cpu, unsigned index) {
  const uint64_t rip = cpu.get(Register::rip);
  if (handlers_.count(rip) != 0) return true;
  GuestMemory memory(ram_, paging_of(cpu, false, 0));
  Gate gate;
  if (!cpu.is_protected() ||
      !read_gate(memory, read_tables(remote_, index), kUd, cpu.is_long_mode(), &gate) ||
      !gate.is_wide || gate.handler != rip)
    return false;
  handlers_.insert(rip);
  return true;
}

bool Supplier::find_context(GuestCpu& cpu, unsigned index, uint64_t site, Context* out) {
  if (!is_handler(cpu, index)) return false;
  GuestMemory memory(ram_, paging_of(cpu, false, 0));
  Context& c = *out;
  c.site = site;
  c.frame = cpu.get(Register::rsp);
  c.word = cpu.is_long_mode() ? 8 : 4;
  uint64_t values[5] = {};
  for (unsigned i = 0; i < 5; ++i)
    if (!memory.read(c.frame + i * c.word, &values[i], c.word) && i < 3) return false;
  c.rip = values[0], c.cs = values[1] & 0xFFFF, c.rflags = values[2];
  c.to_other_level = cpu.is_long_mode() || (c.cs & 3) != (cpu.get(Register::cs) & 3);
  c.rsp = c.to_other_level ? values[3] : c.frame + 3 * c.word;
  c.ss = c.to_other_level ? values[4] & 0xFFFF : cpu.get(Register::ss);
  if ((c.rflags & kVm) != 0 && !cpu.is_long_mode()) return false;  // virtual 8086 mode

  incore_processor_state& s = c.state;
  s.rax = cpu.get(Register::rax), s.rbx = cpu.get(Register::rbx), s.rcx = cpu.get(Register::rcx);
  s.rdx = cpu.get(Register::rdx), s.rsi = cpu.get(Register::rsi), s.rdi = cpu.get(Register::rdi);
  s.rip = c.rip;
  s.rflags = c.rflags & ~INCORE_PROCESSOR_KEY_LOADED;  // nobody knows
  s.cr0 = cpu.get(Register::cr0), s.cr4 = cpu.get(Register::cr4);
  s.cpl = static_cast<unsigned>(c.cs & 3);
  s.code_bits = 64;
  if (cpu.is_long_mode() && c.rip > 0xFFFFFFFF) return c.rip == site;  // 64-bit code
  const GuestTables tables = read_tables(remote_, index);
  const GuestSegment code = read_segment(memory, tables, c.cs);
  if (cpu.is_long_mode() && code.is_long()) return c.rip == site;
  s.code_bits = code.is_big() ? 32 : 16;
  s.es = segment_of(tables.es);
  return ((code.base + c.rip) & 0xFFFFFFFF) == site;
}

void Supplier::supply(unsigned index, uint64_t site) {
  GuestCpu cpu(remote_, index);
  Context context;
  if (!find_context(cpu, index, site, &context)) {
    ++counters_.missed;
    note(fmt::format("a PadLock instruction at {:#x} could not be supplied (CPU {} at {:#x})", site,
                     index, cpu.get(Register::rip)));
    return;
  }
  execute(cpu, index, context);
}

void Supplier::reset() {
  for (const auto& processor : processors_) incore_processor_reset(processor.get());
}

void Supplier::let_time_pass() {
  const double now = seconds();
  const double passed = std::min(now - last_seconds_, 1.0);
  for (const auto& processor : processors_)
    incore_processor_pass(
        processor.get(),
        static_cast<uint64_t>(passed * 1e6 * incore_processor_clock_mhz(processor.get())));
  last_seconds_ = now;
}

void Supplier::execute(GuestCpu& cpu, unsigned index, Context& context) {
  incore_processor* const processor = processors_[index % processors_.size()].get();
  let_time_pass();
  const Paging paging = paging_of(cpu, context.state.cpl == 3, context.rflags);
  GuestMemory memory(ram_, paging);
  uint8_t code[kMaxInsnLen];
  const size_t len = memory.read_some(context.site, code, sizeof code);
  const incore_processor_machine machine = memory.machine();
  std::vector<SupplierFinding> findings;
  if (checker_)
    require_ok(incore_processor_check(
        processor, checker_.get(), &context.state, code, len, &machine,
        [](void* all, const incore_processor_finding* finding) {
          static_cast<std::vector<SupplierFinding>*>(all)->emplace_back(*finding);
        },
        &findings));
  incore_processor_state state = context.state;
  incore_processor_result result;
  require_ok(incore_processor_execute(processor, &state, code, len, &machine, &result));
  if (result.outcome == INCORE_PROCESSOR_OTHER) return;  // the guest's own #UD
  for (const SupplierFinding& finding : findings)
    options_.on_finding(finding, context.state, result.mnemonic);
  InsnCounters too_long;  // which is none of them
  InsnCounters& counters =
      result.mnemonic != nullptr ? counters_.insns[result.insn % kMaxInsns] : too_long;
  counters.bytes += result.bytes;
  counters.clocks += result.clocks;
  const std::pair<Register, uint64_t> registers[] = {
      {Register::rax, state.rax}, {Register::rbx, state.rbx}, {Register::rcx, state.rcx},
      {Register::rdx, state.rdx}, {Register::rsi, state.rsi}, {Register::rdi, state.rdi}};
  for (const auto& [which, value] : registers)
    if (cpu.get(which) != value) cpu.set(which, value);
  if (result.outcome == INCORE_PROCESSOR_TRAPPED) {
    ++counters.faults;
    raise(cpu, index, context, result.trap);
    return;
  }
  counters.calls += result.outcome == INCORE_PROCESSOR_DONE ? 1 : 0;
  context.rip = state.rip;
  resume_behind(cpu, context);
}

// As IRET does with the saved values. The selectors come last: with them the CPU leaves the mode in
// which its registers can be written whole.
void Supplier::resume_behind(GuestCpu& cpu, const Context& context) {
  cpu.set(Register::rip, context.rip);
  cpu.set(Register::rsp, context.rsp);
  cpu.set(Register::rflags, context.rflags & ~kRf);
  if (context.cs != cpu.get(Register::cs)) cpu.set(Register::cs, context.cs);
  if (context.ss != cpu.get(Register::ss)) cpu.set(Register::ss, context.ss);
}

// From the handler of #UD to that of another exception: the saved values stay, an error code comes
// on top.
void Supplier::raise(GuestCpu& cpu, unsigned index, Context& context,
                     const incore_processor_trap& trap) {
  const auto vector = static_cast<unsigned>(trap.vector);
  note(fmt::format("exception {} at {:#x}: {}", vector, context.rip, trap.reason));
  if (vector == kUd) return;
  GuestMemory memory(ram_, paging_of(cpu, false, 0));
  const GuestTables tables = read_tables(remote_, index);
  Gate from, to;
  if (!read_gate(memory, tables, kUd, cpu.is_long_mode(), &from) ||
      !read_gate(memory, tables, vector, cpu.is_long_mode(), &to) || !to.is_wide ||
      from.stack != to.stack) {
    fail(kDiffers, fmt::format("the guest's handlers of the exceptions {} and {} have different "
                               "stacks; the guest gets {}",
                               kUd, vector, kUd));
    return;
  }
  uint64_t top = context.frame;
  if (has_error_code(trap.vector)) {
    top -= context.word;
    const uint64_t code = trap.error_code;
    memory.write(top, &code, context.word);
  }
  cpu.set(Register::rsp, top);
  cpu.set(Register::rip, to.handler);
  if (vector == 14) cpu.set(Register::cr2, trap.address);
  const uint64_t flags = cpu.get(Register::rflags) & ~kIf;
  cpu.set(Register::rflags, flags | (to.interrupts_off ? 0 : context.rflags & kIf));
}

// ---- RDMSR and WRMSR ----

void Supplier::look_at_clock() {
  if (!armed_ || stopping_ || cpu_seconds() < armed_since_ + kArmedSeconds) return;
  ask_for_stop();
  if (!early_stop_.empty()) take_stop();
}

double Supplier::cpu_seconds() const {
  timespec time = {};
  clock_gettime(qemu_clock_, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void Supplier::arm() {
  num_foreign_ = 0;
  armed_since_ = cpu_seconds();
  if (armed_) return;
  armed_ = true;
  for (const auto& [address, stays] : msr_sites_) set_breakpoint(address);
}

void Supplier::set_breakpoint(uint64_t address) {
  if (breakpoints_.insert(address).second) remote_.queue(fmt::format("Z0,{:x},1", address));
}

void Supplier::remove_breakpoint(uint64_t address) {
  if (breakpoints_.erase(address) != 0) remote_.queue(fmt::format("z0,{:x},1", address));
}

void Supplier::disarm() {
  if (!armed_) return;
  armed_ = false;
  for (const auto& [address, stays] : msr_sites_)
    if (!stays) remove_breakpoint(address);
}

// True if the CPU stands at one of our breakpoints; the guest runs again then.
bool Supplier::supply_msr(unsigned index) {
  GuestCpu cpu(remote_, index);
  const uint64_t rip = cpu.get(Register::rip);
  if (breakpoints_.count(rip) == 0) return false;
  GuestMemory memory(ram_, paging_of(cpu, false, 0));
  uint8_t code[2] = {};
  memory.read(rip, code, sizeof code);
  const auto msr = static_cast<uint32_t>(cpu.get(Register::rcx));
  const bool is_write = code[1] == 0x30;
  const bool is_access = code[0] == 0x0F && (is_write || code[1] == 0x32);
  incore_processor* const processor = processors_[index % processors_.size()].get();
  incore_status status = INCORE_ERROR_RANGE;
  uint64_t value =
      (cpu.get(Register::rdx) & 0xFFFFFFFF) << 32 | (cpu.get(Register::rax) & 0xFFFFFFFF);
  if (is_access && (cpu.get(Register::cs) & 3) == 0) {
    let_time_pass();
    status = is_write ? incore_processor_write_msr(processor, msr, value)
                      : incore_processor_read_msr(processor, msr, &value);
  }
  if (status == INCORE_ERROR_RANGE) {  // the machine's own affair
    step_over(index, rip);
    set_breakpoint(rip);
    if (++num_foreign_ == kMaxForeign) disarm();
    remote_.resume();
    return true;
  }
  note(fmt::format("{} of MSR {:#x} at {:#x}", is_write ? "write" : "read", msr, rip));
  if (status != INCORE_OK) {
    raise_in_place(cpu, index, {static_cast<int>(kGp), 0, 0, "the model has no such MSR"});
  } else {
    (is_write ? counters_.msr_writes : counters_.msr_reads) += 1;
    if (!is_write) {
      cpu.set(Register::rax, value & 0xFFFFFFFF);
      cpu.set(Register::rdx, value >> 32);
    }
    cpu.set(Register::rip, rip + 2);
  }
  disarm();
  remote_.resume();
  return true;
}

void Supplier::step_over(unsigned index, uint64_t site) {
  remove_breakpoint(site);
  remote_.resume(fmt::format("vCont;s:{:x}", index + 1));
  wait_for_stop();
}

// An instruction that QEMU would execute is made one that raises #UD, for one step: the CPU enters
// the handler, and from there goes on as after a PadLock instruction.
void Supplier::raise_in_place(GuestCpu& cpu, unsigned index, const incore_processor_trap& trap) {
  const uint64_t site = cpu.get(Register::rip);
  GuestMemory memory(ram_, paging_of(cpu, false, 0));
  uint8_t before[2];
  if (!memory.read(site, before, sizeof before)) return;
  constexpr uint8_t kUd2[] = {0x0F, 0x0B};
  remote_.queue(fmt::format("M{:x},2:{}", site, to_hex(kUd2, sizeof kUd2)));
  step_over(index, site);
  remote_.queue(fmt::format("M{:x},2:{}", site, to_hex(before, sizeof before)));
  set_breakpoint(site);
  GuestCpu at_handler(remote_, index);
  Context context;
  if (find_context(at_handler, index, site, &context)) raise(at_handler, index, context, trap);
}

}  // namespace incore::tools
