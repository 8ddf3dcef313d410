// Any text is assembled or refused with errors that have a place; what is assembled survives being
// written as ELF and read back.
#include "check.h"
#include "vemicry/assemble.h"
#include "vemicry/disassemble.h"
#include "vemicry/elf.h"

using namespace incore::vemicry;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  if (len == 0) return 0;
  AssembleOptions options;
  options.little_endian = (data[0] & 1) != 0;
  options.p = 1u << (data[0] >> 1 & 7);
  options.symbols = {{"P", options.p}};
  const Assembly assembly = assemble({reinterpret_cast<const char*>(data) + 1, len - 1}, options);
  if (!assembly.errors.empty()) {
    FUZZ_CHECK(assembly.image.segments.empty());
    for (const Diagnostic& error : assembly.errors)
      FUZZ_CHECK(error.line > 0 && !error.text.empty() &&
                 error.text.find('\n') == std::string::npos);
    return 0;
  }
  Image image;
  if (assembly.image.segments.empty()) return 0;
  FUZZ_CHECK(read_elf(write_elf(assembly.image), &image) == "");
  FUZZ_CHECK(image.entry == assembly.image.entry);
  FUZZ_CHECK(image.segments.size() == assembly.image.segments.size());
  for (size_t i = 0; i < image.segments.size(); ++i) {
    const Segment &read = image.segments[i], &written = assembly.image.segments[i];
    FUZZ_CHECK(read.address == written.address && read.bytes == written.bytes &&
               read.mem_len == written.mem_len && read.executable == written.executable);
  }
  FUZZ_CHECK(image.symbols.size() == assembly.image.symbols.size());
  return 0;
}
