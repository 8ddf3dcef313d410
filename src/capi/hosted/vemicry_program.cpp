// The C interface, section "Programs": assembled, read from ELF files, written, disassembled.
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <span>
#include <system_error>

#include "capi/hosted/vemicry.h"
#include "vemicry/assembler/cursor.h"
#include "vemicry/disassemble.h"
#include "vemicry/elf.h"
#include "vemicry/recognize.h"

using namespace incore::vemicry;

namespace {

constexpr uint64_t kMaxFileLen = 256 << 20;

void hand_over(incore_vemicry_program&& program, incore_vemicry_program** out_program) {
  *out_program = new incore_vemicry_program(std::move(program));
}

std::string messages(const std::vector<Diagnostic>& errors) {
  std::string text;
  for (const Diagnostic& error : errors)
    text += (text.empty() ? "" : "\n") + error.file + ":" + std::to_string(error.line) + ":" +
            std::to_string(error.column) + ": " + error.text;
  return text;
}

// What is wrong with a symbol of the caller's, in words, or empty; |symbols| are there already.
std::string define_mistake(const std::string& name,
                           const std::vector<std::pair<std::string, uint32_t>>& symbols) {
  if (name.empty() || name == "." || !is_first_name_char(name[0]) ||
      !std::all_of(name.begin(), name.end(), is_name_char))
    return "'" + name +
           "' cannot be a symbol: names have letters, digits, _, . and $, and begin with no digit";
  for (const auto& [other, value] : symbols)
    if (name == other) return "'" + name + "' is defined already";
  return "";
}

// Reads the bytes of |path|. Returns why it cannot, "No such file or directory", or empty.
std::string read_bytes(const std::string& path, std::string* out_bytes) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  char block[65536];
  while (file && (file.read(block, sizeof block), file.gcount() > 0)) {
    out_bytes->append(block, static_cast<size_t>(file.gcount()));
    if (out_bytes->size() > kMaxFileLen) return "is larger than 256 MiB";
  }
  if (file.bad() || !file.eof()) return std::generic_category().message(errno != 0 ? errno : EIO);
  return "";
}

// The same; a refusal's reason is |name| and the cause.
std::string read_file(const char* path, const std::string& name) {
  std::string bytes;
  if (const std::string error = read_bytes(path, &bytes); !error.empty())
    incore::refuse(bytes.size() > kMaxFileLen ? INCORE_ERROR_FORMAT : INCORE_ERROR_IO,
                   name + ": " + error);
  return bytes;
}

incore_vemicry_program assembled(std::span<const incore_vemicry_define> defines,
                                 std::span<const Source> sources, bool may_include,
                                 const incore_vemicry_config* config) {
  const Config machine = config_of(config);
  if (const std::string mistake = machine.mistake(); !mistake.empty())
    incore::refuse(INCORE_ERROR_RANGE, mistake);
  AssembleOptions options;
  options.little_endian = machine.little_endian;
  options.q = machine.q;
  options.p = machine.p;
  options.symbols = {{"P", machine.p}, {"L", machine.length()}};
  for (const incore_vemicry_define& define : defines) {
    if (define.name == nullptr) incore::refuse(INCORE_ERROR_NULL);
    if (const std::string mistake = define_mistake(define.name, options.symbols); !mistake.empty())
      incore::refuse(INCORE_ERROR_FORMAT, mistake);
    options.symbols.emplace_back(define.name, define.value);
  }
  if (may_include) options.read_file = read_bytes;
  Assembly assembly = assemble(sources, options);
  if (!assembly.errors.empty()) incore::refuse(INCORE_ERROR_FORMAT, messages(assembly.errors));
  return {std::move(assembly.image), std::move(assembly.lines)};
}

// |prefix| stands before the cause in a refusal's reason.
incore_vemicry_program read(std::span<const uint8_t> elf, const std::string& prefix) {
  incore_vemicry_program program;
  if (const std::string mistake = read_elf(elf, &program.image); !mistake.empty())
    incore::refuse(INCORE_ERROR_FORMAT, prefix + mistake);
  return program;
}

}  // namespace

incore_status incore_vemicry_assemble_with(const incore_vemicry_define* defines, size_t num_defines,
                                           const char* name, const char* source, size_t source_len,
                                           const incore_vemicry_config* config,
                                           incore_vemicry_program** out_program, char* reason,
                                           size_t reason_len) {
  if ((defines == nullptr && num_defines != 0) || name == nullptr ||
      (source == nullptr && source_len != 0) || out_program == nullptr)
    return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    const Source only = {name, "", {source, source_len}};
    hand_over(assembled({defines, num_defines}, {&only, 1}, false, config), out_program);
  });
}

incore_status incore_vemicry_assemble_files(const incore_vemicry_define* defines,
                                            size_t num_defines,
                                            const incore_vemicry_source* sources,
                                            size_t num_sources, const incore_vemicry_config* config,
                                            incore_vemicry_program** out_program, char* reason,
                                            size_t reason_len) {
  if ((defines == nullptr && num_defines != 0) || sources == nullptr || out_program == nullptr)
    return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    if (num_sources == 0) incore::refuse(INCORE_ERROR_RANGE, "there is no source");
    std::vector<std::string> texts;
    texts.reserve(num_sources);  // |read| refers to them
    std::vector<Source> read;
    for (size_t i = 0; i < num_sources; ++i) {
      if (sources[i].path == nullptr || sources[i].name == nullptr)
        incore::refuse(INCORE_ERROR_NULL);
      texts.push_back(sources[i].text != nullptr ? std::string(sources[i].text, sources[i].text_len)
                                                 : read_file(sources[i].path, sources[i].name));
      if (num_sources > 1 &&
          is_elf({reinterpret_cast<const uint8_t*>(texts[i].data()), texts[i].size()}))
        incore::refuse(INCORE_ERROR_FORMAT, std::string(sources[i].name) +
                                                ": is an ELF file; several files are assembly");
      read.push_back({sources[i].name, sources[i].path, texts[i]});
    }
    hand_over(assembled({defines, num_defines}, read, true, config), out_program);
  });
}

