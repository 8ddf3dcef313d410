// `incore vemicry asm`: an assembly source to an ELF executable, and a listing of both side by
// side.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/options/number_option.h"
#include "cli/vemicry/vemicry.h"
#include "tools/base/input_file.h"
#include "tools/base/output_file.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"
#include "tools/base/same_file.h"

namespace incore::cli {
namespace {

constexpr size_t kMaxRows = 4;  // of words, for one line of the source

struct Options {
  std::string file, output;
  std::vector<std::string> defines;
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

class Listing {
 public:
  explicit Listing(std::string_view source) : rest_(source) {}

  // The bytes that line |number| made; lines before it that made none are printed first.
  void add(uint32_t number, uint32_t address, const uint8_t* bytes, size_t len) {
    while (printed_ + 1 < number) print("", take_line());
    std::string text = printed_ + 1 == number ? take_line() : "";
    for (size_t i = 0; i < len && i < 4 * kMaxRows; i += 4) {
      std::string row = fmt::format("{:08x} ", address + i);
      for (size_t k = i; k < std::min(len, i + 4); ++k) row += fmt::format("{:02x}", bytes[k]);
      print(row, text);
      text.clear();
    }
    if (len > 4 * kMaxRows) print(fmt::format("... {} bytes", len), "");
  }
  // All of it; an error of standard output must not pass the library, which calls add().
  const std::string& finish() {
    while (!rest_.empty()) print("", take_line());
    return text_;
  }

 private:
  std::string take_line() {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string line = fmt::format("{:5}  {}", ++printed_, rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }
  void print(const std::string& row, const std::string& line) {
    std::string text = fmt::format("{:<17}  {}", row, line);
    text.erase(text.find_last_not_of(" \t\r") + 1);
    text_ += text + "\n";
  }

  std::string_view rest_;
  std::string text_;
  uint32_t printed_ = 0;  // lines
};

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
  std::string source;
  if (const std::string error = read_input_file(options.file, &source); !error.empty())
    return fail(kBadInput, quoted_if_needed(options.file) + ": " + error);
  std::vector<std::string> names(options.defines.size());
  std::vector<incore_vemicry_define> defines(options.defines.size());
  for (size_t i = 0; i < defines.size(); ++i) {
    if (const std::string error = read_define(options.defines[i], &names[i], &defines[i].value);
        !error.empty())
      return fail(kBadInput, error);
    defines[i].name = names[i].c_str();
  }
  std::string reason(kReasonLen, '\0');
  incore_vemicry_program* raw = nullptr;
  if (incore_vemicry_assemble_with(
          defines.data(), defines.size(), quoted_if_needed(options.file).c_str(), source.data(),
          source.size(), &options.config, &raw, reason.data(), reason.size()) != INCORE_OK)
    return fail_with_lines(kBadInput, reason.c_str());
  const ProgramHandle program(raw, incore_vemicry_program_free);
  if (options.list) {
    Listing listing(source);
    incore_vemicry_program_lines(
        raw,
        [](void* context, uint32_t number, uint32_t address, const uint8_t* bytes, size_t len) {
          static_cast<Listing*>(context)->add(number, address, bytes, len);
        },
        &listing);
    fmt::print("{}", listing.finish());
    if (options.output.empty()) return kDone;
  }
  if (!makes_bytes(*raw))
    return fail(kBadInput,
                quoted_if_needed(options.file) + ": there is no instruction and no data in it");
  size_t len = 0;
  if (incore_vemicry_program_elf(raw, nullptr, 0, &len) != INCORE_ERROR_LENGTH)
    require_ok(INCORE_ERROR_MEMORY);
  std::string elf(len, '\0');
  require_ok(incore_vemicry_program_elf(raw, reinterpret_cast<uint8_t*>(elf.data()), len, &len));
  const std::string output = options.output.empty() ? elf_name(options.file) : options.output;
  std::string error = shared_file({{"FILE", options.file}}, {{"--output", output}});
  OutputFile file;
  if (error.empty()) error = file.open(output, OutputFile::Kind::program);
  if (error.empty()) error = file.commit(elf);
  return error.empty() ? kDone : fail(kBadInput, error);
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "assembly source")->required();
  app.add_option("-o,--output", options->output, "the executable (FILE with the suffix .elf)");
  app.add_option("-D", options->defines, "NAME=VALUE: a symbol that the source may use")
      ->allow_extra_args(false);
  app.add_flag("--list", options->list,
               "print address, words and source; without -o nothing is written");
  add_size_options(app, &options->config.q, &options->config.p);
  add_number_option(app, "--l", &options->config.l, 1, kMaxWords,
                    "the symbol L: vector length at the start, 1 to p (p)");
  app.add_flag("--little-endian", options->config.little_endian,
               "words begin with their least byte");
  return [options] { return assemble(*options); };
}

}  // namespace

extern const Subcommand vemicry_asm_command = {
    "asm", "assemble MIPS-I and vector instructions to an ELF executable",
    "Example:\n"
    "  incore vemicry asm programs/vemicry/xor_words.s -o xor_words.elf\n"
    "  incore vemicry asm --list programs/vemicry/xor_words.s\n"
    "Exit code: 0 done, 2 bad usage or a mistake in the source.",
    configure};

}  // namespace incore::cli
