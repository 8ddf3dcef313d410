#include "tools/samples/baes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tools/base/exit.h"
#include "tools/base/json.h"
#include "tools/base/number.h"
#include "tools/base/progress.h"

namespace incore::tools {
namespace {

constexpr size_t kBlockLen = 16;

struct Block {
  alignas(kBlockLen) uint8_t bytes[kBlockLen] = {};
};

struct MonteCarlo {
  const char* name;
  AesMode mode;
  bool decrypt;
  const char* result;  // the guide's words, which are little-endian, as bytes
};
constexpr MonteCarlo kMonteCarlos[] = {
    {"CBC 128BIT ENCRYPT", AesMode::cbc, false, "2f844cbf78eba70da7a49601388f1ab6"},
    {"CBC 128BIT DECRYPT", AesMode::cbc, true, "9b8fb71e035ceff9cbfa1346e5acefe0"},
    {"ECB 128BIT ENCRYPT", AesMode::ecb, false, "a04377abe259b0d0b5ba2d40a501971b"},
    {"ECB 128BIT DECRYPT", AesMode::ecb, true, "f5bf8b37136f2e1f6bec6f572021e3ba"},
};

// 400 rounds of 10,000 blocks, each made from the one before; key, source and vector begin as zero.
// Returns what went wrong, or leaves the last block in |*out_result|.
std::string run_test(AesEngine& engine, const MonteCarlo& test, Block* out_result) {
  // ECB may read a second source block: none of these lies at the end of memory.
  Block key, source, vector, result;
  const AesJob job = {test.mode,
                      test.decrypt ? kControlDecrypt : kControlEncrypt,
                      key.bytes,
                      vector.bytes,
                      source.bytes,
                      result.bytes,
                      1};
  for (int outer = 0; outer < 400; ++outer) {
    engine.load_key(job);
    for (int inner = 0; inner < 10'000; ++inner) {
      const std::string wrong = engine.run(job, 1);
      if (!wrong.empty()) return wrong;
      if (test.mode == AesMode::ecb) {
        source = result;
      } else if (test.decrypt) {
        vector = source;
        source = result;
      } else {
        source = vector;
        vector = result;
      }
    }
    for (size_t i = 0; i < kBlockLen; ++i) key.bytes[i] ^= result.bytes[i];
  }
  *out_result = result;
  return "";
}

// SP 800-38A, appendix F, AES-128: the first block of each mode's example.
struct Example {
  AesMode mode;
  const char* name;
  const char* vector;
  const char* ciphertext;
};
constexpr char kKey[] = "2b7e151628aed2a6abf7158809cf4f3c";
constexpr char kPlaintext[] = "6bc1bee22e409f96e93d7e117393172a";
constexpr char kVector[] = "000102030405060708090a0b0c0d0e0f";
constexpr Example kExamples[] = {
    {AesMode::cbc, "CBC", kVector, "7649abac8119b246cee98e9b12e9197d"},
    {AesMode::ecb, "ECB", kVector, "3ad77bb40d7a3660a89ecaf32466ef97"},
    {AesMode::cfb, "CFB", kVector, "3b3fd92eb72dad20333449f8e83cfb4a"},
    {AesMode::ofb, "OFB", kVector, "3b3fd92eb72dad20333449f8e83cfb4a"},
    {AesMode::ctr, "CTR", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "874d6191b620e3261bef6864990db6ce"},
};

Block block_of(const char* hex) {
  Block block;
  const Bytes bytes = from_hex(hex);
  std::memcpy(block.bytes, bytes.data(), kBlockLen);
  return block;
}

// One rate line.
struct Line {
  AesMode mode;
  uint32_t control;
  const char* text;
};
constexpr uint32_t kEncryptUnaligned = kControlEncrypt | kControlUnaligned;
constexpr uint32_t kDecryptUnaligned = kControlDecrypt | kControlUnaligned;
constexpr Line kLines[] = {
    {AesMode::cbc, kControlEncrypt, "CBC mode encrypt"},
    {AesMode::cbc, kControlDecrypt, "CBC mode decrypt"},
    {AesMode::ecb, kControlEncrypt, "ECB mode encrypt"},
    {AesMode::ecb, kControlDecrypt, "ECB mode decrypt"},
    {AesMode::cfb, kControlEncrypt, "CFB mode encrypt"},
    {AesMode::cfb, kControlDecrypt, "CFB mode decrypt"},
    {AesMode::ofb, kControlEncrypt, "OFB mode encrypt"},
    {AesMode::ofb, kControlDecrypt, "OFB mode decrypt"},
    {AesMode::ctr, kControlEncrypt, "CTR mode encrypt"},
    {AesMode::ctr, kControlDecrypt, "CTR mode decrypt"},
    {AesMode::cbc, kEncryptUnaligned, "CBC mode encrypt (unaligned)"},
    {AesMode::cbc, kDecryptUnaligned, "CBC mode decrypt (unaligned)"},
    {AesMode::cfb, kEncryptUnaligned, "CFB mode encrypt (unaligned)"},
    {AesMode::cfb, kDecryptUnaligned, "CFB mode decrypt (unaligned)"},
    {AesMode::ofb, kEncryptUnaligned, "OFB mode encrypt (unaligned)"},
    {AesMode::ofb, kDecryptUnaligned, "OFB mode decrypt (unaligned)"},
    {AesMode::ctr, kEncryptUnaligned, "CTR mode encrypt (unaligned)"},
    {AesMode::ctr, kDecryptUnaligned, "CTR mode decrypt (unaligned)"},
    {AesMode::cbc, kControlEncrypt | kControlMac, "CBC-MAC mode"},
};

// Aligned memory, with room for moving what lies in it by a byte and for the blocks that ECB reads
// beyond its own.
class Buffer {
 public:
  explicit Buffer(size_t blocks) : memory_(blocks + 10) {}
  uint8_t* at(size_t offset) { return memory_.front().bytes + offset; }

