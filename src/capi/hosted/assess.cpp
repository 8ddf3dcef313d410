// The C interface of assessments: include/incore/assess.h.
#include <algorithm>
#include <stdexcept>
#include <thread>

#include "assess/assessment.h"
#include "assess/special.h"
#include "assess/uniformity.h"
#include "capi/hosted/guard.h"

using incore::assess::Assessment;
using incore::assess::Options;
using incore::assess::Result;
using incore::assess::Series;
using incore::assess::SuiteInfo;

namespace {

// What was found, in the C interface's form.
struct Found {
  std::vector<incore_assess_result> results = {};
  std::vector<std::vector<incore_assess_figure>> figures = {};
  std::vector<incore_assess_series> series = {};
  std::vector<const char*> reasons = {};
};

enum class State { open, finished, broken };  // broken: memory ran out on the way

}  // namespace

struct incore_assess {
  Assessment assessment;
  State state = State::open;
  Found found = {};
};

namespace incore {
namespace {

// SP 800-22's tests need 100 bits, the Fourier transform of a sequence 8 bytes for each.
constexpr uint64_t kLeastSequenceBits = 100, kMostSequenceBits = 100'000'000;
constexpr uint64_t kMostSequences = 1000;

// A demand that nobody looks at must not seem to be met.
void require_judge_of_entropy(const std::vector<const SuiteInfo*>& chosen) {
  const auto judges = [](const SuiteInfo* suite) { return suite->judges_entropy; };
  if (std::any_of(chosen.begin(), chosen.end(), judges)) return;
  std::string able;
  for (const SuiteInfo* suite : incore::assess::suites())
    if (suite->judges_entropy) able += (able.empty() ? "" : " or ") + std::string(suite->name);
  refuse(INCORE_ERROR_ALGORITHM,
         "min-entropy is demanded, but none of the suites judges it: add " + able);
}

Found find(const Assessment& assessment) {
  Found found;
  for (const Assessment::Run& run : assessment.runs()) {
    for (const Result& result : run.report.results) {
      auto& figures = found.figures.emplace_back();
      for (const auto& figure : result.figures)
        figures.push_back({figure.name.c_str(), figure.value});
      found.results.push_back({run.info->name, result.test.c_str(), result.variant.c_str(),
                               result.verdict, result.statistic, result.p_value, result.min_entropy,
                               result.text.c_str(), figures.size(), figures.data()});
    }
    for (const Series& series : run.report.series)
      found.series.push_back({run.info->name, series.name.c_str(), series.title.c_str(),
                              series.x_title.c_str(), series.y_title.c_str(), series.kind,
                              series.y.size(), series.x.data(), series.y.data(), series.rows,
                              series.columns, series.low, series.high});
  }
  for (const std::string& reason : assessment.summary().reasons)
    found.reasons.push_back(reason.c_str());
  return found;
}

// Does |work| on |assess|, which is of no use if that throws.
template <class Work>
incore_status work_on(incore_assess* assess, State state_after, char* reason, size_t reason_len,
                      Work&& work) {
  if (assess == nullptr) return INCORE_ERROR_NULL;
  if (assess->state != State::open) return INCORE_ERROR_STATE;
  return guarded(reason, reason_len, [&] {
    assess->state = State::broken;
    work(assess->assessment);
    assess->state = state_after;
  });
}

// The options that |given| means, with defaults filled in.
Options options_of(const incore_assess_options& given) {
  if (given.symbol_bits > 8) refuse(INCORE_ERROR_RANGE, "symbols are 1 to 8 bits wide");
  if (!(given.min_entropy >= 0 && given.min_entropy <= 8))
    refuse(INCORE_ERROR_RANGE, "the min-entropy of a symbol is 0 to 8 bits");
  if (given.sequence_bits != 0 &&
      (given.sequence_bits < kLeastSequenceBits || given.sequence_bits > kMostSequenceBits))
    refuse(INCORE_ERROR_RANGE, "a sequence has 100 to 100000000 bits");
  if (given.sequences > kMostSequences)
    refuse(
        INCORE_ERROR_RANGE,
        "sequences are 1 to 1000; with more, the approximations in SP 800-22 itself would be seen");
  if (given.threads > 1024) refuse(INCORE_ERROR_RANGE, "threads are 1 to 1024");
  Options made;
  if (given.sequence_bits != 0) made.sequence_bits = given.sequence_bits;
  if (given.sequences != 0) made.sequences = given.sequences;
  if (given.samples != 0) made.samples = given.samples;
  made.min_entropy = given.min_entropy;
  made.threads =
      given.threads != 0 ? given.threads : std::max(1u, std::thread::hardware_concurrency());
  made.seed = given.seed;
  return made;
}

std::vector<const SuiteInfo*> suites_of(const char* names) {
  try {
    return assess::choose_suites(names);
  } catch (const std::invalid_argument& wrong) {
    refuse(INCORE_ERROR_ALGORITHM, wrong.what());
  }
}

// Copies element |index| of |all|.
template <class T>
incore_status get(const std::vector<T>& all, size_t index, T* out) {
  if (index >= all.size()) return INCORE_ERROR_RANGE;
  *out = all[index];
  return INCORE_OK;
}

}  // namespace
}  // namespace incore

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
                                char* reason, size_t reason_len) {
  if (out_assess == nullptr) return INCORE_ERROR_NULL;
  return incore::guarded(reason, reason_len, [&] {
    const incore_assess_options given = options != nullptr ? *options : incore_assess_options{};
    const Options made = incore::options_of(given);
    const std::vector<const SuiteInfo*> chosen = incore::suites_of(given.suites);
    if (made.min_entropy > 0) incore::require_judge_of_entropy(chosen);
    incore::assess::ProgressCall progress;
    if (given.progress != nullptr)
      progress = [call = given.progress, context = given.context](const char* what, double share) {
        return call(context, what, share);
      };
    *out_assess =
        new incore_assess{Assessment(chosen, made, given.symbol_bits, std::move(progress))};
  });
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
                                   char* reason, size_t reason_len) {
  if (data == nullptr && len != 0) return INCORE_ERROR_NULL;
  std::string wrong;
  const incore_status status =
      incore::work_on(assess, State::open, reason, reason_len, [&](Assessment& assessment) {
        wrong = assessment.update({data, len});
      });
  if (status != INCORE_OK || wrong.empty()) return status;
  incore::give_reason(wrong, reason, reason_len);
  return INCORE_ERROR_FORMAT;
}

