// A plot as SVG: points of several series over logarithmic axes. Colours and fonts are classes,
// which the page that holds the plot defines (html_report.cpp).
#pragma once

#include <string>
#include <vector>

namespace incore::cli {

struct PlotPoint {
  double x, y;  // above 0
  std::string tooltip;
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
  bool connected = true;
};

// How the x axis is marked: at 1, 2, 5, 10, ... or at powers of two.
enum class PlotTicks { decimal, binary };

struct Plot {
  std::string title, x_title, y_title;
  PlotTicks x_ticks = PlotTicks::decimal;
  std::vector<PlotSeries> series;
  // Drawn as a line with a ring round each point; its points are those of series.
  PlotSeries front = {};
};

// One <svg> element; empty if the plot has no points.
std::string svg_plot(const Plot& plot);

// |text| as it stands between tags and in attributes of XML. What XML cannot hold (control
// characters, bytes that are not UTF-8) becomes U+FFFD.
std::string xml_text(const std::string& text);

// A figure with three to four digits: "0.125", "11.6", "1163", "52300".
std::string figure_text(double value);

}  // namespace incore::cli
