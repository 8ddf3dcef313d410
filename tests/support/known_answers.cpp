#include "support/known_answers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "crypto/aes/aes_kernel.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/ghash/ghash_kernel.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many.h"

namespace incore::test {
namespace {

// The widest kernel for many messages that serves.
std::string widest(const ShaManyKernels& kernels) {
  return kernels.list->kernels[__builtin_ctz(kernels.usable)]->name;
}

}  // namespace

void gave_answers(const std::string& algorithm, const std::string& kernel,
                  const std::string& vectors, size_t num) {
  const char* const file = std::getenv("INCORE_KNOWN_ANSWERS");
  if (file == nullptr || testing::Test::HasFailure() || testing::Test::IsSkipped()) return;
  const std::string line =
      algorithm + '\t' + kernel + '\t' + vectors + '\t' + std::to_string(num) + '\n';
  std::ofstream out(file, std::ios::app);
  out << line << std::flush;
  EXPECT_TRUE(out) << file;
}

std::string serving_kernel(const std::string& algorithm) {
  if (algorithm == "aes") return aes_kernel()->info.name;
  if (algorithm == "ghash") return ghash_kernel()->info.name;
  if (algorithm == "gf2") return gf2_kernel()->info.name;
  if (algorithm == "mont") return mont_kernel()->info.name;
  if (algorithm == "sha1") return sha1_kernel()->info.name;
  if (algorithm == "sha256") return sha256_kernel()->info.name;
  if (algorithm == "sha512") return sha512_kernel()->info.name;
  if (algorithm == "sha1_many") return widest(sha_many_kernels(ShaAlgorithm::sha1));
  if (algorithm == "sha256_many") return widest(sha_many_kernels(ShaAlgorithm::sha256));
  if (algorithm == "sha512_many") return widest(sha_many_kernels(ShaAlgorithm::sha512));
  return "no such algorithm";
}

}  // namespace incore::test
