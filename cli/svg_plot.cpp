#include "svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace incore::cli {
namespace {

// In units of the drawing, which the page scales.
constexpr double kLeft = 76, kTop = 44, kWidth = 430, kHeight = 280, kBottom = 52;
constexpr double kLegendLeft = kLeft + kWidth + 22, kLegendLine = 19;

struct Axis {
  double low, high;   // values at its ends
  double start, len;  // where it is drawn; |len| is negative for the y axis
  std::vector<double> ticks;

  double at(double value) const {
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
  return ticks;
}

// About five round numbers.
std::vector<double> even_ticks(double low, double high) {
  const double wanted = (high - low) / 5, decade = std::pow(10, std::floor(std::log10(wanted)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * decade >= wanted) step = factor * decade;
  std::vector<double> ticks;
  for (double number = std::ceil(low / step); number * step <= high; ++number)
    ticks.push_back(number * step);
  return ticks;
}

std::vector<double> binary_ticks(double low, double high) {
  std::vector<double> ticks;
  for (double tick = std::exp2(std::ceil(std::log2(low))); tick <= high; tick *= 2)
    ticks.push_back(tick);
  return ticks;
}

Axis make_axis(double low, double high, double start, double len, PlotTicks kind) {
  const double margin = std::max(std::pow(high / low, 0.06), 1.05);  // keeps points off the frame
  Axis axis{low / margin, high * margin, start, len, {}};
  if (kind == PlotTicks::binary)
    axis.ticks = binary_ticks(axis.low, axis.high);
  else if (high / low < 8)
    axis.ticks = even_ticks(axis.low, axis.high);
  else
    axis.ticks = decade_ticks(axis.low, axis.high);
  return axis;
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

std::string text(double x, double y, const std::string& css_class, const std::string& content) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", css_class, x, y,
                     xml_text(content));
}

std::string frame(const Plot& plot, const Axis& x, const Axis& y) {
  std::string svg;
  for (const double tick : x.ticks)
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f},{}v{}\"/>\n", x.at(tick), kTop, kHeight) +
           text(x.at(tick), kTop + kHeight + 18, "tick middle", figure_text(tick));
  for (const double tick : y.ticks)
    svg += fmt::format("<path class=\"grid\" d=\"M{},{:.1f}h{}\"/>\n", kLeft, y.at(tick), kWidth) +
           text(kLeft - 8, y.at(tick) + 4, "tick end", figure_text(tick));
  svg += fmt::format("<path class=\"frame\" d=\"M{},{}v{}h{}\"/>\n", kLeft, kTop, kHeight, kWidth);
  svg += text(kLeft, 22, "plot-title", plot.title);
  svg += text(kLeft + kWidth / 2, kTop + kHeight + 42, "axis middle", plot.x_title);
  svg += fmt::format("<g transform=\"translate(18,{}) rotate(-90)\">{}</g>\n", kTop + kHeight / 2,
                     text(0, 0, "axis middle", plot.y_title));
  return svg;
}

}  // namespace

std::string svg_plot(const Plot& plot) {
  double x_low = HUGE_VAL, x_high = 0, y_low = HUGE_VAL, y_high = 0;
  for (const PlotSeries& series : plot.series)
    for (const PlotPoint& point : series.points) {
      x_low = std::min(x_low, point.x), x_high = std::max(x_high, point.x);
      y_low = std::min(y_low, point.y), y_high = std::max(y_high, point.y);
    }
  if (x_high == 0) return "";
  const Axis x = make_axis(x_low, x_high, kLeft, kWidth, plot.x_ticks);
  const Axis y = make_axis(y_low, y_high, kTop + kHeight, -kHeight, PlotTicks::decimal);

  const bool has_front = !plot.front.points.empty();
  size_t longest = plot.front.name.size();
  for (const PlotSeries& series : plot.series) longest = std::max(longest, series.name.size());
  const double legend_width = 22 + 7 * static_cast<double>(longest);  // 12 units high, 7 wide
  const double legend_bottom =
      kTop + kLegendLine * static_cast<double>(plot.series.size() + (has_front ? 1 : 0)) + 8;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n"
      "<title>{}</title>\n",
      kLegendLeft + legend_width, std::max(kTop + kHeight + kBottom, legend_bottom),
      xml_text(plot.title));
  svg += frame(plot, x, y);
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
  for (size_t i = 0; i < plot.series.size(); ++i, legend += kLegendLine) {
    const PlotSeries& series = plot.series[i];
    if (series.connected) svg += line(series_class(i), series.points, x, y);
    for (const PlotPoint& point : series.points)
      svg += marker(x.at(point.x), y.at(point.y), i, point.tooltip);
    svg += marker(kLegendLeft, legend, i, "") +
           text(kLegendLeft + 14, legend + 4, "legend", series.name);
  }
  return svg + "</svg>\n";
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

}  // namespace incore::cli
