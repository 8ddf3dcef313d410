// Asks Crypto++ for random bytes of PadLock. Where there is no PadLock, it has none.
#include <cstdio>
#include <cstring>

#include "padlkrng.h"

int main() {
  try {
    CryptoPP::PadlockRNG generator;
    unsigned char bytes[1000] = {}, others[1000] = {};
    generator.GenerateBlock(bytes, sizeof bytes);
    generator.GenerateBlock(others, sizeof others);
    std::puts("random bytes");
    return std::memcmp(bytes, others, sizeof bytes) == 0;
  } catch (const CryptoPP::PadlockRNG_Err& error) {
    std::puts(error.what());
    return 0;
  }
}
