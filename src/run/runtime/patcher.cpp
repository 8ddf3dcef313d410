// Tactics for a PadLock site, cheap to costly.
//
// A near jump has five bytes, the instruction mostly four, and the byte behind it may be jumped to.
// So the jump borrows the bytes that follow as the high part of its displacement, and the
// trampoline is put where that leads. One or two redundant prefixes before the jump shift which
// bytes it borrows:
//
//                      F3 0F A7 C8 | n0 n1 n2      the instruction, and what follows it
//   jump               E9 d0 d1 d2 | n0            16 MiB of places for the trampoline
//   padded-jump        48 E9 d0 d1 | n0 n1         64 KiB
//   twice-padded-jump  48 48 E9 d0 | n0 n1 n2      256 bytes
//   breakpoint         CC 0F A7 C8 |               a signal, which comes here faster than that of
//                                                  an invalid opcode where a hypervisor looks first
//   trap               F3 0F A7 C8 |               as it was: SIGILL
//
// (The idea of such jumps is that of G. Duck, X. Gao and A. Roychoudhury, "Binary Rewriting without
// Control Flow Recovery", PLDI 2020.)
#include "run/runtime/patcher.h"

#include <cstring>

#include "base/bytes.h"

namespace incore::run {
namespace {

constexpr unsigned kJumpLen = 5;  // E9 rel32
constexpr uint8_t kNearJump = 0xE9;
constexpr unsigned kMaxSiteLen = sizeof(SiteBytes::bytes);
static_assert(kMaxSiteLen <= sizeof(Trampoline::original));

// What a tactic has done to a site so far. All of it is undone at the end, unless it is kept.
class Attempt {
 public:
  Attempt(ProgramCode& code, Trampolines& trampolines, const PadlockSite& site,
          CodeOfTrampoline code_of_trampoline)
      : code_(code),
        trampolines_(trampolines),
        site_(site),
        code_of_trampoline_(code_of_trampoline) {}
  ~Attempt() {
    if (!kept_) undo();
  }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  const PadlockSite& site() const { return site_; }
  bool may_change_code();
  bool read_behind(uint8_t* out, size_t len) {
    return code_.read(site_.address + site_.length(), out, len);
  }
  // The address of a trampoline in [begin, end), or 0.
  uint64_t take_trampoline(uint64_t begin, uint64_t end) {
    return trampoline_ = trampolines_.take(code_, begin, end);
  }
  bool fill_trampoline();
  bool borrow(uint64_t begin, uint64_t end);
  // From here on an int3 stops all who come to the site.
  bool stop_others();
  bool replace_code(const uint8_t* bytes);
  bool keep(SiteState state, uint64_t data);

 private:
  bool write_code(unsigned offset, const uint8_t* bytes, unsigned len);
  bool restore_code(unsigned offset, unsigned len);
  void undo();

