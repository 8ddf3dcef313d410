// `incore aes`: its options. Files are encrypted and decrypted with AES (FIPS 197) in the modes of
// SP 800-38A, C, D and E; aes_message.cpp, aes_sealed.cpp and aes_units.cpp do the work.
#include "incore/aes.h"

#include <fmt/core.h>
#include <string.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <memory>

#include "cli/aes/aes_job.h"
#include "cli/command.h"
#include "cli/options/number_option.h"
#include "incore/xts.h"
#include "tools/base/quote.h"
#include "tools/base/same_file.h"

namespace incore::cli {
namespace {

constexpr const char* kBlockIv = "32 hex digits";
constexpr AesMode kModes[] = {
    {"ecb", crypt_message, nullptr, true, false, false, {}, {}},
    {"cbc", crypt_message, kBlockIv, true, false, false, {}, {}},
    {"cfb", crypt_message, kBlockIv, false, false, false, INCORE_AES_CFB128_ENCRYPT,
     INCORE_AES_CFB128_DECRYPT},
    {"ofb", crypt_message, kBlockIv, false, false, false, INCORE_AES_OFB, INCORE_AES_OFB},
    {"ctr", crypt_message, kBlockIv, false, false, false, INCORE_AES_CTR128, INCORE_AES_CTR128},
    {"ctr16", crypt_message, kBlockIv, false, false, false, INCORE_AES_CTR16, INCORE_AES_CTR16},
    {"ctr32", crypt_message, kBlockIv, false, false, false, INCORE_AES_CTR32, INCORE_AES_CTR32},
    {"ctr64", crypt_message, kBlockIv, false, false, false, INCORE_AES_CTR64, INCORE_AES_CTR64},
    {"gcm", crypt_gcm, "an even number of hex digits (24 is best)", false, true, false, {}, {}},
    {"ccm", crypt_ccm, "14, 16, ... 26 hex digits", false, true, false, {}, {}},
    {"xts",
     crypt_xts,
     "32 hex digits or the number of the first data unit",
     false,
     false,
     true,
     {},
     {}},
};

struct Options {
  std::string direction, mode, key, key_file, iv, aad, in = "-", out = "-";
  size_t tag_len = 16, unit_len = 0;
  bool no_padding = false;
  // Whether an option was given at all: its value may be empty.
  const CLI::Option *given_key = nullptr, *given_key_file = nullptr, *given_iv = nullptr,
                    *given_aad = nullptr, *given_tag_len = nullptr, *given_unit_len = nullptr;

  Options() = default;
  Options(const Options&) = delete;
  ~Options() { explicit_bzero(key.data(), key.size()); }
};

// The bytes of |hex|. |takes| says in words what is accepted, and |accepted| whether this number of
// digits is. Messages do not repeat the digits: they may be a key.
std::vector<uint8_t> parse_hex(const char* option, const std::string& hex, const char* takes,
                               bool accepted) {
  static const std::string kDigits = "0123456789abcdefABCDEF";
  const size_t wrong = hex.find_first_not_of(kDigits);
  if (wrong != std::string::npos)
    throw std::runtime_error(fmt::format("{}: character {} is not a hex digit", option, wrong + 1));
  if (!accepted)
    throw std::runtime_error(fmt::format("{} takes {}, not {}", option, takes, hex.size()));
  std::vector<uint8_t> bytes(hex.size() / 2);
  for (size_t i = 0; i < hex.size(); ++i) {
    const size_t digit = kDigits.find(hex[i]);
    const size_t value = digit < 16 ? digit : digit - 6;
    bytes[i / 2] = static_cast<uint8_t>(bytes[i / 2] * size_t{16} + value);
  }
  return bytes;
}

bool is_key_len(const AesMode& mode, size_t len) {
  return mode.two_keys ? len == 32 || len == 64 : len == 16 || len == 24 || len == 32;
}

void read_key(const Options& options, AesJob& job) {
  const bool two = job.mode->two_keys;
  if (options.given_key->count() > 0) {
    const size_t digits = options.key.size();
    job.key =
        parse_hex("--key", options.key, two ? "64 or 128 hex digits" : "32, 48 or 64 hex digits",
                  digits % 2 == 0 && is_key_len(*job.mode, digits / 2));
    return;
  }
  const size_t max_len = two ? 64 : 32;
  job.key.resize(max_len + 1);  // one more, to see that a file is too long
  size_t len = 0;
  try {
    len = InputFile(options.key_file, false).read_full(job.key.data(), job.key.size());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("--key-file: ") + error.what());
  }
  if (!is_key_len(*job.mode, len))
    throw std::runtime_error(fmt::format(
        "--key-file: {} has {} bytes; a key is {} raw bytes, not hex", in_quotes(options.key_file),
        len > max_len ? fmt::format("more than {}", max_len) : std::to_string(len),
        two ? "32 or 64" : "16, 24 or 32"));
  job.key.resize(len);
}

// XTS: a tweak, or the number that stands for one. Only a number tells where the next unit is.
void read_tweak(const std::string& text, AesJob& job) {
  const bool is_number =
      text.size() <= 20 && !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!is_number) {
    if (job.unit_len != 0)
      throw std::runtime_error("--iv takes the number of the first data unit with --unit-size");
    job.iv = parse_hex("--iv", text, job.mode->iv, text.size() == 32);
    return;
  }
  errno = 0;
  job.first_unit = strtoull(text.c_str(), nullptr, 10);
  if (errno != 0) throw std::runtime_error("--iv: a data unit's number is 2^64 - 1 at most");
  for (size_t i = 0; i < 16; ++i)
    job.iv.push_back(i < 8 ? static_cast<uint8_t>(job.first_unit >> 8 * i) : 0);
}

