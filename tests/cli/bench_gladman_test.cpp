// `incore bench gladman`: the form of the tables in Gladman's note, whatever the speeds are.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;

test::ProcessResult bench(std::vector<std::string> options) {
  options.insert(options.begin(), {INCORE_PROGRAM, "bench", "gladman", "--time", "5"});
  return test::run(options);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

// clause: BG-PERF-002
// clause: BG-PERF-003
// clause: BG-PERF-004
// clause: BG-PERF-005
TEST(cli_bench_gladman, prints_the_tables_of_the_note) {
  const test::ProcessResult result = bench({});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> columns = {"Mode", "Blocks:", "1",    "10",
                                            "100",  "1000",    "Peak", "throughput"};
  std::istringstream lines(result.out);
  std::string line, configuration;
  std::set<std::string> configurations;
  size_t rows = 0, aligned_rows = 0, headers = 0;
  while (std::getline(lines, line)) {
    const std::vector<std::string> w = words(line);
    if (line.rfind("AES timing (cycles/byte) here, ", 0) == 0) {
      configuration = line.substr(31, line.find(';') - 31);
      configurations.insert(configuration);
      ASSERT_TRUE(std::getline(lines, line));
      EXPECT_EQ(words(line), columns);
      ++headers;
    } else if (line.find("MHz") != std::string::npos) {
      configuration = "";  // the note's own table
    } else if (w.size() == 8 && !configuration.empty()) {
      ++rows;
      if (configuration == "aligned") {
        ++aligned_rows;
        EXPECT_NE(w[0], "ctr");
      }
      for (size_t i = 2; i < 6; ++i) EXPECT_GT(std::stod(w[i]), 0) << line;
      EXPECT_TRUE(w[7] == "Gbytes/second" || w[7] == "Mbytes/second") << line;
    }
  }
  EXPECT_EQ(configurations,
            (std::set<std::string>{"aligned", "unaligned", "unaligned, copied by the caller"}));
  EXPECT_EQ(headers, 3u * 3);
  EXPECT_EQ(aligned_rows, 3u * 8);
  EXPECT_EQ(rows, 3u * (8 + 10 + 10));
}

TEST(cli_bench_gladman, shows_each_figure_of_the_note_with_the_models_error) {
  const test::ProcessResult result = bench({"--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out).at("gladman");
  EXPECT_EQ(report.at("note").size(), 28u * 4);
  EXPECT_EQ(report.at("measured").size(), 28u * 4 * 3);
  for (const json& figure : report.at("note")) {
    const double printed = figure.at("printed"), model = figure.at("model");
    EXPECT_NEAR(figure.at("error_percent"), 100 * (model / printed - 1), 1e-9) << figure;
    EXPECT_LT(std::abs(model / printed - 1), 0.06) << figure;
  }
}

}  // namespace
}  // namespace incore
