#include "bench_answers.h"

namespace incore::cli {

const std::vector<KnownAnswer>& long_known_answers() {
  static const std::vector<KnownAnswer> answers = {
#include "bench_answers.inc"
  };
  return answers;
}

}  // namespace incore::cli
