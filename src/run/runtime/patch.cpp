// Changing the program's code so that it comes to us.
//
// CPUID does not trap, so it is replaced before it can run, by int3, at sites that the supervisor
// has proved to be code; so are PUSHF, POPF and IRET where keys are followed. A PadLock instruction
// traps
// (#UD), so its first execution proves it, and then a tactic is found for it (patcher.cpp).
#include <fcntl.h>
#include <linux/stat.h>

#include <iterator>

#include "run/runtime/patcher.h"

namespace incore::run {
namespace {

constexpr uint8_t kCpuidOpcode[] = {0x0F, 0xA2};

constexpr int kMembarrierSyncCore = 1 << 5;
constexpr int kMembarrierRegisterSyncCore = 1 << 6;

INCORE_LARGE constinit Trampolines trampolines;

bool map_code_page(uint64_t address) {
  const long mapped = sys(kMmap, address, kCodePageLen, kProtRead | kProtExec,
                          kMapPrivate | kMapAnonymous | kMapFixedNoreplace, -1, 0);
  if (is_error(mapped)) return false;
  if (static_cast<Word>(mapped) == address) return true;
  sys(__NR_munmap, mapped, kCodePageLen);  // a kernel that does not know the flag
  return false;
}

bool protect_page(uint64_t page, int protection) {
  return !is_error(sys(__NR_mprotect, page, kCodePageLen, protection));
}

// The code of this process, which the supervisor writes.
class LiveCode final : public ProgramCode {
 public:
  bool read(uint64_t address, void* out, size_t len) override {
    return copy_from_program(out, address, len);
  }

  bool write(uint64_t address, const void* in, size_t len) override {
    const auto* bytes = static_cast<const uint8_t*>(in);
    for (size_t done = 0; done < len;) {
      Word word = 0;
      const size_t n = len - done < sizeof word ? len - done : sizeof word;
      std::memcpy(&word, bytes + done, n);
      if (call_supervisor(Call::write_code, address + done, word, n) != 0) return false;
      done += n;
    }
    return true;
  }

  void synchronise() override {
    if (!is_error(sys(__NR_membarrier, kMembarrierSyncCore, 0, 0))) return;
    sys(__NR_membarrier, kMembarrierRegisterSyncCore, 0, 0);
    sys(__NR_membarrier, kMembarrierSyncCore, 0, 0);
  }

  bool is_stable(uint64_t begin, uint64_t end) override {
    return call_supervisor(Call::is_stable_code, begin, end) == 1;
  }

  bool map_page(uint64_t address) override { return map_code_page(address); }

  // Others may execute what else is in that page.
  bool fill(uint64_t address, const void* in, size_t len) override {
    const uint64_t page = address & ~kPageMask;
    if (!protect_page(page, kProtRead | kProtWrite | kProtExec)) return write(address, in, len);
    std::memcpy(at_address<void>(address), in, len);
    return protect_page(page, kProtRead | kProtExec);
  }
};

// The code of a program that has not begun: nobody executes it. Much faster than the supervisor.
class StartingCode final : public ProgramCode {
 public:
  ~StartingCode() {
    for (size_t i = 0; i < num_pages_; ++i) protect_page(pages_[i], kProtRead | kProtExec);
  }
  bool read(uint64_t address, void* out, size_t len) override {
    return copy_from_program(out, address, len);
  }
  bool write(uint64_t address, const void* in, size_t len) override {
    if (!unlock(address) || !unlock(address + len - 1)) return false;
    std::memcpy(at_address<void>(address), in, len);
    return true;
  }
  void synchronise() override {}
  bool is_stable(uint64_t, uint64_t) override { return true; }
  bool map_page(uint64_t address) override { return map_code_page(address); }
  bool fill(uint64_t address, const void* in, size_t len) override {
    return write(address, in, len);
  }

 private:
  bool unlock(uint64_t address) {
    const uint64_t page = address & ~kPageMask;
    for (size_t i = 0; i < num_pages_; ++i)
      if (pages_[i] == page) return true;
    if (num_pages_ == sizeof pages_ / sizeof *pages_ ||
        !protect_page(page, kProtRead | kProtWrite | kProtExec))
      return false;
    pages_[num_pages_++] = page;
    return true;
  }

