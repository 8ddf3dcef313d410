// Any bytes as a file of `incore montmul`: what is accepted is a case within its bounds, and comes
// back from its text.
#include <sstream>
#include <stdexcept>

#include "check.h"
#include "tools/numbers/mont_cases.h"

using namespace incore::tools;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  std::istringstream text(std::string(data, data + len));
  MontCaseReader reader(text, "fuzz");
  try {
    for (MontCase c; reader.next(&c);) {
      FUZZ_CHECK(c.words >= 1 && c.words <= kMaxCaseWords && is_odd(c.m));
      FUZZ_CHECK(is_below(c.a, c.m) && is_below(c.b, c.m) && is_below(c.rm, c.m));
      FUZZ_CHECK(c.m.size() <= 2 * c.words && c.c.size() <= 2 * c.words);
      std::istringstream again_text(mont_case_text(c));
      MontCaseReader again_reader(again_text, "again");
      MontCase again;
      FUZZ_CHECK(again_reader.next(&again) && again.words == c.words);
      FUZZ_CHECK(again.m == c.m && again.a == c.a && again.b == c.b && again.rm == c.rm &&
                 again.c == c.c);
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
