#include "tools/run/run_differences.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/base/quote.h"

namespace incore::tools {
namespace {

std::string line(const std::string& text) {
  return "incore run --compare: " + text + "\n";
}

// Of the line with the first difference, what surrounds it.
std::string excerpt(const std::string& text, size_t line_begin, size_t at) {
  constexpr size_t kBefore = 24, kMost = 72;
  if (at >= text.size()) return "(the end)";
  const size_t begin = std::max(line_begin, at < kBefore ? 0 : at - kBefore);
  const size_t end = std::min(text.find('\n', at), text.size());
  const size_t shown_end = at == end ? end + 1 : end;  // with the line feed, if that differs
  return one_line(text.substr(begin, std::min(shown_end - begin, kMost)));
}

OutputDifference first_difference(const char* output, const std::string& with,
                                  const std::string& without) {
  const size_t at = static_cast<size_t>(
      std::mismatch(with.begin(), with.end(), without.begin(), without.end()).first - with.begin());
  const std::string same = with.substr(0, at);
  const size_t newline = same.rfind('\n');
  const size_t line_begin = newline == std::string::npos ? 0 : newline + 1;
  const auto line_number = static_cast<size_t>(std::count(same.begin(), same.end(), '\n')) + 1;
  return {output, at + 1, line_number, excerpt(with, line_begin, at),
          excerpt(without, line_begin, at)};
}

std::string exit_text(int code) {
  constexpr int kSignalled = 128;
  return code > kSignalled ? fmt::format("{} (signal {})", code, code - kSignalled)
                           : fmt::format("{}", code);
}

std::string call_text(const MissedCall& call) {
  std::string text = fmt::format("    call {}, {}", call.number, call.mnemonic);
  if (call.has_control_word) text += call.decrypts ? ", decryption" : ", encryption";
  if (call.key_bits != 0) text += fmt::format(", {}-bit key", call.key_bits);
  return text + fmt::format(", {} bytes,\n    at {}\n", call.bytes, call.place);
}

Json call_json(const MissedCall& call) {
  Json entry = {{"call", call.number}, {"instruction", call.mnemonic}, {"bytes", call.bytes}};
  if (call.has_control_word) entry["direction"] = call.decrypts ? "decrypt" : "encrypt";
  if (call.key_bits != 0) entry["key_bits"] = call.key_bits;
  for (const std::string& name : call.place_members.names()) entry[name] = call.place_members[name];
  return entry;
}

}  // namespace

void RunDifferences::set_outcomes(const CapturedRun& with, const CapturedRun& without) {
  exit_code = with.report.exit_code;
  exit_code_without = without.report.exit_code;
  outputs.clear();
  if (with.out != without.out)
    outputs.push_back(first_difference("standard output", with.out, without.out));
  if (with.err != without.err)
    outputs.push_back(first_difference("standard error", with.err, without.err));
}

std::string RunDifferences::text() const {
  std::string text = num_calls == 0 ? line("no PadLock call was made") : "";
  if (same() && num_calls != 0)
    text += line(fmt::format("outputs and exit code are the same without PadLock; {} calls of it",
                             num_calls));
  if (exit_code != exit_code_without)
    text += line(fmt::format("the exit code is {} with PadLock, {} without it",
                             exit_text(exit_code), exit_text(exit_code_without)));
  for (const OutputDifference& d : outputs)
    text += line(fmt::format("{} differs at byte {}, in line {}", d.output, d.byte, d.line)) +
            fmt::format("    with PadLock    {}\n    without it      {}\n", d.with, d.without);
  if (!why_not_judged.empty()) text += line(why_not_judged + ", so no call can be judged");
  if (!judgement) return text;
  if (judgement->first_missed)
    text += line("the first call whose result the program without PadLock never had:") +
            call_text(*judgement->first_missed);
  return text + line(fmt::format("of {} calls {} can be judged; {} of these had a result that was "
                                 "never there without PadLock",
                                 num_calls, judgement->num_judged, judgement->num_missed));
}

std::string RunDifferences::json() const {
  Json differences = Json::array();
  if (exit_code != exit_code_without)
    differences.push_back(
        {{"of", "exit code"}, {"with", exit_code}, {"without", exit_code_without}});
  for (const OutputDifference& d : outputs)
    differences.push_back({{"of", d.output},
                           {"byte", d.byte},
                           {"line", d.line},
                           {"with", d.with},
                           {"without", d.without}});
  Json found = {{"model", model},
                {"exit_code", exit_code},
                {"same", same()},
                {"calls", num_calls},
                {"differences", differences}};
  if (!why_not_judged.empty()) found["why_not_judged"] = why_not_judged;
  if (judgement) {
    found["judged"] = judgement->num_judged;
    found["never_had"] = judgement->num_missed;
    if (judgement->first_missed) found["first_never_had"] = call_json(*judgement->first_missed);
  }
  return json_text(found);
}

}  // namespace incore::tools
