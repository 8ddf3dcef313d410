// incore/status.h
#include "incore/status.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace incore {
namespace {

constexpr auto kUnknown = static_cast<incore_status>(1000);

TEST(capi_status, names_are_short_and_sentences_say_more) {
  std::set<std::string> names;
  for (int number = INCORE_OK; number <= INCORE_ERROR_MEMORY; ++number) {
    const auto status = static_cast<incore_status>(number);
    const std::string name = incore_status_name(status);
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos) << name;
    EXPECT_TRUE(name != "unknown" && names.insert(name).second) << name;
    EXPECT_STRNE(incore_status_message(status), incore_status_message(kUnknown)) << name;
  }
  EXPECT_STREQ(incore_status_name(INCORE_ERROR_KEY_LENGTH), "key-length");
}

TEST(capi_status, other_numbers_have_a_name_and_a_sentence_too) {
  for (const int number : {-1, 16, 1000}) {
    const auto unknown = static_cast<incore_status>(number);
    EXPECT_STREQ(incore_status_name(unknown), "unknown") << number;
    EXPECT_STREQ(incore_status_message(unknown), "a status that this version does not know");
  }
}

}  // namespace
}  // namespace incore
