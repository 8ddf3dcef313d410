// Workloads: the shortest AES-128 encryption of one block, whose round keys have forms of their
// own, and the key schedule that makes them.
#include "vemicry/workloads/aes_input.h"

namespace incore::vemicry {
namespace {

// Where the state's bytes lie: row |row| and column |column| of the registers hold
//   row    i = row - rows_down
//   column     column + columns_on - i * round
// of the state, all modulo 4. ShiftRows is not executed, it changes |round| only.
struct Form {
  unsigned round = 0, rows_down = 0, columns_on = 0;

  void begin_round() { ++round; }
  // MixColumns by the row above.
  void mix_upwards() {
    rows_down += 1;
    columns_on += 4 - round % 4;
  }
  AesBlock of(const AesBlock& state) const {
    AesBlock stored;
    for (unsigned row = 0; row < 4; ++row) {
      const unsigned i = (row + 4 - rows_down % 4) % 4;
      for (unsigned column = 0; column < 4; ++column)
        stored[4 * column + row] =
            state[4 * ((column + columns_on + 4 * i - i * (round % 4)) % 4) + i];
    }
    return stored;
  }
};

bool mixes_upwards(unsigned round) {
  return round == 2 || round == 3 || round == 4 || round == 7;
}

// The round keys in the order of the program; where two are loaded together, the one that is used
// first stands behind.
constexpr unsigned kOrder[] = {0, 1, 1, 3, 2, 6, 4, 5, 5, 8, 7, 10, 9};

std::string refusal(const Config& config) {
  if (config.p != 8 || config.length() != 8) return "it is written for registers of 8 words";
  if (config.car_accumulates) return "it is written for a CAR that products do not add to";
  return big_endian_refusal(config);
}

uint64_t num_bytes(const Config&) {
  return kAesBlockLen;
}

std::vector<uint8_t> formed_round_keys(const AesInput& input) {
  AesBlock keys[kAes128Rounds + 1];
  Form form;
  for (unsigned round = 0; round <= kAes128Rounds; ++round) {
    if (round != 0) form.begin_round();
    if (mixes_upwards(round)) form.mix_upwards();
    keys[round] = form.of(input.round_key(round));
  }
  keys[9] = transpose(keys[9]);
  keys[kAes128Rounds] = input.round_key(kAes128Rounds);
  std::vector<uint8_t> formed;
  for (const unsigned round : kOrder)
    formed.insert(formed.end(), keys[round].begin(), keys[round].end());
  return formed;
}

void prepare(Run& run) {
  const AesInput input = aes_input(run.seed, 1);
  const std::vector<uint8_t> keys = formed_round_keys(input);
  write_blocks_and_keys(run, input.blocks, keys);
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::sbox),
                   write_table(run, AesTable::times_2)};
  run.expected = input.encrypted();
}

std::string check(const Run& run) {
  return compare_bytes(run, kBlocksAddress, run.expected);
}

uint64_t no_bytes(const Config&) {
  return 0;
}

std::string keys_refusal(const Config& config) {
  return words_refusal(config, 4);
}

void prepare_keys(Run& run) {
  const AesInput input = aes_input(run.seed, 1);
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_bytes(kBlocksAddress, input.key.data(), input.key.size());
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::sbox)};
  run.expected = formed_round_keys(input);
}

std::string check_keys(const Run& run) {
  return compare_bytes(run, kKeysAddress, run.expected);
}

}  // namespace

const Workload aes128_encrypt_16_best_workload = {"aes128-encrypt-16-best",
                                                  "AES-128, one block, the fewest instructions",
                                                  "aes128_encrypt_best.s",
                                                  "aes128_encrypt_16_best",
                                                  refusal,
                                                  num_bytes,
                                                  prepare,
                                                  check,
                                                  RoundKeys::takes};

const Workload aes128_keys_16_best_workload = {
    "aes128-keys-16-best", "AES-128 key schedule for aes128-encrypt-16-best, unrolled",
    "aes_keys.s",          "aes128_keys_16_best",
    keys_refusal,          no_bytes,
    prepare_keys,          check_keys,
    RoundKeys::makes};

}  // namespace incore::vemicry
