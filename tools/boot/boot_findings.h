// What was found while a guest ran, each place once.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "tools/boot/supplier.h"
#include "tools/run/run_findings.h"

namespace incore::tools {

class BootFindings {
 public:
  void add(const SupplierFinding& finding, const incore_processor_state& state,
           const char* mnemonic);
  // As those of `incore run`.
  void tell(Findings* out) const;

 private:
  struct Entry {
    SupplierFinding finding;
    incore_processor_state state;  // of the first time
    const char* mnemonic;
    uint64_t count;
  };
  // Address of the instruction, what is wrong, what it points at.
  std::map<std::tuple<uint64_t, std::string, std::string>, Entry> entries_;
};

}  // namespace incore::tools
