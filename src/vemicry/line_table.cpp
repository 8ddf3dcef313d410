#include "vemicry/line_table.h"

#include <string_view>

#include "elf/fields.h"

namespace incore::vemicry {
namespace {

constexpr size_t kMaxFiles = 100'000, kMaxPlaces = 4'000'000;
constexpr size_t kMaxNames = 1 << 24;  // characters

// What a file's entry says of it, and in which form (DWARF 5, sections 6.2.4.1 and 7.5.6).
enum Content : uint64_t { kPath = 1, kDirectory = 2 };
enum Form : uint64_t {
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kData1 = 0x0B,
  kStringOffset = 0x0E,
  kUnsigned = 0x0F,
  kData16 = 0x1E,
  kLineStringOffset = 0x1F,
};
// Section 6.2.5.
enum Opcode : uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
enum ExtendedOpcode : uint8_t { kEndSequence = 1, kSetAddress = 2 };

// Reads on and on; behind the end there are zeros, and it says so.
class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, bool big_endian)
      : bytes_(bytes), big_endian_(big_endian) {}

  bool is_at_end() const { return bytes_.empty(); }
  bool is_beyond() const { return beyond_; }
  std::span<const uint8_t> take(uint64_t len) {
    if (len > bytes_.size()) {
      beyond_ = true;
      len = bytes_.size();
    }
    const std::span<const uint8_t> taken = bytes_.first(static_cast<size_t>(len));
    bytes_ = bytes_.subspan(static_cast<size_t>(len));
    return taken;
  }
  uint64_t number(size_t size) {
    const std::span<const uint8_t> taken = take(size);
    return taken.size() < size ? 0 : elf::load_sized(taken.data(), size, big_endian_);
  }
  uint8_t byte() { return static_cast<uint8_t>(number(1)); }
  uint32_t word() { return static_cast<uint32_t>(number(4)); }
  // LEB128.
  uint64_t natural() {
    uint64_t value = 0;
    for (uint32_t shift = 0;; shift += 7) {
      const uint8_t next = byte();
      if (shift < 64) value |= uint64_t{next & 0x7Fu} << shift;
      if ((next & 0x80) == 0) return value;
    }
  }
  int64_t integer() {
    uint64_t value = 0;
    for (uint32_t shift = 0;;) {
      const uint8_t next = byte();
      if (shift < 64) value |= uint64_t{next & 0x7Fu} << shift;
      shift += 7;
      if ((next & 0x80) != 0) continue;
      if ((next & 0x40) != 0 && shift < 64) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }
  std::string_view string() {
    const std::string_view text = elf::string_at(bytes_, 0);
    take(text.size() + 1);
    return text;
  }

 private:
  std::span<const uint8_t> bytes_;
  const bool big_endian_;
  bool beyond_ = false;
};

// The table of one compilation.
class Unit {
 public:
  Unit(const LineSections& sections, size_t* num_chars, Image* image)
      : sections_(sections), num_chars_(*num_chars), image_(*image) {}
  void read(Reader& unit, bool big_endian);

 private:
  struct Entry {
    std::string_view name;
    uint64_t directory = 0;
  };
  struct Row {
    uint32_t address = 0;
    uint64_t file = 1, line = 1;
  };

  void read_old_names(Reader& header);
  std::vector<Entry> read_entries(Reader& header);
  void name_files(const std::vector<Entry>& directories, const std::vector<Entry>& files);
  void execute(Reader& program);
  void do_extended(Reader& program);
  // A row of the table: the one before it reaches up to here.
  void add_row(bool ends);
  void advance(uint64_t num_insns) { row_.address += static_cast<uint32_t>(num_insns) * insn_len_; }

