#include "tools/run/run_trace.h"

#include <fmt/format.h>

#include <iterator>

#include "tools/run/run_places.h"

namespace incore::tools {
namespace {

constexpr size_t kVectorLen = 16;

void add_hex(std::string* out, const unsigned char* bytes, size_t len) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (size_t i = 0; i < len; ++i) {
    out->push_back(kDigits[bytes[i] >> 4]);
    out->push_back(kDigits[bytes[i] & 15]);
  }
}

template <class... Arguments>
void print(std::string* out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(*out), format, std::forward<Arguments>(arguments)...);
}

const char* direction(const incore_run_call& call) {
  return call.decrypts != 0 ? "decrypt" : "encrypt";
}

}  // namespace

// There may be millions of lines, so they are put together without a Json.

void RunTrace::add_text(const incore_run_call& call) {
  std::string& text = lines_;
  print(&text, "{:12.6f} {}", call.seconds, call.pid);
  if (call.tid != call.pid) print(&text, "/{}", call.tid);
  print(&text, " {}", call.mnemonic);
  if (call.has_control_word != 0) print(&text, " {}", direction(call));
  if (call.key_bits != 0) {
    print(&text, " key {}-bit ", call.key_bits);
    if (call.key != nullptr)
      add_hex(&text, call.key, call.key_bits / 8);
    else
      print(&text, "#{:016x}", call.key_digest);
  }
  if (call.has_control_word != 0) print(&text, " {} rounds", call.rounds);
  if (call.vector != nullptr) {
    text += " iv ";
    add_hex(&text, call.vector, kVectorLen);
  }
  print(&text, " {} bytes", call.bytes);
  if (call.has_input != 0) print(&text, " in #{:016x}", call.input_digest);
  if (call.has_output != 0) print(&text, " out #{:016x}", call.output_digest);
  if (call.done == 0) text += " FAULT";
  std::string& place = place_of(call);
  if (place.empty()) place = " at " + place_text(call) + "\n";
  text += place;
}

void RunTrace::add_json(const incore_run_call& call) {
  std::string& text = lines_;
  print(&text,
        R"({{"seconds":{:.6f},"process":{},"thread":{},"instruction":"{}","done":{},"bytes":{})",
        call.seconds, call.pid, call.tid, call.mnemonic, call.done != 0, call.bytes);
  if (call.has_control_word != 0)
    print(&text, R"(,"direction":"{}","rounds":{},"schedule":"{}")", direction(call), call.rounds,
          call.expands != 0 ? "hardware" : "memory");
  if (call.key_bits != 0)
    print(&text, R"(,"key_bits":{},"key_digest":"{:016x}")", call.key_bits, call.key_digest);
  const auto add_member = [&](const char* name, const unsigned char* bytes, size_t len) {
    if (bytes == nullptr) return;
    print(&text, R"(,"{}":")", name);
    add_hex(&text, bytes, len);
    text += '"';
  };
  add_member("key", call.key, call.key_bits / 8);
  add_member("iv", call.vector, kVectorLen);
  if (call.has_input != 0) print(&text, R"(,"input_digest":"{:016x}")", call.input_digest);
  if (call.has_output != 0) print(&text, R"(,"output_digest":"{:016x}")", call.output_digest);
  std::string& place = place_of(call);
  if (place.empty()) {
    Json entry = {{"address", call.address}};
    add_place(call, &entry);
    place = "," + entry.line().substr(1) + "\n";
  }
  text += place;
}

std::string& RunTrace::place_of(const incore_run_call& call) {
  if (places_.size() <= call.place) places_.resize(call.place + 1);
  return places_[call.place];
}

std::string RunTrace::open() {
  return is_file() ? file_.open(name_, OutputFile::Kind::secret) : "";
}

void RunTrace::add(void* context, const incore_run_call* call) {
  RunTrace& trace = *static_cast<RunTrace*>(context);
  if (trace.is_file() && !trace.error_.empty()) {
    ++trace.unwritten_;
    return;
  }
  trace.is_file() ? trace.add_json(*call) : trace.add_text(*call);
  ++trace.num_lines_;
  constexpr size_t kMostWaiting = 1 << 16;
  if (!trace.is_file() || trace.lines_.size() >= kMostWaiting) trace.write_lines();
}

void RunTrace::write_lines() {
  if (!is_file()) {
    std::fwrite(lines_.data(), 1, lines_.size(), stderr);
  } else if (error_.empty()) {
    error_ = file_.write(lines_.data(), lines_.size());
    if (!error_.empty()) unwritten_ += num_lines_;
  }
  lines_.clear();
  num_lines_ = 0;
}

std::string RunTrace::close(uint64_t lost) {
  write_lines();
  std::string kept;
  if (is_file() && error_.empty()) error_ = file_.commit();
  if (is_file() && !error_.empty()) file_.keep_partial(&kept);
  std::string missing = error_;
  if (unwritten_ != 0) missing += fmt::format("; {} calls are not in it", unwritten_);
  if (!kept.empty()) missing += "; what was written is in " + quoted_if_needed(kept);
  if (lost != 0) missing += fmt::format("{}{} calls were lost", missing.empty() ? "" : "; ", lost);
  return missing;
}

}  // namespace incore::tools
