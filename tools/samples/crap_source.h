// Where CRAP's samples come from: a PadLock processor's generator, or any other source. Either may
// pass its bytes through SHA-1.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/samples/crap_options.h"

namespace incore::tools {

class CrapSource {
 public:
  struct Collected {
    std::span<const uint8_t> bytes;  // valid until the next call
    double seconds = 0;              // that it took
    bool ended = false;              // nothing more will come
    std::string error = {};
  };

  virtual ~CrapSource() = default;

  // The next |len| bytes, or fewer at the end. Where SHA-1 makes them, every call begins a new
  // digest, and its last one is cut.
  Collected collect(size_t len);

  virtual std::string title() const = 0;  // for people
  virtual std::string chip() const = 0;   // for the file's name
  virtual bool is_chip() const { return false; }
  virtual bool has_rate() const { return true; }

  // Writes MSR 0x110B and puts into |out_kept| what the processor kept of it.
  virtual std::string set_msr(uint32_t value, uint32_t* out_kept) = 0;

 protected:
  explicit CrapSource(unsigned sha) : sha_(sha) {}

  // REP XSTORE may write so many bytes too many.
  static constexpr size_t kOverrun = 7;
  static constexpr size_t kDigestLen = 20;

  struct Taken {
    size_t len;
    bool ended = false;
    std::string error = {};
  };
  // Puts |len| bytes at |out|, or fewer at the end; there is room for the overrun.
  virtual Taken take(uint8_t* out, size_t len) = 0;
  // SHA-1. An error in words, empty if all went well.
  virtual std::string hash(const uint8_t* in, size_t len, uint8_t out_digest[kDigestLen]) = 0;
  virtual double clock() const = 0;  // seconds

 private:
  Taken take_hashed(size_t len);

  const unsigned sha_;  // bytes for each digest; 0: no hashing
  std::vector<uint8_t> buffer_;
};

// Throws std::invalid_argument for options that do not fit the source, CrapProcessorError where
// there is no generator.
std::unique_ptr<CrapSource> open_crap_source(const CrapOptions& options);

struct CrapProcessorError {
  std::string message;
};

}  // namespace incore::tools
