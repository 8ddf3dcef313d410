// Workloads: AES encryption, vector programs of one, two and more blocks, and scalar ones.
#include "vemicry/workloads/aes_input.h"

namespace incore::vemicry {
namespace {

// What a function works on. Zero blocks or words: as many as the machine's registers hold.
struct Form {
  uint32_t num_blocks;
  uint32_t key_copies;  // each round key is stored so often; 0: for each block
  KeyForm key_form;
  uint32_t words_needed;  // of a vector register; kScalar: none
  bool waits = true;      // no instruction uses what the one before it loads
  uint32_t key_len = kAes128KeyLen;
};
constexpr uint32_t kScalar = ~uint32_t{0};

template <Form kForm>
uint32_t num_blocks(const Config& config) {
  return kForm.num_blocks != 0 ? kForm.num_blocks : config.length() / 4;
}

template <Form kForm>
std::string refusal(const Config& config) {
  if (!kForm.waits && config.load_delay) return no_delay_refusal(config);
  return kForm.words_needed == kScalar ? big_endian_refusal(config)
                                       : words_refusal(config, kForm.words_needed);
}

template <Form kForm>
uint64_t num_bytes(const Config& config) {
  return kAesBlockLen * num_blocks<kForm>(config);
}

template <Form kForm>
void prepare(Run& run) {
  const uint32_t blocks = num_blocks<kForm>(run.machine.state().config);
  const AesInput input = aes_input(run.seed, blocks, kForm.key_len);
  const std::vector<uint8_t> keys =
      stored_round_keys(input, kForm.key_form, kForm.key_copies != 0 ? kForm.key_copies : blocks);
  write_blocks_and_keys(run, input.blocks, keys);
  run.arguments = {kBlocksAddress, kKeysAddress, write_table(run, AesTable::sbox),
                   write_table(run, AesTable::times_2)};
  run.expected = input.encrypted();
}

std::string check(const Run& run) {
  return compare_bytes(run, kBlocksAddress, run.expected);
}

template <Form kForm>
constexpr Workload workload(const char* name, const char* summary, const char* program,
                            const char* function) {
  return {name,           summary, program,         function, refusal<kForm>, num_bytes<kForm>,
          prepare<kForm>, check,   RoundKeys::takes};
}

constexpr KeyForm kRowsAtTheEnd = KeyForm::skewed_and_rows_at_the_end;
constexpr Form kOneBlock = {1, 1, KeyForm::skewed, 4}, kTwoBlocks = {2, 1, KeyForm::skewed, 8},
               kWide = {0, 0, KeyForm::skewed, 4}, kPairs = {1, 1, KeyForm::skewed, 8},
               kPlainKeys = {1, 1, KeyForm::plain, 4},
               kScalarBlock = {1, 1, KeyForm::plain, kScalar, false},
               kScalarBlockInC = {1, 1, KeyForm::plain, kScalar},
               kTwoBlocksBest = {2, 2, kRowsAtTheEnd, 8}, kWideBest = {0, 0, kRowsAtTheEnd, 4};

constexpr Form with_key(Form form, uint32_t key_len) {
  form.key_len = key_len;
  return form;
}
// For 12 rounds, rows belong where they are at the end.
constexpr Form kOneBlock192 = with_key(kOneBlock, kAes192KeyLen),
               kPairs192 = with_key(kPairs, kAes192KeyLen),
               kWide192 = with_key(kWide, kAes192KeyLen),
               kScalarC192 = with_key(kScalarBlockInC, kAes192KeyLen),
               kOneBlock256 = with_key(kOneBlock, kAes256KeyLen),
               kPairs256 = with_key(kPairs, kAes256KeyLen),
               kWide256 = with_key(kWideBest, kAes256KeyLen),
               kScalarC256 = with_key(kScalarBlockInC, kAes256KeyLen);

}  // namespace

const Workload aes128_encrypt_16_workload =
    workload<kOneBlock>("aes128-encrypt-16", "AES-128, one block, skewed columns", "aes_encrypt.s",
                        "aes128_encrypt_16");
const Workload aes128_encrypt_32_workload = workload<kTwoBlocks>(
    "aes128-encrypt-32", "AES-128, two blocks, round keys doubled in the program", "aes_encrypt.s",
    "aes128_encrypt_32");
const Workload aes128_encrypt_wide_workload =
    workload<kWide>("aes128-encrypt-wide", "AES-128, a block for each four words of a register",
                    "aes_encrypt.s", "aes128_encrypt_wide");
const Workload aes128_encrypt_16_pairs_workload = workload<kPairs>(
    "aes128-encrypt-16-pairs", "AES-128, one block, round keys loaded two at a time",
    "aes_encrypt.s", "aes128_encrypt_16_pairs");
const Workload aes128_encrypt_16_x_table_workload = workload<kOneBlock>(
    "aes128-encrypt-16-x-table", "AES-128, one block, multiplication by x from a table",
    "aes_encrypt.s", "aes128_encrypt_16_x_table");
const Workload aes128_encrypt_16_pairs_x_table_workload =
    workload<kPairs>("aes128-encrypt-16-pairs-x-table", "AES-128, one block, both", "aes_encrypt.s",
                     "aes128_encrypt_16_pairs_x_table");
const Workload aes128_encrypt_32_x_table_workload = workload<kTwoBlocks>(
    "aes128-encrypt-32-x-table", "AES-128, two blocks, multiplication by x from a table",
    "aes_encrypt.s", "aes128_encrypt_32_x_table");
const Workload aes128_encrypt_32_best_workload = workload<kTwoBlocksBest>(
    "aes128-encrypt-32-best", "AES-128, two blocks, round keys stored twice, rows at the end",
    "aes_encrypt.s", "aes128_encrypt_32_best");
const Workload aes128_encrypt_wide_best_workload = workload<kWideBest>(
    "aes128-encrypt-wide-best", "AES-128, a block for each four words, table of x, rows at the end",
    "aes_encrypt.s", "aes128_encrypt_wide_best");

const Workload aes128_encrypt_steps_workload = workload<kPlainKeys>(
    "aes128-encrypt-steps", "AES-128, one block, the paper's steps from memory to memory",
    "aes128_published.s", "aes128_encrypt_steps");
const Workload aes128_encrypt_kept_workload = workload<kPlainKeys>(
    "aes128-encrypt-kept", "AES-128, one block, the paper's steps with the state in a register",
    "aes128_published.s", "aes128_encrypt_kept");
const Workload aes128_encrypt_short_workload = workload<kPlainKeys>(
    "aes128-encrypt-short", "AES-128, one block, ShiftRows and MixColumns with two rotations",
    "aes128_published.s", "aes128_encrypt_short");

const Workload scalar_asm_aes128_encrypt_workload =
    workload<kScalarBlock>("scalar-asm-aes128-encrypt", "AES-128, one block, MIPS-I assembly",
                           "scalar_asm_aes128.s", "aes128_encrypt");
const Workload scalar_c_aes128_encrypt_workload = workload<kScalarBlockInC>(
    "scalar-c-aes128-encrypt", "AES-128, one block, C compiled for MIPS-I", "scalar_c_aes.elf",
    "aes128_encrypt");

// One for each of the longer keys.
#define LONG_KEY(bits)                                                                           \
  const Workload aes##bits##_encrypt_16_workload =                                               \
      workload<kOneBlock##bits>("aes" #bits "-encrypt-16", "AES-" #bits ", one block",           \
                                "aes_encrypt.s", "aes" #bits "_encrypt_16");                     \
  const Workload aes##bits##_encrypt_16_best_workload = workload<kPairs##bits>(                  \
      "aes" #bits "-encrypt-16-best", "AES-" #bits ", one block, round keys by two, table of x", \
      "aes_encrypt.s", "aes" #bits "_encrypt_16_best");                                          \
  const Workload aes##bits##_encrypt_wide_best_workload =                                        \
      workload<kWide##bits>("aes" #bits "-encrypt-wide-best",                                    \
                            "AES-" #bits ", a block for each four words of a register",          \
                            "aes_encrypt.s", "aes" #bits "_encrypt_wide_best");                  \
  const Workload scalar_c_aes##bits##_encrypt_workload = workload<kScalarC##bits>(               \
      "scalar-c-aes" #bits "-encrypt", "AES-" #bits ", one block, C compiled for MIPS-I",        \
      "scalar_c_aes.elf", "aes" #bits "_encrypt");
LONG_KEY(192)
LONG_KEY(256)

}  // namespace incore::vemicry