incore_status incore_vemicry_assemble(const char* name, const char* source, size_t source_len,
                                      const incore_vemicry_config* config,
                                      incore_vemicry_program** out_program, char* reason,
                                      size_t reason_len) {
  return incore_vemicry_assemble_with(nullptr, 0, name, source, source_len, config, out_program,
                                      reason, reason_len);
}

incore_status incore_vemicry_read_elf(const uint8_t* elf, size_t elf_len,
                                      incore_vemicry_program** out_program, char* reason,
                                      size_t reason_len) {
  if ((elf == nullptr && elf_len != 0) || out_program == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    hand_over(read({elf, elf_len}, ""), out_program);
  });
}

incore_status incore_vemicry_read_flat(const uint8_t* bytes, size_t len, uint32_t address,
                                       int little_endian, incore_vemicry_program** out_program,
                                       char* reason, size_t reason_len) {
  if ((bytes == nullptr && len != 0) || out_program == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    if (address % 4 != 0) incore::refuse(INCORE_ERROR_RANGE, "the address is not a multiple of 4");
    if (len > (uint64_t{1} << 32) - address || len > kMaxFileLen)
      incore::refuse(INCORE_ERROR_RANGE, "the bytes do not fit at this address");
    incore_vemicry_program program;
    program.image.little_endian = little_endian != 0;
    program.image.entry = address;
    program.image.segments.push_back({address, {bytes, bytes + len}, len, true, false});
    hand_over(std::move(program), out_program);
  });
}

incore_status incore_vemicry_load_file(const char* path, const char* name,
                                       const incore_vemicry_config* config,
                                       incore_vemicry_program** out_program, char* reason,
                                       size_t reason_len) {
  if (path == nullptr || name == nullptr || out_program == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    const std::string bytes = read_file(path, name);
    const std::span<const uint8_t> elf(reinterpret_cast<const uint8_t*>(bytes.data()),
                                       bytes.size());
    const Source only = {name, path, bytes};
    hand_over(
        is_elf(elf) ? read(elf, std::string(name) + ": ") : assembled({}, {&only, 1}, true, config),
        out_program);
  });
}

int incore_vemicry_is_program(const char* path) {
  bool is = false;
  return path != nullptr && incore::guarded([&] { is = is_program(path); }) == INCORE_OK && is ? 1
                                                                                               : 0;
}

void incore_vemicry_program_free(incore_vemicry_program* program) {
  delete program;
}

incore_status incore_vemicry_program_elf(const incore_vemicry_program* program, uint8_t* out_elf,
                                         size_t elf_len, size_t* out_len) {
  if (program == nullptr || (out_elf == nullptr && elf_len != 0) || out_len == nullptr)
    return INCORE_ERROR_NULL;
  return incore::guarded([&] {
    const std::vector<uint8_t> elf = write_elf(program->image);
    *out_len = elf.size();
    if (elf.size() > elf_len) incore::refuse(INCORE_ERROR_LENGTH);
    std::copy(elf.begin(), elf.end(), out_elf);
  });
}

incore_status incore_vemicry_program_symbol(const incore_vemicry_program* program, const char* name,
                                            uint32_t* out_address) {
  if (program == nullptr || name == nullptr || out_address == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded([&] { *out_address = address_of(program->image, name); });
}

int incore_vemicry_program_is_little_endian(const incore_vemicry_program* program) {
  return program->image.little_endian ? 1 : 0;
}

incore_status incore_vemicry_disassemble(const incore_vemicry_program* program,
                                         const incore_vemicry_config* config,
                                         void (*line)(void* context, uint32_t address,
                                                      uint32_t word, const char* label,
                                                      const char* text),
                                         void* context) {
  if (program == nullptr || line == nullptr) return INCORE_ERROR_NULL;
  const Image& image = program->image;
  const Config machine = config_of(config);
  const auto show = [&](const Segment& segment, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i + 4 <= end; i += 4) {
      const uint32_t address = segment.address + static_cast<uint32_t>(i);
      const uint32_t word = image.word(segment.bytes.data() + i);
      const Symbol* const symbol = image.at(address);
      line(context, address, word, symbol == nullptr ? nullptr : symbol->name.c_str(),
           disassemble(Word{word}, address, machine, &image).c_str());
    }
  };
  return incore::guarded([&] {
    for (const Segment& segment : image.segments) {
      const uint64_t len = segment.bytes.size();
      if (segment.executable && image.code.empty()) show(segment, (0 - segment.address) % 4, len);
      for (const Range& range : image.code)
        if (range.address % 4 == 0 && range.address >= segment.address &&
            range.address - segment.address < len)
          show(segment, range.address - segment.address,
               std::min<uint64_t>(len, range.address - segment.address + uint64_t{range.len}));
    }
  });
}

void incore_vemicry_program_lines(const incore_vemicry_program* program,
                                  void (*line)(void* context, uint32_t number, uint32_t address,
                                               const uint8_t* bytes, size_t len),
                                  void* context) {
  for (const AssembledLine& made : program->lines)
    for (const Segment& segment : program->image.segments)
      if (made.address >= segment.address &&
          made.address - segment.address + uint64_t{made.len} <= segment.bytes.size())
        line(context, made.line, made.address,
             segment.bytes.data() + (made.address - segment.address), made.len);
}
