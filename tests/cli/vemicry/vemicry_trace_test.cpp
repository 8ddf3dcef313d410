// `incore vemicry trace` as a user and the viewers of its files see it. The files are read by small
// parsers of their own and compared with each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "cli/own_folder.h"
#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::ProcessResult;
using test::read_file;

class cli_vemicry_trace : public test::OwnFolderTest {
 protected:
  static ProcessResult trace(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {INCORE_PROGRAM, "vemicry", "trace"});
    return test::run(arguments);
  }
  // Three passes of a loop, with stalls of several kinds: 24 instructions.
  void SetUp() override {
    OwnFolderTest::SetUp();
    directory_.write("loop.s",
                     "        .globl sum\n"
                     "sum:    vload   v0, ($4), 0\n"
                     "        addiu   $8, $0, 3\n"
                     "        vsmove  v1, $0, 0\n"
                     "again:  vspmult v2, v0, $8\n"
                     "        vxor    v1, v1, v2\n"
                     "        vwshr   v1, v1, 1\n"
                     "        vextract $9, v1, 1\n"
                     "        addiu   $8, $8, -1\n"
                     "        bne     $8, $0, again\n"
                     "        addu    $10, $10, $9\n"
                     "        jr      $31\n"
                     "        nop\n");
  }
  static inline const std::vector<std::string> kLoop = {"loop.s", "--call", "sum", "--arg",
                                                        "0x400000"};
  static ProcessResult trace_loop(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = kLoop;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return trace(arguments);
  }
};

constexpr uint64_t kNumInsns = 3 + 3 * 7 + 2;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A stage of an instruction: layer, name, first cycle, last cycle.
using Stage = std::tuple<uint64_t, std::string, uint64_t, uint64_t>;
struct KanataInsn {
  std::string text;
  std::vector<Stage> stages;
  std::set<uint64_t> producers;
  bool retired = false;
};

// Reads a Kanata file, strictly: events in order of time, of instructions that have begun and are
// not retired, stages that begin before they end.
std::map<uint64_t, KanataInsn> read_kanata(const std::string& text) {
  std::map<uint64_t, KanataInsn> insns;
  std::map<std::tuple<uint64_t, uint64_t, std::string>, uint64_t> open;  // first cycles
  uint64_t now = 0, lines = 0;
  for (const std::string& line : lines_of(text)) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    if (++lines == 1) {
      EXPECT_EQ(line, "Kanata\t0004");
      continue;
    }
    const std::string command = fields.at(0);
    const uint64_t id = std::stoull(fields.at(1));
    if (command == "C=") {
      EXPECT_EQ(lines, 2u);
      now = id;
      continue;
    }
    if (command == "C") {
      EXPECT_GT(id, 0u);
      now += id;
      continue;
    }
    if (command == "I") {
      EXPECT_EQ(id, insns.size()) << "ids are in order";
      insns[id] = {};
      continue;
    }
    EXPECT_TRUE(insns.count(id) == 1 && !insns[id].retired) << line;
    KanataInsn& insn = insns[id];
    if (command == "L") {
      if (fields.at(2) == "0") insn.text += fields.at(3);
    } else if (command == "S") {
      EXPECT_TRUE(open.emplace(std::tuple(id, std::stoull(fields.at(2)), fields.at(3)), now).second)
          << line;
    } else if (command == "E") {
      const auto begun = open.find({id, std::stoull(fields.at(2)), fields.at(3)});
      if (begun == open.end() || begun->second >= now) {
        ADD_FAILURE() << line << " at " << now;
        continue;
      }
      insn.stages.emplace_back(std::stoull(fields.at(2)), fields.at(3), begun->second, now - 1);
      open.erase(begun);
    } else if (command == "W") {
      EXPECT_LT(std::stoull(fields.at(2)), id) << line;
      insn.producers.insert(std::stoull(fields.at(2)));
    } else if (command == "R") {
      insn.retired = true;
    } else {
      ADD_FAILURE() << line;
    }
  }
  EXPECT_TRUE(open.empty());
  return insns;
}

