#include "tools/aes/aes_request.h"

#include <fmt/format.h>
#include <string.h>

#include <cerrno>

#include "incore/xts.h"
#include "tools/base/quote.h"
#include "tools/base/same_file.h"

namespace incore::tools {
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

const AesMode* find_mode(const std::string& name) {
  for (const AesMode& mode : kModes)
    if (name == mode.name) return &mode;
  return nullptr;
}

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

void read_key(const AesRequest& options, AesJob& job) {
  const bool two = job.mode->two_keys;
  if (options.key) {
    const size_t digits = options.key->size();
    job.key =
        parse_hex("--key", *options.key, two ? "64 or 128 hex digits" : "32, 48 or 64 hex digits",
                  digits % 2 == 0 && is_key_len(*job.mode, digits / 2));
    return;
  }
  const size_t max_len = two ? 64 : 32;
  job.key.resize(max_len + 1);  // one more, to see that a file is too long
  size_t len = 0;
  try {
    len = InputFile(*options.key_file, false).read_full(job.key.data(), job.key.size());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("--key-file: ") + error.what());
  }
  if (!is_key_len(*job.mode, len))
    throw std::runtime_error(fmt::format(
        "--key-file: {} has {} bytes; a key is {} raw bytes, not hex", in_quotes(*options.key_file),
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

void read_iv(const AesRequest& options, AesJob& job) {
  const AesMode& mode = *job.mode;
  const size_t digits = options.iv->size(), len = digits / 2;
  if (mode.two_keys) return read_tweak(*options.iv, job);
  bool accepted = digits % 2 == 0;
  if (mode.crypt == crypt_message) accepted = digits == 32;
  if (mode.crypt == crypt_gcm) accepted &= digits != 0;
  if (mode.crypt == crypt_ccm) accepted &= len >= 7 && len <= 13;
  job.iv = parse_hex("--iv", *options.iv, mode.iv, accepted);
}

bool is_tag_len(const AesMode& mode, size_t len) {
  if (mode.crypt == crypt_ccm) return len >= 4 && len <= 16 && len % 2 == 0;
  return len == 4 || len == 8 || (len >= 12 && len <= 16);
}

}  // namespace

AesRequest::~AesRequest() {
  if (key) explicit_bzero(key->data(), key->size());
}

AesJob::~AesJob() {
  wipe(key);
}

std::vector<std::string> aes_mode_names() {
  std::vector<std::string> names;
  for (const AesMode& mode : kModes) names.push_back(mode.name);
  return names;
}

std::string contradiction(const AesRequest& options) {
  const AesMode* const mode = find_mode(options.mode);
  if (options.direction.empty()) return "say encrypt or decrypt";
  if (mode == nullptr)
    return fmt::format("no --mode given; one of: {}", fmt::join(aes_mode_names(), " "));
  if (options.key && options.key_file) return "--key and --key-file exclude each other";
  if (!options.key && !options.key_file) return "no key given; use --key-file or --key";
  if (mode->iv != nullptr && !options.iv)
    return fmt::format("mode {} needs --iv, {}", mode->name, mode->iv);
  if (mode->iv == nullptr && options.iv) return fmt::format("mode {} takes no --iv", mode->name);
  if (!mode->pads && options.no_padding)
    return fmt::format("mode {} never pads; --no-padding is for ecb and cbc", mode->name);
  for (const auto& [given, name] : {std::pair(options.aad.has_value(), "--aad"),
                                    std::pair(options.tag_len.has_value(), "--tag-len")})
    if (!mode->seals && given)
      return fmt::format("mode {} takes no {}; gcm and ccm do", mode->name, name);
  if (mode->seals && !is_tag_len(*mode, options.tag_len.value_or(kUsualTagLen)))
    return fmt::format("--tag-len of {} is {}, not {}", mode->name,
                       mode->crypt == crypt_ccm ? "4, 6, ... 16" : "4, 8 or 12 to 16",
                       *options.tag_len);
  if (options.key_file)
    if (std::string same =
            shared_file({{"--key-file", *options.key_file}}, {{"--out", options.out}});
        !same.empty())
      return same;
  if (!mode->two_keys && options.unit_len)
    return fmt::format("mode {} takes no --unit-size; xts does", mode->name);
  return "";
}

void fill_job(const AesRequest& options, AesJob& job) {
  job.mode = find_mode(options.mode);
  job.encrypts = options.direction == "encrypt";
  job.in = options.in;
  job.out = options.out;
  job.no_padding = options.no_padding;
  job.tag_len = options.tag_len.value_or(kUsualTagLen);
  job.unit_len = options.unit_len.value_or(0);
  job.first_unit = 0;
  if (job.mode->iv != nullptr) read_iv(options, job);
  const std::string aad = options.aad.value_or("");
  job.aad = parse_hex("--aad", aad, "an even number of hex digits", aad.size() % 2 == 0);
  read_key(options, job);
}

}  // namespace incore::tools
