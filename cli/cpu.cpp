// `incore cpu`: what this CPU has, which kernel serves each algorithm, and why.
#include "incore/cpu.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "tools/base/require_ok.h"

namespace incore::cli {
namespace {

using Json = nlohmann::ordered_json;

incore_cpu_feature feature(size_t index) {
  incore_cpu_feature result;
  require_ok(incore_cpu_get_feature(index, &result));
  return result;
}

incore_cpu_kernel kernel(size_t algorithm, size_t index) {
  incore_cpu_kernel result;
  require_ok(incore_cpu_get_kernel(algorithm, index, &result));
  return result;
}

// Of a kernel that this CPU can run.
bool fails_self_test(size_t algorithm, size_t index) {
  int passes = 0;
  require_ok(incore_cpu_self_test(algorithm, index, &passes));
  return passes == 0;
}

bool serves(size_t algorithm, size_t index) {
  return kernel(algorithm, index).missing == 0 && !fails_self_test(algorithm, index);
}

std::vector<std::string> feature_names(uint64_t set) {
  std::vector<std::string> names;
  for (size_t i = 0; i < incore_cpu_num_features(); ++i)
    if ((set >> i & 1) != 0) names.push_back(feature(i).name);
  return names;
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& word : list) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string algorithm_names() {
  std::vector<std::string> names;
  for (size_t i = 0; i < incore_cpu_num_algorithms(); ++i)
    names.push_back(incore_cpu_algorithm_name(i));
  return words(names);
}

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

// The kernels of |algorithm| by name; only those that can serve here if |usable_only|.
std::string kernel_names(size_t algorithm, bool usable_only) {
  std::vector<std::string> names;
  for (size_t i = 0; i < incore_cpu_num_kernels(algorithm); ++i)
    if (!usable_only || serves(algorithm, i)) names.push_back(kernel(algorithm, i).name);
  return words(names);
}

// Why the kernel |chosen| serves, and what stands against the better ones.
std::string reason(size_t algorithm, size_t chosen) {
  std::string text;
  if (kernel(algorithm, chosen).forced != 0)
    text = "forced by INCORE_KERNEL";
  else if (chosen == 0)
    text = "the best there is";
  else
    text = "the best that this CPU runs";
  for (size_t i = 0; i < chosen; ++i) {
    const incore_cpu_kernel better = kernel(algorithm, i);
    if (better.missing != 0)
      text += fmt::format("; {} lacks {}", better.name, words(feature_names(better.missing)));
    else if (fails_self_test(algorithm, i))
      text += fmt::format("; {} fails its self-test", better.name);
    else
      text += fmt::format("; {} is better and would run", better.name);
  }
  return text;
}

bool lacks_features(size_t algorithm, const std::string& name) {
  for (size_t i = 0; i < incore_cpu_num_kernels(algorithm); ++i)
    if (kernel(algorithm, i).name == name) return kernel(algorithm, i).missing != 0;
  return false;
}

size_t chosen_kernel(size_t algorithm) {
  for (size_t i = 0; i < incore_cpu_num_kernels(algorithm); ++i)
    if (kernel(algorithm, i).chosen != 0) return i;
  throw std::logic_error("no kernel serves " + std::string(incore_cpu_algorithm_name(algorithm)));
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
  fmt::print("{}\n", all.dump(2));
}

std::function<int()> configure(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print JSON");
  return [json] {
    *json ? print_json() : print_text();
    return kDone;
  };
}

}  // namespace

std::string kernel_environment_mistake() {
  const char* part = nullptr;
  size_t part_len = 0, algorithm = 0;
  const char* environment = secure_getenv("INCORE_KERNEL");
  if (environment == nullptr) return "";  // CPUID can take longer than all the rest
  const incore_status status =
      incore_cpu_check_environment(environment, &part, &part_len, &algorithm);
  if (status == INCORE_OK) return "";
  const std::string wrong = "INCORE_KERNEL: '" + std::string(part, part_len) + "' ";
  switch (status) {
    case INCORE_ERROR_FORMAT:
      return wrong + "is not of the form ALGORITHM:KERNEL, as in sha256:portable";
    case INCORE_ERROR_ALGORITHM:
      return wrong + "is no algorithm; one of: " + algorithm_names();
    case INCORE_ERROR_KERNEL:
      return fmt::format("{}is no kernel of {}; one of: {}", wrong,
                         incore_cpu_algorithm_name(algorithm), kernel_names(algorithm, false));
    default:
      return fmt::format("{}{} on this CPU; for {} one of: {}", wrong,
                         lacks_features(algorithm, std::string(part, part_len))
                             ? "cannot run"
                             : "fails its self-test",
                         incore_cpu_algorithm_name(algorithm), kernel_names(algorithm, true));
  }
}

const Command cpu_command = {"cpu",
                             "what this CPU has, which kernel serves each algorithm, and why",
                             "Examples:\n"
                             "  incore cpu\n"
                             "  INCORE_KERNEL=sha1:portable,sha256:portable incore cpu --json\n"
                             "Exit code: 0; 2 if INCORE_KERNEL or an option is wrong.",
                             configure};

}  // namespace incore::cli
