// Which loads of a number before a system call are proved to be instructions.
#include "scan/code_proof.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "run/incore_run.h"

namespace incore::scan {
namespace {

constexpr uint8_t kLoadAndCall[] = {5, 2};

bool are_load_and_call(const std::string& file, size_t offset) {
  return are_instructions(reinterpret_cast<const uint8_t*>(file.data()), file.size(), offset,
                          kLoadAndCall);
}

// tests/guest/hot_calls_x86_64.c has both: a MOV to EAX, and one to R8, which has a byte before.
TEST(scan_code_proof, tells_instructions_from_parts_of_others) {
  const std::string file = test::read_file(test::guest("hot_calls_x86_64"));
  const std::string openat("\xb8\x01\x01\0\0\x0f\x05", 7);
  size_t num_proved = 0, num_parts = 0;
  for (size_t at = 0; (at = file.find(openat, at)) != std::string::npos; ++at) {
    const bool is_part = file[at - 1] == '\x41';
    EXPECT_EQ(are_load_and_call(file, at), !is_part) << at;
    EXPECT_FALSE(are_load_and_call(file, at + 1)) << at;
    EXPECT_FALSE(are_load_and_call(file.substr(0, at + 3), at)) << at;
    ++(is_part ? num_parts : num_proved);
  }
  EXPECT_GE(num_proved, 4u);
  EXPECT_EQ(num_parts, 1u);
}

TEST(scan_code_proof, proves_nothing_of_what_is_no_program) {
  const std::string file = test::read_file(test::guest("hot_calls_x86_64"));
  EXPECT_FALSE(are_load_and_call(file, 0));
  EXPECT_FALSE(are_load_and_call(file, file.size()));
  EXPECT_FALSE(are_load_and_call(file, SIZE_MAX));
  EXPECT_FALSE(are_load_and_call("", 0));
  EXPECT_FALSE(are_load_and_call(std::string(4096, '\xb8'), 0));
}

}  // namespace
}  // namespace incore::scan
