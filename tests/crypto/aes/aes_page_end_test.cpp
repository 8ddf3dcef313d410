// Every kernel on data that lie against the end of a page which no accessible page follows.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "crypto/aes/aes_testing.h"

namespace incore::test {
namespace {

// Two pages that end where nothing can be accessed.
class GuardedPages {
 public:
  GuardedPages() {
    void* const all = mmap(nullptr, kLen + page_len(), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<uint8_t*>(all);
    if (mprotect(end(), page_len(), PROT_NONE) != 0) throw std::bad_alloc();
  }
  ~GuardedPages() { munmap(begin_, kLen + page_len()); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;
  uint8_t* end() const { return begin_ + kLen; }

 private:
  static size_t page_len() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }
  const size_t kLen = 2 * page_len();
  uint8_t* begin_;
};

class aes_page_end : public AesKernelTest {};

// clause: PLK-ACE-062
TEST_P(aes_page_end, nothing_beyond_the_data_is_accessed) {
  const AesKernel& kernel = *GetParam();
  const Bytes key = random_bytes(16, 1), first_iv = random_bytes(16, 2);
  const Bytes all = random_bytes(16 * 70, 3);
  const AesKeys keys = make_keys(kernel, key, 10);
  const AesKeys oracle_keys = make_keys(aes_steps_oracle, key, 10);
  const GuardedPages source, target;
  for (const AesMode& mode : aes_modes()) {
    for (size_t blocks : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 41, 70}) {
      const Bytes in(all.begin(), all.begin() + static_cast<long>(16 * blocks));
      const Bytes expected = run_mode(mode, aes_steps_oracle, oracle_keys, first_iv, in);
      // How far from the end; what is no multiple of 16 makes the data misaligned.
      for (size_t distance : {0, 1, 16, 32, 112, 128}) {
        uint8_t* const from = source.end() - in.size() - distance;
        uint8_t* const to = target.end() - in.size() - distance;
        std::memcpy(from, in.data(), in.size());
        Bytes iv = first_iv;
        mode.run(kernel, keys, iv.data(), from, to, blocks);
        ASSERT_EQ(std::memcmp(to, expected.data(), in.size()), 0)
            << mode.name << ' ' << blocks << ' ' << distance;
        iv = first_iv;
        mode.run(kernel, keys, iv.data(), from, from, blocks);
        ASSERT_EQ(std::memcmp(from, expected.data(), in.size()), 0)
            << mode.name << " in place " << blocks << ' ' << distance;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, aes_page_end, testing::ValuesIn(aes_kernels()), kernel_name);

}  // namespace
}  // namespace incore::test
