// The PadLock processor against the library's public interface, and MONTMUL against GMP: random
// calls, one after the other on processors that live on, so that keys and kernels change as they do
// in a long-lived program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "incore/aes.h"
#include "padlock/processor.h"
#include "support/choices.h"
#include "support/hex.h"

namespace incore::padlock::test {

class Differential {
 public:
  Differential();
  ~Differential();

  // One call. Returns what was wrong, in words; empty if nothing was.
  std::string call(incore::test::Choices& choices);

 private:
  struct Key;
  class Flat;

  std::string xcrypt(incore::test::Choices& choices);
  std::string xsha(incore::test::Choices& choices);
  std::string montmul(incore::test::Choices& choices);
  // Runs the instruction with that opcode on |cpu|. False unless it completes.
  bool run(Processor& cpu, uint8_t second, uint8_t third);

  std::vector<Key> keys_;
  std::vector<std::unique_ptr<Processor>> processors_;
  std::unique_ptr<Flat> memory_;
};

}  // namespace incore::padlock::test
