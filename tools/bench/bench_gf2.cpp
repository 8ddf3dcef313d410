// `incore bench gf2`: products in GF(2^m), reduced, of the fields of X9.62 and FIPS 186-4. The two
// elements are the halves of the data, highest byte first. Numbers of a task: the exponents of the
// field's polynomial.
#include <memory>

#include "incore/gf2.h"
#include "tools/bench/bench_answers.h"
#include "tools/bench/bench_task.h"

namespace incore::tools {
namespace {

std::vector<Row> rows(const BenchOptions&) {
  std::vector<Row> list;
  for (const KnownAnswer& known : long_known_answers()) {
    if (!known.operation.starts_with("gf2-")) continue;
    Task task{known.operation, {}, {}, {}, from_hex(known.in), Bytes(known.out.size() / 2), 1, {}};
    for (const std::string& number : known.numbers) task.numbers.push_back(from_hex(number));
    list.push_back({task, 0});
  }
  return list;
}

struct Product {
  incore_gf2_field field;
  uint64_t a[INCORE_GF2_MAX_WORDS], b[INCORE_GF2_MAX_WORDS], c[INCORE_GF2_MAX_WORDS];
};

void to_words(const uint8_t* bytes, size_t len, uint64_t* out_words) {
  std::fill_n(out_words, INCORE_GF2_MAX_WORDS, 0);
  for (size_t i = 0; i < len; ++i) out_words[i / 8] |= uint64_t{bytes[len - 1 - i]} << 8 * (i % 8);
}

// The product goes back to bytes once behind all calls, as no user would do it in between.
Work prepare(Task& task) {
  std::vector<unsigned> exponents;
  for (const Bytes& number : task.numbers)
    exponents.push_back(static_cast<unsigned>(number[0] << 8 | number[1]));
  const auto product = std::make_shared<Product>();
  require_ok(incore_gf2_field_set(&product->field, exponents.data(), exponents.size()));
  const size_t len = task.in.size() / 2;
  to_words(task.in.data(), len, product->a);
  to_words(task.in.data() + len, len, product->b);
  const Work multiply = repeat([product] {
    return incore_gf2_field_multiply(&product->field, product->a, product->b, product->c);
  });
  return [product, multiply, &task](size_t calls) {
    multiply(calls);
    for (size_t i = 0; i < task.out.size(); ++i)
      task.out[task.out.size() - 1 - i] = static_cast<uint8_t>(product->c[i / 8] >> 8 * (i % 8));
  };
}

std::string kernel(const Task&) {
  return kernel_of("gf2");
}

constexpr Family kFamily = {rows, prepare, kernel, long_known_answers};

}  // namespace

extern const Bench bench_gf2 = {"gf2", "products in GF(2^m)", nullptr, &kFamily};

}  // namespace incore::tools
