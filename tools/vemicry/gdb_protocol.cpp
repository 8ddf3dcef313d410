#include "tools/vemicry/gdb_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tools/base/gdb_packet.h"
#include "tools/base/hex.h"

namespace incore::tools {
namespace {

constexpr char kInterrupt = '\003';
constexpr uint8_t kSigInt = 2, kSigTrap = 5;
constexpr uint64_t kSlice = 1'000'000;  // instructions until the debugger is heard again
constexpr const char* kRefused = "E01";
constexpr const char* kOk = "OK";

// Takes a hexadecimal number from the front; none: there is no digit, or it has more than 32 bits.
std::optional<uint32_t> take_number(std::string_view* inout_text) {
  uint64_t number = 0;
  size_t len = 0;
  for (; len < inout_text->size() && hex_digit((*inout_text)[len]) >= 0; ++len) {
    number = number << 4 | static_cast<uint64_t>(hex_digit((*inout_text)[len]));
    if (number > UINT32_MAX) return std::nullopt;
  }
  inout_text->remove_prefix(len);
  return len == 0 ? std::nullopt : std::optional(static_cast<uint32_t>(number));
}

bool take(std::string_view* inout_text, std::string_view prefix) {
  if (!inout_text->starts_with(prefix)) return false;
  inout_text->remove_prefix(prefix.size());
  return true;
}

// "1234,56", and nothing behind it.
struct Pair {
  uint32_t first, second;
};
std::optional<Pair> take_pair(std::string_view* inout_text) {
  const std::optional<uint32_t> first = take_number(inout_text);
  if (!first || !take(inout_text, ",")) return std::nullopt;
  const std::optional<uint32_t> second = take_number(inout_text);
  return second ? std::optional(Pair{*first, *second}) : std::nullopt;
}

std::string hex_byte(uint8_t byte) {
  return to_hex(&byte, 1);
}

// Binary data: '}' makes the next character another one.
std::vector<uint8_t> unescaped(std::string_view text) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '}' && i + 1 < text.size();
    if (is_escape) ++i;
    bytes.push_back(static_cast<uint8_t>(text[i] ^ (is_escape ? 0x20 : 0)));
  }
  return bytes;
}

std::string escaped(std::string_view text) {
  std::string packet;
  for (const char c : text) {
    const bool is_special = c == '}' || c == '$' || c == '#' || c == '*';
    if (is_special) packet += '}';
    packet += static_cast<char>(is_special ? c ^ 0x20 : c);
  }
  return packet;
}

}  // namespace

void GdbSession::receive(std::string_view bytes) {
  input_ += bytes;
  take_packets();
}

void GdbSession::take_packets() {
  size_t begin = 0;
  while (begin < input_.size() && end_ == End::none) {
    if (input_[begin] == kInterrupt && is_running_) stop({GdbStop::Kind::signal, kSigInt});
    if (input_[begin] != '$') {  // acknowledgements, too
      ++begin;
      continue;
    }
    const size_t hash = input_.find('#', begin);
    if (hash == std::string::npos || hash + 2 >= input_.size()) {
      if (input_.size() - begin > kMaxPacketLen) begin = input_.size();
      break;
    }
    begin = input_.rfind('$', hash);  // what begins before it was cut off
    const std::string packet = input_.substr(begin + 1, hash - begin - 1);
    const int high = hex_digit(input_[hash + 1]), low = hex_digit(input_[hash + 2]);
    const bool is_sound = high >= 0 && low >= 0 && (high << 4 | low) == gdb_checksum(packet);
    begin = hash + 3;
    if (acknowledges_) output_ += is_sound ? '+' : '-';
    if (is_sound) handle(packet);
  }
  input_.erase(0, begin);
}

void GdbSession::handle(std::string_view packet) {
  if (packet == "k" || packet.starts_with("vKill")) {
    if (packet != "k") send(kOk);
    end_ = End::killed;
  } else if (packet == "D" || packet.starts_with("D;")) {
    send(kOk);
    end_ = End::detached;
  } else if (!handle_resuming(packet)) {
    send(answer_to(packet));
  }
  if (packet == "QStartNoAckMode") acknowledges_ = false;
}

// An answer comes when the program stops again.
bool GdbSession::handle_resuming(std::string_view packet) {
  if (take(&packet, "vCont;")) {  // actions by thread: there is one
    packet = packet.substr(0, packet.find_first_of(":;"));
  } else if (packet.empty() || std::string_view("cCsS").find(packet[0]) == std::string_view::npos) {
    return false;
  }
  if (is_running_) return true;
  if (packet.empty() || std::string_view("cCsS").find(packet[0]) == std::string_view::npos) {
    send(kRefused);
    return true;
  }
  resume(packet);
  return true;
}

void GdbSession::resume(std::string_view action) {
  const bool has_signal = action[0] == 'C' || action[0] == 'S';
  steps_ = action[0] == 's' || action[0] == 'S';
  action.remove_prefix(1);
  const std::optional<uint32_t> number = take_number(&action);
  if (number && !has_signal) return send(kRefused);  // to another address: GDB sets the pc instead
  if (has_signal && number && *number != 0 && *number != kSigTrap && *number != kSigInt) {
    send("X" + hex_byte(static_cast<uint8_t>(*number)));
    end_ = *number == last_signal_ ? End::trapped : End::killed;
    return;
  }
  is_running_ = passes_ = true;
}

