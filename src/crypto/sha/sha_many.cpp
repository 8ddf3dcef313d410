#include "crypto/sha/sha_many.h"

#include <atomic>
#include <cstring>

#include "base/bytes.h"
#include "crypto/sha/sha_steps.h"

namespace incore {
namespace {

constexpr const KernelInfo* kSha1ManyKernels[] = {
#define X(kernel) &sha1_many_##kernel.info,
#include "crypto/sha/sha1_many_kernels.def"
#undef X
};
constexpr const KernelInfo* kSha256ManyKernels[] = {
#define X(kernel) &sha256_many_##kernel.info,
#include "crypto/sha/sha256_many_kernels.def"
#undef X
};
constexpr const KernelInfo* kSha512ManyKernels[] = {
#define X(kernel) &sha512_many_##kernel.info,
#include "crypto/sha/sha512_many_kernels.def"
#undef X
};

constinit TestedKernels tested_sha1, tested_sha256, tested_sha512;

}  // namespace

constinit const KernelList sha1_many_kernel_list =
    kernel_list_of("sha1_many", kSha1ManyKernels, sha1_many_self_test, &tested_sha1);
constinit const KernelList sha256_many_kernel_list =
    kernel_list_of("sha256_many", kSha256ManyKernels, sha256_many_self_test, &tested_sha256);
constinit const KernelList sha512_many_kernel_list =
    kernel_list_of("sha512_many", kSha512ManyKernels, sha512_many_self_test, &tested_sha512);

namespace {

// The choice for one list, made at first use and kept.
class ChosenMany {
 public:
  constexpr explicit ChosenMany(const KernelList& list) : list_(list), first_(list) {}

  ShaManyKernels kernels() {
    const KernelInfo* const first = first_.kernel();
    if (first == nullptr) return {nullptr, 0};
    uint32_t usable = usable_.load(std::memory_order_relaxed);
    if (usable == 0) {  // threads that meet here find the same
      usable = find_usable(first);
      usable_.store(usable, std::memory_order_relaxed);
    }
    return {&list_, usable};
  }

 private:
  uint32_t find_usable(const KernelInfo* first) const {
    const Machine machine = this_machine();
    uint32_t usable = 0;
    for (size_t i = list_.num_kernels; i-- != 0;) {
      if (machine.runs(list_, *list_.kernels[i])) usable |= uint32_t{1} << i;
      if (list_.kernels[i] == first) break;
    }
    return usable;
  }

