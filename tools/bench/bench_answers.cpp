#include "tools/bench/bench_answers.h"

namespace incore::tools {

const std::vector<KnownAnswer>& long_known_answers() {
  static const std::vector<KnownAnswer> answers = {
#include "tools/bench/bench_answers.inc"
  };
  return answers;
}

}  // namespace incore::tools
