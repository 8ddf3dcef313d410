// `incore rng analyze`: judges random bits of a file, a pipe or a live source.
#include <fmt/core.h>

#include <cstdio>

#include "incore/assess.h"
#include "rng.h"

namespace incore::cli {
namespace {

int run(const std::string& path) {
  std::FILE* const file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) return fail(kBadInput, path + ": cannot be opened");
  incore_assess* assess = nullptr;
  char reason[256] = "";
  if (incore_assess_new(nullptr, &assess, reason, sizeof reason) != INCORE_OK)
    return fail(kBadInput, reason);
  std::vector<uint8_t> buffer(1 << 20);
  size_t len;
  while ((len = std::fread(buffer.data(), 1, buffer.size(), file)) != 0)
    if (incore_assess_update(assess, buffer.data(), len, reason, sizeof reason) != INCORE_OK)
      return fail(kBadInput, reason);
  if (incore_assess_finish(assess) != INCORE_OK) return fail(kDiffers, "not finished");
  incore_assess_summary summary;
  if (incore_assess_get_summary(assess, &summary) != INCORE_OK) return kDiffers;
  fmt::print("{}: {}\n", incore_verdict_name(summary.verdict), summary.text);
  for (size_t i = 0; i < incore_assess_num_results(assess); ++i) {
    incore_assess_result result;
    if (incore_assess_get_result(assess, i, &result) == INCORE_OK)
      fmt::print("  {:8} {} {} {} p = {}\n", incore_verdict_name(result.verdict), result.suite,
                 result.test, result.variant, result.p_value);
  }
  incore_assess_free(assess);
  return summary.verdict == INCORE_VERDICT_FAIL ? kDiffers : kDone;
}

std::function<int()> configure(CLI::App& app) {
  auto path = std::make_shared<std::string>("-");
  app.add_option("FILE", *path, "what to judge; - or none is standard input");
  return [path] { return run(*path); };
}

}  // namespace

extern const Subcommand rng_analyze_command = {
    "analyze", "judge random bits of a file, a pipe or a live source",
    "Example:\n  incore rng analyze capture.bin", configure};

}  // namespace incore::cli
