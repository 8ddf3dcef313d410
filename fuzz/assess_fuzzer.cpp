// Any options and any bytes in any pieces as an assessment: what is refused has a reason; what is
// accepted ends with results that hold together, the same whether it comes in pieces or at once.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "incore/assess.h"

namespace {

struct Outcome {
  bool accepted = false;
  std::vector<double> p_values = {};
};

int stop_after(void* context, const char* what, double share) {
  FUZZ_CHECK(what != nullptr && share >= 0 && share <= 1);
  auto* const left = static_cast<int*>(context);
  return *left == 0 || --*left == 0;
}

void check_results(const incore_assess* assess, Outcome* out) {
  incore_assess_summary summary;
  FUZZ_CHECK(incore_assess_get_summary(assess, &summary) == INCORE_OK);
  size_t judged = 0;
  for (size_t i = 0; i < incore_assess_num_results(assess); ++i) {
    incore_assess_result result;
    FUZZ_CHECK(incore_assess_get_result(assess, i, &result) == INCORE_OK);
    FUZZ_CHECK(result.verdict >= INCORE_VERDICT_INFO && result.verdict <= INCORE_VERDICT_FAIL);
    FUZZ_CHECK(std::isnan(result.p_value) || (result.p_value >= 0 && result.p_value <= 1));
    FUZZ_CHECK(*result.test != '\0');
    judged += result.verdict >= INCORE_VERDICT_PASS;
    out->p_values.push_back(result.p_value);
  }
  FUZZ_CHECK(judged == summary.num_pass + summary.num_weak + summary.num_fail);
  FUZZ_CHECK((summary.num_fail != 0) == (summary.verdict == INCORE_VERDICT_FAIL));
  for (size_t i = 0; i < incore_assess_num_series(assess); ++i) {
    incore_assess_series series;
    FUZZ_CHECK(incore_assess_get_series(assess, i, &series) == INCORE_OK);
    if (series.kind == INCORE_SERIES_BITMAP)
      FUZZ_CHECK(series.rows * series.columns == series.num_points);
  }
}

// |piece| bytes at a time.
Outcome assess(const incore_assess_options& options, const uint8_t* data, size_t len,
               size_t piece) {
  Outcome out;
  incore_assess* made = nullptr;
  char reason[300] = "";
  if (incore_assess_new(&options, &made, reason, sizeof reason) != INCORE_OK) {
    FUZZ_CHECK(made == nullptr && reason[0] != '\0');
    return out;
  }
  out.accepted = true;
  for (size_t at = 0; at < len; at += piece)
    if (incore_assess_update(made, data + at, std::min(piece, len - at), reason, sizeof reason) !=
        INCORE_OK) {
      FUZZ_CHECK(reason[0] != '\0');
      out.accepted = false;
      break;
    }
  FUZZ_CHECK(incore_assess_finish(made) == INCORE_OK);
  FUZZ_CHECK(incore_assess_finish(made) == INCORE_ERROR_STATE);
  check_results(made, &out);
  incore_assess_free(made);
  return out;
}

bool same(const Outcome& a, const Outcome& b) {
  return a.accepted == b.accepted &&
         (!a.accepted || std::equal(a.p_values.begin(), a.p_values.end(), b.p_values.begin(),
                                    b.p_values.end(), [](double p, double q) {
                                      return p == q || (std::isnan(p) && std::isnan(q));
                                    }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  constexpr size_t kHead = 16;
  if (len < kHead) return 0;
  // Each suite alone, all of them, those by default, or a name out of the data.
  static const size_t num_suites = incore_assess_num_suites();
  const size_t choice = data[0] % (num_suites + 3);
  std::string names = "all";
  if (choice < num_suites) {
    incore_assess_suite suite;
    FUZZ_CHECK(incore_assess_get_suite(choice, &suite) == INCORE_OK);
    names = suite.name;
  } else if (choice == num_suites) {
    names.assign(reinterpret_cast<const char*>(data) + 8,
                 strnlen(reinterpret_cast<const char*>(data) + 8, 8));
  }
  incore_assess_options options = {};
  options.suites = choice == num_suites + 1 ? nullptr : names.c_str();
  options.symbol_bits = data[1] % 10;
  options.sequence_bits = data[2] * 16u;
  options.sequences = data[3] % 8;
  options.samples = data[4] * 8u;
  options.min_entropy = data[5] / 25.0;
  options.threads = 1 + data[6] % 2;
  const size_t piece = 1 + data[7];
  // Data of a real length, of the input repeated, with symbols that fit as often as not.
  std::vector<uint8_t> symbols(data + kHead, data + len);
  const size_t times = symbols.empty() ? 1 : 1 + data[8] * 16u / symbols.size();
  std::vector<uint8_t> all;
  for (size_t i = 0; i < times; ++i) all.insert(all.end(), symbols.begin(), symbols.end());
  if (data[9] & 1)
    for (uint8_t& symbol : all) symbol &= static_cast<uint8_t>((1u << (data[1] % 10)) - 1);

  const Outcome pieces = assess(options, all.data(), all.size(), piece);
  FUZZ_CHECK(same(pieces, assess(options, all.data(), all.size(), all.size() + 1)));
  int left = data[10];
  options.progress = stop_after;
  options.context = &left;
  (void)assess(options, all.data(), all.size(), all.size() + 1);
  return 0;
}
