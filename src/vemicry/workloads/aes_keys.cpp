// Workloads: the AES key schedules, in vector registers and scalar.
#include "vemicry/workloads/aes_input.h"

namespace incore::vemicry {
namespace {

enum class Kind { vector, long_vector, scalar_asm, scalar_c };

template <Kind kKind>
std::string refusal(const Config& config) {
  if (kKind == Kind::vector) return words_refusal(config, 4);
  if (kKind == Kind::long_vector) return words_refusal(config, 8);
  if (kKind == Kind::scalar_asm && config.load_delay) return no_delay_refusal(config);
  return big_endian_refusal(config);
}

uint64_t num_bytes(const Config&) {
  return 0;
}

template <KeyForm kForm, uint32_t kKeyLen>
void prepare(Run& run) {
  const AesInput input = aes_input(run.seed, 1, kKeyLen);
  run.machine.memory().map(kInputAddress, kInputLen);
  run.write_bytes(kBlocksAddress, input.key.data(), input.key.size());
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::sbox)};
  run.expected = stored_round_keys(input, kForm, 1);
}

std::string check(const Run& run) {
  return compare_bytes(run, kKeysAddress, run.expected);
}

template <Kind kKind, KeyForm kForm, uint32_t kKeyLen = kAes128KeyLen>
constexpr Workload workload(const char* name, const char* summary, const char* program,
                            const char* function) {
  return {
      name,  summary,         program, function, refusal<kKind>, num_bytes, prepare<kForm, kKeyLen>,
      check, RoundKeys::makes};
}

}  // namespace

const Workload aes128_keys_workload = workload<Kind::vector, KeyForm::plain>(
    "aes128-keys", "AES-128 key schedule, unrolled", "aes_keys.s", "aes128_keys");
const Workload aes128_keys_loop_workload = workload<Kind::vector, KeyForm::plain>(
    "aes128-keys-loop", "AES-128 key schedule, a loop", "aes_keys.s", "aes128_keys_loop");
const Workload aes128_keys_skewed_workload = workload<Kind::vector, KeyForm::skewed>(
    "aes128-keys-skewed", "AES-128 key schedule for skewed columns, unrolled", "aes_keys.s",
    "aes128_keys_skewed");
const Workload scalar_asm_aes128_keys_workload = workload<Kind::scalar_asm, KeyForm::plain>(
    "scalar-asm-aes128-keys", "AES-128 key schedule, MIPS-I assembly", "scalar_asm_aes128.s",
    "aes128_keys");
const Workload scalar_c_aes128_keys_workload = workload<Kind::scalar_c, KeyForm::plain>(
    "scalar-c-aes128-keys", "AES-128 key schedule, C compiled for MIPS-I", "scalar_c_aes.elf",
    "aes128_keys");

#define LONG_KEY(bits)                                                                           \
  const Workload aes##bits##_keys_workload =                                                     \
      workload<Kind::long_vector, KeyForm::plain, kAes##bits##KeyLen>(                           \
          "aes" #bits "-keys", "AES-" #bits " key schedule", "aes_keys.s", "aes" #bits "_keys"); \
  const Workload aes##bits##_keys_skewed_workload =                                              \
      workload<Kind::long_vector, KeyForm::skewed, kAes##bits##KeyLen>(                          \
          "aes" #bits "-keys-skewed", "AES-" #bits " key schedule for skewed columns",           \
          "aes_keys.s", "aes" #bits "_keys_skewed");                                             \
  const Workload scalar_c_aes##bits##_keys_workload =                                            \
      workload<Kind::scalar_c, KeyForm::plain, kAes##bits##KeyLen>(                              \
          "scalar-c-aes" #bits "-keys", "AES-" #bits " key schedule, C compiled for MIPS-I",     \
          "scalar_c_aes.elf", "aes" #bits "_keys");
LONG_KEY(192)
LONG_KEY(256)

}  // namespace incore::vemicry
