// Any bytes as the document of `incore probe --compare`: they are refused by one line, or compared
// with a model's document, and with themselves, which finds nothing.
#include <fstream>
#include <iterator>

#include "check.h"
#include "tools/probe/probe_document.h"
#include "tools/probe/probe_program.h"
#include "tools/probe/probe_report.h"

using namespace incore::tools;

// No program is run here: the model's side is a document, too.
bool incore::tools::run_probe(const std::string&, bool, const std::vector<std::string>&,
                              std::string*, std::string* out_error) {
  *out_error = "not here";
  return false;
}

namespace {

const Json& model_document() {
  static const Json document = [] {
    std::ifstream file(INCORE_FUZZ_PROBE_SEED);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    Json read;
    FUZZ_CHECK(read_probe_document(text, &read).empty());
    return read;
  }();
  return document;
}

bool is_one_line(const std::string& text) {
  return text.find('\n') == std::string::npos;
}

void check_report(const ProbeComparison& comparison) {
  const std::string text = probe_comparison_text(comparison);
  FUZZ_CHECK(!text.empty() && text.back() == '\n');
  for (const char c : text) FUZZ_CHECK(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  const Json report = Json::parse(json_text(probe_comparison_json(comparison)));
  FUZZ_CHECK(report["experiments"].natural() == comparison.behaviour.num_experiments);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  constexpr const char* kModel = "nano";
  Json document;
  const std::string wrong =
      read_probe_document({reinterpret_cast<const char*>(data), len}, &document);
  if (!wrong.empty()) {
    FUZZ_CHECK(is_one_line(wrong));
    return 0;
  }
  const Json& model = model_document();
  ProbeComparison comparison = {.file = "fuzz", .model = kModel};
  comparison.behaviour = compare_behaviour(document, model, kModel);
  FUZZ_CHECK(comparison.behaviour.num_experiments <= model["experiments"].size());
  for (const ProbeDifference& difference : comparison.behaviour.differences)
    FUZZ_CHECK(!difference.facts.empty());
  comparison.was_emulated = probe_was_emulated(document);
  if (document["timings"]["rows"].size() < 8)  // each is done by the model
    comparison.timings = compare_timings(document, "zhaoxin");
  comparison.silicon_noise = noise_figures(document);
  comparison.model_noise = noise_figures(model);
  check_report(comparison);
  FUZZ_CHECK(compare_behaviour(document, document, kModel).differences.empty());
  return 0;
}
