// A page whose end is the end of what may be touched.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace incore::test {

class GuardedPage {
 public:
  GuardedPage() : size_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    void* p = mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::runtime_error("mmap");
    begin_ = static_cast<uint8_t*>(p);
    if (mprotect(begin_ + size_, size_, PROT_NONE) != 0) throw std::runtime_error("mprotect");
  }
  ~GuardedPage() { munmap(begin_, 2 * size_); }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  // One past the last byte.
  uint8_t* end() const { return begin_ + size_; }

 private:
  size_t size_;
  uint8_t* begin_;
};

}  // namespace incore::test
