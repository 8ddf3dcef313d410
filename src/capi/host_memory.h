// The memory of this process as an emulated instruction sees it. A page that it cannot access is a
// page fault of the instruction, found out by asking the kernel: one system call for each page,
// whose answer is remembered. A page that has been unmapped since is the caller's fault, and so is
// all where the kernel does not answer.
#pragma once

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "padlock/memory.h"

namespace incore {

class HostMemory final : public padlock::Memory {
 public:
  padlock::Trap read(uint64_t address, void* out, size_t len) override {
    if (padlock::Trap trap = check(address, len, false)) return trap;
    std::memcpy(out, pointer(address), len);
    return {};
  }
  padlock::Trap write(uint64_t address, const void* in, size_t len) override {
    if (padlock::Trap trap = check(address, len, true)) return trap;
    std::memcpy(pointer(address), in, len);
    return {};
  }
  padlock::Trap probe_write(uint64_t address, size_t len) override {
    return check(address, len, true);
  }
  const uint8_t* readable(uint64_t address, size_t len) override {
    return check(address, len, false) ? nullptr : pointer(address);
  }
  uint8_t* writable(uint64_t address, size_t len) override {
    return check(address, len, true) ? nullptr : pointer(address);
  }

 private:
  static constexpr uint64_t kPageLen = 4096;
  static constexpr unsigned kNumKnown = 64;
  static constexpr uint64_t kUserError = 4, kWriteError = 2;  // bits of a page fault's error code

  static uint8_t* pointer(uint64_t address) {
    return reinterpret_cast<uint8_t*>(static_cast<uintptr_t>(address));
  }

  padlock::Trap check(uint64_t address, size_t len, bool write) {
    for (uint64_t at = address, end = address + len; at < end; at = (at / kPageLen + 1) * kPageLen)
      if (!knows(at, write))
        return padlock::Trap::pf(at, static_cast<uint32_t>(kUserError | (write ? kWriteError : 0)));
    return {};
  }

  bool knows(uint64_t address, bool write) {
    const uint64_t page = address / kPageLen;
    uint64_t& known = known_[page % kNumKnown];
    const uint64_t wanted = (page + 1) << 1 | (write ? 1 : 0);
    if (known == wanted || known == (wanted | 1)) return true;
    if (!accessible(address, write)) return false;
    known = wanted;
    return true;
  }

  // Writing is tried with the byte that is there.
  static bool accessible(uint64_t address, bool write) {
    uint8_t byte;
    iovec local = {&byte, 1}, remote = {pointer(address), 1};
    const pid_t self = getpid();
    if (process_vm_readv(self, &local, 1, &remote, 1, 0) != 1) return errno != EFAULT;
    return !write || process_vm_writev(self, &local, 1, &remote, 1, 0) == 1 || errno != EFAULT;
  }

  uint64_t known_[kNumKnown] = {};  // page + 1, and in bit 0 whether it can be written; 0: none
};

}  // namespace incore
