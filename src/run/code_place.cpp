// Functions from .symtab and .dynsym, lines from the DWARF in the file itself (libdw; no search for
// separate debug files, which might ask the network). libdw is loaded when the first line is asked
// for: it brings four libraries more, and every command would wait for them at its start. A program
// that is linked statically holds it instead: it has no loader.
#include "run/code_place.h"

#include <cxxabi.h>
#include <elfutils/libdw.h>
#ifndef INCORE_STATIC_PROGRAM
#include <dlfcn.h>
#endif

#include <cstdlib>
#include <filesystem>

#include "run/mappings.h"
#include "scan/elf_image.h"

namespace incore::run {
namespace {

std::string demangled(std::string_view name) {
  const std::string text(name);
  int status = 0;
  char* const plain = abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status);
  const std::string result = status == 0 && plain != nullptr ? plain : text;
  std::free(plain);
  return result;
}

// The address, as the file counts, of what lies at |file_offset|.
bool to_file_address(const scan::ElfImage& image, uint64_t file_offset, uint64_t* out_address) {
  for (const scan::Segment& segment : image.segments()) {
    if (file_offset < segment.file_offset ||
        file_offset - segment.file_offset >= segment.bytes.size())
      continue;
    *out_address = segment.address + (file_offset - segment.file_offset);
    return true;
  }
  return false;
}

void find_function(const scan::ElfImage& image, CodePlace* place) {
  for (const scan::Symbol& symbol : image.functions()) {
    if (symbol.address > place->offset) break;
    if (symbol.size != 0 && place->offset - symbol.address >= symbol.size) continue;
    place->function = demangled(symbol.name);
    place->function_offset = place->offset - symbol.address;
  }
}

// The functions of libdw that are needed here, under their own names; null without libdw.
struct Libdw {
#define INCORE_LIBDW_FUNCTIONS(X) \
  X(dwarf_begin) X(dwarf_end) X(dwarf_addrdie) X(dwarf_getsrc_die) X(dwarf_linesrc) X(dwarf_lineno)
#define X(function) decltype(&::function) function = nullptr;
  INCORE_LIBDW_FUNCTIONS(X)
#undef X

  Libdw() {
#ifdef INCORE_STATIC_PROGRAM
#define X(function) function = &::function;
#else
    void* const library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
#define X(function) function = reinterpret_cast<decltype(function)>(dlsym(library, #function));
#endif
    INCORE_LIBDW_FUNCTIONS(X)
#undef X
  }
  bool complete() const {
#define X(function) function != nullptr&&
    return INCORE_LIBDW_FUNCTIONS(X) true;
#undef X
  }
};

void find_line(int fd, CodePlace* place) {
  static const Libdw dw;
  if (!dw.complete()) return;
  const std::unique_ptr<Dwarf, decltype(dw.dwarf_end)> dwarf(dw.dwarf_begin(fd, DWARF_C_READ),
                                                             dw.dwarf_end);
  if (dwarf == nullptr) return;
  Dwarf_Die unit;
  int line = 0;
  if (dw.dwarf_addrdie(dwarf.get(), place->offset, &unit) != nullptr) {
    Dwarf_Line* const found = dw.dwarf_getsrc_die(&unit, place->offset);
    const char* const source =
        found == nullptr ? nullptr : dw.dwarf_linesrc(found, nullptr, nullptr);
    if (source != nullptr && dw.dwarf_lineno(found, &line) == 0) {
      place->source = std::filesystem::path(source).lexically_normal();
      place->line = line;
    }
  }
}

}  // namespace

CodePlace find_code_place(pid_t pid, uint64_t address) {
  CodePlace place;
  place.offset = address;
  for (const Mapping& mapping : read_mappings(pid)) {
    if (!mapping.contains(address) || !mapping.is_file()) continue;
    place.module = mapping.path;
    const MappedFile file = open_mapped_file(pid, mapping);
    scan::ElfImage image;
    if (file.error().empty() && image.parse(file.data(), file.size()).empty() &&
        to_file_address(image, mapping.offset_of(address), &place.offset)) {
      find_function(image, &place);
      find_line(file.fd(), &place);
    }
  }
  return place;
}

}  // namespace incore::run
