// The tactics for PadLock sites, on a buffer that stands for the program's code: which one serves
// which site, and that one whose step fails leaves no trace.
#include "run/runtime/patcher.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <vector>

#include "base/bytes.h"

extern "C" const char fast_entry[] = "";  // where trampolines would lead

namespace incore::run {
namespace {

using Bytes = std::vector<uint8_t>;

const Bytes kXcrypt = {0xF3, 0x0F, 0xA7, 0xC8}, kXstore = {0x0F, 0xA7, 0xC0};

class CodeBuffer final : public ProgramCode {
 public:
  bool read(uint64_t address, void* out, size_t len) override {
    for (size_t i = 0; i < len; ++i) {
      if (!bytes.contains(address + i)) return false;
      static_cast<uint8_t*>(out)[i] = bytes[address + i];
    }
    return true;
  }
  // One that fails has written half.
  bool write(uint64_t address, const void* in, size_t len) override {
    const bool fails = num_writes == failing_write || (gone && num_writes > failing_write);
    ++num_writes;
    const size_t done = !fails ? len : gone ? 0 : len / 2;
    for (size_t i = 0; i < done; ++i) bytes[address + i] = static_cast<const uint8_t*>(in)[i];
    return !fails;
  }
  void synchronise() override {}
  // Each tactic asks first: it must find what the first one found.
  bool is_stable(uint64_t begin, uint64_t) override {
    const auto first = bytes.lower_bound(begin), last = bytes.lower_bound(begin + 7);
    const std::map<uint64_t, uint8_t> now(first, last);
    if (found.empty()) {
      found = now;
      expect_known_while_patched(begin);
    }
    EXPECT_TRUE(gone || now == found) << "the tactic before left something behind";
    return stable;
  }
  bool map_page(uint64_t address) override {
    if (!has_room || address < kCodePageLen) return false;
    pages.push_back(address);
    return true;
  }

  bool fill(uint64_t address, const void* in, size_t len) override {
    return write(address, in, len);
  }

  // The child of a fork may have to go on from here: end_patching().
  void expect_known_while_patched(uint64_t address) {
    const SiteInfo site = find_site(address);
    SiteBytes original;
    std::memcpy(&original, &site.data, sizeof original);
    EXPECT_EQ(site.state, SiteState::patching);
    EXPECT_GT(original.length, 0);
    for (size_t i = 0; i < original.length; ++i)
      EXPECT_EQ(original.bytes[i], bytes[address + i]) << i;
  }

  std::map<uint64_t, uint8_t> bytes, found;
  std::vector<uint64_t> pages;  // of trampolines
  bool stable = true, has_room = true;
  size_t num_writes = 0, failing_write = SIZE_MAX;
  bool gone = false;  // all writes fail from then on
};

PadlockSite site_at(uint64_t address, const Bytes& insn) {
  padlock::Encoding encoding = {};
  encoding.index = 3;  // of any instruction
  encoding.length = static_cast<uint8_t>(insn.size());
  return {address, insn.data(), encoding};
}

// A site in a place of its own, since the table of sites is one for all.
struct Patched {
  Patched(const Bytes& insn, const Bytes& bytes_behind) : original(insn), behind(bytes_behind) {
    static uint64_t next = 0x401000;
    address = next += 0x1000;
    uint64_t at = address;
    for (const Bytes* part : {&original, &behind})
      for (const uint8_t byte : *part) code.bytes[at++] = byte;
  }
  Tactic patch() { return patch_site(code, trampolines, site_at(address, original)); }
  Bytes bytes_at(uint64_t at, size_t len) {
    Bytes out(len);
    EXPECT_TRUE(code.read(at, out.data(), len));
    return out;
  }

  // All that |tactic| should leave: the site's state and bytes, what is borrowed, trampolines.
  void expect_served_by(Tactic tactic) {
    const auto padding = static_cast<unsigned>(tactic);
    const bool is_jump = tactic <= Tactic::twice_padded_jump;
    const SiteInfo site = find_site(address);
    const size_t len = original.size();
    Bytes expected = original;
    size_t num_borrowed = 0;
    if (is_jump) {
      EXPECT_EQ(site.state, SiteState::jump);
      const Bytes all = bytes_at(address, padding + 5);
      EXPECT_EQ(Bytes(all.begin(), all.begin() + padding), Bytes(padding, 0x48));
      EXPECT_EQ(all[padding], 0xE9);
      const auto displacement = static_cast<int32_t>(load_le32(&all[padding + 1]));
      EXPECT_EQ(address + padding + 5 + static_cast<uint64_t>(int64_t{displacement}), site.data);
      expect_trampoline(site.data);
      num_borrowed = padding + 5 > len ? padding + 5 - len : 0;
    } else {
      EXPECT_EQ(site.state, tactic == Tactic::trap ? SiteState::unpatched : SiteState::breakpoint);
      if (tactic == Tactic::breakpoint) expected[0] = 0xCC;
      if (!code.gone) {
        EXPECT_EQ(bytes_at(address, len), expected);
      } else {
        EXPECT_EQ(bytes_at(address, 1)[0], expected[0]);
      }
    }
    EXPECT_EQ(bytes_at(address + len, behind.size()), behind);
    for (size_t i = 0; i < behind.size(); ++i)
      EXPECT_EQ(is_borrowed(address + len + i), i < num_borrowed) << i;
    expect_trampolines_in_use(is_jump ? 1 : 0);
  }

