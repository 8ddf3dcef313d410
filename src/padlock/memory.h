// The memory that an instruction sees. Front-ends implement it; any access may fault at any byte.
#pragma once

#include <cstddef>
#include <cstdint>

#include "padlock/trap.h"

namespace incore::padlock {

class Memory {
 public:
  // Copies |len| bytes at linear |address|; all or nothing. A fault is returned as a page fault (or
  // what the front-end knows better) whose address is the first byte that could not be accessed.
  virtual Trap read(uint64_t address, void* out, size_t len) = 0;
  virtual Trap write(uint64_t address, const void* in, size_t len) = 0;

  // Tests that a write of |len| bytes would succeed, without one.
  virtual Trap probe_write(uint64_t address, size_t len) = 0;

  // Direct access for bulk work: a pointer to the |len| bytes at |address| if all of them can be
  // read (written) now without a fault, else null. An implementation may always answer null; read
  // and write then do the work and say what is wrong.
  virtual const uint8_t* readable(uint64_t address, size_t len) {
    (void)address, (void)len;
    return nullptr;
  }
  virtual uint8_t* writable(uint64_t address, size_t len) {
    (void)address, (void)len;
    return nullptr;
  }

 protected:
  ~Memory() = default;
};

// Asked wherever an instruction may be interrupted, with the blocks (bytes for XSTORE) that it has
// done since it was issued. True stops the instruction there.
class Interrupts {
 public:
  virtual bool pending(uint64_t done) = 0;

 protected:
  ~Interrupts() = default;
};

}  // namespace incore::padlock