 private:
  std::vector<Block> memory_;
};

// |repetitions| in parts; the median of their rates, which one interruption does not change.
// Returns what is missing, or leaves the rate in |*out_gbits|.
std::string measure(AesEngine& engine, const AesJob& job, size_t repetitions, double* out_gbits) {
  constexpr size_t kParts = 5;
  const size_t parts = std::clamp<size_t>(repetitions, 1, kParts);
  std::vector<double> rates;
  for (size_t part = 0; part < parts; ++part) {
    const size_t times = repetitions * (part + 1) / parts - repetitions * part / parts;
    const double start = engine.seconds();
    if (std::string missing = engine.run(job, times); !missing.empty()) return missing;
    rates.push_back(static_cast<double>(times) * static_cast<double>(job.blocks) * 128 /
                    (1e9 * (engine.seconds() - start)));
  }
  std::nth_element(rates.begin(), rates.begin() + static_cast<ptrdiff_t>(parts / 2), rates.end());
  *out_gbits = rates[parts / 2];
  return "";
}

}  // namespace

std::string run_monte_carlo(AesEngine& engine) {
  Progress progress("Monte Carlo tests", std::size(kMonteCarlos));
  for (const MonteCarlo& test : kMonteCarlos) {
    progress.update_count(static_cast<uint64_t>(&test - kMonteCarlos), test.name);
    Block result;
    const std::string wrong = run_test(engine, test, &result);
    if (!wrong.empty() || std::memcmp(result.bytes, block_of(test.result).bytes, kBlockLen) != 0)
      return fmt::format("{} MONTE CARLO FAILED{}{}", test.name, wrong.empty() ? "" : ": ", wrong);
  }
  return "";
}

std::string check_known_answers(AesEngine& engine) {
  for (const Example& example : kExamples)
    for (const bool decrypt : {false, true}) {
      const Block key = block_of(kKey);
      Block vector = block_of(example.vector);
      const Block in = block_of(decrypt ? example.ciphertext : kPlaintext);
      const Block expected = block_of(decrypt ? kPlaintext : example.ciphertext);
      Block out;
      const AesJob job = {example.mode,
                          decrypt ? kControlDecrypt : kControlEncrypt,
                          key.bytes,
                          vector.bytes,
                          in.bytes,
                          out.bytes,
                          1};
      engine.load_key(job);
      const std::string wrong = engine.run(job, 1);
      if (!wrong.empty()) continue;  // a mode that is not there gets no rate either
      if (std::memcmp(out.bytes, expected.bytes, kBlockLen) != 0)
        return fmt::format("{} mode {}: not the result of SP 800-38A", example.name,
                           decrypt ? "decrypt" : "encrypt");
    }
  return "";
}

int run_baes(AesEngine& engine, const BaesOptions& options) {
  const size_t blocks = std::min(options.blocks, kBaesMaxBlocks);
  Json lines = Json::array();
  const std::string wrong = check_known_answers(engine);
  if (!wrong.empty()) return fail(kDiffers, wrong);
  if (!options.json) fmt::print("{}\n", engine.name());
  if (options.monte_carlo) {
    if (!options.json) fmt::print("\nRunning Monte Carlo tests ...\n");
    std::fflush(stdout);
    const std::string failed = run_monte_carlo(engine);
    if (!failed.empty()) {
      fmt::print("{}\n", failed);
      return kDiffers;
    }
    if (!options.json) fmt::print("PASSED\n");
  }
  const size_t len = blocks * kBlockLen;
  if (!options.json)
    fmt::print("\nEncrypting {} byte block {} times.\n\n", len, options.repetitions);
  Buffer in(blocks), out(blocks);
  for (const Line& line : kLines) {
    const Block key = block_of(kKey);
    Block vector = block_of(kVector);  // another for each run: a key stream serves once
    vector.bytes[0] = static_cast<uint8_t>(&line - kLines + 1);
    const size_t offset = (line.control & kControlUnaligned) != 0;
    const AesJob job = {line.mode,     line.control,   key.bytes, vector.bytes,
                        in.at(offset), out.at(offset), blocks};
    engine.load_key(job);
    double gbits = 0;
    const std::string missing = measure(engine, job, options.repetitions, &gbits);
    if (options.json)
      lines.push_back(
          {{"mode", line.text}, {"gbits_per_second", missing.empty() ? Json(gbits) : Json()}});
    else if (missing.empty())
      fmt::print("{} rate: {:.2f} Gbs\n\n", line.text, gbits);
    else
      fmt::print("{}: not on this processor ({})\n\n", line.text, missing);
    std::fflush(stdout);
  }
  if (options.json)
    fmt::print("{}", json_text(Json{{"engine", engine.name()},
                                    {"bytes", len},
                                    {"repetitions", options.repetitions},
                                    {"monte_carlo", options.monte_carlo},
                                    {"rates", lines}}));
  return kDone;
}

}  // namespace incore::tools
