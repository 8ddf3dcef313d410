// incore run --rng-seed: repeatable XSTORE, a stream for each process.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "padlock/noise.h"
#include "run/incore_run.h"
#include "support/hex.h"

namespace incore::test {
namespace {

// The lines of guest rng_streams: who -> bytes in hexadecimal.
using Lines = std::map<std::string, std::string>;

Lines run_guest(const Arguments& options, const std::string& name = "rng_streams") {
  const ProcessResult result = incore_run(options, {guest(name)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Lines lines;
  std::istringstream out(result.out);
  for (std::string who, bytes; out >> who >> bytes;) lines[who] = bytes;
  EXPECT_EQ(lines.size(), 5u) << result.out;
  return lines;
}

std::string expected(const char* model, uint64_t seed, uint64_t stream, uint64_t first_buffer) {
  std::string digits;
  for (uint64_t index = first_buffer; index < first_buffer + 3; ++index) {
    uint8_t buffer[padlock::Rng::kBufferLen];
    padlock::make_seeded_buffer(*padlock::find_model(model), seed, stream, index, buffer);
    digits += to_hex(Bytes(buffer, buffer + sizeof buffer));
  }
  return digits;
}

TEST(run_rng_seed, every_process_has_the_next_stream_of_the_model) {
  const struct {
    const char* model;
    const char* text;
    uint64_t seed;
  } cases[] = {
      {"nano", "42", 42}, {"nehemiah", "0xffffffffffffffff", ~uint64_t{0}}, {"nehemiah", "0", 0}};
  for (const auto& each : cases) {
    for (const char* name : {"rng_streams", "rng_streams_static"}) {
      const Lines lines = run_guest({"--cpu", each.model, "--rng-seed", each.text}, name);
      const auto stream = [&](uint64_t number, uint64_t first_buffer = 0) {
        return expected(each.model, each.seed, number, first_buffer);
      };
      const Lines all = {{"parent", stream(0)},
                         {"first_child", stream(1)},
                         {"second_child", stream(2)},
                         {"parent_again", stream(0, 3)},
                         {"executed", stream(3)}};
      EXPECT_EQ(lines, all) << each.model << " " << each.text << " " << name;
    }
  }
}

TEST(run_rng_seed, without_it_no_two_runs_agree) {
  std::set<std::string> all;
  for (int i = 0; i < 2; ++i)
    for (const auto& [who, bytes] : run_guest({})) all.insert(bytes);
  EXPECT_EQ(all.size(), 10u);
}

TEST(run_rng_seed, xstore_works_as_without_it) {
  const ProcessResult result = incore_run({"--rng-seed", "7"}, {guest("xstore")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(run_rng_seed, what_is_no_64_bit_number_is_refused) {
  for (const char* text : {"", "x", "-1", "1.5", "0x", "0xg", "12 ", "18446744073709551616"}) {
    const ProcessResult result = incore_run({std::string("--rng-seed=") + text}, {"true"});
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_NE(result.err.find("--rng-seed"), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace incore::test
