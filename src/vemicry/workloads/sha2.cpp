// Workloads: SHA-256 and SHA-512 over one block.
#include "crypto/sha/sha_steps.h"

#include <algorithm>

#include "vemicry/workloads/input.h"

namespace incore::vemicry {
namespace {

constexpr uint32_t kHashAddress = kKeysAddress, kConstantsAddress = kTablesAddress,
                   kRoomAddress = kTablesAddress + 0x1000;

// SHA-256 for words of 32 bits, SHA-512 for words of 64.
template <class Word>
constexpr size_t kBlockLen = 16 * sizeof(Word);

std::string sha256_refusal(const Config& config) {
  if (config.length() < 8) return "the vector length must be at least 8";
  if (config.length() != config.p) return "the vector length must be p: it uses CAR";
  if (std::string text = no_delay_refusal(config); !text.empty()) return text;
  return big_endian_refusal(config);
}

std::string sha512_refusal(const Config& config) {
  if (config.length() < 8) return "the vector length must be at least 8";
  return big_endian_refusal(config);
}

template <class Word>
uint64_t num_bytes(const Config&) {
  return kBlockLen<Word>;
}

// Words of 32 bits as they are, words of 64 bits with the upper half first.
std::vector<uint32_t> halves(uint32_t word) {
  return {word};
}
std::vector<uint32_t> halves(uint64_t word) {
  return {static_cast<uint32_t>(word >> 32), static_cast<uint32_t>(word)};
}
// As sha512.s wants K: the lower half first, and a place for two halves behind them.
std::vector<uint32_t> spread(uint64_t word) {
  return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32), 0, 0};
}

template <class Words, class Form>
std::vector<uint32_t> formed(const Words& words, Form&& form) {
  std::vector<uint32_t> result;
  for (const auto word : words)
    for (const uint32_t half : form(word)) result.push_back(half);
  return result;
}

std::vector<uint32_t> constants(uint32_t, bool) {
  return {std::begin(sha::kSha256K.word), std::end(sha::kSha256K.word)};
}
std::vector<uint32_t> constants(uint64_t, bool is_spread) {
  if (is_spread) return formed(sha::kSha512K, spread);
  return formed(sha::kSha512K, [](uint64_t word) { return halves(word); });
}

std::vector<uint32_t> first_hash(uint32_t) {
  return {std::begin(sha::kSha256H.word), std::end(sha::kSha256H.word)};
}
std::vector<uint64_t> first_hash(uint64_t) {
  return {std::begin(sha::kSha512H), std::end(sha::kSha512H)};
}
void compress(std::vector<uint32_t>& H, const uint8_t* block) {
  sha::sha256_block(H.data(), block);
}
void compress(std::vector<uint64_t>& H, const uint8_t* block) {
  sha::sha512_block(H.data(), block);
}

// For seed 1 the hash of "abc" (FIPS 180-4, sections 5.1.1 and 5.1.2); else a random block and hash
// value.
template <class Word, bool kSpread>
void prepare(Run& run) {
  constexpr size_t kLen = kBlockLen<Word>;
  std::vector<uint8_t> block = random_bytes(run.seed, kLen);
  std::vector<Word> H = first_hash(Word{});
  if (run.seed == 1) {
    uint8_t padded[2 * kLen] = {'a', 'b', 'c'};
    (void)sha::pad<kLen>(padded, 3, 3, padded);
    std::copy_n(padded, kLen, block.begin());
  } else {
    const std::vector<uint8_t> random = random_bytes(~run.seed, sizeof(Word) * H.size());
    for (size_t i = 0; i < H.size(); ++i) H[i] = sha::message_word<Word>(random.data(), i);
  }
  const auto words = [&] { return formed(H, [](Word word) { return halves(word); }); };
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_bytes(kBlocksAddress, block.data(), block.size());
  run.write_words(kHashAddress, words());
  run.write_words(kConstantsAddress, constants(Word{}, kSpread));
  // The room need not be clear.
  const std::vector<uint8_t> junk = random_bytes(run.seed + 1, 16 * 80);
  run.write_bytes(kRoomAddress, junk.data(), junk.size());
  run.arguments = {kHashAddress, kBlocksAddress, kConstantsAddress, kRoomAddress};
  compress(H, block.data());
  for (const uint32_t word : words())
    for (int shift = 24; shift >= 0; shift -= 8)
      run.expected.push_back(static_cast<uint8_t>(word >> shift));
}

std::string check(const Run& run) {
  return compare_bytes(run, kHashAddress, run.expected);
}

template <class Word, bool kSpread>
constexpr Workload workload(const char* name, const char* summary, const char* program,
                            const char* function, std::string (*refusal)(const Config&)) {
  return {name, summary, program, function, refusal, num_bytes<Word>, prepare<Word, kSpread>,
          check};
}

}  // namespace

const Workload sha256_block_workload =
    workload<uint32_t, false>("sha256-block", "SHA-256, one block, rotations in vector registers",
                              "sha256.s", "sha256_block", sha256_refusal);
const Workload sha512_block_workload = workload<uint64_t, true>(
    "sha512-block", "SHA-512, one block, rotations and sums in vector registers", "sha512.s",
    "sha512_block", sha512_refusal);
const Workload scalar_c_sha256_block_workload =
    workload<uint32_t, false>("scalar-c-sha256-block", "SHA-256, one block, C compiled for MIPS-I",
                              "scalar_c_sha256.elf", "sha256_block", big_endian_refusal);
const Workload scalar_c_sha512_block_workload =
    workload<uint64_t, false>("scalar-c-sha512-block", "SHA-512, one block, C compiled for MIPS-I",
                              "scalar_c_sha512.elf", "sha512_block", big_endian_refusal);

}  // namespace incore::vemicry
