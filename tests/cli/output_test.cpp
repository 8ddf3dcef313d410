// Standard output that cannot be written, and files that cannot be finished: every command says so,
// ends with 2 and leaves nothing half-written.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/every_command.h"
#include "cli/own_folder.h"

namespace incore {
namespace {

using test::Args;
using test::joined;
using test::ProcessResult;

const std::string kKey(32, '0');
const Args kEncrypt = {"encrypt", "--mode", "ecb", "--key", kKey};
const Args kNumbers = {"--modulus", "f" + std::string(63, '1')};
constexpr char kSource[] = "f: jr $31\n nop\n";
constexpr char kPlan[] = "programs = [\"xor-words\"]\n";

// What each command prints, by its path: as text, and as JSON where it has that.
const std::map<std::string, std::vector<Args>>& printing() {
  static const Args power = joined(kNumbers, {"--base", "2", "--exponent", "3"});
  static const Args product = joined(kNumbers, {"-a", "2", "-b", "3"});
  static const Args crap = {"--cpu", "esther", "--bytes", "256"};
  static const Args errata = {"--cpu", "esther", "--blocks", "2", "--tests", "10"};
  static const Args json = {"--json"};
  static const std::map<std::string, std::vector<Args>> all = {
      {"run", {{"--cpu", "list"}, {"--list-cpus"}}},  // the rest is the program's
      {"boot", {}},                                   // all is the guest's
      {"scan", {{"/bin/true"}, {"/bin/true", "--json"}}},
      {"probe", {{"--clause", "PLK-ACE-057"}}},  // a comparison takes a second or two
      {"cpu", {{}, json}},
      {"bench", {{"padlock-model"}, {"padlock-model", "--json"}}},
      {"modexp", {power, joined(power, json)}},
      {"montmul", {product, joined(product, json)}},
      {"aes", {kEncrypt}},
      {"completion", {{"bash"}, {"zsh"}, {"fish"}}},
      {"help", {{}, {"--man"}, json}},
      {"hash", {{}, json, {"--check", "list"}, {"--check", "list", "--json"}}},
      {"rng bytes", {{"getrandom", "--size", "8"}, {"getrandom", "--size", "8", "--hex"}}},
      {"rng analyze", {{"--suites", "bytes"}, {"--suites", "bytes", "--json"}, {"--list-suites"}}},
      {"rng crap", {crap, joined(crap, json)}},
      {"rng health", {{"getrandom", "--size", "9"}, {"getrandom", "--size", "9", "--json"}}},
      {"padlock errata", {errata, joined(errata, json)}},
      {"vemicry asm", {{"--list", "f.s"}}},
      {"vemicry disasm", {{"f.s"}, {"f.s", "--json"}}},
      {"vemicry run", {{"--call", "f", "f.s"}, {"--call", "f", "--json", "f.s"}}},
      {"vemicry trace", {{"--workload", "xor-words"}, {"--workload", "xor-words", "--json"}}},
      {"vemicry measure", {{"xor-words"}, {"xor-words", "--json"}}},
      {"vemicry results", {{}, json}},
      {"vemicry sweep", {{"plan.toml"}, {"plan.toml", "--csv"}, {"plan.toml", "--json"}}},
      {"vemicry area", {}},  // takes yosys minutes
      {"vemicry fpga", {}},  // and nextpnr more
  };
  return all;
}

// For `incore boot`.
const std::string kKernel = INCORE_BINARY_DIR "/tests/machine/kernel/machine_kernel";

// Options that name a file or folder to write, by command: what writes it, and a file there.
const std::map<std::string, std::vector<Args>>& writing() {
  static const std::map<std::string, std::vector<Args>> all = {
      {"run --stats", {{"--stats=new", "--", "/bin/true"}}},
      {"run --check", {{"--check=new", "--", "/bin/true"}}},
      {"run --compare", {{"--compare=new", "--", "/bin/true"}}},
      {"boot --stats", {{"--stats=new", "--kernel", kKernel}}},
      {"boot --check", {{"--check=new", "--kernel", kKernel}}},
      {"probe --out", {{"--clause", "PLK-ACE-057", "--out", "new"}}},
      {"probe --program", {{"--program", "new"}}},
      {"aes --out", {joined(kEncrypt, {"--out", "new"})}},
      {"rng bytes --out", {{"getrandom", "--size", "9000", "--out", "new"}}},
      {"rng analyze --out", {{"--suites", "bytes", "--out", "new"}}},
      {"rng analyze --html", {{"--suites", "bytes", "--html", "new"}}},
      {"rng crap --out", {{"--cpu", "esther", "--bytes", "256", "--save", "--out", "."}}},
      {"vemicry asm --output", {{"f.s", "--output", "new"}}},
      {"vemicry trace --out", {{"--workload", "xor-words", "--out", "."}}},
      {"vemicry sweep --out", {{"plan.toml", "--out", "."}}},
      {"vemicry area --keep", {{"--keep", "."}}},
      {"vemicry fpga --keep", {{"--keep", "."}}},
  };
  return all;
}
const std::set<std::string> kWritingOptions = {"--out",   "--output", "--html",    "--keep",
                                               "--stats", "--check",  "--compare", "--program"};
const std::set<std::string> kReadingOptions = {"probe --compare", "vemicry measure --program"};

class cli_output : public test::OwnFolderTest {
 protected:
  void SetUp() override {
    OwnFolderTest::SetUp();
    directory_.write("f.s", kSource);
    directory_.write("plan.toml", kPlan);
    directory_.write("list", "00  f.s\n" + std::string(64, '0') + "  f.s\n");
  }

