#include "tools/samples/phe.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "incore/sha.h"
#include "tools/base/exit.h"
#include "tools/base/quote.h"
#include "tools/samples/execute_padlock.h"

namespace incore::tools {
namespace {

// What REP XSHA1 works on: at the start of a page, with more room than the 20 bytes of the digest.
struct alignas(4096) HashBuffer {
  uint32_t words[32] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
};

// The digest's words; empty text if all went well.
std::string hash_by_padlock(incore_padlock* padlock, const std::vector<char>& data,
                            uint32_t out_words[5]) {
  HashBuffer hash;
  for (uint32_t& word : hash.words) word = little_endian(word);
  incore_padlock_registers registers = {.rax = 0,
                                        .rbx = 0,
                                        .rcx = data.size(),
                                        .rdx = 0,
                                        .rsi = address_of(data.data()),
                                        .rdi = address_of(hash.words)};
  std::string wrong = execute_padlock(padlock, "xsha1", &registers);
  if (!wrong.empty()) return wrong;
  // Stored in little-endian words: as numbers they read as the digest does.
  for (size_t i = 0; i < 5; ++i) out_words[i] = little_endian(hash.words[i]);
  return "";
}

std::string hash_by_library(const std::vector<char>& data, uint32_t out_words[5]) {
  uint8_t digest[20];
  const incore_status status =
      incore_sha_digest(INCORE_SHA1, data.data(), data.size(), digest, sizeof digest);
  if (status != INCORE_OK) return incore_status_message(status);
  for (size_t i = 0; i < 5; ++i) {
    out_words[i] = 0;
    for (size_t k = 0; k < 4; ++k) out_words[i] = out_words[i] << 8 | digest[4 * i + k];
  }
  return "";
}

}  // namespace

int run_phe(incore_padlock* padlock, const std::string& path) {
  // Whole, since one instruction takes it.
  std::ifstream file(path, std::ios::binary);
  std::vector<char> data;
  for (size_t len = 0; file.good(); data.resize(len)) {
    data.resize(std::max<size_t>(2 * len, 1 << 16));
    file.read(data.data() + len, static_cast<std::streamsize>(data.size() - len));
    len += static_cast<size_t>(file.gcount());
  }
  if (!file.eof() || file.bad()) {
    fmt::print("FILE ERROR\n");
    return kDiffers;
  }
  uint32_t words[5];
  const std::string wrong =
      padlock != nullptr ? hash_by_padlock(padlock, data, words) : hash_by_library(data, words);
  if (!wrong.empty()) return fail(kDiffers, "XSHA1: " + wrong);
  fmt::print("SHA1({})= ", one_line(path));
  for (const uint32_t word : words) fmt::print("{:08x}", word);
  fmt::print("\n");
  return kDone;
}

}  // namespace incore::tools