void GdbSession::run_some() {
  const GdbStop stopped = target_.run(steps_ ? 1 : kSlice, passes_);
  passes_ = false;
  if (stopped.kind != GdbStop::Kind::none)
    stop(stopped);
  else if (steps_)
    stop({GdbStop::Kind::signal, kSigTrap});
}

void GdbSession::stop(GdbStop stop) {
  is_running_ = false;
  const bool exits = stop.kind == GdbStop::Kind::exited;
  last_stop_ = (exits ? "W" : "S") + hex_byte(stop.number);
  if (exits)
    end_ = End::exited;
  else
    last_signal_ = stop.number;
  send(last_stop_);
}

void GdbSession::send(std::string_view packet) {
  output_ += gdb_packet(packet);
}

std::string GdbSession::answer_to(std::string_view packet) {
  const std::string_view rest = packet.substr(std::min<size_t>(1, packet.size()));
  const auto done = [](bool is_done) { return std::string(is_done ? kOk : kRefused); };
  switch (packet.empty() ? '\0' : packet[0]) {
    case '?':
      return last_stop_;
    case 'H':  // which thread the next packets are for
    case 'T':  // whether a thread lives
      return kOk;
    case 'g':
      return read_registers();
    case 'G':
      return done(write_registers(rest));
    case 'p': {
      std::string_view text = rest;
      const std::optional<uint32_t> number = take_number(&text);
      if (!number || *number >= target_.num_registers()) return kRefused;
      const std::vector<uint8_t> bytes = target_.read_register(*number);
      return to_hex(bytes.data(), bytes.size());
    }
    case 'P': {
      std::string_view text = rest;
      const std::optional<uint32_t> number = take_number(&text);
      if (!number || *number >= target_.num_registers() || !take(&text, "=")) return kRefused;
      return done(target_.write_register(*number, from_leading_hex(text)));
    }
    case 'm':
      return read_memory(rest);
    case 'M':
    case 'X':
      return done(write_memory(rest, packet[0] == 'X'));
    case 'Z':
    case 'z':
      if (!rest.starts_with("0,") && !rest.starts_with("1,")) return "";  // watchpoints
      return done(set_breakpoint(rest.substr(2), packet[0] == 'Z'));
    case 'q':
    case 'Q':
    case 'v':
      return answer_to_query(packet);
    default:
      return "";  // not known
  }
}

std::string GdbSession::answer_to_query(std::string_view packet) {
  if (packet.starts_with("qSupported"))
    return fmt::format("PacketSize={:x};qXfer:features:read+;QStartNoAckMode+;vContSupported+",
                       kMaxPacketLen);
  if (packet == "QStartNoAckMode") return kOk;
  if (packet == "vCont?") return "vCont;c;C;s;S";
  if (packet == "qAttached") return "0";  // to quit is to end the program
  if (packet == "qC") return "QC1";
  if (packet == "qfThreadInfo") return "m1";
  if (packet == "qsThreadInfo") return "l";
  if (take(&packet, "qXfer:features:read:target.xml:")) return read_description(packet);
  if (packet.starts_with("qXfer:features:read:")) return "E00";  // no such document
  return "";
}

std::string GdbSession::read_description(std::string_view range) const {
  const std::optional<Pair> pair = take_pair(&range);
  if (!pair) return kRefused;
  const std::string& text = target_.description();
  if (pair->first >= text.size()) return "l";
  const size_t len = std::min<size_t>(pair->second, kMaxPacketLen / 4);  // they may be escaped
  const std::string_view part = std::string_view(text).substr(pair->first, len);
  return (pair->first + part.size() < text.size() ? "m" : "l") + escaped(part);
}

std::string GdbSession::read_registers() const {
  std::string text;
  for (size_t i = 0; i < target_.num_registers(); ++i) {
    const std::vector<uint8_t> bytes = target_.read_register(i);
    text += to_hex(bytes.data(), bytes.size());
  }
  return text;
}

bool GdbSession::write_registers(std::string_view digits) {
  const std::vector<uint8_t> all = from_leading_hex(digits);
  std::span<const uint8_t> rest = all;
  for (size_t i = 0; i < target_.num_registers(); ++i) {
    const size_t len = target_.read_register(i).size();
    if (rest.size() < len || !target_.write_register(i, rest.first(len))) return false;
    rest = rest.subspan(len);
  }
  return true;
}

std::string GdbSession::read_memory(std::string_view range) const {
  const std::optional<Pair> pair = take_pair(&range);
  if (!pair || pair->second > kMaxPacketLen / 2) return kRefused;
  const std::vector<uint8_t> bytes = target_.read_memory(pair->first, pair->second);
  if (bytes.empty() && pair->second != 0) return kRefused;
  return to_hex(bytes.data(), bytes.size());
}

bool GdbSession::write_memory(std::string_view packet, bool is_binary) {
  const std::optional<Pair> pair = take_pair(&packet);
  if (!pair || !take(&packet, ":")) return false;
  const std::vector<uint8_t> bytes = is_binary ? unescaped(packet) : from_leading_hex(packet);
  return bytes.size() == pair->second && target_.write_memory(pair->first, bytes);
}

bool GdbSession::set_breakpoint(std::string_view packet, bool is_set) {
  const std::optional<Pair> pair = take_pair(&packet);  // the second one is a kind
  return pair && target_.set_breakpoint(pair->first, is_set);
}

}  // namespace incore::tools
