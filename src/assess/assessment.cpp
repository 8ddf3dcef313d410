#include "assess/assessment.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "assess/summary.h"

namespace incore::assess {
namespace {

constexpr size_t kHeadLen = 1'000'000;
// What suites are fed with at a time: the most that symbols are packed into, and enough to be worth
// a thread.
constexpr size_t kPieceLen = 4 << 20, kWorthThreads = 256 << 10;

class ProgressOf final : public Progress {
 public:
  ProgressOf(const ProgressCall& call, bool* stopped) : call_(call), stopped_(stopped) {}
  bool update(const char* what, double share) override {
    if (!*stopped_ && call_ && call_(what, share) != 0) *stopped_ = true;
    return !*stopped_;
  }

 private:
  const ProgressCall& call_;
  bool* stopped_;
};

// Adds the time from construction to destruction.
class Timed {
 public:
  explicit Timed(double* seconds) : seconds_(seconds) {}
  ~Timed() {
    *seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Timed(const Timed&) = delete;

 private:
  double* seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Does |work| for the suite of |run|. What it throws is the end of that suite only.
template <class Work>
void guarded(Assessment::Run& run, const Work& work) {
  if (!run.given_up.empty()) return;
  Timed timed(&run.seconds);
  try {
    work();
    return;
  } catch (const std::bad_alloc&) {
    run.given_up = "not enough memory";
  } catch (const std::exception& error) {
    run.given_up = error.what();
  } catch (...) {
    run.given_up = "an unknown exception";
  }
  run.suite.reset();
}

// Calls |work| for each run, on as many threads as can be had.
template <class Work>
void side_by_side(std::vector<Assessment::Run>& runs, unsigned threads, const Work& work) {
  std::atomic<size_t> next = 0;
  const auto loop = [&] {
    for (size_t i; (i = next++) < runs.size();) work(runs[i]);
  };
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() + 1 < std::min<size_t>(threads, runs.size())) helpers.emplace_back(loop);
  } catch (const std::exception&) {  // no more threads: those that there are do it
  }
  loop();
}

uint8_t all_bits(std::span<const uint8_t> data) {
  return std::accumulate(data.begin(), data.end(), uint8_t{0},
                         [](uint8_t a, uint8_t b) { return static_cast<uint8_t>(a | b); });
}

// Text of the digits 0 and 1, with blanks and ends of lines.
bool are_binary_digits(std::span<const uint8_t> data) {
  const auto fits = [](uint8_t c) {
    return c == '0' || c == '1' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
  };
  return !data.empty() && std::all_of(data.begin(), data.end(), fits);
}

}  // namespace

std::vector<const SuiteInfo*> choose_suites(const char* names) {
  std::vector<const SuiteInfo*> chosen;
  const bool all = names != nullptr && std::string(names) == "all";
  if (names == nullptr || all) {
    for (const SuiteInfo* suite : suites())
      if (all || suite->by_default) chosen.push_back(suite);
    return chosen;
  }
  const std::string list = names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const auto known = std::find_if(suites().begin(), suites().end(),
                                    [&](const SuiteInfo* suite) { return suite->name == name; });
    if (known == suites().end()) {
      std::string accepted;
      for (const SuiteInfo* suite : suites()) accepted += std::string(" ") + suite->name;
      throw std::invalid_argument("unknown suite '" + name + "'; accepted are: all" + accepted);
    }
    if (std::find(chosen.begin(), chosen.end(), *known) == chosen.end()) chosen.push_back(*known);
    begin = end + 1;
  }
  return chosen;
}

Assessment::Assessment(std::vector<const SuiteInfo*> chosen, const Options& options,
                       unsigned symbol_bits, ProgressCall progress)
    : chosen_(std::move(chosen)), options_(options), progress_(std::move(progress)) {
  options_.symbol_bits = symbol_bits;
  options_.symbol_bits_given = symbol_bits != 0;
  if (options_.symbol_bits_given) begin();
}

void Assessment::begin() {
  begun_ = true;
  if (!options_.symbol_bits_given) {
    const uint8_t bits = all_bits(head_);
    options_.symbol_bits = bits == 1 ? 1 : 8;
    if (bits > 1 && bits < 0x80) narrower_ = static_cast<unsigned>(std::bit_width(bits));
    digits_ = are_binary_digits(head_);
  }
  runs_.reserve(chosen_.size());
  for (const SuiteInfo* info : chosen_) {
    Run& run = runs_.emplace_back(Run{.info = info});
    guarded(run, [&] { run.suite = info->make(options_); });
  }
}