void read_iv(const Options& options, AesJob& job) {
  const AesMode& mode = *job.mode;
  const size_t digits = options.iv.size(), len = digits / 2;
  if (mode.two_keys) return read_tweak(options.iv, job);
  bool accepted = digits % 2 == 0;
  if (mode.crypt == crypt_message) accepted = digits == 32;
  if (mode.crypt == crypt_gcm) accepted &= digits != 0;
  if (mode.crypt == crypt_ccm) accepted &= len >= 7 && len <= 13;
  job.iv = parse_hex("--iv", options.iv, mode.iv, accepted);
}

void fill_job(const Options& options, AesJob& job) {
  job.in = options.in;
  job.out = options.out;
  job.no_padding = options.no_padding;
  job.tag_len = options.tag_len;
  job.unit_len = options.unit_len;
  job.first_unit = 0;
  if (job.mode->iv != nullptr) read_iv(options, job);
  job.aad =
      parse_hex("--aad", options.aad, "an even number of hex digits", options.aad.size() % 2 == 0);
  read_key(options, job);
}

std::string mode_names() {
  std::string names;
  for (const AesMode& mode : kModes) names += (names.empty() ? "" : " ") + std::string(mode.name);
  return names;
}

const AesMode* find_mode(const std::string& name) {
  for (const AesMode& mode : kModes)
    if (name == mode.name) return &mode;
  return nullptr;
}

bool is_tag_len(const AesMode& mode, size_t len) {
  if (mode.crypt == crypt_ccm) return len >= 4 && len <= 16 && len % 2 == 0;
  return len == 4 || len == 8 || (len >= 12 && len <= 16);
}

// What is wrong with the options together; empty if nothing is.
std::string contradiction(const Options& options, const AesMode* mode) {
  const auto given = [](const CLI::Option* option) { return option->count() > 0; };
  if (options.direction != "encrypt" && options.direction != "decrypt")
    return options.direction.empty()
               ? "say encrypt or decrypt"
               : fmt::format("'{}' is neither encrypt nor decrypt", options.direction);
  if (mode == nullptr)
    return options.mode.empty()
               ? "no --mode given; one of: " + mode_names()
               : fmt::format("unknown mode '{}'; one of: {}", options.mode, mode_names());
  if (given(options.given_key) && given(options.given_key_file))
    return "--key and --key-file exclude each other";
  if (!given(options.given_key) && !given(options.given_key_file))
    return "no key given; use --key-file or --key";
  if (mode->iv != nullptr && !given(options.given_iv))
    return fmt::format("mode {} needs --iv, {}", mode->name, mode->iv);
  if (mode->iv == nullptr && given(options.given_iv))
    return fmt::format("mode {} takes no --iv", mode->name);
  if (!mode->pads && options.no_padding)
    return fmt::format("mode {} never pads; --no-padding is for ecb and cbc", mode->name);
  for (const auto& [option, name] :
       {std::pair(options.given_aad, "--aad"), std::pair(options.given_tag_len, "--tag-len")})
    if (!mode->seals && given(option))
      return fmt::format("mode {} takes no {}; gcm and ccm do", mode->name, name);
  if (mode->seals && !is_tag_len(*mode, options.tag_len))
    return fmt::format("--tag-len of {} is {}, not {}", mode->name,
                       mode->crypt == crypt_ccm ? "4, 6, ... 16" : "4, 8 or 12 to 16",
                       options.tag_len);
  if (given(options.given_key_file))
    if (std::string same =
            shared_file({{"--key-file", options.key_file}}, {{"--out", options.out}});
        !same.empty())
      return same;
  if (!mode->two_keys && given(options.given_unit_len))
    return fmt::format("mode {} takes no --unit-size; xts does", mode->name);
  return "";
}