TEST_F(cli_vemicry_trace, plain_files_list_and_count_executed_instructions) {
  const ProcessResult result = trace_loop({"--out", "t", "--r", "4"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");

  const std::vector<std::string> dasm = lines_of(read_file("t/vemicry.dasm"));
  const std::vector<std::string> pc = lines_of(read_file("t/vemicry.trace"));
  // clause: VM-TOOL-009
  ASSERT_EQ(dasm.size(), kNumInsns);
  EXPECT_EQ(dasm[0], "00400000  4a400020  vload   v0, ($4), 0");
  EXPECT_EQ(dasm[4].substr(20), "vxor    v1, v1, v2");
  EXPECT_EQ(dasm.back().substr(20), "nop");
  // clause: VM-TOOL-010
  ASSERT_EQ(pc.size(), kNumInsns);
  for (size_t i = 0; i < pc.size(); ++i) EXPECT_EQ(pc[i], dasm[i].substr(0, 8));
  EXPECT_EQ(pc[10], "0040000c") << "behind the delay slot, the loop's second pass";

  // clause: VM-TOOL-011
  std::map<std::string, uint64_t> expected;
  for (const std::string& line : dasm) {
    std::string mnemonic = line.substr(20, line.find(' ', 20) - 20);
    if (mnemonic == "nop") mnemonic = "sll";
    ++expected[mnemonic];
  }
  std::map<std::string, uint64_t> found;
  uint64_t cycles = 0, model_cycles = 0, stalls = 0, sum = 0;
  bool model = false;
  for (const std::string& line : lines_of(read_file("t/vemicry.stats"))) {
    if (line == "Pipeline model") model = true;
    uint64_t number = 0;
    std::string word;
    if (!(std::istringstream(line) >> number >> word)) continue;
    if (word.rfind("cycles", 0) == 0)
      (model ? model_cycles : cycles) = number;
    else if (model)
      stalls += number;
    else
      found[word] = number, sum += number;
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(sum, cycles);
  EXPECT_EQ(cycles, kNumInsns);
  EXPECT_EQ(model_cycles, kNumInsns + stalls);
  EXPECT_GT(stalls, 0u);
}

TEST_F(cli_vemicry_trace, kanata_and_chrome_files_agree_with_the_figures) {
  for (const char* const lanes : {"8", "4", "2", "1"}) {
    for (const char* const latency : {"0", "3"}) {
      SCOPED_TRACE(std::string(lanes) + " lanes, memory latency " + latency);
      const ProcessResult result =
          trace_loop({"--out", "t", "--r", lanes, "--memory-latency", latency, "--json"});
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const json figures = json::parse(result.out);
      std::map<uint64_t, KanataInsn> insns = read_kanata(read_file("t/vemicry.kanata"));
      ASSERT_EQ(insns.size(), figures["instructions"]);

      uint64_t waiting = 0, last_issue = 0;
      // clause: VM-PIPE-038
      std::set<std::pair<std::string, uint64_t>> in_use;  // a stage holds one iteration at a time
      for (auto& [id, insn] : insns) {
        EXPECT_TRUE(insn.retired);
        std::sort(insn.stages.begin(), insn.stages.end(), [](const Stage& a, const Stage& b) {
          return std::tie(std::get<0>(a), std::get<2>(a)) <
                 std::tie(std::get<0>(b), std::get<2>(b));
        });
        uint64_t next = 0;
        std::map<uint64_t, std::string> names;  // by layer
        const bool in_lanes = std::any_of(insn.stages.begin(), insn.stages.end(),
                                          [](const Stage& s) { return std::get<1>(s) == "DF"; });
        for (const auto& [layer, name, first, last] : insn.stages) {
          const bool follows = layer != 1 && !names[layer].empty();
          EXPECT_TRUE(!follows || first == next) << name;
          next = last + 1;
          names[layer] += name + " ";
          if (name == "wait") waiting += last - first + 1;
          if (name == "ID") last_issue = last;
          for (uint64_t cycle = first; layer != 1 && cycle <= last; ++cycle)
            EXPECT_TRUE(
                in_use.emplace(name + (in_lanes && name[0] == 'W' ? " of a lane" : ""), cycle)
                    .second)
                << name << " " << cycle;
        }
        for (const auto& [layer, list] : names) {
          if (layer == 0) {
            EXPECT_TRUE(list == "IF ID EX DC WB " || list == "IF ID DF EXM EXC WB ") << list;
          } else {
            EXPECT_EQ(list, layer == 1 ? "wait " : "DF EXM EXC WB ");
          }
        }
      }
      EXPECT_EQ(last_issue, figures["cycles"]);
      EXPECT_EQ(waiting, last_issue - figures["instructions"].get<uint64_t>());
      // VXOR has its operand from VSPMULT, unless its register has it by then.
      EXPECT_EQ(insns[4].producers.count(3), lanes[0] >= '4' ? 1u : 0u);

      // The other file shows the same stages, but for EXM where it is idle, and words in lanes.
      std::set<std::tuple<uint64_t, std::string, uint64_t>> kanata, chrome;  // id, stage, first
      for (const auto& [id, insn] : insns)
        for (const auto& [layer, name, first, last] : insn.stages)
          if (layer != 1 && name != "EXM") kanata.emplace(id, name, first);
      std::map<std::pair<int, int>, std::string> tracks;
      std::map<uint64_t, std::multiset<uint64_t>> words;  // by instruction
      uint64_t waits = 0;
      const json events = json::parse(read_file("t/vemicry.json"))["traceEvents"];
      for (const json& event : events) {
        const std::pair<int, int> track(event["pid"], event["tid"]);
        if (event["ph"] == "M") {
          if (event["name"] == "thread_name") tracks[track] = event["args"]["name"];
          continue;
        }
        if (event["ph"] != "X") continue;
        ASSERT_EQ(tracks.count(track), 1u);
        if (event["name"] == "waits") {
          waits += event["dur"].get<uint64_t>();
        } else if (event["args"].contains("word")) {
          const uint64_t word = event["args"]["word"];
          EXPECT_EQ(tracks[track], "lane " + std::to_string(word % std::stoull(lanes)));
          words[event["args"]["number"]].insert(word);
        } else if (tracks[track] != "EXM") {
          chrome.emplace(event["args"]["number"], tracks[track], event["ts"]);
        }
      }
      EXPECT_EQ(kanata, chrome);
      EXPECT_EQ(waits, waiting);
      EXPECT_EQ(words[4], (std::multiset<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
      EXPECT_EQ(words[6], (std::multiset<uint64_t>{0})) << "VEXTRACT of word 0";
    }
  }
}

TEST_F(cli_vemicry_trace, diagram) {
  const ProcessResult result = trace_loop({"--r", "4", "--from", "3", "--to", "6"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(
      result.out.substr(0, result.out.find("In small")),
      R"(number address   instruction         in cycle 3   4   5   6   7   8   9   10  11  12  13  14  15
     3 0040000c  vspmult v2, v0, $8           IF  id  ID  DF* EXM EXC WB    waits 1 for the lanes
                  words 4 to 7                                DF  EXM EXC WB
     4 00400010  vxor    v1, v1, v2               if  IF  id  ID  DF  exm EXC WB    waits 1 for the lanes
                  words 4 to 7                                        DF  exm EXC WB
     5 00400014  vwshr   v1, v1, 1                        if  IF  id  ID  DF  EXM EXC WB    waits 1 for the lanes
                  words 4 to 7                                                DF  EXM EXC WB
     6 00400018  vextract $9, v1, 1                               if  IF  id  ID  DF  exm EXC WB    waits 1 for the lanes
)");
  EXPECT_EQ(files(), std::set<std::string>{"loop.s"});
}

TEST_F(cli_vemicry_trace, cycles_are_counted_on_beyond_three_digits) {
  directory_.write("endless.s", "here: b here\n addiu $8, $8, 1\n");
  const auto shown = [](const std::string& limit) {
    const ProcessResult result = trace({"endless.s", "--limit", limit, "--diagram", "3"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out.substr(0, result.out.find("In small"));
  };
  EXPECT_EQ(shown("998"),
            R"(number address   instruction         in cycle 995  996  997  998  999  1000 1001
   995 00400004  addiu   $8, $8, 1            IF   ID   EX   DC   WB
   996 00400000  beq     $0, $0, here              IF   ID   EX   DC   WB
   997 00400004  addiu   $8, $8, 1                      IF   ID   EX   DC   WB
)");
  EXPECT_EQ(
      shown("20001"),
      R"(number address   instruction         in cycle 19998 19999 20000 20001 20002 20003 20004
 19998 00400000  beq     $0, $0, here         IF    ID    EX    DC    WB
 19999 00400004  addiu   $8, $8, 1                  IF    ID    EX    DC    WB
 20000 00400000  beq     $0, $0, here                     IF    ID    EX    DC    WB
)");
}

TEST_F(cli_vemicry_trace, arguments_are_numbers_and_labels) {
  directory_.write("f.s", "f: lw $8, 0($4)\n jr $31\n addu $2, $8, $5\n .data\nx: .word 7\n");
  EXPECT_EQ(trace({"f.s", "--call", "f", "--arg", "x", "--arg", "0x10"}).exit_code, 0);
  const ProcessResult wrong = trace({"f.s", "--call", "f", "--arg", "y"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err,
            "incore vemicry: --arg: 'y' is no label, and no number of 32 bits (decimal, or 0x and "
            "hexadecimal)\n");
}

// With --json alone instructions are not looked at one by one: the totals are the same.
TEST_F(cli_vemicry_trace, totals_do_not_depend_on_what_is_shown) {
  directory_.write("break.s", "nop\n lw $8, 0($29)\n addu $8, $8, $8\n break\n");
  for (const std::vector<std::string>& program :
       {std::vector<std::string>{"--workload", "sha256-block"},
        {"--workload", "gf2-191-product", "--r", "2", "--limit", "50"},
        {"break.s"}}) {
    std::vector<std::string> alone = program, shown = program;
    alone.push_back("--json");
    shown.insert(shown.end(), {"--json", "--out", "t"});
    const ProcessResult without = trace(alone), with = trace(shown);
    EXPECT_EQ(without.out, with.out);
    EXPECT_EQ(without.err, with.err);
    EXPECT_EQ(without.exit_code, with.exit_code);
  }
}

TEST_F(cli_vemicry_trace, a_load_delay_makes_no_interlock) {
  directory_.write("f.s", "f: lw $8, 0($4)\n addu $9, $8, $8\n jr $31\n nop\n .data\nx: .word 7\n");
  const auto cycles = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"f.s", "--call", "f", "--arg", "x", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json::parse(trace(arguments).out).at("cycles").get<int>();
  };
  EXPECT_EQ(cycles({}), 5);
  EXPECT_EQ(cycles({"--load-delay"}), 4);
}

TEST_F(cli_vemicry_trace, the_last_instructions_are_shown_by_default) {
  const auto rows = [](const ProcessResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::vector<std::string> lines = lines_of(result.out);
    return std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find(" 004000") != std::string::npos;
    });
  };
  EXPECT_EQ(rows(trace_loop({})), 16);
  EXPECT_EQ(rows(trace_loop({"--diagram", "3"})), 3);
  EXPECT_EQ(rows(trace_loop({"--from", "0"})), 16);
  EXPECT_EQ(rows(trace_loop({"--from", "0", "--to", "9"})), 10);
  EXPECT_EQ(rows(trace_loop({"--out", "t"})), 0);
  EXPECT_EQ(rows(trace_loop({"--out", "t", "--diagram", "2"})), 2);
}

TEST_F(cli_vemicry_trace, limit_and_traps_leave_whole_files) {
  directory_.write("endless.s", "here: b here\n nop\n");
  const ProcessResult asked = trace({"endless.s", "--limit", "1000", "--out", "t"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_EQ(lines_of(read_file("t/vemicry.trace")).size(), 1000u);
  EXPECT_EQ(read_kanata(read_file("t/vemicry.kanata")).size(), 1000u);
  const ProcessResult endless = trace({"endless.s"});
  EXPECT_EQ(endless.exit_code, 1);
  EXPECT_EQ(endless.err,
            "incore vemicry: not at its end after 100000 instructions; --limit allows more\n");

  directory_.write("break.s", "nop\n nop\n break\n");
  const ProcessResult trapped = trace({"break.s", "--out", "t"});
  EXPECT_EQ(trapped.exit_code, 1);
  EXPECT_EQ(trapped.err, "incore vemicry: breakpoint at 00400008\n");
  EXPECT_EQ(read_file("t/vemicry.trace"), "00400000\n00400004\n");
  EXPECT_TRUE(json::accept(read_file("t/vemicry.json")));
  EXPECT_EQ(std::filesystem::exists("t/vemicry.stats"), true);
}

TEST_F(cli_vemicry_trace, mistakes_get_a_line_and_leave_nothing) {
  const auto expect_mistake = [&](const std::vector<std::string>& arguments,
                                  const std::string& message) {
    const ProcessResult result = trace(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  };
  expect_mistake({}, "give either a FILE or --workload");
  expect_mistake({"loop.s", "--workload", "xor-words"}, "give either a FILE or --workload");
  expect_mistake({"--workload", "nothing"}, "'nothing' is unknown; --list shows what is accepted");
  expect_mistake({"loop.s", "--call", "product"}, "there is no label 'product'");
  expect_mistake({"loop.s", "--r", "9"}, "r is 9; accepted: 1 to 8");
  expect_mistake({"none.s"}, "none.s");
  expect_mistake({"loop.s", "--arg", "1"}, "--call");
  expect_mistake({"loop.s", "--limit", "0"}, "--limit: '0' is no whole number from 1 to 2^64 - 1");
  expect_mistake({"loop.s", "--from", "4", "--to", "3"}, "--to is 3, and --from 4");
  expect_mistake({"loop.s", "--json", "--diagram", "5"}, "--json");
  expect_mistake({"loop.s", "--out", "loop.s"}, "cannot make the folder 'loop.s'");
  EXPECT_EQ(files(), std::set<std::string>{"loop.s"});
  expect_mistake({"loop.s", "--call", "product", "--out", "t"}, "there is no label 'product'");
  EXPECT_TRUE(std::filesystem::is_empty("t"));
  const ProcessResult help = trace({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("Examples:\n  incore vemicry trace "), std::string::npos);
}

}  // namespace
}  // namespace incore
