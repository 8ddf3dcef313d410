// `incore vemicry disasm`: the code of an executable, of an assembly source, of memory, or of
// words.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "cli/command.h"
#include "cli/vemicry/machine_options.h"
#include "tools/base/input_file.h"
#include "tools/base/json.h"
#include "tools/base/quote.h"
#include "tools/base/require_ok.h"

namespace incore::cli {
namespace {

constexpr uint64_t kNotFlat = UINT64_MAX;

struct Options {
  std::string file;
  std::vector<std::string> words;
  uint64_t flat = kNotFlat;  // the address
  incore_vemicry_config config = {};
  bool json = false;
};

// Bytes as they lie in a big-endian memory; an error in words, or empty.
std::string bytes_of_words(const Options& options, std::string* out_bytes) {
  for (const std::string& text : options.words) {
    const bool has_prefix = text.starts_with("0x") || text.starts_with("0X");
    uint32_t word = 0;
    const char *const begin = text.data() + (has_prefix ? 2 : 0), *const end =
                                                                      text.data() + text.size();
    const auto [behind, error] = std::from_chars(begin, end, word, 16);
    if (error != std::errc() || behind != end)
      return in_quotes(text) + " is not a word of 32 bits in hex";
    for (int i = 0; i < 4; ++i) out_bytes->push_back(static_cast<char>(word >> 8 * (3 - i)));
  }
  return "";
}

ProgramHandle load_flat(const Options& options) {
  std::string bytes, error;
  incore_vemicry_program* program = nullptr;
  if (!options.words.empty())
    error = bytes_of_words(options, &bytes);
  else if (error = read_input_file(options.file, &bytes); !error.empty())
    error = quoted_if_needed(options.file) + ": " + error;
  std::string reason(256, '\0');
  if (!error.empty())
    fail(kBadInput, error);
  else if (incore_vemicry_read_flat(
               reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
               options.flat == kNotFlat ? 0 : static_cast<uint32_t>(options.flat),
               options.config.little_endian, &program, reason.data(), reason.size()) != INCORE_OK)
    fail(kBadInput, reason.c_str());
  return {program, incore_vemicry_program_free};
}

int disassemble(const Options& options) {
  if (options.file.empty() == options.words.empty())
    return fail(kBadInput, "give either a FILE or --words");
  const ProgramHandle program = options.flat != kNotFlat || !options.words.empty()
                                    ? load_flat(options)
                                    : load_program({options.file}, options.config);
  if (program == nullptr) return kBadInput;
  if (!options.json) {
    std::string lines;  // printed in the end: an error of standard output must not pass the library
    require_ok(incore_vemicry_disassemble(
        program.get(), &options.config,
        [](void* context, uint32_t address, uint32_t word, const char* label, const char* text) {
          std::string& all = *static_cast<std::string*>(context);
          if (label != nullptr) all += fmt::format("{:08x} <{}>:\n", address, label);
          all += fmt::format("  {:08x}  {:08x}  {}\n", address, word, text);
        },
        &lines));
    fmt::print("{}", lines);
    return kDone;
  }
  Json lines = Json::array();
  require_ok(incore_vemicry_disassemble(
      program.get(), &options.config,
      [](void* context, uint32_t address, uint32_t word, const char* label, const char* text) {
        Json line = {{"address", address}, {"word", word}, {"text", text}};
        if (label != nullptr) line["label"] = label;
        static_cast<Json*>(context)->push_back(std::move(line));
      },
      &lines));
  fmt::print("{}", json_text(lines));
  return kDone;
}

}  // namespace

Command vemicry_disasm_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "disasm",
      .summary = "show the instructions of an executable as assembly",
      .options = joined(
          {{text("FILE", "", &o->file, "ELF executable, assembly source, or memory (--flat)"),
            text("--words", "WORD...", &o->words, "instruction words in hex instead of a file")
                .taking_several(),
            number("--flat", "N", &o->flat, 0, UINT32_MAX,
                   "the file is memory from this address on")
                .usually("0 for words")},
           size_options(&o->config.q, &o->config.p),
           {flag("--little-endian", &o->config.little_endian,
                 "words begin with their least byte; an ELF file says itself")
                .excludes({"--words"}),
            flag("--json", &o->json, "print JSON")}}),
      .examples = {"incore vemicry disasm xor_words.elf",
                   "incore vemicry disasm --words 4a400020 4a104000"},
      .exit_codes = {{"0", "done"}, {"2", "bad usage or input"}},
      .run = [o] { return disassemble(*o); },
  };
}

}  // namespace incore::cli
