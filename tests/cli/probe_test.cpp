// `incore probe` as a user sees it: each model is like itself, differences that are planted in
// models and in documents are found, and what is no document is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "run/incore_run.h"
#include "support/file.h"
#include "support/process.h"

namespace incore {
namespace {

using nlohmann::json;
using test::Arguments;
using test::ProcessResult;

const std::string kIncore = INCORE_PROGRAM;
const std::string kProbe = INCORE_BINARY_DIR "/incore-probe";

ProcessResult probe(Arguments arguments) {
  arguments.insert(arguments.begin(), {kIncore, "probe"});
  return test::run(arguments);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What the probe records on |model|, without clocks and noise.
const json& behaviour_of(const std::string& model) {
  static std::map<std::string, json> documents;
  json& document = documents[model];
  if (document.is_null()) {
    const ProcessResult result = test::incore_run({"--stale-key", "emulate", "--cpu", model},
                                                  {kProbe, "--no-timings", "--no-noise"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    document = json::parse(result.out);
  }
  return document;
}

json& experiment_of(json& document, const std::string& clause) {
  for (json& e : document["experiments"])
    if (e["clause"] == clause) return e;
  throw std::runtime_error("no experiment of " + clause);
}

class cli_probe : public testing::Test {
 protected:
  // Compares |document|, as a file, with |model|.
  ProcessResult compare(const json& document, const std::string& model,
                        const Arguments& more = {}) const {
    Arguments arguments = {"--compare", directory_.write("document.json", document.dump()), model};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return probe(arguments);
  }
  void expect_difference(const json& document, const std::string& model,
                         const std::string& line) const {
    const ProcessResult result = compare(document, model);
    EXPECT_EQ(result.exit_code, 1) << model << "\n" << result.out << result.err;
    EXPECT_TRUE(contains("\n" + result.out, "\n" + line)) << line << "\n" << result.out;
  }

  test::TemporaryDirectory directory_;
};

// The whole document, as the program of its own records it under the plainest `incore run`.
TEST_F(cli_probe, each_model_is_like_itself) {
  for (const char* const model : {"c5xl", "nehemiah", "esther", "esther9", "nano", "zhaoxin"}) {
    const std::string file = directory_.path() + "/" + model;
    const ProcessResult run = test::incore_run({"--cpu", model}, {kProbe, "--out", file});
    ASSERT_EQ(run.exit_code, 0) << model << run.err;
    const ProcessResult result = probe({"--compare", file, model});
    EXPECT_EQ(result.exit_code, 0) << model << "\n" << result.out << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(contains(result.out, file + " and " + model + ": 0 differences in 2"))
        << result.out;
    const json document = json::parse(test::read_file(file));
    EXPECT_EQ(document["noise"]["bytes"].get<std::string>().size(), 2u * 65536);
    EXPECT_GT(document["timings"]["rows"].size(), 20u);
    EXPECT_FALSE(contains(result.out, "unsteady")) << result.out;
  }
}

// Its keys go stale as on silicon, and it has the outcomes of MSRs.
TEST_F(cli_probe, a_model_can_be_recorded_by_name) {
  const std::string file = directory_.path() + "/esther";
  ASSERT_EQ(probe({"--cpu", "esther", "--write-msrs", "--out", file}).exit_code, 0);
  const ProcessResult same = probe({"--compare", file, "esther"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_FALSE(contains(same.out, "not compared")) << same.out;
  EXPECT_FALSE(contains(same.out, "--stale-key")) << same.out;
  EXPECT_FALSE(contains(same.out, ", apart")) << same.out;

  // What only model specific registers show, of each the bits that the experiment is about.
  const json document = json::parse(test::read_file(file));
  const auto number = [](const json& text) {
    return std::stoull(text.get<std::string>(), nullptr, 16);
  };
  size_t num_disabled = 0;
  for (const json& e : document["experiments"]) {
    for (size_t i = 0; i < e["steps"].size(); ++i) {
      const json &step = e["steps"][i], &outcome = e["outcomes"][0][i];
      if (step.contains("put")) break;  // which has no outcome
      if (step.contains("read_msr") && outcome.contains("value")) {
        EXPECT_EQ(number(outcome["value"]) & ~number(step["bits"]), 0u) << e;
      }
      if (step.contains("try") && outcome.contains("signal")) ++num_disabled;
    }
  }
  EXPECT_GE(num_disabled, 3u);  // RNG, and by one MSR ACE, PHE and PMM
  for (const auto& [field, line] :
       {std::pair("rng-sources=1", "PLK-MSR-014 (both sources): silicon: step 2: the MSR has 0x"),
        std::pair("rng-bcnt-mask=off", "PLK-MSR-007 (BCNT of full buffers): silicon: the MSR has"),
        std::pair("rng-filter=on", "PLK-MSR-022 (FAIL, written 1): silicon: step 2: the MSR has"),
        std::pair("rng-msr=off", "PLK-MSR-027 (reserved bits): silicon: the MSR has 0x"),
        std::pair("fcr-msr=off", "PLK-MSR-032 (the FCR exists): silicon: the MSR has 0x")})
    expect_difference(document, std::string("esther,") + field, line);
}

TEST_F(cli_probe, differences_planted_in_models_are_found) {
  const struct {
    const char *model, *changed, *line;
  } kPlanted[] = {
      {"esther", "ctr-erratum=off",
       "PLK-ERR-016 (2 blocks): silicon: writes 99 at 0x2003000f; model: writes 98 at 0x2003000f"},
      {"esther9", "ctr-erratum=on", "PLK-ERR-018 (2 blocks with ALIGN): silicon: writes 98"},
      {"nano", "stepping=10",
       "LJ-003 (stepping): silicon: EAX is 0x00000008; model: EAX is 0x0000000a"},
      {"nano", "ace2-en=on", "PLK-CPUID-002 (the flags): silicon: EDX is 0x06033dcc; model: EDX"},
      {"nano", "vector-written=on",
       "PLK-ACE-106 (CBC, twice from one vector): silicon: step 1: writes nothing at 0x20030000"},
      {"nano", "xsha-partial=off", "PLK-PHE-037 (XSHA256, EAX all ones, 2 blocks): silicon: EAX"},
      {"nano", "xsha1-stores-32=on",
       "PLK-ZX-010 (XSHA1: 12 bytes behind the state): silicon: writes nothing at 0x20050014; "
       "model: writes 0000000000000000 at 0x20050014"},
      {"nano", "xsha-skips-empty=on", "PLK-PHE-015 (XSHA1 of nothing): silicon: writes "},
      {"zhaoxin", "xsha-skips-empty=off", "PLK-ZX-028 (CCS_HASH of nothing): silicon: writes no"},
      {"nano", "vendor=shanghai", "PLK-CPUID-028 (the vendor): silicon: EBX is 0x746e6543"},
      {"esther", "ctr=off", "PLK-ACE-032 (CTR): silicon: no signal; model: SIGILL\n"},
      {"nano", "rng=off", "PLK-RNG-015 (how many bytes EDX = 3 writes): silicon: no signal; m"},
      {"nano", "phe2=off", "PLK-PHE-045 (XSHA512, misaligned state): silicon: SIGSEGV, #GP; mod"},
      {"nehemiah", "ace2=on", "PLK-ACE-090 (DGEST in CBC): silicon: EAX is 0x20050020"},
      {"zhaoxin", "ccs=off", "PLK-ZX-049 (no mode): silicon: SIGSEGV, #GP; model: SIGILL\n"},
      {"esther", "pmm=off", "PLK-PMM-013 (ECX = 0): silicon: no signal; model: SIGILL\n"},
      {"esther", "ecb-fetch=4", "PLK-ACE-017 (ECB, 7 of 12 blocks before the end of memory): "},
      {"esther", "cbc-fetch=2", "PLK-ACE-046 (CBC, 1 of 1 block before the end of memory): sil"},
  };
  for (const auto& planted : kPlanted) {
    SCOPED_TRACE(planted.changed);
    expect_difference(behaviour_of(planted.model),
                      std::string(planted.model) + "," + planted.changed, planted.line);
  }
}

// What no field of a model changes.
TEST_F(cli_probe, differences_planted_in_documents_are_found) {
  json document = behaviour_of("esther");
  const auto step = [&document](const char* clause) -> json& {
    return experiment_of(document, clause)["outcomes"][0][0];
  };
  step("PLK-ACE-057")["after"]["eax"] = "0x20030000";
  step("PLK-EXC-013")["vector"] = 14;
  step("PLK-EXC-013")["address"] = "0x30000001";
  step("PLK-EXC-014").erase("signal");
  step("PLK-MULTI-016")["after"]["eax"] = "0x40000202";
  step("PLK-PHE-012")["written"][0] = {
      {"at", "0x20050000"}, {"len", 128}, {"bytes", std::string(2 * 128, '0')}};
  step("PLK-RNG-015")["written"][0]["len"] = 1;
  step("PLK-PMM-012")["signal"] = 4;
  step("PLK-EXC-016")["eflags"] = "0x00000602";
  experiment_of(document, "PLK-MULTI-007")["outcomes"][0].push_back(json::object());
  for (json& row : document["cpuid"])
    if (row["leaf"] == "0x80000006") row["ecx"] = "0x00804140";

  const ProcessResult result = compare(document, "esther");
  EXPECT_EQ(result.exit_code, 1);
  for (const char* const line :
       {"PLK-ACE-057 (EAX after CBC): silicon: EAX is 0x20030000; model: EAX is 0x20050030\n",
        "PLK-EXC-013 (misaligned source that is not there): silicon: SIGSEGV, #PF at 0x30000001, "
        "error 0x00000000; model: SIGSEGV, #GP\n",
        "PLK-EXC-014 (XCRYPTECB without REP): silicon: no signal; model: SIGILL\n",
        "PLK-MULTI-016 (the pushed image): silicon: EAX is 0x40000202; model: EAX is 0x00000202\n",
        "PLK-PHE-012 (XSHA1: what is written behind the digest): silicon: writes 0000000000000000 "
        "at 0x20050000; model: writes ",
        "PLK-RNG-015 (how many bytes EDX = 3 writes): silicon: writes nothing at 0x20050012; "
        "model: writes ?????? at 0x20050012\n",
        "PLK-PMM-012 (100 bits): silicon: SIGILL, #GP; model: SIGSEGV, #GP\n",
        "PLK-EXC-016 (DF = 1): silicon: EFLAGS is 0x00000602; model: EFLAGS is 0x00000202\n",
        "PLK-MULTI-007 (another key in memory): silicon: 2 results; model: 1 results\n",
        "CPUID (leaf 0x80000006, subleaf 0): silicon: ECX is 0x00804140; model: ECX is 0x"})
    EXPECT_TRUE(contains("\n" + result.out, std::string("\n") + line)) << line << result.out;
  EXPECT_TRUE(contains(result.out, "esther: 10 differences in ")) << result.out;
}

// Whether a pushed image has bit 30 is told by PLK-MULTI-016, not by every experiment.
TEST_F(cli_probe, bit_30_of_eflags_is_not_compared) {
  json document = behaviour_of("esther");
  experiment_of(document, "PLK-EXC-016")["outcomes"][0][0]["eflags"] = "0x40000202";
  EXPECT_EQ(compare(document, "esther").exit_code, 0);
}

TEST_F(cli_probe, a_document_that_claims_more_bytes_than_there_are_is_compared_soon) {
  json document = behaviour_of("esther");
  json& written = experiment_of(document, "PLK-PHE-012")["outcomes"][0][0]["written"];
  const json piece = {{"at", "0x20050000"}, {"len", 250000}, {"bytes", ""}};
  written = std::vector<json>(20000, piece);
  written.push_back({{"at", "0x20050000"}, {"len", uint64_t{1} << 62}, {"bytes", ""}});
  EXPECT_TRUE(contains(compare(document, "esther").out, "PLK-PHE-012 (XSHA1: what is written"));
}

TEST_F(cli_probe, the_outcome_that_came_most_often_counts) {
  json document = behaviour_of("esther");
  json& e = experiment_of(document, "PLK-ACE-057");
  e["outcomes"].insert(e["outcomes"].begin(), e["outcomes"][0]);
  e["outcomes"][0][0]["after"]["eax"] = "0x00000000";
  e["times"] = {1, 2};
  const ProcessResult result = compare(document, "esther");
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_TRUE(contains(result.out, "unsteady: PLK-ACE-057 (EAX after CBC): outcomes came 1, 2 "))
      << result.out;
  e["times"] = {2, 1};
  EXPECT_EQ(compare(document, "esther").exit_code, 1);
}

TEST_F(cli_probe, what_cannot_be_compared_is_told) {
  json document = behaviour_of("esther");
  document["experiments"].erase(3);
  experiment_of(document, "PLK-ACE-057").erase("outcomes");
  experiment_of(document, "PLK-ACE-057")["not_run"] = "the lid was open";
  experiment_of(document, "PLK-ACE-016")["steps"][0]["run"] = "90";
  experiment_of(document, "PLK-ACE-018")["clause"] = "PLK-ACE-999";
  const ProcessResult result = compare(document, "esther");
  EXPECT_EQ(result.exit_code, 0) << result.out;
  for (const char* const line :
       {"not compared: 1 experiments; in the file: the lid was open\n",
        "not compared: 1 experiments; the file's program did something else\n",
        "not compared: 1 experiments; this program does not know it\n",
        "not compared: 2 experiments; it is not in the file\n"})
    EXPECT_TRUE(contains(result.out, line)) << result.out;
}

TEST_F(cli_probe, json_has_the_same) {
  const ProcessResult result = compare(behaviour_of("nano"), "nano,vendor=shanghai", {"--json"});
  EXPECT_EQ(result.exit_code, 1);
  const json report = json::parse(result.out);
  EXPECT_EQ(report["same"], false);
  ASSERT_EQ(report["differences"].size(), 1u);
  const json& difference = report["differences"][0];
  EXPECT_EQ(difference["clause"], "PLK-CPUID-028");
  EXPECT_EQ(difference["facts"][0],
            (json{{"silicon", "EBX is 0x746e6543"}, {"model", "EBX is 0x68532020"}}));
  EXPECT_GT(report["experiments"], 250);
}

TEST_F(cli_probe, clocks_are_judged_by_the_timing_model) {
  json document = behaviour_of("esther");
  document["environment"]["incore_run"] = false;  // as if of silicon
  document["timings"]["overhead"] = {{"samples", 9}, {"min", 100}, {"median", 101}};
  const auto row = [](const char* insn, int bytes, int clocks) {
    return json{{"insn", insn},       {"bytes", bytes},  {"key_bits", 128},
                {"keys", "hardware"}, {"reload", false}, {"control", "0x0000000a"},
                {"offset", 0},        {"samples", 101},  {"min", clocks},
                {"median", clocks}};
  };
  // 11 + 12 clocks a block, and 12.25 + 22.56 clocks a block (docs/timing.md).
  document["timings"]["rows"] = {row("xcrypt-ecb", 16384, 100 + 12299),
                                 row("xcrypt-cbc", 1024, 100 + 1456),
                                 row("xcrypt-cbc", 16384, 100 + 30000)};
  const ProcessResult result = compare(document, "esther");
  EXPECT_EQ(result.exit_code, 0) << result.out;  // figures are no behaviour
  EXPECT_TRUE(contains(result.out, "clocks: 2 of 3 as the timing model says")) << result.out;
  EXPECT_TRUE(contains(result.out,
                       "  xcrypt-cbc, 16384 bytes, 128-bit key: silicon 30000, model "
                       "23116, +30 %\n"))
      << result.out;
}

TEST_F(cli_probe, noise_is_judged_by_simple_statistics) {
  json document = behaviour_of("c5xl");
  document["noise"]["bytes"] = std::string(2 * 65536, 'f');
  const ProcessResult result = compare(document, "c5xl");
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const size_t at = result.out.find("share of ones: silicon 1.00000, model 0.5");
  ASSERT_NE(at, std::string::npos) << result.out;
  const std::string line = result.out.substr(at, result.out.find('\n', at) - at);
  EXPECT_TRUE(line.ends_with(", apart")) << line;
}

TEST_F(cli_probe, what_is_no_document_is_refused) {
  const std::string good = behaviour_of("c5xl").dump();
  const auto changed = [&good](const char* pointer, const json& value) {
    json document = json::parse(good);
    document[json::json_pointer(pointer)] = value;
    return document.dump();
  };
  const std::pair<std::string, const char*> kBad[] = {
      {"", "it is no JSON object, as incore-probe writes it"},
      {"[]", "it is no JSON object, as incore-probe writes it"},
      {"{}", "it is no document of incore-probe ('format' says so)"},
      {good.substr(0, good.size() / 2), "it is no JSON object, as incore-probe writes it"},
      {std::string(100000, '['), "it is no JSON object, as incore-probe writes it"},
      {changed("/format", "other"), "it is no document of incore-probe ('format' says so)"},
      {changed("/version", 2), "its version is not 1, the only one that this program knows"},
      {changed("/cpuid", 3), "it has no list 'cpuid'"},
      {changed("/cpuid/0/eax", 3), "CPUID row 0 has no text 'eax'"},
      {changed("/experiments", nullptr), "it has no list 'experiments'"},
      {changed("/experiments", json::array()), "it has no experiment that this program does too"},
      {changed("/experiments/4/steps", 1), "experiment 4 has no list 'steps'"},
      {changed("/experiments/4/outcomes", json::array()), "experiment 4 has no list 'outcomes'"},
      {changed("/experiments/4/outcomes/0", 1), "experiment 4 has an outcome that is no list"},
      {changed("/experiments/4/outcomes/0/0", 1), "experiment 4 has a step that is no object"},
      {changed("/experiments/4/times", nullptr),
       "experiment 4 does not say how often each outcome came ('times')"},
  };
  for (const auto& [text, reason] : kBad) {
    const std::string file = directory_.write("bad.json", text);
    const ProcessResult result = probe({"--compare", file, "c5xl"});
    EXPECT_EQ(result.exit_code, 2) << reason << result.out;
    EXPECT_EQ(result.err, "incore probe: " + file + ": " + reason + "\n");
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(cli_probe, usage) {
  const std::string file = directory_.write("document.json", behaviour_of("c5xl").dump());
  const std::pair<Arguments, const char*> kWrong[] = {
      {{"nano"}, "MODEL is for --compare FILE; to record a model give --cpu MODEL"},
      {{"--compare", "/nonexistent", "nano"}, "/nonexistent: No such file or directory"},
      {{"--compare", file, "nanoo"}, "unknown model \"nanoo\": the models are c5xl, nehemiah"},
      {{"--cpu", "pentium"}, "unknown model \"pentium\": the models are c5xl, nehemiah"},
      {{"--compare", file}, "MODEL"},
      {{"--compare", file, "nano", "--cpu", "nano"}, "--cpu"},
      {{"--out", "/nonexistent/file"},
       "cannot write '/nonexistent/file': No such file or directory"},
      {{"--program", "/nonexistent/file"},
       "cannot write '/nonexistent/file': No such file or directory"},
  };
  for (const auto& [arguments, message] : kWrong) {
    const ProcessResult result = probe(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST_F(cli_probe, the_program_can_be_taken_out) {
  const std::string file = directory_.path() + "/incore-probe";
  ASSERT_EQ(probe({"--program", file}).exit_code, 0);
  EXPECT_EQ(test::read_file(file), test::read_file(kProbe));
  EXPECT_LT(test::read_file(file).size(), 300000u);
  EXPECT_TRUE(contains(test::run({file, "--help"}).out, "usage: incore-probe"));
}

// This machine has no PadLock, or at least no MSRs to read without root: it is recorded all the
// same.
TEST_F(cli_probe, any_processor_is_recorded_to_the_end) {
  const ProcessResult result = probe({});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(document["environment"]["incore_run"], false);
  EXPECT_EQ(document["msrs"]["readable"] == false, document["msrs"].contains("reason"));
  EXPECT_GT(document["experiments"].size(), 250u);
  EXPECT_TRUE(document["noise"].contains("bytes"));
  for (const json& e : document["experiments"])
    EXPECT_TRUE(e.contains("outcomes") || e.contains("not_run")) << e;
}

TEST_F(cli_probe, only_some_experiments_are_done_when_asked) {
  const auto clauses = [](const ProcessResult& result) {
    std::set<std::string> found;
    const json document = json::parse(result.out);
    for (const json& e : document["experiments"])
      if (e.contains("outcomes")) found.insert(e["clause"]);
    return found;
  };
  const ProcessResult one = probe({"--clause", "PLK-ACE-057", "-v"});
  EXPECT_EQ(clauses(one), std::set<std::string>{"PLK-ACE-057"});
  EXPECT_EQ(one.err, "PLK-ACE-057 EAX after CBC\nPLK-ACE-057 EAX after CFB\n");
  EXPECT_FALSE(json::parse(one.out).contains("timings"));
  const std::set<std::string> others = clauses(probe({"--skip", "PLK-ACE-095"}));
  EXPECT_EQ(others.count("PLK-ACE-095"), 0u);
  EXPECT_EQ(others.count("PLK-ACE-097"), 1u);
}

TEST_F(cli_probe, the_program_refuses_what_it_does_not_know) {
  for (const Arguments& arguments :
       {Arguments{"--nonsense"}, Arguments{"--out"}, Arguments{"file"},
        Arguments{"--clause", "PLK-ACE-057", "--out", "/nonexistent/file"}}) {
    Arguments command = arguments;
    command.insert(command.begin(), kProbe);
    const ProcessResult result = test::run(command);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.err.rfind("incore-probe: ", 0), 0u) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

// Each decision of ours and each thing undefined is an experiment, or in the table of those that a
// program cannot see.
TEST_F(cli_probe, experiments_cover_what_the_documents_leave_open) {
  std::set<std::string> known, open, done, not_probed;
  std::ifstream clauses(INCORE_SOURCE_DIR "/docs/clauses/padlock.tsv");
  for (std::string line; std::getline(clauses, line);) {
    const std::string id = line.substr(0, line.find('\t'));
    known.insert(id);
    if (contains(line, "\tDecision: ") || contains(line, "\tUndefined: ")) open.insert(id);
  }
  std::ifstream table(INCORE_SOURCE_DIR "/tools/probe/not_probed.tsv");
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line, "id\treason");
  while (std::getline(table, line)) {
    const size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos) << line;
    EXPECT_GT(line.size(), tab + 5) << line;
    not_probed.insert(line.substr(0, tab));
  }
  const json document = behaviour_of("c5xl");
  std::set<std::pair<std::string, std::string>> names;
  for (const json& e : document["experiments"]) {
    const std::string clause = e["clause"], name = e["name"];
    done.insert(clause);
    EXPECT_TRUE(known.contains(clause)) << clause;
    EXPECT_TRUE(names.emplace(clause, name).second) << clause << " " << name;
  }
  ASSERT_GT(open.size(), 90u);
  for (const std::string& id : open) EXPECT_NE(done.count(id), not_probed.count(id)) << id;
  for (const std::string& id : not_probed) EXPECT_TRUE(open.count(id)) << id;
}

}  // namespace
}  // namespace incore
