// `incore vemicry asm`: an assembly source to an ELF executable, and a listing of both side by
// side.
#include <fmt/format.h>

#include <memory>
#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/input_file.h"
#include "tools/base/output_file.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"
#include "tools/base/same_file.h"
#include "tools/vemicry/asm_listing.h"

namespace incore::cli {
namespace {

struct Options {
  std::string output;
  std::vector<std::string> files, defines;
  incore_vemicry_config config = {};
  bool list = false;
};

// NAME=VALUE, taken apart; an error in words, or empty.
std::string read_define(const std::string& text, std::string* out_name, uint32_t* out_value) {
  const size_t equals = text.find('=');
  const std::optional<uint32_t> value =
      word_number(equals == std::string::npos ? "1" : text.substr(equals + 1));
  *out_name = text.substr(0, equals);
  if (out_name->empty() || !value)
    return fmt::format(
        "-D {}: the form is NAME=VALUE with a number of 32 bits (decimal, or 0x and hexadecimal)",
        text);
  *out_value = *value;
  return "";
}

// "dir/name.s" to "dir/name.elf".
std::string elf_name(const std::string& source) {
  const size_t slash = source.rfind('/'), dot = source.rfind('.');
  const bool has_suffix =
      dot != std::string::npos && dot != 0 && (slash == std::string::npos || dot > slash + 1);
  return (has_suffix ? source.substr(0, dot) : source) + ".elf";
}

// False: an executable of it would have nothing to load.
bool makes_bytes(const incore_vemicry_program& program) {
  bool makes = false;
  incore_vemicry_program_lines(
      &program,
      [](void* context, uint32_t, uint32_t, const uint8_t*, size_t) {
        *static_cast<bool*>(context) = true;
      },
      &makes);
  return makes;
}

int assemble(const Options& options) {
  if (options.list && options.files.size() > 1)
    return fail(kBadInput, "--list: accepted is a single FILE");
  std::vector<std::string> texts(options.files.size());
  for (size_t i = 0; i < texts.size(); ++i)
    if (const std::string error = read_input_file(options.files[i], &texts[i]); !error.empty())
      return fail(kBadInput, quoted_if_needed(options.files[i]) + ": " + error);
  std::vector<std::string> names(options.defines.size());
  std::vector<incore_vemicry_define> defines(options.defines.size());
  for (size_t i = 0; i < defines.size(); ++i) {
    if (const std::string error = read_define(options.defines[i], &names[i], &defines[i].value);
        !error.empty())
      return fail(kBadInput, error);
    defines[i].name = names[i].c_str();
  }
  std::string reason;
  const ProgramHandle program =
      assemble_program(options.files, texts, defines, options.config, &reason);
  if (program == nullptr) return fail_with_lines(kBadInput, reason);
  if (options.list) {
    // Printed in the end: an error of standard output must not pass the library.
    AsmListing listing(texts[0]);
    incore_vemicry_program_lines(
        program.get(),
        [](void* context, uint32_t number, uint32_t address, const uint8_t* bytes, size_t len) {
          static_cast<AsmListing*>(context)->add(number, address, bytes, len);
        },
        &listing);
    fmt::print("{}", listing.finish());
    if (options.output.empty()) return kDone;
  }
  if (!makes_bytes(*program))
    return fail(kBadInput,
                quoted_if_needed(options.files[0]) + ": there is no instruction and no data in it");
  size_t len = 0;
  if (incore_vemicry_program_elf(program.get(), nullptr, 0, &len) != INCORE_ERROR_LENGTH)
    require_ok(INCORE_ERROR_MEMORY);
  std::string elf(len, '\0');
  require_ok(
      incore_vemicry_program_elf(program.get(), reinterpret_cast<uint8_t*>(elf.data()), len, &len));
  const std::string output = options.output.empty() ? elf_name(options.files[0]) : options.output;
  std::string error;
  for (const std::string& path : options.files)
    if (error.empty()) error = shared_file({{"FILE", path}}, {{"--output", output}});
  OutputFile file;
  if (error.empty()) error = file.open(output, OutputFile::Kind::program);
  if (error.empty()) error = file.commit(elf);
  return error.empty() ? kDone : fail(kBadInput, error);
}

}  // namespace

Command vemicry_asm_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "asm",
      .summary = "assemble MIPS-I and vector instructions to an ELF executable",
      .options = joined(
          {{text("FILE", "", &o->files, "assembly source; several make one program").required(),
            text("-o,--output", "FILE", &o->output, "the executable")
                .usually("the first FILE with the suffix .elf"),
            text("-D", "NAME=VALUE", &o->defines, "a symbol that the source may use; repeatable"),
            flag("--list", &o->list,
                 "print address, words and source; without -o nothing is written")},
           size_options(&o->config.q, &o->config.p),
           {number("--l", "N", &o->config.l, 1, kMaxWords,
                   "the symbol L: vector length at the start, p at most")
                .usually("p"),
            flag("--little-endian", &o->config.little_endian,
                 "words begin with their least byte")}}),
      .examples = {"incore vemicry asm programs/vemicry/xor_words.s -o xor_words.elf",
                   "incore vemicry asm main.s list.s -o main.elf",
                   "incore vemicry asm --list programs/vemicry/xor_words.s"},
      .exit_codes = {{"0", "done"}, {"2", "bad usage or a mistake in the source"}},
      .run = [o] { return assemble(*o); },
  };
}

}  // namespace incore::cli