int run(const Options& options) {
  AesJob job;
  job.mode = find_mode(options.mode);
  const std::string wrong = contradiction(options, job.mode);
  if (!wrong.empty()) return fail(kBadInput, wrong + " (see 'incore aes --help')");
  job.encrypts = options.direction == "encrypt";
  try {
    const StopSignals stop_signals;
    fill_job(options, job);
    job.mode->crypt(job);
  } catch (const CannotDecrypt& error) {
    return fail(kDiffers, error.what());
  } catch (const Interrupted&) {
    std::raise(stop_signal);
  }
  return kDone;
}

std::function<int()> configure(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("DIRECTION", options->direction, "encrypt or decrypt");
  app.add_option("-m,--mode", options->mode, "One of: " + mode_names());
  options->given_key_file = app.add_option(
      "--key-file", options->key_file, "File with the key: 16, 24 or 32 raw bytes; xts: 32 or 64");
  options->given_key = app.add_option(
      "--key", options->key, "The key in hex digits; other users can see it while this runs");
  options->given_iv = app.add_option("--iv", options->iv,
                                     "Initialization vector, nonce or first counter in hex digits; "
                                     "xts: a tweak or the number of the first data unit");
  options->given_aad = app.add_option("--aad", options->aad,
                                      "gcm, ccm: data in hex digits that the tag covers as well");
  options->given_tag_len =
      app.add_option("--tag-len", options->tag_len, "gcm, ccm: bytes of the tag, 4 to 16 (16)")
          ->transform(whole_number(4, 16));
  options->given_unit_len =
      app.add_option("--unit-size", options->unit_len,
                     "xts: bytes of a data unit (default: the file is one, of 16 MiB at most)")
          ->transform(whole_number(INCORE_AES_BLOCK_LEN, INCORE_XTS_MAX_UNIT_LEN));
  app.add_option("-i,--in", options->in, "Input file (default: standard input)");
  app.add_option("-o,--out", options->out,
                 "Output file, complete or not there; may be the input (default: standard output)");
  app.add_flag("--no-padding", options->no_padding,
               "ecb, cbc: no PKCS#7 padding; the length must be a multiple of 16");
  return [options] { return run(*options); };
}

}  // namespace

AesJob::~AesJob() {
  wipe(key);
}

const Command aes_command = {
    "aes", "AES encryption and decryption of files, like openssl enc",
    "Example:\n"
    "  head -c 32 /dev/urandom > key\n"
    "  iv=$(od -An -v -tx1 -N12 /dev/urandom | tr -d ' ')\n"
    "  incore aes encrypt --mode gcm --key-file key --iv $iv --in plain --out secret\n"
    "  incore aes decrypt --mode gcm --key-file key --iv $iv --in secret --out plain\n"
    "gcm and ccm append a tag and write nothing if it does not match; the whole file is in "
    "memory.\n"
    "No other mode detects changes to the data. Decryption to standard output writes bytes as "
    "they\n"
    "are ready, before the padding of ecb and cbc is checked.\n"
    "Exit code: 0 done; 1 cannot be decrypted: wrong tag or padding; 2 bad usage, cannot read or\n"
    "write.",
    configure};

}  // namespace incore::cli
