// `incore bench` as a user sees it. Whether the figures are right is tested in
// tests/padlock/timing_*.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;

ProcessResult bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {INCORE_PROGRAM, "bench"});
  return test::run(arguments);
}

json report(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const ProcessResult result = bench(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out).at("padlock-model");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(cli_bench, model_has_every_table_and_says_each_error) {
  const json all = report({"padlock-model"});
  size_t figures = 0, software = 0;
  for (const json& table : all.at("tables")) {
    for (const char* name : {"key", "title", "source", "added", "size_unit", "unit"})
      EXPECT_FALSE(table.at(name).get<std::string>().empty()) << table;
    for (const json& figure : table.at("figures")) {
      ++figures;
      if (!figure.contains("model")) {
        ++software;
        EXPECT_FALSE(figure.at("counts"));
        continue;
      }
      const double printed = figure.at("printed"), model = figure.at("model");
      EXPECT_NEAR(figure.at("error_percent"), 100 * (model / printed - 1), 1e-9) << figure;
    }
  }
  // 42 rows of 4 columns in the guide's tables, 20 figures in the article's, and the listings.
  EXPECT_GE(figures, 42u * 4 + 20);
  EXPECT_GE(software, 10u);
  const auto has = [&](const char* key) {
    return std::any_of(all.at("tables").begin(), all.at("tables").end(),
                       [&](const json& table) { return table.at("key") == key; });
  };
  for (const char* key : {"guide-nehemiah", "guide-esther", "guide-esther-misaligned",
                          "guide-modexp", "linux-journal"})
    EXPECT_TRUE(has(key)) << key;
}

TEST(cli_bench, median_is_of_the_throughputs_from_64_bytes_to_16_kilobytes) {
  const json all = report({"padlock-model"});
  std::vector<double> errors;
  for (const json& table : all.at("tables"))
    for (const json& figure : table.at("figures")) {
      const bool of_bytes = table.at("unit") == "Gb/s" || table.at("key") == "linux-journal";
      const uint64_t size = figure.at("size");
      const bool counts = of_bytes && figure.contains("model") && size >= 64 && size <= 16384;
      EXPECT_EQ(figure.at("counts"), counts) << table.at("key") << figure;
      if (counts) errors.push_back(std::fabs(figure.at("error_percent").get<double>()));
    }
  std::sort(errors.begin(), errors.end());
  ASSERT_GE(errors.size(), 100u);
  const json& summary = all.at("summary");
  EXPECT_EQ(summary.at("figures"), errors.size());
  EXPECT_EQ(summary.at("median_absolute_error_percent"),
            (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2);
  EXPECT_EQ(summary.at("largest_absolute_error_percent"), errors.back());
  EXPECT_LT(summary.at("median_absolute_error_percent"), 5);
}

TEST(cli_bench, text_shows_what_json_has) {
  const json all = report({"padlock-model"});
  const ProcessResult result = bench({"padlock-model"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  for (const json& table : all.at("tables")) {
    EXPECT_TRUE(contains(result.out, table.at("key").get<std::string>() + ": "));
    EXPECT_TRUE(contains(result.out, table.at("added").get<std::string>()));
  }
  EXPECT_TRUE(contains(result.out, "        8192  CBC                                    6.43"))
      << result.out;
  EXPECT_TRUE(contains(result.out, "133 throughputs from 64 B to 16 KB: absolute error 0.4%"))
      << result.out;
}

TEST(cli_bench, tables_can_be_chosen) {
  const json some = report({"padlock-model", "--table", "linux-journal", "--table", "guide-rsa"});
  ASSERT_EQ(some.at("tables").size(), 2u);
  EXPECT_EQ(some.at("tables")[0].at("key"), "linux-journal");
  EXPECT_EQ(some.at("summary").at("figures"), 8);
  const json none_judged = report({"padlock-model", "--table", "guide-rsa"});
  EXPECT_FALSE(none_judged.contains("summary"));
}

TEST(cli_bench, mistakes_get_one_line) {
  const ProcessResult unknown = bench({"rot13"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.out, "");
  EXPECT_EQ(unknown.err.rfind("incore bench: 'rot13' cannot be measured. Accepted: ", 0), 0u)
      << unknown.err;
  EXPECT_TRUE(contains(unknown.err, "padlock-model"));
  for (const bool as_json : {false, true}) {
    std::vector<std::string> arguments = {"padlock-model", "--table", "none"};
    if (as_json) arguments.push_back("--json");
    const ProcessResult table = bench(arguments);
    EXPECT_EQ(table.exit_code, 2);
    EXPECT_EQ(table.out, "");
    EXPECT_EQ(table.err.rfind("incore bench: --table: no table 'none'; accepted are: guide-", 0),
              0u)
        << table.err;
  }
  const ProcessResult help = bench({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_TRUE(contains(help.out, "Examples:\n  incore bench --vs openssl\n")) << help.out;
}

// The library's rows, measured for so short a time that the figures are no good.
json rows(std::vector<std::string> arguments, const std::string& family) {
  arguments.insert(arguments.end(), {"--time", "1", "--json"});
  const ProcessResult result = bench(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out).at(family).at("rows");
}

// A file system like /sys that knows the governor of every CPU.
class Sysfs {
 public:
  explicit Sysfs(const std::string& governor) {
    for (unsigned cpu = 0; cpu < std::thread::hardware_concurrency() + 64; ++cpu) {
      const auto folder =
          folder_.path() + "/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq";
      std::filesystem::create_directories(folder);
      std::ofstream(folder + "/scaling_governor") << governor << "\n";
    }
  }
  ProcessResult bench_sha256(bool as_json) const {
    std::vector<std::string> arguments = {"sha256", "--sizes", "64",          "--time",
                                          "1",      "--sysfs", folder_.path()};
    if (as_json) arguments.push_back("--json");
    return bench(arguments);
  }

 private:
  test::TemporaryDirectory folder_;
};

TEST(cli_bench, a_clock_that_is_not_at_its_best_gets_a_warning) {
  for (const char* governor : {"powersave", "ondemand"}) {
    const ProcessResult result = Sysfs(governor).bench_sha256(false);
    // clause: P8-PERF-001
    EXPECT_TRUE(contains(result.err, "is governed by '" + std::string(governor) + "'"))
        << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
    EXPECT_EQ(result.exit_code, 0);
    // clause: P8-PERF-002
    EXPECT_TRUE(contains(result.out, "GHz, governor " + std::string(governor))) << result.out;
  }
  const ProcessResult best = Sysfs("performance").bench_sha256(false);
  EXPECT_EQ(best.err, "");
  EXPECT_TRUE(contains(best.out, "GHz, governor performance")) << best.out;
  EXPECT_EQ(json::parse(Sysfs("performance").bench_sha256(true).out)["sha"]["governor"],
            "performance");
}

TEST(cli_bench, a_system_that_does_not_name_its_governor_is_unknown) {
  // clause: P8-PERF-002
  const ProcessResult result =
      bench({"sha256", "--sizes", "64", "--time", "1", "--sysfs", "/none"});
  EXPECT_TRUE(contains(result.out, "GHz, governor unknown")) << result.out;
  EXPECT_EQ(result.err, "");
}

TEST(cli_bench, figures_of_a_row_agree_with_each_other) {
  for (const json& row : rows({"aes", "--sizes", "256,2k"}, "aes")) {
    const double median = row.at("cycles_per_byte").at("median");
    const double ghz = row.at("clock_ghz"), rate = row.at("gigabytes_per_second");
    EXPECT_GT(median, 0.01) << row;
    EXPECT_LE(row.at("cycles_per_byte").at("min"), median);
    EXPECT_GE(row.at("cycles_per_byte").at("spread_percent"), 0);
    EXPECT_GT(ghz, 0.3);
    EXPECT_LT(ghz, 8);
    EXPECT_NEAR(rate, ghz / median, rate * 1e-6);
    EXPECT_GE(row.at("batches"), 5);
    EXPECT_EQ(row.at("known_answers"), "SP 800-38A");
  }
}

TEST(cli_bench, sizes_are_those_asked_for) {
  std::vector<size_t> sizes;
  for (const json& row : rows({"crc32", "--sizes", "16,1k,8K,64KiB,1M"}, "crc")) {
    EXPECT_EQ(row.at("operation"), "crc32");
    sizes.push_back(row.at("message_bytes"));
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{16, 1024, 8192, 65536, 1 << 20}));
  for (const json& row : rows({"aes-128", "--sizes", "100"}, "aes")) {
    const std::string operation = row.at("operation");
    EXPECT_FALSE(contains(operation, "ecb") || contains(operation, "cbc")) << operation;
  }
}

TEST(cli_bench, messages_are_as_many_as_asked_for) {
  const ProcessResult result =
      bench({"aes", "sha256", "--messages", "1,3", "--sizes", "48", "--time", "1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json all = json::parse(result.out);
  std::map<std::string, std::set<size_t>> messages;
  for (const char* family : {"aes", "sha"})
    for (const json& row : all.at(family).at("rows")) {
      messages[row.at("operation")].insert(row.at("messages").get<size_t>());
      EXPECT_EQ(row.at("message_bytes"), 48u);
    }
  const std::set<size_t> one = {1}, both = {1, 3};
  EXPECT_EQ(messages["aes-128-cbc-encrypt"], both);
  EXPECT_EQ(messages["aes-256-cfb-encrypt"], both);
  EXPECT_EQ(messages["aes-128-ctr"], one);
  EXPECT_EQ(messages["sha256"], both);
}

TEST(cli_bench, bad_messages_are_refused) {
  for (const char* messages : {"0", "2,x", "1025", ""}) {
    const ProcessResult result = bench({"sha256", std::string("--messages=") + messages});
    EXPECT_EQ(result.exit_code, 2) << messages;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(bench({"sha256", "--messages", "1024", "--sizes", "1M"}).err,
            "incore bench: --messages by --sizes is more than 256 MiB\n");
}

TEST(cli_bench, a_name_is_a_family_or_operations_of_any_family) {
  const auto families = [](const char* name) {
    const ProcessResult result = bench({name, "--sizes", "1k", "--time", "1", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const json all = json::parse(result.out);
    std::string text;
    for (const auto& [family, report] : all.items()) text += family + " ";
    return text;
  };
  EXPECT_EQ(families("aes"), "aes ");
  EXPECT_EQ(families("aes-256-cbc"), "aes ");
  EXPECT_EQ(families("aes-128"), "aes ccm gcm mac xts ");
}

TEST(cli_bench, every_operation_that_is_measured_is_listed) {
  const std::string list = bench({"--list"}).out;
  for (const char* const family : {"aes", "gcm", "xts", "ccm", "mac", "sha", "crc", "gf2"}) {
    const json report = json::parse(bench({family, "--time", "1", "--json"}).out);
    for (const auto& row : report.at(family).at("rows")) {
      const std::string operation = row.at("operation");
      EXPECT_TRUE(list.find(" " + operation) != std::string::npos) << operation;
    }
  }
}

TEST(cli_bench, bad_lists_are_refused) {
  for (const char* sizes : {"", ",", "0", "16,", "12q", "-1", "1e3", "0x10", "16 ", "300M", "1GiB",
                            "99999999999999999999", "18014398509481985k"}) {
    const ProcessResult result = bench({"crc", std::string("--sizes=") + sizes});
    EXPECT_EQ(result.exit_code, 2) << sizes;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  const ProcessResult result = bench({"crc", "--sizes", "16,12q"});
  EXPECT_EQ(result.err,
            "incore bench: --sizes: '12q' is no size; accepted are numbers from 1 byte to 256 MiB, "
            "such as 16, 1k, 8K, 64KiB\n");
  EXPECT_EQ(bench({"crc", "--vs", "openssl,rot13"}).exit_code, 2);
  EXPECT_EQ(bench({"crc", "--time", "0"}).exit_code, 2);
}

TEST(cli_bench, every_family_is_measured_if_none_is_named) {
  const ProcessResult result = bench({"--time", "1", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json all = json::parse(result.out);
  for (const char* family :
       {"aes", "gcm", "xts", "ccm", "mac", "sha", "crc", "gf2", "modexp", "rsa"})
    EXPECT_FALSE(all.at(family).at("rows").empty());
  EXPECT_FALSE(all.contains("padlock-model"));
}

TEST(cli_bench, forced_kernel_is_the_one_measured) {
  const ProcessResult result = test::run(
      {INCORE_PROGRAM, "bench", "sha256", "aes-128-ctr", "--sizes", "64", "--time", "1", "--json"},
      "", {"INCORE_KERNEL=sha256:portable,sha256_many:portable,aes:portable"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json all = json::parse(result.out);
  for (const char* family : {"sha", "aes"})
    for (const json& row : all.at(family).at("rows")) EXPECT_EQ(row.at("kernel"), "portable");
}

TEST(cli_bench, peer_is_named_with_its_version_and_shows_what_it_lacks) {
  if (dlopen("libcrypto.so.3", RTLD_NOW) == nullptr) GTEST_SKIP() << "libcrypto.so.3 is missing";
  const json ours = rows({"aes", "sha", "crc", "--sizes", "64,256", "--vs", "openssl"}, "sha");
  ASSERT_FALSE(ours.empty());
  for (const json& row : ours) {
    const json& peer = row.at("peers").at("openssl");
    EXPECT_NEAR(peer.at("ratio"),
                peer.at("cycles_per_byte").at("median").get<double>() /
                    row.at("cycles_per_byte").at("median").get<double>(),
                1e-6);
  }
  for (const json& row : rows({"crc", "--sizes", "64", "--vs", "openssl"}, "crc"))
    EXPECT_TRUE(row.at("peers").at("openssl").is_null());
  const ProcessResult text = bench({"crc", "--sizes", "64", "--vs", "openssl", "--time", "1"});
  EXPECT_TRUE(contains(text.out, " openssl 3.")) << text.out;
  EXPECT_TRUE(contains(text.out, "       -      -\n")) << text.out;
}

}  // namespace
}  // namespace incore
