// The TOML file of `incore vemicry sweep`: what is accepted, what is refused and where, and the
// points that come of it.
#include "tools/sweep/sweep_plan.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace incore::tools {
namespace {

SweepPlan plan_of(const std::string& text) {
  SweepPlan plan;
  EXPECT_EQ(read_sweep_plan(text, "a.toml", "folder", &plan), "") << text;
  return plan;
}

std::string mistake_of(const std::string& text) {
  SweepPlan plan;
  return read_sweep_plan(text, "a.toml", "", &plan);
}

const std::string kPrograms = "programs = [\"xor-words\"]\n";

TEST(sweep_plan, defaults_are_the_machine_of_the_paper) {
  const SweepPlan plan = plan_of(kPrograms);
  const std::vector<SweepPoint> points = sweep_points(plan);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0], (SweepPoint{0, 8, 8, 8, 8, 8, 2, 0, 1}));
}

TEST(sweep_plan, lists_are_numbers_arrays_and_ranges) {
  const SweepPlan plan = plan_of(kPrograms +
                                 "title = \"t\"\n"
                                 "q = 4\n"
                                 "p = [8, 4, 8]\n"
                                 "r = { from = 1, to = 20, factor = 2 }\n"
                                 "l = [\"p\", { from = 2, to = 7, step = 3 }, 3]\n"
                                 "banks = [\"r\", { from = 1, to = 4, factor = 2 }]\n"
                                 "ports = [2, 1]\ngates_per_bit = 1.5\n"
                                 "memory_latency = { from = 0, to = 2 }\n"
                                 "seeds = [9223372036854775807, 0]\n");
  EXPECT_EQ(plan.title, "t");
  EXPECT_EQ(plan.q, (std::vector<uint32_t>{4}));
  EXPECT_EQ(plan.p, (std::vector<uint32_t>{4, 8}));
  EXPECT_EQ(plan.r, (std::vector<uint32_t>{1, 2, 4, 8, 16}));
  EXPECT_EQ(plan.l, (std::vector<uint32_t>{kSameAsP, 2, 3, 5}));
  EXPECT_EQ(plan.banks, (std::vector<uint32_t>{kAsLanes, 1, 2, 4}));
  EXPECT_EQ(plan.ports, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(plan.gates_per_bit, 1.5);
  EXPECT_EQ(plan.memory_latency, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(plan.seeds, (std::vector<uint64_t>{0, 9223372036854775807u}));
}

TEST(sweep_plan, programs_of_the_user_are_found_from_the_folder_of_the_file) {
  const SweepPlan plan = plan_of(
      "programs = [{ file = \"x.s\", function = \"f\" }, "
      "{ file = \"/y.elf\", function = \"g\" }, \"xor-words\"]\n");
  ASSERT_EQ(plan.programs.size(), 3u);
  EXPECT_EQ(plan.programs[0].name, "x.s:f");
  EXPECT_EQ(plan.programs[0].call.file, "folder/x.s");
  EXPECT_EQ(plan.programs[0].call.function, "f");
  EXPECT_EQ(plan.programs[1].call.file, "/y.elf");
  EXPECT_EQ(plan.programs[2].call.file, "");
}

TEST(sweep_plan, a_call_has_arguments_input_and_expected_output) {
  const UserCall call =
      plan_of(
          "programs = [{ file = \"x.s\", function = \"f\", arguments = [\"a\", -1, 0x10], "
          "input = { a = \"in\", b = \"/in2\" }, expected = { c = \"out\" }, bytes = 16 }]\n")
          .programs[0]
          .call;
  EXPECT_EQ(call.name(), "folder/x.s:f(a, 4294967295, 16)");
  ASSERT_EQ(call.inputs.size(), 2u);
  EXPECT_EQ(call.inputs[0].path, "folder/in");
  EXPECT_EQ(call.inputs[1].path, "/in2");
  ASSERT_EQ(call.outputs.size(), 1u);
  EXPECT_EQ(call.outputs[0].label, "c");
  EXPECT_EQ(call.num_bytes, 16u);
  const std::string begin = "programs = [{ file = \"x.s\", function = \"f\", ";
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"arguments = 3 }]\n", "arguments is a list of numbers and labels"},
           {"arguments = [4294967296] }]\n", "an argument is 4294967296; accepted: numbers from "},
           {"input = \"in\" }]\n", "input is { LABEL = \"FILE\" }"},
           {"expected = { a = 3 } }]\n", "expected is { LABEL = \"FILE\" }"},
           {"bytes = 0 }]\n", "bytes is 0; accepted: numbers from 1 to 4294967295"},
           {"output = 3 }]\n", "a program has no 'output'; accepted: file, function, arguments,"}})
    EXPECT_NE(mistake_of(begin + text).find(expected), std::string::npos)
        << mistake_of(begin + text);
}

