#include "tools/assess_report/assess_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/report/svg_plot.h"

namespace incore::tools {
namespace {

constexpr double kLeastShown = 1e-18;   // p-values; smaller ones are drawn here
constexpr size_t kMostTooltips = 1000;  // in a plot

PlotSeries horizontal(double x_low, double x_high, double y) {
  return {.name = "", .points = {{x_low, y, ""}, {x_high, y, ""}}};
}

}  // namespace

std::string p_value_plots(const AssessReport& report) {
  std::vector<const incore_assess_result*> sorted;
  for (const incore_assess_result& result : report.results)
    if (!std::isnan(result.p_value)) sorted.push_back(&result);
  if (sorted.empty()) return "";
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->p_value < b->p_value; });
  const auto num = static_cast<double>(sorted.size());
  const PlotMarks marks = sorted.size() <= kMostTooltips ? PlotMarks::shapes : PlotMarks::dots;
  PlotSeries points{.name = "", .points = {}, .connected = false, .marks = marks};
  for (size_t i = 0; i < sorted.size(); ++i)
    points.points.push_back({(static_cast<double>(i) + 0.5) / num, sorted[i]->p_value,
                             fmt::format("{}: {}: {}", sorted[i]->suite, label(*sorted[i]),
                                         p_text(sorted[i]->p_value))});
  const double least = 0.5 / num;
  Plot plot{.title = "Sorted p-values",
            .x_title = "what chance gives",
            .y_title = "p-value",
            .series = {points},
            .x_scale = PlotScale::linear,
            .y_scale = PlotScale::linear,
            .guides = {{.name = "", .points = {{0, 0, ""}, {1, 1, ""}}}}};
  const std::string linear = svg_plot(plot);

  for (PlotPoint& point : plot.series[0].points) point.y = std::max(point.y, kLeastShown);
  plot.title = "The same, the small ones spread out";
  plot.x_scale = plot.y_scale = PlotScale::logarithmic;
  plot.guides = {{.name = "", .points = {{least, least, ""}, {1, 1, ""}}},
                 horizontal(least, 1, 1e-3),
                 horizontal(least, 1, 1e-6)};
  return linear + svg_plot(plot);
}

std::string series_plot(const incore_assess_series& series) {
  if (series.kind == INCORE_SERIES_BITMAP)
    return svg_bitmap({series.title, series.x_title, series.y_title, series.rows, series.columns,
                       std::vector<double>(series.y, series.y + series.num_points)});
  constexpr PlotMarks kMarks[] = {PlotMarks::none, PlotMarks::bars, PlotMarks::dots};
  PlotSeries drawn{.name = "",
                   .points = {},
                   .connected = series.kind == INCORE_SERIES_LINE,
                   .marks = kMarks[series.kind]};
  if (series.kind == INCORE_SERIES_POINTS && series.num_points <= kMostTooltips)
    drawn.marks = PlotMarks::shapes;
  for (size_t i = 0; i < series.num_points; ++i)
    if (std::isfinite(series.x[i]) && std::isfinite(series.y[i]))
      drawn.points.push_back({series.x[i], series.y[i], fmt::format("{:.6g}", series.y[i])});
  Plot plot{.title = series.title,
            .x_title = series.x_title,
            .y_title = series.y_title,
            .series = {std::move(drawn)},
            .x_scale = PlotScale::linear,
            .y_scale = PlotScale::linear};
  if (std::isfinite(series.low) && std::isfinite(series.high))
    plot.band = std::pair{series.low, series.high};
  return svg_plot(plot);
}

}  // namespace incore::tools
