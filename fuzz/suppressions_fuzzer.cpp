// Any text as a file of accepted findings: what is accepted gives each finding a reason or none.
#include "check.h"
#include "padlock/checks/check.h"
#include "tools/run/suppressions.h"

// As in the library, which a fuzzer does not need as a whole.
extern "C" const char* incore_run_check_name(unsigned index) {
  size_t num_checks;
  const incore::padlock::Check* const* const checks = incore::padlock::checks(&num_checks);
  return index < num_checks ? checks[index]->name : nullptr;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t len) {
  incore::tools::Suppressions suppressions;
  const std::string text(data, data + len);
  if (!suppressions.parse(text, "file").empty()) return 0;
  incore_run_finding finding = {};
  for (unsigned i = 0; (finding.check = incore_run_check_name(i)) != nullptr; ++i) {
    finding.function = i % 3 == 0 ? nullptr : "function";
    finding.module = i % 2 == 0 ? nullptr : "/a/module";
    const std::string* const reason = suppressions.reason(finding);
    if (reason != nullptr) FUZZ_CHECK(!reason->empty() && text.find(*reason) != std::string::npos);
  }
  suppressions.unused();
  return 0;
}
