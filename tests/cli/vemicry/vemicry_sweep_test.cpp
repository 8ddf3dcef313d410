// `incore vemicry sweep` as a user sees it: files, resuming, stopping, mistakes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/file.h"
#include "support/process.h"

namespace incore {
namespace {

using test::ProcessResult;
using test::TemporaryDirectory;

const std::string kIncore = INCORE_PROGRAM;

size_t num_lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A folder with a sweep in it.
class Sweep {
 public:
  explicit Sweep(const std::string& toml) : file(directory.write("sweep.toml", toml)) {}

  ProcessResult run(std::vector<std::string> more = {}) {
    return test::run(command(std::move(more)));
  }
  std::vector<std::string> command(std::vector<std::string> more = {}) {
    std::vector<std::string> argv = {kIncore, "vemicry", "sweep", file, "--out", out};
    argv.insert(argv.end(), more.begin(), more.end());
    return argv;
  }
  std::string content(const std::string& name) const { return test::read_file(out + "/" + name); }

  TemporaryDirectory directory;
  std::string file, out = directory.path() + "/out";
};

// Takes long enough to be stopped: each call executes some 600000 instructions.
constexpr const char* kSlowProgram =
    "        .global slow\n"
    "        .ent    slow\n"
    "slow:   li      $8, 200000\n"
    "again:  addiu   $8, $8, -1\n"
    "        bne     $8, $0, again\n"
    "        nop\n"
    "        jr      $31\n"
    "        nop\n"
    "        .end    slow\n";
constexpr const char* kSlowSweep =
    "programs = [{ file = \"slow.s\", function = \"slow\" }]\n"
    "memory_latency = { from = 0, to = 99 }\n";
constexpr size_t kSlowPoints = 100;

// Starts the slow sweep on one thread, sends |signal| when some points are done, and waits.
ProcessResult stop_slow_sweep(Sweep& sweep, int signal) {
  const std::string err_path = sweep.directory.path() + "/err";
  std::vector<std::string> argv = sweep.command({"--jobs", "1"});
  const pid_t child = fork();
  if (child == 0) {
    const int err = open(err_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(err, 2);
    dup2(open("/dev/null", O_WRONLY), 1);
    std::vector<char*> pointers;
    for (std::string& argument : argv) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  int status = 0;
  while (num_lines(sweep.content("measured.jsonl")) < 5) {
    if (waitpid(child, &status, WNOHANG) == child) return {-1, 0, "", "it ended by itself"};
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(child, signal);
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
          "", test::read_file(err_path)};
}

TEST(cli_vemicry_sweep, every_machine_is_measured_and_reported) {
  Sweep sweep(
      "title = \"Words\"\nprograms = [\"xor-words\"]\n"
      "p = [4, 8, 16]\nr = { from = 1, to = 16, factor = 2 }\n");
  const ProcessResult result = sweep.run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(contains(result.out, "skipped 3: r is above p\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "report: " + sweep.out + "/report.html\n")) << result.out;
  // clause: VM-NEXT-002
  // clause: VM-NEXT-004
  const ProcessResult python = test::run(
      {"python3", "-c",
       "import csv, json, sys\n"
       "import xml.etree.ElementTree as tree\n"
       "out = sys.argv[1]\n"
       "rows = json.load(open(out + '/results.json'))['rows']\n"
       "machines = {(row['p'], row['r']): row for row in rows}\n"
       "assert set(machines) == {(p, r) for p in (4, 8, 16) for r in (1, 2, 4, 8, 16) if r <= p}\n"
       "assert len(rows) == len(machines)\n"
       "for (p, r), row in machines.items():\n"
       "    assert row['instructions'] == 5 and row['bytes'] == 4 * p\n"
       "    if r < p:  # fewer lanes take longer, and less area\n"
       "        assert row['cycles'] > machines[p, 2 * r]['cycles'], row\n"
       "        assert row['gate_equivalents'] < machines[p, 2 * r]['gate_equivalents'], row\n"
       "table = list(csv.DictReader(open(out + '/results.csv', newline='')))\n"
       "assert [int(row['cycles']) for row in table] == [row['cycles'] for row in rows]\n"
       "tree.parse(out + '/report.html')\n",
       sweep.out});
  EXPECT_EQ(python.exit_code, 0) << python.err;
}

TEST(cli_vemicry_sweep, forms_can_be_printed) {
  Sweep sweep("programs = [\"xor-words\"]\np = [4, 8]\nr = 2\n");
  for (const auto& [option, file] :
       {std::pair{"--csv", "results.csv"}, std::pair{"--json", "results.json"},
        std::pair{"--html", "report.html"}}) {
    const ProcessResult result = sweep.run({option});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_FALSE(result.out.empty());
    EXPECT_EQ(result.out, sweep.content(file)) << option;
  }
  EXPECT_EQ(sweep.run({"--csv", "--json"}).exit_code, 2);
}

TEST(cli_vemicry_sweep, threads_give_what_one_gives) {
  Sweep sweep("programs = [\"xor-words\"]\np = { from = 1, to = 20 }\nr = { from = 1, to = 20 }\n");
  EXPECT_EQ(sweep.run({"--jobs", "1"}).exit_code, 0);
  const std::string csv = sweep.content("results.csv"), json = sweep.content("results.json");
  EXPECT_EQ(num_lines(csv), 1u + 20 * 21 / 2);
  std::filesystem::remove_all(sweep.out);
  EXPECT_EQ(sweep.run({"--jobs", "7"}).exit_code, 0);
  EXPECT_EQ(sweep.content("results.csv"), csv);
  EXPECT_EQ(sweep.content("results.json"), json);
}

TEST(cli_vemicry_sweep, nothing_is_measured_twice) {
  Sweep sweep("programs = [\"xor-words\"]\np = [4, 8]\nr = [1, 2]\nl = [\"p\", 4]\n");
  EXPECT_EQ(sweep.run().exit_code, 0);
  const std::string measured = sweep.content("measured.jsonl"),
                    json = sweep.content("results.json");
  EXPECT_EQ(num_lines(measured), 6u);  // what the program refuses (l = 4 at p = 8) is kept too
  EXPECT_TRUE(contains(json, "l must be p")) << json;
  EXPECT_EQ(sweep.run().exit_code, 0);
  EXPECT_EQ(sweep.content("measured.jsonl"), measured);
  EXPECT_EQ(sweep.content("results.json"), json);
}

TEST(cli_vemicry_sweep, a_changed_program_is_measured_again) {
  Sweep sweep("programs = [{ file = \"f.s\", function = \"f\" }]\nseeds = [1, 2]\n");
  const auto program = [&sweep](int nops) {
    std::string text = ".global f\n.ent f\nf:\n";
    for (int i = 0; i < nops; ++i) text += "nop\n";
    sweep.directory.write("f.s", text + "jr $31\nnop\n.end f\n");
  };
  program(3);
  EXPECT_TRUE(contains(sweep.run({"--csv"}).out, "f.s:f,8,8,8,8,8,2,0,2,5,")) << sweep.run().err;
  program(4);
  EXPECT_TRUE(contains(sweep.run({"--csv"}).out, "f.s:f,8,8,8,8,8,2,0,2,6,"));
  EXPECT_EQ(num_lines(sweep.content("measured.jsonl")), 4u);
  program(3);  // as before: still known
  EXPECT_TRUE(contains(sweep.run({"--csv"}).out, "f.s:f,8,8,8,8,8,2,0,2,5,"));
  EXPECT_EQ(num_lines(sweep.content("measured.jsonl")), 4u);
}

TEST(cli_vemicry_sweep, a_killed_sweep_goes_on_where_it_was) {
  Sweep sweep(kSlowSweep);
  sweep.directory.write("slow.s", kSlowProgram);
  EXPECT_EQ(stop_slow_sweep(sweep, SIGKILL).signal, SIGKILL);
  const std::string known = sweep.content("measured.jsonl");
  ASSERT_GE(num_lines(known), 5u);
  ASSERT_LT(num_lines(known), kSlowPoints);
  EXPECT_FALSE(std::filesystem::exists(sweep.out + "/results.csv"));

  // As if it had been killed in the midst of a line, too.
  std::ofstream(sweep.out + "/measured.jsonl", std::ios::app)
      << "{\"program\":\"slow.s:slow\",\"fi";
  EXPECT_EQ(sweep.run().exit_code, 0);
  const std::string measured = sweep.content("measured.jsonl");
  EXPECT_EQ(measured.rfind(known, 0), 0u) << "known results were thrown away";
  EXPECT_EQ(num_lines(measured), kSlowPoints + 1);  // and the cut line
  const std::string csv = sweep.content("results.csv");
  EXPECT_EQ(num_lines(csv), kSlowPoints + 1);
  std::filesystem::remove_all(sweep.out);
  EXPECT_EQ(sweep.run().exit_code, 0);
  EXPECT_EQ(sweep.content("results.csv"), csv);
}

TEST(cli_vemicry_sweep, an_interrupted_sweep_leaves_its_results_and_says_how_to_go_on) {
  Sweep sweep(kSlowSweep);
  sweep.directory.write("slow.s", kSlowProgram);
  const ProcessResult result = stop_slow_sweep(sweep, SIGINT);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, " of 100 done; to go on: incore vemicry sweep " + sweep.file +
                                       " --out " + sweep.out + "\n"))
      << result.err;
  const size_t rows = num_lines(sweep.content("results.csv")) - 1;
  EXPECT_GE(rows, 5u);
  EXPECT_LT(rows, kSlowPoints);
  EXPECT_TRUE(contains(sweep.content("report.html"), "still to be done"));
  const ProcessResult python = test::run(
      {"python3", "-c",
       "import json, sys; sys.exit(len(json.load(sys.stdin)['rows']) != int(sys.argv[1]))",
       std::to_string(rows)},
      sweep.content("results.json"));
  EXPECT_EQ(python.exit_code, 0) << python.err;
  EXPECT_EQ(sweep.run().exit_code, 0);
  EXPECT_EQ(num_lines(sweep.content("results.csv")), kSlowPoints + 1);
}

TEST(cli_vemicry_sweep, two_sweeps_do_not_share_a_folder) {
  Sweep sweep(kSlowSweep);
  sweep.directory.write("slow.s", kSlowProgram);
  std::atomic<bool> ended = false;
  std::thread other([&] {
    sweep.run({"--jobs", "1"});
    ended = true;
  });
  while (sweep.content("measured.jsonl").empty() && !ended)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const ProcessResult result = sweep.run();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "incore vemicry: another sweep is writing to '" + sweep.out + "/measured.jsonl'\n");
  other.join();
}

TEST(cli_vemicry_sweep, a_wrong_program_is_told_once_and_the_exit_code_is_1) {
  Sweep sweep("programs = [{ file = \"f.s\", function = \"f\" }]\np = [4, 8]\n");
  sweep.directory.write("f.s", ".global f\n.ent f\nf: break\nnop\n.end f\n");
  const ProcessResult result = sweep.run();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(num_lines(result.err), 1u) << result.err;
  EXPECT_TRUE(contains(result.err, "f.s:f, p = 4, r = 4: ")) << result.err;
  EXPECT_TRUE(contains(result.err, "(and 1 more, see results.json)\n")) << result.err;
  EXPECT_EQ(sweep.content("measured.jsonl"), "");
}

TEST(cli_vemicry_sweep, a_function_that_no_machine_has_is_refused_before_anything_is_measured) {
  Sweep sweep("programs = [\"xor-words\", { file = \"f.s\", function = \"g\" }]\np = [4, 8]\n");
  const auto expect_refusal = [&](const std::string& text) {
    const ProcessResult result = sweep.run();
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "incore vemicry: " + sweep.directory.path() + "/f.s" + text + "\n");
    EXPECT_FALSE(std::filesystem::exists(sweep.out));
  };
  sweep.directory.write("f.s", "f: jr $31\n nop\n");
  expect_refusal(" has no label 'g'");
  sweep.directory.write("f.s", "g: jr $31\n nip\n");
  expect_refusal(":2:2: there is no instruction 'nip'");
  // One that some machines have is measured there.
  sweep.directory.write("f.s", "g: jr $31\n vload v0, ($29), 8\n");
  EXPECT_EQ(sweep.run().exit_code, 1) << "p = 4 cannot have it";
  EXPECT_TRUE(contains(sweep.run({"--csv"}).out, "f.s:g,8,8,8,8,8,2,0,1,2,"));
}

TEST(cli_vemicry_sweep, a_function_of_the_users_gets_input_and_is_checked) {
  Sweep sweep(
      "programs = [{ file = \"f.s\", function = \"f\", arguments = [\"data\", 3], "
      "input = { data = \"in\" }, expected = { data = \"sum\" }, bytes = 4 }]\nr = [1, 8]\n");
  // *data += the second argument.
  sweep.directory.write("f.s",
                        "f: lw $8, 0($4)\n nop\n addu $8, $8, $5\n jr $31\n sw $8, 0($4)\n"
                        " .data\ndata: .word 0\n");
  sweep.directory.write("in", std::string("\0\0\0\4", 4));
  sweep.directory.write("sum", std::string("\0\0\0\7", 4));
  EXPECT_EQ(sweep.run().exit_code, 0) << sweep.run().err;
  EXPECT_TRUE(contains(sweep.run({"--csv"}).out, "\"f.s:f(data, 3)\",8,8,8,8,8,2,0,1,5,5,4,"))
      << sweep.run({"--csv"}).out;
  // Other input is measured again.
  sweep.directory.write("in", std::string("\0\0\0\5", 4));
  const ProcessResult wrong = sweep.run();
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(contains(wrong.err, "data: byte 3 is 0x08, expected 0x07")) << wrong.err;
  sweep.directory.write("in", std::string(100'000, 'x'));
  EXPECT_EQ(sweep.run().exit_code, 1);
  std::filesystem::remove(sweep.directory.path() + "/in");
  EXPECT_EQ(sweep.run().exit_code, 2);
}

TEST(cli_vemicry_sweep, a_function_without_end_is_given_up) {
  Sweep sweep(
      "programs = [{ file = \"f.s\", function = \"f\" }]\np = [4, 8]\nmax_instructions = 5000\n");
  sweep.directory.write("f.s", "f: b f\n nop\n");
  const ProcessResult result = sweep.run();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "it is not at its end after 5000 instructions")) << result.err;
  // The default is in the help, and a slow function within it is measured.
  EXPECT_TRUE(contains(test::run({kIncore, "vemicry", "sweep", "--help"}).out,
                       "max_instructions = 100000000,"));
  for (const char* const bad : {"0", "-1", "\"p\"", "1.5", "[1]"}) {
    Sweep refused(std::string("programs = [\"xor-words\"]\nmax_instructions = ") + bad + "\n");
    EXPECT_EQ(refused.run().exit_code, 2) << bad;
  }
}

TEST(cli_vemicry_sweep, mistakes) {
  Sweep bad("programs = [\"xor-words\"]\np = 0\n");
  const ProcessResult result = bad.run();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "incore vemicry: " + bad.file + ":2:5: p is 0; accepted: numbers from 1 to 256\n");
  EXPECT_FALSE(std::filesystem::exists(bad.out));

  Sweep missing("programs = [{ file = \"nowhere.s\", function = \"f\" }]\n");
  EXPECT_EQ(missing.run().err, "incore vemicry: " + missing.directory.path() +
                                   "/nowhere.s: No such file or directory\n");
  EXPECT_FALSE(std::filesystem::exists(missing.out));
  const auto sweep = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kIncore, "vemicry", "sweep"});
    return test::run(arguments);
  };
  EXPECT_EQ(sweep({}).exit_code, 2);
  EXPECT_EQ(sweep({"/nonexistent.toml"}).err,
            "incore vemicry: /nonexistent.toml: No such file or directory\n");
  EXPECT_EQ(sweep({"/tmp"}).err, "incore vemicry: /tmp: is a directory\n");
  EXPECT_EQ(sweep({bad.file, "--jobs", "0"}).exit_code, 2);
  Sweep good("programs = [\"xor-words\"]\n");
  const std::string blocked = good.directory.write("file", "");
  EXPECT_EQ(sweep({good.file, "--out", blocked + "/out"}).exit_code, 2);
  const ProcessResult help = sweep({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_TRUE(contains(help.out, "Examples:\n  incore vemicry sweep ")) << help.out;
}

}  // namespace
}  // namespace incore