  void expect_trampoline(uint64_t at) {
    Trampoline t;
    ASSERT_TRUE(code.read(at, &t, sizeof t));
    EXPECT_EQ(t.site, address);
    EXPECT_EQ(Bytes(t.original, t.original + t.encoding.length), original);
    EXPECT_EQ(t.encoding.index, 3);
    EXPECT_EQ(find_site(at + kSlowTrapOffset).data, at);
  }

  void expect_trampolines_in_use(size_t count) {
    code.has_room = false;
    size_t free_ones = 0, slow_exits = 0;
    for (const uint64_t page : code.pages) {
      for (uint64_t at = page; at < page + kCodePageLen; at += kTrampolineLen)
        slow_exits += find_site(at + kSlowTrapOffset).state == SiteState::slow_exit;
      while (trampolines.take(code, page, page + kCodePageLen) != 0) ++free_ones;
    }
    const size_t all = code.pages.size() * (kCodePageLen / kTrampolineLen);
    EXPECT_EQ(all - free_ones, count);
    EXPECT_EQ(slow_exits, count);
  }

  Bytes original, behind;
  uint64_t address;
  CodeBuffer code;
  Trampolines trampolines;
};

struct Case {
  Bytes insn, behind;
  Tactic tactic;
};

// At these addresses a displacement that begins with 90h leads below all memory.
const Case kCases[] = {
    {kXcrypt, {0x0F, 0x1F, 0x00, 0x90}, Tactic::jump},
    {kXcrypt, {0x00, 0x90, 0x90, 0x90}, Tactic::jump},
    {kXcrypt, {0x90, 0x0F, 0x1F, 0x00}, Tactic::padded_jump},
    {kXcrypt, {0x90, 0x90, 0x66, 0x90}, Tactic::twice_padded_jump},
    {kXcrypt, {0x90, 0x90, 0x90, 0x90}, Tactic::breakpoint},
    {kXstore, {0x90, 0x0F, 0x1F, 0x00}, Tactic::jump},
    {kXstore, {0x90, 0x90, 0x0F, 0x90}, Tactic::padded_jump},
    {kXstore, {0x90, 0x90, 0x90, 0x0F}, Tactic::breakpoint},
    {{0x67, 0xF3, 0x0F, 0xA7, 0xC8}, {0x90, 0x90, 0x90, 0x90}, Tactic::jump},
    {{0x2E, 0x2E, 0x67, 0xF3, 0x0F, 0xA7, 0xC8}, {0x90, 0x90, 0x90, 0x90}, Tactic::jump},
    {{0x2E, 0x2E, 0x2E, 0x67, 0xF3, 0x0F, 0xA7, 0xC8}, {0x90, 0x90, 0x90, 0x90}, Tactic::trap},
};

TEST(patcher, takes_the_first_tactic_that_fits) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::PrintToString(c.insn) + testing::PrintToString(c.behind));
    Patched site(c.insn, c.behind);
    EXPECT_EQ(site.patch(), c.tactic);
    site.expect_served_by(c.tactic);
  }
}

TEST(patcher, leaves_code_alone_that_others_may_write) {
  Patched site(kXcrypt, {0x00, 0x90, 0x90, 0x90});
  site.code.stable = false;
  EXPECT_EQ(site.patch(), Tactic::trap);
  site.expect_served_by(Tactic::trap);
}

TEST(patcher, leaves_bytes_alone_that_a_jump_has_borrowed) {
  Patched first(kXcrypt, {0x0F, 0xA7, 0xC0, 0x90, 0x90, 0x90, 0x90});
  EXPECT_EQ(first.patch(), Tactic::jump);
  first.code.found.clear();
  const Bytes before = first.bytes_at(first.address, 11);
  EXPECT_EQ(patch_site(first.code, first.trampolines, site_at(first.address + 4, kXstore)),
            Tactic::trap);
  EXPECT_EQ(first.bytes_at(first.address, 11), before);
}

TEST(patcher, has_a_breakpoint_where_there_is_no_room_for_trampolines) {
  for (const Bytes& insn : {kXcrypt, Bytes{0x67, 0xF3, 0x0F, 0xA7, 0xC8}}) {
    Patched site(insn, {0x00, 0x00, 0x00, 0x90});
    site.code.has_room = false;
    EXPECT_EQ(site.patch(), Tactic::breakpoint);
    site.expect_served_by(Tactic::breakpoint);
  }
}

