// Workloads: the AES-128 key schedule, in vector registers and scalar.
#include "vemicry/workloads/aes_input.h"

namespace incore::vemicry {
namespace {

enum class Kind { vector, scalar_asm, scalar_c };

template <Kind kKind>
std::string refusal(const Config& config) {
  if (kKind == Kind::vector) return words_refusal(config, 4);
  if (kKind == Kind::scalar_asm && config.load_delay) return no_delay_refusal(config);
  return big_endian_refusal(config);
}

uint64_t num_bytes(const Config&) {
  return 0;
}

template <KeyForm kForm>
void prepare(Run& run) {
  const AesInput input = aes_input(run.seed, 1);
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_bytes(kBlocksAddress, input.key.data(), input.key.size());
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::sbox)};
  run.expected = stored_round_keys(input, kForm, 1);
}

std::string check(const Run& run) {
  return compare_bytes(run, kKeysAddress, run.expected);
}

template <Kind kKind, KeyForm kForm>
constexpr Workload workload(const char* name, const char* summary, const char* program,
                            const char* function) {
  return {name,      summary,        program, function,        refusal<kKind>,
          num_bytes, prepare<kForm>, check,   RoundKeys::makes};
}

}  // namespace

const Workload aes128_keys_workload = workload<Kind::vector, KeyForm::plain>(
    "aes128-keys", "AES-128 key schedule, unrolled", "aes128_keys.s", "aes128_keys");
const Workload aes128_keys_loop_workload = workload<Kind::vector, KeyForm::plain>(
    "aes128-keys-loop", "AES-128 key schedule, a loop", "aes128_keys.s", "aes128_keys_loop");
const Workload aes128_keys_skewed_workload = workload<Kind::vector, KeyForm::skewed>(
    "aes128-keys-skewed", "AES-128 key schedule for skewed columns, unrolled", "aes128_keys.s",
    "aes128_keys_skewed");
const Workload scalar_asm_aes128_keys_workload = workload<Kind::scalar_asm, KeyForm::plain>(
    "scalar-asm-aes128-keys", "AES-128 key schedule, MIPS-I assembly", "scalar_asm_aes128.s",
    "aes128_keys");
const Workload scalar_c_aes128_keys_workload = workload<Kind::scalar_c, KeyForm::plain>(
    "scalar-c-aes128-keys", "AES-128 key schedule, C compiled for MIPS-I", "scalar_c_aes128.elf",
    "aes128_keys");

}  // namespace incore::vemicry
