#include "tools/boot/boot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tools/base/exit.h"
#include "tools/base/interrupt.h"
#include "tools/base/quote.h"
#include "tools/boot/boot_findings.h"
#include "tools/boot/cpu_line.h"
#include "tools/boot/kernel_file.h"
#include "tools/boot/qemu.h"

// site_plugin.c as a shared object, put here by site_plugin_image.S.
extern "C" const unsigned char incore_site_plugin[], incore_site_plugin_end[];

namespace incore::tools {
namespace {

using Clock = std::chrono::steady_clock;

void note(const std::string& message) {
  fail(kDone, message);
}

[[noreturn]] void fail_with_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

void connect(int type, Descriptor* out_ours, Descriptor* out_theirs) {
  int ends[2];
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) fail_with_errno("a socket");
  out_ours->reset(ends[0]);
  out_theirs->reset(ends[1]);
}

int make_file(const char* name) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) fail_with_errno(name);
  return fd;
}

int make_plugin_file() {
  const int fd = make_file("incore-site-plugin");
  const auto len = static_cast<size_t>(incore_site_plugin_end - incore_site_plugin);
  if (write(fd, incore_site_plugin, len) != static_cast<ssize_t>(len))
    fail_with_errno("the plugin");
  return fd;
}

// How long the guest may still run; the events that end it.
class Watch {
 public:
  explicit Watch(const BootOptions& options) : options_(options), begin_(Clock::now()) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool timed_out() const {
    return options_.timeout_seconds && seconds() >= *options_.timeout_seconds;
  }

 private:
  const BootOptions& options_;
  const Clock::time_point begin_;
};

// Until the guest ends, is interrupted or has taken too long.
void run_guest(Qemu& qemu, const Watch& watch) {
  constexpr int kPatienceMs = 100;
  while (!interrupted() && !watch.timed_out()) {
    pollfd ready = {qemu.events(), POLLIN, 0};
    if (poll(&ready, 1, kPatienceMs) > 0 && !qemu.read_events()) return;
  }
}

// The same where its instructions come from |supplier|.
void run_guest(Qemu& qemu, const Watch& watch, Supplier& supplier, int remote, int channel) {
  supplier.start();
  while (!interrupted() && !watch.timed_out()) {
    pollfd ready[] = {{qemu.events(), POLLIN, 0}, {remote, POLLIN, 0}, {channel, POLLIN, 0}};
    const int n = poll(ready, std::size(ready), supplier.patience_ms());
    supplier.look_at_clock();
    if (n <= 0) continue;
    if (ready[2].revents != 0) supplier.take_message();
    if (ready[1].revents != 0) supplier.take_stop();
    if (ready[0].revents != 0 && !qemu.read_events()) return;
    if (qemu.take_reset()) supplier.reset();
  }
}

void conclude(const BootOptions& options, const Qemu& qemu, const Watch& watch,
              BootReport* out_report) {
  out_report->seconds = watch.seconds();
  if (interrupted()) {
    out_report->exit_code = interrupt_exit_code();
    out_report->message = "interrupted";
  } else if (watch.timed_out()) {
    out_report->exit_code = kDiffers;
    out_report->message =
        fmt::format("the guest has not ended after {} seconds", *options.timeout_seconds);
  } else {
    const Qemu::Verdict verdict = qemu.verdict();
    out_report->exit_code = verdict.exit_code;
    out_report->message = verdict.message;
  }
}

QemuMachine machine_for(const BootOptions& options, const std::string& program, bool long_mode) {
  QemuMachine machine;
  machine.program = program;
  machine.cpu = cpu_line(options.model, long_mode);
  machine.kernel = options.kernel;
  machine.initrd = options.initrd;
  machine.append = options.append;
  machine.disk = options.disk;
  machine.memory_mib = options.memory_mib;
  machine.num_cpus = options.num_cpus;
  machine.more = options.qemu_options;
  return machine;
}

