// `incore bench` prints no speed of what computes something wrong. The operation here is made up:
// it inverts its data.
#include "tools/bench/bench_task.h"

#include <gtest/gtest.h>

#include "tools/bench/peer.h"

namespace incore::tools {

// What peer.cpp has in the program.
const std::string& version_of(const Peer&) {
  static const std::string version = "9.9";
  return version;
}

namespace {

enum class Mistake { none, on_16_bytes, always, changes } mistake;
bool answer_is_known;

Work inverter(Task& task, Mistake kind) {
  return [&task, kind](size_t calls) {
    static uint8_t counter;
    for (size_t call = 0; call < calls; ++call)
      for (size_t i = 0; i < task.in.size(); ++i) task.out[i] = static_cast<uint8_t>(~task.in[i]);
    const bool wrong =
        kind == Mistake::always || (kind == Mistake::on_16_bytes && task.in.size() == 16);
    if (wrong) task.out[0] ^= 1;
    if (kind == Mistake::changes && task.in.size() == 16) task.out[0] = ++counter;
  };
}

std::vector<Row> rows(const BenchOptions&) {
  return {{{"inversion", {}, {}, {}, test_bytes(16, 1), Bytes(16)}, 16}};
}
Work prepare(Task& task) {
  return inverter(task, mistake);
}
std::string kernel(const Task&) {
  return "made-up";
}
const std::vector<KnownAnswer>& known_answers() {
  static const std::vector<KnownAnswer> none;
  static const std::vector<KnownAnswer> answers = {
      {"inversion", "logic", "", "", "", "00ff55", "ff00aa"}};
  return answer_is_known ? answers : none;
}
constexpr Family kFamily = {rows, prepare, kernel, known_answers};
constexpr Bench kBench = {"made-up", "inversion", nullptr, &kFamily};

struct Result {
  int code;
  Json json;
  std::string text, said;
};

Result run(Mistake kind, std::vector<const Peer*> peers = {}, bool known = true) {
  mistake = kind;
  answer_is_known = known;
  BenchOptions options;
  options.time = std::chrono::milliseconds(1);
  options.peers = std::move(peers);
  Result result;
  testing::internal::CaptureStderr();
  result.code = run_tasks(kBench, options, &result.json, &result.text);
  result.said = testing::internal::GetCapturedStderr();
  return result;
}

void expect_refused(const Result& result, const std::string& why) {
  EXPECT_EQ(result.code, kDiffers);
  EXPECT_EQ(result.text, "");
  EXPECT_TRUE(result.json.empty()) << result.json.line();
  EXPECT_NE(result.said.find(why), std::string::npos) << result.said;
}

TEST(bench_task, right_results_are_measured) {
  const Result result = run(Mistake::none);
  EXPECT_EQ(result.code, kDone) << result.said;
  EXPECT_EQ(result.json["rows"].size(), 1u);
  EXPECT_NE(result.text.find("inversion"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("made-up"), std::string::npos) << result.text;
}

TEST(bench_task, wrong_known_answer_shows_no_speed) {
  expect_refused(run(Mistake::always), "inversion by kernel made-up is wrong: not as in logic");
}

TEST(bench_task, operation_without_known_answer_shows_no_speed) {
  expect_refused(run(Mistake::none, {}, false), "inversion has no known answer");
}

TEST(bench_task, result_that_changes_shows_no_speed) {
  expect_refused(run(Mistake::changes), "results of equal calls differ");
}

TEST(bench_task, peer_is_compared_with_on_the_measured_data) {
  const Peer right = {"right", nullptr, [](Task& task) { return inverter(task, Mistake::none); }};
  const Peer wrong = {"wrong", nullptr, [](Task& task) { return inverter(task, Mistake::always); }};
  const Peer lacking = {"lacking", nullptr, [](Task&) { return Work(); }};
  const Result result = run(Mistake::none, {&right, &lacking});
  ASSERT_EQ(result.code, kDone) << result.said;
  const auto& peers = result.json["rows"][0]["peers"];
  EXPECT_GT(peers["right"]["ratio"].real(), 0);
  EXPECT_TRUE(peers.contains("lacking") && peers["lacking"].is_null());
  expect_refused(run(Mistake::none, {&right, &wrong}), "our result and that of wrong 9.9 differ");
  // The known answer is short and right; only the peer sees that the longer result is not.
  EXPECT_EQ(run(Mistake::on_16_bytes).code, kDone);
  expect_refused(run(Mistake::on_16_bytes, {&right}), "our result and that of right 9.9 differ");
}

}  // namespace
}  // namespace incore::tools
