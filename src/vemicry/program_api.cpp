// The C interface, section "Programs": assembled, read from ELF files, written, disassembled.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <system_error>

#include "vemicry/api.h"
#include "vemicry/assembler/cursor.h"
#include "vemicry/disassemble.h"
#include "vemicry/elf.h"

using namespace incore::vemicry;

namespace {

constexpr uint64_t kMaxFileLen = 256 << 20;

// Runs |work|, which returns a status; no exception passes.
template <class Work>
incore_status guarded(char* reason, size_t reason_len, Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    give_reason("memory ran out", reason, reason_len);
  } catch (...) {
    give_reason("internal error", reason, reason_len);
  }
  return INCORE_ERROR_UNSUPPORTED;
}

incore_status hand_over(incore_vemicry_program&& program, incore_vemicry_program** out_program) {
  *out_program = new incore_vemicry_program(std::move(program));
  return INCORE_OK;
}

std::string messages(const std::string& name, const std::vector<Diagnostic>& errors) {
  std::string text;
  for (const Diagnostic& error : errors)
    text += (text.empty() ? "" : "\n") + name + ":" + std::to_string(error.line) + ":" +
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

// A reason is |name| and the cause: "/a/b: No such file or directory".
incore_status read_file(const char* path, const std::string& name, std::string* out_bytes,
                        char* reason, size_t reason_len) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  char block[65536];
  while (file && (file.read(block, sizeof block), file.gcount() > 0)) {
    bytes.append(block, static_cast<size_t>(file.gcount()));
    if (bytes.size() > kMaxFileLen) {
      give_reason(name + ": is larger than 256 MiB", reason, reason_len);
      return INCORE_ERROR_FORMAT;
    }
  }
  if (file.bad() || !file.eof()) {
    give_reason(name + ": " + std::generic_category().message(errno != 0 ? errno : EIO), reason,
                reason_len);
    return INCORE_ERROR_IO;
  }
  *out_bytes = std::move(bytes);
  return INCORE_OK;
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
  return guarded(reason, reason_len, [&] {
    const Config machine = config_of(config);
    if (const std::string mistake = machine.mistake(); !mistake.empty()) {
      give_reason(mistake, reason, reason_len);
      return INCORE_ERROR_RANGE;
    }
    AssembleOptions options;
    options.little_endian = machine.little_endian;
    options.q = machine.q;
    options.p = machine.p;
    options.symbols = {{"P", machine.p}, {"L", machine.length()}};
    for (size_t i = 0; i < num_defines; ++i) {
      if (defines[i].name == nullptr) return INCORE_ERROR_NULL;
      if (const std::string mistake = define_mistake(defines[i].name, options.symbols);
          !mistake.empty()) {
        give_reason(mistake, reason, reason_len);
        return INCORE_ERROR_FORMAT;
      }
      options.symbols.emplace_back(defines[i].name, defines[i].value);
    }
    Assembly assembly = assemble({source, source_len}, options);
    if (!assembly.errors.empty()) {
      give_reason(messages(name, assembly.errors), reason, reason_len);
      return INCORE_ERROR_FORMAT;
    }
    return hand_over({std::move(assembly.image), std::move(assembly.lines)}, out_program);
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
  return guarded(reason, reason_len, [&] {
    incore_vemicry_program program;
    if (const std::string mistake = read_elf({elf, elf_len}, &program.image); !mistake.empty()) {
      give_reason(mistake, reason, reason_len);
      return INCORE_ERROR_FORMAT;
    }
    return hand_over(std::move(program), out_program);
  });
}

incore_status incore_vemicry_read_flat(const uint8_t* bytes, size_t len, uint32_t address,
                                       int little_endian, incore_vemicry_program** out_program,
                                       char* reason, size_t reason_len) {
  if ((bytes == nullptr && len != 0) || out_program == nullptr) return INCORE_ERROR_NULL;
  return guarded(reason, reason_len, [&] {
    if (address % 4 != 0 || len > (uint64_t{1} << 32) - address || len > kMaxFileLen) {
      give_reason(address % 4 != 0 ? "the address is not a multiple of 4"
                                   : "the bytes do not fit at this address",
                  reason, reason_len);
      return INCORE_ERROR_RANGE;
    }
    incore_vemicry_program program;
    program.image.little_endian = little_endian != 0;
    program.image.entry = address;
    program.image.segments.push_back({address, {bytes, bytes + len}, len, true, false});
    return hand_over(std::move(program), out_program);
  });
}

incore_status incore_vemicry_load_file(const char* path, const char* name,
                                       const incore_vemicry_config* config,
                                       incore_vemicry_program** out_program, char* reason,
                                       size_t reason_len) {
  if (path == nullptr || name == nullptr || out_program == nullptr) return INCORE_ERROR_NULL;
  return guarded(reason, reason_len, [&] {
    std::string bytes;
    if (const incore_status status = read_file(path, name, &bytes, reason, reason_len);
        status != INCORE_OK)
      return status;
    const std::span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()),
                                        bytes.size());
    if (!is_elf(span))
      return incore_vemicry_assemble(name, bytes.data(), bytes.size(), config, out_program, reason,
                                     reason_len);
    incore_vemicry_program program;
    if (const std::string mistake = read_elf(span, &program.image); !mistake.empty()) {
      give_reason(std::string(name) + ": " + mistake, reason, reason_len);
      return INCORE_ERROR_FORMAT;
    }
    return hand_over(std::move(program), out_program);
  });
}

void incore_vemicry_program_free(incore_vemicry_program* program) {
  delete program;
}

size_t incore_vemicry_program_elf(const incore_vemicry_program* program, uint8_t* out_elf,
                                  size_t elf_len) {
  size_t len = 0;
  (void)guarded(nullptr, 0, [&] {
    const std::vector<uint8_t> elf = write_elf(program->image);
    len = elf.size();
    if (out_elf != nullptr && len <= elf_len) std::memcpy(out_elf, elf.data(), len);
    return INCORE_OK;
  });
  return len;
}

incore_status incore_vemicry_program_symbol(const incore_vemicry_program* program, const char* name,
                                            uint32_t* out_address) {
  if (program == nullptr || name == nullptr || out_address == nullptr) return INCORE_ERROR_NULL;
  return guarded(nullptr, 0, [&] {
    const Symbol* const symbol = program->image.find(name);
    if (symbol == nullptr) return INCORE_ERROR_RANGE;
    *out_address = symbol->address;
    return INCORE_OK;
  });
}

int incore_vemicry_program_is_little_endian(const incore_vemicry_program* program) {
  return program->image.little_endian ? 1 : 0;
}

void incore_vemicry_disassemble(const incore_vemicry_program* program,
                                const incore_vemicry_config* config,
                                void (*line)(void* context, uint32_t address, uint32_t word,
                                             const char* label, const char* text),
                                void* context) {
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
  (void)guarded(nullptr, 0, [&] {
    for (const Segment& segment : image.segments) {
      const uint64_t len = segment.bytes.size();
      if (segment.executable && image.code.empty()) show(segment, (0 - segment.address) % 4, len);
      for (const Range& range : image.code)
        if (range.address % 4 == 0 && range.address >= segment.address &&
            range.address - segment.address < len)
          show(segment, range.address - segment.address,
               std::min<uint64_t>(len, range.address - segment.address + uint64_t{range.len}));
    }
    return INCORE_OK;
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
