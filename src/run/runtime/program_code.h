// The program's code as the patcher sees it. In the run-time it is the process; in tests, a buffer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace incore::run {

inline constexpr uint64_t kCodePageLen = 4096;

class ProgramCode {
 public:
  virtual bool read(uint64_t address, void* out, size_t len) = 0;
  // Whatever the protection there. After false, some of the bytes may have been written.
  virtual bool write(uint64_t address, const void* in, size_t len) = 0;
  // Every core that runs this program sees the code as it is now.
  virtual void synchronise() = 0;
  // Whether only the patcher can change the code in [begin, end).
  virtual bool is_stable(uint64_t begin, uint64_t end) = 0;
  // Maps a page for trampolines; false: something else is there, or nothing may be.
  virtual bool map_page(uint64_t address) = 0;
  // As write(), in such a page.
  virtual bool fill(uint64_t address, const void* in, size_t len) = 0;

 protected:
  ~ProgramCode() = default;
};

}  // namespace incore::run