  const LineSections& sections_;
  size_t& num_chars_;  // of all names
  Image& image_;
  uint64_t first_file_ = 0;  // its number in the program
  size_t begin_ = 0;         // of the unit's files in the image
  uint32_t insn_len_ = 1;
  int line_base_ = 0;
  uint8_t line_range_ = 1, opcode_base_ = 1;
  std::vector<uint8_t> num_operands_;
  Row row_, before_;
  bool has_before_ = false;
};

void Unit::read(Reader& unit, bool big_endian) {
  const uint64_t version = unit.number(2);
  if (version < 2 || version > 5) return;
  if (version >= 5) (void)unit.take(2);  // sizes of addresses and segments
  const uint32_t header_len = unit.word();
  Reader header(unit.take(header_len), big_endian);
  insn_len_ = header.byte();
  if (version >= 4) (void)header.byte();  // operations in an instruction
  (void)header.byte();                    // whether rows begin as statements
  line_base_ = static_cast<int8_t>(header.byte());
  line_range_ = header.byte();
  opcode_base_ = header.byte();
  if (line_range_ == 0 || opcode_base_ == 0) return;
  for (uint8_t i = 1; i < opcode_base_; ++i) num_operands_.push_back(header.byte());
  begin_ = image_.files.size();
  if (version >= 5) {
    const std::vector<Entry> directories = read_entries(header);
    name_files(directories, read_entries(header));
  } else {
    first_file_ = 1;
    read_old_names(header);
  }
  if (!header.is_beyond()) execute(unit);
}

void Unit::read_old_names(Reader& header) {
  std::vector<Entry> directories = {{}}, files;  // directory 0 is the compilation's own
  for (std::string_view name; !(name = header.string()).empty();) directories.push_back({name});
  for (std::string_view name; !(name = header.string()).empty();) {
    files.push_back({name, header.natural()});
    (void)header.natural();  // time
    (void)header.natural();  // length
  }
  name_files(directories, files);
}

std::vector<Unit::Entry> Unit::read_entries(Reader& header) {
  struct Column {
    uint64_t content, form;
  };
  std::vector<Column> columns(header.byte());
  for (Column& column : columns) {
    column.content = header.natural();
    column.form = header.natural();
  }
  const uint64_t num = header.natural();
  std::vector<Entry> entries;
  while (entries.size() < std::min<uint64_t>(num, kMaxFiles) && !header.is_beyond()) {
    Entry entry;
    for (const Column& column : columns) {
      std::string_view text;
      uint64_t number = 0;
      switch (column.form) {
        case kString:
          text = header.string();
          break;
        case kLineStringOffset:
          text = elf::string_at(sections_.names, header.word());
          break;
        case kStringOffset:
          text = elf::string_at(sections_.strings, header.word());
          break;
        case kUnsigned:
          number = header.natural();
          break;
        case kData1:
          number = header.byte();
          break;
        case kData2:
          number = header.number(2);
          break;
        case kData4:
          number = header.word();
          break;
        case kData8:
          number = header.number(8);
          break;
        case kData16:
          (void)header.take(16);
          break;
        case kBlock:
          (void)header.take(header.natural());
          break;
        default:
          (void)header.take(SIZE_MAX);  // of unknown length
      }
      if (column.content == kPath) entry.name = text;
      if (column.content == kDirectory) entry.directory = number;
    }
    entries.push_back(entry);
    if (columns.empty()) break;
  }
  return entries;
}

void Unit::name_files(const std::vector<Entry>& directories, const std::vector<Entry>& files) {
  for (const Entry& file : files) {
    if (image_.files.size() >= kMaxFiles || num_chars_ >= kMaxNames) return;
    std::string name(file.name);
    // Those in the compilation's own folder stay short.
    if (file.directory != 0 && file.directory < directories.size() && name[0] != '/')
      name = std::string(directories[static_cast<size_t>(file.directory)].name) + "/" + name;
    num_chars_ += name.size();
    image_.files.push_back(std::move(name));
  }
}

void Unit::add_row(bool ends) {
  const size_t file = begin_ + static_cast<size_t>(before_.file - first_file_);
  if (has_before_ && row_.address > before_.address && before_.line != 0 &&
      before_.line <= UINT32_MAX && before_.file >= first_file_ && file < image_.files.size() &&
      image_.places.size() < kMaxPlaces)
    image_.places.push_back({before_.address, row_.address - before_.address,
                             static_cast<uint32_t>(file), static_cast<uint32_t>(before_.line)});
  before_ = row_;
  has_before_ = !ends;
  if (ends) row_ = {};
}

void Unit::execute(Reader& program) {
  while (!program.is_at_end()) {
    const uint8_t opcode = program.byte();
    if (opcode >= opcode_base_) {
      const uint32_t special = opcode - uint32_t{opcode_base_};
      advance(special / line_range_);
      row_.line += static_cast<uint64_t>(line_base_ + static_cast<int>(special % line_range_));
      add_row(false);
      continue;
    }
    switch (opcode) {
      case kExtended:
        do_extended(program);
        break;
      case kCopy:
        add_row(false);
        break;
      case kAdvancePc:
        advance(program.natural());
        break;
      case kAdvanceLine:
        row_.line += static_cast<uint64_t>(program.integer());
        break;
      case kSetFile:
        row_.file = program.natural();
        break;
      case kConstAddPc:
        advance((255u - opcode_base_) / line_range_);
        break;
      case kFixedAdvancePc:
        row_.address += static_cast<uint32_t>(program.number(2));
        break;
      default:
        for (uint8_t i = 0; i < num_operands_[opcode - 1u]; ++i) (void)program.natural();
    }
  }
}

void Unit::do_extended(Reader& program) {
  const uint64_t len = program.natural();
  if (len == 0) return;
  const uint8_t opcode = program.byte();
  if (opcode == kSetAddress && len == 5) {
    row_.address = program.word();
    return;
  }
  (void)program.take(len - 1);
  if (opcode == kEndSequence) add_row(true);
}

}  // namespace

void read_line_table(const LineSections& sections, bool big_endian, Image* inout_image) {
  Reader all(sections.lines, big_endian);
  size_t num_chars = 0;
  while (!all.is_at_end()) {
    const uint32_t len = all.word();
    if (len >= 0xFFFFFFF0) break;  // for 64-bit programs
    Reader unit(all.take(len), big_endian);
    Unit(sections, &num_chars, inout_image).read(unit, big_endian);
  }
  inout_image->sort_places();
}

}  // namespace incore::vemicry
