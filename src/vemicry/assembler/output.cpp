// Layout: executable sections from kTextAddress, behind them on a page of their own those that are
// only read, and from kDataAddress those that are written, with what is zero at the end.
#include "vemicry/assembler/output.h"

#include <algorithm>

namespace incore::vemicry {
namespace {

constexpr uint64_t kMaxBytes = 64 << 20;
constexpr uint32_t kPageLen = 4096;

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

enum Part { kCode, kConstants, kData, kZeros, kNumParts };

Part part_of(const Section& section) {
  if (section.is_executable) return kCode;
  if (!section.is_writable) return kConstants;
  return section.is_zero ? kZeros : kData;
}

uint64_t aligned(uint64_t address, uint64_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

}  // namespace

Output::Output(bool little_endian) : little_endian_(little_endian) {
  select(".text");
}

void Output::select(std::string_view name) {
  for (size_t i = 0; i < sections_.size(); ++i)
    if (sections_[i].name == name) {
      current_ = static_cast<int>(i);
      return;
    }
  if (sections_.size() == 1000) throw Mistake{nullptr, "there are more than 1000 sections"};
  Section section;
  section.name = name;
  section.is_executable = begins(name, ".text") || begins(name, ".init") || begins(name, ".fini");
  section.is_zero = begins(name, ".bss") || begins(name, ".sbss");
  section.is_writable = section.is_zero || begins(name, ".data") || begins(name, ".sdata");
  section.is_loaded = section.is_executable || section.is_writable || begins(name, ".rodata") ||
                      begins(name, ".rdata");
  sections_.push_back(std::move(section));
  current_ = static_cast<int>(sections_.size() - 1);
}

void Output::put(uint64_t value, uint32_t size) {
  const Value place = here();
  fill(size, 0);
  replace(place, value, size);
}

void Output::fill(uint64_t num_bytes, uint8_t byte) {
  if (num_bytes > kMaxBytes - num_bytes_)
    throw Mistake{nullptr, "the program becomes larger than 64 MiB", true};
  num_bytes_ += num_bytes;
  std::vector<uint8_t>& bytes = section().bytes;
  if (section().is_zero && byte != 0) throw Mistake{nullptr, "this section can hold zeros only"};
  bytes.insert(bytes.end(), num_bytes, byte);
}

void Output::replace(Value place, uint64_t value, uint32_t size) {
  Section& section = sections_[static_cast<size_t>(place.section)];
  if (section.is_zero && value != 0) throw Mistake{nullptr, "this section can hold zeros only"};
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t shift = 8 * (little_endian_ ? i : size - 1 - i);
    section.bytes[place.number + i] = static_cast<uint8_t>(value >> shift);
  }
}

uint32_t Output::word_at(Value place) const {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; ++i)
    word |= uint32_t{sections_[static_cast<size_t>(place.section)].bytes[place.number + i]}
            << 8 * (little_endian_ ? i : 3 - i);
  return word;
}

std::vector<uint32_t> Output::lay_out() const {
  std::vector<uint32_t> bases(sections_.size());
  uint64_t address = kTextAddress;
  for (int part = kCode; part < kNumParts; ++part) {
    if (part == kConstants) address = aligned(address, kPageLen);
    if (part == kData) {
      if (address > kDataAddress) throw Mistake{nullptr, "code reaches into the place of data"};
      address = kDataAddress;
    }
    for (size_t i = 0; i < sections_.size(); ++i) {
      if (!sections_[i].is_loaded || part_of(sections_[i]) != part) continue;
      address = aligned(address, sections_[i].alignment);
      bases[i] = static_cast<uint32_t>(address);
      address += sections_[i].bytes.size();
    }
  }
  if (address >= kStackTop - kStackLen) throw Mistake{nullptr, "data reach into the stack"};
  return bases;
}

Image Output::image(const std::vector<uint32_t>& bases) const {
  Image image;
  image.little_endian = little_endian_;
  image.entry = kTextAddress;
  const Part parts[] = {kCode, kConstants, kData};
  for (const Part part : parts) {
    Segment segment;
    segment.executable = part == kCode;
    segment.writable = part == kData;
    bool any = false;
    const auto place = [&](Part which, bool zeros) {
      for (size_t i = 0; i < sections_.size(); ++i) {
        const Section& section = sections_[i];
        if (!section.is_loaded || part_of(section) != which || section.bytes.empty()) continue;
        if (!any) segment.address = bases[i];
        any = true;
        segment.mem_len = bases[i] - segment.address + section.bytes.size();
        if (zeros) continue;
        segment.bytes.resize(bases[i] - segment.address);
        segment.bytes.insert(segment.bytes.end(), section.bytes.begin(), section.bytes.end());
      }
    };
    place(part, false);
    if (part == kData) place(kZeros, true);
    if (any) image.segments.push_back(std::move(segment));
  }
  return image;
}

}  // namespace incore::vemicry
