#include "tools/report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tools/report/png.h"

namespace incore::tools {
namespace {

// In units of the drawing, which the page scales.
constexpr double kLeft = 76, kTop = 44, kWidth = 430, kHeight = 280, kBottom = 52;
constexpr double kLegendLeft = kLeft + kWidth + 22, kLegendLine = 19;

struct Axis {
  PlotScale scale;
  double low, high;   // values at its ends
  double start, len;  // where it is drawn; |len| is negative for the y axis
  std::vector<double> ticks;

  double at(double value) const {
    if (scale == PlotScale::linear) return start + len * (value - low) / (high - low);
    return start + len * std::log(value / low) / std::log(high / low);
  }
};

// 1, 2 and 5 times powers of ten, or powers of ten alone where those would be too many.
std::vector<double> decade_ticks(double low, double high) {
  std::vector<double> ticks;
  const bool sparse = high / low > 1e4;
  for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if ((factor == 1 || !sparse) && decade * factor >= low && decade * factor <= high)
        ticks.push_back(decade * factor);
  std::vector<double> some;
  for (size_t i = 0; i < ticks.size(); i += ticks.size() / 12 + 1) some.push_back(ticks[i]);
  return some;
}

// About five round numbers.
std::vector<double> even_ticks(double low, double high) {
  const double wanted = (high - low) / 5, decade = std::pow(10, std::floor(std::log10(wanted)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * decade >= wanted) step = factor * decade;
  std::vector<double> ticks;
  for (double number = std::ceil(low / step); number * step <= high; ++number)
    ticks.push_back(number * step + 0.0);  // not -0
  return ticks;
}

std::vector<double> binary_ticks(double low, double high) {
  std::vector<double> ticks;
  for (double tick = std::exp2(std::ceil(std::log2(low))); tick <= high; tick *= 2)
    ticks.push_back(tick);
  return ticks;
}

Axis make_axis(PlotScale scale, double low, double high, double start, double len, PlotTicks kind) {
  if (scale == PlotScale::linear) {
    const double margin = high > low ? 0.04 * (high - low) : std::max(0.05 * std::fabs(high), 1e-9);
    Axis axis{scale, low - margin, high + margin, start, len, {}};
    axis.ticks = even_ticks(axis.low, axis.high);
    return axis;
  }
  const double margin = std::max(std::pow(high / low, 0.06), 1.05);  // keeps points off the frame
  Axis axis{scale, low / margin, high * margin, start, len, {}};
  if (kind == PlotTicks::binary)
    axis.ticks = binary_ticks(axis.low, axis.high);
  else if (high / low < 8)
    axis.ticks = even_ticks(axis.low, axis.high);
  else
    axis.ticks = decade_ticks(axis.low, axis.high);
  return axis;
}

std::string tick_text(double value) {
  const double size = std::fabs(value);
  const bool is_long = size != 0 && (size < 1e-3 || size >= 1e7);
  return is_long ? fmt::format("{:.3g}", value) : fmt::format("{:.7g}", value);
}

// Colours repeat after eight series, shapes after five: forty series differ.
std::string series_class(size_t number) {
  return fmt::format("c{}", number % 8);
}

std::string marker(double x, double y, size_t number, const std::string& tooltip) {
  constexpr const char* kShapes[] = {"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "M-4,-4h8v8h-8z",
                                     "M0,-5.5L5,3.5H-5z", "M0,-5.5L5,0L0,5.5L-5,0z",
                                     "M0,5.5L5,-3.5H-5z"};
  return fmt::format(
      "<path class=\"{}\" transform=\"translate({:.1f},{:.1f})\" d=\"{}\">{}</path>\n",
      series_class(number), x, y, kShapes[number % 5],
      tooltip.empty() ? "" : "<title>" + xml_text(tooltip) + "</title>");
}

std::string line(const std::string& css_class, const std::vector<PlotPoint>& points, const Axis& x,
                 const Axis& y) {
  std::string list;
  for (const PlotPoint& point : points)
    list += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.y));
  return fmt::format("<polyline class=\"{} line\" points=\"{}\"/>\n", css_class, list);
}

// Of more points than the drawing can show, the highest and the lowest of each column, which come
// in the order of x.
std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, const Axis& x) {
  if (static_cast<double>(points.size()) < 4 * kWidth) return points;
  std::map<int, std::pair<PlotPoint, PlotPoint>> columns;
  for (const PlotPoint& point : points) {
    auto& [low, high] =
        columns.try_emplace(static_cast<int>(x.at(point.x)), point, point).first->second;
    if (point.y < low.y) low = point;
    if (point.y > high.y) high = point;
  }
  std::vector<PlotPoint> result;
  for (const auto& [column, ends] : columns) {
    const bool low_first = ends.first.x < ends.second.x;
    result.push_back(low_first ? ends.first : ends.second);
    result.push_back(low_first ? ends.second : ends.first);
  }
  return result;
}

