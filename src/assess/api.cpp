// The C interface of assessments: include/incore/assess.h.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "assess/assessment.h"
#include "assess/special.h"
#include "assess/uniformity.h"

using incore::assess::Assessment;
using incore::assess::Options;
using incore::assess::Result;
using incore::assess::Series;
using incore::assess::SuiteInfo;

struct incore_assess {
  Assessment assessment;
  // In the C interface's form, made by finish.
  std::vector<incore_assess_result> results = {};
  std::vector<std::vector<incore_assess_figure>> figures = {};
  std::vector<incore_assess_series> series = {};
  std::vector<const char*> reasons = {};
};

namespace {

// SP 800-22's tests need 100 bits, the Fourier transform of a sequence 8 bytes for each.
constexpr uint64_t kLeastSequenceBits = 100, kMostSequenceBits = 100'000'000;
constexpr uint64_t kMostSequences = 1000;

void give_reason(std::string_view text, char* reason, size_t reason_len) {
  if (reason == nullptr || reason_len == 0) return;
  const size_t len = std::min(text.size(), reason_len - 1);
  std::memcpy(reason, text.data(), len);
  reason[len] = '\0';
}

// What a function of the C interface returns for the exception in flight.
incore_status status_of_exception(char* reason, size_t reason_len) noexcept {
  try {
    throw;
  } catch (const std::invalid_argument& wrong) {
    give_reason(wrong.what(), reason, reason_len);
    return INCORE_ERROR_ALGORITHM;
  } catch (...) {
    give_reason("not enough memory", reason, reason_len);
    return INCORE_ERROR_RANGE;
  }
}

// A demand that nobody looks at must not seem to be met.
void require_judge_of_entropy(const std::vector<const SuiteInfo*>& chosen) {
  const auto judges = [](const SuiteInfo* suite) { return suite->judges_entropy; };
  if (std::any_of(chosen.begin(), chosen.end(), judges)) return;
  std::string able;
  for (const SuiteInfo* suite : incore::assess::suites())
    if (suite->judges_entropy) able += (able.empty() ? "" : " or ") + std::string(suite->name);
  throw std::invalid_argument("min-entropy is demanded, but none of the suites judges it: add " +
                              able);
}

void make_results(incore_assess& assess) {
  for (const Assessment::Run& run : assess.assessment.runs()) {
    for (const Result& result : run.report.results) {
      auto& figures = assess.figures.emplace_back();
      for (const auto& figure : result.figures)
        figures.push_back({figure.name.c_str(), figure.value});
      assess.results.push_back({run.info->name, result.test.c_str(), result.variant.c_str(),
                                result.verdict, result.statistic, result.p_value,
                                result.min_entropy, result.text.c_str(), figures.size(),
                                figures.data()});
    }
    for (const Series& series : run.report.series)
      assess.series.push_back({run.info->name, series.name.c_str(), series.title.c_str(),
                               series.x_title.c_str(), series.y_title.c_str(), series.kind,
                               series.y.size(), series.x.data(), series.y.data(), series.rows,
                               series.columns, series.low, series.high});
  }
  for (const std::string& reason : assess.assessment.summary().reasons)
    assess.reasons.push_back(reason.c_str());
}

// Copies element |index| of |all|.
template <class T>
incore_status get(const std::vector<T>& all, size_t index, T* out) {
  if (index >= all.size()) return INCORE_ERROR_RANGE;
  *out = all[index];
  return INCORE_OK;
}

}  // namespace