incore_status incore_assess_finish(incore_assess* assess) {
  return incore::work_on(assess, State::finished, nullptr, 0, [&](Assessment& assessment) {
    assessment.finish();
    assess->found = incore::find(assessment);
  });
}

incore_status incore_assess_get_summary(const incore_assess* assess,
                                        incore_assess_summary* out_summary) {
  if (assess == nullptr || out_summary == nullptr) return INCORE_ERROR_NULL;
  const Assessment& assessment = assess->assessment;
  if (assess->state != State::finished) return INCORE_ERROR_STATE;
  const Assessment::Summary& summary = assessment.summary();
  *out_summary = {summary.verdict,
                  summary.text.c_str(),
                  summary.worst.c_str(),
                  assessment.bytes(),
                  assessment.options().symbol_bits,
                  assessment.stopped(),
                  assess->found.reasons.size(),
                  assess->found.reasons.data(),
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
  return assess != nullptr ? assess->found.results.size() : 0;
}

incore_status incore_assess_get_result(const incore_assess* assess, size_t result,
                                       incore_assess_result* out_result) {
  if (assess == nullptr || out_result == nullptr) return INCORE_ERROR_NULL;
  return incore::get(assess->found.results, result, out_result);
}

size_t incore_assess_num_series(const incore_assess* assess) {
  return assess != nullptr ? assess->found.series.size() : 0;
}

incore_status incore_assess_get_series(const incore_assess* assess, size_t series,
                                       incore_assess_series* out_series) {
  if (assess == nullptr || out_series == nullptr) return INCORE_ERROR_NULL;
  return incore::get(assess->found.series, series, out_series);
}

size_t incore_assess_num_runs(const incore_assess* assess) {
  return assess != nullptr && assess->state == State::finished ? assess->assessment.runs().size()
                                                               : 0;
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
                                     double* out_evenness) {
  if (p_values == nullptr || out_evenness == nullptr) return INCORE_ERROR_NULL;
  if (num_p_values == 0) return INCORE_ERROR_LENGTH;
  return incore::guarded([&] {
    *out_evenness = incore::assess::anderson_darling_cdf(
        incore::assess::anderson_darling({p_values, p_values + num_p_values}));
  });
}
