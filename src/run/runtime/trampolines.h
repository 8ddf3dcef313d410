// Trampolines, and the pages that they lie in.
#pragma once

#include "run/runtime/program_code.h"
#include "run/runtime/runtime.h"

namespace incore::run {

class Trampolines {
 public:
  // The address of a free trampoline in [begin, end), or 0.
  uint64_t take(ProgramCode& code, uint64_t begin, uint64_t end);
  // Makes it free again. Only before a jump has led there: code may still return into one that ran.
  void give_back(uint64_t address);

 private:
  struct Page {
    uint64_t address;
    uint64_t used;  // a bit for each trampoline
  };
  static uint64_t take_from(Page& page, uint64_t begin, uint64_t end);

  Page pages_[1024] = {};
  size_t num_pages_ = 0;
};

}  // namespace incore::run
