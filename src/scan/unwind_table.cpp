#include "scan/unwind_table.h"

#include <algorithm>
#include <map>
#include <optional>

#include "elf/fields.h"

namespace incore::scan {
namespace {

// How a pointer is stored, DW_EH_PE_*: the low four bits are the format, the next three what it is
// relative to.
constexpr uint8_t kFormatMask = 0x0f;
constexpr uint8_t kRelativeMask = 0x70;
constexpr uint8_t kPcRelative = 0x10;
constexpr uint8_t kOmitted = 0xff;

// Reads bytes one after the other; after a read past the end, ok() is false and all reads give 0.
class Cursor {
 public:
  Cursor(std::span<const uint8_t> bytes, uint64_t address, bool big_endian)
      : rest_(bytes), address_(address), big_endian_(big_endian) {}

  bool ok() const { return ok_; }
  size_t remaining() const { return rest_.size(); }
  uint64_t address() const { return address_; }

  std::span<const uint8_t> take(uint64_t count) {
    if (count > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::span<const uint8_t> taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    address_ += count;
    return taken;
  }
  uint64_t number(size_t size) {
    const std::span<const uint8_t> bytes = take(size);
    return bytes.empty() ? 0 : load_sized(bytes.data(), size, big_endian_);
  }
  void skip_leb128() {
    while (ok_ && (number(1) & 0x80) != 0) {
    }
  }
  std::string_view string() {
    const std::string_view text = elf::string_at(rest_, 0);
    take(text.size() + 1);
    return text;
  }

 private:
  std::span<const uint8_t> rest_;
  uint64_t address_;
  bool big_endian_;
  bool ok_ = true;
};

// Bytes of a fixed-size pointer format, 0 for the LEB128 ones, which no compiler uses for code
// addresses.
size_t format_size(uint8_t encoding, size_t pointer_size) {
  switch (encoding & kFormatMask) {
    case 0x0:
      return pointer_size;
    case 0x2:
    case 0xa:
      return 2;
    case 0x3:
    case 0xb:
      return 4;
    case 0x4:
    case 0xc:
      return 8;
    default:
      return 0;
  }
}

uint64_t sign_extended(uint64_t value, size_t size) {
  const unsigned shift = static_cast<unsigned>(64 - 8 * size);
  return static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift);
}

// The encoding of code addresses in the FDEs of a CIE, or nothing if the CIE cannot be read.
std::optional<uint8_t> fde_encoding(Cursor cie, size_t pointer_size) {
  const uint64_t version = cie.number(1);
  if (version != 1 && version != 3) return std::nullopt;
  std::string_view augmentation = cie.string();
  if (augmentation.empty()) return cie.ok() ? std::optional<uint8_t>(0) : std::nullopt;
  if (augmentation[0] != 'z') return std::nullopt;
  cie.skip_leb128();  // code alignment
  cie.skip_leb128();  // data alignment
  if (version == 1)
    cie.number(1);
  else
    cie.skip_leb128();  // return address register
  cie.skip_leb128();    // length of the augmentation data
  augmentation.remove_prefix(1);
  for (const char letter : augmentation) {
    if (letter == 'R') {
      const uint8_t encoding = static_cast<uint8_t>(cie.number(1));
      return cie.ok() ? std::optional(encoding) : std::nullopt;
    }
    if (letter == 'L') {
      cie.number(1);
    } else if (letter == 'P') {
      const size_t size = format_size(static_cast<uint8_t>(cie.number(1)), pointer_size);
      if (size == 0) return std::nullopt;
      cie.take(size);
    } else if (letter != 'S' && letter != 'B') {
      return std::nullopt;
    }
  }
  return cie.ok() ? std::optional<uint8_t>(0) : std::nullopt;
}

Range read_fde(Cursor fde, uint8_t encoding, size_t pointer_size, bool is_64bit) {
  const size_t size = format_size(encoding, pointer_size);
  const uint8_t relative = encoding & kRelativeMask;
  if (encoding == kOmitted || size == 0 || (encoding & 0x80) != 0 ||
      (relative != 0 && relative != kPcRelative))
    return {};
  const uint64_t base = relative == kPcRelative ? fde.address() : 0;
  const bool is_signed = (encoding & 0x08) != 0 || relative == kPcRelative;
  const uint64_t value = fde.number(size);
  uint64_t start = base + (is_signed ? sign_extended(value, size) : value);
  if (!is_64bit) start &= UINT32_MAX;
  const uint64_t length = fde.number(size);
  if (!fde.ok() || length > UINT64_MAX - start) return {};
  return {start, start + length};
}

}  // namespace

std::vector<Range> unwind_ranges(const ElfImage& image) {
  const uint64_t table_start = image.eh_frame().start;
  const std::span<const uint8_t> table = image.bytes_at(table_start).first(image.eh_frame().size());
  const size_t pointer_size = image.is_64bit_code() ? 8 : 4;
  std::map<uint64_t, std::optional<uint8_t>> encodings;  // by the CIE's address
  std::vector<Range> ranges;

  const bool big_endian = image.format().big_endian;
  Cursor cursor(table, table_start, big_endian);
  while (cursor.remaining() >= 4) {
    const uint64_t record = cursor.address();
    uint64_t length = cursor.number(4);
    if (length == 0xffffffff) length = cursor.number(8);
    if (length == 0) continue;  // a terminator; linkers also leave them in the middle
    const uint64_t body_address = cursor.address();
    Cursor body(cursor.take(length), body_address, big_endian);
    if (!cursor.ok() || length < 4) break;
    const uint64_t cie_distance = body.number(4);
    if (cie_distance == 0) {
      encodings[record] = fde_encoding(body, pointer_size);
      continue;
    }
    const auto encoding = encodings.find(body_address - cie_distance);
    if (encoding == encodings.end() || !encoding->second) continue;
    const Range range = read_fde(body, *encoding->second, pointer_size, image.is_64bit_code());
    const Segment* segment = image.segment_at(range.start);
    if (range.size() != 0 && segment != nullptr && segment->executable &&
        range.end <= segment->range().end)
      ranges.push_back(range);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.start < b.start; });
  return ranges;
}

}  // namespace incore::scan
