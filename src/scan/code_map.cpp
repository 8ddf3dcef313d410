#include "scan/code_map.h"

#include <algorithm>

#include "elf/fields.h"
#include "scan/unwind_table.h"

namespace incore::scan {
namespace {

// Functions that overlap at one address: more than any compiler makes.
constexpr size_t kMaxNesting = 8;
// Gaps below this are the padding that aligns the next function.
constexpr uint64_t kMinGap = 16;
// Where functions begin that nothing calls, and how far before an instruction that is looked for.
constexpr uint64_t kAlignment = 16;
constexpr uint64_t kMaxGuessedLen = 4096;

// True if one of the ascending |addresses| is in |range|.
bool any_inside(std::span<const uint64_t> addresses, const Range& range) {
  const auto first = std::lower_bound(addresses.begin(), addresses.end(), range.start);
  return first != addresses.end() && *first < range.end;
}

}  // namespace

CodeMap::CodeMap(const ElfImage& image, const std::vector<Symbol>& symbols, uint64_t allowance)
    : image_(image), symbols_(symbols), decoder_(image.is_64bit_code(), allowance) {
  for (const Range& range : unwind_ranges(image))
    functions_.push_back({range, Proof::unwind_table});
  for (const Symbol& symbol : symbols) {
    const Segment* segment = image.segment_at(symbol.address);
    if (symbol.size != 0 && symbol.size <= segment->range().end - symbol.address)
      functions_.push_back({{symbol.address, symbol.address + symbol.size}, Proof::symbol});
  }
  std::stable_sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) {
    return a.range.start < b.range.start;
  });
}

std::span<const uint8_t> CodeMap::bytes_of(const Range& range) const {
  return image_.bytes_at(range.start).first(range.size());
}

std::vector<Function> CodeMap::functions_around(uint64_t address) const {
  std::vector<Function> found;
  auto next = std::upper_bound(functions_.begin(), functions_.end(), address,
                               [](uint64_t a, const Function& f) { return a < f.range.start; });
  for (size_t i = 0; i < kMaxNesting && next != functions_.begin(); ++i) {
    --next;
    if (next->range.contains(address)) found.push_back(*next);
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const Function& f) { return f.proof == Proof::unwind_table; });
  return found;
}

CodeWalk& CodeMap::walk_function(const Function& function) {
  const Range& range = function.range;
  const auto [entry, is_new] =
      walks_.try_emplace({range.start, range.end}, decoder_, bytes_of(range), range.start);
  CodeWalk& walk = entry->second;
  if (!is_new) return walk;
  // Hand-written code may have several functions under one entry of the unwind table.
  auto inner = std::lower_bound(functions_.begin(), functions_.end(), range.start,
                                [](const Function& f, uint64_t a) { return f.range.start < a; });
  for (; inner != functions_.end() && inner->range.start < range.end && decoder_.spend(1); ++inner)
    walk.descend(inner->range.start);
  walk.add_islands();
  return walk;
}

std::vector<const CodeWalk*> CodeMap::walks_around(uint64_t address) const {
  std::vector<const CodeWalk*> found;
  for (const Function& function : functions_around(address)) {
    const auto walk = walks_.find({function.range.start, function.range.end});
    if (walk != walks_.end()) found.push_back(&walk->second);
  }
  const auto gap = gap_walks_.upper_bound(address);
  if (gap != gap_walks_.begin() && std::prev(gap)->second.range().contains(address))
    found.push_back(&std::prev(gap)->second);
  return found;
}

void CodeMap::follow_control_flow(std::span<const uint64_t> wanted) {
  const std::vector<Range> covered = covered_ranges();
  find_destinations(covered, wanted);
  to_enter_ = image_.entries();
  for (const Symbol& symbol : symbols_)
    if (symbol.size == 0) to_enter_.push_back(symbol.address);
  add_start_code();
  for (const Range& range : covered) add_callers(range);
  add_neighbours(wanted);
  while (!to_enter_.empty()) {
    const uint64_t address = to_enter_.back();
    to_enter_.pop_back();
    enter(address);
  }
}

// The union of all functions, by ascending start.
std::vector<Range> CodeMap::covered_ranges() const {
  std::vector<Range> covered;
  for (const Function& function : functions_) {
    const bool joins =
        !covered.empty() && function.range.start <= covered.back().end &&
        image_.segment_at(covered.back().start) == image_.segment_at(function.range.start);
    if (joins)
      covered.back().end = std::max(covered.back().end, function.range.end);
    else
      covered.push_back(function.range);
  }
  return covered;
}