std::string dots(const std::string& css_class, const std::vector<PlotPoint>& points, const Axis& x,
                 const Axis& y) {
  std::set<std::pair<int, int>> places;
  for (const PlotPoint& point : points)
    places.emplace(std::lround(x.at(point.x)), std::lround(y.at(point.y)));
  std::string path;
  for (const auto& [left, top] : places) path += fmt::format("M{},{}h0", left, top);
  return fmt::format("<path class=\"{} dots\" d=\"{}\"/>\n", css_class, path);
}

std::string bars(const std::string& css_class, const std::vector<PlotPoint>& points, const Axis& x,
                 const Axis& y) {
  double gap = kWidth / 4;  // between neighbours
  for (size_t i = 1; i < points.size(); ++i)
    gap = std::min(gap, std::fabs(x.at(points[i].x) - x.at(points[i - 1].x)));
  const double width = std::max(0.8 * gap, 0.3);
  const bool has_zero = y.scale == PlotScale::linear && y.low <= 0 && y.high >= 0;
  const double foot = has_zero ? y.at(0) : y.start;
  std::string path;
  for (const PlotPoint& point : points)
    path += fmt::format("M{:.2f},{:.1f}h{:.2f}V{:.1f}h{:.2f}z", x.at(point.x) - width / 2, foot,
                        width, y.at(point.y), -width);
  return fmt::format("<path class=\"{} bars\" d=\"{}\"/>\n", css_class, path);
}

std::string text(double x, double y, const std::string& css_class, const std::string& content) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", css_class, x, y,
                     xml_text(content));
}

// The titles of a drawing whose inner part has these sizes.
std::string titles(const std::string& title, const std::string& x_title, const std::string& y_title,
                   double width, double height) {
  return text(kLeft, 22, "plot-title", title) +
         text(kLeft + width / 2, kTop + height + 42, "axis middle", x_title) +
         fmt::format("<g transform=\"translate(18,{}) rotate(-90)\">{}</g>\n", kTop + height / 2,
                     text(0, 0, "axis middle", y_title));
}

std::string frame(const Plot& plot, const Axis& x, const Axis& y) {
  std::string svg;
  for (const double tick : x.ticks)
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f},{}v{}\"/>\n", x.at(tick), kTop, kHeight) +
           text(x.at(tick), kTop + kHeight + 18, "tick middle", tick_text(tick));
  for (const double tick : y.ticks)
    svg += fmt::format("<path class=\"grid\" d=\"M{},{:.1f}h{}\"/>\n", kLeft, y.at(tick), kWidth) +
           text(kLeft - 8, y.at(tick) + 4, "tick end", tick_text(tick));
  svg += fmt::format("<path class=\"frame\" d=\"M{},{}v{}h{}\"/>\n", kLeft, kTop, kHeight, kWidth);
  return svg + titles(plot.title, plot.x_title, plot.y_title, kWidth, kHeight);
}

std::string svg_start(const std::string& title, double width, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n"
      "<title>{}</title>\n",
      width, height, xml_text(title));
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;

  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

std::string drawn(const PlotSeries& series, size_t number, const Axis& x, const Axis& y) {
  const std::string css_class = series_class(number);
  if (series.marks == PlotMarks::bars) return bars(css_class, series.points, x, y);
  std::string svg;
  if (series.connected)
    svg += line(css_class,
                series.marks == PlotMarks::none ? thinned(series.points, x) : series.points, x, y);
  if (series.marks == PlotMarks::dots) svg += dots(css_class, series.points, x, y);
  if (series.marks == PlotMarks::shapes)
    for (const PlotPoint& point : series.points)
      svg += marker(x.at(point.x), y.at(point.y), number, point.tooltip);
  return svg;
}

}  // namespace

