#include "tools/sweep/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/report/html_page.h"
#include "tools/report/svg_plot.h"

namespace incore::tools {
namespace {

// More lines than these in a plot cannot be told apart: then one for each p, of its best designs.
constexpr size_t kMaxSeries = 16;

std::string plural(size_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string gates(double area) {
  return figure_text(area / 1000);
}

std::string tooltip(const SweepPlan& plan, const SweepCase& sweep_case, const Design& design) {
  return fmt::format("{}: {} {}, {} thousand gates", design_name(plan, design.point),
                     figure_text(design.cycles), sweep_case.unit(), gates(design.area));
}

struct DesignSeries {
  std::string name;
  std::vector<const Design*> designs;
};

std::vector<DesignSeries> series_of(const SweepPlan& plan, const SweepCase& sweep_case,
                                    bool one_for_each_p) {
  std::vector<DesignSeries> list;
  std::map<std::string, size_t> places;
  std::map<std::pair<uint32_t, uint32_t>, const Design*> best;  // by p and r
  for (const Design& design : sweep_case.designs) {
    const Design*& of_p_and_r =
        best.try_emplace({design.point.p, design.point.r}, &design).first->second;
    if (design.cycles < of_p_and_r->cycles) of_p_and_r = &design;
  }
  for (const Design& design : sweep_case.designs) {
    if (one_for_each_p && best.at({design.point.p, design.point.r}) != &design) continue;
    const std::string name =
        one_for_each_p ? fmt::format("p = {}", design.point.p) : series_name(plan, design.point);
    const size_t place = places.try_emplace(name, list.size()).first->second;
    if (place == list.size()) list.push_back({name, {}});
    list[place].designs.push_back(&design);
  }
  for (DesignSeries& series : list)
    std::stable_sort(series.designs.begin(), series.designs.end(),
                     [](const Design* a, const Design* b) { return a->point.r < b->point.r; });
  return list;
}

template <class X, class Y>
std::vector<PlotSeries> plot_series(const SweepPlan& plan, const SweepCase& sweep_case,
                                    const std::vector<DesignSeries>& list, bool connected, X x,
                                    Y y) {
  std::vector<PlotSeries> result;
  for (const DesignSeries& series : list) {
    PlotSeries one{series.name, {}, connected};
    for (const Design* design : series.designs)
      one.points.push_back({x(*design), y(*design), tooltip(plan, sweep_case, *design)});
    result.push_back(std::move(one));
  }
  return result;
}

std::string plots(const SweepPlan& plan, const SweepCase& sweep_case) {
  std::vector<DesignSeries> lines = series_of(plan, sweep_case, false);
  const bool reduced = lines.size() > kMaxSeries;
  if (reduced) lines = series_of(plan, sweep_case, true);
  const auto lanes = [](const Design& design) { return static_cast<double>(design.point.r); };
  const auto cycles = [](const Design& design) { return design.cycles; };
  const auto area = [](const Design& design) { return design.area / 1000; };
  const auto product = [](const Design& design) { return design.product() / 1000; };
  const std::string cycles_title = sweep_case.unit();
  constexpr const char* kLanes = "lanes r";
  constexpr const char* kArea = "area, thousand gate equivalents";

  Plot scatter{"Area and time of every design",
               kArea,
               cycles_title,
               PlotTicks::decimal,
               plot_series(plan, sweep_case, lines, false, area, cycles),
               {"Pareto front", {}}};
  for (const Design& design : sweep_case.designs)
    if (design.on_front) scatter.front.points.push_back({area(design), cycles(design), ""});
  std::sort(scatter.front.points.begin(), scatter.front.points.end(),
            [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });

  const auto over_lanes = [&](const char* title, const std::string& y_title, auto y) {
    return svg_plot({title, kLanes, y_title, PlotTicks::binary,
                     plot_series(plan, sweep_case, lines, true, lanes, y)});
  };
  std::string html = "<div class=\"plots\">\n";
  html += over_lanes("Time against lanes", cycles_title, cycles) + svg_plot(scatter) +
          over_lanes("Area against lanes", kArea, area) +
          over_lanes("Area times time against lanes: less is better",
                     fmt::format("thousand gate equivalents x {}", cycles_title), product);
  html += "</div>\n";
  if (reduced)
    html +=
        "<p class=\"note\">Of machines with the same p and r the fastest is drawn; the table has "
        "all.</p>\n";
  return html;
}

std::string answer(const SweepPlan& plan, const SweepCase& sweep_case) {
  const std::vector<BestOfP> best = best_of_each_p(sweep_case);
  const auto least =
      std::min_element(best.begin(), best.end(), [](const BestOfP& a, const BestOfP& b) {
        return a.thriftiest->product() < b.thriftiest->product();
      });
  std::string html = fmt::format(
      "<div class=\"wide\"><table>\n<tr><th>p</th><th>fastest</th><th>{0}</th><th>thousand "
      "gates</th><th>least area x time</th><th>{0}</th><th>thousand gates</th></tr>\n",
      sweep_case.unit());
  for (const BestOfP& of_p : best) {
    html += fmt::format("<tr><td>{}</td>", of_p.p);
    for (const Design* design : {of_p.fastest, of_p.thriftiest})
      html += fmt::format(
          "<td{}>{}</td><td>{}</td><td>{}</td>",
          design == least->thriftiest && design == of_p.thriftiest ? " class=\"best\"" : "",
          xml_text(design_name(plan, design->point).substr(fmt::format("p = {}, ", of_p.p).size())),
          figure_text(design->cycles), gates(design->area));
    html += "</tr>\n";
  }
  return html + fmt::format("</table></div>\n<p>Least area x time of all: <b>{}</b>.</p>\n",
                            xml_text(design_name(plan, least->thriftiest->point)));
}

std::string table(const SweepCase& sweep_case) {
  std::string html = fmt::format(
      "<details><summary>{}</summary>\n<div class=\"wide\"><table class=\"designs\">\n"
      "<tr><th>p</th><th>r</th><th>l</th><th>q</th><th>banks</th><th>ports</th><th>{}</th><th>gate "
      "equivalents</th>"
      "<th>area x time</th><th>Pareto front</th></tr>\n",
      "All " + plural(sweep_case.designs.size(), "design"), sweep_case.unit());
  for (const Design& design : sweep_case.designs) {
    const SweepPoint& point = design.point;
    html += fmt::format(
        "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{:.0f}</td><td>{}</td><td>{}</td></tr>\n",
        design.on_front ? " class=\"best\"" : "", point.p, point.r, point.l, point.q, point.banks,
        point.ports, figure_text(design.cycles), design.area, figure_text(design.product()),
        design.on_front ? "yes" : "");
  }
  return html + "</table></div></details>\n";
}

std::string gaps(const SweepPlan& plan, const std::vector<SweepGap>& list, const char* heading) {
  if (list.empty()) return "";
  std::string html = fmt::format("<h2>{}</h2>\n<details><summary>{}</summary>\n<ul>\n", heading,
                                 plural(list.size(), "combination"));
  for (const SweepGap& gap : list)
    html += fmt::format("<li>{}, {}: {}</li>\n", xml_text(plan.programs[gap.point.program].name),
                        design_name(plan, gap.point), xml_text(gap.reason));
  return html + "</ul></details>\n";
}

}  // namespace

std::string html_report(const SweepResult& result) {
  const std::string title =
      xml_text(result.plan.title.empty() ? "Sweep of VeMICry" : result.plan.title);
  const size_t done = result.rows.size() + result.skipped.size() + result.failed.size();
  std::string html =
      fmt::format("<h1>{}</h1>\n<p>{} measured", title, plural(result.rows.size(), "combination"));
  if (done < result.num_points)
    html += fmt::format("; <b>{} are still to be done</b>", result.num_points - done);
  html +=
      ". q: vector registers; p: words of 32 bits in each; r: lanes; l: vector length. Time is "
      "that "
      "of the pipeline model, area that of the vector unit. A design is on the Pareto front if "
      "none "
      "is better in one and no worse in the other.</p>\n";
  for (const SweepCase& sweep_case : sweep_cases(result))
    html += fmt::format("<h2>{}</h2>\n{}{}{}", xml_text(sweep_case.title),
                        answer(result.plan, sweep_case), plots(result.plan, sweep_case),
                        table(sweep_case));
  html += gaps(result.plan, result.failed, "Failed");
  html += gaps(result.plan, result.skipped, "Not possible");
  return html_page(title, html);
}

}  // namespace incore::tools
