// Runs the SHA kernels, for one message and for many, on data that memcheck takes for undefined:
// see CMakeLists.txt. Lengths are not secret.
#include <valgrind/memcheck.h>

#include <cstdio>
#include <cstring>

#include "crypto/sha/sha_kernel.h"
#include "crypto/sha/sha_many.h"

namespace {

using namespace incore;

constexpr size_t kBlocks = 3;  // a pair and a single one
uint8_t data[32 * 200];

template <class Word, class Kernel>
void run_one(const KernelInfo* info) {
  Word state[8] = {};
  VALGRIND_MAKE_MEM_UNDEFINED(state, sizeof state);
  reinterpret_cast<const Kernel*>(info)->compress(state, data, kBlocks);
}

template <class Word>
void run_many(const KernelList& list, size_t kernel, ShaAlgorithm algorithm) {
  uint8_t digests[32][kShaMaxDigestLen];
  ShaManyHasher<Word> hasher(algorithm, {&list, uint32_t{1} << kernel});
  for (size_t i = 0; i < 32; ++i) hasher.add({data + 200 * i, 6 * i, digests[i]});
  hasher.finish();
}

template <class Run>
void run_list(const KernelList& list, const char* name, Run run) {
  const FeatureSet features = detect_features();
  for (size_t i = 0; i < list.num_kernels; ++i) {
    const KernelInfo* info = list.kernels[i];
    if (std::strcmp(name, "all") != 0 && std::strcmp(name, info->name) != 0) continue;
    if (!features.has_all(info->needs)) {
      std::printf("%s:%s skipped: valgrind or this CPU lacks its features\n", list.algorithm,
                  info->name);
      continue;
    }
    run(i);
    std::printf("%s:%s ran\n", list.algorithm, info->name);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc == 2 ? argv[1] : "all";
  VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof data);
  run_list(sha1_kernel_list, name,
           [](size_t i) { run_one<uint32_t, Sha1Kernel>(sha1_kernel_list.kernels[i]); });
  run_list(sha256_kernel_list, name,
           [](size_t i) { run_one<uint32_t, Sha256Kernel>(sha256_kernel_list.kernels[i]); });
  run_list(sha512_kernel_list, name,
           [](size_t i) { run_one<uint64_t, Sha512Kernel>(sha512_kernel_list.kernels[i]); });
  run_list(sha1_many_kernel_list, name,
           [](size_t i) { run_many<uint32_t>(sha1_many_kernel_list, i, ShaAlgorithm::sha1); });
  run_list(sha256_many_kernel_list, name,
           [](size_t i) { run_many<uint32_t>(sha256_many_kernel_list, i, ShaAlgorithm::sha256); });
  run_list(sha512_many_kernel_list, name,
           [](size_t i) { run_many<uint64_t>(sha512_many_kernel_list, i, ShaAlgorithm::sha512); });
  return 0;
}
