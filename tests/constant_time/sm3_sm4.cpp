// Runs SM3 and SM4 on a key and data that memcheck takes for undefined: see CMakeLists.txt.
#include <valgrind/memcheck.h>

#include <cstdio>

#include "crypto/sm3/sm3_steps.h"
#include "crypto/sm4/sm4_steps.h"

int main() {
  using namespace incore;
  uint8_t key[sm4::kKeyLen] = {}, block[sm3::kBlockLen] = {};
  VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
  VALGRIND_MAKE_MEM_UNDEFINED(block, sizeof block);
  uint32_t V[sm3::kNumWords] = {};
  sm3::compress_block(V, block);
  sm4::RoundKeys keys;
  sm4::expand_key(key, &keys);
  sm4::cipher(keys, false, block, block);
  sm4::cipher(keys, true, block, block + sm4::kBlockLen);
  // So that nothing is optimised away; the results themselves are no secret.
  VALGRIND_MAKE_MEM_DEFINED(V, sizeof V);
  VALGRIND_MAKE_MEM_DEFINED(block, sizeof block);
  std::printf("sm3 %08x, sm4 %02x ran\n", V[0], block[0]);
  return 0;
}
