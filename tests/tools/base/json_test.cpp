#include "tools/base/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace incore::tools {
namespace {

TEST(tools_json, lists_of_named_pairs_are_objects_and_other_lists_arrays) {
  EXPECT_EQ(Json({{"a", 1}, {"b", {1, 2}}}).line(), R"({"a":1,"b":[1,2]})");
  EXPECT_EQ(Json({{"a", {{"b", 2}}}}).line(), R"({"a":{"b":2}})");
  EXPECT_EQ(Json({"a", "b"}).line(), R"(["a","b"])");
  EXPECT_EQ(Json({{1, "a"}, {2, "b"}}).line(), R"([[1,"a"],[2,"b"]])");
  EXPECT_EQ(Json(std::vector<unsigned>{7, 8}).line(), "[7,8]");
  EXPECT_EQ(Json(std::vector<std::string>{"x"}).line(), R"(["x"])");
  EXPECT_EQ(Json::array().line() + Json::object().line() + Json().line(), "[]{}null");
}

TEST(tools_json, values_keep_their_kind_and_their_bits) {
  EXPECT_EQ(Json({true, false, nullptr, "", 'a'}).line(), R"([true,false,null,"",97])");
  EXPECT_EQ(Json({std::numeric_limits<int64_t>::min(), -1, UINT64_MAX}).line(),
            "[-9223372036854775808,-1,18446744073709551615]");
  EXPECT_EQ(Json({1.0, 0.1, -2.5e300}).line(), "[1.0,0.1,-2.5e+300]");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).line(), "null");
  EXPECT_EQ(Json(-7).real(), -7.0);
  EXPECT_EQ(Json(7).integer(), 7);
  EXPECT_EQ(Json(-7).natural(), 0u);
  EXPECT_EQ(Json("7").integer(), 0);
  EXPECT_EQ(Json(7).text(), "");
}

TEST(tools_json, names_keep_the_order_in_which_they_came) {
  Json json;
  json["z"] = 1;
  json["a"]["b"] = "x";
  json["z"] = 2;
  json.update({{"m", true}, {"a", 0}});
  EXPECT_EQ(json.line(), R"({"z":2,"a":0,"m":true})");
  json.erase("a");
  json.erase("none");
  EXPECT_EQ(json.line(), R"({"z":2,"m":true})");
  const Json& read = json;
  EXPECT_TRUE(read["none"]["below"].is_null());
  EXPECT_EQ(read.names(), (std::vector<std::string>{"z", "m"}));
}

TEST(tools_json, text_of_any_bytes_is_written_as_utf8) {
  EXPECT_EQ(Json("a\"\\\n\x01\xc3\xa9\xff").line(), "\"a\\\"\\\\\\n\\u0001\xc3\xa9\xef\xbf\xbd\"");
}

TEST(tools_json, what_was_written_is_read_again) {
  const Json json = {{"text", "\xc3\xa9"},
                     {"numbers", {1, -1, 0.5}},
                     {"none", nullptr},
                     {"yes", true},
                     {"object", {{"a", Json::array()}}}};
  EXPECT_EQ(Json::parse(json.dump(2)).line(), json.line());
}

TEST(tools_json, no_text_makes_reading_fail_or_go_deep) {
  for (const char* const text : {"", "{", "[1,]", "nul", "{\"a\":1}x", "\xff", "\"\xff\""})
    EXPECT_TRUE(Json::parse(text).is_null()) << text;
  EXPECT_FALSE(Json::parse(std::string(100, '[') + std::string(100, ']')).is_null());
  for (const char* const deep : {"[", "{\"a\":"})
    for (const size_t levels : {101, 1000000}) {
      std::string text;
      for (size_t i = 0; i < levels; ++i) text += deep;
      text += "0" + std::string(levels, *deep == '[' ? ']' : '}');
      EXPECT_TRUE(Json::parse(text).is_null()) << levels << " times " << deep;
    }
}

}  // namespace
}  // namespace incore::tools
