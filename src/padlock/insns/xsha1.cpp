// REP XSHA1: SHA-1 (FIPS 180-4, section 6.1). PadLock guide 1.66, section 4.1. Needs PHE.
#include <cstring>

#include "padlock/xsha.h"

namespace incore::padlock {
namespace {

constexpr size_t kStateLen = 20, kStateLenZhaoxin = 32;

void compress(const HostKernels& kernels, uint8_t* state, const uint8_t* blocks,
              size_t num_blocks) {
  compress_words<uint32_t, 5>(kernels.sha1->compress, state, blocks, num_blocks);
}

void compress_zhaoxin(const HostKernels& kernels, uint8_t* state, const uint8_t* blocks,
                      size_t num_blocks) {
  compress(kernels, state, blocks, num_blocks);
  std::memset(state + kStateLen, 0, kStateLenZhaoxin - kStateLen);
}

constexpr HashAlgorithm kSha1 = {kStateLen, 64, HashAlgorithm::Forms::by_model, compress};
constexpr HashAlgorithm kSha1Zhaoxin = {kStateLenZhaoxin, 64, HashAlgorithm::Forms::by_model,
                                        compress_zhaoxin};

Trap execute(Execution& x) {
  return xsha(x, x.cpu.model().xsha1_stores_32 ? kSha1Zhaoxin : kSha1);
}

}  // namespace

const Insn xsha1 = {
    .mnemonic = "xsha1",
    .opcode = {0x0F, 0xA6, 0xC8},
    .rep = true,
    .unit = Unit::phe,
    .kind = Kind::hash,
    .operands = "EAX bytes done, ECX bytes, ESI message, EDI state",
    .execute = execute,
};

}  // namespace incore::padlock