std::string svg_plot(const Plot& plot) {
  Range x_range, y_range;
  bool has_bars = false;
  size_t num_named = 0, longest = plot.front.name.size();
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) x_range.add(point.x), y_range.add(point.y);
    has_bars = has_bars || series.marks == PlotMarks::bars;
    num_named += !series.name.empty();
    longest = std::max(longest, series.name.size());
  }
  if (x_range.high < x_range.low) return "";
  for (const PlotSeries& guide : plot.guides)
    for (const PlotPoint& point : guide.points) x_range.add(point.x), y_range.add(point.y);
  if (plot.band) y_range.add(plot.band->first), y_range.add(plot.band->second);
  // Bars stand on 0, unless a band says where they should end: then what matters is near it.
  if (has_bars && plot.y_scale == PlotScale::linear &&
      (!plot.band || y_range.low < 0.5 * y_range.high))
    y_range.add(0);
  const Axis x = make_axis(plot.x_scale, x_range.low, x_range.high, kLeft, kWidth, plot.x_ticks);
  const Axis y = make_axis(plot.y_scale, y_range.low, y_range.high, kTop + kHeight, -kHeight,
                           PlotTicks::decimal);

  const bool has_front = !plot.front.points.empty();
  num_named += has_front;
  const double legend_width =
      num_named == 0 ? 0 : 22 + 7 * static_cast<double>(longest);  // 12 units high, 7 wide
  const double legend_bottom = kTop + kLegendLine * static_cast<double>(num_named) + 8;
  std::string svg = svg_start(plot.title, kLegendLeft + legend_width,
                              std::max(kTop + kHeight + kBottom, legend_bottom));
  if (plot.band)
    svg += fmt::format("<path class=\"band\" d=\"M{},{:.1f}h{}V{:.1f}h-{}z\"/>\n", kLeft,
                       y.at(plot.band->first), kWidth, y.at(plot.band->second), kWidth);
  svg += frame(plot, x, y);
  for (const PlotSeries& guide : plot.guides) svg += line("guide", guide.points, x, y);
  double legend = kTop + 8;
  if (has_front) {
    svg += line("front", plot.front.points, x, y);
    for (const PlotPoint& point : plot.front.points)
      svg += fmt::format("<circle class=\"front\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"8\"/>\n",
                         x.at(point.x), y.at(point.y));
    svg += fmt::format("<circle class=\"front\" cx=\"{}\" cy=\"{}\" r=\"8\"/>\n", kLegendLeft,
                       legend) +
           text(kLegendLeft + 14, legend + 4, "legend", plot.front.name);
    legend += kLegendLine;
  }
  for (size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    svg += drawn(series, i, x, y);
    if (series.name.empty()) continue;
    svg += marker(kLegendLeft, legend, i, "") +
           text(kLegendLeft + 14, legend + 4, "legend", series.name);
    legend += kLegendLine;
  }
  return svg + "</svg>\n";
}

std::string svg_bitmap(const Bitmap& bitmap) {
  if (bitmap.values.empty() || bitmap.values.size() != bitmap.rows * bitmap.columns) return "";
  const double height = std::min(
      kWidth, kWidth * static_cast<double>(bitmap.rows) / static_cast<double>(bitmap.columns));
  const double width = std::min(
      kWidth, height * static_cast<double>(bitmap.columns) / static_cast<double>(bitmap.rows));
  return svg_start(bitmap.title, kLegendLeft, kTop + height + kBottom) +
         fmt::format(
             "<image x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\" "
             "preserveAspectRatio=\"none\" style=\"image-rendering: pixelated\" "
             "href=\"data:image/png;base64,{}\"/>\n",
             kLeft, kTop, width, height,
             base64(png_gray(bitmap.rows, bitmap.columns, bitmap.values))) +
         titles(bitmap.title, bitmap.x_title, bitmap.y_title, width, height) + "</svg>\n";
}

std::string xml_text(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const auto byte = [&](size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
    };
    const unsigned char first = static_cast<unsigned char>(text[i]);
    // The length that the first byte of a character in UTF-8 tells, and the character.
    const size_t len = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    uint32_t code = len == 1 ? first : first & (0x7Fu >> len);
    bool valid = first < 0x80 || (first >= 0xC2 && first < 0xF5);
    for (size_t k = 1; k < len; ++k) {
      valid = valid && (byte(i + k) & 0xC0) == 0x80;
      code = code << 6 | (byte(i + k) & 0x3F);
    }
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    valid = valid && code >= kLeast[len] && code <= 0x10FFFF && (code & 0xFFFFF800) != 0xD800 &&
            code != 0xFFFE && code != 0xFFFF && (code >= 0x20 || code == '\t' || code == '\n');
    if (!valid) {
      result += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    switch (first) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result.append(text, i, len);
    }
    i += len;
  }
  return result;
}

std::string figure_text(double value) {
  if (value >= 999.5) return fmt::format("{:.0f}", value);
  const std::string digits = fmt::format("{:.3g}", value);
  return digits.find('e') == std::string::npos ? digits : fmt::format("{:.3f}", value);
}

}  // namespace incore::tools
