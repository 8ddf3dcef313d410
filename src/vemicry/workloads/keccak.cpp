// Workloads: Keccak-f[1600], as SHA-3 uses it.
#include <array>
#include <utility>

#include "vemicry/workloads/input.h"

namespace incore::vemicry {
namespace {

constexpr size_t kLanes = 25, kRounds = 24, kSha3_256Rate = 136;
constexpr uint32_t kStateAddress = kBlocksAddress, kRoomAddress = kKeysAddress,
                   kConstantsAddress = kTablesAddress;

using State = std::array<uint64_t, kLanes>;  // lane x, y is [5 y + x]

uint64_t turn(uint64_t lane, unsigned n) {
  return n % 64 == 0 ? lane : lane << n % 64 | lane >> (64 - n % 64);
}

// FIPS 202, section 3.2.5, algorithm 5: bit |t| of the sequence.
bool rc(unsigned t) {
  unsigned r = 1;
  for (unsigned i = 0; i < t % 255; ++i) r = r << 1 ^ (r >> 7) * 0x171;
  return (r & 1) != 0;
}

std::array<uint64_t, kRounds> round_constants() {
  std::array<uint64_t, kRounds> constants = {};
  for (unsigned i = 0; i < kRounds; ++i)
    for (unsigned j = 0; j <= 6; ++j)
      if (rc(j + 7 * i)) constants[i] |= uint64_t{1} << ((1u << j) - 1);
  return constants;
}

// Sections 3.2 and 3.3, in their words.
void keccak_f1600(State& A) {
  for (const uint64_t RC : round_constants()) {
    std::array<uint64_t, 5> C = {};
    for (size_t i = 0; i < kLanes; ++i) C[i % 5] ^= A[i];
    for (size_t i = 0; i < kLanes; ++i) A[i] ^= C[(i + 4) % 5] ^ turn(C[(i + 1) % 5], 1);
    State B;  // after Rho and Pi
    B[0] = A[0];
    for (size_t t = 0, x = 1, y = 0; t < 24; ++t) {
      const uint64_t lane = turn(A[5 * y + x], static_cast<unsigned>((t + 1) * (t + 2) / 2));
      x = std::exchange(y, (2 * x + 3 * y) % 5);
      B[5 * y + x] = lane;
    }
    for (size_t y = 0; y < kLanes; y += 5)
      for (size_t x = 0; x < 5; ++x)
        A[y + x] = B[y + x] ^ (~B[y + (x + 1) % 5] & B[y + (x + 2) % 5]);
    A[0] ^= RC;
  }
}

template <class Lanes>
std::vector<uint32_t> halves(const Lanes& lanes) {
  std::vector<uint32_t> words;
  for (const uint64_t lane : lanes) {
    words.push_back(static_cast<uint32_t>(lane));
    words.push_back(static_cast<uint32_t>(lane >> 32));
  }
  return words;
}

// For seed 1 what SHA3-256 begins with for "abc"; else a random state.
void prepare(Run& run) {
  std::vector<uint8_t> bytes = random_bytes(run.seed, 8 * kLanes);
  if (run.seed == 1) {
    bytes.assign(bytes.size(), 0);
    bytes[0] = 'a', bytes[1] = 'b', bytes[2] = 'c', bytes[3] = 0x06;
    bytes[kSha3_256Rate - 1] = 0x80;
  }
  State state = {};
  for (size_t i = 0; i < bytes.size(); ++i) state[i / 8] |= uint64_t{bytes[i]} << 8 * (i % 8);
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_words(kStateAddress, halves(state));
  run.write_words(kConstantsAddress, halves(round_constants()));
  run.arguments = {kStateAddress, kRoomAddress, kConstantsAddress};
  keccak_f1600(state);
  for (const uint32_t word : halves(state))
    for (int shift = 24; shift >= 0; shift -= 8)
      run.expected.push_back(static_cast<uint8_t>(word >> shift));
}

std::string check(const Run& run) {
  return compare_bytes(run, kStateAddress, run.expected);
}

std::string vector_refusal(const Config& config) {
  if (config.length() < 8) return "the vector length must be at least 8";
  return big_endian_refusal(config);
}

uint64_t num_bytes(const Config&) {
  return kSha3_256Rate;
}

}  // namespace

const Workload keccak_f1600_workload = {
    "keccak-f1600", "Keccak-f[1600], a block of SHA3-256, columns in registers",
    "keccak.s",     "keccak_f1600",
    vector_refusal, num_bytes,
    prepare,        check};
const Workload scalar_c_keccak_f1600_workload = {"scalar-c-keccak-f1600",
                                                 "Keccak-f[1600], C compiled for MIPS-I",
                                                 "scalar_c_keccak.elf",
                                                 "keccak_f1600",
                                                 big_endian_refusal,
                                                 num_bytes,
                                                 prepare,
                                                 check};

}  // namespace incore::vemicry
