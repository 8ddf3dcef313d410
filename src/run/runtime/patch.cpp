// Changing the program's code so that it comes to us.
//
// CPUID does not trap, so it is replaced before it can run, by int3, at sites that the supervisor
// has proved to be code.
//
// A PadLock instruction traps (#UD), so its first execution proves it, and then it becomes a near
// jump to a trampoline. The jump has five bytes, the instruction mostly four, and the byte behind
// it may be jumped to. So the jump borrows the bytes that follow as the high part of its
// displacement, and the trampoline is put where that leads. Tactics, cheap to costly: no padding,
// or one or two redundant prefixes before the jump, which borrow other bytes. (The idea of such
// jumps is that of G. Duck, X. Gao and A. Roychoudhury, "Binary Rewriting without Control Flow
// Recovery", PLDI 2020.) Where none fits the site goes on trapping; so does code that the program
// may write, since it could change borrowed bytes.
#include "run/runtime/runtime.h"

namespace incore::run {
namespace {

constexpr uint64_t kPageLen = 4096;
constexpr uint64_t kJumpLen = 5;             // E9 rel32
constexpr uint64_t kAddressBegin = 0x10000;  // below, Linux maps nothing
constexpr unsigned kMaxPadding = 2;

constexpr int kMembarrierSyncCore = 1 << 5;
constexpr int kMembarrierRegisterSyncCore = 1 << 6;

// Pages of trampolines. Entries are never removed: code may still return into them.
struct TrampolinePage {
  uint64_t address;
  uint64_t used;  // a bit for each trampoline
};
constinit TrampolinePage pages[1024] = {};
constinit size_t num_pages = 0;

void write_code(uint64_t address, uint64_t bytes, unsigned len) {
  constexpr unsigned kWordLen = sizeof(Word);
  for (; len > kWordLen; len -= kWordLen, address += kWordLen, bytes >>= 8 * kWordLen % 64)
    call_supervisor(Call::write_code, address, bytes, kWordLen);
  call_supervisor(Call::write_code, address, bytes, len);
}

// Every core that runs this program sees the code as it is now.
void synchronise_cores() {
  if (is_error(sys(__NR_membarrier, kMembarrierSyncCore, 0, 0))) {
    sys(__NR_membarrier, kMembarrierRegisterSyncCore, 0, 0);
    sys(__NR_membarrier, kMembarrierSyncCore, 0, 0);
  }
}

// A free trampoline whose address lies in [begin, end), or null.
Trampoline* take_from_page(TrampolinePage& page, uint64_t begin, uint64_t end) {
  for (unsigned i = 0; i < kPageLen / kTrampolineLen; ++i) {
    const uint64_t address = page.address + i * kTrampolineLen;
    if (address < begin || address >= end || (page.used >> i & 1) != 0) continue;
    page.used |= uint64_t{1} << i;
    return at_address<Trampoline>(address);
  }
  return nullptr;
}

Trampoline* take_trampoline(uint64_t begin, uint64_t end) {
  if (begin < kAddressBegin) begin = kAddressBegin;
  if (end > kAddressEnd) end = kAddressEnd;
  for (size_t i = 0; i < num_pages; ++i)
    if (Trampoline* found = take_from_page(pages[i], begin, end)) return found;
  if (num_pages == sizeof pages / sizeof pages[0]) return nullptr;
  // Try pages all over the window; parts of it may be taken.
  const uint64_t first_page = begin & ~(kPageLen - 1);
  const uint64_t stride = ((end - first_page) / 64 + kPageLen) & ~(kPageLen - 1);
  for (uint64_t address = first_page; address < end; address += stride) {
    if (address < kAddressBegin) continue;
    const long mapped = sys(kMmap, address, kPageLen, kProtRead | kProtExec,
                            kMapPrivate | kMapAnonymous | kMapFixedNoreplace, -1, 0);
    if (is_error(mapped)) continue;
    if (static_cast<Word>(mapped) != address) {  // a kernel that does not know the flag
      sys(__NR_munmap, mapped, kPageLen);
      continue;
    }
    TrampolinePage& page = pages[num_pages++];
    page = {address, 0};
    if (Trampoline* found = take_from_page(page, begin, end)) return found;
  }
  return nullptr;
}

void store32(uint8_t* p, int64_t value) {
  const int32_t v = static_cast<int32_t>(value);
  std::memcpy(p, &v, sizeof v);
}

void fill_trampoline(Trampoline* trampoline, uint64_t site, const uint8_t* bytes, unsigned length) {
  const int64_t base = static_cast<int64_t>(address_of(trampoline));
  Trampoline t = {};
  t.entry = address_of(fast_entry);
  static_assert(sizeof kTrampolineCode == kSlowTrapOffset + 1);
  std::memcpy(t.code, kTrampolineCode, sizeof kTrampolineCode);
  store32(t.code + kReturnOffset - 4, call_displacement(base, static_cast<int64_t>(t.entry)));
  store32(t.code + kSlowExitOffset - 4,
          static_cast<int64_t>(site + length) - (base + kSlowExitOffset));
  t.site = site;
  t.length = static_cast<uint8_t>(length);
  std::memcpy(t.original, bytes, length);
  for (unsigned i = 0; i < sizeof t; i += 8) {
    uint64_t word;
    std::memcpy(&word, reinterpret_cast<const uint8_t*>(&t) + i, sizeof word);
    write_code(address_of(trampoline) + i, word, 8);
  }
}

// A jump at |site| whose first |free| displacement bytes are ours and whose others are what follows
// the instruction.
struct Jump {
  unsigned padding;
  Trampoline* trampoline;
};

Jump place_jump(uint64_t site, unsigned length, const uint8_t* behind) {
  for (unsigned padding = 0; padding <= kMaxPadding && padding + 1 < length; ++padding) {
    const unsigned free_bytes = length - padding - 1 < 4 ? length - padding - 1 : 4;
    uint32_t high = 0;  // the borrowed bytes in their places
    for (unsigned i = free_bytes; i < 4; ++i) high |= uint32_t{behind[i - free_bytes]} << (8 * i);
    uint64_t from = site + padding + kJumpLen;
    if (free_bytes == 4) {  // any place within reach: begin beside the site
      if (Trampoline* found = take_trampoline(from + 0x1000000, from + 0x70000000))
        return {padding, found};
      from -= 0x70000000;
      if (Trampoline* found = take_trampoline(from, from + 0x60000000)) return {padding, found};
      continue;
    }
    const uint64_t begin =
        (from + static_cast<uint64_t>(int64_t{static_cast<int32_t>(high)})) & kJumpMask;
    const uint64_t end = begin + (uint64_t{1} << (8 * free_bytes));
    if (begin >= kAddressEnd) continue;
    if (Trampoline* found = take_trampoline(begin, end)) return {padding, found};
  }
  return {0, nullptr};
}

// Whether the instruction's bytes may change at all: no jump leans on them, and no one else writes
// to them.
bool may_change(uint64_t address, unsigned length) {
  for (unsigned i = 0; i < length; ++i)
    if (is_borrowed(address + i)) return false;
  return call_supervisor(Call::is_stable_code, address, address + length + sizeof(uint32_t)) == 1;
}

bool make_jump(uint64_t address, const uint8_t* bytes, unsigned length) {
  uint8_t behind[4];
  if (!copy_from_program(behind, address + length, sizeof behind)) return false;
  const Jump jump = place_jump(address, length, behind);
  if (jump.trampoline == nullptr) return false;

  const uint64_t trampoline = address_of(jump.trampoline);
  fill_trampoline(jump.trampoline, address, bytes, length);
  uint8_t code[16];
  for (unsigned i = 0; i < jump.padding; ++i) code[i] = kRedundantPrefix;
  code[jump.padding] = 0xE9;
  store32(code + jump.padding + 1,
          static_cast<int64_t>(trampoline - (address + jump.padding + kJumpLen)));

  if (!set_site(trampoline + kSlowTrapOffset, SiteState::slow_exit, trampoline)) return false;
  for (uint64_t b = address + length; b < address + jump.padding + kJumpLen; ++b)
    if (!borrow_byte(b)) return false;
  if (!set_site(address, SiteState::patching, trampoline)) return false;

  // Other threads may run here now. An int3 stops them while the rest is written, the first byte
  // comes last.
  uint64_t tail = 0;
  std::memcpy(&tail, code + 1, length - 1);
  write_code(address, 0xCC, 1);
  synchronise_cores();
  write_code(address + 1, tail, length - 1);
  synchronise_cores();
  write_code(address, code[0], 1);
  synchronise_cores();
  set_site(address, SiteState::jump, trampoline);
  return true;
}

bool make_breakpoint(uint64_t address, const uint8_t* bytes, unsigned length) {
  SiteBytes original = {};
  std::memcpy(original.bytes, bytes, length);
  original.length = static_cast<uint8_t>(length);
  uint64_t data;
  std::memcpy(&data, &original, sizeof data);
  if (!set_site(address, SiteState::breakpoint, data)) return false;
  write_code(address, 0xCC, 1);
  synchronise_cores();
  return true;
}

}  // namespace

void patch_padlock(uint64_t address, const uint8_t* bytes, unsigned length) {
  if (length > sizeof(Trampoline::original)) return;
  const Lock lock;
  if (find_site(address).state != SiteState::unknown) return;  // another thread was first
  const bool changeable = may_change(address, length);
  if (changeable && make_jump(address, bytes, length)) {
    stats().sites_patched.fetch_add(1, std::memory_order_relaxed);
    log_line("PadLock site patched at", address);
    return;
  }
  if (!changeable || !make_breakpoint(address, bytes, length))
    set_site(address, SiteState::unpatched);
  stats().sites_unpatched.fetch_add(1, std::memory_order_relaxed);
  log_line("PadLock site cannot be patched, each call traps, at", address);
}

void patch_cpuid(uint64_t begin, uint64_t end) {
  constexpr long kCapacity = 512;
  uint64_t addresses[kCapacity];
  const Lock lock;
  for (long count = kCapacity; count == kCapacity;) {
    count = call_supervisor(Call::find_cpuid, begin, end, addresses, kCapacity);
    if (is_error(count)) return;
    for (long i = 0; i < count; ++i) {
      uint16_t opcode;
      if (!copy_from_program(&opcode, addresses[i], sizeof opcode) || opcode != 0xA20F) continue;
      if (!set_site(addresses[i], SiteState::cpuid)) return;
      write_code(addresses[i], 0xCC, 1);
      stats().cpuid_sites.fetch_add(1, std::memory_order_relaxed);
    }
    if (count > 0) begin = addresses[count - 1] + 1;
  }
}

}  // namespace incore::run
