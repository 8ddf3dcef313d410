// The known answers of api_vectors_*, the tests of the modes, and those of what is left behind,
// once more on each kernel that this CPU can run. A kernel is chosen once in a process, so each
// gets a process of its own, which first proves that it is the one that serves.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "crypto/aes/aes_kernel.h"
#include "crypto/gcm/gcm.h"
#include "crypto/gf2/gf2_kernel.h"
#include "crypto/ghash/ghash_kernel.h"
#include "crypto/mont/mont_kernel.h"
#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many.h"
#include "support/known_answers.h"
#include "support/process.h"
#include "support/residue.h"

namespace incore::test {
namespace {

// The processes started below are told by a variable of the test's own which kernel they were to
// have; in all others nothing is forced, and the first that runs here serves.
TEST(capi_vectors_kernel, the_forced_kernel_serves) {
  const char* const value = std::getenv("INCORE_TEST_KERNEL");
  if (value == nullptr) {
    EXPECT_EQ(serving_kernel("aes"), choose_kernel(aes_kernel_list).kernel->name);
    return;
  }
  std::istringstream pairs(value);
  for (std::string forced; std::getline(pairs, forced, ',');) {
    const size_t colon = forced.find(':');
    ASSERT_NE(colon, std::string::npos);
    EXPECT_EQ(serving_kernel(forced.substr(0, colon)), forced.substr(colon + 1));
  }
}

// Runs the tests of |suite|, and the tests |others| (a filter), with the kernels |forced|.
void run_with(const std::string& forced, const std::string& suite, const std::string& others) {
  SCOPED_TRACE(forced);
  const ProcessResult result =
      run({"/proc/self/exe", "--gtest_filter=capi_vectors_kernel.*:" + suite + ".*:" + others}, "",
          {"INCORE_KERNEL=" + forced, "INCORE_TEST_KERNEL=" + forced});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("[       OK ] capi_vectors_kernel.the_forced_kernel_serves"),
            std::string::npos);
  EXPECT_NE(result.out.find("[       OK ] " + suite + "."), std::string::npos);
}

// The kernels of |list| that this CPU can run, as INCORE_KERNEL forces them.
std::vector<std::string> runnable(const KernelList& list) {
  std::vector<std::string> forced;
  for (size_t i = 0; i < list.num_kernels; ++i)
    if (detect_features().has_all(list.kernels[i]->needs))
      forced.push_back(std::string(list.algorithm) + ":" + list.kernels[i]->name);
  EXPECT_GE(forced.size(), 1u);
  return forced;
}

// run_with under each kernel of |list|.
void run_on_each(const KernelList& list, const std::string& suite, const std::string& others) {
  for (const std::string& forced : runnable(list)) run_with(forced, suite, others);
}

// The same for algorithms that have nothing to do with each other: the first kernels of all of them
// in one process, the second ones in the next, and so on.
void run_on_each(const std::vector<const KernelList*>& lists, const std::string& suite,
                 const std::string& others) {
  std::vector<std::string> processes;
  for (const KernelList* list : lists) {
    const std::vector<std::string> forced = runnable(*list);
    if (processes.size() < forced.size()) processes.resize(forced.size());
    for (size_t i = 0; i < forced.size(); ++i)
      processes[i] += (processes[i].empty() ? "" : ",") + forced[i];
  }
  for (const std::string& forced : processes) run_with(forced, suite, others);
}

TEST(every_kernel, gives_the_known_answers_of_aes) {
  run_on_each(aes_kernel_list, "capi_vectors_aes",
              "capi_xts.*:capi_ccm.*:capi_cmac.*:capi_cbc_mac.*");
}
TEST(every_kernel, gives_the_known_answers_of_gcm) {
  run_on_each(aes_kernel_list, "capi_vectors_gcm", "");
  run_on_each(ghash_kernel_list, "capi_vectors_gcm", "");
}
TEST(every_kernel, gives_the_known_answers_of_rsa) {
  run_on_each(mont_kernel_list, "capi_vectors_rsa", "");
}
TEST(every_kernel, gives_the_known_answers_of_sha) {
  run_on_each({&sha1_kernel_list, &sha256_kernel_list, &sha512_kernel_list}, "capi_vectors_sha",
              "capi_hmac.*");
}

TEST(every_kernel, leaves_nothing_of_aes_behind) {
  if (!kSeesStack) GTEST_SKIP() << "sanitizers lay out stacks of their own";
  run_on_each(aes_kernel_list, "residue_aes", "residue_gcm.*");
}
TEST(every_kernel, leaves_nothing_of_gcm_behind) {
  if (!kSeesStack) GTEST_SKIP() << "sanitizers lay out stacks of their own";
  run_on_each(ghash_kernel_list, "residue_gcm", "");
#define X(loop) &gcm_##loop,
  const GcmLoop* const loops[] = {
#include "crypto/gcm/gcm_loops.def"
      nullptr};
#undef X
  for (const GcmLoop* loop : loops) {
    if (loop == nullptr) continue;
    const KernelInfo &aes = loop->aes->info, &ghash = loop->ghash->info;
    const FeatureSet here = detect_features();
    if (here.has_all(aes.needs) && here.has_all(ghash.needs))
      run_with(std::string("aes:") + aes.name + ",ghash:" + ghash.name, "residue_gcm", "");
  }
}
TEST(every_kernel, leaves_nothing_of_sha_behind) {
  if (!kSeesStack) GTEST_SKIP() << "sanitizers lay out stacks of their own";
  run_on_each({&sha1_kernel_list, &sha256_kernel_list, &sha512_kernel_list, &sha1_many_kernel_list,
               &sha256_many_kernel_list, &sha512_many_kernel_list},
              "residue_sha", "residue_rng.*");
}
TEST(every_kernel, leaves_nothing_of_arithmetic_behind) {
  if (!kSeesStack) GTEST_SKIP() << "sanitizers lay out stacks of their own";
  run_on_each(gf2_kernel_list, "residue_gf2", "");
  run_on_each(mont_kernel_list, "residue_mont", "");
}

}  // namespace
}  // namespace incore::test