std::string Assessment::update(std::span<const uint8_t> data) {
  if (begun_) return feed(data);
  const size_t wanted = std::min(kHeadLen - head_.size(), data.size());
  head_.insert(head_.end(), data.begin(), data.begin() + static_cast<ptrdiff_t>(wanted));
  if (head_.size() < kHeadLen) return "";
  begin();
  std::string wrong = feed(head_);
  head_ = {};
  return wrong.empty() ? feed(data.subspan(wanted)) : wrong;
}

// Where a symbol of |symbols|, which come next, is too wide; empty if none is.
std::string Assessment::too_wide(std::span<const uint8_t> symbols) const {
  const unsigned width = options_.symbol_bits;
  if (all_bits(symbols) >> width == 0) return "";
  const auto wide = std::find_if(symbols.begin(), symbols.end(),
                                 [&](uint8_t symbol) { return symbol >> width != 0; });
  return "byte " + std::to_string(num_bytes_ + static_cast<uint64_t>(wide - symbols.begin())) +
         " is " + std::to_string(*wide) + ", but symbols are " + std::to_string(width) +
         (width == 1 ? " bit" : " bits") + " wide" +
         (options_.symbol_bits_given ? "" : ", as the first bytes show");
}

std::string Assessment::feed(std::span<const uint8_t> symbols) {
  const size_t len = symbols.size();
  while (!symbols.empty() && !stopped_) {
    const auto piece = symbols.first(std::min(kPieceLen, symbols.size()));
    symbols = symbols.subspan(piece.size());
    if (std::string wrong = too_wide(piece); !wrong.empty()) return wrong;
    num_bytes_ += piece.size();
    const bool packs = options_.symbol_bits < 8;
    if (packs) pack(piece);
    side_by_side(runs_, piece.size() < kWorthThreads ? 1 : options_.threads, [&](Run& run) {
      guarded(run, [&] {
        run.suite->update(packs && run.info->input == Input::packed ? packed_ : piece);
        run.bytes = run.suite->bytes_read();
      });
    });
    if (!symbols.empty())
      ProgressOf(progress_, &stopped_)
          .update("feeding", 1 - static_cast<double>(symbols.size()) / static_cast<double>(len));
  }
  return "";
}

void Assessment::pack(std::span<const uint8_t> symbols) {
  packed_.clear();
  for (const uint8_t symbol : symbols) {
    pending_ = pending_ << options_.symbol_bits | symbol;
    num_pending_ += options_.symbol_bits;
    if (num_pending_ < 8) continue;
    num_pending_ -= 8;
    packed_.push_back(static_cast<uint8_t>(pending_ >> num_pending_));
    pending_ &= (1u << num_pending_) - 1;
  }
}

void Assessment::finish() {
  if (!begun_) {
    begin();
    (void)feed(head_);  // nothing can be too wide: the width was found in these bytes
    head_ = {};
  }
  for (Run& run : runs_) {
    ProgressOf progress(progress_, &stopped_);
    progress.update(run.info->title, 0);
    guarded(run, [&] {
      run.suite->finish(run.report, progress);
      run.suite.reset();  // what it needed is the next one's
    });
    if (!run.given_up.empty()) run.report.skip(run.info->title, "given up: " + run.given_up);
  }
  finished_ = true;
  summary_ = summarize(runs_, options_);
  if (summary_.verdict != INCORE_VERDICT_FAIL) return;
  if (digits_) {
    summary_.reasons.insert(
        summary_.reasons.begin(),
        "all bytes are the characters 0 and 1: were bits meant? Bytes were judged; "
        "tr -dc 01 < FILE | tr 01 '\\000\\001' makes symbols of one bit of them");
  } else if (narrower_) {
    const std::string width = std::to_string(*narrower_);
    summary_.reasons.insert(summary_.reasons.begin(),
                            "of each byte only the lowest " + width +
                                " bits are in use: were symbols of " + width +
                                " bits meant? Nobody said so, so bytes were judged");
  }
}

}  // namespace incore::assess