  const KernelList& list_;
  ChosenKernel<KernelInfo> first_;
  std::atomic<uint32_t> usable_{0};
};

constinit ChosenMany chosen_sha1(sha1_many_kernel_list);
constinit ChosenMany chosen_sha256(sha256_many_kernel_list);
constinit ChosenMany chosen_sha512(sha512_many_kernel_list);

void set_initial(ShaAlgorithm algorithm, ShaLanes<uint32_t>* lanes, size_t lane) {
  for (size_t i = 0; i < (algorithm == ShaAlgorithm::sha1 ? 5 : 8); ++i)
    lanes->state[i][lane] = algorithm == ShaAlgorithm::sha1     ? sha::kSha1H[i]
                            : algorithm == ShaAlgorithm::sha224 ? sha::kSha224H[i]
                                                                : sha::kSha256H[i];
}
void set_initial(ShaAlgorithm algorithm, ShaLanes<uint64_t>* lanes, size_t lane) {
  for (size_t i = 0; i < 8; ++i)
    lanes->state[i][lane] = algorithm == ShaAlgorithm::sha384 ? sha::kSha384H[i] : sha::kSha512H[i];
}

void store_word(uint8_t* out, uint32_t word) {
  store_be32(out, word);
}
void store_word(uint8_t* out, uint64_t word) {
  store_be64(out, word);
}

}  // namespace

ShaManyKernels sha_many_kernels(ShaAlgorithm algorithm) {
  switch (algorithm) {
    case ShaAlgorithm::sha1:
      return chosen_sha1.kernels();
    case ShaAlgorithm::sha224:
    case ShaAlgorithm::sha256:
      return chosen_sha256.kernels();
    default:
      return chosen_sha512.kernels();
  }
}

template <class Word>
ShaManyHasher<Word>::ShaManyHasher(ShaAlgorithm algorithm, const ShaManyKernels& kernels)
    : kernels_(kernels), algorithm_(algorithm) {}

template <class Word>
void ShaManyHasher<Word>::add(const ShaMessage& message) {
  if (num_waiting_ == kWindow) run(false);
  window_[num_waiting_++] = message;
}

// Until no message waits for a lane; or until none is at work either.
template <class Word>
void ShaManyHasher<Word>::run(bool to_the_end) {
  sort_window();
  for (size_t next = 0;;) {
    while (num_jobs_ < ShaLanes<Word>::kNum && next < num_waiting_)
      start(num_jobs_++, window_[order_[next++]]);
    if (num_jobs_ == 0 || (next == num_waiting_ && !to_the_end)) break;

    size_t num_blocks = jobs_[0].num_blocks;
    for (size_t lane = 1; lane < num_jobs_; ++lane)
      if (jobs_[lane].num_blocks < num_blocks) num_blocks = jobs_[lane].num_blocks;
    compress(num_blocks);
    for (size_t lane = num_jobs_; lane-- != 0;) {
      lanes_.data[lane] += num_blocks * kBlockLen;
      jobs_[lane].num_blocks -= num_blocks;
      if (jobs_[lane].num_blocks != 0) continue;
      if (!jobs_[lane].at_end) {
        start_end(lane);
        continue;
      }
      write_digest(lane);
      if (next < num_waiting_)
        start(lane, window_[order_[next++]]);
      else
        move_last_job_to(lane);
    }
  }
  num_waiting_ = 0;
}

// The longest first. Messages that stand so already, as those of equal length, cost one look.
template <class Word>
void ShaManyHasher<Word>::sort_window() {
  for (size_t i = 0; i < num_waiting_; ++i) {
    size_t place = i;
    for (; place != 0 && window_[order_[place - 1]].data_len < window_[i].data_len; --place)
      order_[place] = order_[place - 1];
    order_[place] = static_cast<uint8_t>(i);
  }
}

template <class Word>
void ShaManyHasher<Word>::start(size_t lane, const ShaMessage& message) {
  Job& job = jobs_[lane];
  job.message = message;
  job.num_blocks = message.data_len / kBlockLen;
  job.at_end = false;
  lanes_.data[lane] = message.data;
  set_initial(algorithm_, &lanes_, lane);
  if (job.num_blocks == 0) start_end(lane);
}

template <class Word>
void ShaManyHasher<Word>::start_end(size_t lane) {
  Job& job = jobs_[lane];
  const size_t len = job.message.data_len, tail_len = len % kBlockLen;
  if (tail_len != 0) std::memcpy(job.end, job.message.data + (len - tail_len), tail_len);
  job.num_blocks = sha::pad<kBlockLen>(job.end, tail_len, len, job.end);
  job.at_end = true;
  lanes_.data[lane] = job.end;
}

template <class Word>
void ShaManyHasher<Word>::write_digest(size_t lane) {
  uint8_t* const out_digest = jobs_[lane].message.out_digest;
  for (size_t i = 0; i < sha_digest_len(algorithm_) / sizeof(Word); ++i)
    store_word(out_digest + i * sizeof(Word), lanes_.state[i][lane]);
}

// So that the jobs keep the first lanes.
template <class Word>
void ShaManyHasher<Word>::move_last_job_to(size_t lane) {
  const size_t last = --num_jobs_;
  if (last == lane) return;
  Job& job = jobs_[lane];
  job = jobs_[last];
  for (size_t i = 0; i < 8; ++i) lanes_.state[i][lane] = lanes_.state[i][last];
  lanes_.data[lane] =
      job.at_end ? job.end + (lanes_.data[last] - jobs_[last].end) : lanes_.data[last];
}

template <class Word>
void ShaManyHasher<Word>::compress(size_t num_blocks) {
  const ShaManyKernel<Word>* cheapest = nullptr;
  size_t least_cycles = 0;
  for (size_t i = 0; i < kernels_.list->num_kernels; ++i) {
    if ((kernels_.usable >> i & 1) == 0) continue;
    const auto* kernel = reinterpret_cast<const ShaManyKernel<Word>*>(kernels_.list->kernels[i]);
    const size_t num_calls = (num_jobs_ + kernel->max_lanes - 1) / kernel->max_lanes;
    if (cheapest != nullptr && num_calls * kernel->cycles >= least_cycles) continue;
    cheapest = kernel;
    least_cycles = num_calls * kernel->cycles;
  }
  for (size_t first = 0; first < num_jobs_; first += cheapest->max_lanes) {
    const size_t rest = num_jobs_ - first;
    cheapest->compress(&lanes_, first, rest < cheapest->max_lanes ? rest : cheapest->max_lanes,
                       num_blocks);
  }
}

template class ShaManyHasher<uint32_t>;
template class ShaManyHasher<uint64_t>;

}  // namespace incore
