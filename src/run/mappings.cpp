#include "run/mappings.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>

#include "elf/file.h"
#include "run/process_image.h"
#include "run/text.h"

namespace incore::run {
namespace {

// The fields of a line, each up to one character that ends it. Much faster than sscanf, and each
// new program image waits for this.
class Fields {
 public:
  explicit Fields(std::string_view line) : line_(line) {}

  uint64_t number(int base) {
    uint64_t value = 0;
    const char* const begin = line_.data();
    skip(
        static_cast<size_t>(std::from_chars(begin, begin + line_.size(), value, base).ptr - begin));
    return value;
  }
  std::string_view text() {
    const std::string_view field = line_.substr(0, line_.find(' '));
    skip(field.size());
    return field;
  }
  std::string_view rest() const {
    return line_.substr(std::min(line_.find_first_not_of(' '), line_.size()));
  }

 private:
  void skip(size_t len) { line_.remove_prefix(std::min(len + 1, line_.size())); }
  std::string_view line_;
};

// The kernel writes a newline in a path as \012, to keep a line a line.
std::string path_of(std::string_view text) {
  constexpr std::string_view kNewline = "\\012";
  std::string path(text);
  for (size_t at = 0; (at = path.find(kNewline, at)) != std::string::npos; ++at)
    path.replace(at, kNewline.size(), "\n");
  return path;
}

// What |mapping| shows of its file, as far as it can be read.
std::vector<uint8_t> contents(pid_t pid, const Mapping& mapping) {
  std::vector<uint8_t> bytes(mapping.end - mapping.begin);
  bytes.resize(ProcessMemory(pid).read(mapping.begin, bytes.data(), bytes.size()));
  return bytes;
}

bool is_same_file(const MappedFile& file, const Mapping& mapping) {
  return file.error().empty() && mapping.is_of(file.info());
}

// Where file systems lie over each other, a file may go by two numbers; and sites in memory may be
// patched already. So it is the file if nearly all bytes are.
bool looks_the_same(pid_t pid, const MappedFile& file, const Mapping& mapping) {
  if (!file.error().empty() || file.size() <= mapping.file_offset) return false;
  std::vector<uint8_t> bytes = contents(pid, mapping);
  const size_t len = std::min<size_t>(bytes.size(), file.size() - mapping.file_offset);
  size_t num_different = 0;
  for (size_t i = 0; i < len; ++i)
    num_different += bytes[i] != file.data()[mapping.file_offset + i];
  return len != 0 && num_different <= len / 64;
}

// The end of what the ELF file that begins with |head| loads.
uint64_t end_of_segments(std::span<const uint8_t> head) {
  if (!elf::is_elf(head) || head.size() < EI_NIDENT) return 0;
  const elf::File file(head);
  if (head.size() < file.header_len()) return 0;
  const elf::FileHeader header = file.header();
  uint64_t end = 0;
  for (uint64_t i = 0; i < header.num_segments; ++i) {
    const std::span<const uint8_t> entry =
        file.slice(header.segments + i * file.segment_header_len(), file.segment_header_len());
    if (entry.empty()) break;
    const elf::SegmentHeader segment = file.segment(entry.data());
    if (segment.type == PT_LOAD) end = std::max(end, segment.offset + segment.file_len);
  }
  return end;
}

// A file as long as what it loads, so that nobody who reads it finds it cut off.
int gather(pid_t pid, const Mapping& of) {
  constexpr uint64_t kLongest = uint64_t{1} << 32;
  const int file = memfd_create("incore-gathered", MFD_CLOEXEC);
  for (const Mapping& m : read_mappings(pid)) {
    if (m.device != of.device || m.inode != of.inode || m.path != of.path) continue;
    const std::vector<uint8_t> bytes = contents(pid, m);
    [[maybe_unused]] const ssize_t written =
        pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(m.file_offset));
    if (m.file_offset != 0) continue;
    if (const uint64_t end = end_of_segments(bytes); end > bytes.size() && end < kLongest)
        [[maybe_unused]]
      const int failed = ftruncate(file, static_cast<off_t>(end));
  }
  return file;
}

}  // namespace

std::vector<Mapping> read_mappings(pid_t pid) {
  std::vector<Mapping> mappings;
  const std::string maps = read_text("/proc/" + std::to_string(pid) + "/maps");
  for (const std::string_view line : split(maps, '\n')) {
    Mapping m = {};
    Fields fields(line);
    m.begin = fields.number(16);
    m.end = fields.number(16);
    if (m.end == 0) continue;
    fields.text().copy(m.permissions, sizeof m.permissions - 1);
    m.file_offset = fields.number(16);
    const auto device_major = static_cast<unsigned>(fields.number(16));
    m.device = makedev(device_major, static_cast<unsigned>(fields.number(16)));
    m.inode = fields.number(10);
    m.path = path_of(fields.rest());
    mappings.push_back(std::move(m));
  }
  return mappings;
}

MappedFile open_mapped_file(pid_t pid, const Mapping& mapping) {
  const std::string process = "/proc/" + std::to_string(pid);
  char range[64];
  std::snprintf(range, sizeof range, "/map_files/%" PRIx64 "-%" PRIx64, mapping.begin, mapping.end);
  const std::string paths[] = {mapping.path, process + "/root" + mapping.path, process + "/exe",
                               process + range};  // the last is for the privileged
  for (const std::string& path : paths)
    if (MappedFile file(path); is_same_file(file, mapping)) return file;
  for (const std::string& path : paths)
    if (MappedFile file(path); looks_the_same(pid, file, mapping)) return file;
  return MappedFile(gather(pid, mapping));
}

}  // namespace incore::run
