#include "tools/boot/guest_cpu.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "tools/base/hex.h"

namespace incore::tools {
namespace {

// In the order in which `g` sends them: bytes of each.
unsigned width(unsigned number) {
  const bool is_flags_or_segment = number >= 17 && number <= 23;
  return is_flags_or_segment ? 4 : 8;
}

std::string number_in_hex(uint64_t number) {
  return fmt::format("{:x}", number);
}

// The numbers behind |name| at the beginning of a line, as in "ES =0000 00000000 ffffffff 00cff300"
// and "IDT=     00000000 0000ffff".
template <size_t kCount>
std::array<uint64_t, kCount> numbers_behind(const std::string& text, const char* name) {
  std::array<uint64_t, kCount> numbers = {};
  size_t at = text.find(std::string("\n") + name);
  if (at == std::string::npos) return numbers;
  at = text.find('=', at);
  if (at == std::string::npos) return numbers;
  ++at;
  for (uint64_t& number : numbers) {
    while (at < text.size() && text[at] == ' ') ++at;
    const auto result = std::from_chars(text.data() + at, text.data() + text.size(), number, 16);
    at = static_cast<size_t>(result.ptr - text.data());
  }
  return numbers;
}

GuestSegment segment(const std::string& text, const char* name) {
  const auto n = numbers_behind<4>(text, name);
  return {n[1], static_cast<uint32_t>(n[2]), static_cast<uint32_t>(n[3])};
}

}  // namespace

GuestCpu::GuestCpu(GdbRemote& remote, unsigned index) : remote_(remote) {
  remote.queue("Hg" + number_in_hex(index + 1));
  const std::vector<uint8_t> bytes = from_leading_hex(remote.ask("g"));
  size_t at = 0;
  for (unsigned i = 0; i < kNumRegisters; at += width(i++)) {
    if (at + width(i) > bytes.size()) throw ConnectionLost("QEMU tells too few registers");
    std::memcpy(&values_[i], bytes.data() + at, width(i));
  }
}

void GuestCpu::set(Register which, uint64_t value) {
  const auto number = static_cast<unsigned>(which);
  values_[number] = value;
  remote_.queue(fmt::format("P{:x}={}", number, to_hex(&value, width(number))));
}

GuestTables parse_tables(const std::string& text) {
  GuestTables tables;
  tables.cs = segment(text, "CS ");
  tables.es = segment(text, "ES ");
  tables.gdt_base = numbers_behind<1>(text, "GDT")[0];
  const auto idt = numbers_behind<2>(text, "IDT");
  tables.idt_base = idt[0];
  tables.idt_limit = static_cast<uint32_t>(idt[1]);
  return tables;
}

GuestTables read_tables(GdbRemote& remote, unsigned index) {
  remote.monitor(fmt::format("cpu {}", index));
  std::string text = "\n";
  for (const char c : remote.monitor("info registers"))
    if (c != '\r') text += c;
  return parse_tables(text);
}

}  // namespace incore::tools
