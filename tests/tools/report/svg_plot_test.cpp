// Plots of sweeps, with logarithmic axes; of assessments, with linear ones, bars, bands and
// bitmaps.
#include "tools/report/svg_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/process.h"
#include "tools/report/png.h"

namespace incore::tools {
namespace {

// Runs |script| with |text| as its input; it exits with 0 if all is well.
void expect_python(const std::string& script, const std::string& text) {
  const test::ProcessResult result = test::run({"python3", "-c", script}, text);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(report_svg_plot, is_well_formed_and_has_every_point) {
  Plot plot{"T <&\"> \x01\xff", "x", "y", PlotTicks::binary, {}, {}};
  for (int s = 0; s < 20; ++s) {
    PlotSeries series{"s" + std::to_string(s), {}};
    for (int i = 1; i <= 5; ++i)
      series.points.push_back({std::exp2(i), 3.0 * i + s, "tip " + std::to_string(i)});
    plot.series.push_back(series);
  }
  plot.front = {"best", {{2, 3, ""}, {32, 34, ""}}};
  const std::string svg = svg_plot(plot);
  expect_python(
      "import sys, xml.etree.ElementTree as tree\n"
      "ns = '{http://www.w3.org/2000/svg}'\n"
      "svg = tree.fromstring(sys.stdin.buffer.read())\n"
      "width, height = map(float, svg.get('viewBox').split()[2:])\n"
      "tips = [t.text for t in svg.iter(ns + 'title')]\n"
      "assert len([t for t in tips if t.startswith('tip ')]) == 100, tips\n"
      "assert tips[0] == 'T <&\"> \\ufffd\\ufffd'\n"
      "texts = [t.text for t in svg.iter(ns + 'text')]\n"
      "assert {'x', 'y', 'best', 's0', 's19', '2', '4', '8', '16', '32'} <= set(texts), texts\n"
      "for path in svg.iter(ns + 'path'):\n"
      "    if path.get('transform'):\n"
      "        x, y = path.get('transform')[10:-1].split(',')\n"
      "        assert 0 < float(x) < width and 0 < float(y) < height\n",
      svg);
}

TEST(report_svg_plot, places_points_in_proportion_to_their_logarithm) {
  const Plot plot{
      "t", "x", "y", PlotTicks::decimal, {{"s", {{1, 10, "a"}, {10, 100, "b"}, {100, 1000, "c"}}}},
      {}};
  expect_python(
      "import re, sys\n"
      "at = {tip: (float(x), float(y)) for x, y, tip in re.findall(\n"
      "    r'translate\\(([\\d.]+),([\\d.]+)\\)\"[^>]*><title>(\\w)', sys.stdin.read())}\n"
      "(ax, ay), (bx, by), (cx, cy) = at['a'], at['b'], at['c']\n"
      "assert ax < bx < cx and ay > by > cy\n"
      "assert abs(bx - (ax + cx) / 2) < 0.2 and abs(by - (ay + cy) / 2) < 0.2\n",
      svg_plot(plot));
}

TEST(report_svg_plot, one_point_and_equal_values_are_drawn_too) {
  for (const double value : {1e-6, 1.0, 123456789.0}) {
    const std::string svg =
        svg_plot({"t", "x", "y", PlotTicks::decimal, {{"s", {{1, value, "only"}}}}, {}});
    EXPECT_NE(svg.find("<title>only</title>"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
  }
  EXPECT_EQ(svg_plot({"t", "x", "y", PlotTicks::decimal, {}, {}}), "");
}

TEST(report_svg_plot, text_becomes_xml) {
  EXPECT_EQ(xml_text("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(xml_text("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x94\x92"),
            "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x94\x92");
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_text(std::string("\0", 1)), replaced);
  EXPECT_EQ(xml_text("\xC3"), replaced);                                // cut
  EXPECT_EQ(xml_text("\xC0\x80"), replaced + replaced);                 // overlong
  EXPECT_EQ(xml_text("\xED\xA0\x80"), replaced + replaced + replaced);  // a surrogate
}

TEST(report_svg_plot, figures_have_three_digits_or_more) {
  EXPECT_EQ(figure_text(0.15625), "0.156");
  EXPECT_EQ(figure_text(11.5625), "11.6");
  EXPECT_EQ(figure_text(999.6), "1000");
  EXPECT_EQ(figure_text(65536), "65536");
  EXPECT_EQ(figure_text(0), "0");
}

// ---- What the plots of assessments need beyond those of sweeps ----

Plot linear_plot(PlotMarks marks, bool connected, std::vector<PlotPoint> points) {
  return {
      .title = "t",
      .x_title = "x",
      .y_title = "y",
      .series = {{.name = "", .points = std::move(points), .connected = connected, .marks = marks}},
      .x_scale = PlotScale::linear,
      .y_scale = PlotScale::linear};
}

TEST(report_svg_plot, linear_axes_take_negative_values_in_proportion) {
  expect_python(
      "import re, sys\n"
      "text = sys.stdin.read()\n"
      "at = {tip: (float(x), float(y)) for x, y, tip in re.findall(\n"
      "    r'translate\\(([\\d.]+),([\\d.]+)\\)\"[^>]*><title>(\\w)', text)}\n"
      "(ax, ay), (bx, by), (cx, cy) = at['a'], at['b'], at['c']\n"
      "assert ax < bx < cx and ay > by > cy\n"
      "assert abs(bx - (3 * ax + cx) / 4) < 0.2 and abs(by - (ay + cy) / 2) < 0.2\n"
      "assert '>-2<' in text and '>0<' in text and '-0<' not in text\n",
      svg_plot(linear_plot(PlotMarks::shapes, false, {{-2, -10, "a"}, {0, 0, "b"}, {6, 10, "c"}})));
}

TEST(report_svg_plot, bars_of_very_different_heights_stand_on_zero) {
  // Three bars of heights 1, 2 and 3: drawn so.
  expect_python(
      "import re, sys\n"
      "path = re.search(r'class=\"c0 bars\" d=\"([^\"]*)\"', sys.stdin.read()).group(1)\n"
      "bars = re.findall(r'M([\\d.]+),([\\d.]+)h([\\d.]+)V([\\d.]+)', path)\n"
      "heights = [float(foot) - float(top) for _, foot, _, top in bars]\n"
      "assert len(heights) == 3 and abs(heights[1] - 2 * heights[0]) < 0.3\n"
      "assert abs(heights[2] - 3 * heights[0]) < 0.3, heights\n"
      "lefts = [float(b[0]) for b in bars]\n"
      "assert lefts[0] + float(bars[0][2]) < lefts[1], 'bars do not touch'\n",
      svg_plot(linear_plot(PlotMarks::bars, false, {{0, 1, ""}, {1, 2, ""}, {2, 3, ""}})));
}

TEST(report_svg_plot, a_band_lies_where_its_values_are) {
  Plot plot = linear_plot(PlotMarks::shapes, false, {{0, 5, "low"}, {1, 7, "high"}});
  plot.band = std::pair{5.0, 7.0};
  expect_python(
      "import re, sys\n"
      "text = sys.stdin.read()\n"
      "low, high = re.search(r'class=\"band\" d=\"M[\\d.]+,([\\d.]+)h[\\d.]+V([\\d.]+)', "
      "text).groups()\n"
      "at = dict((tip, y) for y, tip in re.findall(r'translate\\([\\d.]+,([\\d.]+)\\)\"[^>]*>"
      "<title>(\\w+)', text))\n"
      "assert (low, high) == (at['low'], at['high'])\n",
      svg_plot(plot));
}

TEST(report_svg_plot, of_many_points_the_highest_and_the_lowest_remain) {
  std::vector<PlotPoint> points;
  for (int i = 0; i < 200'000; ++i) points.push_back({double(i), i % 63 / 31.0 - 1, ""});
  points[123'456].y = 5;
  points[54'321].y = -3;
  const std::string svg = svg_plot(linear_plot(PlotMarks::none, true, points));
  EXPECT_LT(svg.size(), 40'000u);
  expect_python(
      "import re, sys\n"
      "line = re.search(r'class=\"c0 line\" points=\"([^\"]*)\"', sys.stdin.read()).group(1)\n"
      "points = [tuple(map(float, p.split(','))) for p in line.split()]\n"
      "top, bottom = min(points, key=lambda p: p[1]), max(points, key=lambda p: p[1])\n"
      "left, right = points[0][0], points[-1][0]\n"
      "assert abs((top[0] - left) / (right - left) - 123456 / 2e5) < 0.01\n"
      "assert abs((bottom[0] - left) / (right - left) - 54321 / 2e5) < 0.01\n"
      "assert all(a[0] <= b[0] for a, b in zip(points, points[1:]))\n",
      svg);
}

TEST(report_svg_plot, nothing_in_a_linear_plot_is_not_a_number) {
  for (const double value : {0.0, -1.0, 1e-300, 1e300})
    for (const PlotMarks marks : {PlotMarks::bars, PlotMarks::dots, PlotMarks::none}) {
      const std::string svg = svg_plot(linear_plot(marks, true, {{value, value, ""}}));
      EXPECT_NE(svg, "");
      EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
      EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    }
}

// ---- Bitmaps ----

// Reads the picture back by zlib, and its checksums.
constexpr const char* kReadPng =
    "import base64, re, struct, sys, zlib\n"
    "def read_png(data):\n"
    "    assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'\n"
    "    at, chunks = 8, {}\n"
    "    while at < len(data):\n"
    "        size, kind = struct.unpack('>I4s', data[at:at + 8])\n"
    "        body, crc = data[at + 8:at + 8 + size], data[at + 8 + size:at + 12 + size]\n"
    "        assert struct.unpack('>I', crc)[0] == zlib.crc32(kind + body)\n"
    "        chunks[kind], at = body, at + 12 + size\n"
    "    width, height, bits, kind = struct.unpack('>IIBB', chunks[b'IHDR'][:10])\n"
    "    assert kind == 0 and b'IEND' in chunks\n"
    "    lines, rows = zlib.decompress(chunks[b'IDAT']), []\n"
    "    stride = 1 + (width * bits + 7) // 8\n"
    "    assert len(lines) == height * stride\n"
    "    for r in range(height):\n"
    "        line = lines[r * stride:][:stride]\n"
    "        assert line[0] == 0\n"
    "        rows.append([line[1 + c * bits // 8] >> (8 - bits - c * bits % 8) & (1 << bits) - 1\n"
    "                     for c in range(width)])\n"
    "    return bits, rows\n";

TEST(report_png, holds_each_value_once_however_large) {
  for (const size_t columns : {1u, 7u, 8u, 513u}) {
    const size_t rows = 300;  // with 513 columns more than one stored block
    std::vector<double> bits, greys;
    for (size_t i = 0; i < rows * columns; ++i) {
      bits.push_back(static_cast<double>(i * i % 7 & 1));
      greys.push_back(static_cast<double>(i % 16) / 15);
    }
    const std::string check =
        std::string(kReadPng) +
        "n = int(sys.argv[1]) if len(sys.argv) > 1 else 0\n"
        "one, four = sys.stdin.read().split()\n"
        "bits, rows = read_png(base64.b64decode(one))\n"
        "flat = [v for row in rows for v in row]\n"
        "assert bits == 1 and len(rows) == 300\n"
        "assert flat == [1 - (i * i % 7 & 1) for i in range(len(flat))]\n"
        "bits, rows = read_png(base64.b64decode(four))\n"
        "flat = [v for row in rows for v in row]\n"
        "assert bits == 4 and flat == [15 - i % 16 for i in range(len(flat))]\n";
    expect_python(check, base64(png_gray(rows, columns, bits)) + " " +
                             base64(png_gray(rows, columns, greys)));
  }
}

TEST(report_png, values_beyond_black_and_white_are_drawn_as_these) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_python(std::string(kReadPng) +
                    "assert read_png(base64.b64decode(sys.stdin.read())) == (4, [[15, 0, 15]])\n",
                base64(png_gray(1, 3, {-1, 2, nan})));
}

TEST(report_png, base64_as_in_rfc_4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(base64(bytes), text);
  EXPECT_EQ(base64("\xFB\xFF\xFE"), "+//+");
}

TEST(report_svg_bitmap, is_small_and_well_formed) {
  Bitmap bitmap{"bits <b>", "column", "row", 512, 512, {}};
  for (int i = 0; i < 512 * 512; ++i) bitmap.values.push_back(i * 7 / 5 & 1);
  const std::string svg = svg_bitmap(bitmap);
  EXPECT_LT(svg.size(), 50'000u);
  expect_python(
      "import sys, xml.etree.ElementTree as tree\n"
      "svg = tree.fromstring(sys.stdin.read())\n"
      "image = svg.find('{http://www.w3.org/2000/svg}image')\n"
      "assert image.get('href').startswith('data:image/png;base64,iVBOR')\n"
      "assert image.get('width') == image.get('height')\n",
      svg);
  EXPECT_EQ(svg_bitmap({"t", "x", "y", 0, 0, {}}), "");
  EXPECT_EQ(svg_bitmap({"t", "x", "y", 2, 2, {1, 0, 1}}), "");
}

}  // namespace
}  // namespace incore::tools
