// `incore montmul`: the job of the sample MM (PadLock guide, 6.5), products modulo big numbers from
// files of cases; random cases, which the library, MM's model and GMP compute; or the product of
// given numbers.
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/options/random_case_options.h"
#include "tools/numbers/mont_check.h"

namespace incore::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::optional<std::string> a, b, modulus;
  RandomCases cases;
  bool print_cases = false, trace = false, json = false;
};

int montmul(const Options& o) {
  if (o.a)
    return compute_product(number_of_option("-a", *o.a), number_of_option("-b", *o.b),
                           number_of_option("--modulus", *o.modulus), o.trace, o.json);
  if (!o.files.empty()) return check_products(o.files, {.trace = o.trace, .quiet = o.json});
  if (o.trace) return fail(kBadInput, "--trace is for FILE or -a, -b and --modulus");
  return compare_products(o.cases, o.print_cases, o.json);
}

}  // namespace

Command montmul_command() {
  auto o = std::make_shared<Options>();
  return {
      .name = "montmul",
      .summary = "Montgomery products: test cases from files, random ones, or given numbers",
      .options = joined(
          {{text("FILE", "", &o->files, "test cases in the format of the sample MM; - is stdin")
                .excludes({"-a"}),
            text("-a", "HEX", &o->a, "compute with this number: hex, or @FILE").needs("-b"),
            text("-b", "HEX", &o->b, "hex, or @FILE").needs("--modulus"),
            text("--modulus", "HEX", &o->modulus, "odd: hex, or @FILE").needs("-a")},
           random_case_options(&o->cases, 20, {"FILE", "-a"}),
           {flag("--print-cases", &o->print_cases, "print random cases in the format of MM")
                .excludes({"FILE", "-a"}),
            flag("--trace", &o->trace, "print the model's products before their reduction"),
            flag("--json", &o->json, "print JSON").excludes({"--trace", "--print-cases"})}}),
      .about =
          "Without FILE and numbers: random cases, computed by the library, by a plain model "
          "with words of 16 bits, and by GMP where it is installed. docs/montmul.md has the "
          "format of FILE.",
      .examples = {"incore montmul cases.txt", "incore montmul --bits 256-32768:4096 --count 5",
                   "incore montmul -a a46aa5a -b b4a3016 --modulus 10a4201d"},
      .exit_codes = {{"0", "done"},
                     {"1", "results differ"},
                     {"2", "bad numbers, files or options"}},
      .run = [o] { return montmul(*o); },
  };
}

}  // namespace incore::cli
