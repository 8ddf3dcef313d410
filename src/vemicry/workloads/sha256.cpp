// Workloads: SHA-256 over one block.
#include "crypto/sha/sha_steps.h"

#include <algorithm>

#include "vemicry/workloads/input.h"

namespace incore::vemicry {
namespace {

constexpr size_t kBlockLen = 64;
constexpr uint32_t kHashAddress = kKeysAddress, kConstantsAddress = kTablesAddress,
                   kRoomAddress = kTablesAddress + 0x1000;

std::string vector_refusal(const Config& config) {
  if (config.length() < 8) return "the vector length must be at least 8";
  if (config.length() != config.p) return "the vector length must be p: it uses CAR";
  if (std::string text = no_delay_refusal(config); !text.empty()) return text;
  return big_endian_refusal(config);
}

uint64_t num_bytes(const Config&) {
  return kBlockLen;
}

// For seed 1 the hash of "abc" (FIPS 180-4, section 5.1.1); else a random block and hash value.
void prepare(Run& run) {
  std::vector<uint8_t> block = random_bytes(run.seed, kBlockLen);
  std::vector<uint32_t> H(std::begin(sha::kSha256H.word), std::end(sha::kSha256H.word));
  if (run.seed == 1) {
    uint8_t padded[2 * kBlockLen] = {'a', 'b', 'c'};
    (void)sha::pad<kBlockLen>(padded, 3, 3, padded);
    std::copy_n(padded, kBlockLen, block.begin());
  } else {
    const std::vector<uint8_t> random = random_bytes(~run.seed, 4 * H.size());
    for (size_t i = 0; i < H.size(); ++i) H[i] = load_be32(&random[4 * i]);
  }
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_bytes(kBlocksAddress, block.data(), block.size());
  run.write_words(kHashAddress, H);
  run.write_words(kConstantsAddress,
                  {std::begin(sha::kSha256K.word), std::end(sha::kSha256K.word)});
  // The room need not be clear.
  const std::vector<uint8_t> junk = random_bytes(run.seed + 1, 8 * 64);
  run.write_bytes(kRoomAddress, junk.data(), junk.size());
  run.arguments = {kHashAddress, kBlocksAddress, kConstantsAddress, kRoomAddress};
  sha::sha256_block(H.data(), block.data());
  run.expected.resize(4 * H.size());
  for (size_t i = 0; i < H.size(); ++i) store_be32(&run.expected[4 * i], H[i]);
}

std::string check(const Run& run) {
  return compare_bytes(run, kHashAddress, run.expected);
}

}  // namespace

const Workload sha256_block_workload = {
    "sha256-block", "SHA-256, one block, rotations in vector registers",
    "sha256.s",     "sha256_block",
    vector_refusal, num_bytes,
    prepare,        check};
const Workload scalar_c_sha256_block_workload = {"scalar-c-sha256-block",
                                                 "SHA-256, one block, C compiled for MIPS-I",
                                                 "scalar_c_sha256.elf",
                                                 "sha256_block",
                                                 big_endian_refusal,
                                                 num_bytes,
                                                 prepare,
                                                 check};

}  // namespace incore::vemicry
