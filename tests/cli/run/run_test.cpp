// `incore run` as a command: the lists of what it can be.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

ProcessResult incore_run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "run"});
  return test::run(arguments);
}

TEST(cli_run, lists_processors_with_the_names_they_were_sold_under) {
  const ProcessResult text = incore_run({"--cpu", "list"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("\nesther    VIA C7"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("also C7, C7-M*"), std::string::npos) << text.out;
  const ProcessResult listed = incore_run({"--list-cpus"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  const json list = json::parse(listed.out);
  for (const json& model : list.at("models")) {
    const std::string name = model.at("name");
    EXPECT_NE(text.out.find(name + " "), std::string::npos) << name;
    EXPECT_NE(text.out.find(model.at("description").get<std::string>()), std::string::npos);
    EXPECT_EQ(model.at("programs"), name.rfind("power", 0) == 0 ? "powerpc" : "x86");
    for (const json& alias : model.at("aliases"))
      EXPECT_NE(text.out.find(alias.get<std::string>()), std::string::npos) << alias;
  }
}

TEST(cli_run, a_list_takes_no_program) {
  for (const std::vector<std::string>& list :
       {std::vector<std::string>{"--cpu", "list"}, {"--list-cpus"}}) {
    std::vector<std::string> arguments = list;
    arguments.insert(arguments.end(), {"--", "true"});
    const ProcessResult result = incore_run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(" takes no program"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace incore