  // The program with |args|, |before| and |redirection| being the shell's.
  static ProcessResult shell(const std::string& before, const Args& args,
                             const std::string& redirection = "") {
    const std::string script = before + "exec \"$0\" \"$@\" " + redirection;
    return test::run(joined({"bash", "-c", script, INCORE_PROGRAM}, args), std::string(4096, 'x'));
  }

  static void expect_told(const ProcessResult& result, const std::string& reason, int code = 2) {
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
  }

  // Three ways in which standard output cannot be written. |others| is how many lines the command
  // says besides.
  static void expect_failures_are_told(const Args& args) {
    for (const auto& [redirection, reason] :
         {std::pair("> /dev/full", "No space left on device"),
          std::pair(">&-", "Bad file descriptor"), std::pair("1< f.s", "Bad file descriptor")}) {
      SCOPED_TRACE(test::words(args) + " " + redirection);
      const ProcessResult result = shell("", args, redirection);
      expect_told(result, reason);
      if (args.size() > 1 && args[1] == "--check") continue;  // which has warnings of its own
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
  }
};

TEST_F(cli_output, that_cannot_be_written_is_an_error_of_every_command) {
  expect_failures_are_told({"--version"});
  for (const test::HelpCommand& command : test::every_command()) {
    expect_failures_are_told(joined(command.path, {"--help"}));
    if (command.has_commands) continue;
    const auto found = printing().find(test::words(command.path));
    if (found == printing().end()) {
      ADD_FAILURE() << test::words(command.path) << " is new: say in this file what it prints";
      continue;
    }
    for (const Args& args : found->second) expect_failures_are_told(joined(command.path, args));
  }
}

TEST_F(cli_output, that_is_not_needed_may_be_closed) {
  EXPECT_EQ(shell("", joined({"aes"}, joined(kEncrypt, {"--out", "new"})), ">&- 2>&-").exit_code,
            0);
  EXPECT_EQ(test::read_file("new").size(), 4112u);
}

TEST_F(cli_output, with_a_reader_that_has_left_ends_by_sigpipe_and_quietly) {
  for (const char* const trap : {"", "trap '' PIPE; "}) {
    // The reader has left when the file is there.
    const std::string script =
        std::string(trap) +
        "rm -f left; "
        "{ while [ ! -e left ]; do sleep 0.01; done; \"$0\" cpu; } | { exec <&-; : > left; }; "
        "exit ${PIPESTATUS[0]}";
    const ProcessResult result = test::run({"bash", "-c", script, INCORE_PROGRAM});
    EXPECT_EQ(result.exit_code, 141) << trap;
    EXPECT_EQ(result.err, "") << trap;
  }
}

// A file that is opened must not get the number of standard output: this one is open while its
// command prints.
TEST_F(cli_output, that_is_closed_does_not_get_into_a_file) {
  const Args crap = {"rng", "crap"};
  if (std::ranges::none_of(test::every_command(), [&](const auto& c) { return c.path == crap; }))
    GTEST_SKIP() << "built without 'incore rng crap'";
  const Args save = {"--cpu", "esther", "--bytes", "256", "--save", "--out", "."};
  expect_told(shell("", joined(crap, save), ">&-"), "Bad file descriptor");
  std::set<std::string> samples = files();
  std::erase_if(samples, [](const std::string& name) { return !name.ends_with(".RNG"); });
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(test::read_file(*samples.begin()).size(), 256u);
}

#if defined(__x86_64__)
TEST_F(cli_output, and_signals_of_a_program_that_is_run_are_its_own) {
  const std::string script =
      "for fd in 0 1 2; do [ -e /proc/self/fd/$fd ] && exit 10; done; kill -XFSZ $$; exit 11";
  const ProcessResult closed = shell("", {"run", "--", "sh", "-c", script}, "<&- >&- 2>&-");
  EXPECT_EQ(closed.exit_code, 128 + 25);  // SIGXFSZ
  const ProcessResult ignored =
      shell("trap '' XFSZ; ", {"run", "--", "sh", "-c", "kill -XFSZ $$; exit 11"});
  EXPECT_EQ(ignored.exit_code, 11);
}
#endif

TEST_F(cli_output, every_option_that_names_an_output_is_known_here) {
  for (const test::HelpCommand& command : test::every_command())
    for (const test::HelpOption& option : command.options) {
      if (option.type.empty() || option.is_positional) continue;
      const std::string name = test::words(joined(command.path, {option.name}));
      if (kReadingOptions.count(name) != 0) continue;
      EXPECT_EQ(writing().count(name), kWritingOptions.count(option.name)) << name;
    }
}

TEST_F(cli_output, file_that_may_not_grow_is_an_error_and_leaves_nothing) {
  const std::set<std::string> before = files();
  for (const test::HelpCommand& command : test::every_command())
    for (const test::HelpOption& option : command.options) {
      const auto found = writing().find(test::words(joined(command.path, {option.name})));
      if (found == writing().end()) continue;
      for (const Args& args : found->second) {
        SCOPED_TRACE(found->first);
        const ProcessResult result = shell("ulimit -f 0; ", joined(command.path, args));
        const bool as_guide = found->first == "rng crap --out";  // whose sample exits with 1
        expect_told(result, "File too large", as_guide ? 1 : 2);
        std::set<std::string> after = files();
        // What was measured stays for the next sweep, and what came of a generator is kept.
        std::erase_if(after, [](const std::string& name) {
          return name == "measured.jsonl" || name.ends_with(".partial");
        });
        EXPECT_EQ(after, before);
      }
    }
}

TEST_F(cli_output, file_is_on_the_disk_before_it_gets_its_name) {
  if (test::kEmulated || test::run({"sh", "-c", "command -v strace"}).exit_code != 0)
    GTEST_SKIP() << "needs strace";
  const ProcessResult result =
      test::run({"strace", "-e", "trace=fsync,rename,renameat,renameat2", "-o", "calls",
                 INCORE_PROGRAM, "vemicry", "asm", "f.s", "--output", "new"});
  const std::string calls = test::read_file("calls");
  if (result.exit_code != 0 && calls.find("rename") == std::string::npos)
    GTEST_SKIP() << "strace cannot trace here: " << result.err;
  const size_t file = calls.find("fsync("), name = calls.find("rename");
  EXPECT_LT(file, name) << calls;
  EXPECT_NE(calls.find("fsync(", name), std::string::npos) << "the folder: " << calls;
}

}  // namespace
}  // namespace incore
