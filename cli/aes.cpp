// `incore aes`: files encrypted and decrypted with AES (FIPS 197) in the modes of SP 800-38A, the
// same bytes as `openssl enc -K -iv`.
#include "incore/aes.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <vector>

#include "command.h"
#include "output_file.h"
#include "progress.h"
#include "quote.h"

namespace incore::cli {
namespace {

constexpr size_t kBlockLen = INCORE_AES_BLOCK_LEN;
constexpr size_t kMaxKeyLen = 32;
// Large enough that system calls do not count, small enough for the second-level cache.
constexpr size_t kReadLen = 256 << 10;

struct Mode {
  const char* name;
  bool in_blocks;  // takes whole blocks: the last one is padded
  bool has_iv;
  incore_aes_stream_mode encrypt, decrypt;  // unless in_blocks
};

constexpr Mode kModes[] = {
    {"ecb", true, false, {}, {}},
    {"cbc", true, true, {}, {}},
    {"cfb", false, true, INCORE_AES_CFB128_ENCRYPT, INCORE_AES_CFB128_DECRYPT},
    {"ofb", false, true, INCORE_AES_OFB, INCORE_AES_OFB},
    {"ctr", false, true, INCORE_AES_CTR128, INCORE_AES_CTR128},
};

struct Options {
  std::string direction, mode, key, key_file, iv, in = "-", out = "-";
  bool no_padding = false;
  // Whether an option was given at all: its value may be empty.
  const CLI::Option *given_key = nullptr, *given_key_file = nullptr, *given_iv = nullptr;

