// Where bytes to be judged or handed on come from: a file, standard input, or a generator of this
// processor, all read alike.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "incore/rng.h"
#include "tools/random/emulated_padlock_rng.h"

namespace incore::tools {

// What the command line says of a source.
struct SourceOptions {
  std::string name;  // "rdrand", ..., a file's name, "-"
  unsigned quality = 0;
  std::optional<uint32_t> condition;  // bytes for each 32; 0: as many as full entropy needs
  double min_entropy = 0;             // 0: the library's
  double stall_timeout = 0;           // seconds; 0: none
  EmulatedRngOptions chip;            // xstore only

  // The first option given that only xstore has, such as "--cpu"; empty: none.
  std::string options_of_xstore() const;
  // The same of all generators: a file has none of these.
  std::string options_of_generators() const;
};

// Of the generators: "rdseed", "xstore", ...
std::vector<std::string> source_names();
// "rdseed, xstore, ...".
std::string known_sources();

// One open source. A generator's name wins over a file of that name, which is ./NAME.
class ByteSource {
 public:
  ByteSource();
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // An error in words, empty if all went well.
  std::string open(const SourceOptions& options);

  enum class End {
    none,         // more may follow
    end,          // of the file or pipe
    interrupted,  // interrupt.h
    error,        // |error| says what
  };
  struct Read {
    size_t len;  // what is in the buffer, whatever the end
    End end;
    std::string error = {};
  };
  // Fills |buffer| as far as the source has bytes now, at least one byte unless |end| says why. A
  // live source fills it whole.
  Read read(std::span<uint8_t> buffer);

  const std::string& name() const { return name_; }  // for messages: "rdrand", "'capture.bin'"
  bool is_live() const;
  // Bytes that a regular file still has; nothing for pipes, devices and live sources.
  std::optional<uint64_t> size() const { return size_; }
  // Live sources only, once they were started: what the health tests have seen, and how
  // conditioning was asked for.
  std::optional<incore_rng_health> health() const;
  uint32_t condition_bytes() const;
  // The emulated chip, if that is the source; else null.
  const EmulatedRng* chip() const;

 private:
  class Live;
  std::string open_file(const std::string& path);
  Read read_file(std::span<uint8_t> buffer);

  std::string name_;
  std::unique_ptr<Live> live_;
  std::optional<uint64_t> size_;
  double stall_timeout_ = 0;
  int fd_ = -1;
  bool waits_ = false;  // reading may have to wait
};

}  // namespace incore::tools
