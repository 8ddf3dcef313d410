// The files of `incore vemicry trace`: each kind is written by a class of its own, one executed
// instruction after the other, so that a trace may be longer than memory.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "incore/vemicry.h"
#include "tools/base/output_file.h"

namespace incore::tools {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;

  // These return an error in words, empty if all went well. commit() makes the file appear.
  std::string open(const std::string& path) { return file_.open(path); }
  std::string commit();

  virtual void begin([[maybe_unused]] uint32_t num_lanes) {}
  virtual void add(const incore_vemicry_traced& traced) = 0;
  virtual void finish(const incore_vemicry_trace_totals&) {}

  // The first thing that went wrong in writing.
  const std::string& error() const { return error_; }

 protected:
  void write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferLen) flush();
  }
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= kBufferLen) flush();
  }

 private:
  static constexpr size_t kBufferLen = 1 << 16;
  void flush();

  OutputFile file_;
  std::string buffer_, error_;
};

struct TraceFile {
  const char* name;
  const char* content;  // for people
  std::unique_ptr<TraceWriter> (*make)();
};

extern const TraceFile dasm_file, pc_file, stats_file, kanata_file, chrome_file;

}  // namespace incore::tools
