// Aligned loads and stores as a debug build has them: a misaligned address ends the program.
#undef NDEBUG

#include <gtest/gtest.h>

#include "crypto/power8/vector.h"

namespace incore {
namespace {

using namespace power8;

// clause: P8-VEC-046
TEST(power8_vector_debug, a_misaligned_aligned_access_is_caught) {
  alignas(16) uint8_t memory[48] = {};
  uint8x16_p8 x = VectorLoad(memory, 16);
  VectorStore(x, memory, 32);
  VectorStore(x, memory + 12, 4);  // the sum counts
  EXPECT_DEATH({ x = VectorLoad(memory, 4); }, "% 16 == 0");
  EXPECT_DEATH({ x = VectorLoad(memory + 1); }, "% 16 == 0");
  EXPECT_DEATH(VectorStore(x, memory, 4), "% 16 == 0");
  EXPECT_DEATH(VectorStore(x, memory + 15), "% 16 == 0");
}

}  // namespace
}  // namespace incore
