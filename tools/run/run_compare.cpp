#include "tools/run/run_compare.h"

#include <cstring>

#include "tools/run/run_places.h"

namespace incore::tools {
namespace {

constexpr char kNoUnits[] = ",rng=off,ace=off,ace2=off,phe=off,phe2=off,ccs=off,pmm=off";
constexpr size_t kMostCalls = 1 << 20;

bool same_outcome(const CapturedRun& a, const CapturedRun& b) {
  return a.report.exit_code == b.report.exit_code && a.out == b.out && a.err == b.err;
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
  ++c.found_.num_calls;
  if (c.calls_.size() == kMostCalls) return;
  if (c.places_.size() <= call->place) c.places_.resize(call->place + 1);
  if (Place& place = c.places_[call->place]; place.text.empty()) {
    place = {place_text(*call), {{"address", call->address}}};
    add_place(*call, &place.members);
  }
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
  with.repeatable = 1;
  with_ = run_captured(with, argv, input_, true, &error);
  if (!error.empty()) return error;
  if (with_.status != INCORE_OK) return with_.report.message;
  found_.model = with_.report.model;
  for (unsigned i = 0; i < with_.report.num_insns; ++i)
    found_.num_calls += with_.report.insns[i].calls;

  const std::string model = found_.model + kNoUnits;
  incore_run_options without = {};
  without.model = model.c_str();
  without.rng_seed = with.rng_seed;
  without.repeatable = 1;
  const CapturedRun other = run_captured(without, argv, input_, false, &error);
  if (!error.empty()) return error;
  if (other.status != INCORE_OK) return other.report.message;
  found_.set_outcomes(with_, other);
  if (same() || found_.num_calls == 0) return "";

  found_.num_calls = 0;
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
  const bool varies = !same_outcome(with_, with_again);
  if (varies || !same_outcome(other, other_again))
    found_.why_not_judged = std::string("it also differs from itself in a second run ") +
                            (varies ? "with" : "without") + " PadLock";
  else if (!search_.looked_at_all())
    found_.why_not_judged = "there was too much memory to search";
  else
    judge();
  return "";
}

// A result counts as judged if it can be missed: if it was in memory with PadLock, in both runs.
void RunComparison::judge() {
  RunDifferences::Judgement& judgement = found_.judgement.emplace();
  for (size_t i = 0; i < calls_.size(); ++i) {
    const Call& call = calls_[i];
    if (call.result == ResultSearch::kNone || !call.repeats || !visible_[call.result]) continue;
    ++judgement.num_judged;
    if (search_.found(call.result)) continue;
    if (judgement.num_missed++ == 0) judgement.first_missed = missed_call(i);
  }
}

MissedCall RunComparison::missed_call(size_t index) const {
  const Call& call = calls_[index];
  const Place& place = places_[call.place];
  return {index + 1,     call.mnemonic, call.bytes,   call.key_bits, call.has_control_word,
          call.decrypts, place.text,    place.members};
}

}  // namespace incore::tools