  Options() = default;
  Options(const Options&) = delete;
  ~Options() { explicit_bzero(key.data(), key.size()); }
};

// What is thrown as std::runtime_error ends the command with kBadInput, this with kDiffers.
struct CannotDecrypt : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Interrupted {};

volatile std::sig_atomic_t stop_signal = 0;

// While this lives, a signal that would end the program lets it remove its temporary file first.
class StopSignals {
 public:
  StopSignals() {
    struct sigaction action = {};
    action.sa_handler = [](int signal) { stop_signal = signal; };  // no SA_RESTART: read() ends
    for (size_t i = 0; i < kNumSignals; ++i) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
  }
  ~StopSignals() {
    for (size_t i = 0; i < kNumSignals; ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  StopSignals(const StopSignals&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  static constexpr size_t kNumSignals = sizeof kSignals / sizeof kSignals[0];
  struct sigaction before_[kNumSignals];
};

void require_ok(incore_status status) {
  if (status != INCORE_OK) throw std::runtime_error(incore_status_message(status));
}

void require_written(const std::string& error) {
  if (stop_signal != 0) throw Interrupted();
  if (!error.empty()) throw std::runtime_error(error);
}

class InputFile {
 public:
  explicit InputFile(const std::string& path, bool dash_is_stdin = true)
      : name_(dash_is_stdin && path == "-" ? "standard input" : "'" + path + "'"),
        fd_(dash_is_stdin && path == "-" ? STDIN_FILENO
                                         : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status = {};
    if (fd_ < 0 || fstat(fd_, &status) != 0) fail_to_read();
    if (S_ISDIR(status.st_mode)) {
      errno = EISDIR;
      fail_to_read();
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<uint64_t>(status.st_size);
  }
  ~InputFile() {
    if (fd_ > STDIN_FILENO) close(fd_);
  }
  InputFile(const InputFile&) = delete;

  uint64_t size() const { return size_; }  // 0 if not known

  // 0 at the end of the file only.
  size_t read(uint8_t* out, size_t out_len) const {
    for (;;) {
      if (stop_signal != 0) throw Interrupted();
      const ssize_t len = ::read(fd_, out, out_len);
      if (len >= 0) return static_cast<size_t>(len);
      if (errno != EINTR) fail_to_read();
    }
  }

 private:
  [[noreturn]] void fail_to_read() const {
    throw std::runtime_error("cannot read " + name_ + ": " + strerror(errno));
  }

  std::string name_;
  int fd_;
  uint64_t size_ = 0;
};

// Bytes that are wiped at the end.
struct Secret {
  explicit Secret(size_t len) : bytes(len) {}
  ~Secret() { explicit_bzero(bytes.data(), bytes.size()); }
  Secret(const Secret&) = delete;
  std::vector<uint8_t> bytes;
};

// The bytes of |hex| to |out|. |takes| says in words which numbers of digits are accepted, and
// |accepted| whether this one is. Messages do not repeat the digits: they may be a key.
void parse_hex(const char* option, const std::string& hex, const char* takes, bool accepted,
               uint8_t* out) {
  static const std::string kDigits = "0123456789abcdefABCDEF";
  const size_t wrong = hex.find_first_not_of(kDigits);
  if (wrong != std::string::npos)
    throw std::runtime_error(fmt::format("{}: character {} is not a hex digit", option, wrong + 1));
  if (!accepted)
    throw std::runtime_error(
        fmt::format("{} takes {} hex digits, not {}", option, takes, hex.size()));
  for (size_t i = 0; i < hex.size(); ++i) {
    const size_t digit = kDigits.find(hex[i]);
    const size_t value = digit < 16 ? digit : digit - 6;
    out[i / 2] = static_cast<uint8_t>(out[i / 2] * size_t{16} + value);
  }
}

bool is_key_len(size_t len) {
  return len == 16 || len == 24 || len == 32;
}

// AES with a key, a direction and a mode, at some place of a message.
class Cipher {
 public:
  Cipher(const Mode& mode, bool encrypts, const Options& options)
      : mode_(mode), encrypts_(encrypts) {
    if (mode.has_iv) parse_hex("--iv", options.iv, "32", options.iv.size() == 2 * sizeof iv_, iv_);
    if (!mode.in_blocks)
      require_ok(incore_aes_stream_start(&stream_, encrypts ? mode.encrypt : mode.decrypt, iv_));
    set_key(options);
  }
  ~Cipher() {
    incore_aes_key_wipe(&key_);
    incore_aes_stream_wipe(&stream_);
  }
  Cipher(const Cipher&) = delete;

  // |len| is a multiple of 16 if the mode works in blocks.
  void process(uint8_t* data, size_t len) {
    if (!mode_.in_blocks)
      require_ok(incore_aes_stream_update(&stream_, &key_, data, len, data));
    else if (mode_.has_iv)
      require_ok((encrypts_ ? incore_aes_cbc_encrypt : incore_aes_cbc_decrypt)(&key_, iv_, data,
                                                                               len, data));
    else
      require_ok(
          (encrypts_ ? incore_aes_ecb_encrypt : incore_aes_ecb_decrypt)(&key_, data, len, data));
  }

 private:
  void set_key(const Options& options) {
    Secret key(kMaxKeyLen + 1);  // one more, to see that a file is too long
    size_t len = 0;
    if (options.given_key->count() > 0) {
      len = options.key.size() / 2;
      parse_hex("--key", options.key, "32, 48 or 64",
                options.key.size() % 2 == 0 && is_key_len(len), key.bytes.data());
    } else {
      try {
        const InputFile file(options.key_file, false);
        for (size_t got = 1; got != 0 && len < key.bytes.size(); len += got)
          got = file.read(key.bytes.data() + len, key.bytes.size() - len);
      } catch (const std::runtime_error& error) {
        throw std::runtime_error(std::string("--key-file: ") + error.what());
      }
      if (!is_key_len(len))
        throw std::runtime_error(
            fmt::format("--key-file: '{}' has {} bytes; a key is 16, 24 or 32 raw bytes, not hex",
                        options.key_file, len > kMaxKeyLen ? "more than 32" : std::to_string(len)));
    }
    require_ok(incore_aes_key_set(&key_, key.bytes.data(), len));
  }

  const Mode& mode_;
  const bool encrypts_;
  uint8_t iv_[kBlockLen] = {};
  incore_aes_key key_ = {};
  incore_aes_stream stream_ = {};
};

// The length of the message in a last block padded as PKCS#7 wants it: n bytes of value n, 1 to 16.
// Looks at the whole block always, so that the time tells no more than the result.
size_t unpadded_len(const uint8_t* block) {
  const uint32_t pad_len = block[kBlockLen - 1];
  uint32_t wrong = pad_len - 1 >= kBlockLen;
  for (uint32_t i = 0; i < kBlockLen; ++i) {
    // The i-th byte from the end is padding if the subtraction borrows.
    const uint32_t is_pad = 0U - ((i - pad_len) >> 31);
    wrong |= (block[kBlockLen - 1 - i] ^ pad_len) & is_pad;
  }
  if (wrong != 0) throw CannotDecrypt("wrong padding: not the right key, IV or mode, or damaged");
  return kBlockLen - pad_len;
}

// The whole message, in constant memory. |buffer| begins with the |held| bytes that wait for more:
// of a block that is not full, or the last block so far if its padding is to be removed.
void crypt(Cipher& cipher, const Mode& mode, bool encrypts, const Options& options) {
  const bool padded = mode.in_blocks && !options.no_padding;
  const InputFile in(options.in);
  OutputFile out;
  require_written(options.out == "-" ? out.open_stdout() : out.open(options.out));

  Secret memory(kReadLen + kBlockLen);
  uint8_t* const buffer = memory.bytes.data();
  size_t held = 0;
  uint64_t done = 0;
  {
    Progress progress(quoted_if_needed(options.in), in.size());
    while (const size_t got = in.read(buffer + held, kReadLen)) {
      const size_t len = held + got;
      held = mode.in_blocks ? len % kBlockLen : 0;
      if (padded && !encrypts && held == 0) held = kBlockLen;
      cipher.process(buffer, len - held);
      require_written(out.write(buffer, len - held));
      memmove(buffer, buffer + len - held, held);
      progress.update(done += got);
    }
  }

  const std::string length_mistake = fmt::format("the input has {} bytes, no multiple of 16", done);
  if (padded && encrypts) {
    const size_t pad_len = kBlockLen - held;
    memset(buffer + held, static_cast<int>(pad_len), pad_len);
    cipher.process(buffer, kBlockLen);
    require_written(out.write(buffer, kBlockLen));
  } else if (padded) {
    if (done == 0) throw CannotDecrypt("the input is empty: there is no padding in it");
    if (held != kBlockLen) throw CannotDecrypt(length_mistake);
    cipher.process(buffer, kBlockLen);
    require_written(out.write(buffer, unpadded_len(buffer)));
  } else if (held != 0) {
    throw std::runtime_error(length_mistake + "; --no-padding needs one");
  }
  require_written(out.commit());
}

std::string mode_names() {
  std::string names;
  for (const Mode& mode : kModes) names += (names.empty() ? "" : " ") + std::string(mode.name);
  return names;
}

const Mode* find_mode(const std::string& name) {
  for (const Mode& mode : kModes)
    if (name == mode.name) return &mode;
  return nullptr;
}

// What is wrong with the options together; empty if nothing is.
std::string contradiction(const Options& options, const Mode* mode) {
  if (options.direction != "encrypt" && options.direction != "decrypt")
    return options.direction.empty()
               ? "say encrypt or decrypt"
               : fmt::format("'{}' is neither encrypt nor decrypt", options.direction);
  if (mode == nullptr)
    return options.mode.empty()
               ? "no --mode given; one of: " + mode_names()
               : fmt::format("unknown mode '{}'; one of: {}", options.mode, mode_names());
  const bool has_key = options.given_key->count() > 0;
  const bool has_key_file = options.given_key_file->count() > 0;
  if (has_key && has_key_file) return "--key and --key-file exclude each other";
  if (!has_key && !has_key_file) return "no key given; use --key-file or --key";
  const bool has_iv = options.given_iv->count() > 0;
  if (mode->has_iv && !has_iv) return fmt::format("mode {} needs --iv, 32 hex digits", mode->name);
  if (!mode->has_iv && has_iv) return fmt::format("mode {} takes no --iv", mode->name);
  if (!mode->in_blocks && options.no_padding)
    return fmt::format("mode {} never pads; --no-padding is for ecb and cbc", mode->name);
  return "";
}

int run(const Options& options) {
  const Mode* mode = find_mode(options.mode);
  const std::string wrong = contradiction(options, mode);
  if (!wrong.empty()) return fail(kBadInput, wrong + " (see 'incore aes --help')");
  const bool encrypts = options.direction == "encrypt";
  try {
    const StopSignals stop_signals;
    Cipher cipher(*mode, encrypts, options);
    crypt(cipher, *mode, encrypts, options);
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
  options->given_key_file =
      app.add_option("--key-file", options->key_file, "File with the key: 16, 24 or 32 raw bytes");
  options->given_key =
      app.add_option("--key", options->key,
                     "The key, 32, 48 or 64 hex digits; other users can see it while this runs");
  options->given_iv = app.add_option(
      "--iv", options->iv, "Initialization vector or first counter, 32 hex digits; not for ecb");
  app.add_option("-i,--in", options->in, "Input file (default: standard input)");
  app.add_option("-o,--out", options->out,
                 "Output file, complete or not there; may be the input (default: standard output)");
  app.add_flag("--no-padding", options->no_padding,
               "ecb, cbc: no PKCS#7 padding; the length must be a multiple of 16");
  return [options] { return run(*options); };
}

}  // namespace

const Command aes_command = {
    "aes", "AES encryption and decryption of files, like openssl enc",
    "Example:\n"
    "  head -c 32 /dev/urandom > key\n"
    "  iv=$(od -An -v -tx1 -N16 /dev/urandom | tr -d ' ')\n"
    "  incore aes encrypt --mode ctr --key-file key --iv $iv --in plain --out secret\n"
    "  incore aes decrypt --mode ctr --key-file key --iv $iv --in secret --out plain\n"
    "No mode detects changes to the data. Decryption to standard output writes bytes as they are\n"
    "ready, before the padding is checked.\n"
    "Exit code: 0 done; 1 cannot be decrypted: wrong padding; 2 bad usage, cannot read or write.",
    configure};

}  // namespace incore::cli
