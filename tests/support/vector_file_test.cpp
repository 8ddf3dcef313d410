#include "support/vector_file.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace incore::test {
namespace {

constexpr const char* kFile = "support/vector_file.txt";

TEST(vector_file, gives_each_case_with_its_own_fields_and_those_that_stand_for_all) {
  std::string seen;
  const size_t num_cases = for_each_case(kFile, [&](VectorCase& c) {
    seen += c.text("Key") + ":" + c.text("Msg") + ":" + to_hex(c.bytes("Tag")) + " ";
    EXPECT_THROW(c.text("Nonsense"), std::invalid_argument);
  });
  EXPECT_EQ(num_cases, 3u);
  EXPECT_EQ(seen, "one:first:0a0b one::ff two:third: ");
}

TEST(vector_file, a_field_that_nobody_reads_is_a_failure) {
  EXPECT_NONFATAL_FAILURE(for_each_case(kFile,
                                        [](VectorCase& c) {
                                          c.text("Key");
                                          c.text("Tag");
                                          if (c.text("Id") != "2") c.text("Msg");
                                        }),
                          "nobody has read the field Msg");
}

TEST(vector_file, a_file_that_is_not_there_is_an_error) {
  EXPECT_THROW(for_each_case("support/nowhere.txt", [](VectorCase&) {}), std::runtime_error);
}

}  // namespace
}  // namespace incore::test
