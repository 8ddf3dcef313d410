// `incore bench modexp`: powers modulo big numbers, in constant time. Numbers of a task: exponent,
// modulus; the base is the data.
#include <memory>

#include "tools/bench/bench_answers.h"
#include "tools/bench/bench_task.h"
#include "tools/numbers/modulus.h"

namespace incore::tools {
namespace {

std::vector<Row> rows(const BenchOptions&) {
  std::vector<Row> list;
  for (const size_t bits : {512, 1024, 2048}) {
    Bytes modulus = test_bytes(bits / 8, 3);
    modulus.front() = 0xff;
    modulus.back() |= 1;
    Bytes exponent = test_bytes(bits / 8, 2);
    exponent.front() |= 0x80;
    Bytes base = test_bytes(bits / 8, 1);
    base.front() = 0x7f;
    list.push_back({{"modexp-" + std::to_string(bits),
                     {},
                     {},
                     {},
                     base,
                     Bytes(bits / 8),
                     1,
                     {exponent, modulus}},
                    0});
  }
  return list;
}

Work prepare(Task& task) {
  const auto modulus = std::make_shared<Modulus>(task.numbers.at(1));
  return repeat([modulus, &task] {
    const Bytes& exponent = task.numbers[0];
    return incore_mont_exp(modulus->context(), task.in.data(), task.in.size(), exponent.data(),
                           exponent.size(), task.out.data(), task.out.size());
  });
}

std::string kernel(const Task&) {
  return kernel_of("mont");
}

constexpr Family kFamily = {rows, prepare, kernel, long_known_answers};

}  // namespace

extern const Bench bench_modexp = {"modexp", "powers modulo big numbers", nullptr, &kFamily};

}  // namespace incore::tools
