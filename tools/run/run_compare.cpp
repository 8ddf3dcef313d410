#include "tools/run/run_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tools/base/quote.h"
#include "tools/run/run_places.h"

namespace incore::tools {
namespace {

constexpr char kNoUnits[] = ",rng=off,ace=off,ace2=off,phe=off,phe2=off,ccs=off,pmm=off";
constexpr size_t kMostCalls = 1 << 20;

std::string line(const std::string& text) {
  return "incore run --compare: " + text + "\n";
}

// Of the line with the first difference, what surrounds it.
std::string piece(const std::string& text, size_t line_begin, size_t at) {
  constexpr size_t kBefore = 24, kMost = 72;
  if (at >= text.size()) return "(the end)";
  const size_t begin = std::max(line_begin, at < kBefore ? 0 : at - kBefore);
  const size_t end = std::min(text.find('\n', at), text.size());
  const size_t shown_end = at == end ? end + 1 : end;  // with the line feed, if that differs
  return one_line(text.substr(begin, std::min(shown_end - begin, kMost)));
}

std::string output_difference(const char* name, const std::string& with,
                              const std::string& without) {
  if (with == without) return "";
  const size_t at = static_cast<size_t>(
      std::mismatch(with.begin(), with.end(), without.begin(), without.end()).first - with.begin());
  const std::string same = with.substr(0, at);
  const size_t newline = same.rfind('\n');
  const size_t line_begin = newline == std::string::npos ? 0 : newline + 1;
  return line(fmt::format("{} differs at byte {}, in line {}", name, at + 1,
                          std::count(same.begin(), same.end(), '\n') + 1)) +
         fmt::format("    with PadLock    {}\n    without it      {}\n",
                     piece(with, line_begin, at), piece(without, line_begin, at));
}

std::string exit_text(int code) {
  constexpr int kSignalled = 128;
  return code > kSignalled ? fmt::format("{} (signal {})", code, code - kSignalled)
                           : fmt::format("{}", code);
}

// As lines; none if all is the same.
std::string differences(const CapturedRun& with, const CapturedRun& without) {
  std::string lines;
  if (with.report.exit_code != without.report.exit_code)
    lines +=
        line(fmt::format("the exit code is {} with PadLock, {} without it",
                         exit_text(with.report.exit_code), exit_text(without.report.exit_code)));
  return lines + output_difference("standard output", with.out, without.out) +
         output_difference("standard error", with.err, without.err);
}

bool get_result(const incore_run_call& call, ResultBytes* out) {
  if (call.result == nullptr || call.done == 0) return false;
  std::memcpy(out->data(), call.result, out->size());
  return true;
}

}  // namespace

void RunComparison::note_result(void* context, const incore_run_call* call) {
  auto& first_results = static_cast<RunComparison*>(context)->first_results_;
  ResultBytes result;
  if (first_results.size() < kMostCalls && get_result(*call, &result)) first_results.insert(result);
}

void RunComparison::note_call(void* context, const incore_run_call* call) {
  auto& c = *static_cast<RunComparison*>(context);
  ++c.num_calls_;
  if (c.calls_.size() == kMostCalls) return;
  if (c.places_.size() <= call->place) c.places_.resize(call->place + 1);
  if (c.places_[call->place].empty()) c.places_[call->place] = place_text(*call);
  Call entry = {ResultSearch::kNone, call->mnemonic, call->bytes,
                call->place,         call->key_bits, call->has_control_word != 0,
                call->decrypts != 0, false};
  if (ResultBytes result; get_result(*call, &result)) {
    entry.result = c.search_.add(result, call->has_control_word == 0);
    entry.repeats = c.first_results_.contains(result);
  }
  c.calls_.push_back(entry);
}

std::string RunComparison::run(const incore_run_options& options, const char* const* argv) {
  static constexpr uint64_t kSeed = 0;
  std::string error = input_.read();
  if (!error.empty()) return error;
  incore_run_options with = options;
  with.on_call = note_result;
  with.call_context = this;
  if (with.rng_seed == nullptr) with.rng_seed = &kSeed;
  with_ = run_captured(with, argv, input_, true, &error);
  if (!error.empty()) return error;
  if (with_.status != INCORE_OK) return with_.report.message;
  for (unsigned i = 0; i < with_.report.num_insns; ++i) num_calls_ += with_.report.insns[i].calls;

  const std::string model = std::string(with_.report.model) + kNoUnits;
  incore_run_options without = {};
  without.model = model.c_str();
  const CapturedRun other = run_captured(without, argv, input_, false, &error);
  if (!error.empty()) return error;
  if (other.status != INCORE_OK) return other.report.message;
  differences_ = differences(with_, other);
  if (same() || num_calls_ == 0) return "";

  num_calls_ = 0;
  with.on_finding = nullptr;
  with.on_call = note_call;
  for (incore_run_options* each : {&with, &without}) {
    each->on_memory = ResultSearch::look;
    each->memory_context = &search_;
  }
  const CapturedRun with_again = run_captured(with, argv, input_, false, &error);
  if (!error.empty()) return error;
  for (size_t i = 0; i < search_.size(); ++i) visible_.push_back(search_.found(i));
  search_.forget_finds();
  const CapturedRun other_again = run_captured(without, argv, input_, false, &error);
  if (!error.empty()) return error;
  const bool varies = !differences(with_, with_again).empty();
  if (varies || !differences(other, other_again).empty())
    judgement_ =
        line(fmt::format("it also differs from itself in a second run {} PadLock, so no "
                         "call can be judged",
                         varies ? "with" : "without"));
  else
    judge();
  return "";
}

// A result counts as judged if it can be missed: if it was in memory with PadLock, in both runs.
void RunComparison::judge() {
  if (!search_.looked_at_all()) {
    judgement_ = line("there was too much memory to search, so no call can be judged");
    return;
  }
  size_t num_judged = 0, num_missing = 0, first_missing = 0;
  for (size_t i = 0; i < calls_.size(); ++i) {
    const Call& call = calls_[i];
    if (call.result == ResultSearch::kNone || !call.repeats || !visible_[call.result]) continue;
    ++num_judged;
    if (search_.found(call.result)) continue;
    if (num_missing++ == 0) first_missing = i;
  }
  if (num_missing != 0)
    judgement_ = line("the first call whose result the program without PadLock never had:") +
                 call_text(first_missing);
  judgement_ +=
      line(fmt::format("of {} calls {} can be judged; {} of these had a result that was "
                       "never there without PadLock",
                       num_calls_, num_judged, num_missing));
}

std::string RunComparison::call_text(size_t index) const {
  const Call& call = calls_[index];
  std::string text = fmt::format("    call {}, {}", index + 1, call.mnemonic);
  if (call.has_control_word) text += call.decrypts ? ", decryption" : ", encryption";
  if (call.key_bits != 0) text += fmt::format(", {}-bit key", call.key_bits);
  return text + fmt::format(", {} bytes,\n    at {}\n", call.bytes, places_[call.place]);
}

std::string RunComparison::text() const {
  std::string text = num_calls_ == 0 ? line("no PadLock call was made") : "";
  if (same() && num_calls_ != 0)
    text += line(fmt::format("outputs and exit code are the same without PadLock; {} calls of it",
                             num_calls_));
  return text + differences_ + judgement_;
}

}  // namespace incore::tools