const char* incore_verdict_name(incore_verdict verdict) {
  constexpr const char* kNames[] = {"info", "skipped", "pass", "weak", "fail", "undecided"};
  const auto index = static_cast<size_t>(verdict);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

size_t incore_assess_num_suites(void) {
  return incore::assess::suites().size();
}

incore_status incore_assess_get_suite(size_t suite, incore_assess_suite* out_suite) {
  if (out_suite == nullptr) return INCORE_ERROR_NULL;
  if (suite >= incore_assess_num_suites()) return INCORE_ERROR_RANGE;
  const SuiteInfo& info = *incore::assess::suites()[suite];
  *out_suite = {info.name, info.title, info.source, info.by_default};
  return INCORE_OK;
}

incore_status incore_assess_new(const incore_assess_options* options, incore_assess** out_assess,
                                char* reason, size_t reason_len) try {
  if (out_assess == nullptr) return INCORE_ERROR_NULL;
  const incore_assess_options given = options != nullptr ? *options : incore_assess_options{};
  const auto refuse = [&](const char* text) {
    give_reason(text, reason, reason_len);
    return INCORE_ERROR_RANGE;
  };
  if (given.symbol_bits > 8) return refuse("symbols are 1 to 8 bits wide");
  if (!(given.min_entropy >= 0 && given.min_entropy <= 8))
    return refuse("the min-entropy of a symbol is 0 to 8 bits");
  if (given.sequence_bits != 0 &&
      (given.sequence_bits < kLeastSequenceBits || given.sequence_bits > kMostSequenceBits))
    return refuse("a sequence has 100 to 100000000 bits");
  if (given.sequences > kMostSequences)
    return refuse(
        "sequences are 1 to 1000; with more, the approximations in SP 800-22 itself would be seen");
  if (given.threads > 1024) return refuse("threads are 1 to 1024");
  Options made;
  if (given.sequence_bits != 0) made.sequence_bits = given.sequence_bits;
  if (given.sequences != 0) made.sequences = given.sequences;
  if (given.samples != 0) made.samples = given.samples;
  made.min_entropy = given.min_entropy;
  made.threads =
      given.threads != 0 ? given.threads : std::max(1u, std::thread::hardware_concurrency());
  made.seed = given.seed;
  const std::vector<const SuiteInfo*> chosen = incore::assess::choose_suites(given.suites);
  if (made.min_entropy > 0) require_judge_of_entropy(chosen);
  incore::assess::ProgressCall progress;
  if (given.progress != nullptr)
    progress = [call = given.progress, context = given.context](const char* what, double share) {
      return call(context, what, share);
    };
  *out_assess = new incore_assess{Assessment(chosen, made, given.symbol_bits, std::move(progress))};
  return INCORE_OK;
} catch (...) {
  return status_of_exception(reason, reason_len);
}

incore_status incore_assess_get_options(const incore_assess* assess,
                                        incore_assess_options* out_options) {
  if (assess == nullptr || out_options == nullptr) return INCORE_ERROR_NULL;
  const Options& options = assess->assessment.options();
  *out_options = {};
  out_options->symbol_bits = options.symbol_bits;
  out_options->sequence_bits = options.sequence_bits;
  out_options->sequences = options.sequences;
  out_options->samples = options.samples;
  out_options->min_entropy = options.min_entropy;
  out_options->threads = options.threads;
  out_options->seed = options.seed;
  return INCORE_OK;
}

void incore_assess_free(incore_assess* assess) {
  delete assess;
}

incore_status incore_assess_update(incore_assess* assess, const uint8_t* data, size_t len,
                                   char* reason, size_t reason_len) try {
  if (assess == nullptr || (data == nullptr && len != 0)) return INCORE_ERROR_NULL;
  if (assess->assessment.finished()) return INCORE_ERROR_STATE;
  const std::string wrong = assess->assessment.update({data, len});
  if (wrong.empty()) return INCORE_OK;
  give_reason(wrong, reason, reason_len);
  return INCORE_ERROR_FORMAT;
} catch (...) {
  return status_of_exception(reason, reason_len);
}

incore_status incore_assess_finish(incore_assess* assess) try {
  if (assess == nullptr) return INCORE_ERROR_NULL;
  if (assess->assessment.finished()) return INCORE_ERROR_STATE;
  assess->assessment.finish();
  make_results(*assess);
  return INCORE_OK;
} catch (...) {
  return status_of_exception(nullptr, 0);
}

incore_status incore_assess_get_summary(const incore_assess* assess,
                                        incore_assess_summary* out_summary) {
  if (assess == nullptr || out_summary == nullptr) return INCORE_ERROR_NULL;
  const Assessment& assessment = assess->assessment;
  if (!assessment.finished()) return INCORE_ERROR_STATE;
  const Assessment::Summary& summary = assessment.summary();
  *out_summary = {summary.verdict,
                  summary.text.c_str(),
                  summary.worst.c_str(),
                  assessment.bytes(),
                  assessment.options().symbol_bits,
                  assessment.stopped(),
                  assess->reasons.size(),
                  assess->reasons.data(),
                  summary.num[INCORE_VERDICT_PASS],
                  summary.num[INCORE_VERDICT_WEAK],
                  summary.num[INCORE_VERDICT_FAIL],
                  summary.num[INCORE_VERDICT_SKIPPED],
                  summary.num_p_values,
                  summary.false_alarm_rate,
                  summary.min_entropy,
                  summary.visible_bias};
  return INCORE_OK;
}

size_t incore_assess_num_results(const incore_assess* assess) {
  return assess != nullptr ? assess->results.size() : 0;
}

incore_status incore_assess_get_result(const incore_assess* assess, size_t result,
                                       incore_assess_result* out_result) {
  if (assess == nullptr || out_result == nullptr) return INCORE_ERROR_NULL;
  return get(assess->results, result, out_result);
}

size_t incore_assess_num_series(const incore_assess* assess) {
  return assess != nullptr ? assess->series.size() : 0;
}

incore_status incore_assess_get_series(const incore_assess* assess, size_t series,
                                       incore_assess_series* out_series) {
  if (assess == nullptr || out_series == nullptr) return INCORE_ERROR_NULL;
  return get(assess->series, series, out_series);
}

size_t incore_assess_num_runs(const incore_assess* assess) {
  return assess != nullptr && assess->assessment.finished() ? assess->assessment.runs().size() : 0;
}

incore_status incore_assess_get_run(const incore_assess* assess, size_t run,
                                    incore_assess_run* out_run) {
  if (assess == nullptr || out_run == nullptr) return INCORE_ERROR_NULL;
  if (run >= incore_assess_num_runs(assess)) return INCORE_ERROR_RANGE;
  const Assessment::Run& each = assess->assessment.runs()[run];
  *out_run = {each.info->name, each.bytes, each.seconds};
  return INCORE_OK;
}

double incore_assess_chi_square_p(double statistic, double degrees) {
  return incore::assess::chi_square_p(statistic, degrees);
}

incore_status incore_assess_evenness(const double* p_values, size_t num_p_values,
                                     double* out_evenness) try {
  if (p_values == nullptr || out_evenness == nullptr) return INCORE_ERROR_NULL;
  if (num_p_values == 0) return INCORE_ERROR_LENGTH;
  *out_evenness = incore::assess::anderson_darling_cdf(
      incore::assess::anderson_darling({p_values, p_values + num_p_values}));
  return INCORE_OK;
} catch (const std::bad_alloc&) {
  return INCORE_ERROR_RANGE;
}