  uint64_t pages_[8];
  size_t num_pages_ = 0;
};

void code_of_cpuid(uint64_t trampoline, Trampoline* out) {
  make_trampoline(trampoline, address_of(cpuid_entry), out);
}

// The int3 in place of the CPUID at |address| becomes a jump if that fits.
void patch_hot_cpuid(ProgramCode& code, uint64_t address) {
  constexpr uint8_t kReplaced[] = {kInt3, kCpuidOpcode[1]};
  uint8_t bytes[sizeof kReplaced];
  if (find_site(address).state != SiteState::cpuid ||
      !copy_from_program(bytes, address, sizeof bytes) ||
      std::memcmp(bytes, kReplaced, sizeof bytes) != 0)
    return;
  padlock::Encoding encoding = {};
  encoding.length = sizeof bytes;
  const bool done = patch_with_jump(code, trampolines, {address, bytes, encoding}, code_of_cpuid);
  log_line("CPUID executed often", address, done ? "jump" : "breakpoint");
}

constexpr const char* kTacticNames[] = {
#define X(name, text, is_jump) text,
#include "run/tactics.def"
#undef X
};

// Notes what stands at |address|, so that the trap there is understood. False: it is none of ours,
// or there is no room.
bool note_site(uint64_t address) {
  SiteBytes code = {};
  code.length = sizeof code.bytes;
  while (code.length > 0 && !copy_from_program(code.bytes, address, code.length)) --code.length;
  if (code.length >= 2 && code.bytes[0] == kCpuidOpcode[0] && code.bytes[1] == kCpuidOpcode[1])
    return set_site(address, SiteState::cpuid);
  if (decode_flags_insn(code.bytes, code.length).kind == FlagsInsn::none) return false;
  uint64_t data;
  std::memcpy(&data, &code, sizeof data);
  return set_site(address, SiteState::flags, data);
}

// A site is known before it traps, which another thread may meet at once. One call for all: a call
// takes longer than everything else here.
void make_trap(uint64_t* addresses, size_t count) {
  const CpuidTrap trap = cpuid_trap(config());
  size_t num_sites = 0;
  for (size_t i = 0; i < count; ++i)
    if (note_site(addresses[i])) addresses[num_sites++] = addresses[i];
  if (num_sites == 0) return;
  const long result =
      call_supervisor(Call::write_bytes, addresses, num_sites, trap.offset, trap.byte);
  const size_t num_written = is_error(result) ? 0 : static_cast<size_t>(result);
  for (size_t i = 0; i < num_sites; ++i) {
    if (i >= num_written)
      set_site(addresses[i], SiteState::unknown);
    else if (find_site(addresses[i]).state == SiteState::cpuid)
      stats().cpuid_sites.fetch_add(1, std::memory_order_relaxed);
  }
}

// The file behind |fd| among those that the supervisor has told of, or null.
const KnownFile* find_known_file(int fd) {
  struct statx s;
  if (sys(__NR_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &s) != 0) return nullptr;
  const FileIdentity identity = {.device = uint64_t{s.stx_dev_major} << 32 | s.stx_dev_minor,
                                 .inode = s.stx_ino,
                                 .len = s.stx_size,
                                 .modified = s.stx_mtime.tv_sec,
                                 .modified_nanoseconds = s.stx_mtime.tv_nsec};
  const KnownFiles& known = known_files();
  const size_t num_files = known.num_files.load(std::memory_order_acquire);
  for (size_t i = 0; i < num_files && i < std::size(known.files); ++i)
    if (known.files[i].identity == identity) return &known.files[i];
  return nullptr;
}

// Replaces the CPUID at |address|, if there is one, in memory that may be written. Lock held.
void replace_cpuid(uint64_t address, const CpuidTrap& trap) {
  uint8_t code[sizeof kCpuidOpcode];
  if (!copy_from_program(code, address, sizeof code) ||
      std::memcmp(code, kCpuidOpcode, sizeof code) != 0 || !set_site(address, SiteState::cpuid))
    return;
  if (copy_to_program(address + trap.offset, &trap.byte, sizeof trap.byte))
    stats().cpuid_sites.fetch_add(1, std::memory_order_relaxed);
  else
    set_site(address, SiteState::unknown);
}

}  // namespace

void forget_code(uint64_t begin, uint64_t end) {
  forget_sites(begin, end);
  forget_site_histories(begin, end);
}

bool map_known_file(const uint64_t (&call)[6], long* out_result) {
  const auto [address, wanted_len, protection, flags, fd, offset] = call;
  const uint64_t len = (wanted_len + kPageMask) & ~kPageMask;
  if ((protection & kProtExec) == 0 || replaces_flags_insns(config()) ||
      (flags & (kMapType | kMapAnonymous)) != kMapPrivate)
    return false;
  const KnownFile* const file = find_known_file(static_cast<int>(fd));
  if (file == nullptr) return false;
  const uint64_t file_begin = offset * kMmapUnit, file_end = file_begin + len;
  const uint64_t* site = known_files().sites + file->first;
  const uint64_t* const sites_end = site + file->num_sites;
  while (site != sites_end && *site < file_begin) ++site;
  const bool has_sites = site != sites_end && *site < file_end;

  // Nobody executes what is not yet executable.
  const uint64_t first_protection =
      has_sites ? (protection & ~uint64_t{kProtExec}) | kProtRead | kProtWrite : protection;
  const long result = sys(kMmap, address, len, first_protection, flags, fd, offset);
  if (is_error(result)) {
    *out_result = result;
    return !has_sites;
  }
  const uint64_t begin = static_cast<Word>(result);
  const Lock lock;
  forget_code(begin, begin + len);  // what was known there went with the old mapping
  const CpuidTrap trap = cpuid_trap(config());
  for (; site != sites_end && *site < file_end; ++site)
    replace_cpuid(begin + (*site - file_begin), trap);
  if (has_sites && is_error(sys(__NR_mprotect, begin, len, protection))) {
    forget_code(begin, begin + len);
    sys(__NR_munmap, begin, len);
    return false;
  }
  *out_result = result;
  return true;
}

void patch_padlock(uint64_t address, const uint8_t* bytes, padlock::Encoding encoding) {
  const Lock lock;
  if (find_site(address).state != SiteState::unknown) return;  // another thread was first
  LiveCode code;
  const Tactic tactic = patch_site(code, trampolines, {address, bytes, encoding});
  if (tactic == Tactic::count_) return;
  const size_t index = static_cast<size_t>(tactic);
  stats().sites[index].fetch_add(1, std::memory_order_relaxed);
  log_line("PadLock site", address, kTacticNames[index]);
}

void patch_call_site(uint64_t address, const uint8_t (&load)[kLoadLen],
                     CodeOfTrampoline code_of_trampoline) {
  const Lock lock;
  if (find_site(address).state != SiteState::unknown) return;
  LiveCode code;
  padlock::Encoding encoding = {};
  encoding.length = kLoadLen;
  const bool done =
      call_supervisor(Call::is_call_site, address) == 1 &&
      patch_with_jump(code, trampolines, {address, load, encoding}, code_of_trampoline);
  if (done) log_line("system call", address, "jump");
}

void end_patching(uint64_t address) {
  const Lock lock;
  const SiteInfo site = find_site(address);
  if (site.state == SiteState::patching) set_site(address, SiteState::breakpoint, site.data);
}

void patch_proved(uint64_t begin, uint64_t end) {
  uint64_t addresses[kMaxSitesAtOnce];
  const Lock lock;
  for (long found = kMaxSitesAtOnce; found == kMaxSitesAtOnce;) {
    found = call_supervisor(Call::find_sites, begin, end, addresses, kMaxSitesAtOnce,
                            replaces_flags_insns(config()));
    if (is_error(found) || found == 0) return;
    begin = addresses[found - 1] + 1;
    make_trap(addresses, static_cast<size_t>(found));
  }
}

void patch_first(const StartInfo& info) {
  LiveCode code;
  if (!code.write(info.replaced_at, info.replaced, info.replaced_len)) __builtin_trap();
  for (size_t i = 0; i < info.num_sites; ++i)
    set_site(info.sites[i], SiteState::cpuid, kInNewImage);
  stats().cpuid_sites.fetch_add(info.num_sites, std::memory_order_relaxed);
  if (info.more_from != kNoMore) patch_proved(info.more_from, ~uint64_t{0});
  if (info.num_hot == 0) return;
  const Lock lock;
  StartingCode starting;
  for (size_t i = 0; i < info.num_hot; ++i) patch_hot_cpuid(starting, info.hot[i]);
}

bool patch_flags_insn(uint64_t address) {
  uint8_t bytes[sizeof SiteBytes::bytes];
  size_t len = sizeof bytes;
  while (len > 0 && !copy_from_program(bytes, address, len)) --len;
  const FlagsInsn insn = decode_flags_insn(bytes, len);
  if (insn.kind == FlagsInsn::none) return true;  // an int3 of ours already, or it traps by itself
  if (call_supervisor(Call::is_stable_code, address, address + insn.length) != 1 ||
      config().debugged != 0)
    return false;
  const Lock lock;
  make_trap(&address, 1);
  return find_site(address).state == SiteState::flags;
}

void restore_flags_insn(uint64_t address, const SiteBytes& original) {
  const Lock lock;
  if (call_supervisor(Call::write_code, address, original.bytes[0], 1) == 0)
    set_site(address, SiteState::unpatched);
}

}  // namespace incore::run
