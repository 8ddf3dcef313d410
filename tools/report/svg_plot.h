// A plot as SVG: points, lines and bars of several series over logarithmic or linear axes, or a
// bitmap. Colours and fonts are classes, which the page that holds the plot defines
// (html_page.cpp).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace incore::tools {

struct PlotPoint {
  double x, y;  // above 0 on logarithmic axes
  std::string tooltip;
};

// How points are drawn: as a shape for each series with tooltips, small and without them (for
// thousands), not at all, or as bars that stand on the axis.
enum class PlotMarks { shapes, dots, none, bars };

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
  bool connected = true;
  PlotMarks marks = PlotMarks::shapes;
};

// How the x axis is marked: at 1, 2, 5, 10, ... or at powers of two.
enum class PlotTicks { decimal, binary };
enum class PlotScale { logarithmic, linear };

struct Plot {
  std::string title, x_title, y_title;
  PlotTicks x_ticks = PlotTicks::decimal;
  std::vector<PlotSeries> series;
  // Drawn as a line with a ring round each point; its points are those of series.
  PlotSeries front = {};
  PlotScale x_scale = PlotScale::logarithmic, y_scale = PlotScale::logarithmic;
  // Broken lines to compare with, one in each series; not in the legend.
  std::vector<PlotSeries> guides = {};
  // Of y: shaded, for where values should lie.
  std::optional<std::pair<double, double>> band = {};
};

// One <svg> element; empty if the plot has no points. Series without a name are not in the legend.
std::string svg_plot(const Plot& plot);

struct Bitmap {
  std::string title, x_title, y_title;
  size_t rows, columns;
  std::vector<double> values;  // row by row, 0 (white) to 1 (black)
};

// One <svg> element that holds a picture; empty if there is nothing in it.
std::string svg_bitmap(const Bitmap& bitmap);

// |text| as it stands between tags and in attributes of XML. What XML cannot hold (control
// characters, bytes that are not UTF-8) becomes U+FFFD.
std::string xml_text(const std::string& text);

// A figure with three to four digits: "0.125", "11.6", "1163", "52300".
std::string figure_text(double value);

}  // namespace incore::tools
