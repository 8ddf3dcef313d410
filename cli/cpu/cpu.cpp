// `incore cpu`: what this CPU has, which kernel serves each algorithm, and why.
#include "incore/cpu.h"

#include <fmt/core.h>

#include <memory>

#include "cli/command.h"
#include "cli/cpu/kernels.h"
#include "tools/base/json.h"
#include "tools/base/require_ok.h"

namespace incore::cli {
namespace {

incore_cpu_word word(size_t index) {
  incore_cpu_word result;
  require_ok(incore_cpu_get_word(index, &result));
  return result;
}

// The names of the flags that are set; a flag without a name is its value.
std::vector<std::string> flag_names(size_t index) {
  std::vector<std::string> names;
  for (unsigned bit = 32; bit-- != 0;) {
    if ((word(index).value >> bit & 1) == 0) continue;
    const char* name = incore_cpu_word_bit_name(index, bit);
    names.push_back(name != nullptr ? name : fmt::format("{:08x}", uint32_t{1} << bit));
  }
  return names;
}

// What the auxiliary vector says; only POWER has it.
void print_words() {
  fmt::print("\n{:<15}{:<10}{}\n", "word", "value", "flags");
  for (size_t i = 0; i < incore_cpu_num_words(); ++i) {
    const incore_cpu_word w = word(i);
    fmt::print("{:<15}", w.name);
    w.is_flags != 0 ? fmt::print("{:08x}  {}\n", w.value, words(flag_names(i)))
                    : fmt::print("{}\n", w.value);
  }
  fmt::print("\nL1 data line: {} bytes\n", incore_cpu_l1_data_line());
}

Json words_json() {
  Json result = Json::array();
  for (size_t i = 0; i < incore_cpu_num_words(); ++i) {
    const incore_cpu_word w = word(i);
    Json entry = {{"name", w.name}, {"value", w.value}};
    if (w.is_flags != 0) entry["flags"] = flag_names(i);
    result.push_back(entry);
  }
  return result;
}

void print_text() {
  fmt::print("{:<13}{:<9}{}\n", "feature", "present", "how it is read");
  for (size_t i = 0; i < incore_cpu_num_features(); ++i) {
    const incore_cpu_feature f = feature(i);
    if (f.possible == 0) continue;
    fmt::print("{:<13}{:<9}{}\n", f.name, f.present != 0 ? "yes" : "no", f.source);
  }
  if (incore_cpu_num_words() != 0) print_words();
  fmt::print("\n{:<13}{:<11}{}\n", "algorithm", "kernel", "why");
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i) {
    const size_t chosen = chosen_kernel(i);
    fmt::print("{:<13}{:<11}{}\n", incore_cpu_algorithm_name(i), kernel(i, chosen).name,
               reason(i, chosen));
  }
}

void print_json() {
  Json features = Json::array(), algorithms = Json::array();
  for (size_t i = 0; i < incore_cpu_num_features(); ++i) {
    const incore_cpu_feature f = feature(i);
    if (f.possible == 0) continue;
    features.push_back({{"name", f.name}, {"present", f.present != 0}, {"source", f.source}});
  }
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i) {
    Json kernels = Json::array();
    for (size_t j = 0; j < incore_cpu_num_kernels(i); ++j) {
      const incore_cpu_kernel k = kernel(i, j);
      kernels.push_back({{"name", k.name},
                         {"needs", feature_names(k.needs)},
                         {"missing", feature_names(k.missing)},
                         {"fails_self_test", k.missing == 0 && fails_self_test(i, j)}});
    }
    const size_t chosen = chosen_kernel(i);
    algorithms.push_back({{"name", incore_cpu_algorithm_name(i)},
                          {"kernel", kernel(i, chosen).name},
                          {"forced", kernel(i, chosen).forced != 0},
                          {"reason", reason(i, chosen)},
                          {"kernels", kernels}});
  }
  Json all = {{"features", features}};
  if (incore_cpu_num_words() != 0) {
    all["words"] = words_json();
    all["l1_data_line"] = incore_cpu_l1_data_line();
  }
  all["algorithms"] = algorithms;
  fmt::print("{}", json_text(all));
}

}  // namespace

Command cpu_command() {
  auto json = std::make_shared<bool>(false);
  return {
      .name = "cpu",
      .summary = "what this CPU has, which kernel serves each algorithm, and why",
      .options = {flag("--json", json.get(), "print JSON")},
      .examples = {"incore cpu", "INCORE_KERNEL=sha1:portable,sha256:portable incore cpu --json"},
      .exit_codes = {{"0", "done"}, {"2", "INCORE_KERNEL or an option is wrong"}},
      .run =
          [json] {
            *json ? print_json() : print_text();
            return kDone;
          },
  };
}

}  // namespace incore::cli
