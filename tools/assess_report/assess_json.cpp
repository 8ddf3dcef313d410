// An assessment as JSON: all of it. What is not a finite number is null.
#include <cmath>

#include "tools/assess_report/assess_report.h"
#include "tools/base/json.h"

namespace incore::tools {
namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json numbers(const double* values, size_t num_values) {
  Json list = Json::array();
  for (size_t i = 0; i < num_values; ++i) list.push_back(number(values[i]));
  return list;
}

Json result_json(const incore_assess_result& result) {
  Json figures = Json::object();
  for (size_t i = 0; i < result.num_figures; ++i)
    figures[result.figures[i].name] = number(result.figures[i].value);
  return {{"suite", result.suite},
          {"test", result.test},
          {"variant", result.variant},
          {"verdict", incore_verdict_name(result.verdict)},
          {"p_value", number(result.p_value)},
          {"statistic", number(result.statistic)},
          {"min_entropy", number(result.min_entropy)},
          {"text", result.text},
          {"figures", figures}};
}

Json series_json(const incore_assess_series& series) {
  constexpr const char* kKinds[] = {"line", "bars", "points", "bitmap"};
  const bool bitmap = series.kind == INCORE_SERIES_BITMAP;
  Json json = {{"suite", series.suite},     {"name", series.name},
               {"title", series.title},     {"x_title", series.x_title},
               {"y_title", series.y_title}, {"kind", kKinds[series.kind]},
               {"low", number(series.low)}, {"high", number(series.high)}};
  if (bitmap)
    json["rows"] = series.rows, json["columns"] = series.columns;
  else
    json["x"] = numbers(series.x, series.num_points);
  json["y"] = numbers(series.y, series.num_points);
  return json;
}

}  // namespace

std::string assess_json(const AssessReport& report) {
  const incore_assess_summary& summary = report.summary;
  const incore_assess_options& options = report.input.options;
  Json json = {
      {"input",
       {{"name", report.input.name},
        {"bytes", summary.bytes},
        {"bytes_skipped", report.input.bytes_skipped},
        {"sha256", report.input.sha256},
        {"symbol_bits", summary.symbol_bits}}},
      {"verdict", incore_verdict_name(summary.verdict)},
      {"text", summary.text},
      {"worst",
       summary.worst == nullptr || *summary.worst == '\0' ? Json(nullptr) : Json(summary.worst)},
      {"partial", report.input.partial.empty() ? Json(nullptr) : Json(report.input.partial)},
      {"counts",
       {{"pass", summary.num_pass},
        {"weak", summary.num_weak},
        {"fail", summary.num_fail},
        {"skipped", summary.num_skipped}}},
      {"p_values", summary.num_p_values},
      {"false_alarm_rate", number(summary.false_alarm_rate)},
      {"visible_bias", number(summary.visible_bias)},
      {"min_entropy", number(summary.min_entropy)},
      {"reasons", std::vector<std::string>(summary.reasons, summary.reasons + summary.num_reasons)},
      // As used.
      {"options",
       {{"sequence_bits", options.sequence_bits},
        {"sequences", options.sequences},
        {"samples", options.samples},
        {"min_entropy", options.min_entropy > 0 ? Json(options.min_entropy) : Json(nullptr)},
        {"seed", options.seed}}},
      {"suites", Json::array()},
      {"results", Json::array()},
      {"series", Json::array()}};
  for (const AssessReport::Suite& suite : report.suites)
    json["suites"].push_back({{"name", suite.info.name},
                              {"title", suite.info.title},
                              {"source", suite.info.source},
                              {"bytes", suite.run.bytes},
                              {"seconds", number(suite.run.seconds)},
                              {"gigabytes_per_second", number(suite.gigabytes_per_second())}});
  for (const incore_assess_result& result : report.results)
    json["results"].push_back(result_json(result));
  for (const incore_assess_series& series : report.series)
    json["series"].push_back(series_json(series));
  // A file name need not be UTF-8, JSON must.
  return json.dump(1) + "\n";
}

}  // namespace incore::tools