void boot_and_supply(const BootOptions& options, QemuMachine machine, BootReport* out_report) {
  const GuestRam ram(options.memory_mib << 20);
  Descriptor remote, its_remote, channel, its_channel;
  connect(SOCK_STREAM, &remote, &its_remote);
  connect(SOCK_SEQPACKET, &channel, &its_channel);
  const Descriptor plugin(make_plugin_file());
  machine.ram = ram.fd();
  machine.gdb = its_remote.get();
  machine.plugin = plugin.get();
  machine.channel = its_channel.get();

  const Watch watch(options);
  Qemu qemu(machine);
  its_remote.reset();
  its_channel.reset();
  if (options.verbose) fmt::print(stderr, "incore boot: {}\n", qemu.command());
  BootFindings findings;
  std::string lost;  // why the guest can be supplied no more
  {
    GdbRemote gdb(remote.release());
    Supplier::Options supply = {.model = options.model,
                                .rng_seed = options.rng_seed,
                                .num_cpus = options.num_cpus,
                                .verbose = options.verbose,
                                .on_finding = nullptr};
    if (options.check)
      supply.on_finding = [&](const auto& finding, const auto& state, const char* mnemonic) {
        findings.add(finding, state, mnemonic);
      };
    Supplier supplier(gdb, ram, channel.get(), qemu.pid(), supply);
    try {
      run_guest(qemu, watch, supplier, gdb.fd(), channel.get());
    } catch (const ConnectionLost& error) {
      lost = error.what();
    }
    out_report->counters = supplier.counters();
  }
  const bool goes_on = interrupted() || watch.timed_out() || !qemu.ends_soon();
  if (goes_on) qemu.end();
  findings.tell(&out_report->findings);
  conclude(options, qemu, watch, out_report);
  if (goes_on && !interrupted() && !watch.timed_out()) {
    out_report->exit_code = kDiffers;
    out_report->message = lost;
  }
}

// What QEMU counts for each CPU: see padlock.c in machine/qemu.
struct QemuCounters {
  static constexpr size_t kStride = 64 << 10;  // in the file
  struct {
    uint64_t calls, bytes, faults, clocks;
  } insns[64];
  uint64_t msr_reads, msr_writes;
};

SupplierCounters read_counters(int file, unsigned num_cpus) {
  SupplierCounters sum;
  for (unsigned cpu = 0; cpu < num_cpus; ++cpu) {
    QemuCounters counters;
    if (pread(file, &counters, sizeof counters, static_cast<off_t>(cpu * QemuCounters::kStride)) !=
        sizeof counters)
      continue;  // it has not started
    for (unsigned i = 0; i < kMaxInsns; ++i) {
      sum.insns[i].calls += counters.insns[i].calls;
      sum.insns[i].bytes += counters.insns[i].bytes;
      sum.insns[i].faults += counters.insns[i].faults;
      sum.insns[i].clocks += counters.insns[i].clocks;
    }
    sum.msr_reads += counters.msr_reads;
    sum.msr_writes += counters.msr_writes;
  }
  return sum;
}

// In a QEMU that has the instructions itself.
void boot_patched(const BootOptions& options, QemuMachine machine, BootReport* out_report) {
  const Descriptor counters(make_file("incore-counters"));
  machine.padlock = {options.model, options.rng_seed, counters.get()};
  const Watch watch(options);
  Qemu qemu(machine);
  if (options.verbose) fmt::print(stderr, "incore boot: {}\n", qemu.command());
  run_guest(qemu, watch);
  if (interrupted() || watch.timed_out() || !qemu.ends_soon()) qemu.end();
  out_report->counters = read_counters(counters.get(), options.num_cpus);
  conclude(options, qemu, watch, out_report);
}

}  // namespace

std::string boot(const BootOptions& options, BootReport* out_report) {
  KernelFile kernel;
  if (std::string error = look_at_kernel(options.kernel, &kernel); !error.empty()) return error;
  for (const std::string* const file : {&options.initrd, &options.disk})
    if (!file->empty() && access(file->c_str(), R_OK) != 0)
      return in_quotes(*file) + ": " + std::strerror(errno);
  incore_processor processor;
  char reason[512];
  if (incore_processor_init(&processor, options.model.c_str(), 0, reason, sizeof reason) !=
      INCORE_OK)
    return reason;
  out_report->model = incore_processor_name(&processor);
  out_report->clock_mhz = incore_processor_clock_mhz(&processor);
  incore_processor_wipe(&processor);

  QemuProgram qemu;
  if (std::string error = find_qemu(&qemu); !error.empty()) return error;
  const bool patched = qemu.has_padlock && !options.check;
  if (options.verbose)
    note(qemu.has_padlock ? qemu.path + " has PadLock itself"
                          : qemu.path + " has no PadLock; its instructions come from outside");
  if (qemu.has_padlock && options.check)
    note("with --check the instructions come from outside, in about 0.4 ms each");
  const InterruptGuard guard;
  try {
    (patched ? boot_patched : boot_and_supply)(
        options, machine_for(options, qemu.path, kernel.long_mode), out_report);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace incore::tools
