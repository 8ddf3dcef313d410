// `incore vemicry disasm`: the code of an executable, of an assembly source, of memory, or of
// words.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "command.h"
#include "vemicry.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file;
  std::vector<std::string> words;
  std::optional<uint32_t> flat;
  incore_vemicry_config config = {};
  bool json = false;
};

// Bytes as they lie in memory; an error in words, or empty.
std::string bytes_of_words(const Options& options, std::string* out_bytes) {
  for (const std::string& text : options.words) {
    char* end = nullptr;
    errno = 0;
    const unsigned long long word = std::strtoull(text.c_str(), &end, 16);
    if (text.empty() || text[0] == '-' || *end != '\0' || errno != 0 || word > UINT32_MAX)
      return fmt::format("'{}' is not a word of 32 bits in hex", text);
    for (int i = 0; i < 4; ++i)
      out_bytes->push_back(
          static_cast<char>(word >> 8 * (options.config.little_endian ? i : 3 - i)));
  }
  return "";
}

std::string bytes_of_file(const std::string& path, std::string* out_bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  char block[65536];
  if (file == nullptr) return path + ": " + std::strerror(errno);
  while (const size_t len = std::fread(block, 1, sizeof block, file.get()))
    out_bytes->append(block, len);
  return std::ferror(file.get()) != 0 ? path + ": " + std::strerror(errno) : "";
}

ProgramHandle load_flat(const Options& options) {
  std::string bytes;
  incore_vemicry_program* program = nullptr;
  const std::string error =
      options.words.empty() ? bytes_of_file(options.file, &bytes) : bytes_of_words(options, &bytes);
  std::string reason(256, '\0');
  if (!error.empty())
    fail(kBadInput, error);
  else if (incore_vemicry_read_flat(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                    options.flat.value_or(0), options.config.little_endian,
                                    &program, reason.data(), reason.size()) != INCORE_OK)
    fail(kBadInput, reason.c_str());
  return {program, incore_vemicry_program_free};
}

int disassemble(const Options& options) {
  if (options.file.empty() == options.words.empty())
    return fail(kBadInput, "give either a FILE or --words");
  const ProgramHandle program = options.flat || !options.words.empty()
                                    ? load_flat(options)
                                    : load_program(options.file, options.config);
  if (program == nullptr) return kBadInput;
  if (!options.json) {
    incore_vemicry_disassemble(
        program.get(), &options.config,
        [](void*, uint32_t address, uint32_t word, const char* label, const char* text) {
          if (label != nullptr) fmt::print("{:08x} <{}>:\n", address, label);
          fmt::print("  {:08x}  {:08x}  {}\n", address, word, text);
        },
        nullptr);
    return kDone;
  }
  Json lines = Json::array();
  incore_vemicry_disassemble(
      program.get(), &options.config,
      [](void* context, uint32_t address, uint32_t word, const char* label, const char* text) {
        Json line = {{"address", address}, {"word", word}, {"text", text}};
        if (label != nullptr) line["label"] = label;
        static_cast<Json*>(context)->push_back(std::move(line));
      },
      &lines);
  fmt::print("{}\n", lines.dump(2, ' ', false, Json::error_handler_t::replace));
  return kDone;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "ELF executable, assembly source, or memory (--flat)");
  app.add_option("--words", options->words, "instruction words in hex instead of a file");
  app.add_option("--flat", options->flat, "the file is memory from this address on (0 for words)");
  app.add_option("--q", options->config.q, "of assembly: vector registers, 1 to 16 (8)");
  app.add_option("--p", options->config.p, "of assembly: words in a register, 1 to 256 (8)");
  app.add_flag("--little-endian", options->config.little_endian,
               "words begin with their least byte; an ELF file says itself");
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return disassemble(*options); };
}

}  // namespace

extern const Subcommand vemicry_disasm_command = {
    "disasm", "show the instructions of an executable as assembly",
    "Example:\n"
    "  incore vemicry disasm xor_words.elf\n"
    "  incore vemicry disasm --words 4a400020 4a104000\n"
    "Exit code: 0 done, 2 bad usage or input.",
    configure};

}  // namespace incore::cli
