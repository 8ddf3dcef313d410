// Sixteen random calls, each against the library or GMP.
#include "check.h"
#include "padlock/differential.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  static incore::padlock::test::Differential differential;
  incore::test::FuzzedChoices choices(data, len);
  for (int i = 0; i < 16; ++i) {
    const std::string difference = differential.call(choices);
    if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
    FUZZ_CHECK(difference.empty());
  }
  return 0;
}