void CodeMap::find_destinations(const std::vector<Range>& covered,
                                std::span<const uint64_t> wanted) {
  const auto add = [&](const Range& range, bool is_gap) {
    const bool is_wanted = any_inside(wanted, range);
    if (is_wanted || (is_gap && range.size() >= kMinGap)) destinations_.push_back({range, is_gap});
  };
  auto next = covered.begin();
  for (const Segment& segment : image_.segments()) {
    if (!segment.executable) continue;
    uint64_t start = segment.address;
    for (; next != covered.end() && next->start < segment.range().end; ++next) {
      if (next->start > start) add({start, next->start}, true);
      add(*next, false);
      start = next->end;
    }
    if (start < segment.range().end) add({start, segment.range().end}, true);
  }
}

const CodeMap::Destination* CodeMap::destination_of(uint64_t address) const {
  const auto next =
      std::upper_bound(destinations_.begin(), destinations_.end(), address,
                       [](uint64_t a, const Destination& d) { return a < d.range.start; });
  return next != destinations_.begin() && std::prev(next)->range.contains(address)
             ? &*std::prev(next)
             : nullptr;
}

// The start code hands main() and the like to libc: these are the addresses that it loads before
// its first call.
void CodeMap::add_start_code() {
  uint64_t address = image_.entry();
  Instruction insn;
  while (image_.is_code(address) && decoder_.decode(image_.bytes_at(address), address, &insn) &&
         insn.flow == Flow::next) {
    if (image_.is_code(insn.reference)) to_enter_.push_back(insn.reference);
    address += insn.length;
  }
}

// Looks for E8, E9 and 0F 80 to 8F whose 32-bit displacement leads to a destination.
void CodeMap::add_callers(const Range& covered) {
  const std::span<const uint8_t> bytes = bytes_of(covered);
  for (size_t i = 0; i + 5 <= bytes.size(); ++i) {
    const bool is_call_or_jump = (bytes[i] & 0xfe) == 0xe8;
    const bool is_branch = (bytes[i] & 0xf0) == 0x80 && i > 0 && bytes[i - 1] == 0x0f;
    if (!is_call_or_jump && !is_branch) continue;
    const int32_t displacement = static_cast<int32_t>(load_le32(&bytes[i + 1]));
    uint64_t target =
        covered.start + i + 5 + static_cast<uint64_t>(static_cast<int64_t>(displacement));
    if (!image_.is_64bit_code()) target &= UINT32_MAX;
    if (destination_of(target) != nullptr) add_exits_of_functions_around(covered.start + i);
  }
}

// Short jumps into a gap come from the functions beside it.
void CodeMap::add_neighbours(std::span<const uint64_t> wanted) {
  for (const Destination& destination : destinations_) {
    if (!destination.is_gap || !any_inside(wanted, destination.range)) continue;
    add_exits_of_functions_around(destination.range.start - 1);
    add_exits_of_functions_around(destination.range.end);
  }
}

void CodeMap::add_exits_of_functions_around(uint64_t address) {
  for (const Function& function : functions_around(address))
    for (const uint64_t target : walk_function(function).take_exits()) to_enter_.push_back(target);
}

void CodeMap::enter(uint64_t address) {
  const Destination* destination = destination_of(address);
  if (destination == nullptr) return;
  const auto descend = [&](CodeWalk& walk) {
    if (walk.instruction_length(address) != 0) return;
    walk.descend(address);
    for (const uint64_t target : walk.take_exits()) to_enter_.push_back(target);
  };
  if (!destination->is_gap) {
    for (const Function& function : functions_around(address)) descend(walk_function(function));
    return;
  }
  descend(walk_gap(destination->range));
}

CodeWalk& CodeMap::walk_gap(const Range& gap) {
  return gap_walks_.try_emplace(gap.start, decoder_, bytes_of(gap), gap.start).first->second;
}

void CodeMap::guess_functions(std::span<const uint64_t> wanted) {
  for (const uint64_t address : wanted) {
    const Destination* destination = destination_of(address);
    if (destination == nullptr || !destination->is_gap) continue;
    CodeWalk& walk = walk_gap(destination->range);
    uint64_t start = address;  // goes back to the code that is known, then forward
    while (start > walk.range().start && address - start < kMaxGuessedLen &&
           walk.instruction_length(start - 1) == 0)
      --start;
    for (start = (start + kAlignment - 1) & ~(kAlignment - 1); start <= address;
         start += kAlignment)
      if (walk.instruction_length(address) == 0 && is_behind_padding(walk.range(), start))
        walk.try_function(start);
  }
}

// True if what stands before |address| ends a function or fills the space to the next: RET, NOP,
// INT3, or a long NOP.
bool CodeMap::is_behind_padding(const Range& range, uint64_t address) const {
  const std::span<const uint8_t> before =
      bytes_of({std::max(range.start, address - std::min<uint64_t>(address, 9)), address});
  if (before.empty()) return true;
  const uint8_t last = before.back();
  if (last == 0xc3 || last == 0x90 || last == 0xcc) return true;
  constexpr uint8_t kLongNop[] = {0x0f, 0x1f};
  return last == 0x00 && std::search(before.begin(), before.end(), std::begin(kLongNop),
                                     std::end(kLongNop)) != before.end();
}

}  // namespace incore::scan
