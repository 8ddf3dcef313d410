#include "tools/samples/crap_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "incore/sha.h"
#include "tools/random/rng_source.h"
#include "tools/samples/execute_padlock.h"
#include "tools/samples/padlock_chip.h"

namespace incore::tools {
namespace {

constexpr uint32_t kMsrRng = 0x110B;
constexpr uint32_t kReportedBits = 0x1F;  // BCNT, which nobody writes
constexpr uint32_t kRngExistsAndIsEnabled = 3u << 2, kPheExistsAndIsEnabled = 3u << 10;

// XSTORE of this CPU or of an emulated model, timed by the model's clock.
class ChipSource final : public CrapSource {
 public:
  ChipSource(const CrapOptions& options)
      : CrapSource(static_cast<unsigned>(options.sha)),
        chip_(open(options)),
        divider_(static_cast<unsigned>(*options.edx)),
        seed_(options.chip.seed) {
    if ((chip_.flags() & kRngExistsAndIsEnabled) != kRngExistsAndIsEnabled)
      throw CrapProcessorError{chip_.title() + " has no generator, or it is switched off"};
    if (options.sha != 0 && (chip_.flags() & kPheExistsAndIsEnabled) != kPheExistsAndIsEnabled)
      throw std::invalid_argument("--sha: " + chip_.title() + " cannot hash (no PHE)");
  }

  std::string title() const override {
    if (chip_.is_native()) return chip_.title();
    return fmt::format("{}; rates are by that clock, noise by --seed {}", chip_.title(), seed_);
  }
  std::string chip() const override {
    return chip_.is_native() ? fmt::format("via-{:x}", chip_.signature()) : chip_.name();
  }
  bool is_chip() const override { return true; }

  std::string set_msr(uint32_t value, uint32_t* out_kept) override {
    uint64_t kept = 0;
    if (incore_padlock_write_msr(chip_.get(), kMsrRng, value) != INCORE_OK ||
        incore_padlock_read_msr(chip_.get(), kMsrRng, &kept) != INCORE_OK)
      return chip_.is_native() ? "MSR 0x110B cannot be written: that needs root and the kernel "
                                 "module msr"
                               : fmt::format("{} has no MSR 0x110B", chip_.name());
    *out_kept = static_cast<uint32_t>(kept) & ~kReportedBits;
    return "";
  }

 protected:
  Taken take(uint8_t* out, size_t len) override {
    incore_padlock_registers r = {};
    r.rcx = len;
    r.rdx = divider_;
    r.rdi = address_of(out);
    std::string error = chip_.execute("rep-xstore", &r);
    return {error.empty() ? len : 0, false, std::move(error)};
  }

  std::string hash(const uint8_t* in, size_t len, uint8_t out_digest[kDigestLen]) override {
    alignas(16) uint32_t state[32] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    for (uint32_t& word : state) word = little_endian(word);
    incore_padlock_registers r = {};
    r.rcx = len;
    r.rsi = address_of(in);
    r.rdi = address_of(state);
    std::string error = chip_.execute("xsha1", &r);
    for (size_t i = 0; i < kDigestLen; ++i)  // words, high byte first, as the standard writes them
      out_digest[i] = static_cast<uint8_t>(little_endian(state[i / 4]) >> (24 - i % 4 * 8));
    return error;
  }

  double clock() const override { return chip_.seconds(); }

 private:
  static PadlockChip open(const CrapOptions& options) {
    try {
      return open_chip_or_native(options.chip, options.native);
    } catch (const std::invalid_argument& wrong) {
      if (options.native) throw CrapProcessorError{wrong.what()};
      if (options.chip.model.empty()) throw;
      throw std::invalid_argument(fmt::format("--cpu: {}", wrong.what()));
    }
  }

  PadlockChip chip_;
  const unsigned divider_;
  const uint64_t seed_;
};

// A file, a pipe or another generator.
class OtherSource final : public CrapSource {
 public:
  OtherSource(const CrapOptions& options) : CrapSource(static_cast<unsigned>(options.sha)) {
    SourceOptions source;
    source.name = options.source;
    if (const std::string error = source_.open(source); !error.empty())
      throw std::invalid_argument(error);
    const std::string file = std::filesystem::path(options.source).filename();
    chip_ = options.source == "-" ? "stdin" : file;
  }

  std::string title() const override { return source_.name(); }
  std::string chip() const override { return chip_; }
  bool has_rate() const override { return !source_.size().has_value(); }
  std::string set_msr(uint32_t, uint32_t*) override { return "there is no MSR"; }

 protected:
  Taken take(uint8_t* out, size_t len) override {
    Taken taken = {0};
    while (taken.len < len && !taken.ended && taken.error.empty()) {
      const ByteSource::Read read = source_.read({out + taken.len, len - taken.len});
      taken.len += read.len;
      taken.ended = read.end == ByteSource::End::end || read.end == ByteSource::End::interrupted;
      taken.error = read.error;
    }
    return taken;
  }

  std::string hash(const uint8_t* in, size_t len, uint8_t out_digest[kDigestLen]) override {
    const incore_status status = incore_sha_digest(INCORE_SHA1, in, len, out_digest, kDigestLen);
    return status == INCORE_OK ? "" : incore_status_message(status);
  }

  double clock() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

 private:
  ByteSource source_;
  std::string chip_;
};

}  // namespace

CrapSource::Collected CrapSource::collect(size_t len) {
  buffer_.resize(std::max(buffer_.size(), len + kDigestLen + kOverrun));
  const double start = clock();
  const Taken taken = sha_ == 0 ? take(buffer_.data(), len) : take_hashed(len);
  return {{buffer_.data(), taken.len}, clock() - start, taken.ended, taken.error};
}

CrapSource::Taken CrapSource::take_hashed(size_t len) {
  std::vector<uint8_t> input(sha_ + kOverrun);
  size_t done = 0;
  while (done < len) {
    Taken taken = take(input.data(), sha_);
    if (taken.len < sha_) return {done, taken.ended, std::move(taken.error)};
    if (std::string error = hash(input.data(), sha_, buffer_.data() + done); !error.empty())
      return {done, false, std::move(error)};
    done += kDigestLen;
  }
  return {len};
}

std::unique_ptr<CrapSource> open_crap_source(const CrapOptions& options) {
  if (options.source.empty()) return std::make_unique<ChipSource>(options);
  return std::make_unique<OtherSource>(options);
}

}  // namespace incore::tools
