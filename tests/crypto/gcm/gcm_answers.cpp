// Apart from gcm_testing.cpp, which fuzzers use too: they keep no record of answers.
#include <set>

#include "crypto/gcm/gcm_testing.h"
#include "support/known_answers.h"

namespace incore::test {

void gcm_pairs_gave_answers(const std::string& vectors, size_t num) {
  std::set<std::string> aes, ghash;
  for (const GcmPair& pair : gcm_pairs()) {
    aes.insert(pair.aes->info.name);
    ghash.insert(pair.ghash->info.name);
  }
  for (const std::string& kernel : aes) gave_answers("aes", kernel, vectors, num);
  for (const std::string& kernel : ghash) gave_answers("ghash", kernel, vectors, num);
}

}  // namespace incore::test