TEST(sweep_plan, every_combination_is_there_once) {
  const SweepPlan plan = plan_of(kPrograms +
                                 "q = [4, 8]\np = [4, 8, 16]\nr = [\"p\", 4, 8]\n"
                                 "l = [\"p\", 4]\nbanks = [\"r\", 2]\nports = [1, 2]\n"
                                 "memory_latency = [0, 5]\nseeds = [1, 2, 3]\n");
  const std::vector<SweepPoint> points = sweep_points(plan);
  // Not of vectors: the comparison of GCC 12's library is wrong for them on big-endian machines.
  std::set<std::array<uint64_t, 8>> expected, found;
  for (const uint64_t q : {4, 8})
    for (const uint64_t p : {4, 8, 16})
      for (const uint64_t r : {p, uint64_t{4}, uint64_t{8}})
        for (const uint64_t l : {p, uint64_t{4}})
          for (const uint64_t banks : {r, uint64_t{2}})
            for (const uint64_t ports : {1, 2})
              for (const uint64_t latency : {0, 5})
                for (const uint64_t seed : {1, 2, 3})
                  expected.insert({q, p, r, l, banks, ports, latency, seed});
  for (const SweepPoint& point : points)
    found.insert({point.q, point.p, point.r, point.l, point.banks, point.ports,
                  point.memory_latency, point.seed});
  EXPECT_EQ(found, expected);
  EXPECT_EQ(points.size(), expected.size());
}

TEST(sweep_plan, impossible_machines_are_told_with_the_reason) {
  EXPECT_EQ(impossible({0, 8, 4, 8, 4, 8, 2, 0, 1}), "r is above p");
  EXPECT_EQ(impossible({0, 8, 4, 4, 8, 4, 2, 0, 1}), "l is above p");
  EXPECT_EQ(impossible({0, 8, 4, 3, 4, 8, 2, 0, 1}), "there are more banks than lanes");
  EXPECT_EQ(impossible({0, 8, 4, 3, 4, 4, 2, 0, 1}), "");
}

