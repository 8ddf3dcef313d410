// Two vectors, XORed: what a workload looks like.
#include "vemicry/workload.h"

namespace incore::vemicry {
namespace {

std::string refusal(const Config& config) {
  return config.length() == config.p ? "" : "it works on whole registers: l must be p";
}
uint64_t num_bytes(const Config& config) {
  return 4 * config.p;
}

constexpr uint32_t kInputs[] = {kDataAddress, kDataAddress + 0x1000};
constexpr uint32_t kOutput = kDataAddress + 0x2000;

void prepare(Run& run) {
  run.machine.memory().map(kDataAddress, 0x3000);
  std::vector<uint32_t> words(run.p());
  for (const uint32_t input : kInputs) {
    for (uint32_t i = 0; i < run.p(); ++i)
      words[i] = static_cast<uint32_t>(run.seed + input + 0x9E3779B9 * (i + 1));
    run.write_words(input, words);
  }
  run.arguments = {kInputs[0], kInputs[1], kOutput};
}

std::string check(const Run& run) {
  const std::vector<uint32_t> a = run.read_words(kInputs[0], run.p()),
                              b = run.read_words(kInputs[1], run.p()),
                              c = run.read_words(kOutput, run.p());
  for (uint32_t i = 0; i < run.p(); ++i)
    if (c[i] != (a[i] ^ b[i])) return "word " + std::to_string(i) + " is wrong";
  return "";
}

}  // namespace

const Workload xor_words_workload = {"xor-words",   "two vectors XORed, the smallest program",
                                     "xor_words.s", "xor_words",
                                     refusal,       num_bytes,
                                     prepare,       check};

}  // namespace incore::vemicry