  ProgramCode& code_;
  Trampolines& trampolines_;
  const PadlockSite& site_;
  const CodeOfTrampoline code_of_trampoline_;
  bool kept_ = false;
  bool code_changed_ = false;
  uint64_t trampoline_ = 0;
  bool has_slow_exit_ = false;
  uint64_t borrowed_[kJumpLen - 1];
  unsigned num_borrowed_ = 0;
};

// No jump leans on the instruction's bytes, and no one else writes to them or to what a jump would
// borrow.
bool Attempt::may_change_code() {
  if (site_.length() > kMaxSiteLen) return false;
  for (unsigned i = 0; i < site_.length(); ++i)
    if (is_borrowed(site_.address + i)) return false;
  return code_.is_stable(site_.address, site_.address + site_.length() + kJumpLen - 1);
}

void store32(uint8_t* p, int64_t value) {
  store_le32(p, static_cast<uint32_t>(value));
}

void code_of_padlock(uint64_t trampoline, Trampoline* out) {
  make_trampoline(trampoline, address_of(fast_entry), out);
}

bool Attempt::fill_trampoline() {
  Trampoline t = {};
  t.site = site_.address;
  t.encoding = site_.encoding;
  std::memcpy(t.original, site_.bytes, site_.length());
  code_of_trampoline_(trampoline_, &t);
  if (!code_.fill(trampoline_, &t, sizeof t)) return false;
  has_slow_exit_ = set_site(trampoline_ + kSlowTrapOffset, SiteState::slow_exit, trampoline_);
  return has_slow_exit_;
}

bool Attempt::borrow(uint64_t begin, uint64_t end) {
  for (uint64_t byte = begin; byte < end; ++byte) {
    if (is_borrowed(byte)) continue;  // by another jump too
    if (!borrow_byte(byte)) return false;
    borrowed_[num_borrowed_++] = byte;
  }
  return true;
}

bool Attempt::write_code(unsigned offset, const uint8_t* bytes, unsigned len) {
  code_changed_ = true;
  const bool written = code_.write(site_.address + offset, bytes, len);
  code_.synchronise();
  return written;
}

// An int3 that an undone attempt could not take away serves too.
bool Attempt::stop_others() {
  uint8_t first = 0;
  return write_code(0, &kInt3, 1) || (code_.read(site_.address, &first, 1) && first == kInt3);
}

// Other threads may run here now. The int3 stops them while the rest is written, the first byte
// comes last.
bool Attempt::replace_code(const uint8_t* bytes) {
  return stop_others() && write_code(1, bytes + 1, site_.length() - 1) && write_code(0, bytes, 1);
}

bool Attempt::keep(SiteState state, uint64_t data) {
  kept_ = set_site(site_.address, state, data);
  return kept_;
}

bool Attempt::restore_code(unsigned offset, unsigned len) {
  uint8_t now[kMaxSiteLen];
  if (code_.read(site_.address + offset, now, len) &&
      std::memcmp(now, site_.bytes + offset, len) == 0)
    return true;
  return write_code(offset, site_.bytes + offset, len);
}

// The first byte goes back last, if at all: an int3 whose instruction is known does no harm.
void Attempt::undo() {
  if (code_changed_ && restore_code(1, site_.length() - 1)) restore_code(0, 1);
  for (unsigned i = 0; i < num_borrowed_; ++i) give_byte_back(borrowed_[i]);
  if (has_slow_exit_) set_site(trampoline_ + kSlowTrapOffset, SiteState::unknown);
  if (trampoline_ != 0) trampolines_.give_back(trampoline_);
}

// ---- tactics: false if the site is not such that it fits, or a step failed ----

// A trampoline for a jump behind |padding| prefixes, |free_bytes| of whose displacement are ours.
uint64_t place_trampoline(Attempt& attempt, unsigned padding, unsigned free_bytes) {
  const uint64_t from = attempt.site().address + padding + kJumpLen;
  if (free_bytes == 4) {  // any place within reach: begin beside the site
    if (const uint64_t found = attempt.take_trampoline(from + 0x1000000, from + 0x70000000))
      return found;
    return attempt.take_trampoline(from - 0x70000000, from - 0x10000000);
  }
  uint8_t displacement[4] = {};
  if (!attempt.read_behind(displacement + free_bytes, 4 - free_bytes)) return 0;
  const int64_t high = static_cast<int32_t>(load_le32(displacement));
  const uint64_t begin = (from + static_cast<uint64_t>(high)) & kJumpMask;
  if (begin >= kAddressEnd) return 0;
  return attempt.take_trampoline(begin, begin + (uint64_t{1} << (8 * free_bytes)));
}

bool jump_behind(Attempt& attempt, unsigned padding) {
  const PadlockSite& site = attempt.site();
  if (!attempt.may_change_code() || padding + 1 >= site.length()) return false;
  const unsigned own_bytes = site.length() - padding - 1;
  const uint64_t trampoline = place_trampoline(attempt, padding, own_bytes < 4 ? own_bytes : 4);
  if (trampoline == 0) return false;

  const uint64_t end = site.address + padding + kJumpLen;
  uint8_t code[kMaxSiteLen + kJumpLen];
  std::memcpy(code, site.bytes, site.length());
  std::memset(code, kRedundantPrefix, padding);
  code[padding] = kNearJump;
  store32(code + padding + 1, static_cast<int64_t>(trampoline - end));
  return attempt.fill_trampoline() && attempt.borrow(site.address + site.length(), end) &&
         attempt.replace_code(code) && attempt.keep(SiteState::jump, trampoline);
}

bool jump(Attempt& attempt) {
  return jump_behind(attempt, 0);
}

bool padded_jump(Attempt& attempt) {
  return jump_behind(attempt, 1);
}

bool twice_padded_jump(Attempt& attempt) {
  return jump_behind(attempt, 2);
}

// The bytes of |site| as its SiteInfo::data; 0 if it has too many for a tactic that changes code.
uint64_t packed(const PadlockSite& site) {
  if (site.length() > kMaxSiteLen) return 0;
  SiteBytes original = {};
  std::memcpy(original.bytes, site.bytes, site.length());
  original.length = site.encoding.length;
  uint64_t data;
  std::memcpy(&data, &original, sizeof data);
  return data;
}

bool breakpoint(Attempt& attempt) {
  return attempt.may_change_code() && attempt.stop_others() &&
         attempt.keep(SiteState::breakpoint, packed(attempt.site()));
}

bool trap(Attempt& attempt) {
  return attempt.keep(SiteState::unpatched, 0);
}

constexpr bool (*kTactics[])(Attempt&) = {
#define X(name, text, is_jump) name,
#include "run/tactics.def"
#undef X
};

}  // namespace

Tactic patch_site(ProgramCode& code, Trampolines& trampolines, const PadlockSite& site) {
  // Until the end of this, whoever meets an int3 here tries again.
  if (!set_site(site.address, SiteState::patching, packed(site))) return Tactic::count_;
  size_t tactic = 0;
  for (;; ++tactic) {
    Attempt attempt(code, trampolines, site, code_of_padlock);
    if (kTactics[tactic](attempt)) break;
  }
  return static_cast<Tactic>(tactic);
}

bool patch_with_jump(ProgramCode& code, Trampolines& trampolines, const PadlockSite& site,
                     CodeOfTrampoline code_of_trampoline) {
  if (!set_site(site.address, SiteState::patching, packed(site))) return false;
  {
    Attempt attempt(code, trampolines, site, code_of_trampoline);
    if (jump(attempt)) return true;
  }
  uint8_t first = kInt3;
  if (code.read(site.address, &first, sizeof first) && first != kInt3)
    set_site(site.address, SiteState::unpatched);
  else
    set_site(site.address, SiteState::breakpoint, packed(site));
  return false;
}

void make_trampoline(uint64_t trampoline, uint64_t entry, Trampoline* out) {
  const int64_t base = static_cast<int64_t>(trampoline);
  const uint64_t end = out->site + out->encoding.length;
  out->entry = entry;
  static_assert(sizeof kTrampolineCode == kSlowTrapOffset + 1);
  std::memcpy(out->code, kTrampolineCode, sizeof kTrampolineCode);
  store32(out->code + kReturnOffset - 4, call_displacement(base, static_cast<int64_t>(entry)));
  store32(out->code + kSlowExitOffset - 4, static_cast<int64_t>(end) - (base + kSlowExitOffset));
}

}  // namespace incore::run