TEST(sweep_plan, mistakes_have_a_place_and_say_what_is_accepted) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "a.toml:1:1: programs is missing: the list of what is measured"},
      {"programs = [\"xor-words\"]\nlanes = 4\n",
       "a.toml:2:1: there is no key 'lanes'; accepted: title, programs, q, p, r, l, "
       "banks, ports, memory_latency, gates_per_bit, seeds, max_instructions"},
      {kPrograms + "banks = [1, 3]\n", "a.toml:2:9: banks is 3; accepted: powers of two"},
      {kPrograms + "gates_per_bit = -1\n", "a.toml:2:17: gates_per_bit is a number from 0 to 100"},
      {kPrograms + "gates_per_bit = nan\n", "a.toml:2:17: gates_per_bit is a number from 0 to 100"},
      {kPrograms + "p = 0\n", "a.toml:2:5: p is 0; accepted: numbers from 1 to 256"},
      {kPrograms + "q = [8, 17]\n", "a.toml:2:9: q is 17; accepted: numbers from 1 to 16"},
      {kPrograms + "r = \"q\"\n",
       "a.toml:2:5: r is no number; accepted: numbers from 1 to 256, or \"p\" for as many as p"},
      {kPrograms + "p = \"p\"\n", "a.toml:2:5: p is no number; accepted: numbers from 1 to 256"},
      {kPrograms + "p = 8.0\n", "a.toml:2:5: p is no number; accepted: numbers from 1 to 256"},
      {kPrograms + "p = []\n", "a.toml:2:5: p is empty"},
      {kPrograms + "p = [[8]]\n", "a.toml:2:6: p is no number; accepted: numbers from 1 to 256"},
      {kPrograms + "p = { from = 1 }\n",
       "a.toml:2:5: a range of p has from, to, and step or factor"},
      {kPrograms + "p = { from = 1, to = 4, by = 2 }\n",
       "a.toml:2:30: a range of p has no 'by'; accepted: from, to, and step or factor"},
      {kPrograms + "p = { from = 1, to = 4, step = 1, factor = 2 }\n",
       "a.toml:2:5: a range of p has from, to, and step or factor"},
      {kPrograms + "p = { from = 4, to = 1 }\n", "a.toml:2:22: p.to is less than p.from"},
      {kPrograms + "p = { from = 1, to = 4, factor = 1 }\n",
       "a.toml:2:34: p.factor is 1; accepted: numbers from 2 to 1000000"},
      {kPrograms + "memory_latency = { from = 0, to = 4, factor = 2 }\n",
       "a.toml:2:27: memory_latency.from is 0, and factor is given"},
      {kPrograms + "seeds = -1\n",
       "a.toml:2:9: seeds is -1; accepted: numbers from 0 to 9223372036854775807"},
      {kPrograms + "seeds = { from = 0, to = 2000000 }\n",
       "a.toml:2:9: seeds has more than 1000000 values"},
      {kPrograms + "title = 3\n", "a.toml:2:9: title is a text"},
      {"programs = \"xor-words\"\n",
       "a.toml:1:12: programs is a list, such as [\"aes128-encrypt-16\"]"},
      {"programs = [\"xor-words\", \"xor-words\"]\n", "a.toml:1:26: xor-words stands there twice"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(mistake_of(text), expected) << text;
}

TEST(sweep_plan, unknown_programs_are_refused) {
  EXPECT_EQ(mistake_of("programs = [\"no-such\"]\n")
                .rfind("a.toml:1:13: there is no workload 'no-such'; a program is the name of", 0),
            0u);
  EXPECT_EQ(mistake_of("programs = [{ file = \"x.s\" }]\n")
                .rfind("a.toml:1:13: a program is the name of a workload", 0),
            0u);
  EXPECT_EQ(mistake_of("programs = [{ file = \"x.s\", function = \"f\", p = 1 }]\n")
                .rfind("a.toml:1:49: a program has no 'p'; ", 0),
            0u);
}

TEST(sweep_plan, too_many_combinations_are_refused) {
  EXPECT_EQ(mistake_of(kPrograms + "p = { from = 1, to = 256 }\nr = { from = 1, to = 256 }\n"
                                   "seeds = { from = 1, to = 100 }\n"),
            "a.toml:1:1: 6553600 combinations are more than 1000000");
}

TEST(sweep_plan, text_that_is_no_toml_is_refused_with_its_place) {
  EXPECT_EQ(mistake_of(kPrograms + "p = = 3\n").rfind("a.toml:2:5: ", 0), 0u)
      << mistake_of(kPrograms + "p = = 3\n");
  EXPECT_EQ(mistake_of(kPrograms + "p = [}]\nq = 8\n"),
            "a.toml:2:1: brackets or values are missing or misplaced");
  EXPECT_EQ(mistake_of(kPrograms + "q = 8 # \xC3\xA4\n"),
            "a.toml:2:9: only ASCII characters are accepted");
  for (const std::string& text :
       {std::string("\0\xff\xfe", 3), std::string("p = [8"), std::string("[p"),
        std::string("p = 1\np = 2\n"), std::string("p = 99999999999999999999\n"),
        std::string(5000, '[')})
    EXPECT_EQ(mistake_of(text).rfind("a.toml:", 0), 0u) << text;
}

}  // namespace
}  // namespace incore::tools