// Each write of each tactic fails once, halfway. What it did is undone, and the next tactic serves.
TEST(patcher, undoes_a_tactic_whose_write_fails) {
  for (const Case& c : kCases) {
    Patched whole(c.insn, c.behind);
    whole.patch();
    for (size_t n = 0; n < whole.code.num_writes; ++n) {
      SCOPED_TRACE(testing::PrintToString(c.behind) + " write " + std::to_string(n));
      Patched site(c.insn, c.behind);
      site.code.failing_write = n;
      const Tactic tactic = site.patch();
      EXPECT_GT(tactic, c.tactic);
      site.expect_served_by(tactic);
    }
  }
}

// As if the supervisor had gone: an int3 that cannot be taken away again serves.
TEST(patcher, leaves_a_site_that_works_when_all_writes_fail) {
  for (const Case& c : kCases) {
    Patched whole(c.insn, c.behind);
    whole.patch();
    for (size_t n = 0; n < whole.code.num_writes; ++n) {
      SCOPED_TRACE(testing::PrintToString(c.behind) + " write " + std::to_string(n));
      Patched site(c.insn, c.behind);
      site.code.failing_write = n;
      site.code.gone = true;
      const Tactic tactic = site.patch();
      EXPECT_TRUE(tactic == Tactic::breakpoint || tactic == Tactic::trap);
      site.expect_served_by(tactic);
    }
  }
}

void code_of_test(uint64_t trampoline, Trampoline* out) {
  make_trampoline(trampoline, address_of(fast_entry), out);
}

// A load of a number, and an int3 in place of CPUID: a jump, or what stood there.
TEST(patcher, puts_a_plain_jump_in_place_of_other_instructions) {
  const Case cases[] = {
      {{0xB8, 0x0D, 0, 0, 0}, {0x0F, 0x05, 0xC3, 0x90}, Tactic::jump},
      {{0xCC, 0xA2}, {0xBE, 0x12, 0x10, 0x00}, Tactic::jump},
      {{0xCC, 0xA2}, {0x90, 0x90, 0x90, 0x90}, Tactic::breakpoint},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.insn) + testing::PrintToString(c.behind));
    size_t num_writes = 0;
    for (size_t n = 0; n <= num_writes; ++n) {  // first none fails, then each
      Patched site(c.insn, c.behind);
      if (n > 0) site.code.failing_write = n - 1;
      const bool is_jump =
          patch_with_jump(site.code, site.trampolines, site_at(site.address, c.insn), code_of_test);
      const bool writes_int3_again = c.insn[0] == kInt3 && n == 2;
      EXPECT_EQ(is_jump, c.tactic == Tactic::jump && (n == 0 || writes_int3_again)) << n;
      if (n == 0) num_writes = site.code.num_writes;
      site.expect_served_by(is_jump              ? Tactic::jump
                            : c.insn[0] == kInt3 ? Tactic::breakpoint
                                                 : Tactic::trap);
    }
  }
}

// Takes entries of the table of sites, at most |count|; returns how many there were.
size_t fill_table(size_t count) {
  constexpr uint64_t kOthers = 0x500000000000;
  size_t taken = 0;
  while (taken < count && set_site(kOthers + taken, SiteState::unpatched)) ++taken;
  return taken;
}

// Leaves |num_free| entries and patches a site that a twice padded jump would serve.
[[noreturn]] void patch_with_entries(size_t num_free) {
  auto* const num_entries = static_cast<size_t*>(
      mmap(nullptr, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const pid_t child = fork();  // entries cannot be given back, so another process counts them
  if (child == 0) {
    *num_entries = fill_table(SIZE_MAX);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  Patched site(kXcrypt, {0x90, 0x90, 0x0F, 0x90});
  (void)fill_table(*num_entries - num_free);
  const Tactic tactic = site.patch();
  if (tactic != Tactic::count_)
    site.expect_served_by(tactic);
  else
    EXPECT_EQ(site.bytes_at(site.address, 4), kXcrypt);
  _exit(testing::Test::HasFailure() ? 99 : static_cast<int>(tactic));
}

// The site, its trampoline's exit and three borrowed bytes take an entry each.
TEST(patcher, undoes_a_tactic_when_the_table_of_sites_is_full) {
  for (size_t num_free = 0; num_free <= 5; ++num_free) {
    const Tactic expected = num_free == 0  ? Tactic::count_
                            : num_free < 5 ? Tactic::breakpoint
                                           : Tactic::twice_padded_jump;
    EXPECT_EXIT(patch_with_entries(num_free), testing::ExitedWithCode(static_cast<int>(expected)),
                "")
        << num_free;
  }
}

}  // namespace
}  // namespace incore::run
